// SPDX-License-Identifier: MIT
// The npm package in node.
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CreateModule } from "../src/module";
import { Dunlin, type LoadOptions } from "./engine";
import { shown } from "../src/arguments";
import { checkWasm, moduleFor } from "./loading";

export * from "./engine";

// Written out in full, so that bundlers find them.
const scripts: Record<string, () => CreateModule> = {
    dunlin: () => require("./dunlin.js") as CreateModule,
    "dunlin-threads": () => require("./dunlin-threads.js") as CreateModule,
};

/** The folder of the package's files. A bundler moves this script away from them. */
function findFolder(): string {
    const files = [join(__dirname, "dunlin.wasm"), join(process.cwd(), "node_modules/dunlin/dunlin.wasm")];
    const file = files.find((path) => existsSync(path));
    if (file !== undefined) return dirname(file);
    throw new Error(`there is no ${files.join(" or ")}: let the bundler leave the package dunlin out (external), or import dunlin/compat`);
}

function fileOf(name: string, path: string | URL): string | URL {
    try {
        if (statSync(path).isFile()) return path;
    } catch {
        // There is none.
    }
    throw new RangeError(`${name} is ${shown(path)}: it must be the path of a file of the package`);
}

/** Loads the engine. */
export async function load(options: LoadOptions = {}): Promise<Dunlin> {
    const { threads, name, workers, wasm, worker } = moduleFor(options);
    const folder = wasm !== undefined && threads === 1 ? "" : findFolder();
    const source = wasm ?? join(folder, `${name}.wasm`);
    const wasmBinary = checkWasm(typeof source === "string" || source instanceof URL ? readFileSync(fileOf("options.wasm", source)) : source, source);
    const script = worker === undefined ? undefined : fileOf("options.worker", worker);
    const locateFile = (file: string) => (script === undefined ? join(folder, file) : script instanceof URL ? fileURLToPath(script) : script);
    const create = scripts[name]();
    return new Dunlin(await create({ wasmBinary, threads: workers, locateFile, mainScriptUrlOrBlob: join(folder, "dunlin-threads.js") }), threads);
}
