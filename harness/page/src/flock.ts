// SPDX-License-Identifier: MIT
// A scenario that runs, for JavaScript: the page's worker and the tests use the engine through this class alone, and the npm package through one
// that extends it.
import { bigint64, brokenAt, countOf, finite, flag, number, numbers, options, place as placeOf, shown, text as textOf, whole } from "./arguments";
import type { Module } from "./module";

/** How a scenario is built. What is left out, the scenario or the engine decides. */
export interface Settings {
    /** Agents of all species together. */
    agents?: number;
    seed?: bigint;
    /** From 1 to as many as the engine was loaded with, which are used if this is left out. */
    threads?: number;
    kernel?: string;
    index?: string;
    /** The path of a state file in the module's file system: its agents replace the scenario's; or of a checkpoint of the scenario: the simulation continues from it. */
    init?: string;
}

/** A species as it runs. */
export interface Species {
    name: string;
    max_speed: number;
    attributes: string[];
    /** How many groups it has; 0: none. */
    groups: number;
    /** The numbers of its attributes that say to which group an agent belongs, and for which group it stands; -1: none. */
    group: number;
    body: number;
    look: SpeciesLook;
}

/** How the scenario wants a species drawn: dunlin_look. */
export interface SpeciesLook {
    /** A name of `shapes`. */
    shape: string;
    /** World units: the length of an agent; with `size_by`, of an agent that has the number 1. 0: automatic, multiplied by `scale`. */
    size: number;
    scale: number;
    /** The number of the attribute to which lengths are proportional; -1: none. */
    size_by: number;
    /** The number of that attribute with which an agent has the automatic length. */
    typical: number;
    colour: "heading" | "species" | "speed" | "attribute";
    /** That attribute's number; -1: none. */
    colour_by: number;
    outline: 0 | 1;
}

/** The outline of agents, for a length of 1: the heading is +x, and y is to the left. */
export interface Shape {
    /** Of a disc; 0: the shape is a polygon. */
    radius: number;
    /** x, y, x, y, ... */
    corners: number[];
}

/** The scenario and its world. */
export interface About {
    name: string;
    description: string;
    steps: number;
    kernel: string;
    index: string;
    version: string;
    dimensions: 2 | 3;
    threads: number;
    /** By axis: dunlin_boundary. */
    boundary: number[];
    seed: string;
    size: number[];
    /** Pictures of this world show larger y further down. */
    y_is_down: 0 | 1;
    shapes: Record<string, Shape>;
    species: Species[];
}

/** A number of the scenario: its place, range and meaning. */
export interface Quantity {
    path: string;
    unit: string;
    default_text: string;
    doc: string;
    value: number | null;
    standard: number | null;
    /** null: no limit. */
    min: number | null;
    max: number | null;
    above_min: 0 | 1;
    below_max: 0 | 1;
    whole: 0 | 1;
    given: 0 | 1;
    /** The simulation takes a new value at once. */
    live: 0 | 1;
}

/** JSON Schema, as far as scenario files use it. */
export interface Schema {
    type?: string | string[];
    description?: string;
    $comment?: string;
    $ref?: string;
    $defs?: Record<string, Schema>;
    properties?: Record<string, Schema>;
    items?: Schema;
    required?: string[];
    oneOf?: Schema[];
    enum?: (string | number)[];
    default?: unknown;
    minimum?: number;
    maximum?: number;
    exclusiveMinimum?: number;
}

export interface Obstacle {
    /** 0 ball, 1 box, 2 capsule. */
    shape: number;
    a: number[];
    b: number[];
    radius: number;
}

export interface Path {
    closed: 0 | 1;
    x: number[];
    y: number[];
    z?: number[];
}

/** What a behaviour has that can be drawn; `kind` as in dunlin_behaviour_kind. */
export interface BehaviourShape {
    kind: number;
    species: number;
    /** dunlin_target_kind; -1: an agent that does not live. */
    target: number;
    path: number;
    field: number;
    radius: number | null;
    /** Within which agents slow down. */
    slowing: number | null;
    width: number;
    weight: number;
    position: number[];
    margin: number[];
    min: number[];
    max: number[];
}

export interface Scenery {
    fields: number;
    /** The fields that are traces, in the order of the traces. */
    traces: number[];
    obstacles: Obstacle[];
    paths: Path[];
    behaviours: BehaviourShape[];
}

/** A rule of an interaction as it is for one agent; radius 0: it is off, view 0: all around. */
export interface SightRule {
    radius: number;
    min_radius: number;
    view: number;
}

/** What an agent sees of a species. */
export interface Sight {
    observed: number;
    nearest: number;
    max_neighbours: number;
    /** Separation, alignment, cohesion. */
    rules: SightRule[];
    /** Slots of the observed species' view. */
    neighbours: number[];
}

/** One agent and what it sees. */
export interface Agent {
    species: number;
    slot: number;
    position: number[];
    velocity: number[];
    sights: Sight[];
}

/** The last step; times in milliseconds. */
export interface Stats {
    step: number;
    time: number;
    agents: number;
    births: number;
    deaths: number;
    threads: number;
    cells: number;
    pairs_tested: number;
    /** null: not counted, since callbacks of the model choose the pairs. */
    pairs_useful: number | null;
    ms_snapshot: number;
    ms_interact: number;
    ms_steer: number;
    ms_integrate: number;
    ms_frame: number;
    generation: number;
    bytes: number;
}

/** null: no agent has it. */
export interface Metrics {
    agents: number;
    polarization: number | null;
    rotation: number | null;
    mean_speed: number | null;
    mean_neighbours: number | null;
    neighbour_radius: number;
    mean_nearest: number | null;
    outside: number;
}

/** The engine's own arrays: valid until the flock is stepped, changed or built again. Nothing is copied. */
export interface View {
    count: number;
    position: Float32Array[];
    velocity: Float32Array[];
    id: Uint32Array;
    attribute: (Float32Array | null)[];
}

/** A field's vectors, valid as a view is. */
export interface FieldView {
    cells: number[];
    min: number[];
    max: number[];
    vectors: Float32Array[];
}

/** What the engine refused; the message names the line, the field and what is allowed. */
export class FlockError extends Error {
    /** The line of the scenario, from 1; 0: the message names none. */
    readonly line: number;

    constructor(message: string) {
        super(message);
        this.name = "FlockError";
        this.line = Number(/^[^:]*:(\d+):/.exec(message)?.[1] ?? 0);
    }
}

const statNames = ["step", "time", "agents", "births", "deaths", "threads", "cells", "pairs_tested", "pairs_useful", "ms_snapshot",
    "ms_interact", "ms_steer", "ms_integrate", "ms_frame", "generation", "bytes"] as const;
const metricNames = ["agents", "polarization", "rotation", "mean_speed", "mean_neighbours", "neighbour_radius", "mean_nearest",
    "outside"] as const;
const maxAttributes = 8;

export const settingNames = ["agents", "seed", "threads", "kernel", "index", "init"] as const;
const obstacleNames = ["shape", "a", "b", "radius"] as const;

function named<Name extends string>(names: readonly Name[], numbers: Float64Array): Record<Name, number> {
    return Object.fromEntries(names.map((name, i) => [name, numbers[i]])) as Record<Name, number>;
}

/** What was not counted or measured is null. */
function counted(numbers: Record<string, number>): Record<string, number | null> {
    return Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number.isNaN(value) ? null : value]));
}

/** The number of one of the things of a scenario. */
function numbered(name: string, value: unknown, count: number): number {
    if (count > 0) return whole(name, value, count - 1);
    throw new RangeError(`${name} is ${shown(value)}: the scenario has no ${name}`);
}

/** In order, so that the sum has the same bits everywhere. */
function sumOf(values: number[], term: (value: number, axis: number) => number): number {
    return values.reduce((sum, value, axis) => sum + term(value, axis), 0);
}

/* Modules whose threads have ended: a caller that waits for these waits for ever. */
const closed = new WeakSet<Module>();

/** Ends a module's threads. Whatever its flocks are asked for afterwards throws. */
export function closeModule(module: Module): void {
    closed.add(module);
    // Emscripten frees a thread's data before it ends the thread: one that is just starting would fail, and its error would end node.
    for (const worker of [...(module.PThread?.runningWorkers ?? []), ...(module.PThread?.unusedWorkers ?? [])]) {
        worker.onerror = (event) => event?.preventDefault?.();
        worker.terminate();
    }
    module.PThread?.terminateAllThreads();
}

/** Throws if the module is closed. */
export function checkOpen(module: Module): void {
    if (closed.has(module)) throw new FlockError("the engine is closed");
}

/** Lays down a file in the module's file system, with the folders that it lies in. */
export function writeFile(module: Module, name: string, bytes: Uint8Array | string): void {
    checkOpen(module);
    const parts = textOf("name", name).split("/").filter((part) => part !== "" && part !== ".");
    if (parts.length === 0 || parts.includes("..") || name.endsWith("/"))
        throw new RangeError(`name is ${shown(name)}: it must be the name of a file, after those of its folders and without ..`);
    if (typeof bytes !== "string" && Object.prototype.toString.call(bytes) !== "[object Uint8Array]")
        throw new TypeError(`bytes is ${shown(bytes)}: it must be a Uint8Array or a text`);
    const content = typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes;
    try {
        module.FS.mkdirTree(`/${parts.slice(0, -1).join("/")}`);
        module.FS.writeFile(`/${parts.join("/")}`, content);
    } catch {
        throw new FlockError(`name is ${shown(name)}: it must be the name of a file that can be written, which a folder cannot`);
    }
}

/** A scenario and its simulation. */
export class Flock {
    private address: number;
    protected dimensions = 2;
    private species = 0;
    private painted = new Set<number>(); // fields
    protected run: Settings | null = null; // how it was built; null: it was not

    /** threads: how many the module has for a flock. */
    constructor(protected readonly module: Module, private readonly threads = 1) {
        if (typeof module?._page_create !== "function")
            throw new TypeError(`module is ${shown(module)}: it must be the engine's, as load() makes it`);
        checkOpen(module);
        this.address = module._page_create();
        if (this.address === 0) throw new FlockError("out of memory");
    }

    protected get self(): number {
        checkOpen(this.module);
        if (this.address === 0) throw new FlockError("the flock is destroyed");
        return this.address;
    }

    /** Frees the engine's memory. Whatever the flock is asked for afterwards throws. */
    destroy(): void {
        if (!closed.has(this.module)) this.module._page_destroy(this.address);
        this.address = 0;
    }

    /** Reads and checks the text of a scenario; simulate() then builds it. The simulation of the scenario before continues until then. */
    open(text: string, name = "scenario.yaml"): void {
        const mistake = this.brokenText(text, name);
        if (mistake !== null) throw mistake;
        this.check(this.withTexts([text, name], (t, n) => this.module._page_open(this.self, t, n)));
    }

    /** The first mistake in the text of a scenario; null: none. What is open stays open, and runs on. */
    mistake(text: string, name = "scenario.yaml"): FlockError | null {
        const mistake = this.brokenText(text, name);
        if (mistake !== null) return mistake;
        const result = this.withTexts([text, name], (t, n) => this.module._page_check(this.self, t, n));
        return result === 0 ? null : new FlockError(this.message());
    }

    /** A mistake that the engine would not see. */
    private brokenText(text: string, name: string): FlockError | null {
        textOf("name", name);
        if (typeof text !== "string") throw new TypeError(`text is ${shown(text)}: it must be a text`);
        const at = brokenAt(text);
        const line = text.slice(0, at).split("\n").length;
        const what = text[at] === "\0" ? "a NUL" : "half of a surrogate pair";
        return at < 0 ? null : new FlockError(`${name}:${line}: the text holds ${what}, which no scenario may`);
    }

    /** Writes a file that a scenario names, or a state file, into the module's file system. */
    write(name: string, bytes: Uint8Array | string): void {
        void this.self;
        writeFile(this.module, name, bytes);
    }

    /**
     * Builds the open scenario. keep: with the agents and the clock that the flock has now, and with the seed, the threads, the kernel
     * and the index with which it was built, where the settings do not say otherwise.
     */
    simulate(settings: Settings = {}, keep = false): void {
        const before = flag("keep", keep) ? this.run : null;
        const { agents, init, ...rest } = this.checkedSettings(settings);
        for (const [name, value] of Object.entries({ agents, init }))
            if (before !== null && value !== undefined)
                throw new RangeError(`${name} is ${shown(value)}: it must be left out where the agents are kept`);
        const { seed, threads = this.threads, kernel = "auto", index = "auto" } = { ...before, ...rest };
        const [low, high] = [Number((seed ?? 0n) & 0xffffffffn), Number((seed ?? 0n) >> 32n)];
        const painted = keep ? this.copyPainted() : [];
        this.check(this.withTexts([kernel, index, init ?? ""], (k, i, state) => this.module._page_run(this.self, threads, k, i, state,
            Number(agents !== undefined), agents ?? 0, Number(seed !== undefined), low, high, Number(keep))));
        this.run = { threads, kernel, index, ...(seed === undefined ? {} : { seed }) };
        const { dimensions, species } = this.about();
        [this.dimensions, this.species] = [dimensions, species.length];
        this.putPainted(painted);
    }

    /** The settings that are given. */
    private checkedSettings(settings: Settings): Settings {
        const checks = {
            agents: (value: unknown) => whole("agents", value, 2 ** 32 - 1),
            seed: (value: unknown) => bigint64("seed", value),
            threads: (value: unknown) => whole("threads", value, this.threads, 1),
            kernel: (value: unknown) => textOf("kernel", value),
            index: (value: unknown) => textOf("index", value),
            init: (value: unknown) => textOf("init", value),
        };
        const given = Object.entries(options<Settings>("settings", settings, settingNames)).filter(([, value]) => value !== undefined);
        return Object.fromEntries(given.map(([name, value]) => [name, checks[name as keyof Settings](value)]));
    }

    step(steps = 1): void {
        this.check(this.module._page_step(this.self, whole("steps", steps)));
    }

    /** Sets a number by its path. false: it shows once the scenario is built again. */
    set(path: string, value: number): boolean {
        const result = this.withTexts([textOf("path", path)], (p) => this.module._page_set_number(this.self, p, number("value", value)));
        if (result > 0) this.check(result);
        if (path === "seed") delete this.run?.seed; // this one counts from now on
        return result === 0;
    }

    about(): About {
        return this.json(this.module._page_about(this.self)) as About;
    }

    numbers(): Quantity[] {
        return this.json(this.module._page_numbers(this.self)) as Quantity[];
    }

    /** The JSON Schema of scenario files. */
    schema(): Schema {
        return this.json(this.module._page_schema(this.self)) as Schema;
    }

    scenery(): Scenery {
        return JSON.parse(this.sceneryText()) as Scenery;
    }

    /** The scenery in JSON, to see whether it has changed. */
    sceneryText(): string {
        return this.text(this.module._page_scenery(this.self));
    }

    /** An agent by its id; null: there is none. */
    agent(id: number): Agent | null {
        return this.json(this.module._page_agent(this.self, whole("id", id, 2 ** 32 - 1))) as Agent | null;
    }

    stats(): Stats {
        return counted(named(statNames, this.doubles(this.module._page_stats(this.self), statNames.length))) as unknown as Stats;
    }

    /**
     * How long agents are drawn where the scenario does not say it, in world units: about as long as a species' agents have room for,
     * and, but for the look's scale, at most so long.
     */
    rooms(): { longest: number; species: number[] } {
        const [longest, ...species] = this.doubles(this.module._page_rooms(this.self), 1 + this.species);
        return { longest, species };
    }

    /** Measures a species. Slow for large ones: some frames' time. */
    measure(species: number): Metrics {
        const address = this.module._page_measure(this.self, whole("species", species));
        return counted(named(metricNames, this.doubles(address, metricNames.length))) as unknown as Metrics;
    }

    /** The state's hash, as the program prints it: 16 hexadecimal digits. */
    hash(): string {
        const [low, high] = this.doubles(this.module._page_hash(this.self), 2);
        return ((BigInt(high) << 32n) | BigInt(low)).toString(16).padStart(16, "0");
    }

    /** The arrays of a species; they are empty if there is no such species. */
    view(species: number): View {
        const words = this.module._page_view(this.self, whole("species", species)) >>> 2;
        const heap = this.module.HEAPU32;
        const count = heap[words + 2];
        const floats = (at: number) => this.floats(heap[words + at], count);
        const axes = [...Array(this.dimensions).keys()];
        return {
            count,
            position: axes.map((a) => floats(3 + a)),
            velocity: axes.map((a) => floats(6 + a)),
            id: heap.subarray(heap[words + 9] >>> 2, (heap[words + 9] >>> 2) + count),
            attribute: [...Array(maxAttributes).keys()].map((a) => (heap[words + 10 + a] === 0 ? null : floats(10 + a))),
        };
    }

    /** A field's vectors; it has no cells if there is no such field. */
    field(field: number): FieldView {
        const address = this.module._page_field(this.self, whole("field", field));
        const words = address >>> 2;
        const heap = this.module.HEAPU32;
        const cells = [...heap.subarray(words, words + 3)];
        const total = cells[0] * cells[1] * cells[2];
        return {
            cells,
            min: [...this.floats(address + 12, 3)],
            max: [...this.floats(address + 24, 3)],
            vectors: [...Array(this.dimensions).keys()].map((a) => this.floats(heap[words + 9 + a], total)),
        };
    }

    /** The numbers of a trace, one for each cell of its field, x fastest; valid as a view is. */
    trace(trace: number): Float32Array {
        const { traces } = this.scenery();
        const cells = this.field(traces[numbered("trace", trace, traces.length)]).cells.reduce((product, count) => product * count, 1);
        return this.floats(this.module._page_trace(this.self, trace), cells);
    }

    /** Adds agents; positions and velocities hold all x, then all y, then all z. */
    spawn(species: number, positions: ArrayLike<number>, velocities: ArrayLike<number>): void {
        const [count, other] = Object.entries({ positions, velocities })
            .map(([name, list]) => countOf(name, numbers(name, list), this.dimensions));
        if (other !== count) throw new RangeError(`velocities are of ${other} agents: they must be of ${count}, as positions are`);
        this.check(this.withFloats([positions, velocities],
            (p, v) => this.module._page_spawn(this.self, whole("species", species), count, p, v)));
    }

    /**
     * Adds an obstacle. It acts on species that have obstacles_block or the behaviour avoid, which the scenario says, or
     * blockByObstacles(). Building the scenario again removes it.
     */
    addObstacle(obstacle: Obstacle): void {
        const { shape, a, b, radius } = options<Obstacle>("obstacle", obstacle, obstacleNames);
        for (const [name, place] of Object.entries({ a, b })) placeOf(`obstacle.${name}`, place, this.dimensions);
        whole("obstacle.shape", shape, 2);
        finite("obstacle.radius", radius);
        this.check(this.withFloats([a, b], (from, to) => this.module._page_add_obstacle(this.self, shape, from, to, radius)));
    }

    /** Whether obstacles block the agents of a species: they cannot pass through, and slide along. */
    blockByObstacles(species: number, blocks = true): void {
        this.check(this.module._page_block(this.self, whole("species", species), Number(flag("blocks", blocks))));
    }

    /** Adds a path that a species follows; points hold all x, then all y, then all z. */
    addPath(species: number, points: ArrayLike<number>, radius: number): void {
        const count = countOf("points", numbers("points", points), this.dimensions);
        finite("radius", radius);
        this.check(this.withFloats([points],
            (p) => this.module._page_add_path(this.self, whole("species", species), count, p, radius)));
    }

    /** Lets a field point from one place to another in all cells within the radius of the line between them. */
    paintField(field: number, from: ArrayLike<number>, to: ArrayLike<number>, radius: number): void {
        const { fields, traces } = this.scenery();
        if (traces.includes(numbered("field", field, fields))) throw new FlockError(`field is ${field}: it must not be a trace, which its agents alone change`);
        // As links keep them: a repetition paints the same bits.
        const [start, end] = Object.entries({ from, to })
            .map(([name, place]) => [...Float32Array.from(placeOf(name, place, this.dimensions))].slice(0, this.dimensions));
        finite("radius", radius);
        this.paint(field, start, end, radius);
    }

    private paint(field: number, from: number[], to: number[], radius: number): void {
        const way = to.map((value, a) => value - from[a]);
        const square = sumOf(way, (value) => value * value);
        if (!(square > 0)) return;
        const { cells, min, max, vectors } = this.field(field);
        const widths = way.map((_, a) => (max[a] - min[a]) / cells[a]);
        const ends = way.map((_, a) => [Math.min(from[a], to[a]) - radius, Math.max(from[a], to[a]) + radius]
            .map((end) => Math.min(Math.max(Math.floor((end - min[a]) / widths[a]), 0), cells[a] - 1)));
        const [columns, rows, layers = [0, 0]] = ends;
        for (let k = layers[0]; k <= layers[1]; k++)
            for (let j = rows[0]; j <= rows[1]; j++)
                for (let i = columns[0]; i <= columns[1]; i++) {
                    const offset = [i, j, k].slice(0, way.length).map((cell, a) => min[a] + (cell + 0.5) * widths[a] - from[a]);
                    const along = Math.min(Math.max(sumOf(way, (value, a) => value * offset[a]) / square, 0), 1);
                    if (sumOf(offset, (value, a) => (value - along * way[a]) ** 2) > radius * radius) continue;
                    way.forEach((value, a) => (vectors[a][i + cells[0] * (j + cells[1] * k)] = value / Math.sqrt(square)));
                }
        this.painted.add(field);
    }

    private copyPainted(): [number, FieldView][] {
        return [...this.painted].map((field) => {
            const view = this.field(field);
            return [field, { ...view, vectors: view.vectors.map((column) => column.slice()) }];
        });
    }

    /** Fields that have as many cells as before stay painted. */
    private putPainted(painted: [number, FieldView][]): void {
        this.painted.clear();
        for (const [field, { cells, vectors }] of painted) {
            if (field >= this.scenery().fields || String(this.field(field).cells) !== String(cells)) continue;
            this.field(field).vectors.forEach((column, a) => column.set(vectors[a]));
            this.painted.add(field);
        }
    }

    /** Lets all agents within the radius seek a place, or flee from it if the weight is negative, until it is called with 0. */
    pull(place: ArrayLike<number>, radius: number, weight: number): void {
        placeOf("place", place, this.dimensions);
        finite("radius", radius);
        finite("weight", weight);
        this.check(this.withFloats([place], (p) => this.module._page_pull(this.self, p, radius, weight)));
    }

    /** The state as a file in the format of the program. */
    save(): Uint8Array {
        const path = "/tmp/dunlin saved.csv"; // no name that a scenario's file has
        this.check(this.withTexts([path], (p) => this.module._page_save(this.self, p)));
        const bytes = this.module.FS.readFile(path).slice();
        this.module.FS.unlink(path);
        return bytes;
    }

    protected check(result: number): void {
        if (result !== 0) throw new FlockError(this.message());
    }

    private message(): string {
        return this.module.UTF8ToString(this.module._page_error(this.self));
    }

    private json(address: number): unknown {
        return JSON.parse(this.text(address));
    }

    private text(address: number): string {
        if (address === 0) {
            this.stats(); // throws if nothing runs
            throw new FlockError("out of memory");
        }
        return this.module.UTF8ToString(address);
    }

    protected floats(address: number, count: number): Float32Array {
        return this.module.HEAPF32.subarray(address >>> 2, (address >>> 2) + count);
    }

    private doubles(address: number, count: number): Float64Array {
        if (address === 0) this.check(1);
        return this.module.HEAPF64.slice(address >>> 3, (address >>> 3) + count);
    }

    /** Calls with the addresses of bytes in the engine's memory, which are freed afterwards. */
    protected withMemory(sizes: number[], fill: (addresses: number[]) => void, call: (...addresses: number[]) => number): number {
        const addresses = sizes.map((size) => this.module._malloc(Math.max(size, 1)) >>> 0);
        try {
            if (addresses.includes(0)) throw new FlockError("out of memory");
            fill(addresses);
            return call(...addresses);
        } finally {
            for (const address of addresses) this.module._free(address);
        }
    }

    protected withTexts(texts: string[], call: (...addresses: number[]) => number): number {
        const sizes = texts.map((text) => this.module.lengthBytesUTF8(text) + 1);
        return this.withMemory(sizes, (at) => texts.forEach((text, i) => this.module.stringToUTF8(text, at[i], sizes[i])), call);
    }

    protected withFloats(arrays: ArrayLike<number>[], call: (...addresses: number[]) => number): number {
        const fill = (at: number[]) => arrays.forEach((array, i) => this.module.HEAPF32.set(array, at[i] >>> 2));
        return this.withMemory(arrays.map((array) => 4 * array.length), fill, call);
    }
}
