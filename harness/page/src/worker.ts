// SPDX-License-Identifier: MIT
// The worker: engine and drawing on one thread, so that nobody reads what the engine writes and the page's own thread never waits.
import { Flock, FlockError } from "./flock";
import type { CreateModule } from "./module";
import { Painter } from "./paint/painter";
import type { Action, Command, PlainSettings, Question, Report, Story } from "./protocol";

declare const self: DedicatedWorkerGlobalScope & { createDunlin: CreateModule };

let flock: Flock;
let painter: Painter;
let story: Story | null = null; // its step is not kept up to date; see currentStory()
let text = ""; // the scenario's as it flies, but for `changed`
const changed = new Map<string, number>(); // numbers set since the text came
let settings: PlainSettings = {}; // as it flies
let playing = false;
let waiting = false; // a frame is asked for
let reported = 0; // when the last frame was reported, in ms
let frames = 0; // since then
let threadsAllowed = 1;

function report(message: Report): void {
    self.postMessage(message);
}

function fail(error: unknown, during: string): void {
    const message = error instanceof Error ? error.message : String(error);
    report({ is: "failed", message, line: error instanceof FlockError ? error.line : 0, during });
}

function toSettings(plain: PlainSettings) {
    const { seed, ...rest } = plain;
    const threads = Math.min(plain.threads ?? threadsAllowed, threadsAllowed);
    return { ...rest, threads, ...(seed === undefined ? {} : { seed: BigInt(seed) }) };
}

/* ---- commands ---------------------------------------------------------------------------------------------------------- */

async function start(canvas: OffscreenCanvas, threads: number, base: string): Promise<void> {
    const script = new URL(threads > 1 ? "dunlin-threads.js" : "dunlin.js", base).href;
    self.importScripts(script);
    // A thread whose worker is not there yet would never start: while a flight is built anew, the one before has its threads still.
    const helpers = 2 * (threads - 1);
    const locateFile = (name: string) => new URL(name, base).href;
    const module = await self.createDunlin({ threads: helpers, mainScriptUrlOrBlob: script, locateFile });
    threadsAllowed = threads;
    flock = new Flock(module);
    painter = new Painter(canvas);
    report({ is: "started", threads });
}

function announce(): void {
    if (story === null) return;
    painter.open(flock.about(), flock.scenery());
    report({
        is: "flying", about: flock.about(), numbers: flock.numbers(), scenery: flock.scenery(), settings,
        camera: painter.camera, text, name: story.name, changed: [...changed],
    });
}

/** Changes the open scenario; if that fails, it is again as it flies. */
function orElseAsBefore(change: () => void): void {
    try {
        change();
    } catch (error) {
        if (story !== null) flock.open(text, story.name);
        for (const [path, value] of changed) flock.set(path, value);
        throw error;
    }
}

/** Builds a scenario; after a failure the flight before goes on. */
function build(next: string, name: string, plain: PlainSettings, keep: boolean): void {
    flock.open(next, name);
    orElseAsBefore(() => flock.fly(toSettings(plain), keep));
    [text, settings] = [next, plain];
    changed.clear();
}

function open(next: Story): void {
    build(next.text, next.name, next.settings, false);
    story = { ...next, actions: [] };
    for (const [step, action] of next.actions) {
        flyTo(step);
        act(action);
    }
    flyTo(next.step);
    announce();
}

function flyTo(step: number): void {
    const now = flock.stats().step;
    if (step > now) flock.step(step - now);
}

/** Carries out an action and keeps it. */
function act(action: Action): void {
    if (story === null) return;
    const step = flock.stats().step;
    switch (action.kind) {
        case "set":
            orElseAsBefore(() => flock.set(action.path, action.value) || flock.fly(toSettings(settings), true));
            changed.set(action.path, action.value);
            break;
        case "rebuild":
            build(action.text, story.name, action.settings, true);
            break;
        case "spawn":
            flock.spawn(action.species, action.positions, action.velocities);
            break;
        case "obstacle":
            flock.addObstacle(action);
            break;
        case "path":
            flock.addPath(action.species, action.points, action.radius);
            break;
        case "pull":
            flock.pull(action.place, action.radius, action.weight);
            break;
    }
    story.actions.push([step, action]);
}

function currentStory(): Story | null {
    return story === null ? null : { ...story, step: flock.stats().step };
}

function answer(what: Question): unknown {
    switch (what) {
        case "hash":
            return flock.hash();
        case "story":
            return currentStory();
        case "state":
            return flock.save();
        case "picture":
            return painter.picture();
        case "schema":
            return flock.schema();
        case "metrics":
            return flock.about().species.map((_, i) => flock.measure(i));
        case "numbers":
            return flock.numbers();
    }
}

/* ---- frames ------------------------------------------------------------------------------------------------------------ */

function frame(now: number): void {
    waiting = false;
    if (story === null) return;
    try {
        if (playing) flock.step();
        const before = performance.now();
        painter.draw(flock);
        tell(now, performance.now() - before);
    } catch (error) {
        playing = false;
        fail(error, "step");
    }
    if (playing) wait();
}

/** Tells of a frame some ten times a second. */
function tell(now: number, msDraw: number): void {
    frames++;
    if (playing && now - reported < 100) return;
    report({ is: "frame", stats: flock.stats(), framesPerSecond: (1000 * frames) / (now - reported), msDraw, playing });
    reported = now;
    frames = 0;
}

function wait(): void {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(frame);
}

async function obey(command: Command): Promise<void> {
    switch (command.do) {
        case "start":
            await start(command.canvas, command.threads, command.base);
            break;
        case "open":
            open(command.story);
            break;
        case "act":
            act(command.action);
            if (command.action.kind === "rebuild") announce();
            break;
        case "play":
            playing = command.on;
            break;
        case "step":
            flock.step();
            break;
        case "restart":
            if (story !== null) open({ ...story, settings: command.settings ?? story.settings, actions: [], step: 0 });
            break;
        case "look":
            painter.look = { ...painter.look, ...command.look };
            break;
        case "camera":
            painter.camera = { ...painter.camera, ...command.camera };
            break;
        case "resize":
            painter.resize(command.width, command.height, command.ratio);
            break;
        case "find":
            report({ is: "found", agent: painter.find(flock, command.x, command.y) });
            break;
        case "ask":
            report({ is: "answer", id: command.id, value: (await answer(command.what)) as string });
            break;
    }
    if (flock) wait();
}

// One after another: what comes while the engine loads waits.
let turn: Promise<void> = Promise.resolve();
self.onmessage = (event: MessageEvent<Command>) => {
    turn = turn.then(() => obey(event.data)).catch((error) => {
        fail(error, event.data.do);
        if (event.data.do === "act") announce(); // what the page shows follows the flight
    });
};
