// SPDX-License-Identifier: MIT
// Compares pictures loosely: other versions of a browser smooth edges and set letters a little differently.
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { require } from "./driver.mjs";

const { PNG } = require("pngjs");
const { default: pixelmatch } = await import(pathToFileURL(require.resolve("pixelmatch")).href);

function read(png) {
    return PNG.sync.read(Buffer.from(png));
}

/** Each pixel the mean of so many by so many, in steps of 4: keeps files small and forgives small shifts. */
export function shrink(png, by) {
    const source = read(png);
    const small = new PNG({ width: Math.floor(source.width / by), height: Math.floor(source.height / by) });
    const mean = (x, y, channel) => {
        let sum = 0;
        for (let i = 0; i < by * by; i++) sum += source.data[4 * ((y * by + Math.floor(i / by)) * source.width + x * by + (i % by)) + channel];
        return sum / (by * by);
    };
    for (let i = 0; i < small.data.length; i++) {
        const [x, y] = [(i >> 2) % small.width, Math.floor((i >> 2) / small.width)];
        small.data[i] = i % 4 === 3 ? 255 : Math.min(4 * Math.round(mean(x, y, i % 4) / 4), 255);
    }
    return PNG.sync.write(small, { colorType: 2 });
}

/** The first row in which two pictures differ. */
export function firstDifference(one, other) {
    const [a, b] = [read(one), read(other)];
    return Math.floor(a.data.findIndex((value, i) => value !== b.data[i]) / (4 * a.width));
}

/** How many pixels differ clearly. */
function differences(got, wanted) {
    const [a, b] = [read(got), read(wanted)];
    assert.deepEqual([a.width, a.height], [b.width, b.height], "the pictures' sizes");
    return pixelmatch(a.data, b.data, null, a.width, a.height, { threshold: 0.15 });
}

/** How many pixels agents and scenery cover: those that differ clearly from the commonest colour, the ground. */
export function inkOf(png) {
    const { data } = read(png);
    const counts = new Map();
    for (let i = 0; i < data.length; i += 4) {
        const colour = data.readUIntBE(i, 3);
        counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    const most = Math.max(...counts.values());
    const [ground] = [...counts].find(([, count]) => count === most);
    const channels = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];
    const isInk = (colour) => channels(colour).some((value, i) => Math.abs(value - channels(ground)[i]) > 50);
    return [...counts].reduce((sum, [colour, count]) => sum + (isInk(colour) ? count : 0), 0);
}

/** Fails if clearly different pixels are more than a share of those that are drawn: most of a picture is empty ground. */
export function sameDrawing(got, wanted, share) {
    const ink = inkOf(wanted);
    assert.ok(ink > 500, `only ${ink} pixels are drawn`);
    const part = differences(got, wanted) / ink;
    assert.ok(part <= share, `${(100 * part).toFixed(1)} % of the drawn pixels differ, ${100 * share} % may`);
}

/** Fails if more than a share of all areas of so many by so many pixels differ clearly. */
export function sameAreas(got, wanted, by, share) {
    const small = shrink(wanted, by);
    const { width, height } = read(small);
    const part = differences(shrink(got, by), small) / (width * height);
    assert.ok(part <= share, `${(100 * part).toFixed(1)} % of the page differs, ${100 * share} % may`);
}

/** The mean colours of the cells into which a part of a picture is cut, or all of it: per cell red, green and blue. */
export function cellsOf(png, columns, rows, size = null, [left, top] = [0, 0]) {
    const picture = read(png);
    const [width, height] = size ?? [picture.width, picture.height];
    const sums = new Float64Array(3 * columns * rows);
    for (let i = 0; i < width * height; i++) {
        const [x, y] = [i % width, Math.floor(i / width)];
        const cell = Math.floor((y * rows) / height) * columns + Math.floor((x * columns) / width);
        const at = 4 * ((y + top) * picture.width + x + left);
        for (let channel = 0; channel < 3; channel++) sums[3 * cell + channel] += picture.data[at + channel];
    }
    return sums.map((sum) => (sum * columns * rows) / (width * height));
}

/** By how much cells differ, as a part of how much the wanted ones differ from their ground, the brightest cell. */
export function inkBetween(got, wanted) {
    const ground = [0, 1, 2].map((channel) => wanted.reduce((most, value, i) => (i % 3 === channel ? Math.max(most, value) : most), 0));
    const sum = (difference) => wanted.reduce((total, value, i) => total + Math.abs(difference(value, i)), 0);
    return sum((value, i) => got[i] - value) / sum((value, i) => ground[i % 3] - value);
}
