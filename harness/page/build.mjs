// SPDX-License-Identifier: MIT
// build.mjs FOLDER MODULE_FOLDER ...: checks the types, bundles the page into FOLDER, and copies what it loads beside it.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { parse } from "yaml";
import { writeLicences } from "./licences.mjs";
import { copyScenarios } from "./scenarios.mjs";
import { bareShaders, yamlWithoutOldTypes } from "./shrink.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const [folder, ...modules] = process.argv.slice(2);

execFileSync(process.execPath, [join(here, "node_modules/typescript/bin/tsc"), "--project", here], { stdio: "inherit" });
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
await build({
    entryPoints: { page: join(here, "src/main.ts"), worker: join(here, "src/worker.ts") },
    outdir: folder, bundle: true, minify: true, format: "iife", target: "es2022", legalComments: "linked", logLevel: "warning",
    plugins: [bareShaders, yamlWithoutOldTypes],
});
for (const file of ["index.html", "page.css", "share.css"]) cpSync(join(here, "src", file), join(folder, file));
writeLicences(folder, join(here, "../../build/wasm-sysroot"), ["yaml", "uplot"]);
copyScenarios(join(here, "../.."), join(folder, "scenarios"));
writeFileSync(join(folder, "lessons.json"), JSON.stringify(parse(readFileSync(join(here, "lessons.yaml"), "utf8"))));
// Emscripten's scripts are not minified.
for (const module of modules)
    for (const file of readdirSync(module).filter((name) => /^dunlin.*\.(js|wasm)$/.test(name))) {
        if (file.endsWith(".wasm")) cpSync(join(module, file), join(folder, file));
        else await build({ entryPoints: [join(module, file)], outfile: join(folder, file), minify: true, logLevel: "error" });
    }
