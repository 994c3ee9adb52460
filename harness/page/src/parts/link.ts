// SPDX-License-Identifier: MIT
// What the page opens first, and links that carry a simulation.
import type { App } from "../app";
import { openStory } from "../files";
import { loadLessons, openLesson, openLight, openShipped, openSurprise } from "../shipped";
import { isKnownVisit } from "./undo";
import { linkMark, unpackStory } from "../story";

async function openLink(app: App): Promise<void> {
    try {
        openStory(app, await unpackStory(location.hash.slice(linkMark.length)));
    } catch {
        throw new Error("The link is broken: a part of it may be missing.");
    }
}

async function openAddress(app: App): Promise<void> {
    if (location.hash.startsWith(linkMark)) return openLink(app);
    const asked = new URLSearchParams(location.search);
    const { course } = asked.has("lesson") ? await loadLessons() : { course: [] };
    const lesson = course[Number(asked.get("lesson")) - 1];
    if (lesson !== undefined) {
        app.show("lessons");
        return openLesson(app, lesson);
    }
    const [name, surprise] = [asked.get("scenario"), asked.get("surprise")];
    if (/^\d{1,9}$/.test(surprise ?? "")) return openSurprise(app, Number(surprise));
    return name === null ? openLight(app) : openShipped(app, name).catch(() => {
        throw new Error(`There is no shipped scenario "${name}".`);
    });
}

/** Opens what the address asks for: a simulation in a link, a shipped scenario by its name, or the default scenario, if it does not open already. */
export async function openFirst(app: App, opens: boolean): Promise<void> {
    let run = false;
    const openDefault = () => openLight(app).catch((error) => app.complain(String(error), "open"));
    app.on("running", () => {
        run = true;
    });
    app.on("failed", ({ during }) => {
        if (during === "open" && !run) void openDefault();
        run = true;
    });
    const follow = () => {
        if (!isKnownVisit()) void openAddress(app).catch((error) => app.complain(error.message, "link"));
    };
    addEventListener("hashchange", follow);
    addEventListener("popstate", () => location.hash === "" && follow());
    if (!opens) await openAddress(app).catch((error) => {
        app.complain(`${error.message} The default scenario runs instead.`, "link");
        return openDefault();
    });
}
