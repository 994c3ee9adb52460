// SPDX-License-Identifier: MIT
// The page draws what the native program draws: the same colours, in the same places, as much of each. Pictures are compared by the
// mean colours of coarse cells, since edges are smoothed differently. Where things are drawn is where they are, whichever way y points.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { cellsOf, inkBetween } from "./picture.mjs";
import { agentsOf, exportsOf, shipped, textOf } from "./native.mjs";

const steps = 60;
const most = 1200; // agents; what has more runs with so many, on both sides
const [width, height] = [960, 600]; // at which no agent is so short that the page draws it longer
const [columns, rows] = [16, 10];
const margin = 0.02 * width;
/** Of the drawn ink, that may differ. In 3D the page turns shapes in space, and the program's pictures only shorten them. */
const allowedIn = (text) => (text.includes("dimensions: 3") ? 0.3 : 0.15);
/** Where the page means to differ: arrows of fields are as long as their vectors, in the program's pictures as the forces. */
const looser = { vortex: 0.35 };

/* ---- the native program's camera ----------------------------------------------------------------------------------------- */

/** The box that its picture frames: the world, or in an open one what agents are and steer by. */
function boxOf({ about, scenery }, places, edge) {
    const { size, boundary } = about;
    if (boundary.some((one) => one !== 3))
        return [size.map((_, a) => (boundary[a] === 1 ? -edge : 0)), size.map((length, a) => length + (boundary[a] === 1 ? edge : 0))];
    const all = [...places, ...pointsOf(scenery)];
    const ends = (least) => size.map((_, a) => all.map((place) => place[a]).filter((x) => x !== undefined).reduce((x, y) => least(x, y)));
    const [low, high] = [ends(Math.min), ends(Math.max)];
    const longest = Math.max(...high.map((end, a) => end - low[a]));
    const wider = low.map((end, a) => Math.max(longest / 3 - (high[a] - end), 0) + 0.04 * longest);
    return [low.map((end, a) => end - wider[a] / 2), high.map((end, a) => end + wider[a] / 2)];
}

/** Targets, walls and followed paths. */
function pointsOf({ behaviours, paths }) {
    return behaviours.flatMap(({ kind, target, position, margin, min, max, path }) => {
        if ((kind <= 4 || kind === 18) && target === 0) return [position];
        if (kind === 6) return [min, max].map((end) => end.map((x, a) => (margin[a] >= 0 ? x : undefined)));
        return kind === 7 ? paths[path].x.map((x, i) => [x, paths[path].y[i]]) : [];
    });
}

/**
 * The page's camera with which it shows the same, on which canvas, and the upper left corner of what is compared. In 3D the program's
 * lens is longer: the page draws more around it.
 */
function cameraFor({ size }, [low, high]) {
    const middle = low.map((end, a) => (end + high[a]) / 2);
    const box = high.map((end, a) => end - low[a]);
    const corners = [...Array(2 ** size.length).keys()].map((i) => box.map((length, a) => (i >> a & 1 ? length : -length) / 2));
    const [yaw, pitch, far] = [0.52, 0.36, 2.2 * Math.hypot(...box)];
    const seen = corners.map(([x, y, z]) => {
        if (size.length === 2) return [x, y];
        const [across, along] = [x * Math.cos(yaw) + y * Math.sin(yaw), y * Math.cos(yaw) - x * Math.sin(yaw)];
        const near = far / (far + along * Math.cos(pitch) - z * Math.sin(pitch));
        return [across * near, (along * Math.sin(pitch) + z * Math.cos(pitch)) * near];
    });
    const [[left, right], [bottom, top]] = [0, 1].map((a) => [Math.min, Math.max].map((end) => end(...seen.map((place) => place[a]))));
    const scale = Math.min((width - 2 * margin) / (right - left), (height - 2 * margin) / (top - bottom));
    if (size.length === 2) {
        const whole = 1.04 * Math.max(size[1] / 2, (size[0] / 2) * (height / width));
        return { camera: { centre: middle, zoom: whole / (height / 2 / scale) }, canvas: [width, height], corner: [0, 0] };
    }
    const side = 2 * Math.round(scale * far / 2.5);
    const corner = [side / 2 + (left + right) / 2 * scale - width / 2, side / 2 - (bottom + top) / 2 * scale - height / 2].map(Math.round);
    return { camera: { centre: middle, zoom: 0.54 * Math.hypot(...size) / (far / 2.5), yaw, pitch }, canvas: [side, side], corner };
}

/** The places of all agents, by the text of a state file. */
function placesOf(csv) {
    const [head, ...lines] = csv.trim().split("\n").filter((line) => !line.startsWith("#")).map((line) => line.split(","));
    const columns = ["x", "y", "z"].map((name) => head.indexOf(name)).filter((column) => column >= 0);
    return lines.map((line) => columns.map((column) => Number(line[column])));
}

/* ---- pictures -------------------------------------------------------------------------------------------------------------- */

async function nativePicture(test, text, agents, to) {
    const folder = mkdtempSync(join(tmpdir(), "dunlin-looks-"));
    const [file, png] = [join(folder, "scenario.yaml"), join(folder, "native.png")];
    writeFileSync(file, text);
    await promisify(execFile)(test.native.program, ["run", file, `--steps=${to}`, "--quiet", "--threads=1", `--agents=${agents}`,
        "--no-legend", `--picture=${png}`, `--picture-size=${width}x${height}`]);
    return readFileSync(png);
}

async function begin(test) {
    const visit = await test.again({ size: [1000, 600] });
    await visit.tell({ do: "look", look: { legend: false, still: true, dark: false, densityFrom: 1e9 } });
    return visit;
}

async function pagePicture(visit, text, agents, to) {
    const running = await visit.simulate(text, { agents }, to);
    const csv = await visit.evaluate(async () => new TextDecoder().decode(await dunlinPage.ask("state")));
    const box = boxOf(running, placesOf(csv), Number(/^  margin: ([\d.]+)/m.exec(text)?.[1] ?? 0));
    const { camera, canvas, corner } = cameraFor(running.about, box);
    await visit.evaluate((one, [w, h]) => {
        dunlinPage.tell({ do: "resize", width: w, height: h, ratio: 1 });
        dunlinPage.tell({ do: "camera", camera: one });
    }, camera, canvas);
    return { png: await visit.picture(), corner };
}

/** Both pictures, and the part of the native one's ink that the page lacks, or has elsewhere or in another colour. */
async function both(test, visit, text, { pageText = text, look = {}, to = steps } = {}) {
    const agents = Math.min(agentsOf(text) || most, most);
    const drawn = nativePicture(test, text, agents, to);
    await visit.tell({ do: "look", look: { shape: "scenario", colour: "scenario", size: 0, scenery: true, ...look } });
    const page = await pagePicture(visit, pageText, agents, to);
    const native = await drawn;
    const cells = [cellsOf(page.png, columns, rows, [width, height], page.corner), cellsOf(native, columns, rows)];
    return { page: page.png, native, part: inkBetween(...cells) };
}

function pageLooksNative(names) {
    return async (test) => {
        const visit = await begin(test);
        for (const name of names) {
            const { page, native, part } = await both(test, visit, textOf(name));
            for (const [side, png] of Object.entries({ page, native })) writeFileSync(join(test.scratch, `${name}.${side}.png`), png);
            if (process.env.DUNLIN_LOOKS) console.log(name, part.toFixed(3));
            assert.ok(part < (looser[name] ?? allowedIn(textOf(name))), `${name}: ${(100 * part).toFixed(0)} % of the ink differ; see ${test.scratch}`);
        }
        assert.deepEqual(visit.problems, []);
    };
}

/** What would be wrong if the page drew in another way, each in a scenario that shows it. */
const faults = [
    ["another shape", "noc_5_09_flock", { look: { shape: "circle" } }],
    ["other colours", "noc_5_09_flock", { look: { colour: "species" } }],
    ["no outline", "noc_5_08_separate_seek", { edit: [/outline: true/, "outline: false"] }],
    ["y flipped", "two_flocks", { edit: [/^world:$/m, "world:\n  y_axis: down"] }],
    ["a third longer", "noc_5_01_seek", { look: { size: 24 } }],
    ["a third shorter", "noc_5_01_seek", { look: { size: 12 } }],
    ["a species missing", "doherty_wishes", { edit: [/(name: food\n    max_speed: 0\n    agents:) 40/, "$1 0"] }],
    ["no scenery", "leader", { look: { scenery: false } }],
    ["another shape in 3D", "opensteer_boids", { look: { shape: "circle" } }],
];

async function faultsShow(test) {
    const visit = await begin(test);
    for (const [fault, name, { look, edit }] of faults) {
        const text = textOf(name);
        const pageText = edit === undefined ? text : text.replace(...edit);
        assert.ok(edit === undefined || pageText !== text, fault);
        const { part } = await both(test, visit, text, { look, pageText, to: 0 });
        if (process.env.DUNLIN_LOOKS) console.log(fault, name, part.toFixed(3));
        assert.ok(part > allowedIn(text), `${fault}: only ${part.toFixed(3)} of the ink differ`);
    }
}

/* ---- places ---------------------------------------------------------------------------------------------------------------- */

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

const parts = 4;
const few = ["noc_5_09_flock", "obstacles", "vortex", "opensteer_boids"]; // shapes, scenery, fields and 3D
const others = shipped.filter((name) => !few.includes(name));

export const tests = [
    ["a place of the canvas is the place in the world that is drawn there, y up and y down", placesMeet],
    ["an agent is found where it is drawn, y up and y down", handsFollow],
    ["shapes, scenery, fields and 3D look as in the native program's pictures", pageLooksNative(few), "firefox nightly"],
    ...[...Array(parts).keys()].map((part) => [`shipped scenarios look as in the native program's pictures, part ${part + 1} of ${parts}`,
        pageLooksNative(others.filter((_, i) => i % parts === part)), "nightly"]),
    ["a page that drew other shapes, colours, sizes, places or less would be noticed", faultsShow, "nightly"],
];
