// SPDX-License-Identifier: MIT
// A simulation as text: in files that people keep, and packed in links.
import type { Story } from "./protocol";

/** What comes between the page's address and the simulation. */
export const linkMark = "#simulation=";
/** Longer links are cut or refused by many programs. */
export const longestLink = 32000;
const longestText = 64 << 20; // of a link, unpacked

function toBase64(bytes: Uint8Array): string {
    let text = "";
    for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
    return btoa(text);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

function convert<From, To>(files: Record<string, From>, change: (content: From) => To): Record<string, To> {
    return Object.fromEntries(Object.entries(files).map(([name, content]) => [name, change(content)]));
}

/** Lists hold what the engine keeps in 32 bits: nine digits are the same number there. */
function shorten(_name: string, value: unknown): unknown {
    const numbers = Array.isArray(value) && value.every((one) => typeof one === "number");
    return numbers ? value.map((one: number) => Number(Math.fround(one).toPrecision(9))) : value;
}

export function writeStory(story: Story): string {
    const files = story.files ? { files: convert(story.files, toBase64) } : {};
    return JSON.stringify({ dunlin: "simulation", ...story, ...files }, shorten);
}

/** Reads a simulation; whatever else the text is, it throws. */
export function readStory(json: string): Story {
    const { dunlin, files, ...story } = JSON.parse(json) as Story & { dunlin: string; files?: Record<string, string> };
    const { text, name, settings, actions, step } = story;
    const isStep = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
    const isRecord = (value: unknown) => typeof value === "object" && value !== null;
    const isEntry = (entry: unknown) => Array.isArray(entry) && isStep(entry[0]) && typeof entry[1]?.kind === "string";
    const whole = dunlin === "simulation" && typeof text === "string" && typeof name === "string" && isRecord(settings) &&
        Array.isArray(actions) && actions.every(isEntry) && isStep(step);
    if (!whole) throw new Error("it does not hold a simulation");
    return { ...story, ...(files ? { files: convert(files, fromBase64) } : {}) };
}

async function readAll(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array<ArrayBuffer>> {
    const parts: BlobPart[] = [];
    let size = 0;
    for (const reader = stream.getReader(); ;) {
        const { done, value } = await reader.read();
        if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
        parts.push(value as Uint8Array<ArrayBuffer>);
        size += value.length;
        if (size > most) throw new Error("it holds too much");
    }
}

/** A simulation as letters, digits, - and _. */
async function packStory(story: Story): Promise<string> {
    const packed = new Blob([writeStory(story)]).stream().pipeThrough(new CompressionStream("deflate"));
    const text = toBase64(await readAll(packed, Infinity));
    return text.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

export async function unpackStory(text: string): Promise<Story> {
    const bytes = fromBase64(text.replace(/-/g, "+").replace(/_/g, "/"));
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return readStory(new TextDecoder().decode(await readAll(unpacked, longestText)));
}

/** A link to the page at an address that repeats the simulation. */
export async function linkOf(story: Story, page: string): Promise<string> {
    return `${page}${linkMark}${await packStory(story)}`;
}
