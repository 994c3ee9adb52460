// SPDX-License-Identifier: MIT
// offline.mjs FOLDER: makes the page's service worker, offline.js, of all files in the built FOLDER but pictures.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const [folder] = process.argv.slice(2);
// flock.js has in one file what the others have.
const isKept = (name) => /\.(html|css|js|json|wasm|yaml)$/.test(name) && !["offline.js", "flock.js"].includes(name);
const names = [...readdirSync(folder), ...readdirSync(join(folder, "scenarios")).map((name) => `scenarios/${name}`)].filter(isKept).sort();
const hash = (bytes) => createHash("sha256").update(bytes).digest("base64");
const files = Object.fromEntries(names.map((name) => [name, `sha256-${hash(readFileSync(join(folder, name)))}`]));
const built = { version: hash(JSON.stringify(files)).slice(0, 16), files };
await build({ entryPoints: [join(here, "src/offline.ts")], outfile: join(folder, "offline.js"), bundle: true, minify: true, target: "es2022",
    format: "iife", define: { built: JSON.stringify(built) }, logLevel: "warning" });
