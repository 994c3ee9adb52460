// SPDX-License-Identifier: MIT
// Outlines of agents: those of the scenario library, which the program's pictures have, too (harness/scenario/look.c).
import type { About, Shape } from "../flock";

/** The most corners that a shape has; the shaders hold as many. */
export const mostCorners = 24;

/** Of the disc that an agent at rest is, in lengths. */
export const dotRadius = 0.25;

/** Of fields. */
const arrow: Shape = { radius: 0, corners: [0.5, 0, 0.25, 0.125, 0.25, 0.0225, -0.5, 0.0225, -0.5, -0.0225, 0.25, -0.0225, 0.25, -0.125] };

export function shapeOf(about: About, name: string): Shape {
    return name === "arrow" ? arrow : about.shapes[name];
}

/** The low and the high corner of a box around a polygon. */
export function boxAround({ corners }: Shape): number[] {
    const [x, y] = [0, 1].map((axis) => corners.filter((_, i) => i % 2 === axis));
    return [Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)];
}
