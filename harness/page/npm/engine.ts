// SPDX-License-Identifier: MIT
// The npm package `dunlin`: what node.ts and browser.ts share.
import { options as checkOptions, shown } from "../src/arguments";
import { closeModule, settingNames, type Settings, writeFile } from "../src/flock";
import { checkValues, Flock, jsonOf, type Values } from "./whole_flock";
import type { Module } from "../src/module";
import type { Wasm } from "./fetching";

export { FlockError } from "../src/flock";
export { Flock } from "./whole_flock";
export { BehaviourKind, Boundary, ObstacleShape, TargetKind } from "./constants";
export type { Behaviour, Tile } from "./behaving";
export type { EventKind, FlockEvent, Listener, Near, Values } from "./whole_flock";
export type { Instances, Layout } from "./layout";
export type { Wasm } from "./fetching";
export type { Agent, About, BehaviourShape, FieldView, Metrics, Obstacle, Path, Quantity, Scenery, Schema, Settings, Shape, Sight, SightRule, Species, SpeciesLook, Stats, View } from "../src/flock";

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
    /** Values that replace those of the scenario, by their paths: { "world.boundary": "reflect", "species[0].max_speed": 2 }. */
    set?: Values;
}

/** A scenario as an object, with the fields of the format. */
export interface Scenario {
    [field: string]: unknown;
}

/** The engine, ready to run flocks. */
export class Dunlin {
    constructor(private readonly module: Module, readonly threads: number) {}

    /** Opens a scenario, a text or an object, and builds its flock. Throws a FlockError that names the line, the field and what is allowed. */
    open(scenario: string | Scenario, options: OpenOptions = {}): Flock {
        const { name, set, ...settings } = checkOptions<OpenOptions>("options", options, [...settingNames, "name", "set"]);
        const text = Object.prototype.toString.call(scenario) === "[object Object]" ? jsonOf("scenario", scenario) : (scenario as string);
        if (typeof text !== "string") throw new TypeError(`scenario is ${shown(text)}: it must be a text or an object`);
        if (set !== undefined) checkValues("set", set);
        const flock = new Flock(this.module, this.threads);
        try {
            flock.open(text, name);
            if (set !== undefined) flock.setValues(set);
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

    [Symbol.dispose](): void {
        this.close();
    }
}
