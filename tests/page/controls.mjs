// SPDX-License-Identifier: MIT
// The panel of rules and numbers, through its own controls.
import assert from "node:assert/strict";
import { shipped, textOf } from "./native.mjs";

/* Other forms of numbers that the scenario gives. */
const instead = /\.(agent|value)$/;
/* What holds for the scenario as a whole, and not for a number alone. */
const reasons = /teleport boundary|says in which group|a trace has none|allowed: only with (response|role)|not both|a box has none|not after begin|it must be at least .* and at most/;

/* The engine makes bodies, so how many there are is no number to adjust. */
function isOfBodies(name, path) {
    const [, species] = /^species\[(\d+)\]\.agents$/.exec(path) ?? [];
    return species !== undefined && /\n {4}body_of: /.test(textOf(name).split(/\n {2}- name: /)[1 + Number(species)]);
}

/* Runs in the page: helpers to find and use controls. */
function hands() {
    const panel = document.getElementById("controls");
    globalThis.control = (key) => panel.querySelector(`[data-key="${CSS.escape(key)}"]`);
    /** Opens all groups, also those within. */
    globalThis.openAll = () => {
        for (let closed; (closed = [...panel.querySelectorAll("details:not([open])")]).length > 0;)
            for (const details of closed) {
                details.open = true;
                details.ontoggle();
            }
    };
    globalThis.shownBy = (path) => {
        const field = control(`${path} field`);
        return field === null || field.value === "" ? null : field.valueAsNumber;
    };
    globalThis.change = (key, value) => {
        const element = control(key);
        if (element.type === "checkbox") return element.click();
        element.value = value;
        element.dispatchEvent(new Event("input"));
        element.dispatchEvent(new Event("change"));
    };
    /** Changes a control that builds the scenario again; resolves when the panel shows it. */
    globalThis.rebuild = async (change) => {
        const simulation = nextRun();
        change();
        await simulation;
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    };
}

async function panelOf(test, name, settings = { agents: 300, threads: 1 }, step = 1) {
    const visit = await test.again();
    await visit.evaluate(hands);
    await show(visit, name, settings, step);
    return visit;
}

async function show(visit, name, settings = { agents: 300, threads: 1 }, step = 1) {
    await visit.simulate(textOf(name), settings, step, [], name);
    await visit.evaluate(() => dunlinPage.show("controls"));
    await visit.until(() => document.querySelector("#controls summary"));
    await visit.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    await visit.evaluate(() => openAll());
}

/*
 * Runs in the page: moves the slider of every number by five steps, and returns what the engine has then and what the
 * panel shows.
 */
async function moveAll() {
    const said = [];
    const listen = ({ message }) => said.push(message);
    dunlinPage.on("failed", listen);
    const results = new Map();
    const move = (path) => {
        const slider = control(`${path} slider`);
        const [from, by] = [slider.valueAsNumber, 5 * Number(slider.step)];
        slider.valueAsNumber = from + by <= Number(slider.max) ? from + by : from - by;
        results.get(path).wanted = slider.valueAsNumber;
        slider.dispatchEvent(new Event("input"));
        slider.dispatchEvent(new Event("change"));
    };
    const numbers = await dunlinPage.ask("numbers");
    for (const { path, value, live } of numbers) results.set(path, { path, before: value,
        missing: control(`${path} slider`) === null });
    const there = numbers.filter(({ path }) => !results.get(path).missing);
    for (const { path, live } of there) if (live) move(path);
    await new Promise(requestAnimationFrame);
    await dunlinPage.ask("numbers");
    for (const { path, live } of there) if (!live) {
        const simulation = nextReport("running");
        move(path);
        await simulation;
        openAll();
    }
    for (const { path, value } of await dunlinPage.ask("numbers")) Object.assign(results.get(path), { got: value,
        shown: shownBy(path) });
    return { results: [...results.values()], said };
}

function isClose(got, wanted) {
    return got === wanted || (got !== null && Math.abs(got - wanted) <= 1e-6 * Math.abs(wanted));
}

async function everySlider(test) {
    const visit = await panelOf(test, "default");
    let [moved, refused] = [0, 0];
    for (const name of shipped) {
        await show(visit, name);
        const { results, said } = await visit.evaluate(moveAll);
        for (const message of said) assert.match(message, reasons, `${name}: ${message}`);
        const there = results.filter(({ missing }) => !missing);
        for (const { path, before } of results.filter(({ missing }) => missing))
            assert.ok((before === null && instead.test(path)) || isOfBodies(name, path), `${name}: ${path} has no slider`);
        for (const { path, got, shown } of there) assert.ok(isClose(shown, got),
            `${name}: ${path} shows ${shown}, and is ${got}`);
        const kept = there.filter(({ got, wanted }) => !isClose(got, wanted));
        for (const { path, before, got } of kept) assert.equal(got, before, `${name}: ${path} was refused and keeps its value`);
        assert.equal(kept.length, said.length, `${name}: ${kept.map(({ path }) => path)} did not follow; ${said.join("; ")}`);
        [moved, refused] = [moved + there.length, refused + kept.length];
    }
    assert.ok(moved > 1500 && refused < moved / 8, `${refused} of ${moved} were refused`);
    assert.deepEqual(visit.problems, []);
}

/** A rule without it: the text as a person would write it. */
function withoutCohesion(text) {
    return text.replace(/, cohesion: \{[^}]*\}|^ *cohesion: .*\n/m, "");
}

async function hashAfter(visit, steps) {
    for (let i = 0; i < steps; i++) await visit.tell({ do: "step" });
    return visit.ask("hash");
}

/** Begins the simulation again as its text is now. */
async function restart(visit) {
    await visit.evaluate(() => {
        const simulation = nextRun();
        dunlinPage.restart();
        return simulation;
    });
}

async function switchRule(test) {
    const settings = { agents: 500, threads: 1 };
    const visit = await panelOf(test, "noc_5_09_flock", settings, 0);
    const with_ = await hashAfter(visit, 20);
    await visit.simulate(withoutCohesion(textOf("noc_5_09_flock")), settings);
    const without = await hashAfter(visit, 20);
    assert.notEqual(with_, without);
    await show(visit, "noc_5_09_flock", settings, 0);
    const toggle = () => visit.evaluate(() => rebuild(() => change("interactions[0].cohesion switch")));
    await toggle();
    await restart(visit);
    assert.equal(await hashAfter(visit, 20), without, "switched off");
    assert.equal(await visit.evaluate(() => control("interactions[0].cohesion switch").checked), false);
    await toggle();
    await restart(visit);
    assert.equal(await hashAfter(visit, 20), with_, "on again");
}

async function entries(test) {
    const visit = await panelOf(test, "default");
    const add = (list, kind) => visit.evaluate(async (path, wanted) => {
        const button = control(`${path} add`);
        if (wanted !== null) button.previousElementSibling.value = wanted;
        await rebuild(() => button.click());
    }, list, kind);
    const text = await visit.evaluate(() => dunlinPage.text);
    await add("behaviours", "wander");
    await add("behaviours", "seek");
    const numbers = (await visit.ask("numbers")).filter(({ path }) => path.startsWith("behaviours"));
    assert.ok(numbers.some(({ path }) => path.startsWith("behaviours[0].wander")), "wander was added");
    assert.ok(numbers.some(({ path }) => path.startsWith("behaviours[1].seek")), "seek was added");
    assert.ok(await visit.evaluate(() => control("behaviours[1]").parentElement.open), "what was added is open");
    const click = (key) => visit.evaluate((wanted) => rebuild(() => control(wanted).click()), key);
    await click("behaviours[0] switch");
    assert.ok((await visit.ask("numbers")).some(({ path }) => path.startsWith("behaviours[0].seek")), "only seek is on");
    await click("off behaviours[0] remove");
    assert.ok(!/wander/.test(await visit.evaluate(() => dunlinPage.text)), "wander was removed, and not seek");
    await click("behaviours[0] remove");
    assert.equal(await visit.evaluate(() => dunlinPage.text), text, "the text is again as it was");
    assert.equal(await visit.evaluate(() => document.activeElement.dataset.key), "behaviours add");
    assert.deepEqual(visit.problems, []);
}

async function choices(test) {
    const visit = await panelOf(test, "default");
    const boundary = () => visit.evaluate(() => dunlinPage.running.about.boundary);
    const before = await boundary();
    await visit.evaluate(() => rebuild(() => change("world.boundary field", "reflect")));
    assert.notDeepEqual(await boundary(), before);
    assert.match(await visit.evaluate(() => dunlinPage.text), /boundary: reflect/);
    const response = "interactions[0].separation.response field";
    await visit.evaluate((key) => rebuild(() => change(key, "direct")), response);
    assert.match(await visit.evaluate(() => dunlinPage.text), /response: direct/);
    await visit.evaluate(() => rebuild(() => dunlinPage.edit(dunlinPage.text.replace("boundary: reflect", "boundary: open"))));
    assert.equal(await visit.evaluate(() => control("world.boundary field").value), "open",
        "the panel follows an edit elsewhere");
}

/** With the keyboard: a rebuild keeps focus and open groups; a slider under the pointer stays the same element. */
async function focusStays(test) {
    const visit = await panelOf(test, "default");
    const focused = () => visit.evaluate(() => document.activeElement.dataset.key);
    const key = "interactions[0].cohesion switch";
    await visit.evaluate((wanted) => control(wanted).focus(), key);
    const simulation = visit.evaluate(() => rebuild(() => {}));
    await visit.tab.keyboard.press("Space");
    await simulation;
    assert.equal(await focused(), key);
    assert.equal(await visit.evaluate(() => document.activeElement.checked), false);
    await visit.evaluate(() => {
        const slider = control("interactions[0].separation.radius slider");
        globalThis.kept = slider;
        slider.focus();
        slider.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
        return rebuild(() => dunlinPage.edit(`${dunlinPage.text}behaviours: [{species: dunlins, wander: {}}]\n`));
    });
    assert.ok(await visit.evaluate(() => kept.isConnected), "nothing is taken from under the pointer");
    await visit.evaluate(() => dispatchEvent(new PointerEvent("pointerup")));
    await visit.until(() => control("behaviours[0]") !== null && !kept.isConnected);
    assert.equal(await focused(), "interactions[0].separation.radius slider");
}

/** What the engine refuses stands beside its field, which has the old value again; what was changed can go back. */
async function refusals(test) {
    const visit = await panelOf(test, "default");
    const path = "species[0].max_speed";
    const before = await visit.evaluate((wanted) => shownBy(wanted), path);
    await visit.evaluate((wanted) => rebuild(() => change(`${wanted} field`, "-3")).catch(() => dunlinPage.ask("hash")), path);
    assert.match(await visit.evaluate(() => document.querySelector("#controls .wrong:not([hidden])").textContent),
        /max_speed: it is -3/);
    assert.equal(await visit.evaluate((wanted) => shownBy(wanted), path), before);
    await visit.evaluate((wanted) => change(`${wanted} field`, "0.75"), path);
    assert.equal(await visit.evaluate(() => document.querySelector("#controls .wrong:not([hidden])")), null);
    assert.equal(await visit.evaluate((wanted) => control(`${wanted} back`).hidden, path), false);
    await visit.evaluate((wanted) => control(`${wanted} back`).click(), path);
    await visit.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    assert.equal((await visit.ask("numbers")).find((number) => number.path === path).value, before);
    assert.equal(await visit.evaluate((wanted) => control(`${wanted} back`).hidden, path), true);
}

async function finding(test) {
    const visit = await panelOf(test, "ecosystem");
    const find = (words) => visit.evaluate((wanted) => {
        const field = document.querySelector("#controls input[type=search]");
        field.value = wanted;
        field.dispatchEvent(new Event("input"));
        return [...document.querySelectorAll("#controls .number")].map(({ dataset }) => dataset.path);
    }, words);
    assert.deepEqual(await find("foxes max speed"), ["species[2].max_speed"]);
    assert.deepEqual(await find("nothing like this"), []);
    assert.ok((await find("perception")).some((path) => path.endsWith(".radius")), "by another word");
    assert.ok((await find("multiplied")).some((path) => path.endsWith(".weight")), "by its description");
    assert.ok((await find("")).length > 5);
}

/** In the gallery: by words of a scenario, and by words that mean the same. */
async function findingScenarios(test) {
    const visit = await panelOf(test, "default");
    await visit.evaluate(() => dunlinPage.show("gallery"));
    await visit.until(() => document.querySelector("#gallery .card"));
    const find = (words) => visit.evaluate((wanted) => {
        const field = document.querySelector("#gallery input[type=search]");
        field.value = wanted;
        field.dispatchEvent(new Event("input"));
        return [...document.querySelectorAll("#gallery .card:not([hidden]) strong")].map(({ textContent }) => textContent);
    }, words);
    const all = (await find("")).length;
    assert.ok(all > 40);
    for (const word of ["perlin", "pursuit", "memory", "trail", "walls", "vision"]) {
        const found = (await find(word)).length;
        assert.ok(found > 0 && found < all / 2, `${word}: ${found} of ${all}`);
    }
    assert.ok((await find("exercise 5.14")).length >= 4, "by the book's number");
    assert.ok((await find("first edition exercise 6.12")).includes("NoC exercise 5.12 cohere"));
    assert.deepEqual(await find("nothing like this"), []);
    for (const word of ["flee", "leader", "starlings", "vicsek", "field", "flock", "wander"]) {
        const [first] = await find(word);
        assert.match(first.toLowerCase(), new RegExp(word), "names and titles before descriptions");
    }
    for (const [typed, meant] of [["starlngs", "starlings"], ["ecosytsem", "ecosystem"], ["vicek", "vicsek"], ["predtaors", "predators"], ["percepton", "perception"]]) {
        const near = await find(typed);
        assert.match(await visit.evaluate(() => document.querySelector("#gallery [role=status]").textContent), new RegExp(`^Nothing found; nearest: ${meant} `));
        assert.deepEqual(near, await find(meant));
        assert.ok(near.length > 0, typed);
    }
    assert.equal((await find("")).length, all, "all come back");
}

export const tests = [
    ["every slider of every shipped scenario is moved, and the engine's value follows or a message says why not", everySlider, "nightly"],
    ["a rule that is switched off runs as a text without it, and on again as before", switchRule, "nightly"],
    ["behaviours are added, switched off and removed in the panel", entries],
    ["words are chosen in the panel, which follows edits elsewhere", choices],
    ["the panel keeps focus when it is built again, and takes nothing from under the pointer", focusStays],
    ["a number that the engine refuses goes back with a message, and a changed one by its button", refusals],
    ["numbers are found by words", finding],
    ["scenarios are found by words, and by others that mean the same", findingScenarios],
];
