// SPDX-License-Identifier: MIT
// Dunlin in other people's pages: the element <dunlin-flock> and frames, sandboxes among them.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "../../harness/page/serve.mjs";
import { require } from "./driver.mjs";
import { shipped, textOf } from "./native.mjs";
import { exampleOf, inProject } from "./package.mjs";

const docs = fileURLToPath(new URL("../../docs/page.md", import.meta.url));
const head = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">';
const script = '<script src="flock.js"></script>';

/** Serves pages of texts beside scripts, opens the first one, and fails on whatever it complains of. */
async function inPage(test, pages, check, complaints = [], scripts = [join(test.page, "flock.js")]) {
    const folder = mkdtempSync(join(test.scratch, "embedded-"));
    for (const script of scripts) cpSync(script, join(folder, basename(script)));
    writeFileSync(join(folder, "two.yaml"), textOf("two_flocks"));
    for (const [name, text] of Object.entries(pages)) writeFileSync(join(folder, name), head + text);
    const server = await serve(folder, 0, false);
    const tab = await test.browser.newPage();
    const problems = [];
    tab.on("console", (message) => problems.push(message.text()));
    tab.on("pageerror", (error) => problems.push(error.message));
    try {
        await tab.evaluateOnNewDocument(() => {
            globalThis.nextEvent = (element, kind) => new Promise((resolve) =>
                element.addEventListener(kind, ({ detail }) => resolve(detail), { once: true }));
            globalThis.stepTo = async (element, steps) => {
                for (let i = 0; i < steps; i++) element.step();
                return element.hash(); // questions wait for the steps before them
            };
        });
        await tab.goto(`http://localhost:${server.address().port}/${Object.keys(pages)[0]}`);
        await check(tab, folder);
        assert.deepEqual(problems, complaints);
    } finally {
        await tab.close();
        server.close();
    }
}

const ready = (frame) => frame.waitForFunction(() => document.querySelector("dunlin-flock")?.about);

/** Attributes say which scenario runs, with how many agents and which seed; each change of them runs another one, with the native hash. */
async function attributes(test) {
    await inPage(test, { "host.html": `${script}<dunlin-flock scenario="two_flocks" agents="300" seed="7" paused></dunlin-flock>` }, async (tab) => {
        await ready(tab);
        const hash = () => tab.evaluate(() => stepTo(document.querySelector("dunlin-flock"), 60));
        assert.equal(await hash(), await test.native.shippedHash("two_flocks", 60, "--agents=300", "--seed=7"));
        const after = async (changes) => {
            await tab.evaluate((given) => {
                const element = document.querySelector("dunlin-flock");
                const next = nextEvent(element, "ready");
                for (const [name, value] of Object.entries(given))
                    if (value === null) element.removeAttribute(name);
                    else element.setAttribute(name, value);
                return next;
            }, changes);
            return hash();
        };
        assert.equal(await after({ seed: "8" }), await test.native.shippedHash("two_flocks", 60, "--agents=300", "--seed=8"));
        assert.equal(await after({ scenario: "cc124_flock", agents: null, seed: null }), await test.native.shippedHash("cc124_flock", 60));
        assert.equal(await after({ scenario: "two.yaml" }), await test.native.shippedHash("two_flocks", 60));
        const size = await tab.evaluate(() => [document.querySelector("dunlin-flock").clientWidth, document.querySelector("dunlin-flock").clientHeight]);
        assert.ok(Math.abs(size[0] / size[1] - 1.6) < 0.01, `${size}`);
        // Frameworks set the property instead where there is one.
        assert.deepEqual(await tab.evaluate(() => {
            const element = document.querySelector("dunlin-flock");
            return element.constructor.observedAttributes.filter((name) => name in element);
        }), []);
    });
}

/** Without the attribute, the element runs the text that is in it, however far it is indented. */
async function ownText(test) {
    const text = textOf("cc124_flock").split("\n").map((line) => `        ${line}`).join("\n");
    await inPage(test, { "host.html": `${script}<dunlin-flock paused><script type="text/yaml">\n${text}\n</script></dunlin-flock>` }, async (tab) => {
        await ready(tab);
        assert.equal(await tab.evaluate(() => stepTo(document.querySelector("dunlin-flock"), 60)), await test.native.shippedHash("cc124_flock", 60));
    });
}

/** What it cannot do, it says in an event, and what ran before runs on. */
async function errors(test) {
    await inPage(test, { "host.html": `${script}<dunlin-flock scenario="starlings" agents="100"></dunlin-flock>` }, async (tab) => {
        await ready(tab);
        for (const [change, said] of [[["agents", "-3"], /agents/], [["scenario", "nothing"], /unknown shipped scenario 'nothing'/], [["scenario", "missing.yaml"], /404/],
            [["speed", "fast"], /speed is "fast"/], [["controls", "play wind"], /unknown control 'wind'/]]) {
            const { message } = await tab.evaluate(([name, value]) => {
                const element = document.querySelector("dunlin-flock");
                const next = nextEvent(element, "error");
                element.setAttribute(name, value);
                return next;
            }, change);
            assert.match(message, said);
        }
        const { message } = await tab.evaluate(() => {
            const element = document.querySelector("dunlin-flock");
            const next = nextEvent(element, "error");
            element.text = "species: []\nsteps: 1\n";
            return next;
        });
        assert.match(message, /flock\.yaml:\d/);
        const { step } = await tab.evaluate(() => nextEvent(document.querySelector("dunlin-flock"), "frame"));
        await tab.evaluate((before) => new Promise((resolve) => document.querySelector("dunlin-flock").addEventListener("frame",
            ({ detail }) => detail.step > before && resolve())), step);
    }, ["Failed to load resource: the server responded with a status of 404 (Not Found)"]);
}

/** The controls that are listed, and no other, are there, named, and do what they say, by keyboard, too. */
async function controls(test) {
    await inPage(test, { "host.html": `${script}<dunlin-flock scenario="cc124_flock" controls></dunlin-flock>` }, async (tab) => {
        await ready(tab);
        const names = () => tab.evaluate(() => [...document.querySelector("dunlin-flock").shadowRoot.querySelectorAll(".bar button, .bar input")]
            .map(({ ariaLabel }) => ariaLabel));
        await tab.evaluate(() => nextEvent(document.querySelector("dunlin-flock"), "frame"));
        assert.deepEqual(await names(), ["Pause", "Restart", "One step", "Separation", "Alignment", "Cohesion"]);
        await tab.screenshot({ path: join(test.scratch, "element.png") });
        await tab.keyboard.press("Tab");
        await tab.keyboard.press("Enter");
        await tab.waitForFunction(() => document.querySelector("dunlin-flock").shadowRoot.querySelector(".play").ariaLabel === "Start");
        const weight = () => tab.evaluate(() => document.querySelector("dunlin-flock").numbers.find(({ path }) => path.endsWith("cohesion.weight")).path);
        const path = await weight();
        for (let i = 0; i < 5; i++) await tab.keyboard.press("Tab");
        await tab.keyboard.press("Home");
        await tab.waitForFunction((wanted) => document.querySelector("dunlin-flock").text.includes("weight: 0"), {}, path);
        await tab.evaluate(() => document.querySelector("dunlin-flock").setAttribute("controls", "cohesion play"));
        assert.deepEqual(await names(), ["Start", "Cohesion"]);
        await tab.evaluate(() => document.querySelector("dunlin-flock").removeAttribute("controls"));
        assert.deepEqual(await names(), []);
    });
}

/**
 * Pointer and finger scatter the flock, with the same bits. Upwards and downwards a finger scrolls the page; with controls it does not.
 */
async function byTouch(test) {
    const page = `${script}<p style="height: 300px">Above</p><dunlin-flock scenario="cc124_flock" paused></dunlin-flock><p style="height: 2000px">Below</p>`;
    await inPage(test, { "host.html": `<meta name="viewport" content="width=device-width">${page}` }, async (tab) => {
        await tab.setViewport({ width: 390, height: 700, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
        const settle = () => tab.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
        const restart = async () => {
            await tab.evaluate(async () => {
                const element = document.querySelector("dunlin-flock");
                const next = nextEvent(element, "ready");
                element.restart();
                await next;
                scrollTo(0, 0);
            });
            await settle();
        };
        const hash = async (steps) => {
            await settle(); // the hand acts once per frame
            return tab.evaluate((n) => stepTo(document.querySelector("dunlin-flock"), n), steps);
        };
        await ready(tab);
        const { x, y, width, height } = await (await tab.$("dunlin-flock")).boundingBox();
        const at = [x + width / 2, y + height / 2].map(Math.round); // a mouse has whole pixels
        const untouched = await hash(10);
        await restart();
        await tab.mouse.move(...at);
        await tab.mouse.down();
        const scattered = await hash(10);
        await tab.mouse.up();
        const after = await hash(10);
        assert.notEqual(scattered, untouched);
        await restart();
        const finger = await tab.touchscreen.touchStart(...at);
        assert.equal(await hash(10), scattered);
        await finger.end();
        assert.equal(await hash(10), after);
        const swipe = async () => {
            await restart();
            const moving = await tab.touchscreen.touchStart(...at);
            for (let i = 1; i <= 10; i++) await moving.move(at[0], at[1] - 12 * i);
            const held = await hash(10);
            await moving.end();
            return [await tab.evaluate(() => scrollY > 50), held !== untouched];
        };
        assert.deepEqual(await swipe(), [true, false], "the page scrolls, and the flock is let go");
        await tab.evaluate(() => document.querySelector("dunlin-flock").setAttribute("controls", "play"));
        await tab.screenshot(); // the browser's other threads, which scroll, then know of it
        assert.deepEqual(await swipe(), [false, true], "the flock scatters, and the page does not scroll");
    });
}

/** An element that is removed ends its worker, one that is moved keeps it; questions of a removed one are answered. */
async function removal(test) {
    await inPage(test, { "host.html": `${script}<div></div><dunlin-flock scenario="cc124_flock"></dunlin-flock>` }, async (tab) => {
        await ready(tab);
        const [worker] = tab.workers();
        await tab.evaluate(() => document.querySelector("div").append(document.querySelector("dunlin-flock")));
        await tab.evaluate(() => nextEvent(document.querySelector("dunlin-flock"), "frame"));
        assert.deepEqual(tab.workers(), [worker]);
        const answers = await tab.evaluate(async () => {
            const said = [];
            const element = document.querySelector("dunlin-flock");
            element.addEventListener("error", ({ detail }) => said.push(detail.message));
            const waiting = element.hash().catch(({ message }) => message);
            element.remove();
            await new Promise((resolve) => setTimeout(resolve, 200));
            return [await waiting, await element.hash().catch(({ message }) => message), ...said];
        });
        assert.match(answers[0], /^([0-9a-f]{16}|The flock was removed)$/);
        assert.deepEqual(answers.slice(1), ["the element is in no document"]);
        for (let i = 0; i < 3; i++)
            await tab.evaluate(async () => {
                const element = document.createElement("dunlin-flock");
                element.setAttribute("scenario", "cc124_flock");
                document.body.append(element);
                await nextEvent(element, "ready");
                element.remove();
            });
        const begun = Date.now();
        while (tab.workers().length > 0 && Date.now() - begun < 20000) await new Promise((resolve) => setTimeout(resolve, 100));
        assert.deepEqual(tab.workers().map((one) => one.url()), []);
    });
}

const sandbox = '<iframe src="inner.html" width="800" height="500" sandbox="allow-scripts"></iframe>';

/** In a frame that is a sandbox with nothing but scripts, the element runs, and the page with all its parts. */
async function inSandboxes(test) {
    const inner = `${script}<dunlin-flock scenario="cc124_flock" paused controls></dunlin-flock>`;
    await inPage(test, { "host.html": sandbox, "inner.html": inner }, async (tab) => {
        const frame = await (await tab.waitForSelector("iframe")).contentFrame();
        await ready(frame);
        assert.equal(await frame.evaluate(() => self.origin), "null");
        assert.equal(await frame.evaluate(() => stepTo(document.querySelector("dunlin-flock"), 60)), await test.native.shippedHash("cc124_flock", 60));
    });
}

/** The example of the docs runs as it is, and has at most 60 lines. */
async function example(test) {
    const [, text] = /```html\n(<!doctype html>[^]*?dunlin-flock[^]*?)```/.exec(readFileSync(docs, "utf8"));
    assert.ok(text.split("\n").length <= 61, "60 lines");
    await inPage(test, { "host.html": text.replace("https://example.org/dunlin/", "") }, async (tab) => {
        await tab.waitForFunction(() => /step \d+/.test(document.querySelector("output").textContent));
        await tab.screenshot({ path: join(test.scratch, "element-example.png") });
        assert.equal(await tab.title(), "starlings");
        for (const button of await tab.$$("button")) await button.click();
        await tab.waitForFunction(() => document.querySelector("dunlin-flock").text.includes("weight: 0.1"));
    });
}

/* A foreign program that uses the element by its types. */
const typed = `import "dunlin/element";
const flock = document.createElement("dunlin-flock");
flock.addEventListener("frame", ({ detail }) => { const step: number = detail.step; console.log(step, flock.about?.name, flock.numbers.length); });
flock.addEventListener("error", ({ detail }) => console.log(detail.message.length));
flock.addEventListener("click", () => flock.set("world.time_step", 1));
const hash: Promise<string> = flock.hash();
console.log(hash);
`;

/** The npm package's element has types, and does no harm on a server. */
async function hasTypes(test) {
    await inProject(test, "module", async (folder) => {
        writeFileSync(join(folder, "main.ts"), typed);
        const tsc = require.resolve("typescript/bin/tsc");
        for (const module of ["node16", "esnext"])
            execFileSync(process.execPath, [tsc, "main.ts", "--noEmit", "--strict", "--target", "es2022", "--module", module,
                "--moduleResolution", module === "node16" ? module : "bundler"], { cwd: folder, stdio: "pipe" });
        execFileSync(process.execPath, ["--input-type=module", "--eval", 'import "dunlin/element"'], { cwd: folder, stdio: "pipe" });
    });
}

/** It runs as a module and as a script, also in a sandbox. */
async function fromNpm(test) {
    await inProject(test, "module", async (folder) => {
        const flock = '<dunlin-flock scenario="cc124_flock" paused></dunlin-flock>';
        const wanted = await test.native.shippedHash("cc124_flock", 60);
        const files = ["element.mjs", "element.js", "scenarios.js"].map((name) => join(folder, "node_modules/dunlin", name));
        const script = '<script src="element.js"></script>';
        for (const page of ['<script type="module" src="element.mjs"></script>', script, `${sandbox}${script}`])
            await inPage(test, { "host.html": page + flock, "inner.html": script + flock }, async (tab) => {
                for (const frame of tab.frames()) {
                    await ready(frame);
                    assert.equal(await frame.evaluate(() => stepTo(document.querySelector("dunlin-flock"), 60)), wanted);
                }
            }, [], files);
        // The README's element, under the policy that the README asks for; the example's own script is in a file.
        const [, element, code] = /^([^]*)<script>([^]*)<\/script>/.exec(exampleOf(test.npm, "element"));
        writeFileSync(join(folder, "example.js"), code);
        const policy = `<meta http-equiv="content-security-policy" content="script-src 'self' 'wasm-unsafe-eval'; worker-src blob:">`;
        await inPage(test, { "host.html": `${policy}${script}${element}<script src="example.js"></script>` },
            (tab) => tab.waitForFunction(() => /^2000 agents, step \d+$/.test(document.title)), [], [...files, join(folder, "example.js")]);
    });
}

/** element.js alone runs what needs no other file, and says what is missing for a shipped scenario. */
async function withoutScenarios(test) {
    const own = `<dunlin-flock paused><script type="text/yaml">${textOf("cc124_flock")}</script></dunlin-flock>`;
    await inPage(test, { "host.html": `<script src="element.js"></script>${own}` }, async (tab) => {
        await ready(tab);
        const { message } = await tab.evaluate(() => {
            const next = nextEvent(document.querySelector("dunlin-flock"), "error");
            document.querySelector("dunlin-flock").setAttribute("scenario", "starlings");
            return next;
        });
        assert.equal(message, "scenarios.js is not beside element.js, or cannot be loaded");
    }, ["Failed to load resource: the server responded with a status of 404 (Not Found)"], [join(test.npm, "package/element.js")]);
}

/** A script has no text of a scenario but scenarios.js, and there is one script of the element. */
function shipsOnce(test) {
    const folder = join(test.npm, "package");
    const scripts = readdirSync(folder).filter((name) => /\.m?js$/.test(name)).map((name) => [name, readFileSync(join(folder, name), "utf8")]);
    const holding = (text) => scripts.filter(([, script]) => script.includes(text)).map(([name]) => name);
    for (const name of shipped) assert.deepEqual(holding(/^description: "?([^"'\n]+)/m.exec(textOf(name))[1]), ["scenarios.js"], name);
    assert.deepEqual(holding("transferControlToOffscreen"), ["element.js"]);
}

export const tests = [
    ["the element runs the scenario that its attributes name, with the native hash", attributes],
    ["the element runs the text that is in it, with the native hash", ownText],
    ["the element says in events what it cannot do, and runs on", errors],
    ["the element has the controls that are listed, which work by keyboard", controls],
    ["an element that is removed ends its worker, and one that is moved does not", removal],
    ["in a sandboxed frame without an origin the element runs, with the native hash", inSandboxes],
    ["the npm package's element has types, and is imported on servers", hasTypes, "nightly"],
    ["the npm package's element runs as a module and as a script, also in a sandbox", fromNpm, "nightly"],
    ["the npm package's element without its scenarios runs texts, and says what is missing", withoutScenarios],
    ["the npm package has the element and the text of each scenario once", shipsOnce],
    ["a finger on the element acts as the pointer does, and scrolls the page unless there are controls", byTouch],
    ["the docs' page with an element has at most 60 lines and runs", example],
];
