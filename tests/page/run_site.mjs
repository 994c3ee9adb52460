// SPDX-License-Identifier: MIT
// run_site.mjs SITE: proves that the folder, which make site has written, is whole and needs no other host. What browsers show is tried in Chromium.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize, relative, resolve } from "node:path";
import { serve } from "../../harness/page/serve.mjs";
import { launch, withoutServiceWorker } from "./driver.mjs";

const site = resolve(process.argv[2]);
const ours = (file) => !/^(page|npm)\//.test(file); // the page and the package have their own tests
const files = readdirSync(site, { recursive: true }).map(String).filter((file) => statSync(join(site, file)).isFile());
const pages = files.filter((file) => file.endsWith(".html") && ours(file));
const texts = new Map(pages.map((file) => [file, readFileSync(join(site, file), "utf8")]));
const plain = (text) => text.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#39;", "'");

/** What a page points at, without what stands in its comments and scripts. */
function targets(text) {
    const seen = text.replace(/<!--[^]*?-->|(<script\b[^>]*>)[^]*?<\/script>/g, "$1");
    const found = (pattern) => [...seen.matchAll(pattern)].map((match) => plain(match[2]));
    return { links: found(/<(a)\s[^>]*?\bhref="([^"]*)"/g), loads: [...found(/<(link)\s[^>]*?\bhref="([^"]*)"/g), ...found(/\s(src|srcset|poster|data)="([^"]*)"/g)] };
}

const isElsewhere = (target) => /^(https?:)?\/\//.test(target);

/** The site's file that a target of a page names. */
function fileOf(page, target) {
    const path = decodeURIComponent(target.replace(/[?#].*/s, ""));
    if (path === "") return page;
    const file = normalize(join(dirname(page), path));
    return path.endsWith("/") ? join(file, "index.html") : file;
}

function everyLinkLeadsSomewhere() {
    const broken = [];
    const anchors = new Map([...texts].map(([page, text]) => [page, new Set([...text.matchAll(/\s(?:id|name)="([^"]*)"/g)].map((match) => plain(match[1])))]));
    let count = 0;
    for (const [page, text] of texts) {
        const { links, loads } = targets(text);
        for (const target of [...links, ...loads].filter((one) => !isElsewhere(one) && !/^(mailto|data|javascript):/.test(one))) {
            const file = fileOf(page, target);
            const anchor = decodeURIComponent(/#(.*)/s.exec(target)?.[1] ?? "");
            count++;
            if (!existsSync(join(site, file)) || !statSync(join(site, file)).isFile()) broken.push(`${page}: ${target}`);
            else if (anchor !== "" && anchors.has(file) && !anchors.get(file).has(anchor)) broken.push(`${page}: ${target}: no such place`);
        }
    }
    assert.deepEqual(broken, []);
    assert.ok(count > 5000, `only ${count} links were found`);
}

function nothingComesFromAnotherHost() {
    const loaded = [...texts].flatMap(([page, text]) => targets(text).loads.filter(isElsewhere).map((target) => `${page}: ${target}`));
    const styles = files.filter((file) => file.endsWith(".css") && ours(file)).flatMap((file) =>
        [...readFileSync(join(site, file), "utf8").matchAll(/(?:url\(\s*|@import\s+)["']?(?!data:|url)([^"')\s]+)/g)].map((match) => match[1])
            .filter((target) => !existsSync(join(site, dirname(file), target.replace(/[?#].*/, "")))).map((target) => `${file}: ${target}`));
    assert.deepEqual([...loaded, ...styles], []);
}

/** Links lead from the first page to every page. */
function everyPageIsReached() {
    const reached = new Set(["index.html"]);
    for (const page of reached) for (const target of targets(texts.get(page) ?? "").links) if (!isElsewhere(target) && texts.has(fileOf(page, target))) reached.add(fileOf(page, target));
    assert.deepEqual(pages.filter((page) => !reached.has(page) && page !== "search.html"), []); // which the field of the search opens
}

function galleryHasEveryScenario() {
    const named = [...texts.get("gallery.html").matchAll(/href="page\/\?scenario=(\w+)"/g)].map((match) => match[1]).sort();
    const shipped = readdirSync(join(site, "page/scenarios")).filter((file) => file.endsWith(".yaml")).map((file) => file.slice(0, -5));
    const missing = readdirSync(join(import.meta.dirname ?? ".", "../../harness/scenarios")).filter((file) => file.endsWith(".yaml")).map((file) => file.slice(0, -5));
    assert.deepEqual(named, missing.sort());
    assert.deepEqual(named.filter((name) => !shipped.includes(name)), []);
}

function holdsPackageAndSchemas() {
    assert.equal(files.filter((file) => /^npm\/dunlin-.*\.tgz$/.test(file)).length, 1);
    for (const name of ["scenario", "study"]) assert.ok(JSON.parse(readFileSync(join(site, `${name}.schema.json`), "utf8")).properties);
}

/** The bytes that a browser needs before it can paint: the page, and what its head makes it wait for. */
function littleComesBeforeTheFirstPicture() {
    for (const [page, text] of texts) {
        const head = text.slice(0, text.indexOf("</head>"));
        const waits = [...head.matchAll(/<link rel="stylesheet"[^>]*href="([^"]*)"|<script(?![^>]*(?:defer|async))[^>]*src="([^"]*)"/g)].map((match) => fileOf(page, match[1] ?? match[2]));
        const bytes = waits.reduce((sum, file) => sum + statSync(join(site, file)).size, 0);
        assert.ok(bytes < 120e3, `${page} waits for ${bytes} bytes: ${waits}`);
        assert.ok(text.length < 1e6, `${page} has ${text.length} bytes`);
    }
}

// ---- in Chromium ----

const server = await serve(site);
const origin = `http://localhost:${server.address().port}/`;
const browser = await launch();

const views = { desktop: { width: 1400, height: 900 }, phone: { width: 390, height: 844, isMobile: true, hasTouch: true } };

/** A page in a new tab, with what it complained about and what it asked for. */
async function open(page, { view = "desktop", dark = false } = {}) {
    const tab = await browser.newPage();
    const problems = [];
    tab.on("console", (message) => ["error", "warning"].includes(message.type()) && message.location().url?.includes("/page/") !== true && problems.push(message.text()));
    tab.on("pageerror", (error) => problems.push(error.message));
    tab.on("response", (response) => response.status() >= 400 && problems.push(`${response.status()}: ${response.url()}`));
    tab.on("request", (request) => /^(https?|wss?):/.test(request.url()) && !request.url().startsWith(origin) && problems.push(`asks for ${request.url()}`));
    await tab.evaluateOnNewDocument(withoutServiceWorker);
    await tab.setViewport(views[view]);
    await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
    await tab.goto(origin + page, { waitUntil: "load" });
    return { tab, problems };
}

const looked = ["index.html", "overview.html", "hello.html", "gallery.html", "gallery/starlings.html", "scenarios.html", "performance.html", "validation.html", "architecture.html", "c/world.html", "python_api.html", "source/docs/examples.html"];

/* Runs in the page: how light its ground and its text are, 0 .. 255. */
function tones() {
    const of = (color) => Math.round(color.match(/[\d.]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3);
    return { ground: of(getComputedStyle(document.body).backgroundColor), ink: of(getComputedStyle(document.querySelector("article p")).color) };
}

async function looksWellEverywhere() {
    for (const page of looked)
        for (const view of Object.keys(views)) {
            const { tab, problems } = await open(page, { view });
            const wide = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            const light = await tab.evaluate(tones);
            await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
            const dark = await tab.evaluate(tones);
            await tab.close();
            assert.deepEqual(problems, [], page);
            assert.ok(wide <= 0, `${page} is ${wide} pixels too wide for a ${view}`);
            assert.ok(light.ground - light.ink > 150 && dark.ink - dark.ground > 150, `${page}: ${JSON.stringify([light, dark])}`);
        }
}

async function firstPageRuns() {
    const { tab } = await open("index.html");
    await tab.evaluate(() => document.querySelector("iframe.flock").scrollIntoView());
    const frame = await (await tab.waitForSelector("iframe.flock")).contentFrame();
    await frame.waitForFunction(() => globalThis.dunlinPage?.running, { timeout: 60000 });
    await tab.close();
}

async function searchFinds() {
    for (const [words, page] of [["dunlin_world_find_in_balls", "c/query.html"], ["obstacles_block", "scenarios.html"], ["add_species", "python_api.html"]]) {
        const { tab } = await open(`search.html?q=${words}`);
        await tab.waitForFunction((wanted) => [...document.querySelectorAll("#search-results li a")].some((link) => link.href.includes(wanted)), { timeout: 30000 }, page);
        await tab.close();
    }
}

/** From a cold server and an empty cache. The figure is printed; a busy machine may take longer. */
async function paintsSoon() {
    const times = [];
    for (let i = 0; i < 3; i++) {
        const context = await browser.createBrowserContext();
        const tab = await context.newPage();
        const cold = await serve(site);
        await tab.goto(`http://localhost:${cold.address().port}/`, { waitUntil: "load" });
        times.push(await tab.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity));
        await context.close();
        cold.close();
    }
    const least = Math.round(Math.min(...times));
    console.log(`       the first paint of the first page comes after ${least} ms`);
    assert.ok(least < 5000, `${least} ms`);
}

const tests = [
    ["every link leads to a page, a file and a place that is there", everyLinkLeadsSomewhere],
    ["nothing is loaded from another host", nothingComesFromAnotherHost],
    ["every page is reached from the first one", everyPageIsReached],
    ["the gallery has every shipped scenario, and each opens in the page", galleryHasEveryScenario],
    ["the npm package and the schemas are there", holdsPackageAndSchemas],
    ["little comes before the first picture", littleComesBeforeTheFirstPicture],
    ["pages complain about nothing, ask no other host, fit a desktop and a phone, and have a dark form", looksWellEverywhere],
    ["a flock runs on the first page", firstPageRuns],
    ["the search finds a function, a field and a method", searchFinds],
    ["the first page paints soon", paintsSoon],
];
const counts = { ok: 0, failed: 0 };
for (const [sentence, check] of tests) {
    const begun = performance.now();
    let failure = "";
    try {
        await check();
    } catch (error) {
        failure = error.stack ?? String(error);
    }
    counts[failure ? "failed" : "ok"]++;
    console.log(`${failure ? "failed" : "ok    "} ${sentence} (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
    if (failure) console.log(`       ${failure.replaceAll("\n", "\n       ")}`);
}
await browser.close();
server.close();
console.log(`${counts.ok} ok, ${counts.failed} failed, of the site's tests`);
process.exit(counts.failed > 0 ? 1 : 0);
