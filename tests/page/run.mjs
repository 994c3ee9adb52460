// SPDX-License-Identifier: MIT
// run.mjs PAGE PROGRAM [--only=WORDS] [--nightly] [--rewrite] [--firefox]: proves that the built page in the folder PAGE does what it promises,
// against the native program. --only: only the tests whose sentence holds the words; --nightly: also those that take long; --rewrite:
// keep the pictures of this run; --firefox: only those for another browser, in Firefox. A test is [sentence, function, when]: "nightly" only
// then, "firefox" there too, "firefox nightly" there too but only nightly. Each subject keeps a quick test that is always run.
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, launchFirefox, Skipped, Visit } from "./driver.mjs";
import { Native } from "./native.mjs";

const subjects = ["serving", "first", "devices", "hashes", "numbers", "controls", "charts", "hands", "undo", "keyboard", "lessons", "layout", "texts", "mishaps", "faults", "share", "embed", "offline", "compare", "pictures", "looks", "axe", "npm_browser", "bundlers", "memory"];
const skipped = 77; // what CTest takes for a skip
const usual = 90; // seconds that a test may take, unless its file has another limit
const together = 2; // browsers that test at the same time: a page mostly waits

const given = process.argv.slice(2);
const [page, program] = given.filter((argument) => !argument.startsWith("--")).map((path) => resolve(path));
const only = given.find((argument) => argument.startsWith("--only="))?.slice(7) ?? "";
const firefox = given.includes("--firefox");
const nightly = given.includes("--nightly") || only !== "";
/** Whether a test with that mark runs. */
const runs = (when = "") => (firefox ? when === "firefox" || (nightly && when === "firefox nightly") : nightly || when !== "nightly");
const scratch = join(dirname(page), firefox ? "page-test-firefox" : "page-test");
const here = dirname(fileURLToPath(import.meta.url));

/** Visitors have a graphics card that composes the page. The software that stands in for it takes a third of the tests' time: nightly,
 * as are pictures of whole pages, which may lack the flock without it. */
async function start() {
    try {
        return await (firefox ? launchFirefox() : launch(nightly ? [] : ["--disable-gpu-compositing"]));
    } catch (error) {
        console.log(`skipped: ${firefox ? "Firefox" : "Chromium"} does not run here: ${String(error.message).split("\n")[0]}`);
        process.exit(process.env.CI ? 1 : skipped);
    }
}

/* Runs in the page: leaves little of what another test did. */
function tidy() {
    dunlinPage.tell({ do: "play", on: false });
    document.querySelectorAll("#messages .message > button").forEach((close) => close.click());
    document.activeElement?.blur();
    dunlinPage.show("flock");
}

/** What a test gets. It closes what it opened. */
class Test {
    visits = [];
    taken = [];
    page = page;
    npm = join(dirname(page), "npm");
    native = new Native(program);
    nightly = nightly;
    rewrite = given.includes("--rewrite");
    /** Where pictures of a failure are left. */
    scratch = scratch;
    pictures = join(here, "pictures");

    /** left: the visits that earlier tests of the file have left, by their options. */
    constructor(browser, left) {
        this.browser = browser;
        this.left = left;
    }

    async visit(options) {
        const visit = await Visit.open(this.browser, page, options);
        this.visits.push(visit);
        return visit;
    }

    /** A visit that a test of the file has left, or a new one: for tests that begin with a simulation of their own, and change neither
     * storage nor the address. To begin a visit takes longer than most tests. */
    async again(options = {}) {
        const key = JSON.stringify(options);
        const visit = this.left.get(key) ?? (await Visit.open(this.browser, page, options));
        this.left.delete(key);
        this.taken.push([key, visit]);
        await visit.tab.bringToFront(); // a tab behind another one draws nothing
        await visit.evaluate(tidy);
        visit.problems.length = 0;
        return visit;
    }

    /** A test that failed leaves no visit. */
    async end(failed) {
        for (const [key, visit] of this.taken)
            if (failed) this.visits.push(visit);
            else this.left.set(key, visit);
        for (const visit of this.visits) await visit.close().catch(() => {});
    }
}

async function tryOnce(browser, left, check, longest) {
    const test = new Test(browser, left);
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
    await test.end(failure !== null);
    return { failure, seconds: ((performance.now() - begun) / 1000).toFixed(1) };
}

/** A browser on a busy machine misses a frame now and then: what fails is tried a second time, and both tries are printed. */
async function prove(browser, left, sentence, check, longest) {
    for (const word of ["missed", "failed"]) {
        const { failure, seconds } = await tryOnce(browser, left, check, longest);
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

/** Takes file after file from those that are left. */
async function proveFiles(browser, files, counts) {
    for (let subject; (subject = files.shift()) !== undefined;) {
        const { tests, longest = usual } = await import(`./${subject}.mjs`);
        const left = new Map();
        for (const [sentence, check, when] of tests)
            if (sentence.includes(only) && runs(when)) counts[await prove(browser, left, sentence, check, longest)]++;
        for (const visit of left.values()) await visit.close();
    }
    await browser.close();
}

const browsers = [];
for (let i = 0; i < (firefox || only !== "" ? 1 : together); i++) browsers.push(await start());
const counts = { ok: 0, failed: 0, skipped: 0 };
rmSync(scratch, { recursive: true, force: true });
mkdirSync(scratch, { recursive: true });
await Promise.all(browsers.map((browser) => proveFiles(browser, subjects, counts)));
console.log(`${counts.ok} ok, ${counts.failed} failed, of the page's tests`);
process.exit(counts.failed > 0 || counts.ok + counts.skipped === 0 ? 1 : 0);
