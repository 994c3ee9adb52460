// SPDX-License-Identifier: MIT
// The npm package in the browser.
import { makeSingle, makeThreaded } from "../src/module";
import createPlain from "./dunlin.mjs";
import createThreaded from "./dunlin-threads.mjs";
import { Dunlin, type LoadOptions } from "./engine";
import { fetchWasm, type Place } from "./fetching";
import { moduleFor } from "./loading";

export * from "./engine";

// Written out in full, so that bundlers find the files.
const plain: Place = { wasm: new URL("./dunlin.wasm", import.meta.url).href, worker: "" };
const threaded: Place = {
    wasm: new URL("./dunlin-threads.wasm", import.meta.url).href,
    worker: new URL("./dunlin-threads.web.js", import.meta.url).href,
};
// Vite's development server moves this script to node_modules/.vite/deps/, and leaves the other files where they were. No bundler may
// understand this address: of `new URL(…, import.meta.url)` with a variable they make imports of whole folders, or a failed build.
const vite = /^(.*)\/\.vite\/deps[^/]*\//.exec(import.meta.url);

function placesOf(place: Place, module: string): Place[] {
    if (vite === null) return [place];
    const moved = `${vite[1]}/dunlin/${module}`;
    return [{ wasm: `${moved}.wasm`, worker: `${moved}.web.js` }, place];
}

/** Loads the engine. */
export async function load(options: LoadOptions = {}): Promise<Dunlin> {
    const { threads, name, workers, wasm, worker } = moduleFor(options);
    if (threads > 1 && !globalThis.crossOriginIsolated)
        throw new Error("more than one thread needs a page that is cross-origin isolated (headers COOP and COEP)");
    const found = await fetchWasm(placesOf(threads > 1 ? threaded : plain, name), wasm);
    const module = WebAssembly.compile(found.bytes as BufferSource);
    if (threads === 1) return new Dunlin(await makeSingle(createPlain, {}, module), threads);
    const thread = new URL(worker ?? found.worker, globalThis.location.href).href;
    const files = { threads: workers, locateFile: () => thread, mainScriptUrlOrBlob: thread };
    return new Dunlin(await makeThreaded(createThreaded, files, module), threads);
}
