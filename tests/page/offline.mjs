// SPDX-License-Identifier: MIT
// The service worker: threads where the host sends no headers, the page without a network, never an old build. Where the browser refuses
// it, the page runs as without it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, Visit } from "./driver.mjs";
import { textOf } from "./native.mjs";

const script = fileURLToPath(new URL("../../harness/page/offline.mjs", import.meta.url));

/** Visits a host without headers, in a browser that has kept nothing. */
async function withVisit(test, options, check) {
    const context = await test.browser.createBrowserContext();
    try {
        const folder = mkdtempSync(join(test.scratch, "kept-"));
        cpSync(test.page, folder, { recursive: true });
        const visit = await Visit.open(context, folder, { isolated: false, keeps: true, ...options });
        visit.loads = 0;
        visit.tab.on("domcontentloaded", () => visit.loads++);
        await check(visit, folder);
        visit.server.close();
    } finally {
        await context.close();
    }
}

/** Waits until the newest service worker controls the page, and resolves to the names of its caches. */
const settled = (visit) => visit.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    while (navigator.serviceWorker.controller === null || registration.installing || registration.waiting ||
        registration.active.state !== "activated") await new Promise((resolve) => setTimeout(resolve, 50));
    return caches.keys();
});

const state = (visit) => visit.evaluate(async () => ({ isolated: crossOriginIsolated, threads: (await nextReport("frame")).stats.threads }));

/** The page again, from the network or without it. */
async function reload(visit) {
    await visit.tell({ do: "play", on: false }); // Chromium with software graphics hangs now and then if it leaves a page that draws
    await visit.tab.reload();
    await visit.begin();
}

/** Presses what explains the one thread, and resolves to the labels of what the page then offers. */
const offers = (visit) => visit.evaluate(() => {
    document.querySelector("#engine summary").click();
    [...document.querySelectorAll("#engine button")].find(({ textContent }) => textContent === "why only 1?").click();
    return [...document.querySelectorAll("#messages .link")].map(({ textContent }) => textContent);
});

async function sameHash(test, visit) {
    await visit.simulate(textOf("default"), {}, 60);
    assert.equal(await visit.ask("hash"), await test.native.shippedHash("default", 60));
}

/** One thread at first; after the reload that the page offers, several; and then no offer and no other reload. */
async function bringsThreads(test) {
    await withVisit(test, {}, async (visit) => {
        assert.deepEqual(await state(visit), { isolated: false, threads: 1 });
        assert.equal((await settled(visit)).length, 1);
        const reloaded = visit.tab.waitForNavigation();
        assert.deepEqual(await offers(visit), ["Reload for several threads"]);
        await visit.evaluate(() => [...document.querySelectorAll("#messages .link")].at(-1).click());
        await reloaded;
        await visit.begin();
        assert.deepEqual(await state(visit), { isolated: true, threads: 4 });
        await sameHash(test, visit);
        await new Promise((resolve) => setTimeout(resolve, 4000));
        assert.equal(visit.loads, 1);
        assert.equal(await visit.message(), "");
        assert.deepEqual(visit.problems, []);
    });
}

/** In a browser that does not isolate the page even so, the page stays on one thread, and offers nothing more. */
async function neverLoops(test) {
    const before = () => Object.defineProperty(globalThis, "crossOriginIsolated", { value: false });
    await withVisit(test, { before }, async (visit) => {
        await settled(visit);
        await reload(visit);
        await new Promise((resolve) => setTimeout(resolve, 4000));
        assert.deepEqual(await offers(visit), []);
        assert.deepEqual([visit.loads, await state(visit)], [1, { isolated: false, threads: 1 }]);
        assert.deepEqual(visit.problems, []);
    });
}

/** After one visit the page needs no host: shipped scenarios, lessons and gallery are there. */
async function runsOffline(test) {
    await withVisit(test, {}, async (visit) => {
        await settled(visit);
        visit.server.closeAllConnections();
        visit.server.close();
        await visit.tab.goto(`${visit.origin}?scenario=two_flocks`);
        await visit.begin();
        assert.deepEqual([await visit.evaluate(() => dunlinPage.running.name), await state(visit)], ["two_flocks.yaml", { isolated: true, threads: 4 }]);
        await sameHash(test, visit);
        await visit.until(() => document.querySelector("#lessons h2") && document.querySelector("#gallery .card"));
        await visit.evaluate(() => document.getElementById("tab-charts").click());
        await visit.until(() => document.querySelector("#charts canvas"));
    });
}

/** Builds the page of the folder again, with a mark in it. */
function rebuild(folder, mark) {
    writeFileSync(join(folder, "page.js"), `${readFileSync(join(folder, "page.js"), "utf8")};globalThis.mark = "${mark}";`);
    execFileSync(process.execPath, [script, folder]);
}

const markOf = (visit) => visit.evaluate(() => globalThis.mark);

/** A new build is shown at once, and once it is kept the old copy is gone. One that is not whole is not kept, but shown. */
async function neverStale(test) {
    await withVisit(test, {}, async (visit, folder) => {
        const [first] = await settled(visit);
        rebuild(folder, "second");
        await reload(visit);
        assert.equal(await markOf(visit), "second");
        await visit.tell({ do: "play", on: false }); // to keep a copy is work, too
        await visit.until((old) => caches.keys().then((names) => names.length === 1 && names[0] !== old), first);
        const [second] = await settled(visit);
        rebuild(folder, "third");
        writeFileSync(join(folder, "page.css"), "body { color: red; }"); // no file of that build
        await reload(visit);
        assert.equal(await markOf(visit), "third");
        await new Promise((resolve) => setTimeout(resolve, 5000));
        await settled(visit); // not while that build is still fetched
        visit.server.closeAllConnections();
        visit.server.close();
        await reload(visit);
        assert.equal(await markOf(visit), "second", "without a network, the last whole build");
        assert.ok((await visit.evaluate(() => caches.keys())).includes(second));
    });
}

/* Runs in the page: a browser that refuses. */
function refuse() {
    ServiceWorkerContainer.prototype.register = () => Promise.reject(new DOMException("refused", "SecurityError"));
}

/** A browser that refuses service workers, and plain http, where there are none: one thread, and nothing said. */
async function withoutIt(test) {
    await withVisit(test, { before: refuse }, async (visit) => {
        await new Promise((resolve) => setTimeout(resolve, 4000));
        assert.deepEqual([await state(visit), await offers(visit)], [{ isolated: false, threads: 1 }, []]);
        assert.deepEqual(visit.problems, []);
    });
    const browser = await launch(["--host-resolver-rules=MAP plain.test 127.0.0.1"]);
    try {
        await withVisit({ ...test, browser, page: test.page, scratch: test.scratch }, {}, async (visit) => {
            await visit.tab.goto(visit.origin.replace("localhost", "plain.test"));
            await visit.begin();
            assert.equal(await visit.evaluate(() => navigator.serviceWorker), undefined);
            await new Promise((resolve) => setTimeout(resolve, 4000));
            assert.deepEqual([await state(visit), await offers(visit)], [{ isolated: false, threads: 1 }, []]);
            assert.deepEqual(visit.problems, []);
        });
    } finally {
        await browser.close();
    }
}

export const longest = 180; // seconds: copies are kept when the browser finds the time

export const tests = [
    ["on a host without headers, the page has several threads after the reload that it offers", bringsThreads, "nightly"],
    ["a page that stays without threads after that reload offers no other one", neverLoops, "nightly"],
    ["after the first visit the page runs offline, with the native hash", runsOffline],
    ["a new build is shown at once, and replaces the copy for visits that are offline", neverStale, "nightly"],
    ["where the browser has no service worker, or refuses it, the page runs as before", withoutIt, "nightly"],
];
