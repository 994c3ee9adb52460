// SPDX-License-Identifier: MIT
// build.mjs FOLDER MODULE_FOLDER ...: checks the types, bundles the page into FOLDER, and copies what it loads beside it.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { build } from "esbuild";
import { parse } from "yaml";
import { buildElement } from "./inside.mjs";
import { writeLicences } from "./licences.mjs";
import { copyScenarios } from "./scenarios.mjs";
import { bareShaders, yamlWithoutOldTypes } from "./shrink.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const [folder, ...modules] = process.argv.slice(2);

execFileSync(process.execPath, [join(here, "node_modules/typescript/bin/tsc"), "--project", here], { stdio: "inherit" });
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
// A frame that is a sandbox loads no modules, so only what comes later is one.
const scripts = { outdir: folder, bundle: true, minify: true, target: "es2022", legalComments: "linked", logLevel: "warning" };
await build({
    ...scripts, entryPoints: { first: join(here, "src/first.ts"), page: join(here, "src/main.ts"), worker: join(here, "src/worker.ts"), compare: join(here, "src/compare.ts") }, format: "iife",
    external: ["./plot.js"], plugins: [bareShaders, yamlWithoutOldTypes],
});
await build({ ...scripts, entryPoints: { plot: join(here, "src/parts/plot.ts") }, format: "esm" });
for (const file of ["index.html", "page.css", "share.css", "compare.html", "compare.css"]) cpSync(join(here, "src", file), join(folder, file));
writeLicences(folder, join(here, "../../build/wasm-sysroot"), ["yaml", "uplot"]);
copyScenarios(join(here, "../.."), join(folder, "scenarios"));
writeFileSync(join(folder, "lessons.json"), JSON.stringify(parse(readFileSync(join(here, "lessons.yaml"), "utf8"))));
// Emscripten's scripts are not minified.
for (const module of modules)
    for (const file of readdirSync(module).filter((name) => /^dunlin.*\.(js|wasm)$/.test(name))) {
        if (file.endsWith(".wasm")) cpSync(join(module, file), join(folder, file));
        else await build({ entryPoints: [join(module, file)], outfile: join(folder, file), minify: true, logLevel: "error" });
    }
// What a page without an origin cannot load by itself, and the element for other pages.
const texts = Object.fromEntries(["lessons.json", "plot.js", "scenarios/index.json", "scenarios/exercises.json"].map((name) => [name, readFileSync(join(folder, name), "utf8")]));
await buildElement(modules, { outfile: join(folder, "flock.js"), format: "iife" }, texts);
// Hosts that can send compressed files send these.
for (const file of [".", "scenarios"].flatMap((part) => readdirSync(join(folder, part)).map((name) => join(folder, part, name))))
    if ([".html", ".css", ".js", ".json", ".wasm", ".yaml"].includes(extname(file)))
        writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
