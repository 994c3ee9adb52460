// SPDX-License-Identifier: MIT
// What a hand can do to a flock. A tool is pressed, dragged and released, by the pointer, a finger or the keyboard alike.
import type { App } from "../app";
import { numberAt, short, topSpeed, turningForce, withBall, withField, withFood, withPath, withPredator } from "./edits";
import type { Edit } from "./edits";
import type { Preview } from "./preview";
import type { Spot, View } from "./view";

/** Where the hand is, and when, in milliseconds. */
export interface Touch extends Spot {
    time: number;
}

export interface Tool {
    id: string;
    label: string;
    /** What to do with it, in a sentence. */
    hint: string;
    /** Strokes of a 20 x 20 icon. */
    icon: string;
    /** The keyboard's Enter presses and releases at once. */
    clicks?: boolean;
    press(at: Touch): void;
    drag?(at: Touch): void;
    release?(at: Touch): void;
    /** Ends without having done anything more. */
    cancel?(): void;
}

/** What tools use. */
export interface Bench {
    app: App;
    view: View;
    preview: Preview;
    /** The chosen species' position. */
    species(): number;
    /** Says what has happened. */
    say(message: string): void;
}

/** What tools that pull use. */
type PullBench = Pick<Bench, "app" | "view" | "species"> & { preview: Pick<Preview, "ring"> };

/** CSS pixels. */
const spacing = 9;
const brush = 36;

function distance(a: Spot, b: Spot): number {
    return Math.hypot(a.x - b.x, a.y - b.y);
}

/** Calls with the last of many values once per frame of the page. */
class OncePerFrame<Value> {
    private latest: Value | null = null;

    constructor(private readonly call: (value: Value) => void) {}

    put(value: Value): void {
        if (this.latest === null) requestAnimationFrame(() => this.flush());
        this.latest = value;
    }

    flush(): void {
        const value = this.latest;
        this.latest = null;
        if (value !== null) this.call(value);
    }

    drop(): void {
        this.latest = null;
    }
}

/* ---- changes of the text, one after another ------------------------------------------------------------------------------ */

type Change = () => void;

/** Edits the text when the edit before runs, so that none is lost. */
class Edits {
    private readonly queue: Change[] = [];
    private busy = false;

    constructor(private readonly app: App) {
        const next = () => {
            this.busy = false;
            this.begin();
        };
        app.on("running", next);
        app.on("failed", next);
    }

    /** make: the new text from the present one; then: what to do once the worker has the new text. */
    add(make: () => Edit, then: (position: number) => void = () => {}): void {
        const { gesture } = this.app;
        this.queue.push(() => this.app.within(gesture, () => {
            const { text, position } = make();
            this.busy = text !== this.app.text;
            if (this.busy) this.app.edit(text);
            then(position);
        }));
        this.begin();
    }

    private begin(): void {
        while (!this.busy && this.queue.length > 0)
            try {
                this.queue.shift()!();
            } catch (error) {
                this.app.complain(String(error instanceof Error ? error.message : error), "edit");
            }
    }
}

/* ---- agents -------------------------------------------------------------------------------------------------------------- */

/** Agents that come into being with the next frame. Columns, as the engine takes them. */
class Batch {
    private agents: { place: number[]; velocity: number[] }[] = [];

    constructor(private readonly bench: Bench) {}

    add(place: number[], velocity: number[]): void {
        const inside = intoWorld(this.bench.app, place);
        if (inside === null) return;
        if (this.agents.length === 0) requestAnimationFrame(() => this.flush());
        this.agents.push({ place: inside, velocity: velocity.map(short) });
    }

    flush(species = this.bench.species()): void {
        const { agents } = this;
        if (agents.length === 0) return;
        const columns = (rows: number[][]) => rows[0].flatMap((_, axis) => rows.map((row) => row[axis]));
        const positions = columns(agents.map(({ place }) => place));
        const velocities = columns(agents.map(({ velocity }) => velocity));
        this.bench.app.act({ kind: "spawn", species, positions, velocities });
        this.agents = [];
    }
}

/** The same place in the world; null: it is outside along an axis that does not repeat. */
function intoWorld(app: App, place: number[]): number[] | null {
    const { size, boundary } = app.running!.about;
    const inside = place.map((value, a) => {
        const wrapped = boundary[a] === 0 ? value - size[a] * Math.floor(value / size[a]) : value;
        const rounded = Number(wrapped.toPrecision(7));
        return boundary[a] === 0 && rounded >= size[a] ? 0 : rounded;
    });
    return inside.every((value, a) => boundary[a] === 3 || (value >= 0 && value <= size[a])) ? inside : null;
}

function limited(velocity: number[], max: number): number[] {
    const speed = Math.hypot(...velocity);
    return speed > max ? velocity.map((value) => (value * max * 0.999) / speed) : velocity;
}

/** How many time units pass per second; of a paused simulation, how many would at 60 frames. */
class Pace {
    private frames = 60;

    constructor(private readonly app: App) {
        app.on("frame", ({ framesPerSecond, playing }) => {
            if (playing && framesPerSecond > 0) this.frames = framesPerSecond;
        });
    }

    get perSecond(): number {
        return this.frames * numberAt(this.app.running!, "world.time_step", 1);
    }
}

function addTool(bench: Bench): Tool {
    const { app, view } = bench;
    const pace = new Pace(app);
    const batch = new Batch(bench);
    let last: Touch;
    let velocity: number[] | null = null; // the hand's; null: it has not moved
    const maxSpeed = () => app.running!.about.species[bench.species()].max_speed;
    /** World units per time unit, smoothed over some events. */
    const follow = (at: Touch) => {
        const seconds = Math.max(at.time - last.time, 4) / 1000;
        const [from, to] = [view.place(last), view.place(at)];
        const now = to.map((value, a) => (value - from[a]) / seconds / pace.perSecond);
        velocity = limited(velocity === null ? now : now.map((value, a) => (value + velocity![a]) / 2), maxSpeed());
    };
    return {
        id: "add", label: "Add agents", hint: "Drag: agents of the chosen species appear along your way, as fast as your hand.",
        icon: "M3 15c3-1 3-6 6-7M12 3.5l5 2-4 3.5zM3 15.5v.01M14 13v5M11.5 15.5h5",
        press: (at) => {
            last = at;
            velocity = null;
        },
        drag: (at) => {
            if (distance(last, at) < spacing) return;
            follow(at);
            const steps = Math.floor(distance(last, at) / spacing);
            for (let i = 1; i <= steps; i++) {
                const between = (from: number, to: number) => from + ((to - from) * i) / steps;
                batch.add(view.place({ x: between(last.x, at.x), y: between(last.y, at.y) }), velocity!);
            }
            last = at;
        },
        release: (at) => {
            const place = view.place(at);
            const speed = topSpeed(app.running!.about, bench.species()) / 2;
            if (velocity === null) batch.add(place, headingOf(at.time, place.length, speed));
            batch.flush();
        },
        cancel: () => batch.flush(),
    };
}

/** A heading that differs from click to click. */
function headingOf(time: number, dimensions: number, speed: number): number[] {
    const angle = (time % 1000) * 2.39996;
    return [Math.cos(angle) * speed, Math.sin(angle) * speed, 0].slice(0, dimensions);
}

function predatorTool(bench: Bench, edits: Edits): Tool {
    const { app, view } = bench;
    return {
        id: "predator", label: "Predator", hint: "Click: a predator appears there, and the others flee from it.", clicks: true,
        icon: "M2 7c4-1 6 1 8 4 2-3 4-5 8-4-3 1-4 3-4.5 5-1 2.5-2 3-3.5 5-1.5-2-2.5-2.5-3.5-5C6 10 5 8 2 7z",
        press: () => {},
        release: (at) => {
            const [place, prey] = [view.place(at), bench.species()];
            edits.add(() => withPredator(app.text, app.running!, prey), (position) => {
                const batch = new Batch(bench);
                batch.add(place, headingOf(at.time, place.length, topSpeed(app.running!.about, prey)));
                batch.flush(position);
                bench.say("A predator is in the flock.");
            });
        },
    };
}

function foodTool(bench: Bench, edits: Edits): Tool {
    const { app, view } = bench;
    return {
        id: "food", label: "Food", hint: "Click: a handful of food; the chosen species seeks and eats it.", clicks: true,
        icon: "M10 7c-4-2.5-7 0-6.5 4.5C4 15.5 6.5 18 10 16.5c3.5 1.5 6-1 6.5-5C17 7 14 4.5 10 7zM10 7c0-2 1-4 3-4.5",
        press: () => {},
        release: (at) => {
            // A sunflower of 24 grains.
            const grains = [...Array(24).keys()].map((i) => ({
                x: at.x + 7 * Math.sqrt(i) * Math.cos(i * 2.39996), y: at.y + 7 * Math.sqrt(i) * Math.sin(i * 2.39996),
            }));
            const places = grains.map((grain) => view.place(grain));
            const eater = bench.species();
            edits.add(() => withFood(app.text, app.running!, eater), (position) => {
                const batch = new Batch(bench);
                for (const place of places) batch.add(place, place.map(() => 0));
                batch.flush(position);
            });
        },
    };
}

/* ---- scenery ------------------------------------------------------------------------------------------------------------- */

function obstacleTool(bench: Bench, edits: Edits): Tool {
    const { app, view, preview } = bench;
    let centre: Touch;
    const least = 14;
    const radius = (at: Touch) => Math.max(distance(centre, at), least);
    return {
        id: "obstacle", label: "Obstacle", hint: "Drag from the middle outwards: a ball that agents steer around.",
        icon: "M10 4.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M10 10l4-4",
        press: (at) => {
            centre = at;
            preview.ring(at, least);
        },
        drag: (at) => preview.ring(centre, radius(at)),
        release: (at) => {
            const [place, units] = [intoWorld(app, view.place(centre)) ?? view.place(centre), radius(at) * view.pixel];
            edits.add(() => ({ text: withBall(app.text, app.running!, place, units), position: 0 }));
        },
    };
}

function pathTool(bench: Bench, edits: Edits): Tool {
    const { app, view, preview } = bench;
    let spots: Touch[] = [];
    return {
        id: "path", label: "Path", hint: "Drag: the chosen species follows the line that you draw.",
        icon: "M3 16c0-6 6-3 6-8s6-5 8-4M14.5 2l3 2-2.5 2.5",
        press: (at) => preview.trace((spots = [at])),
        drag: (at) => {
            if (distance(spots[spots.length - 1], at) < spacing) return;
            spots.push(at);
            preview.trace(spots);
        },
        release: () => {
            if (spots.length < 2) return bench.say("Drag to draw a path.");
            const [points, species] = [spots.map((spot) => view.place(spot)), bench.species()];
            edits.add(() => ({ text: withPath(app.text, app.running!, species, points), position: 0 }));
        },
    };
}

function flowTool(bench: Bench, edits: Edits): Tool {
    const { app, view, preview } = bench;
    let last: Touch;
    let field: number | null = null; // null: it is being made
    const paint = (from: Touch, to: Touch) => {
        if (field === null) return false;
        const radius = short(brush * view.pixel);
        app.act({ kind: "paint", field, from: view.place(from).map(short), to: view.place(to).map(short), radius });
        return true;
    };
    const stroke = new OncePerFrame<Touch>((at) => {
        if (distance(last, at) > spacing && paint(last, at)) last = at;
    });
    return {
        id: "flow", label: "Flow", hint: "Drag: paint the directions in which the chosen species runs.",
        icon: "M2.5 6c3-3 5 2 8 0s4-1 5-1M14 3l2.5 2L14 7M2.5 14c3-3 5 2 8 0s4-1 5-1M14 11l2.5 2-2.5 2",
        press: (at) => {
            last = at;
            field = null;
            const species = bench.species();
            edits.add(() => withField(app.text, app.running!, species), (position) => (field = position));
            preview.ring(at, brush);
        },
        drag: (at) => {
            preview.ring(at, brush);
            stroke.put(at);
        },
        release: () => stroke.flush(),
        cancel: () => stroke.drop(),
    };
}

/* ---- pulling and choosing ------------------------------------------------------------------------------------------------ */

export function pullTool({ app, view, preview, species: chosen }: PullBench, attracts: boolean): Tool {
    const pull = (at: Touch, weight: number) =>
        app.act({ kind: "pull", place: view.place(at).map(short), radius: short(reach * view.pixel), weight });
    let weight = 0;
    let reach = 0; // CSS pixels
    const held = new OncePerFrame<Touch>((at) => pull(at, weight));
    let last: Touch;
    /** As strong as several rules together, whatever the scenario's forces. */
    const strength = () => {
        const [simulation, species] = [app.running!, chosen()];
        const force = turningForce(app.text, simulation, species);
        return Math.min(Math.max(4, (2 * force) / numberAt(simulation, `species[${species}].max_force`, force)), 1e5);
    };
    const letGo = () => {
        held.drop();
        pull(last, 0);
    };
    const hold = (at: Touch) => {
        last = at;
        preview.ring(at, reach);
        held.put(at);
    };
    return {
        id: attracts ? "attract" : "scatter", label: attracts ? "Attract" : "Scatter",
        hint: attracts ? "Drag across the flock: agents near your hand come to it." : "Drag across the flock: it scatters from your hand.",
        icon: attracts ? "M10 8.5v3M8.5 10h3M2 10h4M4.5 8L6.5 10l-2 2M18 10h-4M15.5 8l-2 2 2 2M10 2v4M8 4.5l2 2 2-2M10 18v-4M8 15.5l2-2 2 2"
            : "M8.5 10h3M6.5 10H2M4 8l-2 2 2 2M13.5 10H18M16 8l2 2-2 2M10 6.5V2M8 4l2-2 2 2M10 13.5V18M8 16l2 2 2-2",
        press: (at) => {
            reach = Math.min(130, view.shorter / 4);
            weight = attracts ? strength() : -strength();
            hold(at);
        },
        drag: hold,
        release: letGo,
        cancel: letGo,
    };
}

function chooseTool({ app, say }: Bench): Tool {
    let asked = false;
    app.on("found", ({ agent }) => {
        if (!asked) return;
        asked = false;
        app.draw({ chosen: agent });
        say(agent === null ? "No agent is near that place." : `Agent ${agent} is chosen.`);
    });
    return {
        id: "choose", label: "Choose", hint: "Click an agent: what it sees is drawn. Escape lets it go.", clicks: true,
        icon: "M4 3l11 6.5-5 1L7.5 16zM11 12l3.5 5",
        press: () => {},
        release: ({ x, y }) => {
            asked = true;
            app.tell({ do: "find", x, y });
        },
    };
}

function lookTool({ view }: Bench): Tool {
    let last: Touch;
    return {
        id: "look", label: "Look around",
        hint: "Drag to move, in space to turn. Wheel or two fingers zoom, a double click shows all.",
        icon: "M7 10V5a1.3 1.3 0 0 1 2.6 0v4V3.5a1.3 1.3 0 0 1 2.6 0V9 5a1.3 1.3 0 0 1 2.6 0v6.5c0 4-2 6-5 6-2.5 0-3.5-1-5.5-5l-1.5-2.5c1-1.2 2-.7 4.2 2",
        press: (at) => (last = at),
        drag: (at) => {
            if (view.solid) view.orbit(at.x - last.x, at.y - last.y);
            else view.pan(at.x - last.x, at.y - last.y);
            last = at;
        },
    };
}

/** All tools, in the order of their keys 1 .. 9 and 0. */
export function makeTools(bench: Bench): Tool[] {
    const edits = new Edits(bench.app);
    return [
        pullTool(bench, false), pullTool(bench, true), addTool(bench), predatorTool(bench, edits), foodTool(bench, edits),
        obstacleTool(bench, edits), pathTool(bench, edits), flowTool(bench, edits), chooseTool(bench), lookTool(bench),
    ];
}
