// SPDX-License-Identifier: MIT
// The npm package, in a foreign project.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { require } from "./driver.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const tsc = require.resolve("typescript/bin/tsc");
const node = (folder, ...words) => execFileSync(process.execPath, words, { cwd: folder, encoding: "utf8", timeout: 120_000 });

let foreign = null;

/** A project in which npm has installed the package without a registry: once, since that takes seconds. */
function installedOnce(test) {
    if (foreign !== null) return foreign;
    const folder = mkdtempSync(join(tmpdir(), "dunlin-installed-"));
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
    const [tarball] = readdirSync(test.npm).filter((file) => file.endsWith(".tgz"));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "foreign", private: true }));
    execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", join(test.npm, tarball)], { cwd: folder, stdio: "pipe" });
    return (foreign = folder);
}

/** Calls with a folder of its own in which the package is installed. */
export async function inProject(test, type, call) {
    const folder = mkdtempSync(join(tmpdir(), "dunlin-foreign-"));
    try {
        cpSync(installedOnce(test), folder, { recursive: true });
        const project = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
        writeFileSync(join(folder, "package.json"), JSON.stringify({ ...project, type }));
        await call(folder);
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

/** An example of the package's README, by the name after its language. */
export function exampleOf(npm, name) {
    const found = new RegExp(`\`\`\`\\w+ ${name}\n([^]*?)\`\`\``).exec(readFileSync(join(npm, "package/README.md"), "utf8"));
    assert.ok(found, `the README has no example ${name}`);
    return found[1];
}

/** Each example of the README is asked for by a test of this folder. */
function allRun(test) {
    const blocks = [...readFileSync(join(test.npm, "package/README.md"), "utf8").matchAll(/^```(\w+)(.*)\n/gm)];
    const here = join(root, "tests/page");
    const tests = readdirSync(here).filter((file) => file.endsWith(".mjs")).map((file) => readFileSync(join(here, file), "utf8")).join("");
    const known = new Set([...tests.matchAll(/(?:exampleOf\(test\.npm, |exemplified\(test, )"([\w-]+)"/g)].map(([, name]) => name));
    const unknown = blocks.filter(([, language, name]) => language !== "sh" && !known.has(name.trim())).map(([line]) => line);
    assert.deepEqual(unknown, []);
    assert.ok(blocks.length >= 9, `${blocks.length} blocks`);
}

/** Its guide to scenarios leads to no file that the package lacks. */
function guides(test) {
    const guide = readFileSync(join(test.npm, "package/docs/scenarios.md"), "utf8");
    assert.deepEqual([...guide.matchAll(/\]\((?!#|https?:)([^)]*)\)/g)].map(([, to]) => to), []);
    assert.ok(guide.length > 50_000, `${guide.length} characters`);
}

const copy = (folder) => cpSync(join(root, "tests/page/foreign"), folder, { recursive: true });

/** Compiles the foreign program as CommonJS or ES module, as its folder's package.json says. */
function compile(folder) {
    copy(folder);
    node(folder, tsc, "--module", "node16", "--typeRoots", join(root, "harness/page/node_modules/@types"));
}

async function simulate(test, type, threads) {
    await inProject(test, type, async (folder) => {
        compile(folder);
        const simulations = [["default", 600], ["topological", 30], ["ecosystem", 30]];
        const files = simulations.map(([name, steps]) => `${join(root, "harness/scenarios", name)}.yaml:${steps}`);
        const lines = node(folder, "out/main.js", String(threads), ...files).trim().split("\n");
        for (const [i, [name, steps]] of simulations.entries())
            assert.equal(lines[i], `${await test.native.shippedHash(name, steps)} ${threads}`, name);
        assert.equal(lines[0].slice(0, 16), "918a82770c3cdfb7");
        assert.match(lines[simulations.length], /^line 1: wrong\.yaml:1: steps: /);
    });
}

/* Runs in the foreign project: prints the sentence with which each misuse is refused, and what is left after all of them. */
const misuse = `import { load } from "dunlin";
const dunlin = await load();
const flock = dunlin.open("species: [{name: birds, agents: 10, max_speed: 1}]");
const before = flock.hash();
const wrong = [() => dunlin.open(1), () => dunlin.open(undefined), () => dunlin.open("", { agents: -1 }),
    () => dunlin.open("", { agents: 1.5 }), () => dunlin.open("", { seed: -1n }), () => dunlin.open("", { seed: 5 }),
    () => dunlin.open("", { threads: 1e10 }), () => dunlin.open("", { kernel: 7 }), () => flock.step(NaN), () => flock.step(2 ** 32),
    () => flock.set("world.time_step", undefined), () => flock.view("birds"), () => flock.measure(1),
    () => flock.spawn(0, [1, 2], [1]), () => flock.spawn(0, [1, 2, 3], [1, 2, 3]), () => flock.spawn("0", [1, 2], [1, 2]),
    () => flock.spawn(0, [NaN, 2], [1, 2]), () => flock.spawn(0, ["a", 2], [1, 2]), () => flock.addPath(0, [1, 2, 3], 1),
    () => flock.pull([1], 1, 1), () => flock.pull([1, 2], 1, NaN), () => flock.blockByObstacles(1),
    () => flock.addObstacle({ shape: 0, a: [1], b: [1, 2], radius: 1 }), () => flock.addObstacle({ shape: 9, a: [1, 2], b: [1, 2], radius: 1 })];
for (const call of wrong)
    try {
        call();
        console.log("accepted: " + call);
    } catch (error) {
        if (!["FlockError", "RangeError", "TypeError"].includes(error.name) || !error.message) console.log(String(error));
    }
console.log(flock.hash() === before);
flock.destroy();
flock.destroy();
try { flock.step(); } catch (error) { console.log(error.message); }
`;

/* Of no agents only counts and settings are numbers. */
const nobody = `import { load } from "dunlin";
const flock = (await load()).open("species: [{name: birds, agents: 0}]");
console.log(JSON.stringify(flock.measure(0)));
`;

export const tests = [
    ["a CommonJS project that installs the package type-checks, and has the native hashes", (test) => simulate(test, "commonjs", 1), "nightly"],
    ["an ES module that installs the package type-checks, and has the native hashes on three threads", (test) => simulate(test, "module", 3)],
    ["the package refuses misuse of its types", (test) => inProject(test, "module", (folder) => {
        copy(folder);
        writeFileSync(join(folder, "main.ts"), 'import { load } from "dunlin";\n(await load()).open(1);\n');
        assert.throws(() => node(folder, tsc, "--module", "node16", "--typeRoots", join(root, "harness/page/node_modules/@types")), /Command failed/);
    })],
    ["the package refuses wrong types and numbers, and runs on", (test) => inProject(test, "module", (folder) => {
        writeFileSync(join(folder, "misuse.js"), misuse);
        assert.equal(node(folder, "misuse.js"), "true\nthe flock is destroyed\n");
    })],
    ["metrics that no agent has are null", (test) => inProject(test, "module", (folder) => {
        writeFileSync(join(folder, "nobody.js"), nobody);
        assert.deepEqual(JSON.parse(node(folder, "nobody.js")), {
            agents: 0, polarization: null, rotation: null, mean_speed: null, mean_neighbours: null, neighbour_radius: 0,
            mean_nearest: null, outside: 0 });
    })],
    ["every example of the package's README is run by a test", allRun],
    ["the package has the guide to scenarios, without dead links", guides],
    ["the example of the package's README runs", (test) => inProject(test, "module", (folder) => {
        writeFileSync(join(folder, "example.js"), exampleOf(test.npm, "node"));
        assert.match(node(folder, "example.js"), /^20000 [0-9.]+ -?[0-9.]+ [0-9a-f]{16}\n$/);
    })],
];
