// SPDX-License-Identifier: MIT
// Class Flock of the npm package: that of the page, and what programs want beyond it.
import { finite, place as placeOf, shown, whole } from "../src/arguments";
import { Flock as PageFlock, FlockError, type Settings } from "../src/flock";
import { addScript, type Behaviour, removeScript, tileAt } from "./behaving";
import { type Instances, type Layout, readInto } from "./layout";

// So that projects without these types compile; a program without Symbol.dispose has destroy().
declare global {
    interface SymbolConstructor {
        readonly dispose: unique symbol;
    }
}
(Symbol as { dispose?: symbol }).dispose ??= Symbol.for("Symbol.dispose");

/** Values of a scenario by their paths, as `dunlin run --set` takes them. */
export interface Values {
    [path: string]: unknown;
}

/** An agent near a place. */
export interface Near {
    id: number;
    /** Its place in the species' view. */
    slot: number;
    distance: number;
}

export type EventKind = "birth" | "death" | "meal";

/** An agent that has appeared or disappeared in a step. */
export interface FlockEvent {
    kind: EventKind;
    species: number;
    id: number;
    /** Of a birth after the step, otherwise before it. */
    position: number[];
    /** The id of the agent that has eaten it; null: none. */
    eater: number | null;
}

export type Listener = (event: FlockEvent) => void;

const eventKinds: EventKind[] = ["birth", "death", "meal"];
const none = 2 ** 32 - 1;
const mostNear = 1000;

function functionOf<Call>(name: string, value: Call): Call {
    if (typeof value !== "function") throw new TypeError(`${name} is ${shown(value)}: it must be a function`);
    return value;
}

export function checkValues(name: string, values: unknown): void {
    if (Object.prototype.toString.call(values) !== "[object Object]")
        throw new TypeError(`${name} is ${shown(values)}: it must be an object with paths and values`);
}

/** A value as a scenario holds it. */
export function jsonOf(name: string, value: unknown): string {
    let json: string | undefined;
    try {
        json = JSON.stringify(value, null, 1);
    } catch {
        // A bigint, or a circle.
    }
    if (json === undefined) throw new TypeError(`${name} is ${shown(value)}: it must be what JSON can hold`);
    return json;
}

/** A scenario and its simulation. */
export class Flock extends PageFlock {
    private readonly scripts = new Set<number>();
    private readonly listeners = new Map<object, { kind: EventKind; listener: Listener }>();
    private thrown: { error: unknown } | null = null; // by a behaviour
    private behaves = false; // a behaviour runs

    protected override get self(): number {
        if (this.behaves) throw new FlockError("a behaviour runs: it must leave its flock alone, and use its tile");
        return super.self;
    }

    override destroy(): void {
        if (this.behaves) void this.self;
        this.forgetScripts();
        super.destroy();
    }

    [Symbol.dispose](): void {
        this.destroy();
    }

    /** Builds the open scenario, as in Dunlin.open(). Behaviours that were added are dropped. keep: with the agents and the clock. */
    override simulate(settings: Settings = {}, keep = false): void {
        super.simulate(settings, keep);
        this.forgetScripts();
    }

    private forgetScripts(): void {
        this.scripts.forEach(removeScript);
        this.scripts.clear();
    }

    /** Sets values of any type in the open scenario, which simulate() then builds: { "world.boundary": "reflect" }. */
    setValues(values: Values): void {
        checkValues("values", values);
        const texts = Object.entries(values).flatMap(([path, value]) => [path, jsonOf(`values["${path}"]`, value)]);
        this.check(this.withTexts(texts, (...addresses) => this.withMemory([4 * texts.length],
            ([at]) => this.module.HEAPU32.set(addresses, at >>> 2), (at) => this.module._page_set_values(this.self, at, texts.length / 2))));
    }

    /* ---- agents ---- */

    /** Removes agents of any species by their ids. */
    despawn(ids: ArrayLike<number>): void {
        if (typeof ids !== "object" || ids === null || !("length" in ids)) throw new TypeError(`ids is ${shown(ids)}: it must be an array of ids`);
        whole("the length of ids", ids.length, none);
        const list = Uint32Array.from(ids, (id, i) => whole(`ids[${i}]`, id, none - 1));
        this.check(this.withMemory([list.byteLength], ([at]) => this.module.HEAPU32.set(list, at >>> 2),
            (at) => this.module._page_despawn(this.self, at, list.length)));
    }

    /** The agents of a species that are nearest to a place, at most 1000, the nearest first. O(agents). */
    nearest(species: number, place: ArrayLike<number>, count = 1): Near[] {
        return this.find(species, place, Infinity, whole("count", count, mostNear, 1));
    }

    /** The agents of a species within a radius of a place, the nearest first. O(agents). */
    within(species: number, place: ArrayLike<number>, radius: number): Near[] {
        if (finite("radius", radius) < 0) throw new RangeError(`radius is ${radius}: it must be 0 or more`);
        return this.find(species, place, radius, Infinity);
    }

    private find(species: number, place: ArrayLike<number>, radius: number, most: number): Near[] {
        const { count } = this.view(species);
        placeOf("place", place, this.dimensions);
        const room = Math.min(most, count);
        const found: Near[] = [];
        this.withMemory([12, 12 * room], ([at]) => this.module.HEAPF32.set(Array.from(place).slice(0, 3), at >>> 2), (at, near) => {
            const length = this.module._page_find(this.self, species, at, radius, room, near);
            for (let i = 0, word = near >>> 2; i < length; i++, word += 3)
                found.push({ id: this.module.HEAPU32[word + 1], slot: this.module.HEAPU32[word + 2], distance: Math.sqrt(this.module.HEAPF32[word]) });
            return 0;
        });
        return found;
    }

    /**
     * Writes the agents of a species one after another, in the order of view(), and returns how many they are: `position` (x, y, and in space z),
     * `state` (the same with the velocity), or `matrix`: 16 numbers that turn a shape along +x to the heading, scale it by the size and
     * move it to the agent. An InstancedMesh of three.js takes matrices, too, and then shows as many instances.
     */
    readInto(species: number, target: Float32Array | Instances, layout: Layout = "state", size = 1): number {
        return readInto(this.view(species), target, layout, size);
    }

    /* ---- steps ---- */

    override step(steps = 1): void {
        try {
            if (this.listeners.size === 0) super.step(steps);
            else for (let left = whole("steps", steps); left > 0; left--) this.watchStep();
        } catch (error) {
            const { thrown } = this;
            this.thrown = null;
            throw thrown === null ? error : thrown.error;
        }
    }

    /** false: it is destroyed, or its engine is closed. */
    private get lives(): boolean {
        try {
            return this.self !== 0;
        } catch {
            return false;
        }
    }

    /**
     * Takes steps in each frame of the screen, and then calls the function with the flock, until the flock is destroyed; the function that is
     * returned ends it, too. In node, without a screen, frames are 16 ms apart.
     */
    animate(draw: (flock: this) => void, steps = 1): () => void {
        functionOf("draw", draw);
        whole("steps", steps, none);
        void this.self;
        const next = globalThis.requestAnimationFrame ?? ((call: () => void) => setTimeout(call, 16));
        let ended = false;
        const frame = () => {
            if (ended || !this.lives) return;
            this.step(steps);
            draw(this);
            next(frame);
        };
        next(frame);
        return () => void (ended = true);
    }

    private watchStep(): void {
        this.check(this.module._page_watch_step(this.self));
        for (const event of this.lastEvents())
            for (const { kind, listener } of [...this.listeners.values()]) if (kind === event.kind) listener(event);
    }

    private lastEvents(): FlockEvent[] {
        const words = this.module._page_events(this.self) >>> 2;
        return Array.from({ length: this.module._page_event_count(this.self) }, (_, i) => {
            const [kind, species, id, eater] = this.module.HEAPU32.subarray(words + 7 * i, words + 7 * i + 4);
            const position = [...this.floats(4 * (words + 7 * i + 4), this.dimensions)];
            return { kind: eventKinds[kind], species, id, position, eater: eater === none ? null : eater };
        });
    }

    /**
     * Calls a function for each agent that is born, dies or is eaten, after the step in which it is; the function that is returned ends it. A meal
     * is no death. An agent that a behaviour lets die within reach of an eater counts as eaten. Each step then takes O(agents) more.
     * An agent that grows and is eaten in the same step is no event.
     */
    on(kind: EventKind, listener: Listener): () => void {
        if (!eventKinds.includes(kind)) throw new RangeError(`kind is ${shown(kind)}: it must be ${eventKinds.map((one) => `"${one}"`).join(", ")}`);
        void this.self;
        const key = {};
        this.listeners.set(key, { kind, listener: functionOf("listener", listener) });
        return () => void this.listeners.delete(key);
    }

    /**
     * Adds a behaviour: a function that the engine calls in every step for tiles of agents, and that adds forces; the function that is returned
     * removes it. Functions of JavaScript exist on one thread only, so the flock must have one. Building the scenario again removes it.
     */
    addBehaviour(species: number, behaviour: Behaviour): () => void {
        functionOf("behaviour", behaviour);
        const { self } = this;
        const threads = this.run?.threads ?? 1;
        if (threads > 1) throw new FlockError(`threads is ${threads}: it must be 1 in a flock with behaviours in JavaScript, as in open(text, { threads: 1 })`);
        const script = addScript(this.module, (address) => this.behave(behaviour, address));
        try {
            this.check(this.module._page_add_script(self, whole("species", species), script));
        } catch (error) {
            removeScript(script);
            throw error;
        }
        this.scripts.add(script);
        return () => {
            if (!this.scripts.has(script)) return;
            this.check(this.module._page_remove_script(this.self, script));
            this.scripts.delete(script);
            removeScript(script);
        };
    }

    /** No error may leave the function, since the engine's own functions are below it. */
    private behave(behaviour: Behaviour, address: number): void {
        if (this.thrown !== null) return;
        const { module, self, dimensions } = this;
        const tile = tileAt({ module, self, dimensions, withFloats: (arrays, call) => this.withFloats(arrays, call),
            message: () => module.UTF8ToString(module._page_error(self)) }, address);
        this.behaves = true;
        try {
            behaviour(tile);
        } catch (error) {
            this.thrown = { error };
            module._page_fail_script(self);
        } finally {
            this.behaves = false;
        }
    }
}
