// SPDX-License-Identifier: MIT
// Checks of what callers give, before the engine sees it. WebAssembly would take null for 0, true for 1 and any object for an empty text.
// Each check returns what it has checked, or throws an error that names the argument, what was given and what is allowed.

const longest = 40; // characters of a text that a message shows

/** A value as a message shows it. */
export function shown(value: unknown): string {
    if (typeof value === "string") return JSON.stringify(value.length > longest ? `${value.slice(0, longest)}…` : value);
    if (typeof value === "bigint") return `${value}n`;
    if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`;
    if (typeof value !== "object" || value === null) return String(value);
    if (Array.isArray(value)) return value.length === 0 ? "an empty array" : "an array";
    const [, kind] = /^\[object (\w+)\]$/.exec(Object.prototype.toString.call(value)) ?? [];
    return kind === undefined || kind === "Object" ? "an object" : `an object of the type ${kind}`;
}

function sentence(name: string, value: unknown, allowed: string): string {
    return `${name} is ${shown(value)}: it must be ${allowed}`;
}

function wrongType(name: string, value: unknown, allowed: string): never {
    throw new TypeError(sentence(name, value, allowed));
}

/** A count or the number of something. */
export function whole(name: string, value: unknown, max = 2 ** 31 - 1, min = 0): number {
    const allowed = `a whole number from ${min} to ${max}`;
    if (typeof value !== "number") wrongType(name, value, allowed);
    if (!Number.isInteger(value) || value < min || value > max) throw new RangeError(sentence(name, value, allowed));
    return value;
}

/** A number; the engine itself knows its range. */
export function number(name: string, value: unknown): number {
    if (typeof value !== "number") wrongType(name, value, "a number");
    return value;
}

/** A number that the engine keeps in 32 bits. */
export function finite(name: string, value: unknown): number {
    const allowed = "a finite number of 32 bits";
    if (typeof value !== "number") wrongType(name, value, allowed);
    if (!Number.isFinite(Math.fround(value))) throw new RangeError(sentence(name, value, allowed));
    return value;
}

export function flag(name: string, value: unknown): boolean {
    if (typeof value !== "boolean") wrongType(name, value, "true or false");
    return value;
}

export function bigint64(name: string, value: unknown): bigint {
    const allowed = "a bigint from 0n to 2n ** 64n - 1n";
    if (typeof value !== "bigint") wrongType(name, value, allowed);
    if (value < 0n || value >> 64n !== 0n) throw new RangeError(sentence(name, value, allowed));
    return value;
}

/** Where a text holds what the engine would not read as it stands: it ends at a NUL, and has no halves of characters; -1: nowhere. */
export function brokenAt(value: string): number {
    return value.search(/\0|\p{Surrogate}/u);
}

export function text(name: string, value: unknown): string {
    const allowed = "a text without NUL and halves of surrogate pairs";
    if (typeof value !== "string") wrongType(name, value, "a text");
    if (brokenAt(value) >= 0) throw new RangeError(sentence(name, value, allowed));
    return value;
}

/** Coordinates: an array, a typed array, or whatever else has a length and numbers. */
export function numbers(name: string, value: unknown): ArrayLike<number> {
    const allowed = "an array of numbers";
    if (typeof value !== "object" || value === null || !("length" in value)) wrongType(name, value, allowed);
    const { length } = value;
    whole(`the length of ${name}`, length, 2 ** 29);
    const list = value as ArrayLike<unknown>;
    for (let i = 0; i < (length as number); i++) finite(`${name}[${i}]`, list[i]);
    return list as ArrayLike<number>;
}

/** A place, or a direction, with at least as many coordinates as the world has dimensions. */
export function place(name: string, value: unknown, dimensions: number): ArrayLike<number> {
    const coordinates = numbers(name, value);
    if (coordinates.length < dimensions) throw new RangeError(`${name} has ${coordinates.length} coordinates: it needs ${dimensions}`);
    return coordinates;
}

/** Of how many agents or points there are coordinates. */
export function countOf(name: string, coordinates: ArrayLike<number>, dimensions: number): number {
    const { length } = coordinates;
    if (length % dimensions === 0) return length / dimensions;
    throw new RangeError(`the length of ${name} is ${length}: it must be a multiple of ${dimensions}, the dimensions of the world`);
}

/** An object of options, all of which are known. */
export function options<Fields extends object>(name: string, value: unknown, known: readonly (keyof Fields & string)[]): Fields {
    const allowed = `an object with the fields ${known.join(", ")}`;
    if (Object.prototype.toString.call(value) !== "[object Object]") wrongType(name, value, allowed);
    const unknown = Object.keys(value as object).find((key) => !known.includes(key as (typeof known)[number]));
    if (unknown !== undefined) throw new TypeError(`${name}.${unknown} is unknown: ${name} must be ${allowed}`);
    return value as Fields;
}
