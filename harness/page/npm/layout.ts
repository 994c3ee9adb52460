// SPDX-License-Identifier: MIT
// A species' agents one after another, as graphics want them.
import { finite, shown } from "../src/arguments";
import type { View } from "../src/flock";

/** Numbers of an agent. `position`: x, y and in space z. `state`: these, then its velocity. `matrix`: 4 × 4, columns first. */
export type Layout = "position" | "state" | "matrix";

/** What InstancedMesh of three.js has. */
export interface Instances {
    count: number;
    instanceMatrix: { array: ArrayLike<number>; needsUpdate: boolean };
}

type Write = (view: View, target: Float32Array, size: number) => void;

/** Writes columns beside each other, an agent after another. */
function interleave(columns: Float32Array[], target: Float32Array): void {
    const width = columns.length;
    columns.forEach((column, c) => {
        for (let i = 0; i < column.length; i++) target[i * width + c] = column[i];
    });
}

/** Turns +x to the heading, with z as far up as it can be, scales by the size and moves to the place. */
function writeMatrices({ count, position: [x, y, z], velocity: [u, v, w] }: View, target: Float32Array, size: number): void {
    for (let i = 0; i < count; i++) {
        const speed = Math.hypot(u[i], v[i], w?.[i] ?? 0);
        const [a, b, c] = speed > 0 ? [u[i] / speed, v[i] / speed, (w?.[i] ?? 0) / speed] : [1, 0, 0];
        const flat = Math.hypot(a, b);
        const [d, e] = flat > 0 ? [-b / flat, a / flat] : [0, 1];
        target.set([size * a, size * b, size * c, 0, size * d, size * e, 0, 0, -size * c * e, size * c * d, size * (a * e - b * d), 0,
            x[i], y[i], z?.[i] ?? 0, 1], 16 * i);
    }
}

const layouts: Record<Layout, { width: (dimensions: number) => number; write: Write }> = {
    position: { width: (dimensions) => dimensions, write: ({ position }, target) => interleave(position, target) },
    state: { width: (dimensions) => 2 * dimensions, write: ({ position, velocity }, target) => interleave([...position, ...velocity], target) },
    matrix: { width: () => 16, write: writeMatrices },
};

function isFloats(value: unknown): value is Float32Array {
    return Object.prototype.toString.call(value) === "[object Float32Array]";
}

/** Writes the matrices of a mesh, which then shows as many instances. */
function readIntoMesh(view: View, mesh: Instances, layout: Layout, size: number): number {
    const array: unknown = mesh?.instanceMatrix?.array;
    if (!isFloats(array)) throw new TypeError(`target is ${shown(mesh)}: it must be a Float32Array, or an InstancedMesh of three.js`);
    if (layout !== "matrix") throw new RangeError(`layout is ${shown(layout)}: it must be "matrix" for an InstancedMesh`);
    mesh.count = readInto(view, array, layout, size);
    mesh.instanceMatrix.needsUpdate = true;
    return view.count;
}

export function readInto(view: View, target: Float32Array | Instances, layout: Layout, size: number): number {
    if (!isFloats(target)) return readIntoMesh(view, target, layout, size);
    if (typeof layout !== "string" || !Object.hasOwn(layouts, layout))
        throw new RangeError(`layout is ${shown(layout)}: it must be ${Object.keys(layouts).map((name) => `"${name}"`).join(", ")}`);
    const width = layouts[layout].width(view.position.length);
    if (target.length < width * view.count)
        throw new RangeError(`target has ${target.length} numbers: it needs ${width * view.count}, ${width} for each of ${view.count} agents`);
    layouts[layout].write(view, target, finite("size", size));
    return view.count;
}
