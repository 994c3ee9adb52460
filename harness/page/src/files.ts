// SPDX-License-Identifier: MIT
// Files that are opened by hand: scenarios, states, simulations, and what scenarios name.
import type { App } from "./app";
import { grouped, make } from "./dom";
import { inCourse, showAddress } from "./kept";
import type { Story } from "./protocol";
import { readStory } from "./story";

const MiB = 1 << 20;
const largest = { scenario: MiB, state: 256 * MiB, checkpoint: 256 * MiB, simulation: 256 * MiB, named: 64 * MiB };
type What = keyof typeof largest;

/** What a scenario names has to be there before the scenario. */
const order: What[] = ["named", "scenario", "state", "checkpoint", "simulation"];

async function whatIs(file: File): Promise<What> {
    if ((await file.slice(0, 6).text()) === "dunrun") return "checkpoint";
    const ending = /[^.]*$/.exec(file.name.toLowerCase())?.[0] ?? "";
    if (ending === "yaml" || ending === "yml") return "scenario";
    if (ending === "json") return "simulation";
    if (ending === "png") return pngKind(file);
    if (pictures.test(file.name)) return "named";
    if (ending === "csv") return csvKind(file);
    throw new Error("the page opens scenarios (.yaml), states (.csv), simulations (.json), checkpoints, and the pictures and .csv files that scenarios name");
}

/** Browsers read these, and scenarios only PNG. */
const pictures = /\.(png|jpe?g|webp|gif|bmp|avif)$/i;

/** The file; a picture as a PNG. */
async function asNamed(file: File): Promise<File> {
    if (!pictures.test(file.name) || /\.png$/i.test(file.name)) return file;
    const bitmap = await createImageBitmap(file).catch(() => {
        throw new Error("the browser cannot read this picture");
    });
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext("2d")!.drawImage(bitmap, 0, 0);
    return new File([await canvas.convertToBlob()], file.name.replace(pictures, ".png"));
}

async function pngKind(file: File): Promise<What> {
    const begin = String.fromCharCode(...new Uint8Array(await file.slice(0, 8).arrayBuffer()));
    if (begin === "\x89PNG\r\n\x1a\n" || file.size === 0) return "named";
    throw new Error("the file is no PNG");
}

/** Agents begin with a comment that says so, and the vectors of a field with the names of their columns. */
async function csvKind(file: File): Promise<What> {
    const [line] = (await file.slice(0, 100).text()).split(/\r?\n/);
    if (line.startsWith("# dunlin state")) return "state";
    if (/^vx,vy(,vz)?$/.test(line) || file.size === 0) return "named";
    throw new Error(`its first line is ${JSON.stringify(line)}: agents begin with "# dunlin state 1", and the vectors of a field with "vx,vy" or "vx,vy,vz"`);
}

function inWords(bytes: number): string {
    return bytes < MiB ? `${Math.ceil(bytes / 1024)} KiB` : `${Math.round(bytes / MiB)} MiB`;
}

/** Lets the visitor choose a picture, and adds it as a field. */
export function choosePicture(app: App): void {
    const input = make("input", { type: "file", accept: "image/*" });
    input.onchange = () => void addPicture(app, input.files![0]).catch((error) => app.complain(`${input.files![0].name}: ${error.message}`, "file"));
    input.click();
}

async function addPicture(app: App, chosen: File): Promise<void> {
    await sort(chosen);
    const file = await asNamed(chosen);
    app.tell({ do: "file", name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
    app.addPicture(file.name);
}

async function sort(file: File): Promise<What> {
    const what = await whatIs(file);
    if (file.size === 0) throw new Error("the file is empty");
    if (file.size > largest[what]) throw new Error(`the file has ${inWords(file.size)}; the page opens up to ${inWords(largest[what])}`);
    return what;
}

/** Repeats a simulation. One that is at its beginning runs on; any other waits, in the state that it was shared in. */
export function openStory(app: App, story: Story): void {
    app.tell({ do: "play", on: false });
    app.openStory(story);
    if (story.step === 0) return app.tell({ do: "play", on: true });
    const watch = () => {
        app.openStory(story, true);
        app.tell({ do: "play", on: true });
    };
    app.say(`This run was shared at step ${grouped(story.step)}.`, { label: "Watch from the beginning", act: watch });
}

/** The path and the text of the scenario that a checkpoint begins with: see engine/base/sections.h. The engine checks the rest. */
function scenarioIn(checkpoint: Uint8Array): string[] {
    const numbers = new DataView(checkpoint.buffer, checkpoint.byteOffset);
    let at = 8;
    return [0, 1].map(() => {
        if (at + 32 > checkpoint.length) throw new Error("the checkpoint is cut short");
        const begin = at + 32;
        at = begin + Number(numbers.getBigUint64(at + 8, true));
        return new TextDecoder().decode(checkpoint.subarray(begin, at));
    });
}

/** Continues from a checkpoint. */
export function openCheckpoint(app: App, name: string, bytes: Uint8Array): void {
    const [path, text] = scenarioIn(bytes);
    app.tell({ do: "file", name, bytes });
    app.open(text, path.replace(/.*\//, ""), { init: name });
    app.tell({ do: "play", on: true });
}

/** Opens files for an App. */
export class Opener {
    /** A scenario that could not be opened; it may lack a file that comes later. */
    private waiting: File | null = null;
    private opening: File | null = null;

    constructor(private readonly app: App) {
        app.on("running", () => {
            if (this.opening !== null) app.tell({ do: "play", on: true });
            this.settle(null);
        });
        app.on("failed", ({ during }) => {
            if (during === "open") this.settle(this.opening);
        });
    }

    /** Opens files that came together. Of each that cannot be opened a message says why. */
    async open(files: Iterable<File>): Promise<void> {
        const sorted: { file: File; what: What }[] = [];
        for (const file of files) await this.try(file, async () => {
            const what = await sort(file);
            sorted.push({ file: what === "named" ? await asNamed(file) : file, what });
        });
        sorted.sort((a, b) => order.indexOf(a.what) - order.indexOf(b.what));
        for (const { file, what } of sorted) await this.try(file, () => this.openOne(file, what));
        const named = sorted.filter(({ what }) => what === "named").map(({ file }) => file);
        if (named.length > 0 && named.length === sorted.length) await this.useNamed(named);
    }

    private async try(file: File, act: () => Promise<void>): Promise<void> {
        await act().catch((error) => {
            const reason = error.name === "NotReadableError" || error.name === "NotFoundError" ? "it cannot be read" : error.message;
            this.app.complain(`${file.name}: ${reason}`, "file");
        });
    }

    private async openOne(file: File, what: What): Promise<void> {
        if (what === "simulation") return this.openSimulation(file);
        if (what === "scenario") return this.openScenario(file);
        const bytes = new Uint8Array(await file.arrayBuffer());
        if (what === "state") this.openState(file.name, bytes);
        else if (what === "checkpoint") openCheckpoint(this.app, file.name, bytes);
        else for (const name of await this.namesOf(file.name)) this.app.tell({ do: "file", name, bytes });
    }

    /** What the texts that may lack the file call it: some put it into a folder. */
    private async namesOf(name: string): Promise<string[]> {
        const texts = [(await this.waiting?.text()) ?? "", this.app.draft ?? "", this.app.text];
        const inFolders = new RegExp(`[\\w.-]+(?:/[\\w.-]+)*/${name.replace(/[^\w]/g, "\\$&")}(?![\\w.])`, "g");
        return [name, ...texts.flatMap((text) => text.match(inFolders) ?? [])];
    }

    private async openScenario(file: File): Promise<void> {
        const text = await file.text();
        showAddress(inCourse(location.pathname));
        this.opening = file;
        this.app.open(text, file.name);
    }

    private async openSimulation(file: File): Promise<void> {
        const text = await file.text();
        try {
            openStory(this.app, readStory(text));
        } catch {
            throw new Error("this is no simulation that the page has saved, or a part of it is missing");
        }
    }

    /** The scenario that runs begins again with the state's agents, and its seed: so the simulation continues as it would have. */
    private openState(name: string, bytes: Uint8Array): void {
        const { running } = this.app;
        if (running === null) throw new Error("a scenario has to be opened first");
        const seed = /^# seed (\d+)$/m.exec(new TextDecoder().decode(bytes.subarray(0, 200)))?.[1];
        const { agents: _, ...settings } = running.settings;
        this.app.tell({ do: "file", name, bytes });
        this.app.open(this.app.text, running.name, { ...settings, init: name, ...(seed === undefined ? {} : { seed }) });
    }

    /** Files that a scenario names came without one. */
    private async useNamed(files: File[]): Promise<void> {
        if (this.waiting !== null) return this.openScenario(this.waiting);
        for (const text of [this.app.draft ?? "", this.app.text])
            if (files.some(({ name }) => text.includes(name))) return this.app.edit(text);
        const picture = files.find(({ name }) => /\.png$/i.test(name));
        if (picture !== undefined)
            return this.app.say(`${picture.name}: no scenario here names this picture.`, { label: "Add it as a field", act: () => this.app.addPicture(picture.name) });
        this.app.complain(`${files.map(({ name }) => name).join(", ")}: kept for scenarios that name it; the one that runs does not.`, "file");
    }

    private settle(waiting: File | null): void {
        this.waiting = waiting;
        this.opening = null;
    }
}
