// SPDX-License-Identifier: MIT
// Two flocks in plain JavaScript on a 2D canvas, which peers.mjs compares with the page: a sketch of our own, and the npm package
// boids as its example draws it.
import Boids from "boids";

const [width, height] = [1000, 625]; // pixels
const canvas = document.querySelector("canvas").getContext("2d");

/* What the page runs in the comparison, too (peers.mjs). */
const radius = 4;
const separationRadius = 1.6;
const [minSpeed, maxSpeed] = [0.25, 0.5];
const maxForce = 0.03;
const areaPerAgent = 3.2;

/** As p5's flocking examples are written, an object per agent and a triangle each, but with bins and a snapshot of all forces. */
class Sketch {
    constructor(count) {
        this.width = Math.sqrt((areaPerAgent * count * width) / height);
        this.height = (areaPerAgent * count) / this.width;
        this.columns = Math.max(3, Math.floor(this.width / radius));
        this.rows = Math.max(3, Math.floor(this.height / radius));
        this.agents = Array.from({ length: count }, () => {
            const heading = 2 * Math.PI * Math.random();
            const speed = minSpeed + (maxSpeed - minSpeed) * Math.random();
            return {
                x: this.width * Math.random(), y: this.height * Math.random(),
                vx: speed * Math.cos(heading), vy: speed * Math.sin(heading), fx: 0, fy: 0,
            };
        });
    }

    tick() {
        this.fillBins();
        for (const agent of this.agents) this.flock(agent);
        for (const agent of this.agents) this.move(agent);
    }

    column(agent) {
        return Math.min(this.columns - 1, Math.floor((agent.x / this.width) * this.columns));
    }

    row(agent) {
        return Math.min(this.rows - 1, Math.floor((agent.y / this.height) * this.rows));
    }

    fillBins() {
        this.bins = Array.from({ length: this.columns * this.rows }, () => []);
        for (const agent of this.agents) this.bins[this.row(agent) * this.columns + this.column(agent)].push(agent);
    }

    steer(x, y, agent) {
        const length = Math.hypot(x, y);
        if (length === 0) return [0, 0];
        const [fx, fy] = [(x / length) * maxSpeed - agent.vx, (y / length) * maxSpeed - agent.vy];
        const force = Math.hypot(fx, fy);
        return force > maxForce ? [(fx / force) * maxForce, (fy / force) * maxForce] : [fx, fy];
    }

    flock(agent) {
        const sums = { seen: 0, pushX: 0, pushY: 0, vx: 0, vy: 0, x: 0, y: 0 };
        const [column, row] = [this.column(agent), this.row(agent)];
        for (let j = -1; j <= 1; j++)
            for (let i = -1; i <= 1; i++) {
                const [x, y] = [(column + i + this.columns) % this.columns, (row + j + this.rows) % this.rows];
                for (const other of this.bins[y * this.columns + x]) if (other !== agent) this.add(agent, other, sums);
            }
        const n = sums.seen || 1;
        const [separateX, separateY] = this.steer(sums.pushX, sums.pushY, agent);
        const [alignX, alignY] = this.steer(sums.vx / n, sums.vy / n, agent);
        const [cohereX, cohereY] = this.steer(sums.x / n, sums.y / n, agent);
        agent.fx = 1.8 * separateX + alignX + 0.35 * cohereX;
        agent.fy = 1.8 * separateY + alignY + 0.35 * cohereY;
    }

    add(agent, other, sums) {
        let [dx, dy] = [other.x - agent.x, other.y - agent.y];
        if (Math.abs(dx) > this.width / 2) dx -= Math.sign(dx) * this.width;
        if (Math.abs(dy) > this.height / 2) dy -= Math.sign(dy) * this.height;
        const square = dx * dx + dy * dy;
        if (square > radius * radius) return;
        sums.seen++;
        sums.vx += other.vx;
        sums.vy += other.vy;
        sums.x += dx;
        sums.y += dy;
        if (square > separationRadius * separationRadius || square === 0) return;
        sums.pushX -= dx / square;
        sums.pushY -= dy / square;
    }

    move(agent) {
        agent.vx += agent.fx;
        agent.vy += agent.fy;
        const speed = Math.hypot(agent.vx, agent.vy) || 1;
        const kept = Math.min(maxSpeed, Math.max(minSpeed, speed)) / speed;
        agent.vx *= kept;
        agent.vy *= kept;
        agent.x = (agent.x + agent.vx + this.width) % this.width;
        agent.y = (agent.y + agent.vy + this.height) % this.height;
    }

    draw() {
        const scale = width / this.width;
        canvas.fillStyle = "#0d1219";
        canvas.fillRect(0, 0, width, height);
        canvas.fillStyle = "#5fb0ff";
        for (const agent of this.agents) {
            canvas.save();
            canvas.translate(agent.x * scale, agent.y * scale);
            canvas.rotate(Math.atan2(agent.vy, agent.vx));
            canvas.beginPath();
            canvas.moveTo(4, 0);
            canvas.lineTo(-4, 2.4);
            canvas.lineTo(-4, -2.4);
            canvas.closePath();
            canvas.fill();
            canvas.restore();
        }
    }
}

/** The package keeps its agents around 0 and leaves the edges to its user. */
class Package {
    constructor(count) {
        this.flock = new Boids({ boids: count, speedLimit: 2, accelerationLimit: 0.5 });
        for (const agent of this.flock.boids) [agent[0], agent[1]] = [width * (Math.random() - 0.5), height * (Math.random() - 0.5)];
    }

    tick() {
        this.flock.tick();
    }

    draw() {
        const around = (x, half) => (x > half ? -half : x < -half ? half : x);
        canvas.fillStyle = "#fff1eb";
        canvas.fillRect(0, 0, width, height);
        canvas.fillStyle = "#543d5e";
        for (const agent of this.flock.boids) {
            [agent[0], agent[1]] = [around(agent[0], width / 2), around(agent[1], height / 2)];
            canvas.fillRect(agent[0] + width / 2, agent[1] + height / 2, 2, 2);
        }
    }
}

const flocks = { sketch: Sketch, boids: Package };

/** Frames a second of a flock of this many agents, once it has run for a while. */
globalThis.framesPerSecond = (name, count, seconds) => {
    const flock = new flocks[name](count);
    let [warm, frames, begun] = [20, 0, 0];
    return new Promise((resolve) => {
        const frame = (now) => {
            flock.tick();
            flock.draw();
            if (warm-- > 0) begun = now;
            else frames++;
            if (frames > 1 && now - begun > 1000 * seconds) resolve((1000 * frames) / (now - begun));
            else requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
    });
};
