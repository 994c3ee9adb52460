// SPDX-License-Identifier: MIT
// The page flies the native program's bits.
import assert from "node:assert/strict";
import { shipped, textOf } from "./native.mjs";

const steps = 60;
const fewer = { million: 20000, million_3d: 20000 }; // agents, where all of them would take too long

function hashesEqual(threads) {
    return async (test) => {
        const visit = await test.visit();
        for (const name of shipped) {
            const agents = fewer[name];
            const [native, flying] = await Promise.all([
                test.native.shippedHash(name, steps, ...(agents ? [`--agents=${agents}`] : [])),
                visit.fly(textOf(name), { threads, ...(agents ? { agents } : {}) }, steps),
            ]);
            assert.equal(flying.about.threads, threads, name);
            assert.equal(await visit.ask("hash"), native, name);
        }
        assert.deepEqual(visit.problems, []);
    };
}

export const tests = [1, 4].map((threads) => [
    `every shipped scenario has the native state hash after ${steps} steps on ${threads === 1 ? "one thread" : `${threads} threads`}`,
    hashesEqual(threads),
]);
