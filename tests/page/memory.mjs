// SPDX-License-Identifier: MIT
// A long simulation, accelerated: what fills an hour of play, in seconds. Memory that grows once may stay; what grows every round leaks.
import assert from "node:assert/strict";
import { shipped, textOf } from "./native.mjs";
import { census, watching } from "./watch.mjs";

const small = shipped.filter((name) => !name.startsWith("million"));
const MB = 2 ** 20;

/* Runs in the page: a round of play with one scenario. */
async function play(text, name) {
    const simulation = (command) => {
        const running = nextRun();
        dunlinPage.tell(command);
        return running;
    };
    const story = { text, name, settings: { agents: 1000 }, actions: [], step: 30 };
    const { about } = await simulation({ do: "open", story });
    const none = new Array(10 * about.dimensions).fill(0.5);
    for (let i = 0; i < 5; i++) {
        dunlinPage.act({ kind: "spawn", species: 0, positions: none.map((half, j) => half + j / 50), velocities: none });
        dunlinPage.act({ kind: "pull", place: about.size.map((size) => size / 2), radius: 10, weight: i % 2 });
        dunlinPage.tell({ do: "step" });
        await simulation({ do: "act", action: { kind: "rebuild", text, settings: {} } });
    }
    dunlinPage.tell({ do: "step" });
    await nextReport("frame");
    for (const what of ["hash", "story", "numbers", "metrics", "state", "picture"]) await dunlinPage.ask(what);
}

async function leaksNothing(test) {
    const visit = await test.visit({ before: watching });
    const counts = [];
    await visit.evaluate(() => dunlinPage.tell({ do: "play", on: false }));
    for (let round = 0; round < 4; round++) {
        for (const name of small) await visit.evaluate(play, textOf(name), `${name}.yaml`);
        await visit.simulate(textOf("default"), {}, 20);
        const { stats } = await visit.tell({ do: "step" });
        counts.push({ ...(await census(visit)), engine: stats.bytes });
    }
    const [, settled, , last] = counts;
    const grown = Object.fromEntries(Object.keys(last).map((what) => [what, last[what] - settled[what]]));
    const said = JSON.stringify(counts);
    assert.equal(grown.engine, 0, `the engine's bytes: ${said}`);
    assert.equal(grown.memory, 0, `the WebAssembly memory: ${said}`);
    assert.equal(grown.textures, 0, `textures: ${said}`);
    assert.ok(grown.workerHeap < MB && grown.pageHeap < MB, `JavaScript's heaps: ${said}`);
    assert.deepEqual(visit.problems, []);
}

export const tests = [["hundreds of simulations, rebuilds and spawns leak neither memory nor textures", leaksNothing, "nightly"]];
