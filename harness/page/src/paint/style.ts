// SPDX-License-Identifier: MIT
// How a species is drawn: as the scenario says, but for what the visitor has chosen.
import type { About } from "../flock";
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
        rim: own.outline ? mix(inks.ground, inks.text, 0.9) : inks.ground,
    };
}
