// SPDX-License-Identifier: MIT
// What is odd or wild breaks nothing.
import assert from "node:assert/strict";
import { textOf } from "./native.mjs";

/** The flight goes on, and the browser complained about nothing. */
async function stillFlies(visit) {
    await visit.tell({ do: "play", on: true });
    const { stats } = await visit.next("frame");
    await visit.until((step) => nextReport("frame").then((frame) => frame.stats.step > step), stats.step);
    assert.deepEqual(visit.problems, []);
}

/** Sets a number 10 000 times within a second, as a wild slider would. */
async function wildSliders(test) {
    const visit = await test.visit();
    await visit.fly(textOf("default"));
    await visit.tell({ do: "play", on: true });
    const path = "interactions[0].alignment.weight";
    await visit.evaluate(async (number) => {
        for (let begin = performance.now(), i = 1; i <= 10000; i++) {
            dunlinPage.set(number, i / 20000);
            if (i % 100 === 0) await new Promise((resolve) => setTimeout(resolve, Math.max(0, begin + i / 10 - performance.now())));
        }
    }, path);
    await visit.next("frame");
    await visit.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const numbers = await visit.ask("numbers");
    assert.equal(numbers.find((number) => number.path === path).value, 0.5);
    const { actions } = await visit.ask("story");
    assert.ok(actions.length < 250, `${actions.length} changes were kept`);
    await stillFlies(visit);
}

async function resizing(test) {
    const visit = await test.visit();
    for (const [width, height] of [[320, 480], [1, 1], [2500, 300], [200, 2000], [1000, 625]]) {
        await visit.tab.setViewport({ width, height });
        await visit.next("frame");
    }
    await stillFlies(visit);
}

async function hiddenTab(test) {
    const visit = await test.visit();
    const other = await test.browser.newPage();
    await other.bringToFront();
    await visit.until(() => document.visibilityState === "hidden");
    await new Promise((resolve) => setTimeout(resolve, 1000));
    assert.match(await visit.ask("hash"), /^[0-9a-f]{16}$/, "a hidden page still answers");
    await other.close();
    await visit.tab.bringToFront();
    await stillFlies(visit);
}

export const tests = [
    ["10 000 changes of a number within a second: the last one counts, few are kept, the flock flies on", wildSliders],
    ["the page takes any size of its window, even one pixel", resizing],
    ["a hidden page answers, and flies on when it is shown again", hiddenTab],
];
