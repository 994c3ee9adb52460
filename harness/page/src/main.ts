// SPDX-License-Identifier: MIT
// Puts the page together, around the flock that first.ts has started.
import { App } from "./app";
import type { First } from "./first";
import { keepPage } from "./keeping";
import { giveUp } from "./missing";
import { mountCharts } from "./parts/charts";
import { mountControls } from "./parts/controls";
import { mountEditor } from "./parts/editor";
import { mountExports } from "./parts/exports";
import { mountFlock } from "./parts/flock";
import { mountGallery } from "./parts/gallery";
import { mountHands } from "./parts/hands";
import { mountLessons } from "./parts/lessons";
import { mountLook } from "./parts/look";
import { mountMessages } from "./parts/messages";
import { mountPanels } from "./parts/panels";
import { mountTheme } from "./parts/theme";
import { mountRepeating } from "./parts/repeating";
import { mountTransport } from "./parts/transport";
import { openFirst } from "./parts/link";
import { View } from "./hands/view";

function find<Kind extends HTMLElement>(id: string): Kind {
    return document.getElementById(id) as Kind;
}

/** Each part for itself, so that one that fails takes no other with it. */
function mount(app: App, parts: (() => void)[]): void {
    for (const part of parts)
        try {
            part();
        } catch (error) {
            app.complain((error as Error).message, "page");
        }
}

function start({ worker, script, opens, early }: First): void {
    const app = new App(script, worker);
    globalThis.dunlinPage = app;
    const sky = find<HTMLCanvasElement>("sky");
    const view = new View(app, sky);
    mount(app, [
        () => mountMessages(app, find("messages")),
        () => mountTheme(app, find("theme")),
        () => mountTransport(app, find("transport")),
        () => mountFlock(app, find("flock")),
        () => mountControls(app, find("controls")),
        () => mountLook(app, find("look")),
        () => mountCharts(app, find("charts")),
        () => mountGallery(app, find("gallery")),
        () => mountEditor(app, find("editor")),
        () => mountExports(app, find("exports"), sky),
        () => mountLessons(app, find("lessons"), sky, view),
        () => mountHands(app, sky, view, find("hands")),
        () => mountRepeating(app, find("repeating")),
        () => mountPanels(app, find("tabs"), find("panels"), find("edge")),
    ]);

    app.on("running", ({ about }) => {
        find("name").textContent = about.name;
        find("what").textContent = find("name").title = about.description;
        document.title = `${about.name} · Dunlin`;
    });
    sky.addEventListener("pointerdown", () => (find("what").textContent = ""));
    document.addEventListener("visibilitychange", () => app.tell({ do: "rest", on: document.hidden }));
    const resize = () => app.tell({ do: "resize", width: sky.clientWidth, height: sky.clientHeight, ratio: devicePixelRatio });
    const what = find("what");
    const cover = () => app.draw({ covered: [what.offsetLeft + what.offsetWidth, what.offsetTop + what.offsetHeight] });
    mount(app, [() => new ResizeObserver(resize).observe(sky), () => new ResizeObserver(cover).observe(what)]);
    void openFirst(app, opens);
    void keepPage(app);
    for (const event of early) worker.dispatchEvent(event);
}

try {
    start(globalThis.dunlinFirst);
} catch (error) {
    giveUp(`The page cannot start: ${(error as Error).message}`);
}
