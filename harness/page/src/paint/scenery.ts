// SPDX-License-Identifier: MIT
// Obstacles, paths, walls, targets and the world's edge.
import type { About, BehaviourShape, Obstacle, Path, Scenery } from "../flock";
import type { Inks } from "./palette";
import { Sketch } from "./sketch";

/** dunlin_target_kind, dunlin_behaviour_kind and dunlin_boundary. */
const [point, agent] = [0, 1];
const [seek, evade, contain, follow, attract] = [0, 4, 6, 7, 18];
const open = 3;

/** The scenery as it lies under the agents (2D) or among them (3D). */
export function drawScenery(about: About, scenery: Scenery, inks: Inks): Sketch {
    const sketch = new Sketch();
    const behaviours = scenery.behaviours.filter(({ weight }) => weight !== 0); // a schedule may turn one off
    drawWorld(sketch, about, inks);
    for (const behaviour of behaviours) if (behaviour.kind === contain) drawWalls(sketch, about, behaviour, inks);
    scenery.paths.forEach((path, i) => drawPath(sketch, path, widthOf(scenery, i), inks));
    const parts = scenery.obstacles.length > 1000 ? 8 : 24; // of a circle
    for (const obstacle of scenery.obstacles) drawObstacle(sketch, about, obstacle, inks, parts);
    for (const behaviour of behaviours) drawTarget(sketch, about, behaviour, inks);
    return sketch;
}

function drawWorld(sketch: Sketch, about: About, inks: Inks): void {
    const origin = about.size.map(() => 0);
    if (about.boundary.every((boundary) => boundary === open)) return;
    if (about.dimensions === 2) {
        const [w, h] = about.size;
        sketch.polygon([[0, 0], [w, 0], [w, h], [0, h]], inks.ground);
    }
    sketch.edges(origin, about.size, inks.edge);
}

/** Half the width of a path, by the behaviours that follow it. */
function widthOf(scenery: Scenery, path: number): number {
    return scenery.behaviours.reduce((width, b) => (b.kind === follow && b.path === path ? Math.max(width, b.width) : width), 0);
}

function drawPath(sketch: Sketch, path: Path, width: number, inks: Inks): void {
    const points = path.x.map((x, i) => (path.z ? [x, path.y[i], path.z[i]] : [x, path.y[i]]));
    const ends = path.closed ? [...points, points[0]] : points;
    if (path.z) {
        for (let i = 0; width > 0 && i + 1 < ends.length; i++) {
            const way = ends[i + 1].map((x, a) => x - ends[i][a]);
            for (const part of [0, 0.5]) sketch.circle(ends[i].map((x, a) => x + part * way[a]), width, inks.pathLine, 0.6, way);
        }
    } else if (width > 0) {
        for (let i = 0; i + 1 < ends.length; i++) sketch.capsule(ends[i], ends[i + 1], width, inks.path, null);
    }
    sketch.lineThrough(points, path.closed === 1, inks.pathLine);
}

/** Where agents turn: from the walls as far as the margin reaches. */
function drawWalls(sketch: Sketch, about: About, walls: BehaviourShape, inks: Inks): void {
    const has = walls.margin.map((margin) => margin >= 0);
    const inner = (sign: number) => walls.margin.map((margin, a) => {
        if (!has[a]) return sign > 0 ? 0 : about.size[a];
        return sign > 0 ? walls.min[a] + margin : walls.max[a] - margin;
    });
    const [low, high] = [inner(1), inner(-1)];
    const outerLow = walls.min.map((min, a) => (has[a] ? min : 0));
    const outerHigh = walls.max.map((max, a) => (has[a] ? max : about.size[a]));
    if (about.dimensions === 2) {
        const rectangle = (a: number[], b: number[]) => [[a[0], a[1]], [b[0], a[1]], [b[0], b[1]], [a[0], b[1]]];
        sketch.polygon(rectangle(outerLow, outerHigh), inks.wall);
        if (low.every((x, a) => x < high[a])) sketch.polygon(rectangle(low, high), inks.ground);
    }
    sketch.dash = dashOf(about);
    sketch.edges(low, high, inks.pathLine);
    sketch.dash = 0;
}

/** As long as in the program's pictures. */
function dashOf({ size }: About): number {
    return 0.008 * Math.max(...size);
}

function drawObstacle(sketch: Sketch, about: About, obstacle: Obstacle, inks: Inks, parts: number): void {
    const { shape, a, b, radius } = obstacle;
    const solid = about.dimensions === 3;
    if (shape === 1) {
        if (solid) sketch.solidBox(a, b, inks.obstacle);
        else sketch.polygon([[a[0], a[1]], [b[0], a[1]], [b[0], b[1]], [a[0], b[1]]], inks.obstacle);
        sketch.edges(a, b, inks.obstacleEdge);
        return;
    }
    const end = shape === 0 ? a : b;
    if (solid && radius > 0) sketch.solidCapsule(a, end, radius, inks.obstacle, parts);
    else if (radius > 0) sketch.capsule(a, end, radius, inks.obstacle, inks.obstacleEdge, 2 * parts);
    else sketch.line(a, end, inks.obstacleEdge);
}

/** A point that agents seek, flee from or arrive at, or that attracts them, or an agent, which has no mark; and how far it is felt. */
function drawTarget(sketch: Sketch, about: About, behaviour: BehaviourShape, inks: Inks): void {
    const aims = (behaviour.kind >= seek && behaviour.kind <= evade) || behaviour.kind === attract;
    if (!aims || ![point, agent].includes(behaviour.target)) return;
    const { position, radius, slowing } = behaviour;
    const axes = about.dimensions === 3 ? [[1, 0, 0], [0, 1, 0], [0, 0, 1]] : [undefined];
    sketch.dash = dashOf(about);
    for (const reach of [radius, slowing])
        if (reach !== null && reach > 0) for (const axis of axes) sketch.circle(position, reach, inks.target, 0.45, axis);
    sketch.dash = 0;
    if (behaviour.target === agent) return;
    const arm = 0.012 * Math.max(...about.size);
    position.forEach((_, axis) => {
        const end = (sign: number) => position.map((x, a) => x + (a === axis ? sign * arm : 0));
        sketch.line(end(-1), end(1), inks.target);
    });
    for (const axis of axes) sketch.circle(position, arm / 2, inks.target, 1, axis);
}
