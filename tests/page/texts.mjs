// SPDX-License-Identifier: MIT
// Texts that the page shows, and texts that come in: none shows the markup of the reference, and none is too long to be answered.
import assert from "node:assert/strict";
import { textOf } from "./native.mjs";

export const markup = /`|\*\*|\]\(|\\|<\/?\w+>|&\w+;/;
const limit = 2 ** 20; // bytes of a scenario, as docs/scenarios.md says

/* Runs in the page: opens all groups of all panels, and gathers what they show and say. */
function gather() {
    for (const section of document.querySelectorAll("#panels > section")) section.hidden = false;
    for (let closed; (closed = [...document.querySelectorAll("#panels details:not([open])")]).length > 0;)
        for (const details of closed) {
            details.open = true;
            details.ontoggle?.();
        }
    const texts = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        if (node.nodeType === Node.TEXT_NODE) texts.add(node.data);
        else if (node.localName !== "script") for (const name of ["title", "placeholder", "alt", "aria-label", "aria-valuetext"]) texts.add(node.getAttribute(name) ?? "");
    }
    return [...texts];
}

async function showsNoMarkup(test) {
    const visit = await test.visit();
    let texts = 0;
    for (const name of ["variety", "ecosystem", "predators", "default"]) {
        await visit.simulate(textOf(name), { agents: 300 }, 1, [], `${name}.yaml`);
        await visit.until(() => document.querySelector("#controls summary"));
        await visit.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
        const all = await visit.evaluate(gather);
        assert.deepEqual(all.filter((text) => markup.test(text)), [], name);
        texts += all.length;
    }
    assert.ok(texts > 2000, `${texts} texts`);
}

const head = "species:\n  - {name: birds, agents: 10, max_speed: 1}\n";

const lines = `${head}${"\n".repeat(200_000)}`;

const long = {
    "200 000 lines": [lines, null],
    "a mistake in the last of 200 000 lines": [`${lines}wrong: 1\n`, /^Line 200003: unknown field 'wrong'/],
    "one byte too many": [`${head}#${"x".repeat(limit - head.length)}`, /larger than 1 MiB/],
};

/** Types a text, and applies it if the engine finds no mistake. */
function answersLong(text, wrong) {
    return async (test) => {
        const visit = await test.again({ size: [700, 500] });
        await visit.simulate(textOf("default"), { agents: 300, threads: 1 });
        await visit.type(text);
        assert.match(await visit.evaluate(() => document.getElementById("editor-state").textContent), /runs without these changes/);
        if (wrong !== null) {
            await visit.until(() => !document.getElementById("mistake").hidden);
            assert.match(await visit.evaluate(() => document.getElementById("mistake").textContent), wrong);
        } else {
            const running = await visit.evaluate(() => {
                const next = nextRun();
                [...document.querySelectorAll("#editor button")].find(({ textContent }) => textContent === "Apply").click();
                return next.then(({ text }) => text.length);
            });
            assert.equal(running, text.length);
            await visit.evaluate(() => dunlinPage.show("controls"));
            await visit.until(() => /birds/.test(document.getElementById("controls").innerText));
        }
        assert.match(await visit.ask("hash"), /^[0-9a-f]{16}$/);
        assert.equal(await visit.message(), "");
        assert.deepEqual(visit.problems, []);
    };
}

export const tests = [
    ["no panel shows the markup of the reference", showsNoMarkup],
    ...Object.entries(long).map(([what, [text, wrong]]) => [`a long text is answered by a simulation or a message: ${what}`, answersLong(text, wrong), what === "one byte too many" ? "" : "nightly"]),
];
