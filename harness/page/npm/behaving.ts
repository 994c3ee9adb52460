// SPDX-License-Identifier: MIT
// Behaviours that are functions of JavaScript: the engine calls Module.behave with a number and a tile.
import { number, place, whole } from "../src/arguments";
import { FlockError } from "../src/flock";
import type { Module } from "../src/module";

/**
 * Consecutive agents of a species before a step, and what a behaviour may write for them, valid during the call only: dunlin_tile of the
 * C API. What is written for an agent may depend on that agent, on the step and on what the caller keeps, and not on other agents of the tile.
 */
export interface Tile {
    species: number;
    count: number;
    /** Steps taken before this one. */
    step: number;
    position: Float32Array[];
    velocity: Float32Array[];
    id: Uint32Array;
    attribute: (Float32Array | null)[];
    /** By axis, velocity per time unit: add to it. */
    force: Float32Array[];
    /** The attributes after this step; null: this attribute is not there, or none that changes. */
    nextAttribute: (Float32Array | null)[];
    /** 1: the agent dies at the end of the step. */
    dies: Uint8Array;
    /** Lets an agent of the tile have a child, which is there after the step. */
    spawn(parent: number, species: number, position: ArrayLike<number>, velocity: ArrayLike<number>): void;
    /** Four random numbers of an agent, evenly from 0 to 1, the same on every machine. They follow from seed, id, step and stream. */
    random(agent: number, stream?: number): Float32Array;
}

/** What agents of a species do by themselves, called for each tile of every step. */
export type Behaviour = (tile: Tile) => void;

const scripts = new Map<number, (address: number) => void>();
let last = 0;

/** Makes a function callable by the number that is returned. */
export function addScript(module: Module, call: (address: number) => void): number {
    module.behave ??= (script, address) => scripts.get(script)?.(address);
    scripts.set(++last, call);
    return last;
}

export function removeScript(script: number): void {
    scripts.delete(script);
}

/** What the methods of a tile need of its flock. */
export interface Host {
    module: Module;
    self: number;
    dimensions: number;
    withFloats(arrays: ArrayLike<number>[], call: (...addresses: number[]) => number): number;
    message(): string;
}

const [maxAxes, maxAttributes] = [3, 8];

/** The tile at an address: see struct dunlin_tile. */
export function tileAt(host: Host, address: number): Tile {
    const { module, self, dimensions } = host;
    const words = module.HEAPU32.slice(address >>> 2, (address >>> 2) + 32);
    const count = words[1];
    const floats = (word: number, most: number) => Array.from(words.subarray(word, word + most),
        (at) => (at === 0 ? null : module.HEAPF32.subarray(at >>> 2, (at >>> 2) + count)));
    const axes = (word: number) => floats(word, maxAxes).slice(0, dimensions) as Float32Array[];
    const agent = (name: string, value: unknown) => whole(name, value, count - 1);
    return {
        species: words[0], count,
        step: words[30] + 2 ** 32 * words[31],
        position: axes(2), velocity: axes(5),
        id: module.HEAPU32.subarray(words[8] >>> 2, (words[8] >>> 2) + count),
        attribute: floats(9, maxAttributes), nextAttribute: floats(17, maxAttributes),
        force: axes(25),
        dies: module.HEAPU8.subarray(words[28], words[28] + count),
        spawn(parent, species, position, velocity) {
            const places = Object.entries({ position, velocity }).map(([name, value]) => place(name, value, dimensions));
            const result = host.withFloats(places, (p, v) =>
                module._page_bear(self, address, agent("parent", parent), whole("species", species), p, v));
            if (result !== 0) throw new FlockError(host.message());
        },
        random(one, stream = 0) {
            const numbers = new Float32Array(4);
            host.withFloats([numbers], (at) => {
                module._page_draw(self, address, agent("agent", one), whole("stream", number("stream", stream), 2 ** 24 - 1), at);
                numbers.set(module.HEAPF32.subarray(at >>> 2, (at >>> 2) + 4));
                return 0;
            });
            return numbers;
        },
    };
}
