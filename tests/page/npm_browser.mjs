// SPDX-License-Identifier: MIT
// The npm package in Chromium: a foreign project's folder, served, without a bundler.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serve } from "../../harness/page/serve.mjs";
import { blockStorage } from "./faults.mjs";
import { inProject } from "./package.mjs";
import { textOf } from "./native.mjs";

const readme = (folder) => readFileSync(join(folder, "node_modules/dunlin/README.md"), "utf8");

/** Opens a page of the project that is the README's example, with another script if there is one. */
async function withPage(test, isolated, script, call) {
    await inProject(test, "module", async (folder) => {
        const example = /```html\n([^]*?)```/.exec(readme(folder))[1];
        writeFileSync(join(folder, "index.html"), `<!doctype html><link rel="icon" href="data:,">${example}`);
        if (script) writeFileSync(join(folder, "worker.js"), script);
        const server = await serve(folder, 0, isolated);
        const tab = await test.browser.newPage();
        const problems = [];
        await tab.evaluateOnNewDocument(blockStorage); // a package has to run in any page
        tab.on("console", (message) => problems.push(message.text()));
        tab.on("pageerror", (error) => problems.push(error.message));
        try {
            await tab.goto(`http://localhost:${server.address().port}/`);
            await call(tab, folder);
            assert.deepEqual(problems, []);
        } finally {
            await tab.close();
            server.close();
        }
    });
}

/* A worker of the foreign project; import maps do not reach workers. */
const worker = `import { load } from "./node_modules/dunlin/browser.mjs";
onmessage = async ({ data: { threads, text } }) => {
    try {
        const dunlin = await load({ threads });
        const flock = dunlin.open(text);
        flock.step(60);
        postMessage(flock.hash() + " " + flock.stats().threads);
        flock.destroy();
        dunlin.close();
    } catch (error) {
        postMessage(String(error));
    }
};`;

const runInWorker = (tab, threads) => tab.evaluate((order) => {
    const made = new Worker("worker.js", { type: "module" });
    made.postMessage(order);
    return new Promise((tell) => (made.onmessage = ({ data }) => tell(data)));
}, { threads, text: textOf("default") });

async function example(test) {
    await withPage(test, false, "", async (tab, folder) => {
        await tab.waitForFunction(() => /^[0-9a-f]{16}$/.test(document.title), { timeout: 20_000 });
        const scenario = join(folder, "birds.yaml");
        writeFileSync(scenario, "species:\n  - {name: birds, agents: 100, max_speed: 1}\n");
        assert.equal(await tab.title(), await test.native.hash(scenario, 100));
    });
}

async function inWorkers(test, isolated) {
    const wanted = await test.native.shippedHash("default", 60);
    await withPage(test, isolated, worker, async (tab) => {
        assert.equal(await runInWorker(tab, 1), `${wanted} 1`);
        const threaded = await runInWorker(tab, 3);
        if (isolated) assert.equal(threaded, `${wanted} 3`);
        else assert.match(threaded, /more than one thread needs a page that is cross-origin isolated/);
    });
}

export const tests = [
    ["the browser's example of the package's README runs, with the native hash", example],
    ["the package runs in a worker of a foreign page, on one thread and on three, with the native hash", (test) => inWorkers(test, true)],
    ["the package runs in a worker of a page that is not isolated, and says what threads need", (test) => inWorkers(test, false)],
];
