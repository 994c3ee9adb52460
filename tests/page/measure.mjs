// SPDX-License-Identifier: MIT
// measure.mjs PAGE PROGRAM [--rounds=N]: the figures of docs/page.md. Each round measures everything once, native and WebAssembly by
// turns, each the fastest of a few simulations, because other programs only slow a simulation; the medians of the rounds are printed. Give it an
// idle machine.
import { execFileSync } from "node:child_process";
import { loadavg } from "node:os";
import { resolve } from "node:path";
import { launch, Visit } from "./driver.mjs";
import { flockScript, textOf } from "./native.mjs";

const given = process.argv.slice(2);
const [page, program] = given.filter((argument) => !argument.startsWith("--")).map((path) => resolve(path));
const rounds = Number(given.find((argument) => argument.startsWith("--rounds="))?.slice(9) ?? 5);
const agents = 100000;
const steps = { million: 100, million_3d: 50 };
const simulations = 3;

/* Runs in a worker of the page, behind class Flock: runs without drawing; returns the milliseconds per step. */
const bench = `onmessage = async ({ data }) => {
    const { base, module, threads, text, agents, kernel, steps, simulations } = data;
    importScripts(base + module);
    const locateFile = (name) => base + name;
    const flock = new dunlin.Flock(await createDunlin({ threads: 2 * threads, mainScriptUrlOrBlob: base + module, locateFile }), threads);
    flock.open(text);
    const simulate = (steps) => {
        flock.simulate({ agents, threads, kernel });
        const begun = performance.now();
        flock.step(steps);
        return (performance.now() - begun) / steps;
    };
    simulate(10); // the browser compiles the module a second time, for speed
    await new Promise((resolve) => setTimeout(resolve, 500));
    const ms = Math.min(...Array.from({ length: simulations }, () => simulate(steps)));
    postMessage({ ms, hash: flock.hash() });
};`;

async function inBrowser(visit, scenario, { module = "dunlin.js", threads = 1, kernel = "simd128" } = {}) {
    return visit.evaluate((script, order) => {
        const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
        worker.postMessage(order);
        return new Promise((tell) => (worker.onmessage = ({ data }) => tell(data))).finally(() => worker.terminate());
    }, `${await flockScript}\n${bench}`,
        { base: visit.origin, module, threads, text: textOf(scenario), agents, kernel, steps: steps[scenario], simulations });
}

function natively(scenario, threads = 1) {
    const file = new URL(`../../harness/scenarios/${scenario}.yaml`, import.meta.url).pathname;
    const options = [`--agents=${agents}`, `--steps=${steps[scenario]}`, "--kernel=simd128", `--threads=${threads}`];
    const said = Array.from({ length: simulations }, () => execFileSync(program, ["run", file, ...options], { encoding: "utf8" }));
    const ms = Math.min(...said.map((text) => Number(/frame +([0-9.]+) ms/.exec(text)[1])));
    return { ms, hash: /state hash: (\w+)/.exec(said[0])[1] };
}

/** Frames a second of the page itself, run and drawn. */
async function framesPerSecond(browser, agents, look = {}) {
    const visit = await Visit.open(browser, page);
    await visit.simulate(textOf("default"), { agents });
    await visit.tell({ do: "look", look });
    await visit.tell({ do: "play", on: true });
    await new Promise((wait) => setTimeout(wait, 1000));
    const from = (await visit.next("frame")).stats.step;
    const begun = performance.now();
    await new Promise((wait) => setTimeout(wait, 4000));
    const frames = (await visit.next("frame")).stats.step - from;
    const seconds = (performance.now() - begun) / 1000;
    await visit.close();
    return frames / seconds;
}

async function round(browser) {
    const visit = await Visit.open(browser, page);
    await visit.evaluate(() => dunlinPage.tell({ do: "play", on: false }));
    const figures = {};
    for (const scenario of Object.keys(steps)) {
        const [native, wasm] = [natively(scenario), await inBrowser(visit, scenario)];
        if (native.hash !== wasm.hash) throw new Error(`${scenario}: the hashes differ`);
        figures[`${scenario}: native simd128, ms a step`] = native.ms;
        figures[`${scenario}: WebAssembly simd128, ms a step`] = wasm.ms;
        figures[`${scenario}: WebAssembly / native`] = native.ms / wasm.ms;
        figures[`${scenario}: WebAssembly scalar, ms a step`] = (await inBrowser(visit, scenario, { kernel: "scalar" })).ms;
        const [one, two] = [await inBrowser(visit, scenario, { module: "dunlin-threads.js" }),
            await inBrowser(visit, scenario, { module: "dunlin-threads.js", threads: 2 })];
        figures[`${scenario}: WebAssembly, two threads / one`] = one.ms / two.ms;
        figures[`${scenario}: native, two threads / one`] = native.ms / natively(scenario, 2).ms;
    }
    await visit.close();
    for (const count of [20000, 50000, 100000])
        figures[`default with ${count} agents, run and drawn, frames a second`] = await framesPerSecond(browser, count);
    figures["load"] = loadavg()[0];
    return figures;
}

const browser = await launch();
const all = [];
for (let i = 0; i < rounds; i++) {
    all.push(await round(browser));
    if (process.env.VERBOSE) console.log(all.at(-1));
}
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
for (const name of Object.keys(all[0])) console.log(`${median(all.map((figures) => figures[name])).toFixed(2).padStart(8)}  ${name}`);
await browser.close();
process.exit(0);
