// SPDX-License-Identifier: MIT
// The lessons, through their own buttons.
import assert from "node:assert/strict";
import { shipped } from "./native.mjs";

/* Runs in the page: helpers to use the panel of lessons. */
function pupil() {
    const panel = document.querySelector("#lessons .lesson");
    globalThis.lesson = () => panel.dataset.lesson;
    globalThis.press = (label) => [...panel.querySelectorAll("button")].find((button) => button.textContent === label).click();
    globalThis.choose = (name) => {
        const select = panel.querySelector("select");
        select.value = name;
        select.onchange();
    };
    globalThis.tries = () => [...panel.querySelectorAll(".try button")].slice(0, -1).map((button) => button.textContent);
    globalThis.parts = () => ["h2", "h3 + p", "svg :not(defs, marker)", "code", "ul a"].filter((part) => panel.querySelector(part) === null);
}

async function begin(test, address = "?lesson=1") {
    const visit = await test.visit({ address });
    await visit.evaluate(pupil);
    await visit.until(() => lesson() !== undefined);
    await visit.evaluate(() => dunlinPage.show("lessons"));
    return visit;
}

const lessonsOf = (visit) => visit.evaluate(async () => (await fetch("lessons.json")).json());

/** The way through the course, by Next. The address leads to each lesson again. */
async function course(test) {
    const visit = await begin(test);
    const { course: names } = await lessonsOf(visit);
    assert.equal(names.length, 12);
    for (const [i, name] of names.entries()) {
        await visit.until((wanted) => lesson() === wanted, name);
        assert.equal(await visit.evaluate(() => location.search), `?lesson=${i + 1}`);
        assert.deepEqual(await visit.evaluate(() => parts()), [], name);
        if (i + 1 < names.length) await visit.evaluate(() => press("Next"));
    }
    assert.deepEqual(visit.problems, []);
}

async function fromAddress(test) {
    const visit = await begin(test, "?lesson=6");
    assert.equal(await visit.evaluate(() => lesson()), (await lessonsOf(visit)).course[5]);
    assert.equal(await visit.evaluate(() => document.body.dataset.panel), "lessons");
    assert.deepEqual(visit.problems, []);
}

/* Runs in the page: opens a lesson, and presses every button under Things to try. Few agents are quick. */
async function tryAll(name) {
    const said = [];
    dunlinPage.on("failed", ({ message }) => said.push(message));
    const after = (act) => {
        const running = nextRun();
        act();
        return running;
    };
    if (lesson() !== name) await after(() => choose(name));
    await after(() => dunlinPage.restart({ ...dunlinPage.running.settings, agents: 300 }));
    for (const label of tries()) {
        const state = () => JSON.stringify([dunlinPage.text, dunlinPage.running.settings]);
        const before = state();
        await after(() => press(label));
        if (state() === before) said.push(`"${label}" changes nothing`);
        if (document.querySelector(".watch").textContent === "") said.push(`"${label}" does not say what to look for`);
    }
    return said.map((message) => `${name}: ${message}`);
}

/** Everything to try is a change that the engine takes. */
async function everyTry(test) {
    const visit = await begin(test);
    for (const name of Object.keys((await lessonsOf(visit)).lessons)) assert.deepEqual(await visit.evaluate(tryAll, name), []);
    assert.deepEqual(visit.problems, []);
}

/** Sketches that people come from have a lesson each. */
async function sketches(test) {
    const visit = await begin(test);
    const { lessons } = await lessonsOf(visit);
    const index = await visit.evaluate(async () => (await fetch("scenarios/index.json")).json());
    const wanted = index.filter(({ name }) => /^(noc|cc)_?\d*/.test(name)).map(({ name }) => name);
    assert.ok(wanted.length >= 10);
    assert.deepEqual(wanted.filter((name) => !(name in lessons)), []);
}

/** The target is where the pointer is, in lessons that say so, and in no others. */
async function pointer(test) {
    const visit = await begin(test);
    const box = await visit.evaluate(() => document.getElementById("sky").getBoundingClientRect().toJSON());
    await visit.tab.mouse.move(box.left + box.width / 2, box.top + box.height / 2);
    await visit.until(() => {
        const [, x, y] = /target: \[(.*), (.*)\]/.exec(dunlinPage.text);
        return Math.hypot(x - 320, y - 120) < 2; // the middle of the world
    });
    await visit.evaluate(() => choose("noc_5_03_walls"));
    await visit.until(() => lesson() === "noc_5_03_walls");
    const text = await visit.evaluate(() => dunlinPage.text);
    await visit.tab.mouse.move(box.left + 50, box.top + 50);
    await visit.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
    assert.equal(await visit.evaluate(() => dunlinPage.text), text);
    assert.deepEqual(visit.problems, []);
}

/** Of two mirrored flocks only the one that is updated in place loses its symmetry. A busy machine draws few frames. */
async function inPlace(test) {
    const visit = await begin(test, "?lesson=11");
    await visit.tell({ do: "play", on: false });
    await visit.evaluate(() => document.getElementById("in-place").click());
    await visit.tab.waitForFunction(() => {
        const [, apart] = [...document.querySelectorAll(".pair output")].map((output) => parseFloat(output.textContent));
        return apart > 1;
    }, { timeout: 100000 });
    assert.equal(await visit.evaluate(() => document.querySelector(".pair output").textContent), "0, exactly");
    await visit.evaluate(() => press("Next"));
    await visit.until(() => document.querySelector(".pair").hidden);
    assert.deepEqual(visit.problems, []);
}

const openTable = (visit) => visit.evaluate(() => [...document.querySelectorAll("#lessons button")].find(({ textContent }) => textContent === "Find a sketch or exercise").click());

/** All sketches and exercises stand in one table with their numbers; titles run the scenarios, and words or numbers filter. */
async function exercises(test) {
    const visit = await test.visit({ size: [320, 640] });
    await visit.evaluate(() => dunlinPage.show("lessons"));
    await openTable(visit);
    await visit.until(() => document.querySelector("dialog[open] tbody tr") !== null);
    const { rows, names, titles, index, over } = await visit.evaluate(async () => {
        const dialog = document.querySelector("dialog[open]");
        const buttons = [...dialog.querySelectorAll("td button")];
        return { rows: [...dialog.querySelectorAll("td:first-child")].map((cell) => [...cell.parentElement.cells].slice(0, 4).map(({ textContent }) => textContent)),
            names: buttons.map(({ title }) => title), titles: buttons.map(({ textContent }) => textContent),
            index: await (await fetch("scenarios/index.json")).json(), over: dialog.scrollWidth - dialog.clientWidth };
    });
    assert.ok(rows.length > 40 && names.length >= rows.length, `${rows.length} rows, ${names.length} names`);
    assert.deepEqual(names.filter((name) => !shipped.includes(name)), []);
    assert.deepEqual(titles, names.map((name) => index.find((one) => one.name === name).title));
    assert.deepEqual(rows.find(([, , , what]) => what === "separation"), ["5.9", "5.7", "6.7", "separation"]);
    assert.deepEqual(rows.find(([, , , what]) => what === "pursue, evade"), ["exercise 5.3", "exercise 5.2", "exercise 6.2", "pursue, evade"]);
    assert.deepEqual(rows.find(([, , , what]) => what === "a path of many segments"), ["5.7, 5.8", "5.6, 5.8", "6.6", "a path of many segments"]);
    assert.equal(over, 0, "nothing is beside the window");
    await visit.tab.focus("dialog[open] input");
    const shown = () => visit.evaluate(() => [...document.querySelectorAll("dialog[open] td:nth-child(4)")].filter((cell) => cell.offsetParent !== null).map(({ textContent }) => textContent));
    await visit.tab.keyboard.type("wander 5.4");
    assert.deepEqual(await shown(), ["wander"], "and not 5.14");
    await visit.evaluate(() => (document.querySelector("dialog[open] input").value = ""));
    await visit.tab.keyboard.type("sidestep");
    await visit.tab.keyboard.press("Tab");
    await visit.tab.keyboard.press("Enter");
    await visit.until(() => dunlinPage.running.name === "sidestep.yaml" && document.querySelector("dialog[open]") === null);
    assert.deepEqual(visit.problems, []);
}

/** Titles begin with the number that the table of docs/scenarios.md has for the scenario. */
async function numbers(test) {
    const visit = await begin(test);
    const { lessons } = await lessonsOf(visit);
    const rows = await visit.evaluate(async () => (await fetch("scenarios/exercises.json")).json());
    for (const [name, { title, scenario = name }] of Object.entries(lessons)) {
        const printed = rows.filter(({ scenarios }) => scenarios.includes(`\`${scenario}\``)).flatMap(({ print }) => print.split(", ")).filter((one) => one !== "");
        const [, kind, number] = /^(Example|Exercise) (\d+\.\d+) · ./.exec(title) ?? [];
        const named = kind === "Exercise" ? `exercise ${number}` : number;
        if (named !== undefined || (name === scenario && printed.length > 0)) assert.ok(printed.includes(named), `${title}: ${printed}`);
    }
    const shown = await visit.evaluate(() => [document.querySelector("#lessons select").selectedOptions[0].textContent, document.querySelector("#lessons .lesson h2").textContent]);
    assert.deepEqual(shown, ["1. Example 5.1 · Seek", "Example 5.1 · Seek"]);
    await visit.evaluate(() => press("Show the YAML"));
    assert.equal(await visit.evaluate(() => document.body.dataset.panel), "editor");
    assert.deepEqual(visit.problems, []);
}

/** The place in the course stays in the address beside another scenario, and in the link of a simulation, which opens the lesson. */
async function placeStays(test) {
    const visit = await begin(test, "?lesson=2");
    await visit.evaluate(() => [...document.querySelectorAll("button")].find(({ textContent }) => textContent.trim() === "Copy link").click());
    const link = await (await visit.until(() => document.querySelector("#exports input[aria-label='The link']").value)).jsonValue();
    assert.match(link, /\/\?lesson=2#simulation=/);
    await visit.until(() => /opens lesson 2/.test(document.getElementById("exports").textContent));
    const other = await test.visit({ address: link.slice(visit.origin.length) });
    await other.until(() => document.querySelector("#lessons .lesson").dataset.lesson === "noc_5_02_arrive");
    assert.equal(await other.evaluate(() => document.body.dataset.panel), "lessons");
    await other.close();
    await visit.evaluate(() => choose("flee"));
    await visit.until(() => lesson() === "flee");
    assert.equal(await visit.evaluate(() => location.search), "?scenario=flee&lesson=2");
    await visit.tab.reload();
    await visit.begin();
    await visit.until(() => dunlinPage.running.name === "flee.yaml");
    await visit.evaluate(pupil);
    await visit.until(() => lesson() === "flee");
    await visit.evaluate(() => press("Back to lesson 2"));
    await visit.until(() => lesson() === "noc_5_02_arrive");
    assert.equal(await visit.evaluate(() => location.search), "?lesson=2");
    assert.deepEqual([...visit.problems, ...other.problems], []);
}

/** What the hint says is what the hand does: it leads the target where that follows the pointer, else it scatters. */
async function handLeads(test) {
    const visit = await begin(test);
    const hint = () => visit.evaluate(() => document.querySelector(".hint").textContent);
    const pulls = async () => (await visit.ask("story")).actions.filter(([, { kind }]) => kind === "pull").length;
    const target = () => visit.evaluate(() => /target: (\[.*\])/.exec(dunlinPage.text)[1]);
    assert.match(await hint(), /the target follows/);
    await visit.tab.focus("#sky");
    const before = await target();
    for (const key of ["Enter", "ArrowUp", "Enter"]) await visit.tab.keyboard.press(key);
    assert.notEqual(await target(), before, "by keys, too");
    const { left, top, width, height } = await visit.evaluate(() => document.getElementById("sky").getBoundingClientRect().toJSON());
    const drag = async () => {
        await visit.tab.mouse.move(left + width / 3, top + height / 2);
        await visit.tab.mouse.down();
        await visit.tab.mouse.move(left + width / 2, top + height / 3, { steps: 4 });
        await visit.tab.mouse.up();
    };
    await drag();
    assert.equal(await pulls(), 0);
    await visit.evaluate(() => document.querySelector('#hands button[aria-label^="Scatter"]').click());
    assert.match(await hint(), /it scatters/);
    await drag();
    assert.notEqual(await pulls(), 0);
    await visit.evaluate(() => choose("noc_5_02_arrive"));
    await visit.until(() => lesson() === "noc_5_02_arrive");
    await visit.evaluate(() => choose("noc_5_03_walls"));
    await visit.until(() => lesson() === "noc_5_03_walls" && /it scatters/.test(document.querySelector(".hint").textContent));
    await drag();
    assert.notEqual(await pulls(), 0);
    assert.deepEqual(visit.problems, []);
}

export const tests = [
    ["the course leads through twelve lessons, and the address to each of them", course, "firefox nightly"],
    ["a link opens the lesson that it names, with its panel", fromAddress],
    ["every button under Things to try changes the simulation and says what to look for", everyTry, "nightly"],
    ["every sketch of The Nature of Code and the Coding Challenge has a lesson", sketches],
    ["all sketches and exercises stand in a table of which each row runs its scenarios", exercises],
    ["lessons have the number of their example or exercise, and show the YAML", numbers, "nightly"],
    ["the place in the course stays in addresses and links, and leads back", placeStays, "nightly"],
    ["the hand leads the target in lessons where that follows the pointer, and scatters in others, as the hint says", handLeads, "nightly"],
    ["the target follows the pointer where the sketch's does, and nowhere else", pointer],
    ["of two mirrored flocks only the one that is updated in place loses its symmetry", inPlace, "nightly"],
];
