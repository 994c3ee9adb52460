// SPDX-License-Identifier: MIT
// What colours and shapes mean: a wheel of headings, ramps of numbers, and the species by name, on a plate in a corner of the picture,
// as in the program's pictures (harness/picture/legend.c).
import type { About, Shape } from "../flock";
import type { Ranges } from "../protocol";
import { type Inks, ramp, toHex, wheel } from "./palette";
import { shapeOf } from "./shapes";
import type { Style } from "./style";

export interface Key {
    wheel: boolean;
    ramps: { name: string; low: string; high: string }[];
    rows: { name: string; style: Style; shape: Shape }[];
}

const mostRows = 8;

/** known: the species that have had agents. */
export function keyOf(about: About, styles: Style[], ranges: Ranges, known: boolean[]): Key {
    const shown = about.species.map((_, species) => species).filter((species) => known[species]);
    const rows = shown.slice(0, about.species.length > 1 ? mostRows : 0).map((species) => ({
        name: about.species[species].name, style: styles[species], shape: shapeOf(about, styles[species].shape),
    }));
    const ramps = Object.entries(ranges).map(([name, [low, high]]) => ({ name, low: number(low), high: low < high ? number(high) : "" }));
    return { wheel: shown.some((species) => styles[species].colouring === "heading"), ramps, rows };
}

function number(value: number): string {
    return String(Number(value.toPrecision(3)));
}

/** In words, for screen readers. */
export function wordsOf({ wheel, ramps, rows }: Key): string {
    const parts = [
        ...rows.map(({ name, style }) => `${name}: ${style.shape}`),
        ...(wheel ? ["colours are headings"] : []),
        ...ramps.map(({ name, low, high }) => `${name} from ${low} to ${high || low}`),
    ];
    return parts.join(", ");
}

/* ---- drawing --------------------------------------------------------------------------------------------------------------- */

type Pen = OffscreenCanvasRenderingContext2D;
type Plate = { pen: Pen; inks: Inks; dark: boolean; font: number; width: number };

const [rowHeight, wheelSize, rampWidth, rampHeight] = [1.6, 4, 8, 1]; // of the font's size

/** The name as long as it has room. */
function fitted({ pen, width }: Plate, name: string): string {
    if (pen.measureText(name).width <= width) return name;
    let length = name.length;
    while (length > 1 && pen.measureText(`${name.slice(0, length)}…`).width > width) length--;
    return `${name.slice(0, length)}…`;
}

function drawWheel({ pen, font }: Plate, x: number, y: number, lightness: number): void {
    const radius = (wheelSize / 2) * font;
    const wedges = 60;
    pen.lineWidth = 0.45 * radius;
    for (let i = 0; i < wedges; i++) {
        pen.strokeStyle = toHex(wheel(i / wedges, lightness));
        pen.beginPath();
        pen.arc(x + radius, y, 0.775 * radius, (-2 * Math.PI * (i + 0.6)) / wedges, (-2 * Math.PI * (i - 0.6)) / wedges);
        pen.stroke();
    }
}

function drawRamp({ pen, font, dark, inks }: Plate, { name, low, high }: Key["ramps"][number], x: number, top: number): void {
    const [width, bar] = [rampWidth * font, top + 1.6 * font];
    const colours = pen.createLinearGradient(x, 0, x + width, 0);
    for (let i = 0; i <= 32; i++) colours.addColorStop(i / 32, toHex(ramp(i / 32, dark)));
    pen.fillStyle = colours;
    pen.fillRect(x, bar, width, rampHeight * font);
    pen.fillStyle = toHex(inks.text);
    pen.fillText(name, x, top + 0.8 * font, width);
    pen.fillText(low, x, bar + 1.8 * font);
    pen.fillText(high, x + width - pen.measureText(high).width, bar + 1.8 * font);
}

function traceShape(pen: Pen, { radius, corners }: Shape, length: number): void {
    if (radius > 0) pen.arc(0, 0, radius * length, 0, 2 * Math.PI);
    for (let i = 0; i < corners.length; i += 2) pen.lineTo(length * corners[i], -length * corners[i + 1]);
    pen.closePath();
}

function drawRow(plate: Plate, { name, style, shape }: Key["rows"][number], x: number, y: number): void {
    const { pen, font, inks } = plate;
    const length = 1.4 * font;
    pen.save();
    pen.translate(x + 0.7 * font, y);
    pen.beginPath();
    traceShape(pen, shape, length);
    pen.fillStyle = toHex(style.own);
    pen.strokeStyle = toHex(style.rim);
    pen.lineWidth = font / 12;
    pen.fill();
    pen.stroke();
    pen.restore();
    pen.fillStyle = toHex(inks.text);
    pen.fillText(fitted(plate, name), x + 2 * font, y);
}

/** The legend's picture. font: pixels; most: its greatest width, in pixels; null: there is nothing to explain, or no room. */
export function drawLegend(key: Key, inks: Inks, dark: boolean, lightness: number, font: number, most: number): OffscreenCanvas | null {
    const canvas = new OffscreenCanvas(1, 1);
    const plate: Plate = { pen: canvas.getContext("2d")!, inks, dark, font, width: 0 };
    const letters = `${font}px system-ui, sans-serif`;
    plate.pen.font = letters;
    const pad = 0.6 * font;
    const keys = key.ramps.length > 0 ? rampWidth * font : key.wheel ? wheelSize * font : 0;
    const names = Math.max(0, ...key.rows.map(({ name }) => plate.pen.measureText(name).width));
    plate.width = Math.min(names, most - keys - 3 * pad - 2 * font);
    if ((keys === 0 && names === 0) || (names > 0 && plate.width < 3 * font)) return null;
    const rows = key.rows.length > 0 ? plate.width + 2 * font : 0;
    const keyHeight = (key.wheel ? wheelSize * font : 0) + key.ramps.length * (3.4 + rampHeight) * font;
    canvas.width = Math.ceil(keys + rows + (keys > 0 && rows > 0 ? 3 : 2) * pad);
    canvas.height = Math.ceil(Math.max(keyHeight, key.rows.length * rowHeight * font) + 2 * pad);
    draw(plate, key, letters, keys > 0 ? keys + pad : 0, keyHeight, lightness);
    return canvas;
}

function draw(plate: Plate, { wheel: hasWheel, ramps, rows }: Key, letters: string, across: number, keyHeight: number, lightness: number): void {
    const { pen, inks, font } = plate;
    const { width, height } = pen.canvas;
    const pad = 0.6 * font;
    pen.fillStyle = `${toHex(inks.ground)}dd`;
    pen.fillRect(0, 0, width, height);
    pen.strokeStyle = toHex(inks.edge);
    pen.lineWidth = 1;
    pen.strokeRect(0.5, 0.5, width - 1, height - 1);
    pen.font = letters;
    pen.textBaseline = "middle";
    let top = (height - keyHeight) / 2;
    if (hasWheel) drawWheel(plate, pad, top + (wheelSize / 2) * font, lightness);
    if (hasWheel) top += wheelSize * font;
    for (const one of ramps) {
        drawRamp(plate, one, pad, top);
        top += (3.4 + rampHeight) * font;
    }
    rows.forEach((row, i) => drawRow(plate, row, pad + across, height / 2 + (i + 0.5 - rows.length / 2) * rowHeight * font));
}
