// SPDX-License-Identifier: MIT
// The npm package in one file, with the WebAssembly inside: for pages and tools that can load no other file. It has one thread.
import createPlain from "./dunlin.mjs";
import wasmBinary from "./dunlin.wasm";
import { Dunlin, type LoadOptions } from "./engine";
import { moduleFor } from "./loading";

export * from "./engine";

/** Loads the engine, on one thread. */
export async function load(options: LoadOptions = {}): Promise<Dunlin> {
    const { threads } = moduleFor(options);
    if (threads > 1) throw new RangeError(`threads is ${threads}: it must be 1 in dunlin/compat, which has no file for threads; import dunlin instead`);
    return new Dunlin(await createPlain({ wasmBinary }), 1);
}
