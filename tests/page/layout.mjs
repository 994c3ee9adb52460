// SPDX-License-Identifier: MIT
// In a window of any size the flock and the open panel have room, and what a narrow window shows does not rule a wide one.
import assert from "node:assert/strict";
import { textOf } from "./native.mjs";
import { firstDifference } from "./picture.mjs";

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
    for (const width of [1400, 768, 390, 320]) {
        const visit = await test.visit({ size: [width, 700] });
        await visit.evaluate(open, null);
        await visit.simulate(textOf("noc_ex_5_14_hunger"), { agents: 60 });
        await visit.until(() => document.getElementById("what").textContent !== "");
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
        await visit.close();
    }
}

export const tests = [
    ["in a window of any size the flock and the open panel have room", hasRoom],
    ["the legend lies beside or below the sentence about the scenario", legendIsSeen],
    ["the panel and its width are remembered for wide windows and for narrow ones by themselves", remembers],
];
