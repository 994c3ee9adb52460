// SPDX-License-Identifier: MIT
// build.mjs FOLDER MODULE_FOLDER ...: packs the npm package into FOLDER: dunlin-VERSION.tgz, and what it holds in FOLDER/package.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildElement } from "../inside.mjs";
import { writeLicences } from "../licences.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../../..");
const [folder, ...modules] = process.argv.slice(2).map((path) => resolve(path));
const package_ = join(folder, "package");

function versionOf(header) {
    return ["MAJOR", "MINOR", "PATCH"].map((part) => new RegExp(`#define DUNLIN_VERSION_${part} (\\d+)`).exec(header)[1]).join(".");
}

/** The types of all entries. What a module imports stands beside it. */
function writeTypes() {
    const types = join(folder, "types");
    execFileSync(process.execPath, [join(here, "../node_modules/typescript/bin/tsc"), "--project", here, "--outDir", types], { stdio: "inherit" });
    // A project without the types of browsers knows no WebAssembly.Module.
    const portable = (text) => text.replace(/"\.\.\/(src\/)?/g, '"./').replace(/( from "\.\/\w+)"/g, '$1.js"').replace(/WebAssembly\.\w+/g, "object");
    const declare = (from, to) => writeFileSync(join(package_, to), portable(readFileSync(join(types, from), "utf8")));
    for (const name of ["flock", "module"]) declare(`src/${name}.d.ts`, `${name}.d.ts`);
    for (const name of ["behaving", "constants", "engine", "fetching", "layout", "whole_flock"]) declare(`npm/${name}.d.ts`, `${name}.d.ts`);
    for (const [name, from] of Object.entries({ index: "node", compat: "node", worker: "worker" })) {
        declare(`npm/${from}.d.ts`, `${name}.d.ts`);
        writeFileSync(join(package_, `${name}.d.mts`), `export * from "./${name}.js";\n`);
    }
    // The element's, by the page's settings.
    execFileSync(process.execPath, [join(here, "../node_modules/typescript/bin/tsc"), "--project", join(here, ".."), "--outDir", types,
        "--noEmit", "false", "--declaration", "--emitDeclarationOnly"], { stdio: "inherit" });
    declare("element/element.d.ts", "element.d.ts");
    writeFileSync(join(package_, "element.d.mts"), 'export * from "./element.js";\n');
    rmSync(types, { recursive: true });
}

const moduleFile = (name) => modules.map((module) => join(module, name)).find((path) => existsSync(path));

/** Emscripten's script without what is for node and other loaders, which bundlers would try to find. */
const webGlue = (name) => readFileSync(moduleFile(name), "utf8").replace(/^if \(typeof exports === 'object'[^]*/m, "")
    .replace(/var ENVIRONMENT_IS_NODE=typeof process=="object".*?=="string";/, "const ENVIRONMENT_IS_NODE=false;");
const noNode = Object.fromEntries(["process", "require", "global", "__filename", "__dirname"].map((name) => [name, "undefined"]));

/** Resolves Emscripten's scripts and their WebAssembly to those of the module folders. */
const glue = {
    name: "glue",
    setup(bundler) {
        bundler.onResolve({ filter: /^\.\/dunlin[-a-z]*\.(mjs|wasm)$/ }, ({ path }) => ({ path, namespace: "glue" }));
        bundler.onLoad({ filter: /mjs$/, namespace: "glue" }, ({ path }) =>
            ({ contents: `${webGlue(path.slice(2).replace(".mjs", ".js"))}\nexport default createDunlin;` }));
        bundler.onLoad({ filter: /wasm$/, namespace: "glue" }, ({ path }) => ({ contents: readFileSync(moduleFile(path)), loader: "binary" }));
    },
};

const banner = { js: "// SPDX-License-Identifier: MIT" };
const common = { bundle: true, target: "es2022", logLevel: "warning", banner, sourcemap: true };

async function writeScripts() {
    const web = { ...common, minify: true, define: noNode, plugins: [glue], charset: "utf8" };
    await build({ ...common, entryPoints: [join(here, "node.ts")], outfile: join(package_, "node.js"), format: "cjs", platform: "node",
        external: ["./dunlin*.js"] });
    await build({ ...web, entryPoints: [join(here, "browser.ts")], outfile: join(package_, "browser.mjs"), format: "esm" });
    const compat = { ...web, entryPoints: [join(here, "compat.ts")], sourcemap: false };
    await build({ ...compat, outfile: join(package_, "compat.mjs"), format: "esm" });
    // For a script element, and for require().
    await build({ ...compat, outfile: join(package_, "compat.js"), format: "iife", globalName: "dunlin",
        footer: { js: 'if (typeof module === "object") module.exports = dunlin;' } });
    // The element is in the package once, and the scenarios are in scenarios.js alone.
    await buildElement(modules, { outfile: join(package_, "element.js"), format: "iife", banner, globalName: "dunlinElement",
        footer: { js: `${handOver("element", "dunlinElement")}if (typeof module === "object") {\n    require("./scenarios.js");\n    module.exports = dunlinElement;\n}` } });
    writeFileSync(join(package_, "element.mjs"), `${banner.js}\nimport "./scenarios.js";\nimport "./element.js";\n\nexport const { DunlinFlock } = ${handed("element")};\n`);
    const small = { ...common, entryPoints: [join(here, "worker.ts")], sourcemap: false };
    await build({ ...small, outfile: join(package_, "worker.mjs"), format: "esm" });
    await build({ ...small, outfile: join(package_, "worker.js"), format: "cjs" });
    writeFileSync(join(package_, "node.mjs"), `import dunlin from "./node.js";\n\nexport const { ${namesOf("node.js").join(", ")} } = dunlin;\n`);
}

/** What a script of the package hands to modules, which no script can export to, whether a bundler, node or a browser loads it. */
const handed = (name) => `globalThis[Symbol.for("dunlin/${name}")]`;
const handOver = (name, value) => `${handed(name)} = ${value};\n`;

/** What a CommonJS file of the package exports. */
const namesOf = (file) => Object.keys(createRequire(import.meta.url)(join(package_, file)));

/** The guide to the format of scenarios, without links to files that the package does not have. */
function writeGuide() {
    mkdirSync(join(package_, "docs"));
    writeFileSync(join(package_, "docs/scenarios.md"), readFileSync(join(root, "docs/scenarios.md"), "utf8").replace(/\[([^\]]*)\]\((?!#|https?:)[^)]*\)/g, "$1"));
}

/** The texts of the shipped scenarios, by their names. */
function writeScenarios() {
    const folder = join(root, "harness/scenarios");
    const names = readdirSync(folder).filter((file) => file.endsWith(".yaml")).map((file) => file.slice(0, -5)).sort();
    const texts = JSON.stringify(Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, `${name}.yaml`), "utf8")])), null, 1);
    const types = `/** The scenarios that Dunlin ships, for open(). */\nexport declare const scenarios: {\n${names.map((name) => `    readonly ${name}: string;\n`).join("")}};\n`;
    writeFileSync(join(package_, "scenarios.js"), `${banner.js}\n${handOver("scenarios", texts)}if (typeof module === "object") exports.scenarios = ${handed("scenarios")};\n`);
    writeFileSync(join(package_, "scenarios.mjs"), `${banner.js}\nimport "./scenarios.js";\n\nexport const scenarios = ${handed("scenarios")};\n`);
    for (const end of ["d.ts", "d.mts"]) writeFileSync(join(package_, `scenarios.${end}`), types);
}

/**
 * The script of a thread in browsers: Emscripten's two scripts in one. Beside each other, bundlers would give the second one a new name
 * that the first does not know; and one that is as small as Emscripten's first one, Vite turns into an address that is no file.
 */
async function writeWorker() {
    const contents = `const importScripts = () => {};\n${webGlue("dunlin-threads.js")}\n${webGlue("dunlin-threads.worker.js").replace(/^"use strict";/, "")}`;
    await build({ ...common, sourcemap: false, stdin: { contents }, minify: true, define: noNode, format: "iife",
        outfile: join(package_, "dunlin-threads.web.js") });
}

/** In Deno a worker's own `location` cannot be assigned, as Emscripten's script of a thread does. */
const define = "((to, from) => { for (const name in from) Object.defineProperty(to, name, { value: from[name], writable: true, configurable: true }); })(global, {";

function defineInWorker() {
    const file = join(package_, "dunlin-threads.worker.js");
    const [text, wanted] = [readFileSync(file, "utf8"), "Object.assign(global,{"];
    if (!text.includes(wanted)) throw new Error(`${file} does not have ${wanted}`);
    writeFileSync(file, text.replace(wanted, define));
}

function copyModules() {
    for (const module of modules)
        for (const file of readdirSync(module).filter((name) => /^dunlin.*\.(js|wasm)$/.test(name))) copyFileSync(join(module, file), join(package_, file));
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(package_, { recursive: true });
const description = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
description.version = versionOf(readFileSync(join(root, "engine/include/dunlin/common.h"), "utf8"));
writeFileSync(join(package_, "package.json"), `${JSON.stringify(description, null, 4)}\n`);
copyFileSync(join(here, "README.md"), join(package_, "README.md"));
copyFileSync(join(root, "LICENSE"), join(package_, "LICENSE"));
writeLicences(package_, join(root, "build/wasm-sysroot"), ["yaml"]);
writeTypes();
await writeScripts();
await writeWorker();
writeScenarios();
writeGuide();
copyModules();
defineInWorker();
const [{ filename }] = JSON.parse(execFileSync("npm", ["pack", package_, "--json", "--offline", "--pack-destination", folder], { encoding: "utf8" }));
console.log(`Packed ${join(folder, filename)}`);
