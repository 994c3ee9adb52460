// SPDX-License-Identifier: MIT
// harness/page/inside.mjs makes these.
declare module "inside:worker" {
    const script: string;
    export default script;
}
declare module "inside:wasm" {
    const bytes: Uint8Array;
    export default bytes;
}
declare module "inside:files" {
    const files: Record<string, string>;
    export default files;
}
