// SPDX-License-Identifier: MIT
// The first ten seconds: a flock that moves, three sliders, a hand that acts on it, tools with names, a surprise that repeats.
import assert from "node:assert/strict";
import { textOf } from "./native.mjs";

/** A press and a drag over the middle of the canvas, with whatever tool there is. */
async function dragAcross(visit) {
    const { x, y, width, height } = await (await visit.tab.$("#sky")).boundingBox();
    await visit.tab.mouse.move(x + 0.4 * width, y + 0.4 * height);
    await visit.tab.mouse.down();
    await visit.tab.mouse.move(x + 0.6 * width, y + 0.6 * height, { steps: 6 });
    await visit.tab.mouse.up();
}

/** Until an engine runs, the page says that it loads; then at most 5000 agents move, in a world of the window's shape. */
async function movesSoon(test) {
    const visit = await test.visit({ runs: false });
    assert.match(await visit.evaluate(() => document.querySelector("#loading").textContent), /loading/);
    await visit.begin();
    const { stats } = await visit.next("frame");
    assert.ok(stats.agents <= 5010 && stats.agents > 1000, `${stats.agents} agents`);
    await visit.until((step) => nextReport("frame").then((frame) => frame.stats.step > step), stats.step);
    assert.ok(await visit.evaluate(() => document.getElementById("loading").hidden));
    const [world, window] = await visit.evaluate(() => {
        const [width, height] = dunlinPage.running.about.size;
        const { clientWidth, clientHeight } = document.getElementById("sky");
        return [width / height, clientWidth / clientHeight];
    });
    assert.ok(Math.abs(world / window - 1) < 0.05, `the world is ${world} wide, the window ${window}`);
    assert.match(await visit.evaluate(() => document.getElementById("flock").innerText), /peregrines hunt.*sees only its neighbours/s);
    assert.deepEqual(visit.problems, []);
}

/** What shows the flock has its place and size from the first script on. */
async function staysInPlace(test) {
    const measure = () => {
        globalThis.place = () => Object.values(document.getElementById("sky").getBoundingClientRect().toJSON());
        const Plain = Worker;
        globalThis.Worker = class extends Plain {
            constructor(...what) {
                globalThis.early ??= place();
                super(...what);
            }
        };
    };
    for (const size of [[1400, 900], [768, 1024], [844, 390], [390, 844], [320, 568]]) {
        const visit = await test.visit({ size, before: measure });
        await visit.next("frame");
        const [early, late] = await visit.evaluate(() => [early, place()]);
        for (const [i, edge] of late.entries()) assert.ok(Math.abs(edge - early[i]) < 1, `${size}: ${early}, then ${late}`);
        await visit.tab.close();
    }
}

/** The module is compiled while it comes, from a host that sends its type, and afterwards from one that does not. */
async function streams(test) {
    const worker = (type) => `self.compiled = [];
        for (const name of ["compile", "compileStreaming"]) {
            const compile = WebAssembly[name];
            WebAssembly[name] = (source) => (self.compiled.push(name), compile.call(WebAssembly, source));
        }
        const plainFetch = fetch;
        self.fetch = async (...what) => {
            const response = await plainFetch(...what);
            return ${type} ? response : new Response(await response.arrayBuffer());
        };`;
    for (const [type, wanted] of [[true, "compileStreaming"], [false, "compile"]]) {
        const before = `{ const Plain = Worker; globalThis.Worker = class extends Plain { constructor(script) {
            super(URL.createObjectURL(new Blob([${JSON.stringify(worker(type))} + "importScripts(" + JSON.stringify(new URL(script, location.href).href) + ");"])));
        } }; }`;
        const visit = await test.visit({ before, isolated: type });
        const own = visit.tab.workers().find((one) => one.url().startsWith("blob:"));
        assert.deepEqual(await own.evaluate(() => self.compiled), [wanted]);
        assert.match(await visit.ask("hash"), /^[0-9a-f]{16}$/);
        await visit.tab.close();
    }
}

/** The first drag scatters the flock; the hint that says so goes. */
async function firstDragActs(test) {
    const visit = await test.visit();
    const hint = () => visit.evaluate(() => document.querySelector(".hint").textContent);
    assert.match(await hint(), /Drag across the flock/);
    const camera = await visit.evaluate(() => JSON.stringify(dunlinPage.running.camera));
    await dragAcross(visit);
    const { actions } = await visit.ask("story");
    const weights = actions.map(([, action]) => action.weight);
    assert.ok(actions.every(([, { kind }]) => kind === "pull") && weights.some((weight) => weight < 0) && weights.at(-1) === 0, JSON.stringify(weights));
    assert.equal(await hint(), "");
    assert.equal(await visit.evaluate(() => JSON.stringify(dunlinPage.running.camera)), camera, "the view stays");
    assert.deepEqual(visit.problems, []);
}

/** Each slider scales the weights of its rule in all interactions of a species with itself, and no other number. */
async function threeSliders(test) {
    const visit = await test.again();
    for (const [i, rule] of ["separation", "alignment", "cohesion"].entries()) {
        await visit.simulate(textOf("two_flocks"), { agents: 200 }, 0, [], `${i}.yaml`);
        const before = new Map((await visit.ask("numbers")).map(({ path, value }) => [path, value]));
        await visit.evaluate((at) => {
            const slider = document.querySelectorAll("#flock .dial input[type=range]")[at];
            slider.value = "2";
            slider.dispatchEvent(new Event("input"));
            return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        }, i);
        const changed = (await visit.ask("numbers")).filter(({ path, value }) => value !== before.get(path));
        assert.ok(changed.length >= 2, `${changed.length} weights of ${rule}`);
        for (const { path, value } of changed) {
            assert.match(path, new RegExp(`^interactions\\[\\d\\]\\.${rule}\\.weight$`));
            assert.ok(Math.abs(value / before.get(path) - 2) < 1e-3, `${path}: ${value}`);
        }
    }
    await visit.simulate(textOf("vicsek"), { agents: 50 });
    assert.match(await visit.evaluate(() => document.getElementById("flock").innerText), /other rules/);
    assert.deepEqual(visit.problems, []);
}

/** At a quarter speed the flock takes far fewer steps than at four times, and is at each step in the same state as without a picture. */
async function speedIsNoTimeStep(test) {
    const visit = await test.again();
    const taken = [];
    let time = 0; // ms that two steps take at a quarter speed, at least 2 s
    for (const pace of ["0", "4"]) {
        await visit.simulate(textOf("noc_5_09_flock"), { threads: 1 });
        time = await visit.evaluate(async (value, least) => {
            const slider = [...document.querySelectorAll("#flock .dial input[type=range]")].at(-1);
            slider.value = value;
            slider.dispatchEvent(new Event("input"));
            const begun = performance.now();
            dunlinPage.tell({ do: "play", on: true });
            await new Promise((resolve) => setTimeout(resolve, least));
            while ((await nextReport("frame")).stats.step < 2);
            dunlinPage.tell({ do: "play", on: false });
            return performance.now() - begun;
        }, pace, Math.max(time, 2000));
        const story = await visit.ask("story");
        taken.push(story.step);
        await visit.simulate(story.text, story.settings, story.step);
        assert.equal(await visit.ask("hash"), story.hash);
        assert.deepEqual(story.actions, [], "speed is no change of the simulation");
    }
    assert.ok(taken[0] * 4 < taken[1], `${taken[0]} steps, then ${taken[1]}`);
    assert.deepEqual(visit.problems, []);
}

/** The number in the address says which surprise it is: the button puts another one there, and a visit by that address sees the same. */
async function surprises(test) {
    const visit = await test.visit({ address: "?surprise=7" });
    const first = await visit.ask("story");
    assert.equal(first.settings.seed, "7");
    await visit.evaluate(() => [...document.querySelectorAll("#flock button")].find(({ textContent }) => textContent === "Surprise me").click());
    await visit.until(() => /^\?surprise=\d+$/.test(location.search) && dunlinPage.running.settings.seed === location.search.slice(10) &&
        location.search !== "?surprise=7");
    assert.match(await visit.message(), new RegExp(`A surprise: ${await visit.evaluate(() => dunlinPage.running.about.name)}, `));
    const { text, settings } = await visit.ask("story");
    assert.notEqual(text, first.text);
    const other = await test.visit({ address: await visit.evaluate(() => location.search) });
    const repeated = await other.ask("story");
    assert.deepEqual([repeated.text, repeated.settings], [text, settings]);
    assert.deepEqual([...visit.problems, ...other.problems], []);
}

/** Asked for, a surprise is never the scenario that runs, whatever comes first, and never a heavy one. */
async function surprisesAreOthers(test) {
    const visit = await test.visit({ address: "?surprise=7" });
    const runs = () => visit.evaluate(() => dunlinPage.running.name);
    let before = await runs();
    for (const again of [7, 8, 9]) {
        await visit.evaluate((seed) => {
            const rolls = [seed, seed, seed + 1, seed + 2, seed + 3].map((one) => (one + 0.5) / 1e6);
            const random = Math.random;
            Math.random = () => rolls.shift() ?? random();
            dunlinPage.surprised = nextRun();
            [...document.querySelectorAll("#flock button")].find(({ textContent }) => textContent === "Surprise me").click();
        }, again === 7 ? 7 : Number((await visit.evaluate(() => location.search)).slice(10)));
        await visit.evaluate(() => dunlinPage.surprised);
        const now = await runs();
        assert.notEqual(now, before);
        assert.ok((await visit.next("frame")).stats.agents < 25000);
        before = now;
    }
}

/** A line says what this is; the help has it too, and opens a million agents, which ask first. */
async function helps(test) {
    const visit = await test.visit();
    await visit.evaluate(() => [...document.querySelectorAll("#flock button")].find(({ textContent }) => textContent === "What is this?").click());
    assert.match(await visit.evaluate(() => document.querySelector("dialog[open]").innerText), /Dunlin simulates flocks.*two fingers.*Space/s);
    await visit.evaluate(() => [...document.querySelectorAll("dialog[open] button")].find(({ textContent }) => textContent === "Show me a million").click());
    await visit.until(() => dunlinPage.running.name === "million.yaml");
    assert.match(await visit.message(), /Run all 1.000.000/);
    assert.equal((await visit.next("frame")).stats.agents, 50000);
    assert.equal(await visit.evaluate(() => document.querySelector("dialog[open]")), null);
    assert.deepEqual(visit.problems, []);
}

/** Every tool shows its name; what the engine does is folded away, and there once it is unfolded. */
async function namedTools(test) {
    const visit = await test.visit({ size: [1280, 720] });
    const names = await visit.evaluate(() => [...document.querySelectorAll("#hands button")].map(({ innerText, ariaLabel }) => [innerText.trim(), ariaLabel]));
    assert.equal(names.length, 11);
    for (const [shown, name] of names) assert.ok(shown.length > 2 && name.startsWith(shown), `${name} shows ${shown}`);
    const engine = () => visit.evaluate(() => ["Time step", "Seed", "Kernel", "Threads", "State hash"].filter((word) =>
        document.getElementById("flock").innerText.includes(word)));
    assert.deepEqual(await engine(), []);
    await visit.tab.click("#engine summary");
    assert.deepEqual(await engine(), ["Time step", "Seed", "Kernel", "Threads", "State hash"]);
    assert.deepEqual(visit.problems, []);
}

export const tests = [
    ["the page first says that it loads, then a light flock moves in a world of the window's shape", movesSoon, "firefox"],
    ["the flock stays where it is as the rest of the page comes", staysInPlace, "nightly"],
    ["the engine is compiled while it comes, or, without its type, once it is there", streams, "nightly"],
    ["the first drag over the flock scatters it, and a hint says so before", firstDragActs, "firefox nightly"],
    ["three sliders scale the weights of the three rules and nothing else", threeSliders, "firefox nightly"],
    ["speed changes how many steps a frame takes, and no bit", speedIsNoTimeStep],
    ["a surprise is repeated by its address", surprises, "nightly"],
    ["a surprise that is asked for is another scenario, and a light one", surprisesAreOthers, "nightly"],
    ["help says what this is, and shows a million agents after a question", helps, "firefox nightly"],
    ["tools show their names, and what the engine does is folded away", namedTools, "firefox nightly"],
];
