// SPDX-License-Identifier: MIT
// What the pointer adds to the text of a scenario: predators, food, obstacles, paths and fields to paint.
import type { About } from "../flock";
import type { Running } from "../protocol";
import { addEntry, placeEntry, readScenario, removeEntry, setChoice, valueAt } from "../scenario_text";
import type { Entry, Value } from "../scenario_text";

/** What runs, and by which numbers. */
export type Simulation = Pick<Running, "about" | "numbers">;

/** A text that has what is needed, and the position of the species or field that was asked for. */
export interface Edit {
    text: string;
    position: number;
}

function list(scenario: Entry, name: string): Entry[] {
    return (scenario[name] ?? []) as Entry[];
}

/** A number that people like to read. */
export function short(value: number): number {
    return Number(value.toPrecision(4));
}

function shortest(about: About): number {
    return Math.min(...about.size);
}

/** World units per time unit: the fastest that the species runs; if nothing limits it, something that the eye can follow. */
export function topSpeed(about: About, species: number): number {
    const { max_speed } = about.species[species];
    return max_speed > shortest(about) ? shortest(about) / 200 : max_speed;
}

export function numberAt({ numbers }: Simulation, path: string, otherwise: number): number {
    return numbers.find((number) => number.path === path)?.value ?? otherwise;
}

/** The force with which the species turns round in about a dozen steps; many scenarios that need no max_force leave it out. */
export function turningForce(text: string, simulation: Simulation, species: number): number {
    const step = valueAt(readScenario(text), "world.forces") === "increment" ? 1 : numberAt(simulation, "world.time_step", 1);
    return topSpeed(simulation.about, species) / (12 * step);
}

/** A max_force for a behaviour where the species' own is too weak to show. */
function enough(text: string, simulation: Simulation, species: number): Entry {
    const force = turningForce(text, simulation, species);
    return force > 2 * numberAt(simulation, `species[${species}].max_force`, force) ? { max_force: short(force) } : {};
}

/** The text with every species named wherever one is meant, as a text with several species must. */
function nameSpecies(text: string, about: About): string {
    const { name } = about.species[0];
    const scenario = readScenario(text);
    if (about.species.length > 1) return text;
    if (scenario.species === undefined) text = addEntry(text, "species", { name });
    else if (list(scenario, "species")[0].name === undefined) text = setChoice(text, "species[0].name", name);
    const fields = { interactions: "observer", behaviours: "species", lives: "species", models: "species" };
    for (const [entries, field] of Object.entries(fields))
        list(scenario, entries).forEach((entry, i) => {
            if (entry[field] === undefined) text = setChoice(text, `${entries}[${i}].${field}`, name);
        });
    return text;
}

/** A name that no entry of the list has. */
function freeName(entries: Entry[], name: string): string {
    let free = name;
    for (let i = 2; entries.some((entry) => entry.name === free); i++) free = `${name} ${i}`;
    return free;
}

/* ---- predators and food ------------------------------------------------------------------------------------------------ */

/** The species from which others flee: they evade its agents or flee from them, or only keep away from them. */
function predatorOf(scenario: Entry, about: About): number {
    const feared = list(scenario, "behaviours").flatMap((entry) =>
        ["evade.nearest", "flee.nearest", "evade.centre", "flee.centre"].map((path) => valueAt(entry, path)));
    const shunned = list(scenario, "interactions")
        .filter(({ observer, observed, separation, alignment, cohesion }) =>
            observed !== undefined && observed !== observer && separation && !alignment && !cohesion)
        .map(({ observed }) => observed);
    const names: unknown[] = [...feared, ...shunned];
    return about.species.findIndex(({ name }) => names.includes(name));
}

/** A species that hunts the prey, and from which all others flee. */
export function withPredator(text: string, simulation: Simulation, prey: number): Edit {
    const { about } = simulation;
    const scenario = readScenario(text);
    const position = predatorOf(scenario, about);
    if (position >= 0) return { text, position };
    const name = freeName(list(scenario, "species"), "hawks");
    const { name: hunted } = about.species[prey];
    const speed = topSpeed(about, prey);
    const force = Math.max(numberAt(simulation, `species[${prey}].max_force`, 0), turningForce(text, simulation, prey));
    const strong = about.species.map((_, i) => enough(text, simulation, i));
    const sight = shortest(about) / 4;
    const prediction_time = short(sight / 10 / speed);
    text = nameSpecies(text, about);
    text = addEntry(text, "species", {
        name, min_speed: short(speed / 2), max_speed: short(speed * 1.25), max_force: short(force), agents: 0,
    });
    text = addEntry(text, "interactions", { observer: name, separation: { radius: short(sight / 2) } });
    text = addEntry(text, "behaviours", { species: name, pursue: { nearest: hunted, radius: short(sight), prediction_time } });
    about.species.forEach(({ name: species, max_speed }, i) => {
        if (max_speed === 0) return;
        const evade = { nearest: name, radius: short(sight / 3), prediction_time, weight: 3, ...strong[i] };
        text = addEntry(text, "behaviours", { species, evade });
    });
    return { text, position: about.species.length };
}

/** A species that the eater eats, if it eats any; otherwise one that is eaten; otherwise a new one. */
export function withFood(text: string, simulation: Simulation, eater: number): Edit {
    const { about } = simulation;
    const scenario = readScenario(text);
    const meals = list(scenario, "meals");
    const { name: hungry } = about.species[eater];
    const eaten = (meals.find((meal) => meal.eater === hungry) ?? meals[0])?.food;
    const position = about.species.findIndex(({ name }) => name === eaten);
    if (position >= 0) return { text, position };
    const name = freeName(list(scenario, "species"), "food");
    const sight = shortest(about) / 6;
    text = nameSpecies(text, about);
    text = addEntry(text, "species", { name, max_speed: 0, agents: 0 });
    const seek = { nearest: name, radius: short(sight), weight: 2, ...enough(text, simulation, eater) };
    text = addEntry(text, "behaviours", { species: hungry, seek });
    text = addEntry(text, "meals", { eater: hungry, food: name, radius: short(sight / 15) });
    return { text, position: about.species.length };
}

/* ---- obstacles, paths and fields --------------------------------------------------------------------------------------- */

/** The behaviour is one of this species. */
function isOf({ species = "all" }: Entry, name: string): boolean {
    return species === "all" || species === name;
}

/** A ball that all species steer around and cannot enter. */
export function withBall(text: string, simulation: Simulation, centre: number[], radius: number): string {
    const { about } = simulation;
    const scenario = readScenario(text);
    const behaviours = list(scenario, "behaviours");
    const sight = shortest(about) / 12;
    text = nameSpecies(text, about);
    text = addEntry(text, "obstacles", { ball: centre.map(short), radius: short(radius) });
    about.species.forEach(({ name, max_speed }, i) => {
        if (max_speed === 0) return;
        const block = `species[${i}].obstacles_block`;
        if (valueAt(scenario, block) === undefined) text = setChoice(text, block, true);
        const avoids = behaviours.some((entry) => entry.avoid !== undefined && isOf(entry, name));
        const avoid = { look_ahead: short(sight / topSpeed(about, i)), weight: 2, ...enough(text, simulation, i) };
        if (!avoids) text = addEntry(text, "behaviours", { species: name, avoid });
    });
    return text;
}

/** If the only field or path has no name, it gets one, also where it is used: a second one may then join it. */
function nameOnly(text: string, entries: "fields" | "paths", users: string[], field: string): string {
    const scenario = readScenario(text);
    const [only] = list(scenario, entries);
    if (only === undefined || only.name !== undefined) return text;
    text = setChoice(text, `${entries}[0].name`, "first");
    list(scenario, "behaviours").forEach((entry, i) => {
        for (const user of users)
            if (entry[user] !== undefined && valueAt(entry, `${user}.${field}`) === undefined)
                text = setChoice(text, `behaviours[${i}].${user}.${field}`, "first");
    });
    return text;
}

/** A path that the species follows. What was drawn for it before goes. */
export function withPath(text: string, simulation: Simulation, species: number, points: number[][]): string {
    const { about } = simulation;
    const { name } = about.species[species];
    const drawn = `drawn for ${name}`.slice(0, 60);
    const entry: Entry = { name: drawn, points: points.map((point) => point.map(short)) };
    const old = list(readScenario(text), "paths").findIndex((path) => path.name === drawn);
    text = nameOnly(nameSpecies(text, about), "paths", ["follow_path"], "path");
    if (old >= 0) return placeEntry(removeEntry(text, `paths[${old}]`), `paths[${old}]`, entry);
    text = addEntry(text, "paths", entry);
    const [radius, far, ahead] = [50, 16, 25].map((part) => short(shortest(about) / part));
    const strength = { weight: 1.5, ...enough(text, simulation, species) };
    const follow_path = { path: drawn, radius, prediction_distance: far, ahead_distance: ahead, ...strength };
    return addEntry(text, "behaviours", { species: name, follow_path });
}

/** The field that the species' flow follows; a new one if it follows none, or one that changes with time. */
export function withField(text: string, simulation: Simulation, species: number): Edit {
    const { about } = simulation;
    const { name } = about.species[species];
    const scenario = readScenario(text);
    const fields = list(scenario, "fields");
    const flow = list(scenario, "behaviours").find((entry) =>
        entry.flow !== undefined && isOf(entry, name) && !changes(fieldOf(fields, entry.flow)));
    if (flow !== undefined) return { text, position: fields.indexOf(fieldOf(fields, flow.flow)!) };
    const painted = freeName(fields, `painted for ${name}`.slice(0, 56));
    const cell = Math.max(...about.size) / (about.dimensions === 3 ? 16 : 48);
    text = nameOnly(nameSpecies(text, about), "fields", ["flow", "wind"], "field");
    text = addEntry(text, "fields", {
        name: painted, cells: about.size.map((length) => Math.max(1, Math.round(length / cell))),
        constant: { vector: about.size.map(() => 0) },
    });
    const strength = { weight: 1.5, ...enough(text, simulation, species) };
    text = addEntry(text, "behaviours", { species: name, flow: { field: painted, ...strength } });
    return { text, position: fields.length };
}

function fieldOf(fields: Entry[], flow: Value): Entry | undefined {
    const name = (flow as Entry | null)?.field;
    return name === undefined ? fields[0] : fields.find((field) => field.name === name);
}

function changes(field: Entry | undefined): boolean {
    return field === undefined || field.trace !== undefined || Number(valueAt(field, "noise.rate") ?? 0) > 0;
}
