// SPDX-License-Identifier: MIT
// Compares pictures loosely: other versions of a browser smooth edges and set letters a little differently.
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { require } from "./driver.mjs";

const { PNG } = require("pngjs");
const { default: pixelmatch } = await import(pathToFileURL(require.resolve("pixelmatch")).href);

/** Half as wide and high: each pixel the mean of four. Keeps files small and forgives small shifts. */
export function halve(png) {
    const source = PNG.sync.read(Buffer.from(png));
    const half = new PNG({ width: source.width >> 1, height: source.height >> 1 });
    const at = (x, y, channel) => source.data[4 * (y * source.width + x) + channel];
    for (let y = 0; y < half.height; y++)
        for (let x = 0; x < half.width; x++)
            for (let c = 0; c < 4; c++)
                half.data[4 * (y * half.width + x) + c] =
                    (at(2 * x, 2 * y, c) + at(2 * x + 1, 2 * y, c) + at(2 * x, 2 * y + 1, c) + at(2 * x + 1, 2 * y + 1, c)) / 4;
    return PNG.sync.write(half, { colorType: 2 });
}

/** Fails if more than a share of the pixels differs clearly. */
export function samePicture(got, wanted, share) {
    const [a, b] = [got, wanted].map((png) => PNG.sync.read(Buffer.from(png)));
    assert.deepEqual([a.width, a.height], [b.width, b.height], "the pictures' sizes");
    const different = pixelmatch(a.data, b.data, null, a.width, a.height, { threshold: 0.2 }) / (a.width * a.height);
    assert.ok(different <= share, `${(100 * different).toFixed(2)} % of the pixels differ, ${100 * share} % may`);
}

/** How many pixels of a picture are not of its commonest colour. */
export function inkOf(png) {
    const { data } = PNG.sync.read(Buffer.from(png));
    const counts = new Map();
    const pixels = new Uint32Array(data.buffer, data.byteOffset, data.length / 4);
    for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
    return pixels.length - Math.max(...counts.values());
}
