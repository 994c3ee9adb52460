// SPDX-License-Identifier: MIT
// What comes before all else: the worker with the engine, and the flock that a visitor sees first. The rest of the page (main.ts), four
// times as large as all of this, loads once that flock moves, or at once where the address asks for something else.
import { addressOf, beside, hasNoOrigin, loadInside } from "./beside";
import { make } from "./dom";
import { isPhone, lightText } from "./light";
import { giveUp, inWords, whatIsMissing } from "./missing";
import type { Command, Report, Story } from "./protocol";
import { lastPanel, lastWidth, placePanel, setWidth } from "./room";
import { isLight } from "./shade";

/** What main.ts continues with. */
export interface First {
    worker: Worker;
    script: string;
    /** The light flock is open, or will be. */
    opens: boolean;
    /** What the worker has said so far. */
    early: Event[];
}

declare global {
    var dunlinFirst: First;
}

function loadRest(): void {
    if (document.getElementById("rest") !== null) return;
    document.body.append(make("script", { id: "rest", src: "page.js", onerror: () => giveUp("page.js is missing or cannot be loaded.") }));
}

/** Starts the worker on the page's canvas. */
function startWorker(worker: Worker, sky: HTMLCanvasElement, wasm?: Uint8Array): void {
    const canvas = sky.transferControlToOffscreen();
    const most = isPhone ? 4 : 16; // a phone's other cores are slow, and each thread has a worker to start
    const threads = crossOriginIsolated ? Math.min(navigator.hardwareConcurrency, most) : 1;
    const tell = (command: Command, moved: Transferable[] = []) => worker.postMessage(command, moved);
    tell({ do: "start", canvas, threads, base: new URL(".", location.href).href, wasm }, [canvas]);
    tell({ do: "look", look: { dark: !isLight() } });
    tell({ do: "resize", width: sky.clientWidth, height: sky.clientHeight, ratio: devicePixelRatio });
}

async function openLight(worker: Worker): Promise<void> {
    const text = lightText(await (await beside("scenarios/default.yaml")).text());
    const story: Story = { text, name: "default.yaml", settings: {}, actions: [], step: 0 };
    for (const command of [{ do: "open", story }, { do: "play", on: true }] satisfies Command[]) worker.postMessage(command);
}

async function start(): Promise<void> {
    document.documentElement.classList.toggle("light", isLight());
    placePanel(lastPanel());
    setWidth(lastWidth());
    const inside = hasNoOrigin ? await loadInside() : null;
    const script = inside === null ? "worker.js" : addressOf(inside.worker);
    const opens = location.search + location.hash === "";
    const first: First = { worker: new Worker(script), script, opens, early: [] };
    globalThis.dunlinFirst = first;
    const { worker } = first;
    worker.onmessage = worker.onerror = (event: Event) => void first.early.push(event);
    worker.addEventListener("error", loadRest);
    worker.addEventListener("message", ({ data: { is } }: MessageEvent<Report>) => {
        if (is !== "frame" && is !== "failed") return;
        document.getElementById("loading")!.hidden = true;
        loadRest();
    });
    startWorker(worker, document.getElementById("sky") as HTMLCanvasElement, inside?.wasm);
    if (opens) await openLight(worker);
    else loadRest();
}

const missing = whatIsMissing();
if (missing !== null) giveUp(inWords(missing));
else start().catch((error) => giveUp(`The page cannot start: ${error.message}`));
