// SPDX-License-Identifier: MIT
// What the page shows of a chosen agent is what the engine lets it see.
import assert from "node:assert/strict";
import { makeFlock, textOf } from "./native.mjs";

/** All agents' neighbours together are the pairs that the engine finds useful in the next step. */
function sameNeighbours(name) {
    return async (test) => {
        const flock = await makeFlock(test.page);
        flock.open(textOf(name));
        flock.simulate();
        flock.step(50);
        const ids = flock.about().species.flatMap((_, species) => [...flock.view(species).id]);
        const seen = (id) => flock.agent(id).sights.reduce((sum, sight) => sum + sight.neighbours.length, 0);
        const neighbours = ids.reduce((sum, id) => sum + seen(id), 0);
        flock.step();
        assert.ok(neighbours > 0);
        assert.equal(neighbours, flock.stats().pairs_useful);
        assert.equal(flock.agent(4294967294), null);
        flock.destroy();
    };
}

const scenes = { obstacles: "across periodic edges", field_of_view: "in a field of view", variety: "with radii of their own",
    topological: "as the seven nearest" };

/** A model's callbacks choose their pairs, so the engine cannot count those that are useful. */
async function saysWhatIsCounted(test) {
    const flock = await makeFlock(test.page);
    for (const [name, isCounted] of [["couzin", false], ["default", true]]) {
        flock.open(textOf(name));
        flock.simulate();
        flock.step();
        const { pairs_tested, pairs_useful } = flock.stats();
        assert.ok(pairs_tested > 0, name);
        assert.ok(isCounted ? pairs_useful > 0 : pairs_useful === null, `${name}: ${pairs_useful}`);
    }
    flock.destroy();
}

export const tests = [["useful pairs are counted or left out", saysWhatIsCounted], ...Object.entries(scenes)
    .map(([name, how]) => [`a chosen agent's neighbours are those of the engine, ${how}`, sameNeighbours(name)])];
