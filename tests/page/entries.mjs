// SPDX-License-Identifier: MIT
// What the panel offers to add is accepted by the engine, in every shipped scenario.
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { require } from "./driver.mjs";
import { makeFlock, shipped, textOf } from "./native.mjs";
import { markup } from "./texts.mjs";

/** The panel's model and its edits of the text, for node. */
async function loadModel() {
    const resolveDir = fileURLToPath(new URL("../../harness/page/src", import.meta.url));
    const contents = ["control_model", "new_entry", "scenario_text"].map((name) => `export * from "./${name}";`).join("\n");
    const { outputFiles } = await require("esbuild").build({
        stdin: { contents, resolveDir, loader: "ts" }, bundle: true, format: "iife", globalName: "model", write: false,
    });
    return new Function(`${outputFiles[0].text}\nreturn model;`)();
}

function allGroups(groups) {
    return groups.flatMap((group) => [group, ...allGroups(group.groups)]);
}

async function everyKind(test) {
    const model = await loadModel();
    const flock = await makeFlock(test.page);
    const schema = flock.schema();
    const failures = [];
    const shows = new Set(); // what the page shows of numbers and groups
    const look = (text) => allGroups(model.groupsOf(schema, model.readScenario(text), text, flock.numbers())).forEach((group) => {
        for (const { doc, default_text, unit } of group.numbers) shows.add(doc).add(default_text).add(unit);
        for (const { title, doc } of [group, ...group.choices]) shows.add(title).add(doc);
    });
    let added = 0;
    const tried = shipped.filter((_, i) => test.nightly || i % 3 === 0);
    for (const name of tried) {
        const text = textOf(name);
        flock.open(text);
        flock.simulate({ agents: 100, threads: 1 });
        const known = { schema, scenario: model.readScenario(text), about: flock.about() };
        const groups = allGroups(model.groupsOf(schema, known.scenario, text, flock.numbers()));
        const edits = groups.flatMap(({ path, kinds, on }) => {
            if (on === false) return [[`${path}`, () => model.placeEntry(text, path, model.newRule(known,
                path.split(".").at(-1)))]];
            const base = () => model.unnamed(known, path).reduce((next, [where, name]) => model.setChoice(next, where, name),
                text);
            return model.kindsToAdd(known, path, kinds ?? []).filter((kind) => kind !== "image") // it comes of a file: share.mjs
                .map((kind) => [`${path} ${kind}`, () => model.addEntry(base(), path, model.newEntry(known, path, kind))]);
        });
        for (const [what, edit] of edits) {
            added++;
            try {
                const edited = edit();
                flock.open(edited);
                flock.simulate({ agents: 100, threads: 1 });
                flock.step(2);
                look(edited);
            } catch (error) {
                failures.push(`${name}: ${what}: ${error.message}`);
            }
        }
    }
    flock.destroy();
    assert.equal(failures.join("\n"), "");
    assert.ok(added > 20 * tried.length, `${added} were added`);
    descriptionsOf(schema).forEach((description) => shows.add(model.plain(description)));
    assert.deepEqual([...shows].filter((text) => markup.test(text)), []);
    assert.ok(shows.size > 400, `${shows.size} texts`);
}

/** Long lists, up to the limits of the format, have their groups without an overflow. */
async function longLists(test) {
    const model = await loadModel();
    const flock = await makeFlock(test.page);
    const schema = flock.schema();
    const birds = "species:\n- {name: birds, agents: 10, max_speed: 1}\n";
    const texts = [`${birds}paths:\n- name: long\n  points:\n${"  - [1,2]\n".repeat(50_000)}`,
        `${birds}obstacles:\n${"- {ball: [1,2], radius: 1}\n".repeat(25_000)}`];
    for (const text of texts) {
        assert.equal(flock.mistake(text)?.message, undefined);
        flock.open(text);
        const numbers = flock.numbers();
        const shown = allGroups(model.groupsOf(schema, model.readScenario(text), text, numbers)).flatMap((group) => group.numbers);
        assert.ok(numbers.length >= 75_000 && shown.length === numbers.length, `${shown.length} of ${numbers.length} numbers`);
    }
    flock.destroy();
}

/** All descriptions of a schema. */
function descriptionsOf(part) {
    if (typeof part !== "object" || part === null) return [];
    return [...(typeof part.description === "string" ? [part.description] : []), ...Object.values(part).flatMap(descriptionsOf)];
}

export const tests = [["every kind of entry and rule that the panel adds runs in shipped scenarios, and its texts have no markup", everyKind],
    ["lists as long as the format allows have their groups", longLists, "nightly"]];
