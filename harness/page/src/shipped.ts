// SPDX-License-Identifier: MIT
// The shipped scenarios, as files beside the page.
import type { App } from "./app";
import { showAddress } from "./kept";
import { withChanges } from "./scenario_text";
import type { Changes } from "./scenario_text";

/** What harness/page/scenarios.mjs says of a scenario. */
export interface Shipped {
    name: string;
    group: string;
    title: string;
    description: string;
    source?: string;
    dimensions: number;
    agents: number;
}

async function load(path: string): Promise<Response> {
    const response = await fetch(path);
    if (!response.ok) throw new Error(`${path} is not there (${response.status})`);
    return response;
}

export async function listShipped(): Promise<Shipped[]> {
    return (await load("scenarios/index.json")).json() as Promise<Shipped[]>;
}

export async function textOfShipped(name: string): Promise<string> {
    return (await load(`scenarios/${encodeURIComponent(name)}.yaml`)).text();
}

/** Hashes of states that the native program reaches, by the scenario's file; null: the page was built without it. */
export async function loadHashes(): Promise<{ steps: number; hashes: Record<string, string> } | null> {
    return load("hashes.json").then((response) => response.json(), () => null);
}

/** A lesson of harness/page/lessons.yaml, which says what its fields mean. */
export interface Lesson {
    title: string;
    scenario?: string;
    begin?: Changes;
    see: string;
    how: string;
    formula: string;
    picture: string;
    pointer?: string;
    try: [label: string, what: Changes, watch: string][];
    from: string[];
}

export interface Lessons {
    course: string[];
    links: Record<string, [title: string, address: string]>;
    pictures: Record<string, string>;
    lessons: Record<string, Lesson>;
}

let lessons: Promise<Lessons> | null = null;

/** The lessons, which are loaded once. */
export function loadLessons(): Promise<Lessons> {
    lessons ??= load("lessons.json").then((response) => response.json() as Promise<Lessons>);
    return lessons;
}

/** Runs the scenario of a lesson, under the lesson's name. A lesson of the course is in the address by its number, any other by name. */
export async function openLesson(app: App, name: string): Promise<void> {
    const { course, lessons: all } = await loadLessons();
    const { scenario = name, begin = {} } = all[name] ?? {};
    const number = course.indexOf(name) + 1;
    await open(app, name, number > 0 ? `?lesson=${number}` : `?scenario=${encodeURIComponent(name)}`,
        async () => withChanges(await textOfShipped(scenario), begin));
}

let wanted = 0; // openings so far

/** Of several that load at the same time, the last one runs. */
async function open(app: App, name: string, address: string, load: () => Promise<string>): Promise<void> {
    const own = ++wanted;
    const text = await load();
    if (own !== wanted) return;
    showAddress(address);
    app.open(text, `${name}.yaml`);
    app.tell({ do: "play", on: true });
}

/** Runs a shipped scenario, and says so in the address. */
export function openShipped(app: App, name: string): Promise<void> {
    const address = name === "default" ? location.pathname : `?scenario=${encodeURIComponent(name)}`;
    return open(app, name, address, () => textOfShipped(name));
}
