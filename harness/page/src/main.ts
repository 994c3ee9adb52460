// SPDX-License-Identifier: MIT
// Puts the page together.
import { App } from "./app";
import { addressOf, hasNoOrigin, loadInside } from "./beside";
import { make } from "./dom";
import { keepPage } from "./keeping";
import { inWords, whatIsMissing } from "./missing";
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

/** Says why there is no flock, and shows nothing else, since nothing else works. */
function say(reason: string): void {
    for (const id of ["hands", "loading", "repeating", "side"]) find(id).remove();
    find("messages").append(make("div", { className: "message bad" }, make("div", {}, reason)));
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

async function start(): Promise<void> {
    const inside = hasNoOrigin ? await loadInside() : null;
    const app = new App(inside === null ? "worker.js" : addressOf(inside.worker));
    globalThis.dunlinPage = app;
    const sky = find<HTMLCanvasElement>("sky");
    const canvas = sky.transferControlToOffscreen();
    const most = matchMedia("(pointer: coarse)").matches ? 4 : 16; // a phone's other cores are slow, and each thread has a worker to start
    const threads = crossOriginIsolated ? Math.min(navigator.hardwareConcurrency, most) : 1;
    app.tell({ do: "start", canvas, threads, base: new URL(".", location.href).href, wasm: inside?.wasm }, [canvas]);
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
    for (const end of ["running", "failed"] as const) app.on(end, () => (find("loading").hidden = true));
    sky.addEventListener("pointerdown", () => (find("what").textContent = ""));
    document.addEventListener("visibilitychange", () => app.tell({ do: "rest", on: document.hidden }));
    const resize = () => app.tell({ do: "resize", width: sky.clientWidth, height: sky.clientHeight, ratio: devicePixelRatio });
    const what = find("what");
    const cover = () => app.draw({ covered: [what.offsetLeft + what.offsetWidth, what.offsetTop + what.offsetHeight] });
    mount(app, [() => new ResizeObserver(resize).observe(sky), () => new ResizeObserver(cover).observe(what)]);
    void openFirst(app);
    void keepPage(app);
}

const missing = whatIsMissing();
if (missing !== null) say(inWords(missing));
else start().catch((error) => say(`The page cannot start: ${error.message}`));
