// SPDX-License-Identifier: MIT
// What scripts have inside that can load nothing beside them: the worker with Emscripten's script, the WebAssembly, and texts by their names.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import { bareShaders, yamlWithoutOldTypes } from "./shrink.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const scenarios = join(here, "../scenarios");

/** The texts of the shipped scenarios, by the names of their files. */
function shippedTexts() {
    const files = readdirSync(scenarios).filter((name) => name.endsWith(".yaml"));
    return Object.fromEntries(files.map((name) => [`scenarios/${name}`, readFileSync(join(scenarios, name), "utf8")]));
}

async function workerText(glue) {
    const { outputFiles: [{ text }] } = await build({ entryPoints: [join(here, "src/worker.ts")], bundle: true, minify: true, target: "es2022",
        format: "iife", legalComments: "none", plugins: [bareShaders], write: false, logLevel: "warning" });
    return `${(await transform(readFileSync(glue, "utf8"), { minify: true })).code}${text}`;
}

/** A plugin of esbuild that resolves inside:worker, inside:wasm and inside:files. more: files beside the scenarios, by their names; null: neither. */
function inside(modules, more) {
    const find = (name) => modules.map((module) => join(module, name)).find((path) => existsSync(path));
    const parts = {
        "inside:worker": async () => ({ contents: await workerText(find("dunlin.js")), loader: "text" }),
        "inside:wasm": () => ({ contents: readFileSync(find("dunlin.wasm")), loader: "binary" }),
        "inside:files": () => ({ contents: JSON.stringify(more === null ? {} : { ...shippedTexts(), ...more }), loader: "json" }),
    };
    return {
        name: "inside",
        setup(bundler) {
            bundler.onResolve({ filter: /^inside:/ }, ({ path }) => ({ path, namespace: "inside" }));
            bundler.onLoad({ filter: /./, namespace: "inside" }, ({ path }) => parts[path]());
        },
    };
}

/** Bundles the element <dunlin-flock>; options: esbuild's, as the output's format and name; more: texts by the names of files, null: not even the scenarios. */
export function buildElement(modules, options, more = null) {
    return build({ entryPoints: [join(here, "src/element/element.ts")], bundle: true, minify: true, target: "es2022", legalComments: "none",
        charset: "utf8", logLevel: "warning", plugins: [inside(modules, more), yamlWithoutOldTypes], ...options });
}
