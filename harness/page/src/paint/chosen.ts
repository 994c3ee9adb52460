// SPDX-License-Identifier: MIT
// A chosen agent: its rules' radii, its field of view, and lines to its neighbours.
import type { About, Agent, SightRule, View } from "../flock";
import type { Colour, Inks } from "./palette";
import { add, circlePoints, cross, Sketch } from "./sketch";

const mostLines = 400; // to neighbours

/** back: in 3D, towards the viewer; circles face there. */
export function drawChosen(about: About, agent: Agent, views: View[], inks: Inks, back?: number[]): Sketch {
    const sketch = new Sketch();
    const speed = Math.hypot(...agent.velocity);
    const heading = speed > 0 ? agent.velocity.map((v) => v / speed) : null;
    for (const sight of agent.sights) {
        for (const slot of sight.neighbours.slice(0, mostLines)) {
            const place = views[sight.observed].position.map((axis) => axis[slot]);
            sketch.line(agent.position, nearestImage(about, agent.position, place), inks.text, 0.3);
        }
        sight.rules.forEach((rule, r) => drawRule(sketch, agent.position, heading, rule, inks.rules[r], back));
    }
    return sketch;
}

function nearestImage(about: About, from: number[], to: number[]): number[] {
    return to.map((x, a) => (about.boundary[a] === 0 ? x - about.size[a] * Math.round((x - from[a]) / about.size[a]) : x));
}

function drawRule(sketch: Sketch, centre: number[], heading: number[] | null, rule: SightRule, colour: Colour, back?: number[]): void {
    if (rule.radius <= 0) return;
    const narrow = heading !== null && rule.view > 0 && rule.view < Math.PI;
    if (narrow && back) drawCone(sketch, centre, heading, rule, colour);
    else if (narrow) drawSector(sketch, centre, heading, rule, colour);
    else {
        const circle = circlePoints(centre, rule.radius, back);
        if (!back) sketch.polygon(circle, colour, 0.05);
        sketch.lineThrough(circle, true, colour, 0.9);
    }
    if (rule.min_radius > 0 && !narrow) sketch.circle(centre, rule.min_radius, colour, 0.45, back);
}

/** 2D: the part of the disc, from the minimum radius on, that is in view. */
function drawSector(sketch: Sketch, centre: number[], heading: number[], rule: SightRule, colour: Colour): void {
    const middle = Math.atan2(heading[1], heading[0]);
    const arc = (radius: number) => [...Array(61).keys()].map((i) => {
        const angle = middle + rule.view * (i / 30 - 1);
        return [centre[0] + radius * Math.cos(angle), centre[1] + radius * Math.sin(angle)];
    });
    const [outer, inner] = [arc(rule.radius), arc(rule.min_radius)];
    for (let i = 0; i + 1 < outer.length; i++) sketch.polygon([inner[i], outer[i], outer[i + 1], inner[i + 1]], colour, 0.08);
    sketch.lineThrough([...outer, ...inner.reverse()], true, colour, 0.9);
}

/** 3D: the cone's rim and lines along it, closed by arcs over the heading. */
function drawCone(sketch: Sketch, centre: number[], heading: number[], rule: SightRule, colour: Colour): void {
    const rim = circlePoints(add(centre, heading, rule.radius * Math.cos(rule.view)), rule.radius * Math.sin(rule.view), heading);
    sketch.lineThrough(rim, true, colour, 0.9);
    for (let i = 0; i < rim.length; i += 9) {
        sketch.line(centre, rim[i], colour, 0.5);
        const side = add(rim[i], centre, -1);
        const across = cross(cross(heading, side), heading);
        const length = Math.hypot(...across) || 1;
        const arc = [...Array(13).keys()].map((j) => {
            const angle = (rule.view * j) / 12;
            const ahead = add(centre, heading, rule.radius * Math.cos(angle));
            return add(ahead, across, (rule.radius * Math.sin(angle)) / length);
        });
        sketch.lineThrough(arc, false, colour, 0.35);
    }
}
