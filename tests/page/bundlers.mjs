// SPDX-License-Identifier: MIT
// The npm package with other people's bundlers at their defaults: each builds the project of bundlers/project, and Chromium runs it. Also in Deno,
// and with the frameworks of the README.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer as reservePort } from "node:net";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { serve } from "../../harness/page/serve.mjs";
import { require as pageRequire, Skipped } from "./driver.mjs";
import { exampleOf, inProject } from "./package.mjs";

export const longest = 600; // seconds: bundlers are installed and run

const here = fileURLToPath(new URL("bundlers", import.meta.url));
const run = promisify(execFile); // another browser's tests run meanwhile
const isolated = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

/** The packages of a folder's lock file; where npm cannot install them, a test is skipped. */
export async function installed(folder) {
    const [lock, done] = ["package-lock.json", "node_modules/.package-lock.json"].map((file) => join(folder, file));
    if (!existsSync(done) || statSync(done).mtimeMs < statSync(lock).mtimeMs) {
        try {
            await run("npm", ["ci", "--silent", "--no-progress"], { cwd: folder, timeout: 1000 * longest });
        } catch (error) {
            throw new Skipped(`npm cannot install ${lock}: ${String(error.stderr || error.message).split("\n")[0]}`);
        }
        utimesSync(done, new Date(), new Date());
    }
    return join(folder, "node_modules");
}

const packagesOf = (name) => installed(["webpack", "vite", "publint"].includes(name) ? here : join(here, "nightly"));
const load = async (name, file) => import(pathToFileURL(join(await packagesOf(name), file)));

/** Serves the built files at an address, with the page beside them. */
async function serveBuilt(folder, script) {
    if (script) writeFileSync(join(folder, "index.html"), readFileSync(join(here, "project/index.html"), "utf8").replace("main.js", script));
    const server = await serve(folder);
    return { address: `http://localhost:${server.address().port}/`, close: () => server.close() };
}

const viteFile = "dist/node/index.js";

async function viteServer(name, root) {
    const { createServer } = await load(name, `${name}/${viteFile}`);
    const server = await createServer({ root, configFile: false, logLevel: "error", server: { port: 0, headers: isolated } });
    await server.listen();
    return { address: `http://localhost:${server.httpServer.address().port}/`, close: () => server.close() };
}

async function viteBuild(name, root) {
    const { build } = await load(name, `${name}/${viteFile}`);
    await build({ root, configFile: false, logLevel: "error", build: { target: "es2022" } });
    return serveBuilt(join(root, "dist"));
}

async function webpack(name, folder) {
    const { default: pack } = await load(name, "webpack/lib/index.js");
    const output = await new Promise((tell, fail) => pack({ context: folder, mode: "production", entry: "./main.js", output: { path: join(folder, "dist") } },
        (error, stats) => (error ? fail(error) : tell(stats.toJson({ all: false, errors: true, warnings: true, performance: true })))));
    assert.deepEqual(output.errors, []);
    assert.deepEqual(output.warnings.filter(({ message }) => !/size limit|performance/.test(message)), []);
    return serveBuilt(join(folder, "dist"), "main.js");
}

const entries = ["main.js", "worker.js"];

async function esbuild(_, folder) {
    const { build } = pageRequire("esbuild");
    await build({ absWorkingDir: folder, entryPoints: entries, bundle: true, format: "esm", outdir: "dist", logLevel: "error" });
    return serveBuilt(join(folder, "dist"), "main.js");
}

async function rollup(name, folder) {
    const { rollup: pack } = await load(name, "rollup/dist/es/rollup.js");
    const { nodeResolve } = await load(name, "@rollup/plugin-node-resolve/dist/es/index.js");
    const bundle = await pack({ input: entries.map((file) => join(folder, file)), plugins: [nodeResolve({ browser: true })] });
    await bundle.write({ dir: join(folder, "dist"), format: "es" });
    return serveBuilt(join(folder, "dist"), "main.js");
}

async function freePort() {
    const server = reservePort().listen(0, "127.0.0.1");
    await new Promise((ready) => server.on("listening", ready));
    const { port } = server.address();
    await new Promise((ready) => server.close(ready));
    return port;
}

/** Next builds what is in the project's own node_modules, and follows no links. flag: its bundler. */
async function next(flag, folder) {
    const packages = await packagesOf("next");
    cpSync(join(here, "next"), folder, { recursive: true });
    for (const name of readdirSync(packages).filter((name) => !/^(\.|vite|rollup)/.test(name)))
        cpSync(join(packages, name), join(folder, "node_modules", name), { recursive: true });
    const [program, port] = [join(folder, "node_modules/next/dist/bin/next"), await freePort()];
    const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };
    await run(process.execPath, [program, "build", flag], { cwd: folder, env, timeout: 1000 * longest, maxBuffer: 2 ** 28 });
    const server = spawn(process.execPath, [program, "start", "--port", String(port)], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    const ended = new Promise((tell) => server.on("exit", tell));
    await new Promise((ready, fail) => {
        server.stdout.on("data", (text) => String(text).includes("Ready") && ready());
        ended.then(() => fail(new Error("next start ended")));
    });
    return { address: `http://localhost:${port}/`, close: () => (server.kill(), ended) };
}

/** Opens the built page and waits for what it found. */
async function resultsOf(test, address, options) {
    const tab = await test.browser.newPage();
    const problems = [];
    tab.on("console", (message) => problems.push(message.text()));
    tab.on("pageerror", (error) => problems.push(error.message));
    tab.on("response", (response) => !response.ok() && problems.push(`${response.status()}: ${response.url()}`));
    try {
        if (options) await tab.evaluateOnNewDocument((given) => (globalThis.loadOptions = given), options);
        await tab.goto(address);
        await tab.waitForFunction(() => globalThis.results?.length === 3, { timeout: 120_000 }).catch((error) => {
            throw new Error(`${error.message}\n${problems.join("\n")}`);
        });
        return await tab.evaluate(() => globalThis.results);
    } finally {
        await tab.close();
    }
}

/** The hash of the native program after the project's scenario has run. */
async function nativeHash(test, folder) {
    const scenario = join(folder, "native.yaml");
    writeFileSync(scenario, /`([^`]*)`/.exec(readFileSync(join(here, "project/hash.js"), "utf8"))[1]);
    return test.native.hash(scenario, 60);
}

/** Builds the project and sees it run on the page, in a worker, and in a worker on three threads. */
async function bundled(test, bundle, name, prepare = () => {}, wanted = undefined) {
    await inProject(test, "module", async (folder) => {
        cpSync(join(here, "project"), folder, { recursive: true });
        const hash = await nativeHash(test, folder);
        await prepare(folder);
        const { address, close } = await bundle(name, folder);
        try {
            const results = await resultsOf(test, address);
            if (wanted) results.forEach((line, i) => assert.match(line, wanted[i] ?? new RegExp(`^${hash} 1$`)));
            else assert.deepEqual(results, [`${hash} 1`, `${hash} 1`, `${hash} 3`]);
            if (bundle === next) assert.equal(await (await fetch(`${address}api/flock`)).text(), `${hash} 1`, "the API route");
        } finally {
            await close();
        }
    });
}

const replaceInHash = (from, to) => (folder) =>
    writeFileSync(join(folder, "hash.js"), readFileSync(join(folder, "hash.js"), "utf8").replace(from, to));
const compat = replaceInHash('"dunlin"', '"dunlin/compat"');
const onlyOneThread = [undefined, undefined, /must be 1 in dunlin\/compat/];
const missing = Array(3).fill(/there is no WebAssembly at http:.*load\(\{ wasm \}\), or import dunlin\/compat/);

/** What the README says to do with a bundler that copies no files. */
function copied(folder) {
    for (const file of ["dunlin.wasm", "dunlin-threads.wasm", "dunlin-threads.web.js"])
        cpSync(join(folder, "node_modules/dunlin", file), join(folder, "dist", file));
}

/* Shows the component that the README exports, twice as React does it for development. */
const mounted = `import { createElement, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Flock } from "./example.jsx";
const scenario = "world: {size: [400, 400]}\\nspecies: [{name: birds, max_speed: 1}]\\ninteractions: [{alignment: {radius: 9}}]\\n";
const flock = createElement(Flock, { scenario: NAMED ? "cc124_flock" : scenario, agents: 2000 });
createRoot(document.body.appendChild(document.createElement("div"))).render(createElement(StrictMode, null, flock));
`;

/** The README's example for a framework: it runs, and draws what changes. */
async function exemplified(test, name) {
    const packages = await installed(join(here, "examples"));
    await inProject(test, "module", async (folder) => {
        writeFileSync(join(folder, "example.jsx"), exampleOf(test.npm, name));
        writeFileSync(join(folder, "mounted.js"), mounted);
        await pageRequire("esbuild").build({ entryPoints: [join(folder, name.startsWith("react") ? "mounted.js" : "example.jsx")], nodePaths: [packages], bundle: true,
            format: "esm", jsx: "automatic", define: { NAMED: String(name === "react-element") }, outfile: join(folder, "dist/main.js"), logLevel: "error" });
        cpSync(join(folder, "node_modules/dunlin/dunlin.wasm"), join(folder, "dist/dunlin.wasm"));
        writeFileSync(join(folder, "dist/index.html"), '<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="main.js"></script>');
        const server = await serve(join(folder, "dist"));
        const tab = await test.browser.newPage();
        const errors = [];
        tab.on("pageerror", (error) => errors.push(error.message));
        try {
            await tab.goto(`http://localhost:${server.address().port}/`);
            await tab.waitForSelector(">>> canvas", { timeout: 60_000 }).catch((error) => errors.push(error.message));
            const pictures = new Set();
            for (let tries = 0; errors.length === 0 && pictures.size < 2 && tries < 100; tries++) pictures.add(await tab.screenshot({ encoding: "base64" }));
            assert.deepEqual(errors, []);
            assert.equal(pictures.size, 2, "the picture changes");
        } finally {
            await tab.close();
            server.close();
        }
    });
}

/** Deno's npm package has its program in the package of a platform, and copies it when it is installed, if that is allowed. */
async function inDeno(test) {
    const packages = await installed(join(here, "deno"));
    const program = readdirSync(join(packages, "@deno")).map((name) => join(packages, "@deno", name, "deno")).find(existsSync);
    if (program === undefined) throw new Skipped("there is no Deno for this platform");
    await inProject(test, "module", async (folder) => {
        cpSync(join(here, "project/hash.js"), join(folder, "hash.js"));
        writeFileSync(join(folder, "main.js"), 'import { hash } from "./hash.js";\nfor (const threads of [1, 3]) console.log(await hash(threads));\n');
        const env = { ...process.env, DENO_DIR: join(folder, "deno"), DENO_NO_UPDATE_CHECK: "1" };
        const { stdout: output } = await run(program, ["run", "--cached-only", "--no-prompt", "--allow-read", "main.js"], { cwd: folder, env, timeout: 1000 * longest });
        const wanted = await nativeHash(test, folder);
        assert.equal(output, `${wanted} 1\n${wanted} 3\n`);
    });
}

/** What others' checkers say about the packed files. */
async function checked(test) {
    const packages = await packagesOf("publint");
    const [tarball] = readdirSync(test.npm).filter((file) => file.endsWith(".tgz"));
    const check = (program, ...words) => run(process.execPath, [join(packages, program), ...words]);
    assert.match((await check("publint/src/cli.js", "run", "--strict", join(test.npm, tarball))).stdout, /All good!/);
    await check("@arethetypeswrong/cli/dist/index.js", join(test.npm, tarball), "--exclude-entrypoints", "dunlin.wasm", "dunlin-threads.wasm", "dunlin-threads.web.js", "--no-color");
}

const sentence = (what) => `a project with ${what} runs on the page, in a worker, and in a worker on three threads, with the native hash`;

export const tests = [
    ["publint and attw find no fault in the package", checked, "nightly"],
    [sentence("Vite 7's server"), (test) => bundled(test, viteServer, "vite"), "nightly"],
    [sentence("Vite 7"), (test) => bundled(test, viteBuild, "vite")],
    [sentence("webpack 5"), (test) => bundled(test, webpack, "webpack"), "nightly"],
    ["the README's example for p5 draws a flock that moves", (test) => exemplified(test, "p5"), "nightly"],
    ["the README's example for three.js draws a flock that moves", (test) => exemplified(test, "three"), "nightly"],
    ["the README's example for React draws a flock that moves", (test) => exemplified(test, "react"), "nightly"],
    ["the README's element in React draws a flock that moves", (test) => exemplified(test, "react-element"), "nightly"],
    ["the package runs in Deno, on one thread and on three, with the native hash", inDeno, "nightly"],
    ...["vite5", "vite6"].flatMap((name) => [
        [sentence(`${name}'s server`), (test) => bundled(test, viteServer, name), "nightly"],
        [sentence(name), (test) => bundled(test, viteBuild, name), "nightly"],
    ]),
    [sentence("esbuild that copies the package's files"), (test) => bundled(test, esbuild, "esbuild", copied), "nightly"],
    [sentence("rollup that copies the package's files"), (test) => bundled(test, rollup, "rollup", copied), "nightly"],
    ...[["esbuild", esbuild], ["rollup", rollup]].flatMap(([name, bundle]) => [
        [`a project with ${name} at its defaults says where the WebAssembly is missing`, (test) => bundled(test, bundle, name, undefined, missing), "nightly"],
        [`a project with ${name} at its defaults runs with dunlin/compat`, (test) => bundled(test, bundle, name, compat, onlyOneThread), "nightly"],
    ]),
    ...["--turbopack", "--webpack"].map((flag) => [`${sentence(`Next ${flag}`)}, and in an API route`, (test) => bundled(test, next, flag), "nightly"]),
    ["a project with Vite 7 runs with dunlin/compat", (test) => bundled(test, viteBuild, "vite", compat, onlyOneThread), "nightly"],
];
