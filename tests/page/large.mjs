// SPDX-License-Identifier: MIT
// More agents than the 32 bits of WebAssembly's memory hold: an error says so, and what ran before runs on.
import assert from "node:assert/strict";
import { makeFlock, textOf } from "./native.mjs";

/** Agents in a row of scenarios with one kind of memory each. */
const sparse = "world: {size: [20000, 20000]}\nspecies:\n  - {name: birds, agents: 100}\n";
const scenarios = {
    "moving agents alone": sparse,
    "agents that see each other": `${sparse}interactions:\n  - {separation: {radius: 1}, alignment: {radius: 2}}\n`,
    "3D": sparse.replace("[20000, 20000]", "[900, 900, 900]").replace("{size", "{dimensions: 3, size") +
        "interactions:\n  - {separation: {radius: 1}}\n",
};

async function asks(test, text, agents) {
    const flock = await makeFlock(test.page);
    flock.open(textOf("default"));
    flock.simulate({ agents: 1000 });
    const before = flock.hash();
    flock.open(text);
    let message = "";
    try {
        flock.simulate({ agents });
        flock.step();
        assert.equal(flock.stats().agents, agents);
        assert.match(flock.hash(), /^[0-9a-f]{16}$/);
        return "";
    } catch (error) {
        assert.equal(error.name, "FlockError", error.stack);
        message = error.message;
        if (flock.stats().agents === 1000) assert.equal(flock.hash(), before);
    }
    flock.open(textOf("default"));
    flock.simulate({ agents: 500 });
    flock.step(3);
    flock.destroy();
    return message;
}

export const tests = Object.entries(scenarios).flatMap(([what, text]) => [
    [`5 million agents move: ${what}`, async (test) => assert.equal(await asks(test, text, 5e6), ""), what === "3D" ? "" : "nightly"],
    ...[150e6, 200e6, ...[28, 29, 30, 31].flatMap((power) => [2 ** power, 2 ** power + 1000]), 2 ** 32 - 1].map((agents) =>
        [`${agents} agents are refused with a message: ${what}`, async (test) => assert.match(await asks(test, text, agents), /memory|agents|must be/)]),
]);
