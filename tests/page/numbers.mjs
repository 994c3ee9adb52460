// SPDX-License-Identifier: MIT
// Every number of every shipped scenario can be changed while the flock flies, and the engine has the new value then.
import assert from "node:assert/strict";
import { shipped, textOf } from "./native.mjs";

/** Values that a number does not have yet, near the one that it has and within its range. */
function others({ value, standard, min, max, whole }) {
    const from = value ?? standard ?? (whole ? 1 : 0.5);
    const steps = whole ? [from + 1, from - 1] : [1.1 * from, 0.9 * from, from + 0.25];
    return steps.filter((next) => next !== from && next > (min ?? -Infinity) && next < (max ?? Infinity));
}

function isClose(got, wanted) {
    return got !== null && Math.abs(got - wanted) <= 1e-6 * Math.abs(wanted);
}

/* What holds for the scenario as a whole, and not for a number alone. */
const reasons = /teleport boundary|allowed: only with (response|role)|not both|a box has none|min_speed is .* at most 0 /;

/* Runs in the page: sets numbers one after another; resolves to what the engine has then, and what it said. */
async function setAll(changes) {
    let said = null;
    dunlinPage.on("failed", (report) => (said = report.message));
    const results = [];
    const set = async (path, value) => {
        said = null;
        dunlinPage.act({ kind: "set", path, value });
        const numbers = await dunlinPage.ask("numbers");
        return { path, value, got: numbers.find((number) => number.path === path).value, said };
    };
    for (const [path, values] of changes) {
        let result = await set(path, values[0]);
        for (let i = 1; i < values.length && said !== null; i++) result = await set(path, values[i]);
        results.push(result);
    }
    return results;
}

async function everyNumber(test) {
    const visit = await test.visit();
    let refused = 0;
    for (const name of shipped) {
        await visit.fly(textOf(name), { agents: 300, threads: 1 }, 1);
        const before = await visit.ask("numbers");
        const changes = before.map((number) => [number.path, others(number)]);
        for (const [i, { path, value, got, said }] of (await visit.evaluate(setAll, changes)).entries()) {
            if (said !== null) {
                refused++;
                assert.match(said, reasons, `${name}: ${path}: ${said}`);
                assert.equal(got, before[i].value, `${name}: ${path} was refused and keeps its value`);
            } else assert.ok(isClose(got, value), `${name}: ${path} is ${got} after it was set to ${value}`);
        }
    }
    assert.ok(refused < 400, `${refused} were refused`);
    assert.deepEqual(visit.problems, []);
}

/** A world that shrinks takes its agents along; those outside move to its edge. */
async function smallerWorld(test) {
    const visit = await test.visit();
    await visit.fly(textOf("default"), { agents: 1000 }, 5);
    for (const axis of [0, 1]) await visit.evaluate((path) => dunlinPage.act({ kind: "set", path, value: 50 }), `world.size[${axis}]`);
    const { stats } = await visit.tell({ do: "step" });
    assert.equal(stats.agents, 1000);
    const numbers = await visit.ask("numbers");
    assert.equal(numbers.find(({ path }) => path === "world.size[1]").value, 50);
    assert.equal(await visit.message(), "");
}

export const tests = [["every number of every shipped scenario follows a change during the flight, or says why not", everyNumber],
    ["a world that is made smaller keeps its agents", smallerWorld]];
