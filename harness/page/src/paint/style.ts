// SPDX-License-Identifier: MIT
// How a species is drawn: as the scenario says, but for what the visitor has chosen.
import type { About, Flock, View } from "../flock";
import type { Look } from "../protocol";
import { type Colour, grey, inksOn, lightnessOf, mix, speciesColour } from "./palette";

export type Colouring = "heading" | "species" | "value" | "speed" | "group" | "grey";

export interface Style {
    shape: string;
    colouring: Colouring;
    /** The name of what the ramp shows: an attribute, or speed. */
    shows: string;
    /** The number of the attribute that is coloured; -1: none. */
    value: number;
    /** Of two species the second is darker, where colours do not name species. */
    secondary: boolean;
    /** The species' colour, or grey. */
    own: Colour;
    /** A line of the rim's colour surrounds agents; else a rim of the ground's colour separates those that overlap. */
    outline: boolean;
    rim: Colour;
}

/** The number of the attribute by which a species is coloured; -1: it has none. Bodies have the colour of their group. */
function attributeOf(about: About, species: number, name: string): number {
    const { attributes, body } = about.species[species];
    const named = attributes.indexOf(name);
    return named < 0 && isGroup(about, name) ? body : named;
}

/** Whether the attribute says to which group agents belong. */
export function isGroup(about: About, name: string): boolean {
    return about.species.some(({ attributes, group }) => group >= 0 && attributes[group] === name);
}

function colouringOf(about: About, species: number, named: string): Pick<Style, "colouring" | "value"> {
    if (named === "heading" || named === "species" || named === "speed") return { colouring: named, value: -1 };
    const value = attributeOf(about, species, named);
    return { colouring: value < 0 ? "grey" : isGroup(about, named) ? "group" : "value", value };
}

/** What colours mean: heading, species, speed, or the name of an attribute. */
function meaningOf(about: About, species: number, look: Look): string {
    const { attributes, look: own } = about.species[species];
    if (look.colour === "attribute") return look.attribute;
    if (look.colour !== "scenario") return look.colour;
    return own.colour === "attribute" ? attributes[own.colour_by] : own.colour;
}

export function styleOf(about: About, species: number, look: Look): Style {
    const { dark } = look;
    const own = about.species[species].look;
    const shows = meaningOf(about, species, look);
    const colouring = colouringOf(about, species, shows);
    const secondary = colouring.colouring !== "species" && species % 2 === 1;
    const inks = inksOn(dark);
    return {
        ...colouring, shape: look.shape === "scenario" ? own.shape : look.shape, shows, secondary, outline: own.outline === 1,
        own: colouring.colouring === "species" ? speciesColour(species, dark) : grey(lightnessOf(secondary, dark)),
        rim: own.outline ? mix(inks.ground, inks.text, 0.85) : inks.ground,
    };
}

/* ---- lengths --------------------------------------------------------------------------------------------------------------- */

const side = 64; // squares along the longer side of the picture
const samples = 4096;

/** What agents lie in: the world, or in an open one, which they may leave, the agents. In 3D as seen from the front. */
export interface Extent {
    low: number[];
    size: number[];
}

/** Every so many agents. */
function strideOf(view: View): number {
    return Math.max(1, Math.floor(view.count / samples));
}

export function extentOf(flock: Flock, about: About): Extent {
    if (!about.boundary.every((boundary) => boundary === 3)) return { low: about.size.map(() => 0), size: about.size };
    const low = about.size.map(() => Infinity);
    const high = about.size.map(() => -Infinity);
    about.species.forEach((_, species) => {
        const view = flock.view(species);
        view.position.forEach((axis, a) => {
            for (let i = 0; i < view.count; i += strideOf(view)) {
                low[a] = Math.min(low[a], axis[i]);
                high[a] = Math.max(high[a], axis[i]);
            }
        });
    });
    if (!low.every(Number.isFinite)) return { low: about.size.map(() => 0), size: about.size };
    const least = Math.max(...high.map((end, a) => end - low[a])) / 3 || 1;
    return { low, size: high.map((end, a) => Math.max(end - low[a], least)) };
}

/** The mean over some of the agents of how many of all agents share an agent's square. */
function meanCrowd(view: View, { low, size }: Extent): number {
    const per = side / Math.max(...size);
    const [across, upwards] = size.length === 3 ? [0, 2] : [0, 1];
    const [x, y] = [view.position[across], view.position[upwards]];
    const square = (at: number, axis: number) => Math.min(Math.max(Math.floor((at - low[axis]) * per), 0), side - 1);
    const tally = new Float64Array(side * side);
    const stride = strideOf(view);
    let seen = 0;
    for (let i = 0; i < view.count; i += stride, seen++) tally[square(y[i], upwards) * side + square(x[i], across)]++;
    return (tally.reduce((sum, n) => sum + n * n, 0) / seen - 1) * stride + 1;
}

function areaOf({ size }: Extent): number {
    return size[0] * size[size.length - 1];
}

/** The distance between a species' agents in crowds, as a share of that in the whole extent: 0 .. 1. */
function closeness(view: View, extent: Extent): number {
    const inCrowd = Math.max(...extent.size) / side / Math.sqrt(meanCrowd(view, extent));
    return Math.min(1, inCrowd / Math.sqrt(areaOf(extent) / view.count));
}

/** The geometric mean over all agents: of two species that are as numerous the one that flocks is drawn no smaller. */
export function sharedCloseness(flock: Flock, about: About, extent: Extent): number {
    let [logarithms, agents] = [0, 0];
    about.species.forEach((_, species) => {
        const view = flock.view(species);
        if (view.count > 0) logarithms += view.count * Math.log(closeness(view, extent));
        agents += view.count;
    });
    return agents > 0 ? Math.exp(logarithms / agents) : 1;
}
