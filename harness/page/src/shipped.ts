// SPDX-License-Identifier: MIT
// The shipped scenarios, as files beside the page.
import type { App } from "./app";
import { beside } from "./beside";
import { dice, flocks, withRandomWeights } from "./flocking";
import { offerThreads } from "./keeping";
import { inCourse, showAddress } from "./kept";
import { grouped } from "./dom";
import { aspect, isPhone, lightText } from "./light";
import { agentsIn, resized, upright } from "./lighter";
import { readScenario, withChanges } from "./scenario_text";
import type { Changes } from "./scenario_text";

/** What harness/page/scenarios.mjs says of a scenario. */
export interface Shipped {
    name: string;
    group: string;
    title: string;
    description: string;
    source?: string;
    /** The examples and exercises of The Nature of Code, chapter 5, that it is. */
    where?: string[];
    dimensions: number;
    agents: number;
}

/** An example or exercise of the texts: a row of the table of docs/scenarios.md. Between backquotes are names and fields. */
export interface Exercise {
    /** The text, and its chapter. */
    source: string;
    /** Numbers in the second edition as printed, in its draft, and in the first edition; "": none. */
    print: string;
    draft: string;
    first: string;
    what: string;
    scenarios: string;
    field: string;
    page: string;
}

/** The name of a scenario or lesson from that of its file. */
export function nameOf(file: string): string {
    return file.replace(/\.yaml$/, "");
}

export async function listShipped(): Promise<Shipped[]> {
    return (await beside("scenarios/index.json")).json() as Promise<Shipped[]>;
}

export async function loadExercises(): Promise<Exercise[]> {
    return (await beside("scenarios/exercises.json")).json() as Promise<Exercise[]>;
}

export async function textOfShipped(name: string): Promise<string> {
    return (await beside(`scenarios/${encodeURIComponent(name)}.yaml`)).text();
}

let hashes: ReturnType<typeof loadHashes> | null = null;

/** Hashes of states that the native program reaches, by the scenario's file; null: the page was built without it. */
export function loadHashes(): Promise<{ steps: number; hashes: Record<string, string> } | null> {
    hashes ??= beside("hashes.json").then((response) => response.json(), () => null);
    return hashes;
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
    lessons ??= beside("lessons.json").then((response) => response.json() as Promise<Lessons>);
    return lessons;
}

let wanted = 0; // openings so far

/** Runs the text that loads, under an address. Of several that load at the same time, the last one runs. */
async function openLoading(app: App, address: string, load: () => Promise<{ name: string; text: string; seed?: string }>): Promise<void> {
    const own = ++wanted;
    const { name, text, ...settings } = await load();
    if (own !== wanted) return;
    showAddress(inCourse(address));
    app.open(text, `${name}.yaml`, settings);
    app.tell({ do: "play", on: true });
}

/** Of scenarios with more agents than `most`, `fewer` run at first. */
const [most, fewer] = isPhone ? [25e3, 1e4] : [99e3, 5e4];

/** Whether a scenario with so many agents may be more than this device moves. */
export function isHeavy(agents: number): boolean {
    return agents > most;
}

/** Runs a text. A heavy one runs with fewer agents, unless it is wanted whole, as the page then offers. */
function openFitting(app: App, name: string, address: string, load: () => Promise<string>, whole = false): Promise<void> {
    return openLoading(app, address, async () => {
        const text = await load();
        const agents = agentsIn(readScenario(text));
        if (whole || !isHeavy(agents)) return { name, text: upright(text, aspect()) };
        app.say(`${grouped(agents)} agents may be more than this device moves smoothly, so ${grouped(fewer)} of them run.`, {
            label: `Run all ${grouped(agents)}`,
            act: () => void openFitting(app, name, address, load, true).catch((error) => app.complain(error.message, "open")),
        }, ...offerThreads());
        return { name, text: upright(resized(text, { agents: fewer }), aspect()) };
    });
}

/** Runs a shipped scenario, and says so in the address. */
export function openShipped(app: App, name: string): Promise<void> {
    return openFitting(app, name, `?scenario=${encodeURIComponent(name)}`, () => textOfShipped(name));
}

/** Runs the scenario of a lesson, under the lesson's name. A lesson of the course is in the address by its number, any other by name. */
export async function openLesson(app: App, name: string): Promise<void> {
    const { course, lessons: all } = await loadLessons();
    const { scenario = name, begin = {} } = all[name] ?? {};
    const number = course.indexOf(name) + 1;
    await openFitting(app, name, number > 0 ? `?lesson=${number}` : `?scenario=${encodeURIComponent(name)}`,
        async () => withChanges(await textOfShipped(scenario), begin));
}

/** What a visitor sees first. */
export function openLight(app: App): Promise<void> {
    return openLoading(app, location.pathname, async () => ({ text: lightText(await textOfShipped("default")), name: "default" }));
}

const light = 10000; // agents

/** The scenario and weights that follow from a seed. */
async function surpriseOf(seed: number): Promise<{ name: string; title: string; text: string; seed: string }> {
    const roll = dice(seed);
    const choices = (await listShipped()).filter(({ agents, dimensions }) => agents <= light && dimensions === 2);
    while (choices.length > 0) {
        const [{ name, title }] = choices.splice(Math.floor(roll() * choices.length), 1);
        const text = await textOfShipped(name);
        if (flocks(text)) return { name, title, text: withRandomWeights(text, roll), seed: String(seed) };
    }
    throw new Error("no shipped scenario has all three rules");
}

/** Runs a surprise, which the seed in the address repeats. Without a seed it is any but the scenario that runs. */
export async function openSurprise(app: App, seed?: number): Promise<void> {
    let found;
    do found = await surpriseOf(seed ?? Math.floor(Math.random() * 1e6));
    while (seed === undefined && nameOf(app.running?.name ?? "") === found.name);
    const { title, ...story } = found;
    await openLoading(app, `?surprise=${story.seed}`, async () => story);
    app.say(`A surprise: ${title}, with other strengths of its three rules.`);
}
