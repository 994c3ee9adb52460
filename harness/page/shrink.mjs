// SPDX-License-Identifier: MIT
// Plugins of esbuild that leave out what a visitor would load for nothing.
import { readFileSync } from "node:fs";
import { dirname } from "node:path";

/** Comments and spaces of shaders, which are texts to a bundler. */
export const bareShaders = {
    name: "bare shaders",
    setup: (build) => build.onLoad({ filter: /\/shaders\.ts$/ }, ({ path }) => ({
        loader: "ts",
        contents: readFileSync(path, "utf8").replace(/\/\/.*$/gm, "").replace(/^\s+/gm, "").replace(/ *([-+*/=<>,;{}()?:|&]) */g, "$1"),
    })),
};

const types = { binary: ["binary"], omap: ["omap"], pairs: ["pairs"], set: ["set"], timestamp: ["timestamp", "intTime", "floatTime"] };

/** Types of YAML 1.1, which scenarios do not have. */
export const yamlWithoutOldTypes = {
    name: "yaml without old types",
    setup: (build) => build.onLoad({ filter: /\/yaml-1\.1\/(binary|omap|pairs|set|timestamp|schema)\.js$/ }, ({ path }) => {
        const names = types[/(\w+)\.js$/.exec(path)[1]];
        const contents = names?.map((name) => `export const ${name} = undefined;`).join("\n") ?? 'export { schema } from "../core/schema.js";';
        return { contents, resolveDir: dirname(path) };
    }),
};
