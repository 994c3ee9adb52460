// SPDX-License-Identifier: MIT
// run_site.mjs SITE: proves that the folder, which make site has written, is whole and needs no other host. What browsers show is tried in Chromium.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, normalize, resolve } from "node:path";
import { serve } from "../../harness/page/serve.mjs";
import { launch, withoutServiceWorker } from "./driver.mjs";

const site = resolve(process.argv[2]);
const root = resolve(import.meta.dirname ?? dirname(new URL(import.meta.url).pathname), "../..");
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
    const all = readdirSync(join(root, "harness/scenarios")).filter((file) => file.endsWith(".yaml")).map((file) => file.slice(0, -5));
    assert.deepEqual(named, all.sort());
    assert.deepEqual(named.filter((name) => !shipped.includes(name)), []);
}

/** A new header needs nothing but to be there, and what it declares is a place on its page. */
function everyHeaderHasAPage() {
    const folders = ["engine/include/dunlin", "harness/scenario/include/dunlin"].map((folder) => join(root, folder));
    for (const file of folders.flatMap((folder) => readdirSync(folder).filter((name) => /\.hp*$/.test(name)).map((name) => join(folder, name)))) {
        const page = pages.find((one) => one.startsWith("c/") && texts.get(one).includes(`<h1>${basename(file)}<`));
        assert.ok(page !== undefined, `${file} has no page`);
        assert.match(texts.get("c_api.html"), new RegExp(`href="${page}">${basename(file)}<`));
        const functions = [...readFileSync(file, "utf8").matchAll(/^DUNLIN_API [^;(]*?(dunlin_\w+)\(/gm)].map((match) => match[1]);
        assert.deepEqual(functions.filter((name) => !texts.get(page).includes(` id="c.${name}"`)), [], page);
        assert.doesNotMatch(texts.get(page), /class="highlight-(default|python)/, `${page} has code of another language`);
    }
}

/** Fields of scenarios can be linked to, and definitions of C and Python do. */
function fieldsArePlaces() {
    for (const page of ["scenarios", "experiments"]) {
        const guide = readFileSync(join(root, `docs/${page}.md`), "utf8");
        for (const [, table, rows] of guide.matchAll(/^<!-- table (\S+) -->\n([^]*?)^<!-- end -->/gm))
            for (const [, field] of rows.matchAll(/^\| `(\w+)`/gm)) assert.ok(texts.get(`${page}.html`).includes(` id="${table}-${field}"`), `${table}-${field}`);
    }
    for (const field of ["species-max_speed", "world-size", "rules-radius", "wander-angle_change"])
        assert.ok(pages.some((page) => page.startsWith("c/") && texts.get(page).includes(`href="../scenarios.html#${field}"`)), field);
    assert.match(texts.get("python_api.html"), /href="scenarios.html#species-max_speed"/);
}

/** On pages of the site a link says what it leads to: the title, not the file. */
function linksHaveTitles() {
    const found = [...texts].filter(([page]) => !page.startsWith("source/"))
        .flatMap(([page, text]) => [...text.matchAll(/<a\s[^>]*>(?:<[^>]*>)*([\w./]+\.md)(?:<[^>]*>)*<\/a>/g)].map((match) => `${page}: ${match[1]}`));
    assert.deepEqual(found, []);
}

function holdsDownloadsAndSchemas() {
    assert.equal(files.filter((file) => /^npm\/dunlin-.*\.tgz$/.test(file)).length, 1);
    for (const name of ["dunlin.c", "dunlin.h", "dunlin.hpp"]) assert.ok(files.includes(`download/${name}`), name);
    for (const file of files.filter((one) => /^(download|npm)\//.test(one))) assert.ok(texts.get("install.html").includes(`href="${file}"`), file);
    for (const name of ["scenario", "study"]) assert.ok(JSON.parse(readFileSync(join(site, `${name}.schema.json`), "utf8")).properties);
}

/** What docs/page.md says that a host should send, make site-serve sends. */
async function sendsTheHeadersOfTheGuide() {
    const { headers } = await fetch(`${origin}index.html`);
    const [, block] = /```text\n([^]*?)```/.exec(readFileSync(join(root, "docs/page.md"), "utf8"));
    const lines = block.trim().split("\n").map((line) => line.split(": "));
    assert.ok(lines.length > 1);
    for (const [name, value] of lines) assert.equal(headers.get(name), value);
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

/* All guides and references; of the pages that are made alike some. */
const looked = pages.filter((page, i) => !/^(gallery|source)\//.test(page) || i % 32 === 0);

/* Runs in the page: how light its ground and its text are, 0 .. 255. */
function tones() {
    const of = (color) => Math.round(color.match(/[\d.]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3);
    return { ground: of(getComputedStyle(document.body).backgroundColor), ink: of(getComputedStyle(document.querySelector("article")).color) };
}

/* Runs in the page: what is cut off, or leaves its frame, or scrolls while nothing shows that it does. */
function tooWide() {
    const article = document.querySelector("article");
    const beyond = document.documentElement.scrollWidth > innerWidth || article.scrollWidth > article.clientWidth + 8; // by so much do the theme's headings
    const wide = [...article.querySelectorAll("*")].filter((element) => element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1);
    const cut = wide.filter((element) => {
        const { overflowX, backgroundAttachment } = getComputedStyle(element);
        return overflowX !== "visible" && !(/auto|scroll/.test(overflowX) && backgroundAttachment.includes("local"));
    });
    return [...(beyond ? ["the page"] : []), ...cut.map((element) => `${element.tagName} ${element.className}: ${element.textContent.slice(0, 40)}`)];
}

/** What is wrong with a page in some widths, and in the light and the dark. */
async function flaws(tab) {
    const found = [];
    for (const width of [1280, 840, 390]) {
        await tab.setViewport({ ...views.desktop, width });
        found.push(...(await tab.evaluate(tooWide)).map((what) => `at ${width} pixels: ${what}`));
    }
    for (const [scheme, sign] of [["light", 1], ["dark", -1]]) {
        await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
        const { ground, ink } = await tab.evaluate(tones);
        if (sign * (ground - ink) <= 150) found.push(`${scheme}: text of ${ink} on ${ground}`);
    }
    return found;
}

async function looksWellEverywhere() {
    const { tab, problems } = await open(looked[0]);
    for (const page of looked) {
        if (page !== looked[0]) await tab.goto(origin + page, { waitUntil: "load" });
        problems.push(...(await flaws(tab)).map((what) => `${page} ${what}`));
    }
    await tab.close();
    assert.deepEqual(problems, []);
}

/* Runs in the frame: whether all tools of the page can be seen. */
function toolsFit() {
    const tools = document.getElementById("hands");
    const { right, bottom } = tools.getBoundingClientRect();
    return tools.scrollWidth <= tools.clientWidth + 1 && right <= innerWidth && bottom <= innerHeight;
}

async function firstPageRuns() {
    const { tab } = await open("index.html");
    await tab.evaluate(() => document.querySelector("iframe.flock").scrollIntoView());
    const frame = await (await tab.waitForSelector("iframe.flock")).contentFrame();
    await frame.waitForFunction(() => globalThis.dunlinPage?.running, { timeout: 60000 });
    for (const width of [1400, 1280, 1010, 840, 700, 560, 390]) {
        await tab.setViewport({ ...views.desktop, width });
        await frame.waitForFunction(toolsFit, { timeout: 20000 }).catch(() => assert.fail(`the frame cuts off tools at ${width} pixels`));
    }
    await tab.close();
}

const isFound = (wanted) => [...document.querySelectorAll("#search-results li a")].some((link) => link.href.includes(wanted)); // runs in the page

async function searchFinds() {
    for (const [words, page] of [["dunlin_world_find_in_balls", "c/query.html"], ["obstacles_block", "scenarios.html"], ["add_species", "python_api.html"]]) {
        const { tab } = await open(`search.html?q=${words}`);
        await tab.waitForFunction(isFound, { timeout: 30000 }, page);
        await tab.close();
    }
}

/** By touch: the menu, its field, the word, and a result, which leads to the page. */
async function searchFindsOnAPhone() {
    const { tab, problems } = await open("scenarios.html", { view: "phone" });
    await tab.tap(".nav-overlay-icon");
    const field = await tab.waitForSelector(".sidebar-search", { visible: true });
    await tab.waitForFunction(() => document.querySelector(".sidebar-search").getBoundingClientRect().left >= 0);
    await field.tap();
    await tab.keyboard.type("dunlin_found");
    await Promise.all([tab.waitForNavigation(), tab.keyboard.press("Enter")]);
    await tab.waitForFunction(isFound, { timeout: 30000 }, "c/query.html");
    assert.deepEqual(await tab.evaluate(tooWide), []);
    await Promise.all([tab.waitForNavigation(), tab.tap('#search-results a[href*="c/query.html"]')]);
    assert.match(await tab.title(), /query\.h/);
    await tab.close();
    assert.deepEqual(problems, []);
}

/** Any host will do, and any folder of it: one that Python serves, without headers of its own. */
async function runsBelowAPath() {
    const folder = mkdtempSync(join(tmpdir(), "site-"));
    symlinkSync(site, join(folder, "dunlin"));
    const host = spawn("python3", ["-u", "-m", "http.server", "--bind", "localhost", "--directory", folder, "0"], { stdio: ["ignore", "pipe", "ignore"] });
    const tab = await browser.newPage();
    try {
        const line = await new Promise((done, fail) => (host.stdout.once("data", (bytes) => done(String(bytes))), host.once("exit", fail)));
        const address = `http://localhost:${/port (\d+)/.exec(line)[1]}/dunlin/`;
        const missing = [];
        tab.on("response", (response) => response.status() >= 400 && missing.push(response.url()));
        await tab.evaluateOnNewDocument(withoutServiceWorker);
        await tab.goto(`${address}gallery/noc_5_09_flock.html`, { waitUntil: "load" });
        await Promise.all([tab.waitForNavigation(), tab.click(".buttons a")]);
        await tab.waitForFunction(() => globalThis.dunlinPage?.running, { timeout: 60000 });
        await tab.goto(`${address}search.html?q=dunlin_found`);
        await tab.waitForFunction(isFound, { timeout: 30000 }, "/dunlin/c/query.html");
        assert.deepEqual(missing, []);
    } finally {
        await tab.close();
        host.kill();
        rmSync(folder, { recursive: true });
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
    ["every header has a page with all its functions, in colours of its language", everyHeaderHasAPage],
    ["each field of a scenario is a place, to which definitions in C and Python lead", fieldsArePlaces],
    ["links between pages have titles", linksHaveTitles],
    ["the downloads and the schemas are there", holdsDownloadsAndSchemas],
    ["make site-serve sends the headers that the guide names", sendsTheHeadersOfTheGuide],
    ["little comes before the first picture", littleComesBeforeTheFirstPicture],
    ["pages complain about nothing, ask no other host, show at any width what scrolls, and have a dark form", looksWellEverywhere],
    ["a flock runs on the first page, with all tools at any width", firstPageRuns],
    ["the search finds a function, a field and a method", searchFinds],
    ["a phone's menu has a search that finds", searchFindsOnAPhone],
    ["the site runs below a path of a host that sends no headers", runsBelowAPath],
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
