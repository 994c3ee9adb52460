// SPDX-License-Identifier: MIT
// What axe can see of how the page serves all visitors: names, roles, contrast, in the light and in the dark.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { require } from "./driver.mjs";
import { textOf } from "./native.mjs";

const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/* Runs in the page: what axe finds that is moderate, serious or critical. */
async function findFaults() {
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations.filter(({ impact }) => impact !== "minor")
        .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 4).map((node) => node.html.slice(0, 160)).join(" | ")}`);
}

async function expectNone(visit, when) {
    await visit.next("frame");
    assert.deepEqual(await visit.evaluate(findFaults), [], when);
}

/** Every panel, one after another. */
async function visitPanels(visit) {
    const tabs = await visit.tab.$$("[role=tab]");
    assert.ok(tabs.length >= 5, `${tabs.length} panels`);
    for (const tab of tabs) {
        const [name, open] = await tab.evaluate((element) => [element.innerText, element.ariaSelected === "true"]);
        if (!open) await tab.click();
        // What a panel folds away is looked at, too.
        await visit.evaluate(() => document.querySelectorAll("#panels details").forEach((element) => (element.open = true)));
        await expectNone(visit, `panel ${name}`);
    }
}

/** What shows only at times: a mistake, messages, a chosen agent, the two small flocks, the list of keys. */
async function visitTheRest(visit) {
    await visit.evaluate(() => {
        const area = document.getElementById("scenario-text");
        area.value = "wrong: 1\n";
        area.dispatchEvent(new Event("input"));
        dunlinPage.show("editor");
    });
    await visit.until(() => !document.getElementById("mistake").hidden);
    await visit.evaluate(() => {
        dunlinPage.edit("wrong: 1\n");
        dunlinPage.say("Some news.", { label: "Do something", act: () => {} });
    });
    await visit.until(() => document.querySelectorAll(".message").length === 2);
    await expectNone(visit, "a mistake and messages");
    await visit.evaluate(() => {
        dunlinPage.show("look");
        dunlinPage.draw({ chosen: 1 });
    });
    await expectNone(visit, "a chosen agent");
    await visit.evaluate(() => {
        dunlinPage.show("lessons");
        const select = document.querySelector("#lessons select");
        select.value = "order";
        select.onchange();
    });
    await visit.until(() => document.getElementById("in-place") !== null);
    await visit.evaluate(() => document.getElementById("in-place").click());
    await expectNone(visit, "the flock that is updated in place");
    await visit.evaluate(() => document.getElementById("in-place").click());
    await visit.tab.focus("#sky");
    await visit.tab.keyboard.press("?");
    await visit.until(() => document.querySelector("dialog").open);
    await expectNone(visit, "the list of keys");
}

function axeFindsNothing(value, size) {
    return async (test) => {
        const media = [{ name: "prefers-color-scheme", value }, { name: "prefers-reduced-motion", value: "reduce" }];
        const visit = await test.visit({ media, size });
        await visit.simulate(textOf("variety"), { agents: 500 });
        await visit.tell({ do: "play", on: true });
        await visit.evaluate(axe);
        await visitPanels(visit);
        await visitTheRest(visit);
        assert.deepEqual(visit.problems, []);
    };
}

export const tests = [
    ["axe finds nothing worse than minor in any panel: dark", axeFindsNothing("dark", [1280, 800]), "nightly"],
    ["axe finds nothing worse than minor in any panel: light, on a narrow screen", axeFindsNothing("light", [390, 844]), "nightly"],
];
