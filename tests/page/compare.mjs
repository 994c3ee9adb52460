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
    assert.match(await says(visit), /^One difference: boids see boids, alignment: strength \(neighbours it turns with\)\. A has 1, B has 0\.$/);
    await visit.until(() => /step [2-9]\d/.test(document.querySelector("figcaption").textContent));
    await visit.tab.screenshot({ path: join(test.scratch, "compare.png") });
    await visit.evaluate(() => [...document.querySelectorAll("#transport button")].find(({ ariaLabel }) => ariaLabel === "Pause").click());
    await visit.evaluate(() => dunlinComparison.play(false));
    await new Promise((resolve) => setTimeout(resolve, 500));
    const [one, two] = await visit.evaluate(() => [...document.querySelectorAll("figcaption small")].map(({ textContent }) => textContent));
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

/** The page opens the comparison of what runs, with what was changed, and the comparison leads back to it. */
async function fromPage(test) {
    const visit = await test.visit({ address: "?scenario=two_flocks" });
    await visit.evaluate(() => dunlinPage.set("species[0].max_speed", 0.25));
    const text = await visit.evaluate(() => dunlinPage.text);
    assert.match(text, /max_speed: 0.25/);
    await visit.evaluate(() => [...document.querySelectorAll("#exports button")].find(({ textContent }) => textContent === "Compare two").click());
    await visit.until(() => globalThis.dunlinComparison?.right.app.running);
    assert.equal(await visit.evaluate(() => document.getElementById("name").textContent), "two flocks");
    await visit.tab.click("#back");
    await visit.until(() => globalThis.dunlinPage?.running);
    assert.deepEqual(await visit.evaluate(() => [dunlinPage.text, dunlinPage.running.name]), [text, "two_flocks.yaml"]);
    assert.deepEqual(visit.problems, []);

    const shippedOne = await open(test, address);
    assert.equal(await shippedOne.evaluate(() => new URL(document.getElementById("back").href).search), "?scenario=cc124_flock");
}

/** Species have their names and numbers the words of the panel of rules; the three rules come first; each picture says what it has. */
async function speaksPlainly(test) {
    for (const [name, count] of [["predators", 4], ["mixed_flocks", 6], ["ecosystem", 2], ["noc_5_01_seek", 0]]) {
        const visit = await open(test, `compare.html?scenario=${name}`);
        const groups = await visit.evaluate(() => [...document.querySelectorAll("#choice optgroup")].map(({ label, children }) => [label, [...children].map(({ text }) => text)]));
        const labels = groups.flatMap(([, options]) => options);
        for (const label of [await says(visit), ...labels]) assert.doesNotMatch(label, /_|\[|\]|interactions|observe[rd]|max (speed|force)|half angle/, name);
        const three = groups[0][0] === "The three rules" ? groups[0][1] : [];
        assert.equal(three.length, count, name);
        assert.equal(new Set(labels).size, labels.length - count, `${name}: no two numbers are called the same`);
        const rules = three.map((label) => ["separation", "alignment", "cohesion"].indexOf(/^(.+) see \1, (\w+): strength$/.exec(label)?.[2]));
        assert.deepEqual(rules, rules.filter((rule) => rule >= 0).sort(), `${name}: ${three}`);
        await visit.evaluate(() => dunlinComparison.play(false));
        const captions = await visit.evaluate(() => [...document.querySelectorAll("figcaption")].map(({ innerText }) => innerText.replace(/\s+/g, " ")));
        const [, one, two] = /A has (\S+), B has (\S+)\.$/.exec(await says(visit));
        assert.match(captions[0], new RegExp(`^A .*${one} `), name);
        assert.match(captions[1], new RegExp(`^B .*${two} `), name);
        assert.deepEqual(visit.problems, []);
        await visit.close();
    }
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
    ["a comparison begins with a difference that the scenario allows", anyScenario, "nightly"],
    ["a comparison with a refused value runs again with another one", recovers, "nightly"],
    ["two worlds side by side take the same steps, differ in one number, and their link repeats them", differs, "nightly"],
    ["two worlds side by side have the same hash once the difference is undone", undone],
    ["the page opens two worlds side by side of what it runs, and they lead back to it", fromPage, "nightly"],
    ["a comparison speaks the words of the page, and begins with the three rules", speaksPlainly, "nightly"],
];
