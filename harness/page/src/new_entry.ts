// SPDX-License-Identifier: MIT
// Entries that the page adds to a scenario: what the schema requires, with numbers that suit the world.
import { follow, kindsOf, namesIn } from "./control_model";
import type { About, Schema } from "./flock";
import { roundUp } from "./number_range";
import type { Entry, Value } from "./scenario_text";

type Known = { schema: Schema; scenario: Entry; about: About };

/** The fields that an entry must have; of an older and a newer name, the newer one. */
function required(schema: Schema): string[] {
    return [...(schema.required ?? []), ...(schema.allOf ?? []).flatMap((one) => one.anyOf?.[0]?.required ?? [])];
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
    for (const name of [...required(schema), ...chosen]) entry[name] = valueFor(known, name, follow(known.schema, schema.properties?.[name] ?? {}));
    return entry;
}

/** A length that is visible in the world. */
function reach({ about }: Known): number {
    return roundUp(Math.min(...about.size) / 40);
}

function valueFor(known: Known, name: string, field: Schema): Value {
    const { about, scenario } = known;
    const middle = about.size.map((length) => length / 2);
    if (field.properties) return filled(known, field, []);
    if (name === "points") return [0.2, 0.5, 0.8].map((part, i) => about.size.map((length, axis) => length * (axis === 1 ? [0.3, 0.7, 0.3][i] : part)));
    if (name === "box" || name === "capsule") return [0.45, 0.55].map((part) => about.size.map((length) => length * part));
    if (name === "vector") return about.size.map((_, axis) => (axis === 0 ? roundUp((about.species[0]?.max_speed ?? 1) / 100) : 0));
    if (name === "even") return [0, 1];
    if (field.type === "array") return middle;
    if (field.type === "string") return nameFor(known, name, scenario);
    const [low, high] = [field.minimum ?? field.exclusiveMinimum ?? -Infinity, field.maximum ?? Infinity];
    if (name === "end" || name === "period") return 300;
    const guess = field.$comment === "world units" ? reach(known) : field.$comment?.startsWith("degrees") ? 30 : 1;
    return Math.min(Math.max(guess, low), high);
}

function nameFor({ about }: Known, name: string, scenario: Entry): string {
    const kinds = about.species.map((species) => species.name);
    if (name === "parameter") return `species.${kinds[0]}.max_speed`;
    if (name === "food" || name === "nearest" || name === "centre") return kinds.at(-1) ?? "agents";
    if (name === "energy") return about.species.flatMap(({ attributes }) => attributes)[0] ?? "energy";
    return (name === "path" ? namesIn(scenario, "paths")[0] : name === "field" ? namesIn(scenario, "fields")[0] : kinds[0]) ?? name;
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
            return { before: { name: free("species", about.species.map(({ name }) => name)) }, after: { agents: 100, max_speed: about.species[0]?.max_speed ?? 1 } };
        case "interactions":
            return { before: { observer: first }, after: { cohesion: { radius: reach(known), weight: 1 } } };
        case "behaviours":
        case "models":
        case "lives":
            return { before: { species: first }, after: {} };
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
