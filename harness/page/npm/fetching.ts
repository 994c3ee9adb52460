// SPDX-License-Identifier: MIT
// Where the package's WebAssembly is found in a browser.

import { checkWasm, isWasm } from "./loading";

/** Addresses of files that belong together. */
export interface Place {
    wasm: string;
    worker: string;
}

/** What load() takes for the WebAssembly: its address, or its bytes. */
export type Wasm = string | URL | ArrayBuffer | Uint8Array;

/** The bytes at an address, or why there are none: a server may answer with a page of its own to any address. */
async function fetchOne(address: string): Promise<Uint8Array | string> {
    try {
        const response = await fetch(address);
        if (!response.ok) return `${response.status} ${response.statusText}`.trim();
        const bytes = new Uint8Array(await response.arrayBuffer());
        return isWasm(bytes) ? bytes : `the server answers with ${response.headers.get("content-type") ?? "something else"}`;
    } catch (error) {
        return String(error);
    }
}

/** The WebAssembly that was given, or that of the first place that has it. */
export async function fetchWasm(places: Place[], given?: Wasm): Promise<{ bytes: Uint8Array; worker: string }> {
    if (given !== undefined && typeof given !== "string" && !(given instanceof URL))
        return { bytes: checkWasm(given, given), worker: places[0].worker };
    const tried = given === undefined ? places : [{ ...places[0], wasm: String(given) }];
    const reasons: string[] = [];
    for (const { wasm, worker } of tried) {
        const bytes = await fetchOne(wasm);
        if (typeof bytes !== "string") return { bytes, worker };
        reasons.push(bytes);
    }
    throw new Error(`there is no WebAssembly at ${tried[0].wasm} (${reasons[0]}): serve the package's file there, ` +
        "say where it is with load({ wasm }), or import dunlin/compat, which has it inside");
}
