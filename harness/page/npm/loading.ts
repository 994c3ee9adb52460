// SPDX-License-Identifier: MIT
// What all ways of loading the engine check.
import { options, shown, whole } from "../src/arguments";
import type { LoadOptions } from "./engine";

const kinds = ["string", "URL", "ArrayBuffer", "Uint8Array"];

function checkOne(name: string, value: unknown, allowed: string[], what: string): void {
    const kind = typeof value === "object" ? Object.prototype.toString.call(value).slice(8, -1) : typeof value;
    if (value !== undefined && !allowed.includes(kind)) throw new TypeError(`${name} is ${shown(value)}: it must be ${what}`);
}

export const isWasm = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes.subarray(0, 4)) === "\0asm";

/** The bytes, if they are WebAssembly. given: what load() was given. */
export function checkWasm(bytes: ArrayBuffer | Uint8Array, given: unknown): Uint8Array {
    const found = new Uint8Array(bytes as ArrayBuffer);
    if (isWasm(found)) return found;
    throw new RangeError(`options.wasm is ${shown(given)}: it must be the WebAssembly of the package`);
}

interface Order {
    threads: number;
    wasm: LoadOptions["wasm"];
    worker: LoadOptions["worker"];
    /** The module's name. */
    name: "dunlin" | "dunlin-threads";
    /** How many workers it starts beforehand. */
    workers: number;
}

/** What was asked for. */
export function moduleFor(given: LoadOptions): Order {
    const { threads = 1, wasm, worker } = options<LoadOptions>("options", given, ["threads", "wasm", "worker"]);
    whole("threads", threads, 32, 1);
    checkOne("options.wasm", wasm, kinds, "an address, an ArrayBuffer or a Uint8Array");
    checkOne("options.worker", worker, kinds.slice(0, 2), "an address");
    // While a flock is built again, the threads of the one before may still be there.
    return { threads, wasm, worker, name: threads > 1 ? "dunlin-threads" : "dunlin", workers: 2 * (threads - 1) };
}
