// SPDX-License-Identifier: MIT
// build.mjs FOLDER MODULE_FOLDER ...: packs the npm package into FOLDER: dunlin-VERSION.tgz, and what it holds in FOLDER/package.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { writeLicences } from "../licences.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../../..");
const [folder, ...modules] = process.argv.slice(2).map((path) => resolve(path));
const package_ = join(folder, "package");

function versionOf(header) {
    return ["MAJOR", "MINOR", "PATCH"].map((part) => new RegExp(`#define DUNLIN_VERSION_${part} (\\d+)`).exec(header)[1]).join(".");
}

/** The types of both entries, which are the same. */
function writeTypes() {
    const types = join(folder, "types");
    execFileSync(process.execPath, [join(here, "../node_modules/typescript/bin/tsc"), "--project", here, "--outDir", types], { stdio: "inherit" });
    const read = (path) => readFileSync(join(types, path), "utf8");
    writeFileSync(join(package_, "flock.d.ts"), read("src/flock.d.ts"));
    writeFileSync(join(package_, "module.d.ts"), read("src/module.d.ts"));
    writeFileSync(join(package_, "engine.d.ts"), read("npm/engine.d.ts").replaceAll('"../src/', '"./'));
    writeFileSync(join(package_, "index.d.ts"), read("npm/node.d.ts"));
    writeFileSync(join(package_, "index.d.mts"), 'export * from "./index.js";\n');
    rmSync(types, { recursive: true });
}

async function writeScripts() {
    const options = { bundle: true, target: "es2022", logLevel: "warning", banner: { js: "// SPDX-License-Identifier: MIT" } };
    await build({ ...options, entryPoints: [join(here, "node.ts")], outfile: join(package_, "node.js"), format: "cjs", platform: "node" });
    await build({ ...options, entryPoints: [join(here, "browser.ts")], outfile: join(package_, "browser.mjs"), format: "esm",
        external: ["./dunlin*.mjs"] });
    writeFileSync(join(package_, "node.mjs"),
        'import dunlin from "./node.js";\n\nexport const { Dunlin, Flock, FlockError, load } = dunlin;\n');
}

function copyModules() {
    for (const module of modules)
        for (const file of readdirSync(module).filter((name) => /^dunlin.*\.(js|wasm)$/.test(name))) {
            copyFileSync(join(module, file), join(package_, file));
            if (/^dunlin(-threads)?\.js$/.test(file))
                writeFileSync(join(package_, file.replace(".js", ".mjs")), `${readFileSync(join(module, file), "utf8")}\nexport default createDunlin;\n`);
        }
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(package_, { recursive: true });
const description = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
description.version = versionOf(readFileSync(join(root, "engine/include/dunlin/common.h"), "utf8"));
writeFileSync(join(package_, "package.json"), `${JSON.stringify(description, null, 4)}\n`);
copyFileSync(join(here, "README.md"), join(package_, "README.md"));
copyFileSync(join(root, "LICENSE"), join(package_, "LICENSE"));
writeLicences(package_, join(root, "build/wasm-sysroot"));
writeTypes();
await writeScripts();
copyModules();
const [{ filename }] = JSON.parse(execFileSync("npm", ["pack", package_, "--json", "--offline", "--pack-destination", folder], { encoding: "utf8" }));
console.log(`Packed ${join(folder, filename)}`);
