// SPDX-License-Identifier: MIT
// The npm package in Chromium: a foreign project's folder, served, without a bundler.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { serve } from "../../harness/page/serve.mjs";
import { blockStorage } from "./faults.mjs";
import { exampleOf, inProject } from "./package.mjs";
import { textOf } from "./native.mjs";

/** Opens a page of the project, the README's example without another one, with another script if there is one. */
async function withPage(test, isolated, script, call, page = exampleOf(test.npm, "page")) {
    await inProject(test, "module", async (folder) => {
        writeFileSync(join(folder, "index.html"), `<!doctype html><link rel="icon" href="data:,">${page}`);
        if (script) writeFileSync(join(folder, "flock-worker.js"), script);
        const server = await serve(folder, 0, isolated);
        const tab = await test.browser.newPage();
        const problems = [];
        await tab.evaluateOnNewDocument(blockStorage); // a package has to run in any page
        tab.on("console", (message) => problems.push(message.text()));
        tab.on("pageerror", (error) => problems.push(error.message));
        try {
            await tab.goto(`http://localhost:${server.address().port}/`);
            await call(tab, folder).catch((error) => assert.fail([error.stack, ...problems].join("\n")));
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
    const made = new Worker("flock-worker.js", { type: "module" });
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

/* Import maps do not reach workers. */
const files = { dunlin: "browser.mjs", "dunlin/worker": "worker.mjs", "dunlin/scenarios": "scenarios.mjs" };
const fileOf = (name) => `./node_modules/dunlin/${files[name]}`;
const withFiles = (script) => script.replace(/ from "(dunlin[^"]*)"/g, (_, name) => ` from "${fileOf(name)}"`);

/** dunlin/worker as the README has it, on four threads where the page is isolated: the native bits, copies of arrays, and errors as they are. */
async function connected(test, isolated) {
    const page = `<script type="module">${withFiles(exampleOf(test.npm, "connect")).replace("import.meta.url", "location.href")
        .replace("threads: 4", `threads: ${isolated ? 4 : 1}`)}Object.assign(globalThis, { dunlin, flock, state });</script>`;
    await withPage(test, isolated, withFiles(exampleOf(test.npm, "serve")), async (tab) => {
        await tab.waitForFunction(() => globalThis.state, { timeout: 30_000 });
        const found = await tab.evaluate(async () => {
            await flock.step(29);
            const { count, position, velocity } = await flock.view(0);
            const target = new Float32Array(8 * count);
            const filling = flock.readInto(0, target);
            const sent = target.length;
            const filled = await filling;
            const wanted = [position[0], position[1], position[2], velocity[0]].filter(Boolean).map((column) => column[5]);
            const width = position.length + velocity.length;
            const refused = async (call) => {
                try {
                    await call();
                    return "accepted";
                } catch ({ name, message, line }) {
                    return `${name} ${line ?? ""}: ${message}`;
                }
            };
            const result = { hash: await flock.hash(), threads: [dunlin.threads, (await flock.stats()).threads], read: state.some((value) => value !== 0), sent,
                same: wanted.slice(0, position.length).every((value, a) => filled[5 * width + a] === value),
                errors: [await refused(() => dunlin.open("steps: -1")), await refused(() => flock.on("birth", () => {})), await refused(() => flock.wheel())] };
            await flock.destroy();
            result.errors.push(await refused(() => flock.hash()));
            await dunlin.close();
            return result;
        });
        const { errors, ...values } = found;
        assert.deepEqual(values, { hash: await test.native.shippedHash("starlings", 30, "--agents=20000"), threads: isolated ? [4, 4] : [1, 1], read: true, sent: 0, same: true });
        [/^FlockError 1: .*steps/, /could not be cloned/, /^TypeError : method is "wheel": it must/, /^TypeError : method is "hash": it must/]
            .forEach((wanted, i) => assert.match(errors[i], wanted));
    }, page);
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
    ["the README's worker answers a page as the engine at hand does, on four threads, with the native hash", (test) => connected(test, true)],
    ["the README's worker answers a page that is not isolated, on one thread, with the native hash", (test) => connected(test, false), "nightly"],
    ["the package runs in a worker of a foreign page, on one thread and on three, with the native hash", (test) => inWorkers(test, true)],
    ["the package runs in a worker of a page that is not isolated, and says what threads need", (test) => inWorkers(test, false), "nightly"],
];
