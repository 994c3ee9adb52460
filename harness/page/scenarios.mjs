// SPDX-License-Identifier: MIT
// What the page knows of the shipped scenarios: their files, pictures and index.json, an entry per scenario.
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

/** Which examples and exercises each scenario is, by its name: the table of docs/scenarios.md. */
function readWhere(page) {
    const [, part] = page.split("### Where an example or exercise is");
    const rows = part.split("\n### ")[0].split("\n").filter((line) => line.startsWith("|")).slice(2);
    const where = {};
    for (const row of rows) {
        const [, second, first, what, names] = row.split("|").map((cell) => cell.trim().replace(/\bex\. /g, "exercise ").replace(/^(?=\d)/, "example "));
        const editions = [second, first && `first edition ${first}`].filter(Boolean).join(", ");
        for (const [, name] of names.matchAll(/`(\w+)`/g)) (where[name] ??= []).push(`${editions}: ${what}`);
    }
    return where;
}

function describe(name, group, where, text) {
    const scenario = parse(text);
    return {
        name, group,
        title: scenario.name ?? name,
        description: scenario.description,
        source: sourceOf(text, group),
        where,
        dimensions: scenario.world.dimensions ?? 2,
        agents: scenario.species.reduce((sum, species) => sum + (species.agents ?? 0), 0),
    };
}

/** Copies the shipped scenarios and their pictures into the folder, and leaves index.json beside them. The page runs no studies. */
export function copyScenarios(root, folder) {
    const [from, pictures] = [join(root, "harness/scenarios"), join(root, "docs/images/gallery")];
    mkdirSync(folder, { recursive: true });
    cpSync(from, folder, { recursive: true, filter: (path) => path !== join(from, "studies") });
    const groups = readGroups(readFileSync(join(root, "docs/gallery.md"), "utf8"));
    const where = readWhere(readFileSync(join(root, "docs/scenarios.md"), "utf8"));
    const entries = groups.flatMap(({ group, names }) => names.map((name) =>
        describe(name, group, where[name], readFileSync(join(from, `${name}.yaml`), "utf8"))));
    for (const file of readdirSync(from).filter((one) => one.endsWith(".yaml")))
        if (!entries.some(({ name }) => `${name}.yaml` === file)) throw new Error(`docs/gallery.md does not show ${file}: make gallery`);
    for (const { name } of entries)
        if (existsSync(join(pictures, `${name}.png`))) cpSync(join(pictures, `${name}.png`), join(folder, `${name}.png`));
    writeFileSync(join(folder, "index.json"), JSON.stringify(entries));
}
