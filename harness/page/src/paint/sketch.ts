// SPDX-License-Identifier: MIT
// What is drawn besides agents: surfaces and lines, gathered as vertices.
import type { Colour } from "./palette";

type Place = number[];

/** A direction at a right angle to another, of length 1. */
export function sideOf(way: Place): Place {
    const [x, y, z] = way;
    const side = Math.abs(z) < 0.9 * Math.hypot(x, y, z) ? [-y, x, 0] : [0, -z, y];
    const length = Math.hypot(...side) || 1;
    return side.map((s) => s / length);
}

export function cross(a: Place, b: Place): Place {
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export function add(a: Place, b: Place, times = 1): Place {
    return a.map((x, i) => x + times * b[i]);
}

const mostDashes = 1000; // of a line

/** Surfaces and lines. Places may have two or three coordinates. */
export class Sketch {
    /** Per vertex: place, normal, colour with opacity. */
    readonly surfaces: number[] = [];
    /** Per vertex: from, to, colour with opacity; six vertices per line. */
    readonly lines: number[] = [];

    /** World units: how long dashes and the gaps between them are; 0: lines have none. */
    dash = 0;

    line(from: Place, to: Place, colour: Colour, opacity = 1): void {
        const way = add(to, from, -1);
        const dashes = this.dash === 0 ? 1 : Math.min(Math.ceil(Math.hypot(...way) / (2 * this.dash)), mostDashes);
        const part = this.dash === 0 ? 1 : 0.5;
        for (let i = 0; i < dashes; i++) this.put(add(from, way, i / dashes), add(from, way, (i + part) / dashes), colour, opacity);
    }

    private put(from: Place, to: Place, colour: Colour, opacity: number): void {
        const [x, y, z = 0] = from;
        const [u, v, w = 0] = to;
        for (let i = 0; i < 6; i++) this.lines.push(x, y, z, u, v, w, ...colour, opacity);
    }

    lineThrough(places: Place[], closed: boolean, colour: Colour, opacity = 1): void {
        for (let i = 1; i < places.length; i++) this.line(places[i - 1], places[i], colour, opacity);
        if (closed && places.length > 2) this.line(places[places.length - 1], places[0], colour, opacity);
    }

    /** A polygon without dents. */
    polygon(places: Place[], colour: Colour, opacity = 1): void {
        for (let i = 2; i < places.length; i++)
            for (const [x, y, z = 0] of [places[0], places[i - 1], places[i]]) this.surfaces.push(x, y, z, 0, 0, 1, ...colour, opacity);
    }

    /** A box in 2D, or the edges of one in 3D. */
    edges(min: Place, max: Place, colour: Colour, opacity = 1): void {
        const corners = [...Array(1 << min.length).keys()];
        for (const corner of corners)
            for (let axis = 0; axis < min.length; axis++) {
                if ((corner >> axis) & 1) continue;
                const at = (bits: number) => min.map((low, a) => ((bits >> a) & 1 ? max[a] : low));
                this.line(at(corner), at(corner | (1 << axis)), colour, opacity);
            }
    }

    /** A circle around an axis; in 2D the axis is left out. */
    circle(centre: Place, radius: number, colour: Colour, opacity = 1, axis?: Place): void {
        const parts = this.dash === 0 ? 72 : Math.min(Math.max(Math.round((Math.PI * radius) / this.dash), 12), 72);
        this.lineThrough(circlePoints(centre, radius, axis, parts), true, colour, opacity);
    }

    /** All points within the radius of a line, in 2D. */
    capsule(a: Place, b: Place, radius: number, fill: Colour, edge: Colour | null, parts = 32): void {
        const outline = capsuleOutline(a, b, radius, parts);
        this.polygon(outline, fill);
        if (edge !== null) this.lineThrough(outline, true, edge);
    }

    /** The same in 3D: two halves of a ball with a tube between them. */
    solidCapsule(a: Place, b: Place, radius: number, colour: Colour, parts = 24): void {
        const along = add(b, a, -1);
        const length = Math.hypot(...along);
        const axis = length > 0 ? along.map((x) => x / length) : [0, 0, 1];
        const side = sideOf(axis);
        const other = cross(axis, side);
        const rings = parts; // an odd number of bands: the middle one becomes the tube
        const normal = (i: number, j: number) => {
            const polar = (Math.PI * i) / (rings - 1) - Math.PI / 2;
            const turn = (2 * Math.PI * j) / parts;
            const [c, s] = [Math.cos(polar), Math.sin(polar)];
            return axis.map((x, k) => s * x + c * (Math.cos(turn) * side[k] + Math.sin(turn) * other[k]));
        };
        for (let i = 0; i + 1 < rings; i++)
            for (let j = 0; j < parts; j++)
                for (const [u, v] of [[0, 0], [1, 0], [0, 1], [0, 1], [1, 0], [1, 1]]) {
                    const n = normal(i + u, j + v);
                    this.surfaces.push(...add(i + u < rings / 2 ? a : b, n, radius), ...n, ...colour, 1);
                }
    }

    solidBox(min: Place, max: Place, colour: Colour): void {
        for (let axis = 0; axis < 3; axis++)
            for (const end of [0, 1]) {
                const normal = [0, 1, 2].map((a) => (a === axis ? 2 * end - 1 : 0));
                for (const [u, v] of [[0, 0], [1, 0], [0, 1], [0, 1], [1, 0], [1, 1]]) {
                    const bits = [end, u, v];
                    const place = [0, 1, 2].map((a) => (bits[(a - axis + 3) % 3] ? max[a] : min[a]));
                    this.surfaces.push(...place, ...normal, ...colour, 1);
                }
            }
    }
}

/** Points of a circle around an axis, of an arc of it, or in 2D. */
export function circlePoints(centre: Place, radius: number, axis?: Place, parts = 72): Place[] {
    const side = axis ? sideOf(axis) : [1, 0, 0];
    const across = axis ? cross(axis, side) : [0, 1, 0];
    const other = across.map((x) => x / Math.hypot(...across));
    return [...Array(parts).keys()].map((i) => {
        const turn = (2 * Math.PI * i) / parts;
        return centre.map((c, a) => c + radius * (Math.cos(turn) * side[a] + Math.sin(turn) * other[a]));
    });
}

/** Half a circle around each end, counter-clockwise. */
function capsuleOutline(a: Place, b: Place, radius: number, parts: number): Place[] {
    const heading = Math.atan2(b[1] - a[1], b[0] - a[0]);
    const half = parts / 2;
    return [...Array(parts).keys()].map((i) => {
        const turn = heading - Math.PI / 2 + (Math.PI * (i % half)) / (half - 1) + (i < half ? 0 : Math.PI);
        const end = i < half ? b : a;
        return [end[0] + radius * Math.cos(turn), end[1] + radius * Math.sin(turn)];
    });
}
