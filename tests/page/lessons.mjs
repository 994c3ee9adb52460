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

/** All sketches and exercises stand in one table, whose names run the scenarios. */
async function exercises(test) {
    const visit = await test.visit();
    await visit.evaluate(() => dunlinPage.show("lessons"));
    await visit.evaluate(() => [...document.querySelectorAll("#lessons button")].find(({ textContent }) => textContent === "Find a sketch or exercise").click());
    await visit.until(() => document.querySelector("dialog[open] tbody tr") !== null);
    const [rows, names] = await visit.evaluate(() => [document.querySelectorAll("dialog[open] tbody tr").length,
        [...document.querySelectorAll("dialog[open] td button")].map((button) => button.textContent)]);
    assert.ok(rows > 40 && names.length >= rows, `${rows} rows, ${names.length} names`);
    assert.deepEqual(names.filter((name) => !shipped.includes(name)), []);
    await visit.evaluate(() => [...document.querySelectorAll("dialog[open] td button")].find(({ textContent }) => textContent === "sidestep").click());
    await visit.until(() => dunlinPage.running.name === "sidestep.yaml" && document.querySelector("dialog[open]") === null);
    assert.deepEqual(visit.problems, []);
}

export const tests = [
    ["the course leads through twelve lessons, and the address to each of them", course, "firefox"],
    ["a link opens the lesson that it names, with its panel", fromAddress],
    ["every button under Things to try changes the simulation and says what to look for", everyTry],
    ["every sketch of The Nature of Code and the Coding Challenge has a lesson", sketches],
    ["all sketches and exercises stand in a table of which each row runs its scenarios", exercises],
    ["the target follows the pointer where the sketch's does, and nowhere else", pointer],
    ["of two mirrored flocks only the one that is updated in place loses its symmetry", inPlace],
];
