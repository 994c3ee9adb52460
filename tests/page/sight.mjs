// SPDX-License-Identifier: MIT
// What the page shows of a chosen agent is what the engine lets it see.
import assert from "node:assert/strict";
import { makeFlock, textOf } from "./native.mjs";

/** All agents' neighbours together are the pairs that the engine finds useful in the next step. */
function sameNeighbours(text) {
    return async (test) => {
        const flock = await makeFlock(test.page);
        flock.open(text);
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

/** Birds among obstacles of every shape, of which some stand across a periodic edge. */
function hidden(size, boundary, limit = "") {
    const at = (x, y, z = 30) => `[${[x, y, z].slice(0, size.length)}]`;
    return `world: {dimensions: ${size.length}, size: [${size}], boundary: ${boundary}}
species: [{name: birds, agents: 600, max_speed: 1}]
interactions: [{separation: {radius: 9}, cohesion: {radius: 16, half_angle: 130}, sight_blocked: true${limit}}]
obstacles: [{ball: ${at(20, 20)}, radius: 4}, {ball: ${at(99, 50)}, radius: 3}, {capsule: [${at(40, 5)}, ${at(70, 60)}], radius: 0.5},
  {capsule: [${at(-4, 90)}, ${at(60, 95)}]}, {box: [${at(70, 70, 10)}, ${at(90, 74, 45)}]}, {box: [${at(30, 60, 10)}, ${at(32, 80, 45)}]}]
`;
}

const blocked = [["", hidden([100, 100], "periodic")], [", in a world with edges", hidden([100, 100], "reflect")],
    [", in 3D", hidden([100, 100, 60], "periodic")], [", as the nearest", hidden([100, 100], "periodic", ", nearest: 32")]];

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
    .map(([name, how]) => [`a chosen agent's neighbours are those of the engine, ${how}`, sameNeighbours(textOf(name))]),
...blocked.map(([how, text]) => [`a chosen agent does not see neighbours that obstacles hide${how}`, sameNeighbours(text)])];
