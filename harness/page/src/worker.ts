// SPDX-License-Identifier: MIT
// The worker: engine and drawing on one thread, so that no other thread reads what the engine writes and the page's own thread never waits.
import { Flock, FlockError, type Settings } from "./flock";
import { compile, type CreateModule, makeSingle, makeThreaded, type Module } from "./module";
import { Painter } from "./paint/painter";
import { proofStep } from "./protocol";
import type { Action, Command, Frame, Mistake, PlainSettings, Proof, Question, Report, Story } from "./protocol";

declare const self: DedicatedWorkerGlobalScope & { createDunlin: CreateModule };

let flock: Flock;
let painter: Painter;
let story: Story | null = null; // its step is not kept up to date; see currentStory()
let text = ""; // the scenario's as it runs, but for `changed`
const changed = new Map<string, number>(); // numbers set since the text came
let settings: PlainSettings = {}; // as it runs
let playing = false;
let pace = 1; // steps per frame
let due = 0; // steps that were not taken yet
let watched: Story | null = null; // runs as it was shared
let proof: Proof | null = null; // the simulation's last
let acts = 0; // of the page
let repeating = false; // a story is; nothing is drawn meanwhile
let stopped = false; // it must end where it is
let toOpen = 0; // stories that wait for their turn
let simulation = 0; // stories opened so far
const files = new Map<string, Uint8Array>(); // what was dropped on the page
let waiting = false; // a frame is asked for
let resting = false; // the page is hidden
let screen = { width: 0, height: 0, ratio: 1 }; // CSS pixels, and pixels of the screen for each
let msSteps = 0; // of the last frame
let strain = 0; // reports in a row of frames that come slowly because of the picture
let reported = 0; // when the last frame was reported, in ms
let frames = 0; // since then
let threadsAllowed = 1;
const lostGraphics = "the browser has taken the graphics away (its WebGL2 context); the simulation continues, and is drawn again once they are back";

function report(message: Report): void {
    self.postMessage(message);
}

function fail(error: unknown, during: string): void {
    const message = error instanceof Error ? error.message : String(error);
    report({ is: "failed", message, line: error instanceof FlockError ? error.line : 0, during });
}

/** keep: the agents are those that there are. */
function toSettings({ seed, agents, init, ...rest }: PlainSettings, keep: boolean): Settings {
    const threads = Math.min(rest.threads ?? threadsAllowed, threadsAllowed);
    const start = keep ? {} : { ...(agents === undefined ? {} : { agents }), ...(init === undefined ? {} : { init }) };
    return { ...rest, ...start, threads, ...(seed === undefined ? {} : { seed: BigInt(seed) }) };
}

/* ---- commands ---------------------------------------------------------------------------------------------------------- */

/** Holds a lock for ever: so the page notices when this worker is no more. Browsers without locks, or storage, notice nothing. */
function showLife(): void {
    const lock = `dunlin ${Math.random()}`;
    const hold = () => new Promise(() => report({ is: "alive", lock }));
    void navigator.locks?.request(lock, hold).catch(() => {});
}

async function loadModule(threads: number, base: string): Promise<Module> {
    const locateFile = (name: string) => new URL(name, base).href;
    const stem = threads > 1 ? "dunlin-threads" : "dunlin";
    const compiled = compile(locateFile(`${stem}.wasm`)); // while the script comes
    self.importScripts(locateFile(`${stem}.js`));
    if (threads === 1) return makeSingle(self.createDunlin, { locateFile }, compiled);
    // A thread whose worker is not there yet would never start: while a simulation is built again, the one before has its threads still.
    const helpers = 2 * (threads - 1);
    return makeThreaded(self.createDunlin, { threads: helpers, mainScriptUrlOrBlob: locateFile(`${stem}.js`), locateFile }, compiled);
}

/** Without threads there is another build of the engine. */
async function loadAny(threads: number, base: string, wasm?: Uint8Array): Promise<Module> {
    if (wasm !== undefined) return makeSingle(self.createDunlin, {}, WebAssembly.compile(wasm as BufferSource));
    try {
        threadsAllowed = threads;
        return await loadModule(threads, base);
    } catch (error) {
        if (threads === 1) throw error;
        fail(error, "threads");
        return loadAny(1, base);
    }
}

async function start({ canvas, threads, base, wasm }: Extract<Command, { do: "start" }>): Promise<void> {
    showLife();
    const module = await loadAny(threads, base, wasm);
    painter = new Painter(canvas, wait);
    flock = new Flock(module, threadsAllowed);
    canvas.addEventListener("webglcontextlost", () => fail(lostGraphics, "draw"));
    report({ is: "started", threads: threadsAllowed });
}

function announce(): void {
    if (story === null) return;
    painter.open(flock.about(), flock.scenery());
    report({
        is: "running", simulation, about: flock.about(), numbers: flock.numbers(), scenery: flock.scenery(), settings,
        camera: painter.camera, text, name: story.name, changed: [...changed], acts, proof,
    });
}

/** Changes the open scenario; if that fails, it is again as it runs. */
function orElseAsBefore(change: () => void): void {
    try {
        change();
    } catch (error) {
        if (story !== null) flock.open(text, story.name);
        for (const [path, value] of changed) flock.set(path, value);
        throw error;
    }
}

/** Builds a scenario; after a failure the simulation before continues. */
function build(next: string, name: string, plain: PlainSettings, keep: boolean): void {
    flock.open(next, name);
    orElseAsBefore(() => flock.simulate(toSettings(plain, keep), keep));
    [text, settings] = [next, plain];
    changed.clear();
}

async function open(next: Story, watch = false): Promise<void> {
    toOpen--;
    for (const [name, bytes] of Object.entries(next.files ?? {})) keepFile(name, bytes);
    build(next.text, next.name, next.settings, false);
    simulation++;
    const { files: _, hash: expected = null, ...rest } = next;
    story = { ...rest, actions: [] };
    proof = null;
    watched = watch ? next : null;
    try {
        const whole = !watch && (await repeat(next));
        if (whole && expected !== null) prove(expected);
    } finally {
        announce();
    }
}

/** Repeats a simulation from its beginning. false: it was interrupted. */
async function repeat(next: Story): Promise<boolean> {
    repeating = true;
    stopped = false;
    try {
        for (const [step, action] of next.actions) {
            if (!(await runTo(step, next.step))) return false;
            act(action);
        }
        return await runTo(next.step, next.step);
    } finally {
        repeating = false;
    }
}

/** Runs to a step. Lets messages in ten times a second, and says how far it is. */
async function runTo(step: number, steps: number): Promise<boolean> {
    let reported = performance.now();
    const interrupted = () => stopped || toOpen > 0;
    for (let now = flock.stats().step; now < step && !interrupted(); now++) {
        advance();
        if (performance.now() - reported < 100) continue;
        report({ is: "repeating", step: now + 1, steps });
        await new Promise((resolve) => setTimeout(resolve));
        reported = performance.now();
    }
    return !interrupted();
}

/** Takes one step. */
function advance(): void {
    if (watched !== null) actAsWatched(watched);
    flock.step();
    if (watched?.step === flock.stats().step) endWatching(watched);
    if (flock.stats().step === proofStep) prove(null);
}

/** What was done at this step before the simulation was shared. */
function actAsWatched({ actions }: Story): void {
    const step = flock.stats().step;
    for (const [, action] of actions.filter(([at]) => at === step)) {
        act(action);
        if (action.kind === "rebuild") announce();
    }
}

/** The simulation waits where it was shared. */
function endWatching({ hash }: Story): void {
    watched = null;
    playing = false;
    if (hash !== undefined) prove(hash);
}

/** Reports the state's hash. */
function prove(expected: string | null): void {
    const { agents, seed, index, init } = settings;
    const chosen = [agents, seed, index, init].some((setting) => setting !== undefined);
    const pristine = !chosen && story !== null && story.actions.length === 0;
    proof = { step: flock.stats().step, hash: flock.hash(), expected, pristine };
    if (!repeating) report({ is: "proof", proof }); // else the page does not know yet what runs; announce() says
}

function keepFile(name: string, bytes: Uint8Array): void {
    flock.write(name, bytes);
    files.set(name, bytes);
}

/** Carries out an action and keeps it. */
function act(action: Action): void {
    if (story === null) return;
    const step = flock.stats().step;
    switch (action.kind) {
        case "set":
            orElseAsBefore(() => flock.set(action.path, action.value) || flock.simulate(toSettings(settings, true), true));
            changed.set(action.path, action.value);
            break;
        case "rebuild":
            build(action.text, story.name, action.settings, true);
            break;
        case "spawn":
            flock.spawn(action.species, action.positions, action.velocities);
            break;
        case "obstacle":
            flock.addObstacle({ shape: action.shape, a: action.a, b: action.b, radius: action.radius });
            break;
        case "path":
            flock.addPath(action.species, action.points, action.radius);
            break;
        case "paint":
            flock.paintField(action.field, action.from, action.to, action.radius);
            break;
        case "pull":
            flock.pull(action.place, action.radius, action.weight);
            break;
        default:
            throw new Error(`this page knows no action "${(action as { kind: string }).kind}"`);
    }
    story.actions.push([step, action]);
}

function currentStory(): Story | null {
    if (story === null) return null;
    const actions = story.actions.map(([, action]) => action);
    const texts = [story.text, ...actions.map((action) => (action.kind === "rebuild" ? action.text : ""))];
    const named = [...files].filter(([name]) => name === story?.settings.init || texts.some((one) => one.includes(name)));
    return {
        ...story, step: flock.stats().step, hash: flock.hash(),
        ...(named.length > 0 ? { files: Object.fromEntries(named) } : {}),
    };
}

/** Checks the text of a scenario; the simulation continues. */
function check(next: string): Mistake | null {
    const mistake = flock.mistake(next, story?.name);
    return mistake === null ? null : { message: mistake.message, line: mistake.line };
}

function answer(what: Question): unknown {
    if (typeof what === "object") return check(what.check);
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
            return { step: flock.stats().step, species: flock.about().species.map((_, i) => flock.measure(i)) };
        case "numbers":
            return flock.numbers();
    }
}

async function reply(id: number, what: Question): Promise<void> {
    try {
        if (!flock) throw new Error("the engine did not start");
        report({ is: "answer", id, value: (await answer(what)) as string });
    } catch (error) {
        report({ is: "answer", id, error: (error as Error).message });
    }
}

/* ---- frames ------------------------------------------------------------------------------------------------------------ */

function frame(now: number): void {
    waiting = false;
    if (story === null || repeating || resting) return;
    try {
        if (playing) advanceFrame();
        const before = performance.now();
        painter.draw(flock);
        tell(now, performance.now() - before);
    } catch (error) {
        playing = false;
        fail(error, "step");
    }
    if (playing) wait();
}

const fewestFrames = 30; // per second
const longestFrame = 25; // ms of steps, so that so many frames are left

/** Takes the steps of a frame; of several, as many as there is time for. */
function advanceFrame(): void {
    const begun = performance.now();
    msSteps = 0;
    for (due += pace; due >= 1; due--) {
        if (performance.now() - begun > longestFrame) due = 1;
        advance();
    }
    msSteps = performance.now() - begun;
}

/** Where the picture, not the flock, takes too long, it goes without what costs most and is missed least. */
function spare(framesPerSecond: number): Frame["spared"] {
    strain = playing && framesPerSecond < fewestFrames && msSteps < longestFrame / 2 ? strain + 1 : 0;
    if (strain < 10) return null;
    strain = 0;
    if (painter.look.trails) {
        painter.look = { ...painter.look, trails: false };
        return "trails";
    }
    if (screen.ratio <= 1) return null;
    screen.ratio = 1;
    painter.resize(screen.width, screen.height, 1);
    return "resolution";
}

/** Reports a frame some ten times a second. */
function tell(now: number, msDraw: number): void {
    frames++;
    if (playing && now - reported < 100) return;
    const framesPerSecond = (1000 * frames) / (now - reported);
    const spared = spare(framesPerSecond);
    report({ is: "frame", stats: flock.stats(), framesPerSecond, msDraw, playing, spared, ranges: painter.ranges });
    reported = now;
    frames = 0;
}

function wait(): void {
    if (waiting || resting) return;
    waiting = true;
    requestAnimationFrame(frame);
}

async function obey(command: Command): Promise<void> {
    if (!flock && command.do !== "start" && command.do !== "ask") return; // the start has failed, and said so
    switch (command.do) {
        case "start":
            await start(command);
            break;
        case "open":
            await open(command.story, command.watch);
            break;
        case "act":
            acts++;
            if ((command.simulation ?? simulation) !== simulation) break; // meant for the simulation before
            watched = null; // from here on it is another simulation
            act(command.action);
            if (command.action.kind === "rebuild") announce();
            break;
        case "play":
            playing = command.on;
            break;
        case "step":
            advance();
            break;
        case "pace":
            [pace, due] = [command.steps, 0];
            break;
        case "stop repeating":
            break; // see onmessage
        case "file":
            keepFile(command.name, command.bytes);
            break;
        case "look":
            painter.look = { ...painter.look, ...command.look };
            break;
        case "camera":
            painter.camera = { ...painter.camera, ...command.camera };
            break;
        case "rest":
            resting = command.on;
            break;
        case "resize":
            screen = command;
            painter.resize(command.width, command.height, command.ratio);
            break;
        case "find":
            report({ is: "found", agent: painter.find(flock, command.x, command.y) });
            break;
        case "ask":
            await reply(command.id, command.what);
            break;
    }
    if (flock) wait();
}

// One after another: what comes while the engine loads waits.
let turn: Promise<void> = Promise.resolve();
self.onmessage = (event: MessageEvent<Command>) => {
    // These do not wait for a long story.
    if (event.data.do === "stop repeating") stopped = true;
    if (event.data.do === "open") toOpen++;
    turn = turn.then(() => obey(event.data)).catch((error) => {
        fail(error, event.data.do);
        if (event.data.do === "act") announce(); // what the page shows follows the simulation
    }).catch((error) => fail(error, event.data.do));
};
