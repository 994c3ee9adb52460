// SPDX-License-Identifier: MIT
// What there is to adjust in a scenario: its numbers, choices and entries in groups, as the schema orders them.
import type { Quantity, Schema } from "./flock";
import { words } from "./plain_words";
import { switchedOff, valueAt } from "./scenario_text";
import type { Entry, Value } from "./scenario_text";

/** A word, a switch or a name that the text gives. */
export interface Choice {
    path: string;
    doc: string;
    /** The words that are allowed; null: any. */
    options: Value[] | null;
    /** The text's; undefined: the default, which is the first of the options. */
    value: Value | undefined;
}

export interface Group {
    /** Where it stands in the scenario; "" for a group of its own. */
    path: string;
    title: string;
    doc: string;
    numbers: Quantity[];
    choices: Choice[];
    groups: Group[];
    /** Can be switched off and on; null: it is always on. */
    on: boolean | null;
    removable: boolean;
    /** The kinds of entries that can be added here; null: it is no list. */
    kinds: string[] | null;
    /** What the text leaves out of the group before it. */
    isRest?: boolean;
}

/** numbers: those that have no place yet, by their paths without the last position. */
type Known = { schema: Schema; scenario: Entry; numbers: Map<string, Quantity[]> };

export const rules = ["separation", "alignment", "cohesion"];
const lasting = ["species", "fields", "paths"]; // others name them, so they are removed, not switched off
const titles: Record<string, string> = {
    species: "Species", interactions: "Who sees whom", behaviours: "Behaviours", models: "Models", fields: "Fields",
        paths: "Paths",
    obstacles: "Obstacles", meals: "Meals", lives: "Lives", schedules: "Schedules", start: "Start", growth: "Births",
    attributes: "Attributes", world: "World",
};
/** Fields whose text is the name of something. */
const namesOf: Record<string, string> = {
    observer: "species", observed: "species", species: "species", nearest: "species", centre: "species", eater: "species",
    food: "species", body_of: "species", bodies: "species", group_centre: "species", group_velocity: "species",
    group_leader: "species", path: "paths", field: "fields",
};

/** The schema that a reference stands for. */
export function follow(schema: Schema, part: Schema): Schema {
    const name = part.$ref?.replace("#/$defs/", "");
    return name === undefined ? part : { ...schema.$defs?.[name],
        ...(part.description ? { description: part.description } : {}) };
}

/** The names of the fields of which an entry has exactly one. */
export function kindsOf(schema: Schema): string[] {
    return (schema.oneOf ?? []).flatMap((one) => one.required ?? []);
}

/** The names of all entries of a list. */
export function namesIn(scenario: Entry, list: string): string[] {
    const entries = (scenario[list] ?? []) as Entry[];
    return entries.map((entry) => String(entry.name ?? "")).filter((name) => name !== "");
}

/** Everything that can be adjusted. */
export function groupsOf(schema: Schema, scenario: Entry, text: string, numbers: Quantity[]): Group[] {
    const known: Known = { schema, scenario, numbers: new Map() };
    for (const number of numbers.filter(({ path }) => !isMade(scenario, path)).map((number) => inWords(asGroup(scenario, number)))) {
        const list = number.path.replace(/\[\d+\]$/, "");
        if (known.numbers.get(list)?.push(number) === undefined) known.numbers.set(list, [number]);
    }
    const all = Object.entries(schema.properties ?? {});
    const lists = all.filter(([, part]) => part.items !== undefined).map(([name, part]) => listGroup(known, name, part));
    const world = entryGroup(known, "world", follow(schema, schema.properties?.world ?? {}), titles.world);
    world.numbers.unshift(...take(known, "steps"), ...take(known, "seed"));
    const order = ["interactions", "behaviours", "models", "species"];
    const rank = ({ path }: Group) => (order.includes(path) ? order.indexOf(path) : order.length);
    lists.sort((a, b) => rank(a) - rank(b));
    for (const kept of switchedOff(text)) addKept(known, lists, kept.path, kept.value);
    const rest = [...known.numbers.values()].flat().filter(({ path, given }) => given === 1 || !isOutOfUse(schema, scenario, path));
    const others = { ...emptyGroup("", "Other numbers"), numbers: rest };
    return [...lists.slice(0, 4), world, ...lists.slice(4), ...(rest.length > 0 ? [others] : [])];
}

/** The engine makes a body for each group, so their number is not one to adjust. */
function isMade(scenario: Entry, path: string): boolean {
    const [, species] = /^(species\[\d+\])\.agents$/.exec(path) ?? [];
    return species !== undefined && (valueAt(scenario, species) as Entry | undefined)?.body_of !== undefined;
}

/** A number that says a group, or takes whole numbers in turn, moves by whole steps. */
function asGroup(scenario: Entry, number: Quantity): Quantity {
    const [, attribute, rest] = /^(.*\.attributes\[\d+\])(.*)$/.exec(number.path) ?? [];
    const role = attribute === undefined ? undefined : (valueAt(scenario, attribute) as Entry | undefined)?.role;
    const whole = role === "group" || role === "body" || (rest ?? "").startsWith(".in_turn");
    return whole ? { ...number, whole: 1 } : number;
}

function emptyGroup(path: string, title: string, doc = ""): Group {
    return { path, title, doc: plain(doc), numbers: [], choices: [], groups: [], on: null, removable: false, kinds: null };
}

/** A line of documentation without its Markdown, and without what only makes sense in the reference. */
export function plain(doc: string): string {
    return doc.replace(/,? \[below\]\([^)]*\)/g, "").replace(/; `--\w+` overrides it/g, "")
        .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/\*\*([^*]*)\*\*/g, "$1").replaceAll("`", "");
}

/** A number with plain texts. */
function inWords(number: Quantity): Quantity {
    return { ...number, doc: plain(number.doc), default_text: plain(number.default_text), unit: plain(number.unit) };
}

/** Takes a number, or the numbers of a list, out of those that have no place yet. */
function take(known: Known, path: string): Quantity[] {
    const found = known.numbers.get(path) ?? [];
    known.numbers.delete(path);
    return found;
}

function listGroup(known: Known, path: string, part: Schema): Group {
    const name = path.split(".").at(-1)!;
    const group = emptyGroup(path, titles[name] ?? words(name), part.description);
    const schema = follow(known.schema, part.items ?? {});
    const entries = valueAt(known.scenario, path);
    group.kinds = kindsOf(schema).length > 0 && name !== "attributes" ? kindsOf(schema) : [""];
    for (const [i, entry] of (Array.isArray(entries) ? entries : []).entries()) {
        const at = `${path}[${i}]`;
        group.groups.push({
            ...entryGroup(known, at, schema, titleOf(known, name, entry as Entry, i)),
            removable: true, on: lasting.includes(name) || path.includes(".") ? null : true,
        });
    }
    return group;
}

/** The group of an entry, or of the fields within one. */
function entryGroup(known: Known, path: string, schema: Schema, title: string): Group {
    const group = emptyGroup(path, title, schema.description);
    const entry = (valueAt(known.scenario, path) ?? {}) as Entry;
    for (const [name, part] of Object.entries(schema.properties ?? {})) {
        const at = `${path}.${name}`;
        const field = follow(known.schema, part);
        const given = entry[name] !== undefined;
        const isOfBodies = name === "growth" && entry.body_of !== undefined; // the engine makes these
        if (!given && (isOther(schema, entry, name) || isOfBodies)) continue;
        if (field.items && (field.items.$ref || field.items.properties)) group.groups.push(listGroup(known, at, field));
        else if (field.properties) addFields(known, group, at, field, name, given);
        else if (field.type === "number" || field.type === "integer" || field.type === "array") group.numbers = group.numbers.concat(take(known, at));
        else addChoice(known, group, at, field, name, entry[name]);
    }
    return group;
}

/** The entry has another field of the same choice. */
function isOther(schema: Schema, entry: Entry, name: string): boolean {
    const kinds = kindsOf(schema);
    return kinds.includes(name) && kinds.some((kind) => entry[kind] !== undefined);
}

function addFields(known: Known, group: Group, path: string, field: Schema, name: string, given: boolean): void {
    const isRule = rules.includes(name) && group.path.startsWith("interactions");
    if (!given && !isRule) return;
    const inner = given ? entryGroup(known, path, field, words(name)) : emptyGroup(path, words(name), field.description);
    if (isRule) group.groups.push({ ...inner, on: given });
    else {
        group.doc = inner.doc || group.doc;
        group.numbers = group.numbers.concat(inner.numbers);
        group.choices = group.choices.concat(inner.choices);
        group.groups = group.groups.concat(inner.groups);
    }
}

function addChoice(known: Known, group: Group, path: string, field: Schema, name: string, value: Value | undefined): void {
    const list = namesOf[name];
    const options = field.enum ?? (field.type === "boolean" ? [false, true] : list !== undefined ? namesIn(known.scenario,
        list) : null);
    if (options === null && value === undefined) return; // names that are not given
    const all = name === "species" && path.startsWith("behaviours") ? [...options!, "all"] : options;
    group.choices.push({ path, doc: plain(field.description ?? ""), options: all, value });
}

/** Numbers of kinds that the entry does not have. */
function isOutOfUse(schema: Schema, scenario: Entry, path: string): boolean {
    let [part, value]: [Schema | undefined, Value | undefined] = [schema, scenario];
    for (const step of path.split(/[.[\]]+/).filter((one) => one !== "")) {
        if (part === undefined) return false;
        if (/^\d+$/.test(step)) part = follow(schema, part.items ?? {});
        else {
            if (isOther(part, (value ?? {}) as Entry, step)) return true;
            part = follow(schema, part.properties?.[step] ?? {});
        }
        value = typeof value === "object" && value !== null ? (value as Entry)[step] : undefined;
    }
    return false;
}

/** What an entry is called. */
function titleOf(known: Known, list: string, entry: Entry, i: number): string {
    const first = namesIn(known.scenario, "species")[0] ?? "agents";
    const kind = kindsOf(follow(known.schema,
        known.schema.properties?.[list]?.items ?? {})).find((one) => entry[one] !== undefined);
    const whose = String(entry.species ?? first);
    switch (list) {
        case "interactions":
            return `${entry.observer ?? first} see ${entry.observed ?? entry.observer ?? first}`;
        case "meals":
            return `${entry.eater} eat ${entry.food}`;
        case "lives":
            return whose;
        case "behaviours":
        case "models":
            return `${whose}: ${words(kind ?? "")}`;
        case "schedules":
            return String(entry.parameter);
        case "start":
            return `${entry.region ?? "box"} ${i + 1}`;
    }
    const name = entry.name ?? entry.role;
    return name !== undefined ? words(String(name)) : `${words(kind ?? titles[list] ?? list)} ${i + 1}`;
}

/** Puts an entry that is switched off into its list, or marks its rule. */
function addKept(known: Known, lists: Group[], path: string, value: Value): void {
    const list = lists.find((one) => path.startsWith(`${one.path}[`));
    const rule = list?.groups.flatMap(({ groups }) => groups).find((one) => one.path === path);
    if (list === undefined || rule !== undefined || !/\]$/.test(path)) return;
    list.groups.push({ ...emptyGroup(path, titleOf(known, list.path, value as Entry, list.groups.length)), on: false,
        removable: true });
}
