// SPDX-License-Identifier: MIT
// peers.mjs PAGE FOLDER [--rounds=N]: how many agents move and are drawn at 20 frames a second, here and in plain JavaScript, all in
// the same browser. FOLDER holds the npm packages boids and events (docs/page.md says how to get them). Give it an idle machine.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, require, Visit } from "./driver.mjs";

const given = process.argv.slice(2);
const [page, packages] = given.filter((argument) => !argument.startsWith("--")).map((path) => resolve(path));
const rounds = Number(given.find((argument) => argument.startsWith("--rounds="))?.slice(9) ?? 3);
const wanted = 20; // frames a second
const seconds = 2.5;

/** The work of class Sketch (peers/flocks.js): the same rules, radii and density. */
function scenario(agents) {
    const width = Math.sqrt(3.2 * agents * 1.6);
    return `name: the same work
world:
  size: [${width}, ${(3.2 * agents) / width}]
  boundary: periodic
species:
  - {name: dunlins, min_speed: 0.25, max_speed: 0.5, max_force: 0.03, agents: ${agents}}
interactions:
  - separation: {radius: 1.6, weight: 1.8}
    alignment: {radius: 4}
    cohesion: {radius: 4, weight: 0.35}
`;
}

/** A folder with the page of the peers. */
async function peersPage() {
    const folder = mkdtempSync(join(tmpdir(), "dunlin-peers-"));
    await require("esbuild").build({
        entryPoints: [fileURLToPath(new URL("peers/flocks.js", import.meta.url))], outfile: join(folder, "flocks.js"), bundle: true,
        format: "iife", nodePaths: [join(packages, "node_modules")], logLevel: "error",
    });
    writeFileSync(join(folder, "index.html"), '<!doctype html><canvas width="1000" height="625"></canvas><script src="flocks.js"></script>');
    return folder;
}

async function rateOfPeer(visit, name, agents) {
    await visit.tab.bringToFront();
    return visit.evaluate((...what) => framesPerSecond(...what), name, agents, seconds);
}

async function rateOfPage(visit, agents) {
    await visit.tab.bringToFront();
    await visit.simulate(scenario(agents));
    await visit.tell({ do: "play", on: true });
    await new Promise((wait) => setTimeout(wait, 700));
    const from = (await visit.next("frame")).stats.step;
    const begun = performance.now();
    await new Promise((wait) => setTimeout(wait, 1000 * seconds));
    const frames = (await visit.next("frame")).stats.step - from;
    const rate = (1000 * frames) / (performance.now() - begun);
    await visit.tell({ do: "play", on: false });
    return rate;
}

/** Flocks grow until they are too slow; between the last two, logarithms are interpolated. */
async function agentsAtRate(rate, first) {
    let before = null;
    for (let agents = first; ; agents = Math.round(1.4 * agents)) {
        const now = await rate(agents);
        if (process.env.VERBOSE) console.log(agents, now.toFixed(1));
        if (now >= wanted) before = { agents, rate: now };
        else if (before === null) return agents;
        else return before.agents * (agents / before.agents) ** ((before.rate - wanted) / (before.rate - now));
    }
}

const folder = await peersPage();
const browser = await launch();
const all = { "this page": [], "a sketch in plain JavaScript": [], "the package boids": [] };
const loads = [];
for (let i = 0; i < rounds; i++) {
    const peers = await Visit.open(browser, folder, { runs: false });
    all["a sketch in plain JavaScript"].push(await agentsAtRate((agents) => rateOfPeer(peers, "sketch", agents), 500));
    all["the package boids"].push(await agentsAtRate((agents) => rateOfPeer(peers, "boids", agents), 500));
    await peers.close();
    const own = await Visit.open(browser, page);
    all["this page"].push(await agentsAtRate((agents) => rateOfPage(own, agents), 4000));
    await own.close();
    loads.push(loadavg()[0]);
}
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
for (const [name, counts] of Object.entries(all))
    console.log(`${String(Math.round(median(counts))).padStart(8)}  ${name}: agents at ${wanted} frames a second (${counts.map(Math.round).join(", ")})`);
console.log(`${median(loads).toFixed(1).padStart(8)}  load`);
rmSync(folder, { recursive: true });
await browser.close();
process.exit(0);
