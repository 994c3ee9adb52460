// SPDX-License-Identifier: MIT
// run.mjs PAGE PROGRAM [--only=WORDS] [--nightly] [--rewrite] [--firefox]: proves that the built page in the folder PAGE does what it promises,
// against the native program. --only: only the tests whose sentence holds the words; --nightly: also those that take long; --rewrite:
// keep the pictures of this run; --firefox: only those for another browser, in Firefox. A test is [sentence, function, "nightly",
// "firefox" or nothing].
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, launchFirefox, Skipped, Visit } from "./driver.mjs";
import { Native } from "./native.mjs";

const subjects = ["serving", "first", "devices", "hashes", "numbers", "controls", "charts", "hands", "undo", "keyboard", "lessons", "layout", "texts", "mishaps", "faults", "share", "embed", "offline", "compare", "pictures", "looks", "axe", "npm_browser", "bundlers", "memory"];
const skipped = 77; // what CTest takes for a skip
const usual = 90; // seconds that a test may take, unless its file has another limit

const given = process.argv.slice(2);
const [page, program] = given.filter((argument) => !argument.startsWith("--")).map((path) => resolve(path));
const only = given.find((argument) => argument.startsWith("--only="))?.slice(7) ?? "";
const firefox = given.includes("--firefox");
const nightly = given.includes("--nightly") || only !== "";
const scratch = join(dirname(page), firefox ? "page-test-firefox" : "page-test");
const here = dirname(fileURLToPath(import.meta.url));

async function start() {
    try {
        return await (firefox ? launchFirefox() : launch());
    } catch (error) {
        console.log(`skipped: ${firefox ? "Firefox" : "Chromium"} does not run here: ${String(error.message).split("\n")[0]}`);
        process.exit(process.env.CI ? 1 : skipped);
    }
}

/** What a test gets. It closes what it opened. */
class Test {
    visits = [];
    page = page;
    npm = join(dirname(page), "npm");
    native = new Native(program);
    nightly = nightly;
    rewrite = given.includes("--rewrite");
    /** Where pictures of a failure are left. */
    scratch = scratch;
    pictures = join(here, "pictures");

    constructor(browser) {
        this.browser = browser;
    }

    async visit(options) {
        const visit = await Visit.open(this.browser, page, options);
        this.visits.push(visit);
        return visit;
    }

    async end() {
        for (const visit of this.visits) await visit.close().catch(() => {});
    }
}

async function tryOnce(browser, check, longest) {
    const test = new Test(browser);
    const begun = performance.now();
    let failure = null;
    let timer;
    try {
        const tooLong = new Error(`not done within ${longest} s`);
        await Promise.race([check(test), new Promise((_, reject) => (timer = setTimeout(reject, 1000 * longest, tooLong)))]);
    } catch (error) {
        failure = error;
    }
    clearTimeout(timer);
    await test.end();
    return { failure, seconds: ((performance.now() - begun) / 1000).toFixed(1) };
}

/** A browser on a busy machine misses a frame now and then: what fails is tried a second time, and both tries are printed. */
async function prove(browser, sentence, check, longest) {
    for (const word of ["missed", "failed"]) {
        const { failure, seconds } = await tryOnce(browser, check, longest);
        if (failure instanceof Skipped) {
            console.log(`skipped ${sentence}: ${failure.message}`);
            return process.env.CI ? "failed" : "skipped";
        }
        console.log(`${failure ? word : "ok    "} ${sentence} (${seconds} s)`);
        if (failure === null) return "ok";
        console.log(`       ${(failure.stack ?? String(failure)).replaceAll("\n", "\n       ")}`);
    }
    return "failed";
}

const browser = await start();
const counts = { ok: 0, failed: 0, skipped: 0 };
rmSync(scratch, { recursive: true, force: true });
mkdirSync(scratch, { recursive: true });
for (const subject of subjects) {
    const { tests, longest = usual } = await import(`./${subject}.mjs`);
    for (const [sentence, check, when] of tests)
        if (sentence.includes(only) && (firefox ? when === "firefox" : when !== "nightly" || nightly)) counts[await prove(browser, sentence, check, longest)]++;
}
await browser.close();
console.log(`${counts.ok} ok, ${counts.failed} failed, of the page's tests`);
process.exit(counts.failed > 0 || counts.ok + counts.skipped === 0 ? 1 : 0);
