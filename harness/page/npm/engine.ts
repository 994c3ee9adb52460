// SPDX-License-Identifier: MIT
// The npm package `dunlin`: what node.ts and browser.ts share.
import { options as checkOptions } from "../src/arguments";
import { closeModule, Flock, settingNames, type Settings, writeFile } from "../src/flock";
import type { Module } from "../src/module";
import type { Wasm } from "./fetching";

export { Flock, FlockError } from "../src/flock";
export type { Wasm } from "./fetching";
export type { Agent, About, FieldView, Metrics, Obstacle, Path, Quantity, Scenery, Schema, Settings, Shape, Species, SpeciesLook, Stats, View } from "../src/flock";

export interface LoadOptions {
    /** Threads that step a flock, 1 to 32, the caller's own included. Browsers allow more than one only to pages that are cross-origin isolated. */
    threads?: number;
    /** The WebAssembly, or its address, where load() does not find it: dunlin.wasm of the package, or dunlin-threads.wasm for threads. */
    wasm?: Wasm;
    /** The address of dunlin-threads.web.js of the package (in node: dunlin-threads.worker.js), where load() does not find it. */
    worker?: string | URL;
}

export interface OpenOptions extends Settings {
    /** The scenario's name in messages. */
    name?: string;
}

/** The engine, ready to run flocks. */
export class Dunlin {
    constructor(private readonly module: Module, readonly threads: number) {}

    /** Opens the text of a scenario and builds its flock. Throws a FlockError that names the line, the field and what is allowed. */
    open(text: string, options: OpenOptions = {}): Flock {
        const { name, ...settings } = checkOptions<OpenOptions>("options", options, [...settingNames, "name"]);
        const flock = new Flock(this.module, this.threads);
        try {
            flock.open(text, name);
            flock.simulate(settings);
        } catch (error) {
            flock.destroy();
            throw error;
        }
        return flock;
    }

    /** Lays down a file that scenarios refer to, such as a picture of a field. */
    writeFile(name: string, bytes: Uint8Array | string): void {
        writeFile(this.module, name, bytes);
    }

    /** Ends the engine's threads. Whatever it or its flocks are asked for afterwards throws. */
    close(): void {
        closeModule(this.module);
    }
}
