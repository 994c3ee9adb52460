// SPDX-License-Identifier: MIT
// Finds scenarios by words: what has them in its name or title comes first, and where nothing has them, words that are nearly the same count.
import type { Shipped } from "./shipped";
import { knownWords, says } from "./synonyms";

interface Found {
    /** The best first. */
    scenarios: Shipped[];
    /** The words that were looked for instead; "": those that were wanted. */
    nearest: string;
}

/** How well a scenario has all words; 0: not. A group's title is no scenario's. */
function score(scenario: Shipped, words: string[]): number {
    const titles = `${scenario.name} ${scenario.title}`.toLowerCase();
    const text = Object.values({ ...scenario, group: "" }).join(" ").toLowerCase();
    const each = words.map((word) => (titles.includes(word) ? 3 : text.includes(word) ? 2 : says(text, word) ? 1 : 0));
    return each.includes(0) ? 0 : each.reduce((sum: number, one) => sum + one, 0);
}

function ranked(all: Shipped[], words: string[]): Shipped[] {
    const scores = new Map(all.map((one) => [one, score(one, words)]));
    return all.filter((one) => scores.get(one)! > 0).sort((one, other) => scores.get(other)! - scores.get(one)!);
}

/** Letters to change, add, leave out or swap with the next one. */
function distance(one: string, other: string): number {
    let [older, old]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, i) => i)];
    for (let i = 1; i <= one.length; i++) {
        const row = [i];
        for (let k = 1; k <= other.length; k++) {
            row[k] = Math.min(old[k] + 1, row[k - 1] + 1, old[k - 1] + Number(one[i - 1] !== other[k - 1]));
            if (i > 1 && k > 1 && one[i - 1] === other[k - 2] && one[i - 2] === other[k - 1]) row[k] = Math.min(row[k], older[k - 2] + 1);
        }
        [older, old] = [old, row];
    }
    return old[other.length];
}

/** The known word that is nearest; the word itself, if none is near. */
function nearestTo(word: string, known: string[]): string {
    const most = word.length < 4 ? 0 : word.length < 6 ? 1 : 2;
    let [best, least] = [word, most + 1];
    for (const one of known) {
        const apart = Math.abs(one.length - word.length) < least ? distance(word, one) : least;
        if (apart < least) [best, least] = [one, apart];
    }
    return best;
}

export function findShipped(all: Shipped[], wanted: string): Found {
    const words = wanted.toLowerCase().split(/\s+/).filter((word) => word !== "");
    const scenarios = ranked(all, words);
    if (scenarios.length > 0 || words.length === 0) return { scenarios, nearest: "" };
    const texts = all.map(({ name, title, description }) => `${title} ${name.replaceAll("_", " ")} ${description}`.toLowerCase()).join(" ");
    const known = [...new Set([...texts.split(/[^a-z]+/).filter((word) => word.length > 3), ...knownWords])];
    const near = words.map((word) => (all.some((one) => score(one, [word]) > 0) ? word : nearestTo(word, known)));
    return { scenarios: ranked(all, near), nearest: near.join(" ") };
}
