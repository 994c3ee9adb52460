// SPDX-License-Identifier: MIT
// The npm package in node.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CreateModule } from "../src/module";
import { Dunlin, type LoadOptions } from "./engine";
import { moduleFor } from "./loading";

export * from "./engine";

/** Loads the engine. */
export async function load(options: LoadOptions = {}): Promise<Dunlin> {
    const { threads, name, workers } = moduleFor(options);
    const create = require(join(__dirname, `${name}.js`)) as CreateModule;
    const wasmBinary = readFileSync(join(__dirname, `${name}.wasm`));
    return new Dunlin(await create({ wasmBinary, threads: workers }), threads);
}
