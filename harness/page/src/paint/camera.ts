// SPDX-License-Identifier: MIT
// From world units to clip space. Matrices are in columns, as WebGL wants them.
import type { About } from "../flock";
import type { Camera } from "../protocol";

/** The whole world, seen from the front. */
export function wholeWorld(about: About): Camera {
    return { centre: about.size.map((length) => length / 2), zoom: 1, yaw: 0.6, pitch: 0.5 };
}

/** World units per half of the canvas's height, at the centre. */
function halfHeight(about: About, camera: Camera, aspect: number): number {
    if (about.dimensions === 3) return (0.9 * Math.hypot(...about.size)) / 2 / camera.zoom;
    return Math.max(about.size[1] / 2, about.size[0] / 2 / aspect) / camera.zoom;
}

/** 2D: the world flat on the canvas. 3D: an orbit around the centre, in perspective. */
export function clipMatrix(about: About, camera: Camera, aspect: number): Float32Array {
    const half = halfHeight(about, camera, aspect);
    const [x, y, z = 0] = camera.centre;
    if (about.dimensions === 2)
        return new Float32Array([1 / (half * aspect), 0, 0, 0, 0, 1 / half, 0, 0, 0, 0, 0, 0,
            -x / (half * aspect), -y / half, 0, 1]);
    const [cy, sy, cp, sp] = [Math.cos(camera.yaw), Math.sin(camera.yaw), Math.cos(camera.pitch), Math.sin(camera.pitch)];
    const right = [cy, sy, 0];
    const up = [-sy * sp, cy * sp, cp];
    const back = [sy * cp, -cy * cp, sp];
    const lens = 2.5; // the focal length in halves of the picture's height
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
    if (about.dimensions === 2) return [camera.centre[0] + across, camera.centre[1] + upwards];
    const [cy, sy, cp, sp] = [Math.cos(camera.yaw), Math.sin(camera.yaw), Math.cos(camera.pitch), Math.sin(camera.pitch)];
    const [right, up] = [[cy, sy, 0], [-sy * sp, cy * sp, cp]];
    return camera.centre.map((c, a) => c + across * right[a] + upwards * up[a]);
}
