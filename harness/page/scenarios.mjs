// SPDX-License-Identifier: MIT
// What the page knows of the shipped scenarios: their files and pictures, index.json, an entry per scenario, and
// exercises.json, a row per example or exercise.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

/** The groups of docs/gallery.md, in order, with their scenarios' names. */
function readGroups(page) {
    return page.split(/^## /m).slice(1).map((part) => ({
        group: part.slice(0, part.indexOf("\n")),
        names: [...part.matchAll(/<code>(\w+)<\/code>/g)].map((match) => match[1]),
    }));
}

/** The sketch, paper or book that the file's first comment names; undefined: none. */
function sourceOf(text, group) {
    const comment = /^(#.*\n)+/.exec(text)?.[0].replace(/^# ?/gm, "").replace(/\n/g, " ") ?? "";
    const [head] = /^("[^"]*"|[^":]|:(?! ))*?(?=: |\)\. |\.? $)\)?/.exec(comment) ?? [""];
    return /^(Sketches|From the literature)/.test(group) || /\((19|20)\d\d\)$/.test(head) ? head : undefined;
}

/** What the table of docs/scenarios.md calls its other sources. */
const sources = { ecosystem: "The Nature of Code, the ecosystem project", CC: "Coding Challenge 124", "Doherty v1": "Doherty's boids, version 1",
    "Doherty v2": "Doherty's boids, version 2", Reynolds: "Reynolds, steering behaviours" };

/** Numbers of the second edition, where those of its draft are in brackets: both, each in words. */
function editions(numbers) {
    const each = [...numbers.matchAll(/([^,(]+?) ?(?:\(([^)]*)\))?(?:, |$)/g)];
    const unique = (list) => [...new Set(list.join(", ").split(", "))].join(", ");
    return { print: unique(each.map(([, print]) => print)), draft: unique(each.map(([, print, draft = print]) => draft)) };
}

/** The rows of the table of docs/scenarios.md, which say where each example and exercise is; between backquotes are names and fields. */
function readExercises(page) {
    const [, part] = page.split("### Where an example or exercise is");
    const rows = part.split("\n### ")[0].split("\n").filter((line) => line.startsWith("|")).slice(2);
    let source = "";
    return rows.map((row) => {
        const plain = row.replace(/,? ?\[below\]\([^)]*\)/g, "").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("*", "");
        const cells = plain.split("|").slice(1).map((cell) => cell.trim().replace(/\bex\. /g, "exercise "));
        const [second, first, what, scenarios, field, page] = cells;
        const [, chapter] = /(\d+)\./.exec(second) ?? [];
        const inWords = (numbers) => numbers.replace(/^(?=\d)/, "example ");
        source = chapter ? `The Nature of Code, chapter ${chapter}` : sources[second] ?? source;
        return { source, ...editions(sources[second] ? "" : second), first: sources[first] ? "" : first,
            where: [inWords(second), first && `first edition ${inWords(first)}`].filter(Boolean).join(", "), what, scenarios, field, page };
    });
}

/** Which examples and exercises each scenario is, by its name. */
function whereOf(exercises) {
    const where = {};
    for (const { where: place, what, scenarios } of exercises)
        for (const [, name] of scenarios.matchAll(/`(\w+)`/g)) (where[name] ??= []).push(`${place}: ${what}`);
    return where;
}

function describe(name, group, where, text) {
    const scenario = parse(text);
    return {
        name, group,
        title: (scenario.name ?? name).replaceAll("_", " "),
        description: scenario.description,
        source: sourceOf(text, group),
        where,
        dimensions: scenario.world.dimensions ?? 2,
        agents: scenario.species.reduce((sum, species) => sum + (species.agents ?? 0), 0),
    };
}

/** Copies the shipped scenarios and their pictures into the folder, and leaves the two lists beside them. The page runs no studies. */
export function copyScenarios(root, folder) {
    const [from, pictures] = [join(root, "harness/scenarios"), join(root, "docs/images/gallery")];
    mkdirSync(folder, { recursive: true });
    cpSync(from, folder, { recursive: true, filter: (path) => path !== join(from, "studies") });
    const groups = readGroups(readFileSync(join(root, "docs/gallery.md"), "utf8"));
    const exercises = readExercises(readFileSync(join(root, "docs/scenarios.md"), "utf8"));
    const where = whereOf(exercises);
    const entries = groups.flatMap(({ group, names }) => names.map((name) =>
        describe(name, group, where[name], readFileSync(join(from, `${name}.yaml`), "utf8"))));
    for (const file of readdirSync(from).filter((one) => one.endsWith(".yaml")))
        if (!entries.some(({ name }) => `${name}.yaml` === file)) throw new Error(`docs/gallery.md does not show ${file}: make gallery`);
    for (const { name } of entries)
        if (existsSync(join(pictures, `${name}.png`))) cpSync(join(pictures, `${name}.png`), join(folder, `${name}.png`));
    writeFileSync(join(folder, "index.json"), JSON.stringify(entries));
    writeFileSync(join(folder, "exercises.json"), JSON.stringify(exercises));
}
