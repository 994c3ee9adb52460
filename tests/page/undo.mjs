// SPDX-License-Identifier: MIT
// What was placed or changed can be taken back and done again; Back and Forward lead through scenarios as they were left.
import assert from "node:assert/strict";
import { textOf } from "./native.mjs";

const press = (visit, label) => visit.evaluate((wanted) => {
    const running = nextRun();
    document.querySelector(`#transport button[aria-label^="${wanted}"]`).click();
    return running.then(() => dunlinPage.text);
}, label);
/** Longer than the parts of one change are apart. */
const wait = () => new Promise((resolve) => setTimeout(resolve, 1000));

/* Changes the weight, then the boundary. Runs in the page. */
async function changeTwice() {
    dunlinPage.set("interactions[0].alignment.weight", 0.25);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const running = nextRun();
    dunlinPage.edit(dunlinPage.text.replace("boundary: periodic", "boundary: reflect"));
    await running;
}

/** Numbers, edits and agents that were placed go one by one, by buttons and keys, and come back. */
async function undoAndRedo(test) {
    const visit = await test.visit();
    await visit.simulate(textOf("default"), { agents: 500 }, 5, [], "one.yaml");
    const texts = [await visit.evaluate(() => dunlinPage.text)];
    await visit.evaluate(changeTwice);
    texts.push(await visit.evaluate(() => dunlinPage.text));
    assert.match(texts[1], /weight: 0.25/);
    assert.match(texts[1], /reflect/);
    const before = await visit.ask("hash");
    await wait();
    for (const x of [10, 20]) await visit.evaluate((at) => dunlinPage.act({ kind: "spawn", species: 0, positions: [at, 5], velocities: [0.3, 0] }), x);
    const placed = await visit.ask("hash");
    assert.notEqual(placed, before);

    await visit.tab.focus("#sky");
    await visit.tab.keyboard.down("Control");
    await visit.evaluate(() => void (globalThis.running = nextRun()));
    await visit.tab.keyboard.press("z");
    await visit.evaluate(() => running);
    assert.equal(await visit.ask("hash"), before, "both agents go");
    await visit.tab.keyboard.down("Shift");
    await visit.tab.keyboard.press("z");
    await visit.tab.keyboard.up("Shift");
    await visit.tab.keyboard.up("Control");
    assert.equal(await visit.ask("hash"), placed, "and come back");

    await press(visit, "Undo");
    const middle = await press(visit, "Undo");
    assert.match(middle, /weight: 0.25/);
    assert.match(middle, /periodic/);
    await press(visit, "Undo");
    assert.ok(await visit.evaluate(() => document.querySelector('#transport button[aria-label^="Undo"]').disabled === false), "the scenario before");
    assert.doesNotMatch(await visit.evaluate(() => dunlinPage.text), /weight: 0.25/);
    await press(visit, "Redo");
    assert.equal(await press(visit, "Redo"), texts[1]);
    assert.deepEqual(visit.problems, []);
}

/** What follows the pointer is no step. */
async function pointerIsNoStep(test) {
    const visit = await test.visit({ address: "?scenario=noc_5_01_seek" });
    const canUndo = () => visit.evaluate(() => !document.querySelector('#transport button[aria-label^="Undo"]').disabled);
    await visit.tab.mouse.move(300, 300);
    const before = await visit.evaluate(() => dunlinPage.text);
    for (const x of [350, 400]) {
        await visit.tab.mouse.move(x, 320, { steps: 3 });
        await new Promise((resolve) => setTimeout(resolve, 500));
    }
    assert.notEqual(await visit.evaluate(() => dunlinPage.text), before, "the target follows the pointer");
    assert.equal(await canUndo(), false);
    await visit.evaluate(() => dunlinPage.edit(`${dunlinPage.text}# more\n`));
    await visit.until(() => !document.querySelector('#transport button[aria-label^="Undo"]').disabled);
    assert.deepEqual(visit.problems, []);
}

/** A predator is one change, although it is a species and an agent. */
async function undoPredator(test) {
    const visit = await test.visit();
    await visit.simulate(textOf("mixed_flocks"), { agents: 300 }, 5, [], "one.yaml");
    const [text, hash] = [await visit.evaluate(() => dunlinPage.text), await visit.ask("hash")];
    await visit.tab.focus("#sky");
    await visit.evaluate(() => void (globalThis.running = nextRun()));
    await visit.tab.keyboard.press("4");
    await visit.tab.keyboard.press("Enter");
    await visit.evaluate(() => running);
    await visit.until(() => dunlinPage.ask("story").then(({ actions }) => actions.some(([, { kind }]) => kind === "spawn")));
    assert.equal(await press(visit, "Undo"), text);
    assert.equal(await visit.ask("hash"), hash);
    assert.match(await press(visit, "Redo"), /pursue/);
    assert.equal((await visit.tell({ do: "look", look: {} })).stats.agents, 301);
    assert.deepEqual(visit.problems, []);
}

/** Back leads to the scenario before, with what was changed there; Forward to the other one. */
async function backAndForward(test) {
    const visit = await test.visit({ address: "?scenario=noc_5_09_flock" });
    await visit.evaluate(() => {
        dunlinPage.set("interactions[0].alignment.weight", 0.125);
        return new Promise((resolve) => setTimeout(resolve, 500));
    });
    await visit.evaluate(() => {
        dunlinPage.show("gallery");
    });
    await visit.until(() => document.querySelector(".card") !== null);
    await visit.evaluate(() => {
        const running = nextRun();
        [...document.querySelectorAll(".card")].find(({ textContent }) => /ortex/.test(textContent)).click();
        return running;
    });
    const other = await visit.evaluate(() => dunlinPage.running.name);
    assert.notEqual(other, "noc_5_09_flock.yaml");
    await visit.tab.goBack();
    await visit.until(() => dunlinPage.running.name === "noc_5_09_flock.yaml");
    assert.match(await visit.evaluate(() => dunlinPage.text), /weight: 0.125/);
    assert.match(visit.tab.url(), /scenario=noc_5_09_flock$/);
    await visit.tab.goForward();
    await visit.until((name) => dunlinPage.running.name === name, other);
    assert.deepEqual(visit.problems, []);
}

/** A restart says that placed agents are gone, and brings them back if asked. */
async function restartKeeps(test) {
    const visit = await test.visit();
    await visit.simulate(textOf("default"), { agents: 300 }, 5);
    await visit.evaluate(() => dunlinPage.act({ kind: "spawn", species: 0, positions: [10, 5], velocities: [0.3, 0] }));
    assert.equal((await visit.tell({ do: "look", look: {} })).stats.agents, 301);
    await press(visit, "Restart");
    assert.equal((await visit.tell({ do: "look", look: {} })).stats.agents, 300);
    await visit.evaluate(() => {
        const running = nextRun();
        [...document.querySelectorAll("#messages button")].find(({ textContent }) => /Keep what I placed/.test(textContent)).click();
        return running;
    });
    const { stats } = await visit.tell({ do: "look", look: {} });
    assert.deepEqual([stats.agents, stats.step], [301, 0]);
    assert.deepEqual(visit.problems, []);
}

/** A run that was shared is watched from its beginning, waits at its step, and ends in the same state. */
async function watchShared(test) {
    const visit = await test.visit();
    await visit.simulate(textOf("noc_5_09_flock"), {}, 5, [], "shared.yaml");
    await visit.tell({ do: "act", action: { kind: "set", path: "interactions[0].cohesion.weight", value: 0.5 } });
    for (let i = 0; i < 20; i++) await visit.tell({ do: "step" });
    const hash = await visit.ask("hash");
    await visit.evaluate(() => [...document.querySelectorAll("button")].find(({ textContent }) => textContent.trim() === "Copy link").click());
    await visit.until(() => document.querySelector("#exports input[aria-label='The link']").value !== "");
    const link = await visit.evaluate(() => document.querySelector("#exports input[aria-label='The link']").value);
    const other = await test.visit({ address: link.slice(link.indexOf("#")) });
    await other.until((wanted) => dunlinPage.ask("hash").then((now) => now === wanted), hash);
    const begins = await other.evaluate(async () => {
        const running = nextRun();
        [...document.querySelectorAll("#messages button")].find(({ textContent }) => /Watch from the beginning/.test(textContent)).click();
        await running;
        return (await dunlinPage.ask("story")).step;
    });
    assert.ok(begins < 25, `it begins at step ${begins}`);
    await other.until(() => dunlinPage.ask("story").then(({ step }) => step === 25));
    assert.equal(await other.ask("hash"), hash);
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal((await other.ask("story")).step, 25, "it waits there");
    assert.deepEqual([...visit.problems, ...other.problems], []);
}

export const tests = [
    ["numbers, edits and placed agents are undone one by one and done again, by buttons and by keys", undoAndRedo],
    ["what follows the pointer is no step of undo", pointerIsNoStep],
    ["a predator is undone as one change", undoPredator],
    ["Back and Forward lead through scenarios as they were left", backAndForward],
    ["a restart brings placed agents back if asked", restartKeeps],
    ["a shared run is watched from its beginning and waits in the state that was shared", watchShared],
];
