// SPDX-License-Identifier: MIT
// From world units to clip space. Matrices are in columns, as WebGL wants them.
import type { About } from "../flock";
import type { Camera } from "../protocol";

const lens = 2.5; // the focal length in halves of the picture's height

/** The whole world, seen from the front. */
export function wholeWorld(about: About): Camera {
    return { centre: about.size.map((length) => length / 2), zoom: 1, yaw: 0.6, pitch: 0.35 };
}

/** World units per half of the canvas's height, at the centre. */
export function halfHeight(about: About, camera: Camera, aspect: number): number {
    if (about.dimensions === 3) return (0.54 * Math.hypot(...about.size)) / camera.zoom / Math.min(1, aspect);
    return (1.04 * Math.max(about.size[1] / 2, about.size[0] / 2 / aspect)) / camera.zoom;
}

/** 1: y points up in the picture; -1: down. */
function upward(about: About): number {
    return about.y_is_down ? -1 : 1;
}

/** The world's directions that are to the right and up in the picture, and back to the viewer. */
export function viewAxes(about: About, camera: Camera): { right: number[]; up: number[]; back: number[] } {
    if (about.dimensions === 2) return { right: [1, 0, 0], up: [0, upward(about), 0], back: [0, 0, 1] };
    const [cy, sy, cp, sp] = [Math.cos(camera.yaw), Math.sin(camera.yaw), Math.cos(camera.pitch), Math.sin(camera.pitch)];
    return { right: [cy, sy, 0], up: [-sy * sp, cy * sp, cp], back: [sy * cp, -cy * cp, sp] };
}

/** 3D: where the viewer is. */
export function eye(about: About, camera: Camera, aspect: number): number[] {
    const distance = lens * halfHeight(about, camera, aspect);
    const { back } = viewAxes(about, camera);
    return camera.centre.map((c, a) => c + distance * back[a]);
}

/** 2D: the world flat on the canvas. 3D: an orbit around the centre, in perspective. */
export function clipMatrix(about: About, camera: Camera, aspect: number): Float32Array {
    const half = halfHeight(about, camera, aspect);
    const [x, y, z = 0] = camera.centre;
    const { right, up, back } = viewAxes(about, camera);
    if (about.dimensions === 2)
        return new Float32Array([1 / (half * aspect), 0, 0, 0, 0, up[1] / half, 0, 0, 0, 0, 0, 0,
            -x / (half * aspect), (-up[1] * y) / half, 0, 1]);
    const distance = lens * half;
    const near = distance / 50;
    const far = distance + 4 * Math.hypot(...about.size);
    const [p, q] = [(far + near) / (far - near), (2 * far * near) / (far - near)];
    const along = (axis: number[]) => axis[0] * x + axis[1] * y + axis[2] * z;
    const rows = [
        [...right.map((v) => (v * lens) / aspect), (-along(right) * lens) / aspect],
        [...up.map((v) => v * lens), -along(up) * lens],
        [...back.map((v) => -v * p), (along(back) + distance) * p - q],
        [...back.map((v) => -v), along(back) + distance],
    ];
    return new Float32Array([0, 1, 2, 3].flatMap((column) => rows.map((row) => row[column])));
}

/** The place in the world under a point of the canvas, given in clip space, -1 .. 1; 3D: in the plane through the centre that
 * faces the viewer. */
export function worldPlace(about: About, camera: Camera, aspect: number, clipX: number, clipY: number): number[] {
    const half = halfHeight(about, camera, aspect);
    const [across, upwards] = [clipX * half * aspect, clipY * half];
    const { right, up } = viewAxes(about, camera);
    return camera.centre.map((c, a) => c + across * right[a] + upwards * up[a]);
}

/** How far a periodic 2D world's copies must be moved, in whole worlds, so that they cover the canvas. An axis repeats only while
 * the canvas shows less than the whole of it. */
export function copies(about: About, camera: Camera, aspect: number): [number, number][] {
    if (about.dimensions === 3) return [[0, 0]];
    const half = halfHeight(about, camera, aspect);
    const [columns, rows] = [half * aspect, half].map((reach, a) => {
        if (about.boundary[a] !== 0 || 2 * reach > about.size[a]) return [0];
        const first = Math.floor((camera.centre[a] - reach) / about.size[a]);
        const last = Math.floor((camera.centre[a] + reach) / about.size[a]);
        return first === last ? [first] : [first, last];
    });
    return columns.flatMap((i) => rows.map((j): [number, number] => [i, j]));
}

/** The part of the world that the canvas shows, roughly, 0 .. 1. */
export function partInView(about: About, camera: Camera, aspect: number): number {
    if (about.dimensions === 3) return Math.min(1, 1 / camera.zoom ** 2);
    const half = halfHeight(about, camera, aspect);
    return Math.min(1, (2 * half * aspect) / about.size[0]) * Math.min(1, (2 * half) / about.size[1]);
}
