// SPDX-License-Identifier: MIT
// Fields as arrows on a grid.
import type { FieldView, View } from "../flock";

export interface Arrows extends Pick<View, "count" | "position" | "velocity"> {
    /** World units: the distance from arrow to arrow. */
    spacing: number;
    /** The length of the longest vector. */
    longest: number;
}

/** Some vectors of a field, evenly spread over it: at most `across` along its longest axis. */
export function sampleField(field: FieldView, across: number): Arrows {
    const dimensions = field.vectors.length;
    const extent = field.min.slice(0, dimensions).map((min, a) => field.max[a] - min);
    const spacing = Math.max(...extent) / across;
    const strides = extent.map((length, a) => Math.max(1, Math.ceil((spacing * field.cells[a]) / length)));
    const counts = strides.map((stride, a) => Math.ceil(field.cells[a] / stride));
    const count = counts.reduce((product, n) => product * n, 1);
    const columns = () => extent.map(() => new Float32Array(count));
    const arrows: Arrows = { count, position: columns(), velocity: columns(), longest: 0, spacing: 0 };
    arrows.spacing = Math.min(...extent.map((length, a) => (strides[a] * length) / field.cells[a]));
    for (let i = 0; i < count; i++) {
        const steps = [i % counts[0], Math.floor(i / counts[0]) % counts[1], Math.floor(i / (counts[0] * counts[1]))];
        const cell = strides.map((stride, a) => Math.min(steps[a] * stride + (stride >> 1), field.cells[a] - 1));
        const at = cell.reduceRight((index, c, a) => index * field.cells[a] + c, 0);
        let square = 0;
        for (let a = 0; a < dimensions; a++) {
            arrows.position[a][i] = field.min[a] + ((cell[a] + 0.5) * extent[a]) / field.cells[a];
            arrows.velocity[a][i] = field.vectors[a][at];
            square += field.vectors[a][at] ** 2;
        }
        arrows.longest = Math.max(arrows.longest, Math.sqrt(square));
    }
    return arrows;
}
