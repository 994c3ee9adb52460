// SPDX-License-Identifier: MIT
// The charts show what the worker reports, and cost nothing while they are hidden.
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { textOf } from "./native.mjs";

/* Runs in the page: counts how often the flock is measured. */
function countMeasurements() {
    globalThis.measurements = 0;
    const { ask } = dunlinPage;
    dunlinPage.ask = function (what) {
        measurements += what === "metrics";
        return ask.call(this, what);
    };
}

/** The charts' titles with the value of their only line, or with those of all lines by name. */
function shown(visit) {
    return visit.evaluate(() => Object.fromEntries([...document.querySelectorAll("#charts figure")].map((figure) => {
        const keys = [...figure.querySelectorAll(".swatch")].map((key) => [key.firstChild.nextSibling.textContent.trim(), key.lastChild.textContent]);
        const whole = figure.querySelector("figcaption > span > b")?.textContent;
        return [figure.querySelector(".title").textContent, { ...(whole === undefined ? {} : { whole }), ...Object.fromEntries(keys) }];
    })));
}

/** As the page writes numbers. */
function short(value) {
    if (value === null) return "–"; // of no agents
    const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
    return value < 10 && !Number.isInteger(value) ? value.toFixed(2) : compact.format(value);
}

const show = (visit, panel) => visit.evaluate((id) => dunlinPage.show(id), panel);

/** The charts, once they show what is wanted: they may still show the step before, or only a part of a step. */
async function shownIn(visit, wanted) {
    let charts;
    for (let tries = 0; tries < 100; tries++) {
        charts = await shown(visit);
        if (isDeepStrictEqual(Object.fromEntries(Object.keys(wanted).map((title) => [title, charts[title]])), wanted)) return charts;
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
    for (const [title, values] of Object.entries(wanted)) assert.deepEqual(charts[title], values, title);
    return charts;
}

/** A paused simulation of two species: every number is the engine's. */
async function sameNumbers(test) {
    const visit = await test.again();
    await show(visit, "charts");
    await visit.simulate(textOf("predators"), { agents: 400 }, 30);
    await visit.tell({ do: "step" });
    const { step, species } = await visit.ask("metrics");
    assert.equal(step, 31);
    const names = await visit.evaluate(() => dunlinPage.running.about.species.map(({ name }) => name));
    assert.equal(names.length, 2);
    const metrics = { Polarization: "polarization", Rotation: "rotation", "Mean speed": "mean_speed", Neighbours: "mean_neighbours", Agents: "agents" };
    const { stats } = await visit.tell({ do: "look", look: {} });
    assert.equal(stats.step, 31);
    const wanted = Object.fromEntries(Object.entries(metrics).map(([title, metric]) =>
        [title, Object.fromEntries(names.map((name, i) => [name, short(species[i][metric])]))]));
    wanted.Pairs = { tested: short(stats.pairs_tested), useful: short(stats.pairs_useful) };
    const charts = await shownIn(visit, wanted);
    const { whole, ...parts } = charts["Time per frame"];
    assert.equal(parts.interact, short(stats.ms_interact));
    const sum = Object.values(parts).reduce((sum, part) => sum + Number(part), 0);
    assert.ok(Math.abs(Number(whole) - sum) <= 0.05 + sum / 100, `the whole, ${whole} ms, is the sum of its parts, ${sum}, but for rounding`);
    assert.equal(charts.Frames.whole, "–", "a simulation that is paused has no rate");
    assert.equal(await visit.evaluate(() => document.querySelectorAll("#charts canvas").length), 9);
    assert.deepEqual(visit.problems, []);
}

/** Hidden charts cost nothing; a simulation that is paused is measured once. */
async function hiddenAsksNothing(test) {
    const visit = await test.again();
    await visit.evaluate(countMeasurements);
    await visit.simulate(textOf("default"), { agents: 500 }, 5);
    const asked = () => visit.evaluate(() => measurements);
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    await show(visit, "look");
    await wait(500);
    const before = await asked();
    await visit.tell({ do: "play", on: true });
    await wait(1500);
    assert.equal(await asked(), before, "hidden charts measure nothing");
    await show(visit, "charts");
    const shown = performance.now();
    await wait(2000);
    const rate = (1000 * ((await asked()) - before)) / (performance.now() - shown);
    assert.ok(rate > 0.4 && rate <= 4.5, `${rate} measurements a second`);
    await visit.tell({ do: "play", on: false });
    await wait(1500);
    const paused = await asked();
    await wait(1500);
    assert.equal(await asked(), paused, "a paused simulation is measured once");
    assert.deepEqual(visit.problems, []);
}

/** Another scenario, and a restart, begin again; an edit continues; the table has what the charts show. */
async function beginAnew(test) {
    const visit = await test.again();
    await show(visit, "charts");
    const says = (words) => visit.until((wanted) => document.querySelector("#charts .doc").textContent === wanted, words);
    await visit.simulate(textOf("default"), { agents: 300 }, 40);
    await visit.evaluate(() => dunlinPage.restart());
    await says("Steps 0 to 0");
    await visit.tell({ do: "step" });
    await says("Steps 0 to 1");
    await visit.evaluate(() => dunlinPage.edit(dunlinPage.text));
    await visit.tell({ do: "step" });
    await says("Steps 0 to 2");
    await visit.evaluate(() => {
        URL.createObjectURL = (blob) => ((globalThis.saved = blob), "#");
        HTMLAnchorElement.prototype.click = () => {};
    });
    const save = async () => {
        await visit.evaluate(() => document.querySelector("#charts .row button").click());
        return (await visit.evaluate(() => saved.text())).trimEnd().split("\n").map((line) => line.split(","));
    };
    let rows = await save();
    const column = rows[0].indexOf('"polarization.dunlins"');
    for (let tries = 0; !rows[3]?.[column] && tries < 100; tries++) { // until the last step is measured
        await new Promise((resolve) => setTimeout(resolve, 100));
        rows = await save();
    }
    assert.deepEqual(rows.slice(1).map(([step]) => step), ["0", "1", "2"]);
    const { species } = await visit.ask("metrics");
    assert.equal(Number(rows[3][column]), species[0].polarization);
    // Of the steps before the one that is asked for, a fast or a busy machine may show some.
    await visit.simulate(textOf("couzin"), { agents: 100 }, 1);
    await visit.until(() => /^Steps [01] to 1$/.test(document.querySelector("#charts .doc").textContent));
    await visit.evaluate(() => dunlinPage.restart());
    await says("Steps 0 to 0");
    assert.deepEqual(visit.problems, []);
}

export const tests = [
    ["the charts show the worker's numbers, each species on its own", sameNumbers],
    ["hidden charts measure nothing, and those of a paused simulation measure once", hiddenAsksNothing],
    ["charts continue after an edit and begin again with a restart or another scenario; their table has the same numbers", beginAnew],
];
