// SPDX-License-Identifier: MIT
// Colours, chosen in Oklab (B. Ottosson, 2020), where equal steps look equally large. Light and dark ground have each their own.

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

/** A heading's colour; turns counter-clockwise from the x axis. Right is yellow and left is blue, up is light and down is dark:
 * without red and green the wheel still distinguishes all directions. */
export function wheel(turns: number, dark: boolean): Colour {
    const [along, up] = [Math.cos(2 * Math.PI * turns), Math.sin(2 * Math.PI * turns)];
    return dark ? oklab(0.74 + 0.1 * up, 0.13 * up, 0.13 * along) : oklab(0.55 + 0.12 * up, 0.15 * up, 0.14 * along);
}

/** An attribute's colour, part 0 .. 1 of its range: violet, red, yellow; lightness rises with it, or falls on light ground. */
export function ramp(part: number, dark: boolean): Colour {
    const angle = ((dark ? 285 + 165 * part : 450 - 165 * part) * Math.PI) / 180;
    const lightness = dark ? 0.48 + 0.44 * part : 0.76 - 0.44 * part;
    const chroma = 0.15 + 0.03 * Math.sin(Math.PI * part);
    return oklab(lightness, chroma * Math.cos(angle), chroma * Math.sin(angle));
}

/** Distinct for colour-blind people, too: after M. Okabe and K. Ito, 2008. */
const species = {
    dark: ["#56b4e9", "#f2a33a", "#2fc79a", "#f4735f", "#e29ac8", "#f0e442", "#a9b8ff", "#d8d8d8"],
    light: ["#0072b2", "#c8501e", "#007f5f", "#b0368f", "#8a6500", "#5a3fc0", "#1d8fa8", "#555555"],
};

export function fromHex(hex: string): Colour {
    return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255) as Colour;
}

export function mix(a: Colour, b: Colour, part: number): Colour {
    return a.map((x, i) => x + part * (b[i] - x)) as Colour;
}

export function toHex(colour: Colour): string {
    return `#${colour.map((part) => Math.round(255 * part).toString(16).padStart(2, "0")).join("")}`;
}

export function speciesColour(number: number, dark: boolean): Colour {
    const colours = dark ? species.dark : species.light;
    return fromHex(colours[number % colours.length]);
}

/** After this many groups their colours begin again. */
export const groupColours = 24;

/** A group's colour: one of the species' colours, as it is, paler, then darker. */
export function groupColour(number: number, dark: boolean): Colour {
    const colour = speciesColour(number, dark);
    const tier = Math.floor(number / 8) % 3;
    return tier === 0 ? colour : mix(colour, tier === 1 ? [1, 1, 1] : [0, 0, 0], tier === 1 ? 0.5 : 0.4);
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
const day = inks(["#f7f7f2", "#ebebe4", "#b9bfc4", "#10161d", "#d3d6d4", "#848d94", "#e9ebe4", "#b4bab8", "#efefe8", "#a9b3ba",
    "#9a5b00", "#8cc7bf", "#c4361c", "#946200", "#0b63b5"]);

export function inksOn(dark: boolean): Inks {
    return dark ? night : day;
}

/** The wheel, the ramp, the species' and the groups' colours, a row each, in bytes for a texture. */
export function paletteTexels(dark: boolean): Uint8Array {
    const rows = [
        (i: number) => wheel(i / paletteLength, dark),
        (i: number) => ramp(i / (paletteLength - 1), dark),
        (i: number) => speciesColour(i, dark),
        (i: number) => groupColour(i, dark),
    ];
    const texels = rows.flatMap((row) => [...Array(paletteLength).keys()].flatMap((i) => [...row(i).map((part) => 255 * part), 255]));
    return Uint8Array.from(texels, Math.round);
}
