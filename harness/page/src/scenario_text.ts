// SPDX-License-Identifier: MIT
// Edits the text of a scenario as a person would: what an edit does not concern, comments too, stays as it is.
import { Document, isMap, isScalar, isSeq, parse, parseDocument, stringify } from "yaml";
import type { Node } from "yaml";

/** A scenario as plain data. */
export type Entry = { [name: string]: Value };
export type Value = string | number | boolean | null | Value[] | Entry;

/** An entry that is switched off: a comment keeps it. */
export interface Kept {
    path: string;
    value: Value;
}

type Step = string | number;

const style = { lineWidth: 0, flowCollectionPadding: false } as const;
const keptLine = /^# off: (\S+?): (.*)\n?/gm;

/** The steps of a path such as `species[0].max_speed`. */
export function splitPath(path: string): Step[] {
    return path.split(/[.[\]]+/).filter((step) => step !== "").map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

/** The path of some steps. */
export function joinPath(steps: Step[]): string {
    return steps.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("").replace(/^\./, "");
}

/** The text as plain data. */
export function readScenario(text: string): Entry {
    return (parse(text, { maxAliasCount: -1 }) ?? {}) as Entry; // the engine has counted what they stand for
}

/** The value at a path; undefined: the text leaves it out. */
export function valueAt(scenario: Entry, path: string): Value | undefined {
    return splitPath(path).reduce<Value | undefined>(
        (value, step) => (typeof value === "object" && value !== null ? (value as Entry)[step] : undefined), scenario);
}

/* ---- edits ------------------------------------------------------------------------------------------------------------- */

function edit(text: string, change: (document: Document) => void): string {
    const document = parseDocument(text, { intAsBigInt: true }); // seeds go up to 2^64
    if (document.errors.length > 0) throw document.errors[0];
    change(document);
    return document.toString(style);
}

/**
 * The same path as the text has it: with its names of fields, positions for names of entries, and for the flat
 * positions of a list of pairs or triples.
 */
function resolve(document: Document, path: string): Step[] {
    const steps: Step[] = [];
    for (const step of splitPath(path)) {
        const node = document.getIn(steps) as Node | undefined;
        if (isSeq(node) && typeof step === "string") {
            const at = node.items.findIndex((item) => isMap(item) && item.get("name") === step);
            if (at < 0) throw new Error(`${path}: no entry has the name ${step}`);
            steps.push(at);
        } else if (isSeq(node) && isSeq(node.items[0])) {
            const size = node.items[0].items.length;
            steps.push(Math.floor(Number(step) / size), Number(step) % size);
        } else steps.push(step);
    }
    return steps;
}

/** Sets a scalar; a comment beside it stays. */
function put(document: Document, path: string, value: string | number | boolean): void {
    const steps = resolve(document, path);
    const node = document.getIn(steps, true);
    if (!isScalar(node)) return document.setIn(steps, value);
    node.value = value;
    delete node.format;
    delete node.source;
}

/** Sets numbers by their paths; paths are as in the engine's messages. */
export function setNumbers(text: string, numbers: Iterable<[path: string, value: number]>): string {
    return edit(text, (document) => {
        for (const [path, value] of numbers) put(document, path, value);
    });
}

export function setNumber(text: string, path: string, value: number): string {
    return setNumbers(text, [[path, value]]);
}

/** Sets a word or a switch; undefined: the text leaves it out, and the default counts. */
export function setChoice(text: string, path: string, value: string | number | boolean | undefined): string {
    return edit(text, (document) => {
        if (value === undefined) document.deleteIn(resolve(document, path));
        else put(document, path, value);
    });
}

/** Values by their paths. */
export type Changes = Record<string, Value>;

/** The text with these values. */
export function withChanges(text: string, changes: Changes): string {
    return Object.entries(changes).reduce((changed, [path, value]) =>
        typeof value === "object" ? placeEntry(changed, path, value) : setChoice(changed, path, value), text);
}

/** Adds an entry to the end of a list. */
export function addEntry(text: string, list: string, entry: Entry): string {
    return edit(text, (document) => insert(document, splitPath(list), Infinity, entry));
}

/** Gives a rule, or an entry of a list, its place: `interactions[0].cohesion`, `behaviours[1]`. Later entries move on. */
export function placeEntry(text: string, path: string, entry: Value): string {
    return edit(text, (document) => {
        const steps = resolve(document, path);
        const last = steps[steps.length - 1];
        if (typeof last === "number") insert(document, steps.slice(0, -1), last, entry);
        else document.setIn(steps, flowing(document.createNode(entry)));
    });
}

function flowing<Kind>(node: Kind): Kind {
    if (isMap(node) || isSeq(node)) node.flow = true;
    return node;
}

/** Inserts an entry, a line per field, into a list, which is made if there is none. */
function insert(document: Document, list: Step[], position: number, entry: Value): void {
    const node = document.createNode(entry);
    for (const { value } of isMap(node) ? node.items : []) flowing(value);
    const seq = document.getIn(list);
    if (isSeq(seq)) seq.items.splice(position, 0, node);
    else {
        document.setIn(list, document.createNode([node]));
        const key = isMap(document.contents) ? document.contents.items.at(-1)?.key : null;
        if (list.length === 1 && isScalar(key)) key.spaceBefore = true;
    }
}

/** Removes an entry; a list that is empty then goes, too. */
function drop(document: Document, path: string): void {
    const steps = resolve(document, path);
    const list = steps.slice(0, -1);
    document.deleteIn(steps);
    const seq = document.getIn(list);
    if (isSeq(seq) && seq.items.length === 0) document.deleteIn(list);
}

/** Removes an entry of a list, or a rule; `off`: the one that is switched off, where another may have its place. */
export function removeEntry(text: string, path: string, off = false): string {
    const kept = switchedOff(text);
    if (off) return write(text, kept.filter((one) => one.path !== path));
    const outside = kept.filter((one) => !one.path.startsWith(`${path}.`));
    return edit(write(text, moved(outside, path, -1)), (document) => drop(document, path));
}

/* ---- switched off ------------------------------------------------------------------------------------------------------- */

/** The entries that are switched off: comments of the form `# off: behaviours[0]: {...}`. */
export function switchedOff(text: string): Kept[] {
    return [...text.matchAll(keptLine)].map(([, path, value]) => ({ path, value: parse(value) as Value }));
}

/** Switches a rule or an entry of a list off, or on again. Its numbers are kept in a comment in the meantime. */
export function setEnabled(text: string, path: string, on: boolean): string {
    return on ? switchOn(text, path) : switchOff(text, path);
}

function switchOn(text: string, path: string): string {
    const kept = switchedOff(text);
    const back = kept.find((one) => one.path === path);
    if (back === undefined) return text;
    const others = kept.filter((one) => one !== back);
    return placeEntry(write(text, moved(others, path, 1)), path, back.value);
}

function switchOff(text: string, path: string): string {
    for (const { path: inside } of switchedOff(text)) if (inside.startsWith(`${path}.`)) text = switchOn(text, inside);
    const value = valueAt(readScenario(text), path);
    if (value === undefined) return text;
    const kept = moved(switchedOff(text), path, -1);
    return write(edit(text, (document) => drop(document, path)), [...kept, { path: freePath(kept, path), value }]);
}

/** The text with these entries switched off, and no others. */
function write(text: string, kept: Kept[]): string {
    const flow = (value: Value) => stringify(value, { ...style, collectionStyle: "flow" }).trimEnd();
    const bare = text.replace(keptLine, "").replace(/\n*$/, "\n");
    return bare + kept.map(({ path, value }) => `# off: ${path}: ${flow(value)}\n`).join("");
}

/** Rules that are kept follow their entry when one before it goes (by -1) or comes (by 1). */
function moved(kept: Kept[], path: string, by: number): Kept[] {
    const steps = splitPath(path);
    const last = steps.pop();
    const list = joinPath(steps);
    return kept.map((one) => {
        const own = splitPath(one.path);
        const position = own[steps.length];
        const concerned = own.length > steps.length + 1 && joinPath(own.slice(0, steps.length)) === list;
        if (!concerned || typeof last !== "number" || typeof position !== "number" || position < last) return one;
        own[steps.length] = position + by;
        return { ...one, path: joinPath(own) };
    });
}

/** The path, or the next one of its list that no kept entry has. */
function freePath(kept: Kept[], path: string): string {
    const steps = splitPath(path);
    const last = steps.length - 1;
    while (kept.some((one) => one.path === joinPath(steps)) && typeof steps[last] === "number") steps[last]++;
    return joinPath(steps);
}
