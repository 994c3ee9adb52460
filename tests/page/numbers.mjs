// SPDX-License-Identifier: MIT
// Numbers that are changed while the flock runs. controls.mjs moves the slider of each.
import assert from "node:assert/strict";
import { textOf } from "./native.mjs";

/** A world that shrinks takes its agents along; those outside move to its edge. */
async function smallerWorld(test) {
    const visit = await test.visit();
    await visit.simulate(textOf("default"), { agents: 1000 }, 5);
    for (const axis of [0, 1]) await visit.evaluate((path) => dunlinPage.act({ kind: "set", path, value: 50 }), `world.size[${axis}]`);
    const { stats } = await visit.tell({ do: "step" });
    assert.equal(stats.agents, 1000);
    const numbers = await visit.ask("numbers");
    assert.equal(numbers.find(({ path }) => path === "world.size[1]").value, 50);
    assert.equal(await visit.message(), "");
}

export const tests = [["a world that is made smaller keeps its agents", smallerWorld]];
