// SPDX-License-Identifier: MIT
// A visitor without a pointer misses nothing.
import assert from "node:assert/strict";
import { textOf } from "./native.mjs";
import { sameDrawing } from "./picture.mjs";

/** Starts, pauses, steps, adds agents and zooms without a pointer. */
async function keyboardAlone(test) {
    const visit = await test.visit();
    const { keyboard } = visit.tab;
    await visit.simulate(textOf("default"), { agents: 500 }, 10);
    const isAtFlock = () => visit.evaluate(() => document.activeElement.id === "sky");
    for (let tabs = 0; tabs < 60 && !(await isAtFlock()); tabs++) await keyboard.press("Tab");
    assert.ok(await isAtFlock(), "Tab reaches the flock");
    const playing = (wanted) => visit.until((on) => nextReport("frame").then((frame) => frame.playing === on), wanted);

    assert.ok(!(await visit.tell({ do: "look", look: {} })).playing); // which the page knows from now on
    await keyboard.press("Space");
    await playing(true);
    await keyboard.press("Space");
    await visit.until(() => dunlinPage.ask("story").then(({ step }) => dunlinPage.ask("story").then((later) => later.step === step)));
    const { step } = await visit.ask("story");
    await keyboard.press(".");
    assert.equal((await visit.ask("story")).step, step + 1);

    await keyboard.press("3"); // the tool that adds agents
    await keyboard.press("Enter"); // begins at the crosshair
    for (let i = 0; i < 4; i++) await keyboard.press("ArrowRight");
    await keyboard.press("Enter");
    assert.ok((await visit.ask("story")).actions.some(([, action]) => action.kind === "spawn"), "agents were added");
    assert.ok((await visit.tell({ do: "look", look: {} })).stats.agents > 500);

    const before = await visit.picture();
    for (let i = 0; i < 3; i++) await keyboard.press("+");
    await new Promise((resolve) => setTimeout(resolve, 500));
    const after = await visit.picture();
    assert.throws(() => sameDrawing(after, before, 0.01), "the view has zoomed");
    assert.deepEqual(visit.problems, []);
}

export const tests = [["with the keyboard alone, a visitor starts, pauses, steps, adds agents and zooms", keyboardAlone]];
