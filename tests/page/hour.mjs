// SPDX-License-Identifier: MIT
// hour.mjs PAGE: 216 000 steps of predators, prey, births and deaths, an hour's flying at 60 steps a second, in node and in Chromium.
// Prints what lives after each twelfth: what grows every time leaks. An idle machine needs some minutes.
import { resolve } from "node:path";
import { launch, Visit } from "./driver.mjs";
import { makeFlock, textOf } from "./native.mjs";
import { census, watching } from "./watch.mjs";

const page = resolve(process.argv[2] ?? "build/page");
const [rounds, steps, agents] = [12, 18_000, 300];
const text = textOf("ecosystem");

async function inNode() {
    const flock = await makeFlock(page);
    flock.open(text);
    flock.fly({ agents });
    for (let round = 1; round <= rounds; round++) {
        flock.step(steps);
        globalThis.gc?.();
        const { step, agents, bytes } = flock.stats();
        console.log(`node: ${JSON.stringify({ step, agents, engine: bytes, heap: process.memoryUsage().heapUsed, hash: flock.hash() })}`);
    }
    flock.destroy();
}

/** Each twelfth is a flight of its own, which is drawn with trails at its end. */
async function inChromium() {
    const browser = await launch();
    const visit = await Visit.open(browser, page, { before: watching });
    await visit.tell({ do: "look", look: { trails: true } });
    for (let round = 1; round <= rounds; round++) {
        await visit.fly(text, { agents }, steps);
        for (let i = 0; i < 20; i++) await visit.tell({ do: "step" });
        const { stats } = await visit.tell({ do: "step" });
        console.log(`Chromium: ${JSON.stringify({ step: round * steps, agents: stats.agents, engine: stats.bytes, ...(await census(visit)) })}`);
    }
    await visit.close();
    await browser.close();
}

await inNode();
await inChromium();
process.exit(0);
