// SPDX-License-Identifier: MIT
// The npm package in node.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CreateModule } from "../src/module";
import { type Dunlin, type LoadOptions, moduleFor, start } from "./engine";

export * from "./engine";

/** Loads the engine. */
export async function load({ threads = 1 }: LoadOptions = {}): Promise<Dunlin> {
    const module = moduleFor(threads);
    const create = require(join(__dirname, `${module.name}.js`)) as CreateModule;
    const wasmBinary = readFileSync(join(__dirname, `${module.name}.wasm`));
    return start(create, { wasmBinary, threads: module.threads }, threads);
}
