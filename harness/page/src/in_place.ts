// SPDX-License-Identifier: MIT
// The bug that the snapshot fixes, in small code of its own: two flocks from the same start by the same rules. One sees a
// snapshot, the other is updated in place, agent by agent.
//
// The start is mirrored left to right and top to bottom, and nothing in the rules prefers a side, so the flock must stay
// mirrored. Neighbours are added in groups of four mirror images, whose sum does not depend on which of them looks: so the
// flock that sees a snapshot stays mirrored to the last bit.

const groups = 55; // of four mirror images
const agents = 4 * groups;
const half = 50; // half the world's side: a torus around 0
const sight = 9;
const tooClose = 3.5;
const maxSpeed = 0.45;
const maxForce = 0.02;

/** The same numbers in every browser: x' = 16807 x mod (2^31 - 1). */
function makeDice(): () => number {
    let state = 20130;
    return () => (state = (state * 16807) % 2147483647) / 2147483647;
}

/** Columns of a flock. */
interface State {
    x: Float64Array;
    y: Float64Array;
    u: Float64Array;
    v: Float64Array;
}

function wrap(value: number): number {
    return value > half ? value - 2 * half : value < -half ? value + 2 * half : value;
}

/** Sums over neighbours: count, offsets, velocities, push away. */
type Sums = [count: number, dx: number, dy: number, u: number, v: number, px: number, py: number];

const nothing: Sums = [0, 0, 0, 0, 0, 0, 0];

/** What agent i of `now` gets from agent j of `seen`. */
function look(now: State, seen: State, i: number, j: number): Sums {
    const dx = wrap(seen.x[j] - now.x[i]);
    const dy = wrap(seen.y[j] - now.y[i]);
    const square = dx * dx + dy * dy;
    if (i === j || square > sight * sight) return nothing;
    const push = square > 0 && square < tooClose * tooClose ? 1 / square : 0;
    return [1, dx, dy, seen.u[j], seen.v[j], -dx * push, -dy * push];
}

function plus(a: Sums, b: Sums): Sums {
    if (a === nothing || b === nothing) return a === nothing ? b : a;
    return a.map((value, i) => value + b[i]) as Sums;
}

/** Reynolds' steering: towards the velocity at full speed along a direction. */
function steer(x: number, y: number, u: number, v: number): [number, number] {
    const length = Math.sqrt(x * x + y * y);
    if (length === 0) return [0, 0];
    return limit((x / length) * maxSpeed - u, (y / length) * maxSpeed - v, maxForce);
}

function limit(x: number, y: number, most: number): [number, number] {
    const length = Math.sqrt(x * x + y * y);
    return length > most ? [(x / length) * most, (y / length) * most] : [x, y];
}

/** A flock that begins mirrored. Agents 4k .. 4k + 3 are mirror images of each other. */
export class MirroredFlock {
    readonly state: State;

    constructor(private readonly inPlace: boolean) {
        const dice = makeDice();
        const column = () => new Float64Array(agents);
        this.state = { x: column(), y: column(), u: column(), v: column() };
        for (let k = 0; k < groups; k++) {
            const [x, y] = [2 + (half - 4) * dice(), 2 + (half - 4) * dice()];
            const [u, v] = limit(dice() - 0.5, dice() - 0.5, maxSpeed);
            for (let q = 0; q < 4; q++) {
                const [mirrorX, mirrorY] = [q % 2 ? -1 : 1, q > 1 ? -1 : 1];
                this.put(4 * k + q, [mirrorX * x, mirrorY * y, mirrorX * u, mirrorY * v]);
            }
        }
    }

    /** All agents steer and move. The one difference between the two flocks is what `seen` is. */
    step(): void {
        const { x, y, u, v } = this.state;
        const seen = this.inPlace ? this.state : { x: x.slice(), y: y.slice(), u: u.slice(), v: v.slice() };
        for (let i = 0; i < agents; i++) this.put(i, this.moved(i, seen));
    }

    /** How far the agents are from where their mirror images say, on average, in parts of the world's side. */
    asymmetry(): number {
        const { x, y } = this.state;
        let sum = 0;
        for (let i = 0; i < agents; i++) {
            const [first, q] = [i - (i % 4), i % 4];
            const [dx, dy] = [wrap((q % 2 ? -x[i] : x[i]) - x[first]), wrap((q > 1 ? -y[i] : y[i]) - y[first])];
            sum += Math.sqrt(dx * dx + dy * dy);
        }
        return sum / agents / (2 * half);
    }

    private put(i: number, [x, y, u, v]: number[]): void {
        [this.state.x[i], this.state.y[i], this.state.u[i], this.state.v[i]] = [x, y, u, v];
    }

    private moved(i: number, seen: State): number[] {
        const [x, y, u, v] = [this.state.x[i], this.state.y[i], this.state.u[i], this.state.v[i]];
        const from = (j: number) => look(this.state, seen, i, j);
        let sums = nothing;
        for (let j = 0; j < agents; j += 4)
            sums = plus(sums, plus(plus(from(j), from(j + 1)), plus(from(j + 2), from(j + 3))));
        const [count, dx, dy, su, sv, px, py] = sums;
        if (count === 0) return [wrap(x + u), wrap(y + v), u, v];
        const rules = [steer(px, py, u, v), steer(su, sv, u, v), steer(dx, dy, u, v)];
        const weights = [1.6, 1, 0.8];
        const [fx, fy] = [0, 1].map((axis) => rules.reduce((sum, rule, r) => sum + weights[r] * rule[axis], 0));
        const [nu, nv] = limit(u + fx, v + fy, maxSpeed);
        return [wrap(x + nu), wrap(y + nv), nu, nv];
    }
}

/* ---- drawing ----------------------------------------------------------------------------------------------------------- */

const quarters = ["#6cb6ff", "#ff9d5c", "#7ddc8a", "#d99bff"];

/** Draws the flock and the two mirrors; mirror images of an agent have the colours of their quarters. */
export function drawMirrored(canvas: HTMLCanvasElement, { state: { x, y, u, v } }: MirroredFlock): void {
    const side = Math.round(canvas.clientWidth * devicePixelRatio);
    if (canvas.width !== side) canvas.width = canvas.height = side;
    const context = canvas.getContext("2d")!;
    const unit = side / (2 * half);
    context.setTransform(unit, 0, 0, -unit, side / 2, side / 2);
    context.fillStyle = "#0d1219";
    context.fillRect(-half, -half, 2 * half, 2 * half);
    context.strokeStyle = "#3a4656";
    context.lineWidth = 0.3;
    context.setLineDash([1.2, 1.2]);
    context.beginPath();
    for (const [a, b] of [[half, 0], [0, half]]) {
        context.moveTo(-a, -b);
        context.lineTo(a, b);
    }
    context.stroke();
    for (let i = 0; i < agents; i++) {
        const speed = Math.sqrt(u[i] * u[i] + v[i] * v[i]) || 1;
        const [c, s] = [(1.3 * u[i]) / speed, (1.3 * v[i]) / speed];
        context.fillStyle = quarters[i % 4];
        context.beginPath();
        context.moveTo(x[i] + c, y[i] + s);
        context.lineTo(x[i] - 0.8 * c - 0.6 * s, y[i] - 0.8 * s + 0.6 * c);
        context.lineTo(x[i] - 0.8 * c + 0.6 * s, y[i] - 0.8 * s - 0.6 * c);
        context.fill();
    }
}
