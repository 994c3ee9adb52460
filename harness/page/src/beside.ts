// SPDX-License-Identifier: MIT
// Files beside the page. A page without an origin of its own (in a frame that is a sandbox, or opened from a disk) may load scripts and
// pictures only: there all other files come from one script, flock.js.
import { make } from "./dom";

/** What flock.js has inside. */
export interface Inside {
    worker: string;
    wasm: Uint8Array;
    files: Record<string, string>;
}

declare global {
    var dunlinInside: Inside | undefined;
}

export const hasNoOrigin = globalThis.origin === "null";
let inside: Promise<Inside> | null = null;

export function loadInside(): Promise<Inside> {
    if (globalThis.dunlinInside !== undefined) return Promise.resolve(globalThis.dunlinInside); // another script has loaded it
    inside ??= new Promise((resolve, reject) => document.head.append(make("script", {
        src: "flock.js",
        onload: () => resolve(globalThis.dunlinInside!),
        onerror: () => reject(new Error("flock.js is missing or cannot be loaded")),
    })));
    return inside;
}

/** An address of a script's text. */
export function addressOf(script: string): string {
    return URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
}

/** The address of a script beside the page. */
export async function scriptBeside(path: string): Promise<string> {
    return hasNoOrigin ? addressOf((await loadInside()).files[path]) : new URL(path, location.href).href;
}

/** A file beside the page, or an error that says why there is none. */
export async function beside(path: string): Promise<Response> {
    const text = hasNoOrigin ? (await loadInside()).files[path] : undefined;
    if (text !== undefined) return new Response(text);
    const response = await fetch(path);
    if (!response.ok) throw new Error(`${path} is not there (${response.status})`);
    return response;
}
