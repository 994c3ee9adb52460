// SPDX-License-Identifier: MIT
// hour.mjs PAGE: 216 000 steps of predators, prey, births and deaths, an hour's running at 60 steps a second, in node and in Chromium.
// Prints what lives twelve times on the way: what keeps growing leaks. An idle machine needs some minutes.
import { resolve } from "node:path";
import { launch, Visit } from "./driver.mjs";
import { makeFlock, textOf } from "./native.mjs";
import { census, watching } from "./watch.mjs";

const page = resolve(process.argv[2] ?? "build/page");
const [steps, agents] = [216_000, 300];
const simulations = 120; // in Chromium, of which each tenth is printed
const text = textOf("ecosystem");

async function inNode() {
    const flock = await makeFlock(page);
    flock.open(text);
    flock.simulate({ agents });
    for (let twelfth = 0; twelfth < 12; twelfth++) {
        flock.step(steps / 12);
        globalThis.gc?.();
        const { step, agents, bytes } = flock.stats();
        console.log(`node: ${JSON.stringify({ step, agents, engine: bytes, heap: process.memoryUsage().heapUsed, hash: flock.hash() })}`);
    }
    flock.destroy();
}

/** Many simulations, each drawn with trails at its end: what a simulation leaves behind adds up; what the browser compiles and caches does not. */
async function inChromium() {
    const browser = await launch();
    const visit = await Visit.open(browser, page, { before: watching });
    await visit.tell({ do: "look", look: { trails: true } });
    for (let simulation = 1; simulation <= simulations; simulation++) {
        await visit.simulate(text, { agents }, steps / simulations);
        for (let i = 0; i < 20; i++) await visit.tell({ do: "step" });
        const { stats } = await visit.tell({ do: "step" });
        const lives = { simulation, agents: stats.agents, engine: stats.bytes, ...(await census(visit)) };
        if (simulation % 10 === 0) console.log(`Chromium: ${JSON.stringify(lives)}`);
    }
    await visit.close();
    await browser.close();
}

await inNode();
await inChromium();
process.exit(0);
