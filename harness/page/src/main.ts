// SPDX-License-Identifier: MIT
// Puts the page together.
import { App } from "./app";
import { make } from "./dom";
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

/** Why the page cannot run here; null: it can. */
function whatIsMissing(): string | null {
    if (typeof WebAssembly !== "object") return "WebAssembly";
    // The shortest module that holds a SIMD instruction: i8x16.splat of a constant, then popcnt.
    const simd = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);
    if (!WebAssembly.validate(simd)) return "SIMD in WebAssembly";
    if (typeof OffscreenCanvas !== "function") return "OffscreenCanvas";
    if (new OffscreenCanvas(1, 1).getContext("webgl2") === null) return "WebGL2";
    return null;
}

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

function start(): void {
    const app = new App("worker.js");
    globalThis.dunlinPage = app;
    const sky = find<HTMLCanvasElement>("sky");
    const canvas = sky.transferControlToOffscreen();
    const most = matchMedia("(pointer: coarse)").matches ? 4 : 16; // a phone's other cores are slow, and each thread has a worker to start
    const threads = crossOriginIsolated ? Math.min(navigator.hardwareConcurrency, most) : 1;
    app.tell({ do: "start", canvas, threads, base: new URL(".", location.href).href }, [canvas]);
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
    mount(app, [() => new ResizeObserver(resize).observe(sky)]);
    void openFirst(app);
}

/** Why the page cannot start. A sandboxed frame has an opaque origin, which may make no workers. */
function whyNot(error: Error): string {
    if (self.origin !== "null") return `The page cannot start: ${error.message}`;
    return "This page is in a sandboxed frame, in which the browser allows no worker, and the flock needs one. " +
        "The frame's sandbox has to have allow-same-origin beside allow-scripts.";
}

try {
    const missing = whatIsMissing();
    if (missing === null) start();
    else say(`This browser has no ${missing}, which the flock needs. A current Firefox, Chrome, Edge or Safari has it.`);
} catch (error) {
    say(whyNot(error as Error));
}
