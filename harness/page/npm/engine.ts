// SPDX-License-Identifier: MIT
// The npm package `dunlin`: what node.ts and browser.ts share.
import { Flock, type Settings } from "../src/flock";
import type { CreateModule, Module } from "../src/module";

export { Flock, FlockError } from "../src/flock";
export type { About, FieldView, Metrics, Obstacle, Path, Quantity, Scenery, Schema, Settings, Species, Stats, View } from "../src/flock";

export interface LoadOptions {
    /** Threads that step a flock, 1 to 32, the caller's own included. Browsers allow more than one only to pages that are cross-origin isolated. */
    threads?: number;
}

export interface OpenOptions extends Settings {
    /** The scenario's name in messages. */
    name?: string;
}

/** The engine, ready to fly flocks. */
export class Dunlin {
    constructor(private readonly module: Module, readonly threads: number) {}

    /** Opens the text of a scenario and builds its flock. Throws a FlockError that names the line, the field and what is allowed. */
    open(text: string, options: OpenOptions = {}): Flock {
        const { name, ...settings } = options;
        const flock = new Flock(this.module);
        try {
            flock.open(text, name);
            flock.fly({ threads: this.threads, ...settings });
        } catch (error) {
            flock.destroy();
            throw error;
        }
        return flock;
    }

    /** Lays down a file that scenarios refer to, such as a picture of a field. */
    writeFile(name: string, bytes: Uint8Array | string): void {
        this.module.FS.writeFile(name, bytes);
    }

    /** Ends the engine's threads. Neither it nor its flocks may be used afterwards. */
    close(): void {
        this.module.PThread?.terminateAllThreads();
    }
}

/** The module's name and its options for this many threads. */
export function moduleFor(threads: number): { name: string; threads: number } {
    if (!Number.isInteger(threads) || threads < 1 || threads > 32)
        throw new RangeError(`threads is ${threads}: it must be a whole number from 1 to 32`);
    // While a flock is built anew, the threads of the one before may still be there.
    return { name: threads > 1 ? "dunlin-threads" : "dunlin", threads: 2 * (threads - 1) };
}

export async function start(create: CreateModule, options: Parameters<CreateModule>[0], threads: number): Promise<Dunlin> {
    return new Dunlin(await create(options), threads);
}
