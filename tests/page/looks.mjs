// SPDX-License-Identifier: MIT
// Where things are drawn is where they are, whichever way y points.
import assert from "node:assert/strict";
import { exportsOf } from "./native.mjs";

/** A place of the canvas is the place in the world that is drawn there, whichever way y points. */
async function placesMeet() {
    const { clipMatrix, wholeWorld, worldPlace } = await exportsOf("paint/camera.ts");
    let seed = 7;
    const random = (low, high) => low + (high - low) * ((seed = (seed * 48271) % 2147483647) / 2147483647);
    for (let i = 0; i < 2000; i++) {
        const size = [random(1, 500), random(1, 500), random(1, 500)].slice(0, i % 3 === 0 ? 3 : 2);
        const about = { dimensions: size.length, size, boundary: size.map(() => 0), y_is_down: size.length === 2 ? i % 2 : 0 };
        const camera = { ...wholeWorld(about), zoom: random(0.3, 9), yaw: random(-3, 3), pitch: random(-1.5, 1.5) };
        camera.centre = size.map((length) => random(0, length));
        const [aspect, x, y] = [random(0.4, 2.5), random(-1, 1), random(-1, 1)];
        const matrix = clipMatrix(about, camera, aspect);
        const place = [...worldPlace(about, camera, aspect, x, y), 0, 1].slice(0, 3).concat(1);
        const [u, v, , w] = [0, 1, 2, 3].map((row) => place.reduce((sum, part, column) => sum + part * matrix[4 * column + row], 0));
        assert.ok(Math.hypot(u / w - x, v / w - y) < 1e-3, JSON.stringify({ about, camera, x, y, u, v, w }));
        if (size.length === 2) assert.equal(place[1] > camera.centre[1], about.y_is_down === 1 ? y < 0 : y > 0);
    }
}

/** What hands do follows the axis: an agent is found where it is drawn, and comes where it is put. */
async function handsFollow(test) {
    const visit = await test.visit({ size: [1000, 600] });
    for (const [axis, row] of [["up", 10], ["down", 50]]) {
        await visit.simulate(`world: {size: [90, 60], y_axis: ${axis}}\nspecies: [{agents: 1, max_speed: 0, start: [{region: box, centre: [45, 50], extent: [0.01, 0.01]}]}]\n`);
        const [x, y] = await visit.evaluate((at) => {
            const { clientWidth, clientHeight } = document.getElementById("sky");
            const pixel = Math.min(clientWidth / 90, clientHeight / 60) / 1.04;
            return [clientWidth / 2, clientHeight / 2 + pixel * (at - 30)];
        }, row);
        const found = visit.next("found");
        await visit.evaluate((spot) => dunlinPage.tell({ do: "find", ...spot }), { x, y });
        assert.equal((await found).agent, 0, axis);
        const other = await visit.evaluate((spot) => {
            dunlinPage.tell({ do: "find", ...spot });
            return nextReport("found");
        }, { x, y: y + (row < 30 ? 100 : -100) });
        assert.equal(other.agent, null, axis);
    }
}

export const tests = [
    ["a place of the canvas is the place in the world that is drawn there, y up and y down", placesMeet],
    ["an agent is found where it is drawn, y up and y down", handsFollow],
];
