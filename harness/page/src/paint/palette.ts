// SPDX-License-Identifier: MIT
// Colours, chosen in Oklab (B. Ottosson, 2020), where equal steps look equally large. On light ground they are
// those of the program's pictures (harness/picture/palette.h); on dark ground they are lighter.

export type Colour = [red: number, green: number, blue: number]; // sRGB, 0 .. 1

/** Entries of the wheel and of the ramp. */
export const paletteLength = 256;

function toSrgb(linear: number): number {
    const value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
    return Math.min(1, Math.max(0, value));
}

function oklab(lightness: number, a: number, b: number): Colour {
    const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
    return [
        toSrgb(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
        toSrgb(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
        toSrgb(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
    ];
}

/** Lightness separates species that have colours with the same meaning; on dark ground all are lighter. */
export function lightnessOf(secondary: boolean, dark: boolean): number {
    return (secondary ? 0.5 : 0.62) + (dark ? 0.14 : 0);
}

/** A heading's colour in the picture, as in harness/picture/palette.h; turns counter-clockwise from the right. */
export function wheel(turns: number, lightness: number): Colour {
    const angle = 2 * Math.PI * turns + 0.6981317;
    return oklab(lightness, 0.13 * Math.cos(angle), 0.13 * Math.sin(angle));
}

export function grey(lightness: number): Colour {
    return oklab(lightness, 0, 0);
}

const values = [[0.78, 0.03, 0.15], [0.58, 0.185, 0.04], [0.38, 0.06, -0.175]];

/** A number's colour, part 0 .. 1 of its range: gold, red, violet, and darker all the way; on dark ground from violet on, and lighter. */
export function ramp(part: number, dark: boolean): Colour {
    const at = 2 * (dark ? 1 - part : part);
    const [from, to] = at < 1 ? [values[0], values[1]] : [values[1], values[2]];
    const [lightness, a, b] = from.map((x, i) => x + (to[i] - x) * (at < 1 ? at : at - 1));
    return oklab(dark ? 0.2 + 0.85 * lightness : lightness, a, b);
}

/** In OKLCH, radians: no two of the first three look alike to people who are colour-blind. */
const hues = [2.53, 4.45, 0.6, 5.6, 1.48, 3.49];

export function speciesColour(number: number, dark: boolean): Colour {
    const hue = hues[number % hues.length];
    return oklab(lightnessOf(false, dark), 0.15 * Math.cos(hue), 0.15 * Math.sin(hue));
}

/** A golden section of the wheel lies between one group and the next. */
export const groupTurn = 0.38196601;

export function groupColour(number: number, dark: boolean): Colour {
    return wheel(groupTurn * number, lightnessOf(false, dark));
}

export function fromHex(hex: string): Colour {
    return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255) as Colour;
}

export function mix(a: Colour, b: Colour, part: number): Colour {
    return a.map((x, i) => x + part * (b[i] - x)) as Colour;
}

export function toHex(colour: Colour): string {
    return `#${colour.map((part) => Math.round(255 * part).toString(16).padStart(2, "0")).join("")}`;
}

/** What is not agents: as on paper, or at night. */
export interface Inks {
    ground: Colour;
    outside: Colour;
    edge: Colour;
    text: Colour; // the strongest contrast
    obstacle: Colour;
    obstacleEdge: Colour;
    path: Colour;
    pathLine: Colour;
    wall: Colour;
    field: Colour;
    target: Colour;
    trace: Colour;
    rules: [separation: Colour, alignment: Colour, cohesion: Colour];
}

function inks(colours: string[]): Inks {
    const [ground, outside, edge, text, obstacle, obstacleEdge, path, pathLine, wall, field, target, trace, ...rules] = colours.map(fromHex);
    return { ground, outside, edge, text, obstacle, obstacleEdge, path, pathLine, wall, field, target, trace, rules: rules as Inks["rules"] };
}

const night = inks(["#0d1219", "#090c11", "#33404f", "#ffffff", "#2b3848", "#6f8399", "#1a2430", "#44586c", "#141c26", "#3d5065",
    "#ffd166", "#2a7f78", "#ff8a70", "#ffd166", "#6cc4ff"]);
const day = inks(["#fcfbf8", "#fcfbf8", "#cbc9c4", "#10161d", "#b0aeaa", "#8f8d89", "#e9ebe4", "#9a9791", "#fcfbf8", "#a9b3ba",
    "#59544d", "#59544d", "#c4361c", "#946200", "#0b63b5"]);

export function inksOn(dark: boolean): Inks {
    return dark ? night : day;
}

/** A row each, in bytes for a texture: the wheels of both lightnesses, and the ramp. */
export function paletteTexels(dark: boolean): Uint8Array {
    const rows = [
        (i: number) => wheel(i / paletteLength, lightnessOf(false, dark)),
        (i: number) => wheel(i / paletteLength, lightnessOf(true, dark)),
        (i: number) => ramp(i / (paletteLength - 1), dark),
    ];
    const texels = rows.flatMap((row) => [...Array(paletteLength).keys()].flatMap((i) => [...row(i).map((part) => 255 * part), 255]));
    return Uint8Array.from(texels, Math.round);
}
