// SPDX-License-Identifier: MIT
// In a window of any size the flock and the open panel have room, and what a narrow window shows does not rule a wide one.
import assert from "node:assert/strict";
import { textOf } from "./native.mjs";
import { cellsOf, firstDifference } from "./picture.mjs";

const sizes = [[1280, 720], [1280, 300], [1280, 120], [2500, 300], [801, 200], [800, 250], [640, 360], [480, 320], [480, 482], [400, 330], [360, 640],
    [320, 480], [320, 240], [300, 260], [200, 2000], [240, 100]];
const least = 140; // pixels of the flock's height and width

/* Runs in the page: the sizes of its parts. */
function measure() {
    const box = (selector) => document.querySelector(selector).getBoundingClientRect();
    const inside = ({ left, right }) => left >= -1 && right <= innerWidth + 1;
    const shows = !document.getElementById("panels").hidden;
    return { flock: [box("#sky").width, box("#sky").height], panel: shows ? [box("#panels").width, box("#panels").height] : null,
        inside: ["#top", "#sky", "#tabs", ...(shows ? ["#panels"] : [])].every((part) => inside(box(part))),
        width: document.documentElement.scrollWidth - innerWidth, height: document.documentElement.scrollHeight - innerHeight };
}

async function resize(visit, [width, height]) {
    await visit.tab.setViewport({ width, height });
    await visit.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/* Runs in the page: opens a panel, or none. */
function open(panel) {
    const tab = panel === null ? document.querySelector("[role=tab][aria-selected=true]") : document.getElementById(`tab-${panel}`);
    if (tab !== null && (tab.ariaSelected === "true") !== (panel !== null)) tab.click();
}

async function hasRoom(test) {
    const visit = await test.visit();
    await visit.simulate("world: {size: [10, 10]}\nspecies: [{name: birds, agents: 10}]\n");
    for (const panel of [null, "controls"]) {
        await visit.evaluate(open, panel);
        for (const size of sizes) {
            await resize(visit, size);
            const what = `${size.join(" x ")}, panel ${panel}`;
            const seen = await visit.evaluate(measure);
            assert.ok(seen.flock[1] >= least && seen.flock[0] >= least, `${what}: the flock has ${seen.flock.join(" x ")}`);
            assert.ok(seen.panel === null || Math.min(...seen.panel) >= 95, `${what}: the panel has ${seen.panel?.join(" x ")}`);
            assert.ok(seen.inside && seen.width === 0, `${what}: something is beside the window`);
            if (size[1] >= 480) assert.equal(seen.height, 0, `${what}: the page scrolls`);
        }
    }
    assert.deepEqual(visit.problems, []);
}

async function visitAgain(visit, size) {
    await visit.tab.setViewport({ width: size[0], height: size[1] });
    await visit.tab.reload();
    await visit.begin();
}

/* Runs in the page: the open panel, "" for none, and the width of panels. */
function shown() {
    return [document.body.dataset.panel, document.getElementById("edge").ariaValueNow];
}

async function remembers(test) {
    const [wide, narrow, middle] = [[1280, 720], [360, 640], [700, 300]];
    const visit = await test.visit({ size: narrow });
    assert.equal((await visit.evaluate(shown))[0], "");
    await visitAgain(visit, wide);
    assert.deepEqual(await visit.evaluate(shown), ["flock", "352"], "a first narrow visit leaves nothing");
    await visitAgain(visit, narrow);
    await visit.evaluate(open, "charts");
    await visitAgain(visit, narrow);
    assert.equal((await visit.evaluate(shown))[0], "charts", "narrow windows have a memory of their own");
    await visitAgain(visit, wide);
    assert.deepEqual(await visit.evaluate(shown), ["flock", "352"]);
    await visit.evaluate(open, "look");
    await visit.tab.focus("#edge");
    for (let i = 0; i < 10; i++) await visit.tab.keyboard.press("ArrowLeft");
    assert.deepEqual(await visit.evaluate(shown), ["look", "552"]);
    await resize(visit, middle);
    assert.deepEqual(await visit.evaluate(shown), ["look", "380"], "as wide as there is room");
    await visitAgain(visit, middle);
    assert.deepEqual(await visit.evaluate(shown), ["look", "380"]);
    await resize(visit, wide);
    assert.deepEqual(await visit.evaluate(shown), ["look", "552"]);
    await visitAgain(visit, narrow);
    assert.equal((await visit.evaluate(shown))[0], "charts");
    await visitAgain(visit, wide);
    assert.deepEqual(await visit.evaluate(shown), ["look", "552"]);
    assert.deepEqual(visit.problems, []);
}

/** The legend lies in the corner, and where the sentence about the scenario reaches into it, below that. */
async function legendIsSeen(test) {
    const visit = await test.visit();
    await visit.evaluate(open, null);
    await visit.simulate(textOf("noc_ex_5_14_hunger"), { agents: 60 });
    await visit.until(() => document.getElementById("what").textContent !== "");
    for (const width of [1400, 768, 390, 320]) {
        await visit.tell({ do: "look", look: { legend: true } });
        await resize(visit, [width, 700]);
        const { right, bottom } = await visit.evaluate(() => {
            const [what, sky] = ["what", "sky"].map((id) => document.getElementById(id).getBoundingClientRect());
            return { right: what.right - sky.left, bottom: what.bottom - sky.top };
        });
        const whole = await visit.picture();
        await visit.tell({ do: "look", look: { legend: false } });
        const top = firstDifference(whole, await visit.picture());
        const meets = right > width - 200;
        assert.ok(meets ? top > bottom && top < bottom + 20 : top < 20, `${width}: the legend begins at ${top}, the sentence ends at ${right}, ${bottom}`);
        assert.equal(meets, width < 500);
    }
}

/* Runs in the page: what lies over the middle of the flock, a third of its width and height, by name. */
function overTheMiddle() {
    const sky = document.getElementById("sky").getBoundingClientRect();
    const [left, top] = [sky.left + sky.width / 3, sky.top + sky.height / 3];
    const [right, bottom] = [left + sky.width / 3, top + sky.height / 3];
    return [...document.querySelectorAll("main > :not(#sky, .preview, dialog)")].filter((part) => {
        const box = part.getBoundingClientRect();
        return part.checkVisibility({ visibilityProperty: true }) && box.width * box.height > 0 &&
            box.left < right && box.right > left && box.top < bottom && box.bottom > top;
    }).map(({ id, className }) => id || className);
}

/** Whether the legend is drawn over the middle of the picture. */
async function legendOverTheMiddle(visit) {
    const cells = [];
    for (const legend of [true, false]) {
        await visit.tell({ do: "look", look: { legend } });
        const [width, height] = await visit.evaluate(() => ["clientWidth", "clientHeight"].map((side) => Math.floor(document.getElementById("sky")[side] / 3)));
        cells.push(cellsOf(await visit.picture(), 1, 1, [width, height], [width, height]).join());
    }
    return cells[0] !== cells[1];
}

/** With hint, sentence, legend, tools and news, with and without a panel. */
async function middleIsFree(test) {
    const visit = await test.visit({ size: [1400, 800] });
    await visit.simulate(textOf("noc_ex_5_14_hunger"), { agents: 60 });
    for (const size of [[1400, 800], [768, 1024], [1024, 768], [390, 844], [844, 390], [320, 568], [568, 320]]) {
        await resize(visit, size);
        for (const panel of [null, "controls"]) {
            const what = `${size.join(" x ")}, panel ${panel}`;
            await visit.evaluate(open, panel);
            assert.deepEqual(await visit.evaluate(overTheMiddle), [], what);
            assert.ok(!(await legendOverTheMiddle(visit)), `${what}: the legend`);
        }
        await visit.evaluate(() => {
            for (let i = 0; i < 3; i++) dunlinPage.say(`News that take some words to be said, number ${i}.`, { label: "Do something", act: () => {} });
            for (const during of ["act", "open"]) dunlinPage.complain(`something is wrong with ${during}`, during);
        });
        for (const panel of ["controls", null]) {
            await visit.evaluate(open, panel);
            assert.deepEqual(await visit.evaluate(overTheMiddle), [], `${size.join(" x ")}, news, panel ${panel}`);
        }
        await visit.evaluate(() => document.querySelectorAll("#messages .quiet").forEach((button) => button.click()));
    }
    assert.notEqual(await visit.evaluate(() => document.querySelector(".hint").textContent + document.getElementById("what").textContent), "");
}

/** Whatever loads shows that it does; tools and hint come with the flock. */
async function loadingShows(test) {
    const visit = await test.visit({ runs: false, address: "?scenario=default", before: "globalThis.Worker = class extends EventTarget { postMessage() {} };" });
    await visit.until(() => document.querySelector(".hint") !== null);
    const shown = () => visit.evaluate(() => ["#hands", ".hint", "#loading p"].map((part) => document.querySelector(part).checkVisibility({ visibilityProperty: true })));
    assert.deepEqual(await shown(), [false, false, true]);
    await visit.evaluate(() => (document.getElementById("loading").hidden = true));
    assert.deepEqual(await shown(), [true, true, false]);
}

/** Long lines of the text wrap between words, and every line has its number beside its first row. */
async function longLinesWrap(test) {
    const visit = await test.visit({ size: [390, 844] });
    const text = textOf("default").replace("steps:", `description_of_all: ${"many words in one line ".repeat(30)}\n# ${"x".repeat(300)} ü\nsteps:`);
    await visit.type(text);
    await visit.until(() => !document.getElementById("mistake").hidden);
    const seen = await visit.evaluate(async () => {
        const area = document.getElementById("scenario-text");
        area.scrollTop = area.scrollHeight;
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        const last = document.querySelector(".gutter span:last-child");
        const end = area.getBoundingClientRect().bottom - parseFloat(getComputedStyle(area).paddingBottom);
        return { wide: area.scrollWidth - area.clientWidth, last: Number(last.textContent), apart: Math.abs(last.getBoundingClientRect().bottom - end) };
    });
    assert.equal(seen.wide, 0);
    assert.equal(seen.last, text.split("\n").length);
    assert.ok(seen.apart < 4, `the last number is ${seen.apart} pixels from the last row`);
}

export const tests = [
    ["in a window of any size the flock and the open panel have room", hasRoom],
    ["nothing covers the middle of the flock", middleIsFree, "nightly"],
    ["what loads shows that it loads, and tools come with the flock", loadingShows],
    ["long lines of the text wrap, and numbers stand at their lines", longLinesWrap],
    ["the legend lies beside or below the sentence about the scenario", legendIsSeen, "nightly"],
    ["the panel and its width are remembered for wide windows and for narrow ones by themselves", remembers, "nightly"],
];
