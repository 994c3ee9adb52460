// SPDX-License-Identifier: MIT
// What the hands do to a flock is what the engine would have done by itself: the same bits.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFlock, textOf } from "./native.mjs";
import { sameDrawing } from "./picture.mjs";

/* The story of a simulation, repeated by class Flock in node. */
function runAgain(flock, story) {
    flock.open(story.text, story.name);
    flock.simulate(settingsOf(story.settings));
    for (const [step, action] of [...story.actions, [story.step, { kind: "end" }]]) {
        if (step > flock.stats().step) flock.step(step - flock.stats().step);
        if (action.kind === "spawn") flock.spawn(action.species, action.positions, action.velocities);
        if (action.kind === "set") flock.set(action.path, action.value);
        if (action.kind === "obstacle") flock.addObstacle({ shape: action.shape, a: action.a, b: action.b, radius: action.radius });
        if (action.kind === "path") flock.addPath(action.species, action.points, action.radius);
        if (action.kind === "paint") flock.paintField(action.field, action.from, action.to, action.radius);
        if (action.kind === "pull") flock.pull(action.place, action.radius, action.weight);
        if (action.kind === "rebuild") {
            flock.open(action.text, story.name);
            const { agents: _, ...kept } = settingsOf(action.settings);
            flock.simulate(kept, true);
        }
    }
    return flock.hash();
}

function settingsOf({ seed, ...rest }) {
    return { ...rest, threads: 1, ...(seed === undefined ? {} : { seed: BigInt(seed) }) };
}

function takeTool(visit, name) {
    return visit.tab.click(`#hands button[aria-label^="${name}"]`);
}

/** Presses on the canvas, moves along the points and lets go. Points are shares of its width and height. */
async function drag(visit, points) {
    const canvas = await visit.tab.$("#sky");
    const { x, y, width, height } = await canvas.boundingBox();
    const mouse = visit.tab.mouse;
    const at = ([u, v]) => [x + u * width, y + v * height];
    await mouse.move(...at(points[0]));
    await mouse.down();
    for (const point of points.slice(1)) await mouse.move(...at(point), { steps: 8 });
    await mouse.up();
}

const stroke = [[0.3, 0.4], [0.5, 0.45], [0.6, 0.6]];

/** Drags agents in, twice, while the flock runs; the story then ends in the page's hash when node runs it. */
async function dragged(test) {
    const visit = await test.again();
    await visit.simulate(textOf("default"), { agents: 2000 }, 5);
    const { stats } = await visit.tell({ do: "play", on: true });
    await takeTool(visit, "Add agents");
    await drag(visit, stroke);
    await visit.until((step) => nextReport("frame").then((frame) => frame.stats.step > step + 10), stats.step);
    await drag(visit, [...stroke].reverse());
    await visit.until((step) => nextReport("frame").then((frame) => frame.stats.step > step + 20), stats.step);
    const last = await visit.tell({ do: "play", on: false });
    const story = await visit.ask("story");
    const hash = await visit.ask("hash");
    const spawned = story.actions.filter(([, action]) => action.kind === "spawn");
    const moving = spawned.filter(([, action]) => action.velocities.some((v) => v !== 0));
    assert.ok(spawned.length >= 2 && moving.length >= 2, `${spawned.length} spawns, ${moving.length} with a velocity`);
    assert.ok(last.stats.agents > 2000);
    assert.equal(runAgain(await makeFlock(test.page), story), hash);
    assert.deepEqual(visit.problems, []);
}

/** The rows of a state file for agents that are spawned behind `count` others. */
function rowsOf(actions, species, count) {
    return actions.flatMap(({ positions, velocities }) => {
        const spawned = positions.length / 2;
        return [...Array(spawned).keys()].map((i) =>
            [count++, species, positions[i], positions[spawned + i], velocities[i], velocities[spawned + i]].join(","));
    });
}

/** Drags agents in before the first step, and runs; natively the same agents come from a state file. */
async function draggedNatively(test) {
    const visit = await test.again();
    const agents = 500;
    await visit.simulate(textOf("default"), { agents });
    await takeTool(visit, "Add agents");
    await drag(visit, stroke);
    const { actions } = await visit.ask("story");
    assert.ok(actions.length > 0 && actions.every(([step, { kind }]) => step === 0 && kind === "spawn"));
    const story = { text: textOf("default"), name: "default", settings: { agents }, actions, step: 40 };
    await visit.evaluate((told) => {
        const running = nextRun();
        dunlinPage.tell({ do: "open", story: told });
        return running;
    }, story);
    const hash = await visit.ask("hash");

    const before = await test.native.state("default", agents);
    const rows = rowsOf(actions.map(([, action]) => action), "dunlins", agents);
    const state = before.trimEnd().replace(/^# agents .*/m, `# agents ${agents + rows.length}`);
    mkdirSync(test.scratch, { recursive: true });
    const file = join(test.scratch, "dragged.csv");
    writeFileSync(file, [state, ...rows, ""].join("\n"));
    assert.equal(await test.native.shippedHash("default", 40, `--init=${file}`), hash);
}

/** Every kind of change during one simulation. The story has the page's hash when the page runs it again, and when node does. */
async function toldAgain(test) {
    const visit = await test.again();
    const text = textOf("default").replace("max_force: 0.03", "max_force: 0.03\n    obstacles_block: true") +
        "fields: [{cells: [16, 10], constant: {vector: [0, 0]}}]\nbehaviours: [{species: dunlins, flow: {}}]\n";
    await visit.simulate(text, { agents: 2000, seed: "18446744073709551615" });
    const changes = [
        { kind: "spawn", species: 0, positions: [10, 20, 30, 40], velocities: [0.3, 0, 0, -0.3] },
        { kind: "set", path: "interactions[0].alignment.weight", value: 0.2 },
        { kind: "obstacle", shape: 0, a: [100, 100], b: [100, 100], radius: 12 },
        { kind: "paint", field: 0, from: [40, 50], to: [200, 90], radius: 30 },
        { kind: "pull", place: [60, 60], radius: 50, weight: 2 },
        { kind: "path", species: 0, points: [20, 200, 250, 30, 60, 150], radius: 5 },
        { kind: "pull", place: [60, 60], radius: 50, weight: 0 },
        { kind: "rebuild", text: text.replace("boundary: periodic", "boundary: reflect"), settings: { threads: 2 } },
        { kind: "spawn", species: 0, positions: [50, 60], velocities: [0.5, 0] },
    ];
    for (const action of changes) {
        await visit.tell({ do: "act", action });
        for (let i = 0; i < 5; i++) await visit.tell({ do: "step" });
    }
    const [story, hash] = [await visit.ask("story"), await visit.ask("hash")];
    assert.equal(story.actions.length, changes.length);
    await visit.simulate(story.text, story.settings, story.step, story.actions, story.name);
    assert.equal(await visit.ask("hash"), hash, "in the page");
    assert.equal(runAgain(await makeFlock(test.page), story), hash, "in node");
    assert.deepEqual(visit.problems, []);
}

/** All tools by keys alone, on a flock that has nothing but its three rules. The page's text then holds what they added. */
async function byKeys(test) {
    const visit = await test.again();
    const { keyboard } = visit.tab;
    await visit.simulate(textOf("mixed_flocks"), { agents: 500 });
    await visit.tab.focus("#sky");
    await visit.tell({ do: "play", on: true });
    for (const key of "34567812") {
        await keyboard.press(key);
        await keyboard.press("Enter");
        for (let i = 0; i < 6; i++) {
            await keyboard.press(i % 2 ? "ArrowRight" : "ArrowUp");
            await visit.next("frame");
        }
        await keyboard.press("Enter");
        await visit.next("frame");
    }
    const paused = visit.evaluate(() => new Promise((resolve) => dunlinPage.on("frame", ({ playing }) => playing || resolve())));
    await keyboard.press("Space");
    await paused;
    const [story, hash] = [await visit.ask("story"), await visit.ask("hash")];
    const kinds = new Set(story.actions.map(([, { kind }]) => kind));
    assert.deepEqual([...kinds].sort(), ["paint", "pull", "rebuild", "spawn"]);
    const pulls = story.actions.filter(([, { kind }]) => kind === "pull").map(([, { weight }]) => Math.sign(weight));
    assert.deepEqual(pulls.filter((sign, i) => sign !== pulls[i - 1]), [-1, 0, 1, 0]);
    const text = await visit.evaluate(() => dunlinPage.text);
    for (const added of ["evade:", "pursue:", "meals:", "obstacles:", "follow_path:", "flow:"]) assert.ok(text.includes(added), added);
    await visit.simulate(story.text, story.settings, story.step, story.actions, story.name);
    assert.equal(await visit.ask("hash"), hash);
    assert.deepEqual(visit.problems, []);
}

/** On a phone: a finger adds agents, two fingers zoom, and a tap opens a panel. */
async function byTouch(test) {
    const visit = await test.visit({ size: [390, 844], touch: true, media: [{ name: "prefers-color-scheme", value: "dark" }] });
    await visit.simulate(textOf("default"), { agents: 500 });
    const { x, y, width, height } = await (await visit.tab.$("#sky")).boundingBox();
    const at = (u, v) => [x + u * width, y + v * height];
    await visit.tab.tap('#hands button[aria-label^="Add agents"]');
    const finger = await visit.tab.touchscreen.touchStart(...at(0.3, 0.4));
    for (let i = 1; i <= 8; i++) await finger.move(...at(0.3 + 0.05 * i, 0.4 + 0.02 * i));
    await finger.end();
    const { actions } = await visit.ask("story");
    assert.ok(actions.length > 0 && actions.every(([, { kind }]) => kind === "spawn"), JSON.stringify(actions));

    const before = await visit.picture();
    const fingers = [await visit.tab.touchscreen.touchStart(...at(0.4, 0.5)), await visit.tab.touchscreen.touchStart(...at(0.6, 0.5))];
    for (let i = 1; i <= 8; i++) {
        await fingers[0].move(...at(0.4 - 0.03 * i, 0.5));
        await fingers[1].move(...at(0.6 + 0.03 * i, 0.5));
    }
    for (const one of fingers) await one.end();
    assert.equal((await visit.ask("story")).actions.length, actions.length, "two fingers add no agents");
    const after = await visit.picture();
    assert.throws(() => sameDrawing(after, before, 0.1), "the view has zoomed");

    await visit.tab.tap("#tab-lessons");
    await visit.until(() => document.getElementById("lessons").getBoundingClientRect().height > 100);
    const [lessons, hands] = await visit.evaluate(() => ["panels", "hands"].map((id) => document.getElementById(id).getBoundingClientRect().toJSON()));
    assert.ok(hands.bottom <= lessons.top && lessons.bottom <= 844, "the panel covers no tool");
    assert.deepEqual(visit.problems, []);
}

export const tests = [
    ["all tools act by the keyboard alone, and the story of that has the same hash", byKeys, "nightly"],
    ["a simulation with every kind of change ends in the same hash when its story is run again, in the page and in node", toldAgain],
    ["on a phone, a finger adds agents, two fingers zoom, and a tap opens a panel beside the tools", byTouch],
    ["agents that are dragged in during a simulation: class Flock in node runs the page's story to the same hash", dragged],
    ["agents that are dragged in before the first step: the native program runs them from a state file to the same hash", draggedNatively],
];
