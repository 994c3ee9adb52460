// SPDX-License-Identifier: MIT
// The page comes up on any host, without a complaint; where the browser lacks something, the page says what.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { launch, Visit } from "./driver.mjs";

async function runsQuietly(test, isolated) {
    const visit = await test.visit({ isolated });
    const first = await visit.next("frame");
    await visit.until((step) => nextReport("frame").then((frame) => frame.stats.step > step + 5), first.stats.step);
    const threads = (await visit.next("frame")).stats.threads;
    assert.deepEqual(visit.problems, []);
    assert.equal(await visit.message(), "");
    return threads;
}

function saysWhatIsMissing(what, before) {
    return async (test) => {
        const visit = await test.visit({ before, runs: false });
        await visit.until(() => document.getElementById("messages").innerText !== "");
        assert.match(await visit.message(), new RegExp(`has no ${what}`));
        assert.deepEqual(visit.problems, []);
    };
}

/** Bytes as a host sends them. */
function packed(test, files) {
    return files.reduce((sum, file) => sum + gzipSync(readFileSync(join(test.page, file)), { level: 9 }).length, 0);
}

/** What a visitor loads is small: 400 KB of WebAssembly, 150 KB of script. */
async function isSmall(test) {
    for (const module of ["dunlin", "dunlin-threads"]) {
        assert.ok(packed(test, [`${module}.wasm`]) <= 400e3, `${module}.wasm`);
        const scripts = ["first.js", "page.js", "plot.js", "worker.js", `${module}.js`, ...(module === "dunlin" ? [] : [`${module}.worker.js`])];
        assert.ok(packed(test, scripts) <= 150e3, `${packed(test, scripts)} bytes of script`);
    }
}

/** Until the first flock moves, 360 KB come over the wire, headers too. All but the engine and its drawing is asked for after that. */
async function startsSmall(test) {
    for (const isolated of [true, false]) {
        const visit = await test.visit({ isolated, runs: false });
        await visit.until(() => document.querySelector(".lesson h2") && document.querySelector(".card"));
        const { bytes, loaded } = visit.before.get("/page.js");
        assert.ok(loaded.includes(isolated ? "/dunlin-threads.wasm" : "/dunlin.wasm"), loaded.join(" "));
        assert.ok(bytes <= 360e3, `${bytes} bytes`);
    }
}

/** Of what the first visit loaded, the second one loads nothing again. */
async function keepsFiles(test) {
    const visit = await test.visit();
    await visit.next("frame");
    const first = visit.loaded.splice(0);
    await visit.tab.reload();
    await visit.begin();
    await visit.next("frame");
    assert.ok(first.length >= 5, first.join(" "));
    assert.deepEqual(visit.loaded.filter((url) => first.includes(url)), []);
}

export const tests = [
    ["where the host sends compressed files, the first flock moves after at most 360 KB", startsSmall],
    ["a second visit loads again only what has changed", keepsFiles, "nightly"],
    ["compressed, the page loads at most 400 KB of WebAssembly and 150 KB of script", isSmall],
    ["cross-origin isolated, the page runs on several threads without a message, an error or a failed request",
        async (test) => assert.ok((await runsQuietly(test, true)) > 1), "firefox"],
    ["on a host without those headers, the page runs on one thread, as quietly",
        async (test) => assert.equal(await runsQuietly(test, false), 1), "firefox nightly"],
    ["without SIMD, the page says so", saysWhatIsMissing("SIMD", () => (WebAssembly.validate = () => false))],
    ["without WebAssembly, the page says so", saysWhatIsMissing("WebAssembly", () => delete globalThis.WebAssembly)],
    ["in a browser without WebGL2, the page says so", async (test) => {
        const browser = await launch(["--use-gl=disabled", "--disable-gpu", "--disable-software-rasterizer"]);
        try {
            const visit = await Visit.open(browser, test.page, { runs: false });
            await visit.until(() => document.getElementById("messages").innerText !== "");
            assert.match(await visit.message(), /has no WebGL2/);
            await visit.close();
        } finally {
            await browser.close();
        }
    }],
];
