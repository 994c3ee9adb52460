// SPDX-License-Identifier: MIT
// Entries that the page adds to a scenario: what the schema requires, with numbers that suit the world.
import { follow, kindsOf, namesIn } from "./control_model";
import type { About, Schema } from "./flock";
import { roundUp } from "./number_range";
import type { Entry, Value } from "./scenario_text";

type Known = { schema: Schema; scenario: Entry; about: About };

/** The kinds of entries that can be added to a list now; []: there is no room for one. */
export function kindsToAdd(known: Known, list: string, kinds: string[]): string[] {
    const { about, scenario } = known;
    const needs: Record<string, () => boolean> = {
        interactions: () => freePair(known) !== undefined,
        models: () => freeSpecies(known, list) !== undefined,
        lives: () => freeSpecies(known, list) !== undefined,
        meals: () => eaters(known).length > 0 && about.species.length > 1,
        csv: () => false, // it comes by the text
        circles: () => about.dimensions === 3,
        vicsek: () => about.dimensions === 2,
        follow_path: () => namesIn(scenario, "paths").length > 0,
        body: () => ofBodies(known) !== undefined,
        adapt: () => adaptable(known) !== undefined,
        flow: () => namesIn(scenario, "fields").length > 0,
        wind: () => namesIn(scenario, "fields").length > 0,
    };
    return (needs[list]?.() ?? true) ? kinds.filter((kind) => needs[kind]?.() ?? true) : [];
}

function entriesOf({ scenario }: Pick<Known, "scenario">, list: string): Entry[] {
    return (scenario[list] ?? []) as Entry[];
}

/** A pair of species of which the first does not see the other yet. */
function freePair(known: Known): [observer: string, observed: string] | undefined {
    const names = known.about.species.map(({ name }) => name);
    const pairs = names.flatMap((one) => [one, ...names.filter((other) => other !== one)].map((other): [string,
        string] => [one, other]));
    const observer = (entry: Entry) => entry.observer ?? names[0];
    return pairs.find(([one, other]) =>
        entriesOf(known, "interactions").every((entry) => observer(entry) !== one || (entry.observed ?? observer(entry)) !== other));
}

/** The attributes of a species that can be its energy. */
function energies(known: Known, species: string): string[] {
    return attributesOf(known, species).filter(({ role }) => role === undefined || role === "value").map(({ name }) => String(name));
}

/** The attributes of each species, in the text. */
function attributesOf({ about, scenario }: Known, species: string): Entry[] {
    const entries = (scenario.species ?? []) as Entry[];
    return (entries.find(({ name }, i) => (name ?? about.species[i].name) === species)?.attributes ?? []) as Entry[];
}

/** A species with an attribute that a memory can move. */
function adaptable(known: Known): { species: string; attribute: string } | undefined {
    for (const { name: species } of known.about.species)
        for (const { name, role } of attributesOf(known, species))
            if (!["group", "body", "since_meal"].includes(String(role))) return { species, attribute: String(name ?? role) };
    return undefined;
}

/** A species whose groups have bodies, and that of the bodies. */
function ofBodies({ about, scenario }: Known): { species: string; bodies: string } | undefined {
    const entries = (scenario.species ?? []) as Entry[];
    const i = entries.findIndex(({ body_of }) => body_of !== undefined);
    return i < 0 ? undefined : { species: String(entries[i].body_of), bodies: about.species[i].name };
}

/** Species that have such an attribute. */
function eaters(known: Known): About["species"] {
    return known.about.species.filter(({ name }) => energies(known, name).length > 0);
}

/** A species that has no model, or no life, yet. */
function freeSpecies(known: Known, list: string): string | undefined {
    const first = known.about.species[0]?.name;
    const taken = entriesOf(known, list).map((entry) => entry.species ?? first);
    return (list === "lives" ? eaters(known)
        : known.about.species).map(({ name }) => name).find((name) => !taken.includes(name));
}

/** The names that a text must say once there are two species, paths or fields. */
export function unnamed({ scenario, about }: Known, list: string): [path: string, name: string][] {
    const entries = (name: string) => (scenario[name] ?? []) as Entry[];
    const missing = (within: string, field: string, kind = "") => entries(within).flatMap((entry, i) => {
        const part = kind === "" ? entry : (entry[kind] as Entry | undefined);
        return part === undefined || part === null || part[field] !== undefined ? [] : [[within, `[${i}]`, kind && `.${kind}`,
            `.${field}`].join("")];
    });
    if (list === "species" && about.species.length === 1) {
        const paths = [...missing("interactions", "observer"), ...["behaviours", "models",
            "lives"].flatMap((one) => missing(one, "species"))];
        return paths.map((path) => [path, about.species[0].name]);
    }
    if (!["paths", "fields"].includes(list) || entries(list).length !== 1) return [];
    const name = String(entries(list)[0].name ?? list.slice(0, -1));
    const paths = list === "paths" ? missing("behaviours", "path", "follow_path")
        : [...missing("behaviours", "field", "flow"), ...missing("behaviours", "field", "wind")];
    return [...missing(list, "name"), ...paths].map((path) => [path, name]);
}

/** A new entry for a list such as `behaviours`, of a kind such as `arrive`; "": the list has no kinds. */
export function newEntry(known: Known, list: string, kind: string): Entry {
    const name = list.split(".").at(-1)!;
    const species = follow(known.schema, known.schema.properties?.species?.items ?? {});
    const part = known.schema.properties?.[list] ?? species.properties?.[name] ?? {};
    const schema = follow(known.schema, part.items ?? {});
    const entry = filled(known, schema, kind === "" ? kindsOf(schema).slice(0, 1) : [kind]);
    const more = extras(known, name, kind);
    return { ...more.before, ...entry, ...more.after };
}

/** The numbers with which a rule such as `cohesion` begins. */
export function newRule(known: Known, rule: string): Entry {
    const interactions = follow(known.schema, known.schema.properties?.interactions?.items ?? {});
    return filled(known, follow(known.schema, interactions.properties?.[rule] ?? {}), []);
}

function filled(known: Known, schema: Schema, kinds: string[]): Entry {
    const entry: Entry = {};
    const chosen = kinds.length > 0 ? kinds : kindsOf(schema).slice(0, 1);
    for (const name of [...(schema.required ?? []), ...chosen]) entry[name] = valueFor(known, name, follow(known.schema,
        schema.properties?.[name] ?? {}));
    return entry;
}

/** A length that is visible in the world. */
function reach({ about }: Known): number {
    return roundUp(Math.min(...about.size) / 40);
}

/** Numbers of a schedule of the maximum force. */
const forceSchedule: Record<string, number> = { value: 0.1, from: 0.1, to: 0.2, mean: 0.1, amplitude: 0.05 };

function valueFor(known: Known, name: string, field: Schema): Value {
    const { about, scenario } = known;
    const middle = about.size.map((length) => length / 2);
    if (field.properties) return filled(known, field, []);
    if (name === "points") return [0.2, 0.5, 0.8].map((part, i) => about.size.map((length,
        axis) => length * (axis === 1 ? [0.3, 0.7, 0.3][i] : part)));
    if (name === "box" || name === "capsule") return [0.45, 0.55].map((part) => about.size.map((length) => length * part));
    if (name === "vector") return about.size.map((_,
        axis) => (axis === 0 ? roundUp((about.species[0]?.max_speed ?? 1) / 100) : 0));
    if (name === "even") return [0, 1];
    if (name === "agents" && field.type === "array") return [0, 1, 2];
    if (field.type === "array") return middle;
    if (field.enum) return name === "signal" ? "speed" : field.enum[0];
    if (field.type === "string") return nameFor(known, name, scenario);
    const [low, high] = [field.minimum ?? field.exclusiveMinimum ?? -Infinity, field.maximum ?? Infinity];
    if (name === "end" || name === "period") return 300;
    if (name in forceSchedule) return forceSchedule[name];
    const guess = field.$comment === "world units" ? reach(known) : field.$comment?.startsWith("degrees") ? 30 : 1;
    return Math.min(Math.max(guess, low), high);
}

function nameFor(known: Known, name: string, scenario: Entry): string {
    const { about } = known;
    const kinds = about.species.map((species) => species.name);
    if (name === "parameter") return `species.${kinds[0]}.max_force`;
    if (name === "eater") return eaters(known)[0]?.name ?? kinds[0];
    if (name === "food") return kinds.find((kind) => kind !== eaters(known)[0]?.name) ?? kinds[0];
    if (name === "nearest" || name === "centre") return kinds.at(-1) ?? "agents";
    if (name === "bodies") return ofBodies(known)?.bodies ?? kinds[0];
    if (name === "attribute") return adaptable(known)?.attribute ?? name;
    if (name === "energy") return energies(known, eaters(known)[0]?.name ?? "")[0] ?? "energy";
    return (name === "path" ? namesIn(scenario, "paths")[0] : name === "field" ? namesIn(scenario,
        "fields")[0] : kinds[0]) ?? name;
}

/** The species that a behaviour of this kind is for; undefined: any. */
function actorOf(known: Known, kind: string): string | undefined {
    return kind === "body" ? ofBodies(known)?.species : kind === "adapt" ? adaptable(known)?.species : undefined;
}

/** The first path or field, for behaviours that need one where there are several. */
function referring({ scenario }: Known, kind: string): Entry {
    if (kind === "follow_path") return { follow_path: { path: namesIn(scenario, "paths")[0] } };
    return kind === "flow" || kind === "wind" ? { [kind]: { field: namesIn(scenario, "fields")[0] } } : {};
}

/** What the schema does not require, but the new entry should have. */
function extras(known: Known, list: string, kind: string): { before: Entry; after: Entry } {
    const { about, scenario } = known;
    const first = about.species[0]?.name ?? "agents";
    const free = (stem: string, taken: string[]) => {
        for (let i = 1; ; i++) if (!taken.includes(`${stem} ${i}`)) return `${stem} ${i}`;
    };
    switch (list) {
        case "species":
            return { before: { name: free("species", about.species.map(({ name }) => name)) }, after: { agents: 100,
                max_speed: about.species[0]?.max_speed ?? 1 } };
        case "interactions":
            return { before: { observer: freePair(known)?.[0] ?? first, observed: freePair(known)?.[1] ?? first },
                after: { cohesion: { radius: reach(known), weight: 1 } } };
        case "behaviours":
            return { before: { species: actorOf(known, kind) ?? first }, after: referring(known, kind) };
        case "models":
            return { before: { species: freeSpecies(known, list) ?? first }, after: {} };
        case "lives": {
            const species = freeSpecies(known, list) ?? first;
            return { before: { species }, after: { energy: energies(known, species)[0] ?? "energy" } };
        }
        case "fields":
        case "paths":
            return { before: { name: free(list.slice(0, -1), namesIn(scenario, list)) }, after: {} };
        case "obstacles":
            return { before: {}, after: kind === "box" ? {} : { radius: reach(known) } };
        case "attributes":
            return { before: { name: free("attribute", about.species.flatMap(({ attributes }) => attributes)) }, after: {} };
    }
    return { before: {}, after: {} };
}
