// SPDX-License-Identifier: MIT
// build.mjs makes these of Emscripten's scripts.
declare module "*.mjs";
