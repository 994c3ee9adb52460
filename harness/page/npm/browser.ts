// SPDX-License-Identifier: MIT
// The npm package in the browser.
import { compile, type CreateModule, makeThreaded } from "../src/module";
import { Dunlin, type LoadOptions } from "./engine";
import { moduleFor } from "./loading";

export * from "./engine";

// Written out in full, so that bundlers find the files.
const plain = { "dunlin.wasm": new URL("./dunlin.wasm", import.meta.url).href };
const threaded = {
    "dunlin-threads.js": new URL("./dunlin-threads.js", import.meta.url).href,
    "dunlin-threads.wasm": new URL("./dunlin-threads.wasm", import.meta.url).href,
    "dunlin-threads.worker.js": new URL("./dunlin-threads.worker.js", import.meta.url).href,
};

/** Loads the engine. */
export async function load(options: LoadOptions = {}): Promise<Dunlin> {
    const { threads, workers } = moduleFor(options);
    if (threads > 1 && !crossOriginIsolated)
        throw new Error("more than one thread needs a page that is cross-origin isolated (headers COOP and COEP)");
    const files: Record<string, string> = threads > 1 ? threaded : plain;
    const { default: create } = (await (threads > 1 ? import("./dunlin-threads.mjs") : import("./dunlin.mjs"))) as { default: CreateModule };
    const locateFile = (name: string) => files[name] ?? name;
    if (threads === 1) return new Dunlin(await create({ locateFile }), threads);
    const threadOptions = { threads: workers, locateFile, mainScriptUrlOrBlob: threaded["dunlin-threads.js"] };
    return new Dunlin(await makeThreaded(create, threadOptions, compile(threaded["dunlin-threads.wasm"])), threads);
}
