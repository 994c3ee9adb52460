// SPDX-License-Identifier: MIT
// What the panel of rules says instead of the format's names, for newcomers. The format's own name stands in the help on hover.

const everywhere: Record<string, string> = {
    observer: "who reacts", observed: "to which neighbours", weight: "strength", max_force: "strongest turn", max_speed: "top speed",
    min_speed: "lowest speed", half_angle: "sees to either side", min_radius: "ignores closer than", max_neighbours: "sees at most",
    kin: "which neighbours count", response: "how it reacts", falloff: "push by distance", drag: "air resistance", boundary: "at the edge",
    obstacles_block: "obstacles are solid", prediction_time: "thinks ahead by", look_ahead: "looks ahead by", look_distance: "looks further by", ignore_coincident: "ignores those at the same place",
};
const inRules: Record<string, string> = { radius: "sees as far as" };
const glosses: Record<string, string> = {
    separation: "neighbours it avoids", alignment: "neighbours it turns with", cohesion: "neighbours it moves to",
};

/** A name such as max_speed, as words. */
export function words(name: string): string {
    return name.replaceAll("_", " ");
}

/** What a field is called in the panel, by its path. */
export function plainName(path: string): string {
    const name = /[^.[\]]+(?=(\[\d+\])?$)/.exec(path)![0];
    return (path.startsWith("interactions") ? inRules[name] : undefined) ?? everywhere[name] ?? words(name);
}

/** What a row is called: plainly, and for a part of a list which one. */
export function rowName(path: string, dimensions: number, unit: string): string {
    const [, part] = /\[(\d+)\]$/.exec(path) ?? [];
    const name = plainName(path);
    if (part === undefined) return name;
    const [i, axis] = [Math.floor(Number(part) / dimensions), "xyz"[Number(part) % dimensions]];
    if (!unit.startsWith("world units")) return `${name} ${Number(part) + 1}`;
    return i === 0 ? `${name} ${axis}` : `${name} ${i + 1} ${axis}`;
}

/** What a rule is about, in words; "": it is no rule of a flock. */
export function glossOf(path: string): string {
    return /^interactions\[\d+\]\.(\w+)$/.test(path) ? glosses[path.split(".")[1]] ?? "" : "";
}
