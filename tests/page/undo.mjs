// SPDX-License-Identifier: MIT
// What was placed or changed can be taken back and done again; Back and Forward lead through scenarios as they were left.
import assert from "node:assert/strict";
import { textOf } from "./native.mjs";

const press = (visit, label) => visit.evaluate((wanted) => {
    const running = nextRun();
    document.querySelector(`#transport button[aria-label^="${wanted}"]`).click();
    return running.then(() => dunlinPage.text);
}, label);
/** Longer than the page waits for more changes. */
const wait = (ms = 400) => new Promise((resolve) => setTimeout(resolve, ms));

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
    await visit.evaluate(() => dunlinPage.begin());
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

/* ---- gestures ------------------------------------------------------------------------------------------------------------ */

const boxOf = async (visit, selector) => (await visit.tab.waitForSelector(selector)).boundingBox();

/** Drags over a part of an element, as on a page that is slow. */
async function drag(visit, selector, [from, to], pause = 400) {
    const { x, y, width, height } = await boxOf(visit, selector);
    const move = (share) => visit.tab.mouse.move(x + width * share, y + height / 2, { steps: 2 });
    await move(from);
    await visit.tab.mouse.down();
    for (const share of [0.4, 0.7, 1]) {
        await move(from + share * (to - from));
        await wait(pause);
    }
    await visit.tab.mouse.up();
}

async function keys(visit, selector, key = "ArrowUp") {
    await visit.tab.focus(selector);
    for (let i = 0; i < 2; i++) {
        await visit.tab.keyboard.press(key);
        await wait();
    }
}

const rule = '#controls [data-path="interactions[0].alignment.weight"] input';
const size = '#controls [data-path="world.size[0]"] input'; // the world is built again
/** Each is one gesture. */
const gestures = {
    "a weight, dragged": (visit) => drag(visit, "#flock .dial input[type=range]", [0.35, 0.8]),
    "a weight, by keys": (visit) => keys(visit, "#flock .dial input[type=range]"),
    "agents, dragged": (visit) => drag(visit, "#flock input[aria-label=Agents]", [0.3, 0.4]),
    "agents, by keys": (visit) => keys(visit, "#flock input[aria-label=Agents]"),
    "agents, in the field": (visit) => keys(visit, "#flock input.agents"),
    "the time step, by keys": (visit) => keys(visit, "#settings input[type=range]"),
    "a rule, dragged": (visit) => drag(visit, `${rule}[type=range]`, [0.2, 0.8]),
    "a rule, by keys": (visit) => keys(visit, `${rule}[type=range]`),
    "a rule, in the field": (visit) => keys(visit, `${rule}[type=number]`),
    "the size, dragged": (visit) => drag(visit, `${size}[type=range]`, [0.3, 0.6]),
    "the size, by keys": (visit) => keys(visit, `${size}[type=range]`),
    "a choice, by keys": (visit) => keys(visit, '#controls [data-path="world.boundary"] select', "ArrowDown"),
    "agents, by hand": (visit) => takeTool(visit, "3").then(() => drag(visit, "#sky", [0.3, 0.7], 900)),
    "a flow, by hand": (visit) => takeTool(visit, "8").then(() => drag(visit, "#sky", [0.3, 0.7], 900)),
    "agents, by keys on the flock": async (visit) => {
        await takeTool(visit, "3");
        for (const key of ["Enter", "ArrowUp", "ArrowUp", "Enter"]) {
            await visit.tab.keyboard.press(key);
            await wait(900);
        }
    },
};

async function takeTool(visit, key) {
    await visit.tab.focus("#sky");
    await visit.tab.keyboard.press(key);
}

/* Runs in the page: what undo has to bring back. */
const stateNow = async () => JSON.stringify([dunlinPage.text, dunlinPage.running.settings.agents ?? 0, (await dunlinPage.ask("story")).actions.filter(([, { kind }]) => /spawn|paint/.test(kind)).length]);

/** A press of the button leads to that state. */
async function expectAfter(visit, label, wanted, name) {
    await visit.evaluate((start) => document.querySelector(`#transport button[aria-label^="${start}"]`).click(), label);
    await visit.tab.waitForFunction(`(${stateNow})().then((now) => now === ${JSON.stringify(wanted)})`, { timeout: 15000, polling: 100 })
        .catch(async () => assert.equal(await visit.evaluate(stateNow), wanted, `${name}: ${label}`));
}

/** One gesture is one step, however slowly its parts come. */
async function gesturesAreSteps(test) {
    const visit = await test.visit({ size: [1280, 720] });
    await visit.simulate(textOf("cc124_flock"), { agents: 100 }, 5, [], "one.yaml");
    await visit.evaluate(() => (document.getElementById("engine").open = true));
    for (const [name, act] of Object.entries(gestures)) {
        await visit.evaluate((panel) => dunlinPage.show(panel), /rule|size|choice/.test(name) ? "controls" : "flock");
        if (/size|choice/.test(name)) await visit.evaluate(() => {
            const filter = document.querySelector("#controls input[type=search]");
            filter.value = "world";
            filter.dispatchEvent(new Event("input"));
        });
        const before = await visit.evaluate(stateNow);
        await act(visit);
        await wait();
        const after = await visit.evaluate(stateNow);
        assert.notEqual(after, before, name);
        await expectAfter(visit, "Undo", before, name);
        await expectAfter(visit, "Redo", after, name);
        await expectAfter(visit, "Undo", before, name);
    }
    assert.deepEqual(visit.problems, []);
}

/** Two gestures are two steps, however soon one comes after the other; and undo needs no wait. */
async function quickGestures(test) {
    const visit = await test.visit({ size: [1280, 720] });
    await visit.simulate(textOf("cc124_flock"), { agents: 100 }, 5, [], "one.yaml");
    await visit.evaluate(() => dunlinPage.show("flock"));
    const states = [await visit.evaluate(stateNow)];
    const sliders = await visit.evaluate(() => [...document.querySelectorAll("#flock .dial input[type=range]")].slice(0, 2).map((slider, i) => (slider.id = `slider-${i}`)));
    for (const slider of sliders) {
        await drag(visit, `#${slider}`, [0.35, 0.8], 0);
        states.push(await visit.evaluate(stateNow));
    }
    await visit.tab.keyboard.down("Control");
    for (const wanted of states.slice(0, 2).reverse()) {
        await visit.evaluate(() => void (globalThis.running = nextRun()));
        await visit.tab.keyboard.press("z");
        await visit.evaluate(() => running);
        assert.equal(await visit.evaluate(stateNow), wanted);
    }
    await visit.tab.keyboard.up("Control");
    assert.deepEqual(visit.problems, []);
}

/** Typed into a field and left for another control, dragged at once: two steps. */
async function typedAndLeft(test) {
    const visit = await test.visit({ size: [1280, 720] });
    await visit.simulate(textOf("cc124_flock"), { agents: 100 }, 5, [], "one.yaml");
    await visit.evaluate(() => dunlinPage.show("controls"));
    const before = await visit.evaluate(stateNow);
    const { x, y } = await boxOf(visit, `${rule}[type=number]`);
    await visit.tab.mouse.click(x + 5, y + 5, { count: 3 });
    await visit.tab.keyboard.type("0.25");
    await drag(visit, '#controls [data-path="interactions[0].cohesion.weight"] input[type=range]', [0.2, 0.8]);
    await wait();
    assert.match(await press(visit, "Undo"), /alignment: .*weight: 0.25/);
    await press(visit, "Undo");
    assert.equal(await visit.evaluate(stateNow), before);
    assert.deepEqual(visit.problems, []);
}

/** What the worker refuses is no step, and an edit that is on its way is not lost when the answer to the one before comes. */
async function refusedIsNoStep(test) {
    const visit = await test.visit();
    await visit.simulate(textOf("cc124_flock"), { agents: 100 }, 5, [], "one.yaml");
    const before = await visit.evaluate(stateNow);
    await visit.evaluate(async () => {
        const failed = nextReport("failed");
        dunlinPage.edit(`${dunlinPage.text}wrong: 1\n`);
        await failed;
        await nextReport("running");
        dunlinPage.edit(`${dunlinPage.text}# one\n`);
        dunlinPage.edit(`${dunlinPage.text}# two\n`);
        await nextReport("running");
        dunlinPage.edit(`${dunlinPage.text}# three\n`);
        while (!/three/.test(dunlinPage.running.text)) await nextReport("running");
    });
    assert.match(await visit.evaluate(() => dunlinPage.text), /# one\n# two\n# three\n$/);
    for (let i = 0; i < 3; i++) await press(visit, "Undo");
    assert.equal(await visit.evaluate(stateNow), before);
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
    await visit.evaluate(() => dunlinPage.edit(`${dunlinPage.text}# later\n`));
    await press(visit, "Undo");
    assert.equal(await press(visit, "Undo"), text, "what came after it was undone before");
    assert.equal(await visit.ask("hash"), hash);
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

export const longest = 240; // fifteen gestures, slowly

export const tests = [
    ["numbers, edits and placed agents are undone one by one and done again, by buttons and by keys", undoAndRedo],
    ["one gesture by pointer, keys or hand is one step of undo, however slow the page is", gesturesAreSteps, "nightly"],
    ["two gestures are two steps of undo, however soon one comes after the other", quickGestures, "nightly"],
    ["what is typed and left for another control is a step of undo by itself", typedAndLeft, "nightly"],
    ["what the engine refuses is no step of undo, and edits on their way are kept", refusedIsNoStep],
    ["what follows the pointer is no step of undo", pointerIsNoStep, "nightly"],
    ["a predator is undone as one change", undoPredator, "nightly"],
    ["Back and Forward lead through scenarios as they were left", backAndForward],
    ["a restart brings placed agents back if asked", restartKeeps, "nightly"],
    ["a shared run is watched from its beginning and waits in the state that was shared", watchShared, "nightly"],
];
