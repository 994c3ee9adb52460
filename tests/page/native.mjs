// SPDX-License-Identifier: MIT
// The other side of the comparison: the native program, the shipped scenarios, and class Flock in node.
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { require } from "./driver.mjs";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const scenarios = join(root, "harness/scenarios");

/** Names of all shipped scenarios. */
export const shipped = readdirSync(scenarios).filter((file) => file.endsWith(".yaml")).map((file) => file.slice(0, -5));

export function textOf(name) {
    return readFileSync(join(scenarios, `${name}.yaml`), "utf8");
}

/** How many agents a scenario begins with. */
export function agentsOf(text) {
    return [...text.matchAll(/agents: (\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
}

export class Native {
    constructor(program) {
        this.program = program;
    }

    /** The hash of a scenario's state after some steps; more: options of the program. */
    async hash(file, steps, ...more) {
        const { stdout } = await run(this.program, ["run", file, `--steps=${steps}`, "--hash", "--quiet", "--threads=1", ...more]);
        return /state hash: ([0-9a-f]{16})/.exec(stdout)[1];
    }

    /** The agents of a shipped scenario before the first step, as the text of a state file. */
    async state(name, agents) {
        const { stdout } = await run(this.program,
            ["run", join(scenarios, `${name}.yaml`), "--steps=0", "--quiet", `--agents=${agents}`, "--final=-"]);
        return stdout;
    }

    /** A checkpoint of a shipped scenario after some steps. */
    async checkpoint(name, steps, file, ...more) {
        await run(this.program, ["run", join(scenarios, `${name}.yaml`), `--steps=${steps}`, "--quiet", `--checkpoint=${file}`, ...more]);
        return readFileSync(file);
    }

    shippedHash(name, steps, ...more) {
        return this.hash(join(scenarios, `${name}.yaml`), steps, ...more);
    }
}

/** What a source of the page exports, as a classic script that leaves the global `dunlin`. */
async function bundle(source) {
    const { build } = require("esbuild");
    const entry = join(root, "harness/page/src", source);
    const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: "iife", globalName: "dunlin", write: false });
    return outputFiles[0].text;
}

/** ... and its exports, in node. */
export async function exportsOf(source) {
    return new Function(`${await bundle(source)}\nreturn dunlin;`)();
}

export const flockScript = bundle("flock.ts");

/** Class Flock on the page's own module, in node. */
export async function makeFlock(page) {
    const { Flock } = await exportsOf("flock.ts");
    const { default: createDunlin } = await import(pathToFileURL(join(page, "dunlin.js")).href);
    return new Flock(await createDunlin({ wasmBinary: readFileSync(join(page, "dunlin.wasm")) }));
}
