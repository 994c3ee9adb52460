// SPDX-License-Identifier: MIT
// The page runs the native program's bits.
import assert from "node:assert/strict";
import { agentsOf, shipped, textOf } from "./native.mjs";

const steps = 60;
/** Agents of a scenario with more than so many, where all of them would take too long; nightly, only for the largest two. */
const [few, many] = [20_000, 50_000];
const runsFew = (test, name) => name.startsWith("million") || (!test.nightly && agentsOf(textOf(name)) > many);

/** All of them, or those of one remainder modulo 2: the others then run on the other number of threads. */
function hashesEqual(threads, remainder) {
    return async (test) => {
        const visit = await test.visit();
        for (const name of shipped.filter((_, i) => test.nightly || i % 2 === remainder)) {
            const agents = runsFew(test, name) ? few : undefined;
            const [native, running] = await Promise.all([
                test.native.shippedHash(name, steps, ...(agents ? [`--agents=${agents}`] : [])),
                visit.simulate(textOf(name), { threads, ...(agents ? { agents } : {}) }, steps),
            ]);
            assert.equal(running.about.threads, threads, name);
            assert.equal(await visit.ask("hash"), native, name);
        }
        assert.deepEqual(visit.problems, []);
    };
}

/** A tick beside the flock where its state is the native program's; nothing where there is nothing to compare with. */
async function showsTick(test) {
    const visit = await test.visit({ runs: false, address: "?scenario=noc_5_09_flock" });
    const says = (words) => visit.until((wanted) => document.querySelector("#proof output").textContent.startsWith(wanted), words);
    // Once the shipped text has been read.
    const saysAtLast = () => visit.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)).then(() =>
        document.querySelector("#proof output").textContent));
    await says(`✓ same bits as the native program after ${steps} steps`);
    await visit.begin();
    await visit.simulate(textOf("couzin"), {}, steps + 1, [], "couzin.yaml");
    await says("✓ same bits");
    await visit.simulate(textOf("vicsek"), { seed: "7" }, steps + 1, [], "vicsek.yaml");
    assert.equal(await saysAtLast(), "", "with another seed");
    await visit.simulate(textOf("vicsek").replace("weight: 1", "weight: 1.5"), {}, steps + 1, [], "couzin.yaml");
    assert.equal(await saysAtLast(), "", "another text by this name");
    assert.deepEqual(visit.problems, []);
}

export const tests = [1, 4].map((threads, remainder) => [
    `shipped scenarios have the native state hash after ${steps} steps on ${threads === 1 ? "one thread" : `${threads} threads`}`,
    hashesEqual(threads, remainder), threads === 1 ? "firefox nightly" : "firefox",
]).concat([["a simulation in its native state shows a tick, and one that is not comparable shows nothing", showsTick, "nightly"]]);
