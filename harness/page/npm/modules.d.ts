// SPDX-License-Identifier: MIT
// build.mjs makes these of Emscripten's scripts and their WebAssembly.
declare module "*.mjs" {
    const create: import("../src/module").CreateModule;
    export default create;
}
declare module "*.wasm" {
    const bytes: Uint8Array;
    export default bytes;
}
