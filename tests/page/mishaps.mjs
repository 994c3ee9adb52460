// SPDX-License-Identifier: MIT
// What goes wrong breaks nothing, and a message says what happened.
import assert from "node:assert/strict";
import { textOf } from "./native.mjs";
import { watchedWorker, watching } from "./watch.mjs";

/** The simulation continues, and the browser complained about nothing. */
async function stillRuns(visit, play = true) {
    if (play) await visit.tell({ do: "play", on: true });
    const { stats } = await visit.next("frame");
    await visit.until((step) => nextReport("frame").then((frame) => frame.stats.step > step), stats.step);
    assert.deepEqual(visit.problems, []);
}

async function mistakesNameTheirLines(test) {
    const visit = await test.again();
    await visit.simulate(textOf("default"), {}, 10);
    const hash = await visit.ask("hash");
    const text = textOf("default").replace("max_speed:", "max_sped:");
    const line = text.slice(0, text.indexOf("max_sped:")).split("\n").length;
    const failed = visit.next("failed");
    await assert.rejects(visit.simulate(text), /max_sped/);
    assert.equal((await failed).line, line);
    assert.match(await visit.message(), new RegExp(`test.yaml:${line}: .*max_sped`));
    assert.equal(await visit.ask("hash"), hash, "the simulation before the mistake is still there");
    await stillRuns(visit);
}

/** More agents than there is memory for are refused with a message; those that there is room for run, in a larger world. */
async function hugeFlocks(test) {
    const visit = await test.visit();
    await visit.simulate(textOf("default"), { agents: 1000 });
    await assert.rejects(visit.simulate(textOf("default"), { agents: 4e9 }), /agents|memory/);
    assert.match(await visit.message(), /agents|memory/);
    assert.equal((await visit.tell({ do: "step" })).stats.agents, 1000);
    await visit.evaluate(typeAgents, 5e6);
    await visit.until(() => /takes (some \d+ seconds|minutes).*Enlarge the world/s.test(document.getElementById("messages").innerText));
    const running = await visit.evaluate(() => {
        const simulation = nextRun();
        [...document.querySelectorAll("#messages button")].find(({ textContent }) => /Enlarge/.test(textContent)).click();
        return simulation;
    }).catch((error) => error);
    if (running instanceof Error) assert.match(await visit.message(), /memory/);
    else assert.equal((await visit.tell({ do: "step" })).stats.agents, 5e6);
    await visit.simulate(textOf("default"));
    await stillRuns(visit);
}

/* Types a number of agents. Runs in the page. */
function typeAgents(count) {
    const field = document.querySelector("#flock input.agents");
    field.value = String(count);
    field.dispatchEvent(new Event("change"));
}

/** Whether a number of agents is asked about depends on the steps that they would make, not on how many there are now. */
async function largeFlocks(test) {
    const visit = await test.again();
    for (const [name, agents, typed, asked] of [["default", 2000, 1e6, true], ["default", 10, 1e6, true], ["default", 10, 9000, false]]) {
        await visit.simulate(textOf(name), { agents }, 2);
        await visit.tell({ do: "look", look: {} }); // a frame, so that the page knows the present numbers
        const { simulation } = await visit.evaluate(() => dunlinPage.running);
        await visit.evaluate(typeAgents, typed);
        const what = `${typed} instead of ${agents} of ${name}`;
        if (asked) await visit.until(() => /1.000.000 agents .* pairs, which takes some [\d.]+ seconds/.test(document.getElementById("messages").innerText));
        else await visit.until((before) => dunlinPage.running.simulation > before, simulation);
        const { stats } = await visit.tell({ do: "look", look: {} });
        assert.equal(stats.agents, asked ? agents : typed, what);
        assert.equal(await visit.evaluate(() => document.querySelector("#flock input.agents").valueAsNumber), stats.agents, what);
        assert.equal(asked, await visit.evaluate(() => [...document.querySelectorAll("#messages button")].some(({ textContent }) =>
            textContent === "Run them anyway")), what);
        await visit.evaluate(() => document.querySelectorAll("#messages .message > button").forEach((close) => close.click()));
    }
    assert.deepEqual(visit.problems, []);
}

/** Moves a slider 10 000 times within a second. */
async function wildSliders(test) {
    const visit = await test.again();
    await visit.simulate(textOf("default"));
    await visit.tell({ do: "play", on: true });
    const last = await visit.evaluate(async () => {
        const slider = document.querySelector("#settings input[aria-label='Time step']");
        const [min, max] = [slider.min, slider.max].map(Number);
        for (let begin = performance.now(), i = 1; i <= 10000; i++) {
            slider.valueAsNumber = min + (i / 10000) * 0.9 * (max - min);
            slider.dispatchEvent(new Event("input"));
            if (i % 100 === 0) await new Promise((resolve) => setTimeout(resolve, Math.max(0, begin + i / 10 - performance.now())));
        }
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        return slider.valueAsNumber;
    });
    const numbers = await visit.ask("numbers");
    const { value } = numbers.find(({ path }) => path === "world.time_step");
    assert.ok(value > 1 && Math.abs(value - last) < 1e-6 * last, `${value} after ${last}`);
    const { actions } = await visit.ask("story");
    assert.ok(actions.length < 250, `${actions.length} changes were kept`);
    assert.equal(await visit.message(), "");
    await stillRuns(visit);
}

/** The canvas has as many pixels as the screen, also where these are smaller than CSS pixels. */
async function resizing(test) {
    const visit = await test.visit();
    for (const [width, height] of [[320, 480], [1, 1], [2500, 300], [200, 2000], [1000, 625]]) {
        await visit.tab.setViewport({ width, height });
        await visit.next("frame");
    }
    await visit.tab.setViewport({ width: 900, height: 600, deviceScaleFactor: 2 });
    const wanted = await visit.evaluate(() => ["clientWidth", "clientHeight"].map((side) => 2 * document.getElementById("sky")[side]));
    await visit.next("frame");
    const picture = await visit.picture();
    assert.deepEqual([picture.readUInt32BE(16), picture.readUInt32BE(20)], wanted, "the canvas' pixels");
    await stillRuns(visit);
}

async function hiddenTab(test) {
    const visit = await test.visit();
    await visit.tell({ do: "play", on: true });
    const other = await test.browser.newPage();
    await other.bringToFront();
    await visit.until(() => document.visibilityState === "hidden");
    await new Promise((resolve) => setTimeout(resolve, 1000));
    assert.match(await visit.ask("hash"), /^[0-9a-f]{16}$/, "a hidden page still answers");
    await other.close();
    await visit.tab.bringToFront();
    await stillRuns(visit, false);
}

/** Takes the graphics away, and gives them back when the simulation has gone on. */
async function lostContext(test) {
    const visit = await test.visit({ before: watching });
    await visit.simulate(textOf("default"), {}, 20);
    await visit.tell({ do: "look", look: { shape: "butterfly", chosen: 5 } });
    const before = await visit.picture();
    const worker = watchedWorker(visit);
    await worker.evaluate(() => {
        seen.loss = seen.gl.getExtension("WEBGL_lose_context");
        seen.loss.loseContext();
    });
    await visit.until(() => /drawn again/.test(document.getElementById("messages").innerText));
    const { step } = await visit.ask("story");
    await visit.tell({ do: "play", on: true });
    await visit.until((from) => nextReport("frame").then(({ stats }) => stats.step > from + 5), step);
    await visit.simulate(textOf("default"), {}, 20);
    await worker.evaluate(() => {
        const back = new Promise((resolve) => seen.gl.canvas.addEventListener("webglcontextrestored", resolve));
        seen.loss.restoreContext();
        return back;
    });
    assert.deepEqual(await visit.picture(), before);
    await stillRuns(visit);
}

export const tests = [
    ["a mistake in the text is reported at its line, and the simulation before continues", mistakesNameTheirLines],
    ["a request for 4 billion agents is refused with a message; one for 5 million asks for room, and runs or is refused", hugeFlocks, "nightly"],
    ["a number of agents whose steps would take seconds is asked about, however few run; others run at once", largeFlocks],
    ["10 000 moves of a slider within a second: the last one counts, few are kept, the flock runs on", wildSliders, "nightly"],
    ["the page takes any size of its window, even one pixel, and is sharp on dense screens", resizing, "nightly"],
    ["a lost WebGL2 context is reported and the flock runs on; once it is back, the same picture is drawn", lostContext, "nightly"],
    ["a hidden page answers, and runs on when it is shown again", hiddenTab, "nightly"],
];
