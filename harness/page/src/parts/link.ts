// SPDX-License-Identifier: MIT
// What the page opens first, and links that carry a simulation.
import type { App } from "../app";
import { openCheckpoint, openStory } from "../files";
import { loadLessons, nameOf, openLesson, openLight, openShipped, openSurprise } from "../shipped";
import { isKnownVisit } from "./undo";
import { linkMark, unpackStory } from "../story";

async function openLink(app: App, lesson: string | undefined): Promise<void> {
    try {
        const story = await unpackStory(location.hash.slice(linkMark.length));
        if (nameOf(story.name) === lesson) app.show("lessons");
        openStory(app, story);
    } catch {
        throw new Error("The link is broken: a part of it may be missing.");
    }
}

/** The lesson that an address names by its number in the course, or by its name. */
async function lessonIn(asked: URLSearchParams): Promise<string | undefined> {
    const lesson = asked.get("lesson");
    if (lesson === null) return undefined;
    const { course, lessons } = await loadLessons();
    return lesson in lessons ? lesson : course[Number(lesson) - 1];
}

async function openCheckpointAt(app: App, address: string): Promise<void> {
    const answer = await fetch(address).catch(() => null);
    if (!answer?.ok) throw new Error(`There is no checkpoint at ${address}.`);
    openCheckpoint(app, address, new Uint8Array(await answer.arrayBuffer()));
}

async function openAddress(app: App): Promise<void> {
    const asked = new URLSearchParams(location.search);
    const checkpoint = asked.get("checkpoint");
    if (checkpoint !== null) return openCheckpointAt(app, checkpoint);
    const lesson = await lessonIn(asked);
    if (location.hash.startsWith(linkMark)) return openLink(app, lesson);
    const [name, surprise] = [asked.get("scenario"), asked.get("surprise")];
    if (/^\d{1,9}$/.test(surprise ?? "")) return openSurprise(app, Number(surprise));
    if (name === null && lesson !== undefined) {
        app.show("lessons");
        return openLesson(app, lesson);
    }
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
