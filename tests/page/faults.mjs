// SPDX-License-Identifier: MIT
// What the browser or the host refuses: storage, workers, the build with threads, the engine itself. The page runs without it, or says
// why it cannot; every question gets an answer.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "../../harness/page/serve.mjs";
import { launch, Visit, withoutServiceWorker } from "./driver.mjs";
import { textOf } from "./native.mjs";

const questions = ["hash", "story", "state", "picture", "metrics", "numbers", "schema", { check: "" }];

/* ---- storage ----------------------------------------------------------------------------------------------------------- */

/* As a browser with blocked cookies: whatever would keep something throws as soon as it is touched. Runs in the page or a worker. */
export function blockStorage() {
    const refuse = () => {
        throw new DOMException("blocked", "SecurityError");
    };
    const block = (object, name) => object && Object.defineProperty(object, name, { get: refuse, set: refuse, configurable: true });
    for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches", "cookieStore"]) block(globalThis, name);
    for (const name of ["serviceWorker", "storage"]) block(navigator, name);
    block(globalThis.document, "cookie");
    if (globalThis.history) history.replaceState = history.pushState = refuse;
    if (navigator.locks) navigator.locks.request = async () => refuse();
}

/** Runs without a complaint, and all parts are there and work. */
async function runsWhole(visit) {
    const { stats } = await visit.tell({ do: "play", on: true }); // a link's simulation is paused
    await visit.until((step) => nextReport("frame").then((frame) => frame.stats.step > step + 2), stats.step);
    const empty = await visit.evaluate(() => [...document.querySelectorAll("#theme, #transport, #tabs, #panels section")]
        .filter((part) => part.children.length === 0).map((part) => part.id));
    assert.deepEqual(empty, []);
    for (const id of ["look", "charts", "gallery", "editor"]) {
        await visit.evaluate((tab) => document.getElementById(`tab-${tab}`).click(), id);
        assert.equal(await visit.evaluate((panel) => document.getElementById(panel).hidden, id), false);
    }
    await visit.evaluate(() => document.querySelector("#theme button").click());
    assert.match(await visit.ask("hash"), /^[0-9a-f]{16}$/);
    assert.deepEqual(await visit.evaluate(() => [...document.querySelectorAll(".message.bad")].map(({ innerText }) => innerText)), []);
    assert.deepEqual(visit.problems, []);
}

let link = null; // of a visit, made once

async function linkTo(test) {
    if (link !== null) return link;
    const visit = await test.visit();
    await visit.simulate(textOf("default"), { agents: 300 }, 20);
    await visit.evaluate(() => {
        navigator.clipboard.writeText = async (text) => void (globalThis.copied = text);
        [...document.querySelectorAll("#exports button")].find(({ textContent }) => textContent === "Copy link").click();
    });
    await visit.until(() => globalThis.copied);
    link = new URL(await visit.evaluate(() => copied)).hash;
    await visit.tab.close();
    return link;
}

/** A copy of the page, changed. */
function changed(test, change) {
    const folder = mkdtempSync(join(test.scratch, "changed-"));
    cpSync(test.page, folder, { recursive: true });
    change(folder);
    return folder;
}

async function withoutStorage(test, isolated) {
    const before = `(${blockStorage})();`;
    const folder = changed(test, (copy) => writeFileSync(join(copy, "worker.js"), before + readFileSync(join(copy, "worker.js"), "utf8")));
    for (const address of ["", "?scenario=topological", await linkTo(test)]) {
        const visit = await Visit.open(test.browser, folder, { address, isolated, before: blockStorage });
        test.visits.push(visit);
        await runsWhole(visit);
        await visit.tab.close();
    }
}

/** Chromium itself refuses storage where a profile blocks cookies. */
async function blockedCookies(test) {
    const profile = mkdtempSync(join(tmpdir(), "dunlin-profile-"));
    mkdirSync(join(profile, "Default"));
    writeFileSync(join(profile, "Default/Preferences"), JSON.stringify({ profile: { default_content_setting_values: { cookies: 2 } } }));
    const browser = await launch([], profile);
    try {
        const visit = await Visit.open(browser, test.page);
        const refused = await visit.evaluate(() => {
            try {
                return localStorage.length;
            } catch (error) {
                return error.name;
            }
        });
        assert.equal(refused, "SecurityError", "the profile blocks storage");
        await runsWhole(visit);
        await visit.close();
    } finally {
        await browser.close();
        rmSync(profile, { recursive: true, force: true });
    }
}

/* ---- frames ------------------------------------------------------------------------------------------------------------ */

/** A page of another folder that has the page in a frame. */
async function inFrame(test, sandbox, check, before) {
    const folder = changed(test, (copy) => writeFileSync(join(copy, "host.html"),
        `<!doctype html><link rel="icon" href="data:,"><iframe src="index.html" width="900" height="550" sandbox="${sandbox}"></iframe>`));
    const server = await serve(folder, 0, false);
    const tab = await test.browser.newPage();
    try {
        await tab.evaluateOnNewDocument(withoutServiceWorker);
        if (before) await tab.evaluateOnNewDocument(before);
        await tab.goto(`http://localhost:${server.address().port}/host.html`);
        const frame = await (await tab.waitForSelector("iframe")).contentFrame();
        await check(frame);
        await tab.screenshot({ path: join(test.scratch, `frame-${sandbox.replaceAll(" ", "-")}.png`) });
    } finally {
        await tab.close();
        server.close();
    }
}

/** In a sandbox the page has no origin, and may load scripts and pictures only. */
async function inSandboxes(test) {
    for (const [sandbox, before] of [["allow-scripts"], ["allow-scripts allow-same-origin"], ["allow-scripts allow-same-origin", blockStorage]])
        await inFrame(test, sandbox, async (frame) => {
            await frame.waitForFunction(() => globalThis.dunlinPage?.running && dunlinPage.ask("hash").then((hash) => hash.length === 16));
            for (const [tab, shown] of [["charts", "#charts canvas"], ["gallery", "#gallery .card"], ["lessons", "#lessons h2"]]) {
                await frame.evaluate((id) => document.getElementById(`tab-${id}`).click(), tab);
                await frame.waitForSelector(shown);
            }
            await frame.evaluate(() => document.querySelector("#gallery .card[aria-current='false']").click());
            await frame.waitForFunction(() => dunlinPage.running.name !== "default.yaml");
            assert.equal(await frame.evaluate(() => document.getElementById("messages").innerText), "");
        }, before);
}

/* ---- the build with threads -------------------------------------------------------------------------------------------- */

const faults = {
    missing: (file) => rmSync(file),
    "cut short": (file) => truncateSync(file, Math.floor(readFileSync(file).length / 2)),
    empty: (file) => truncateSync(file, 0),
    "another file": (file) => writeFileSync(file, file.endsWith(".wasm") ? new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]) : "throw new Error('another');"),
};

/* Messages would go by themselves within a second. Runs in the page. */
function hurry() {
    const wait = setTimeout;
    globalThis.setTimeout = (act, ms, ...values) => wait(act, ms / 20, ...values);
}

/** The flock runs on one thread, a message says so, and it stays until it is dismissed. */
async function fallsBack(test, name) {
    const wanted = await test.native.shippedHash("default", 60, "--agents=2000");
    for (const [what, fault] of Object.entries(faults)) {
        const folder = changed(test, (copy) => fault(join(copy, name)));
        const visit = await Visit.open(test.browser, folder, { before: hurry });
        test.visits.push(visit);
        await visit.simulate(textOf("default"), { agents: 2000 }, 60);
        assert.equal(await visit.ask("hash"), wanted, what);
        assert.equal((await visit.tell({ do: "step" })).stats.threads, 1, what);
        assert.match(await visit.message(), /runs on one thread/, what);
        await new Promise((resolve) => setTimeout(resolve, 1500));
        assert.match(await visit.message(), /runs on one thread/, what);
        if (what === "missing") await visit.tab.screenshot({ path: join(test.scratch, `without-${name}.png`) });
        await visit.evaluate(() => document.querySelector("#messages button[aria-label='Dismiss']").click());
        assert.equal(await visit.message(), "", what);
        assert.deepEqual(visit.problems.filter((problem) => problem.startsWith("error: ")), [], what);
        await visit.tab.close();
    }
}

/* ---- no engine --------------------------------------------------------------------------------------------------------- */

/** What becomes of all questions that are asked now. */
const askAll = (visit) => visit.evaluate((all) => Promise.all(all.map((one) =>
    dunlinPage.ask(one).then(() => "an answer", (error) => error.message))), questions);

/** Whatever the engine lacks, the page says that it did not start, and answers each question with an error. */
async function withoutEngine(test) {
    for (const [name, fault] of [["dunlin.js", faults.missing], ["dunlin.wasm", faults["cut short"]], ["worker.js", faults.missing],
        ["worker.js", faults["cut short"]], ["worker.js", faults["another file"]]]) {
        const folder = changed(test, (copy) => fault(join(copy, name)));
        const visit = await Visit.open(test.browser, folder, { isolated: false, runs: false });
        test.visits.push(visit);
        await visit.whole();
        const early = await askAll(visit);
        await visit.until(() => /The engine did not start/.test(document.getElementById("messages").innerText));
        for (const answer of [...early, ...(await askAll(visit))]) assert.match(answer, /start|load|missing|Syntax|another|end of/, name);
        await visit.tab.screenshot({ path: join(test.scratch, `without-${name}.png`) });
        await visit.tab.close();
    }
}

/** A worker that ends leaves no question open. The page says what happened, and how to continue. */
async function deadWorker(test) {
    const visit = await test.visit();
    const worker = visit.tab.workers().find((one) => one.url().endsWith("/worker.js"));
    await worker.evaluate(() => (self.onmessage = null)); // from now on it answers nothing
    const pending = askAll(visit);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await worker.evaluate(() => self.close()).catch(() => {});
    for (const answer of [...(await pending), ...(await askAll(visit))]) assert.match(answer, /has ended the thread/);
    assert.match(await visit.message(), /The simulation has ended.*Reload the page/s);
    await visit.tab.screenshot({ path: join(test.scratch, "dead-worker.png") });
    assert.deepEqual(visit.problems, []);
    const loaded = visit.tab.waitForNavigation();
    await visit.evaluate(() => [...document.querySelectorAll("#messages button")].find(({ textContent }) => /Reload/.test(textContent)).click());
    await loaded;
    await visit.begin();
    assert.match(await visit.ask("hash"), /^[0-9a-f]{16}$/);
}

/** A part that cannot be mounted takes nothing else with it. */
async function brokenPart(test) {
    const visit = await test.visit({ before: () => (globalThis.ResizeObserver = class {
        constructor() {
            throw new Error("no observer");
        }
    }) });
    assert.match(await visit.ask("hash"), /^[0-9a-f]{16}$/);
    assert.match(await visit.message(), /no observer/i);
}

export const tests = [
    ["without storage of any kind, the page, shipped scenarios and links run, with all parts", (test) => withoutStorage(test, true), "nightly"],
    ["... and on a host without the headers for threads", (test) => withoutStorage(test, false), "nightly"],
    ["a profile that blocks cookies: the page runs, with all parts", blockedCookies, "nightly"],
    ["in a sandboxed frame, without an origin, too, the page runs, with all parts", inSandboxes, "nightly"],
    ...["js", "wasm", "worker.js"].map((ending) => [`dunlin-threads.${ending} missing, cut short, empty or another file: the page runs on one thread`,
        (test) => fallsBack(test, `dunlin-threads.${ending}`), "nightly"]),
    ["without an engine the page says so, and every question is answered", withoutEngine],
    ["a worker that ends while questions wait: each is answered, and the page offers to begin again", deadWorker],
    ["a part of the page that cannot be mounted takes no other with it", brokenPart],
];
