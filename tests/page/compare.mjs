// SPDX-License-Identifier: MIT
// Two worlds with one difference: in step, equal without the difference, and in the address.
import assert from "node:assert/strict";
import { join } from "node:path";
import { shipped } from "./native.mjs";

export const longest = 300; // seconds: nightly all scenarios are compared
const address = "compare.html?scenario=cc124_flock";

/** Both worlds after so many steps from their beginning, and their hashes. */
const after = (visit, count) => visit.evaluate(async (steps) => {
    await dunlinComparison.play(false);
    dunlinComparison.again();
    for (let i = 0; i < steps; i++) await dunlinComparison.step();
    const { left, right } = dunlinComparison;
    const stories = await Promise.all([left, right].map(({ app }) => app.ask("story")));
    return { steps: stories.map(({ step }) => step), hashes: stories.map(({ hash }) => hash) };
}, count);

const says = (visit) => visit.evaluate(() => document.getElementById("says").textContent);

async function open(test, where) {
    const visit = await test.visit({ address: where, runs: false });
    await visit.until(() => globalThis.dunlinComparison?.right.app.running && /step [1-9]/.test(document.querySelectorAll("figcaption")[1].textContent));
    return visit;
}

async function differs(test) {
    const visit = await open(test, address);
    assert.match(await says(visit), /^One difference: interactions 1, alignment: strength is \S+ in the first, and 0 in the second\.$/);
    await visit.until(() => /step [2-9]\d/.test(document.querySelector("figcaption").textContent));
    await visit.tab.screenshot({ path: join(test.scratch, "compare.png") });
    await visit.evaluate(() => [...document.querySelectorAll("#transport button")].find(({ ariaLabel }) => ariaLabel === "Pause").click());
    await visit.evaluate(() => dunlinComparison.play(false));
    await new Promise((resolve) => setTimeout(resolve, 500));
    const [one, two] = await visit.evaluate(() => [...document.querySelectorAll("figcaption")].map(({ textContent }) => textContent));
    assert.equal(one, two);
    const { steps, hashes } = await after(visit, 60);
    assert.deepEqual(steps, [60, 60]);
    assert.notEqual(hashes[0], hashes[1]);
    assert.equal(hashes[0], await test.native.shippedHash("cc124_flock", 60));
    assert.deepEqual(visit.problems, []);

    const link = await visit.evaluate(() => location.search + location.hash);
    const other = await open(test, `compare.html${link}`);
    assert.equal(await says(other), await says(visit));
    assert.deepEqual((await after(other, 60)).hashes, hashes);
}

/** Without the difference both have the same bits. */
async function undone(test) {
    const visit = await open(test, address);
    await visit.evaluate(() => {
        document.querySelector("#play").click();
        [...document.querySelectorAll("#choice button")].at(-1).click();
    });
    await visit.until(() => document.getElementById("says").textContent === "Both are the same.");
    const { steps, hashes } = await after(visit, 60);
    assert.deepEqual(steps, [60, 60]);
    const wanted = await test.native.shippedHash("cc124_flock", 60);
    assert.deepEqual(hashes, [wanted, wanted]);
    assert.deepEqual(visit.problems, []);
}

/** The page opens the comparison of what runs. */
async function fromPage(test) {
    const visit = await test.visit({ address: "?scenario=two_flocks" });
    await visit.evaluate(() => [...document.querySelectorAll("#exports button")].find(({ textContent }) => textContent === "Compare two").click());
    await visit.until(() => globalThis.dunlinComparison?.right.app.running);
    assert.equal(await visit.evaluate(() => document.getElementById("name").textContent), "two flocks");
}

/** Whatever the scenario has, the difference is one that it may have, and both run. */
async function anyScenario(test) {
    const names = test.nightly ? shipped.filter((one) => !/million|creatures/.test(one)) : ["leader", "noc_5_01_seek", "trails"];
    const visit = await open(test, `compare.html?scenario=${names[0]}`);
    for (const name of names) {
        if (name !== names[0]) await visit.tab.goto(`${visit.origin}compare.html?scenario=${name}`);
        await visit.until(() => /step [2-9]/.test(document.querySelectorAll("figcaption")[1].textContent));
        assert.match(await says(visit), /^One difference: /, name);
        assert.equal(await visit.message(), "", name);
    }
    assert.deepEqual(visit.problems, []);
}

/** After a value that the engine refuses, any other one makes both run again. */
async function recovers(test) {
    const visit = await open(test, address);
    await visit.evaluate(() => dunlinComparison.change("world.time_step", 0));
    await visit.until(() => /time_step/.test(document.getElementById("messages").innerText));
    await visit.evaluate(() => [...document.querySelectorAll("#choice button")].at(-1).click());
    await visit.until(() => document.getElementById("says").textContent === "Both are the same.");
    await visit.until(() => [...document.querySelectorAll("figcaption")].every(({ textContent }) => /step [2-9]\d/.test(textContent)));
}

export const tests = [
    ["a comparison begins with a difference that the scenario allows", anyScenario],
    ["a comparison with a refused value runs again with another one", recovers],
    ["two worlds side by side take the same steps, differ in one number, and their link repeats them", differs],
    ["two worlds side by side have the same hash once the difference is undone", undone],
    ["the page opens two worlds side by side of what it runs", fromPage],
];
