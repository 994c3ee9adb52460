// SPDX-License-Identifier: MIT
// What the panel offers to add is accepted by the engine, in every shipped scenario.
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { require } from "./driver.mjs";
import { makeFlock, shipped, textOf } from "./native.mjs";

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
    let added = 0;
    for (const name of shipped) {
        const text = textOf(name);
        flock.open(text);
        flock.fly({ agents: 100, threads: 1 });
        const known = { schema, scenario: model.readScenario(text), about: flock.about() };
        const groups = allGroups(model.groupsOf(schema, known.scenario, text, flock.numbers()));
        const edits = groups.flatMap(({ path, kinds, on }) => {
            if (on === false) return [[`${path}`, () => model.placeEntry(text, path, model.newRule(known,
                path.split(".").at(-1)))]];
            const base = () => model.unnamed(known, path).reduce((next, [where, name]) => model.setChoice(next, where, name),
                text);
            return model.kindsToAdd(known, path, kinds ?? [])
                .map((kind) => [`${path} ${kind}`, () => model.addEntry(base(), path, model.newEntry(known, path, kind))]);
        });
        for (const [what, edit] of edits) {
            added++;
            try {
                flock.open(edit());
                flock.fly({ agents: 100, threads: 1 });
                flock.step(2);
            } catch (error) {
                failures.push(`${name}: ${what}: ${error.message}`);
            }
        }
    }
    flock.destroy();
    assert.equal(failures.join("\n"), "");
    assert.ok(added > 1300, `${added} were added`);
}

export const tests = [["every kind of entry and rule that the panel adds flies in every shipped scenario", everyKind]];
