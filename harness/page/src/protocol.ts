// SPDX-License-Identifier: MIT
// The messages between the page and its worker. The worker owns engine and drawing; the page owns everything else.
import type { About, Metrics, Quantity, Scenery, Schema, Settings, Stats } from "./flock";

/** Settings as they travel in messages and links: JSON knows no bigint. */
export interface PlainSettings extends Omit<Settings, "seed"> {
    seed?: string;
}

/** What changes a simulation. Each is kept with the step at which it came, so that a link can repeat the simulation bit for bit. */
export type Action =
    | { kind: "set"; path: string; value: number }
    | { kind: "rebuild"; text: string; settings: PlainSettings }
    | { kind: "spawn"; species: number; positions: number[]; velocities: number[] }
    | { kind: "obstacle"; shape: number; a: number[]; b: number[]; radius: number }
    | { kind: "path"; species: number; points: number[]; radius: number }
    | { kind: "paint"; field: number; from: number[]; to: number[]; radius: number }
    | { kind: "pull"; place: number[]; radius: number; weight: number };

/** A simulation that can be repeated: from its scenario, through its actions, to a step. */
export interface Story {
    text: string;
    name: string;
    settings: PlainSettings;
    actions: [step: number, action: Action][];
    step: number;
    /** What the text or the settings name and was dropped on the page, by its name. */
    files?: Record<string, Uint8Array>;
    /** The state's hash at `step`, so that a repetition can show that it ends in the same state. */
    hash?: string;
}

/** At this step of every simulation the state's hash is reported: the native program's is known there for the shipped scenarios. */
export const proofStep = 60;

/** The hash of a state that can be compared with others. */
export interface Proof {
    step: number;
    hash: string;
    /** What the story says; null: it says nothing. */
    expected: string | null;
    /** The scenario runs as its text says: nothing else was chosen, but for threads and kernel, or changed. */
    pristine: boolean;
}

/** A mistake in a text; line 0: the message names none. */
export interface Mistake {
    message: string;
    line: number;
}

/** How the flock is drawn. */
export interface Look {
    /** A shape's name; "scenario": each species' own. */
    shape: string;
    /** Draw density instead of agents from this many agents on. */
    densityFrom: number;
    trails: boolean;
    /** "scenario": as it says for each species. */
    colour: "scenario" | "heading" | "species" | "attribute" | "speed";
    /** Its name; species without it are grey. */
    attribute: string;
    dark: boolean;
    scenery: boolean;
    /** Length of an agent in CSS pixels; 0: as the scenario says, or by the number of agents. */
    size: number;
    /** What colours and shapes mean, drawn in a corner. */
    legend: boolean;
    /** Where what the page shows over the canvas' upper left corner ends, in CSS pixels: the legend keeps out of it. */
    covered: readonly [right: number, bottom: number];
    /** The agent whose radii, view and neighbours are drawn; null: none. */
    chosen: number | null;
    /** Wings do not flap. */
    still: boolean;
}

/** The least and the greatest of what ramps of colour show, by its name: speed, or an attribute. */
export type Ranges = Record<string, [number, number]>;

/** Where the viewer is: in 2D `centre` and `zoom`, in 3D also the angles. */
export interface Camera {
    /** World units. */
    centre: number[];
    /** 1: the world fills the canvas. */
    zoom: number;
    /** Radians, 3D. */
    yaw: number;
    pitch: number;
}

/** What can be asked of the worker; it answers with the same id. */
export type Question = "hash" | "story" | "state" | "picture" | "metrics" | "numbers" | "schema" | { check: string };

/** From the page to the worker. */
export type Command =
    /** wasm: the WebAssembly of the build without threads, if the worker's script has its other half inside; else it loads both from `base`. */
    | { do: "start"; canvas: OffscreenCanvas; threads: number; base: string; wasm?: Uint8Array | undefined }
    /** watch: runs from its beginning, before the visitor's eyes, and waits at its step. */
    | { do: "open"; story: Story; watch?: boolean }
    /** simulation: the one that the page shows, by its number; left out: any. */
    | { do: "act"; action: Action; simulation?: number | undefined }
    | { do: "play"; on: boolean }
    | { do: "step" }
    /** Steps per frame while it plays; less than 1: not in every frame. */
    | { do: "pace"; steps: number }
    /** The page is hidden, or is not: hidden, no frame comes. */
    | { do: "rest"; on: boolean }
    | { do: "stop repeating" }
    | { do: "file"; name: string; bytes: Uint8Array }
    | { do: "look"; look: Partial<Look> }
    | { do: "camera"; camera: Partial<Camera> }
    | { do: "resize"; width: number; height: number; ratio: number }
    | { do: "find"; x: number; y: number }
    | { do: "ask"; id: number; what: Question };

/** What runs, from now on. */
export interface Running {
    is: "running";
    /** Stories are numbered as they are opened. */
    simulation: number;
    about: About;
    numbers: Quantity[];
    scenery: Scenery;
    settings: PlainSettings;
    camera: Camera;
    /** The scenario's text; the numbers in `changed` were set since it came. */
    text: string;
    name: string;
    changed: [path: string, value: number][];
    /** How many actions of the page the worker has come to. */
    acts: number;
    /** The last one of the simulation; null: none yet. */
    proof: Proof | null;
}

/** Some ten times a second, and after whatever changes the picture of a simulation that is paused. */
export interface Frame {
    is: "frame";
    stats: Stats;
    framesPerSecond: number;
    msDraw: number;
    playing: boolean;
    /** What the picture goes without since this frame, so that frames come faster; null: nothing more than before. */
    spared: "resolution" | "trails" | null;
    ranges: Ranges;
}

/** The species at a step. */
export interface Measured {
    step: number;
    species: Metrics[];
}

/** From the worker to the page. */
export type Report =
    /** The worker holds this lock as long as it lives. */
    | { is: "alive"; lock: string }
    | { is: "started"; threads: number }
    | Running
    | Frame
    | { is: "found"; agent: number | null }
    | { is: "answer"; id: number; error?: string; value?: string | Uint8Array | Blob | Story | Measured | Quantity[] | Schema | Mistake | null }
    | { is: "repeating"; step: number; steps: number }
    | { is: "proof"; proof: Proof }
    | { is: "failed"; message: string; line: number; during: string };
