// SPDX-License-Identifier: MIT
// What the engine and the drawing need of a browser.
import { make } from "./dom";

/** Why no flock can run here; null: it can. */
export function whatIsMissing(): string | null {
    if (typeof WebAssembly !== "object") return "WebAssembly";
    // The shortest module that holds a SIMD instruction: i8x16.splat of a constant, then popcnt.
    const simd = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);
    if (!WebAssembly.validate(simd)) return "SIMD in WebAssembly";
    if (typeof OffscreenCanvas !== "function") return "OffscreenCanvas";
    if (new OffscreenCanvas(1, 1).getContext("webgl2") === null) return "WebGL2";
    return null;
}

export function inWords(missing: string): string {
    return `This browser has no ${missing}, which the flock needs. A current Firefox, Chrome, Edge or Safari has it.`;
}

/** Says why there is no flock, and shows nothing else, since nothing else works. */
export function giveUp(reason: string): void {
    for (const id of ["hands", "loading", "repeating", "side"]) document.getElementById(id)?.remove();
    document.getElementById("messages")!.append(make("div", { className: "message bad" }, make("div", {}, reason)));
}
