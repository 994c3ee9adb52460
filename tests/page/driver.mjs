// SPDX-License-Identifier: MIT
// Drives the page in headless Chromium, or in Firefox. The packages are those of harness/page.
import { createRequire } from "node:module";
import { serve } from "../../harness/page/serve.mjs";

export const require = createRequire(new URL("../../harness/page/package.json", import.meta.url));
const puppeteer = require("puppeteer-core");

/** WebGL2 comes from software, so that pictures do not depend on a graphics card; nothing calls home. */
const launchFlags = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--force-color-profile=srgb", "--hide-scrollbars"];

/** Firefox, on the X server that DISPLAY names: it has no WebGL without a window. */
export function launchFirefox() {
    const executablePath = process.env.FIREFOX ?? "/usr/bin/firefox-esr";
    return puppeteer.launch({ browser: "firefox", executablePath, headless: false, protocolTimeout: 120000,
        extraPrefsFirefox: { "webgl.force-enabled": true }, env: { ...process.env, LIBGL_ALWAYS_SOFTWARE: "1" } });
}

/** Starts the browser that the environment names, or Debian's. */
export function launch(flags = [], userDataDir = undefined) {
    const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
    return puppeteer.launch({ executablePath, headless: true, args: [...launchFlags, ...flags], protocolTimeout: 120000,
        ...(userDataDir ? { userDataDir } : {}) });
}

/** A test throws it where this machine lacks what it needs. */
export class Skipped extends Error {}

/* What the driver needs in the page: to wait for the next report of a kind. Runs in the page. */
function listen() {
    const waiting = new Map();
    for (const kind of ["started", "running", "frame", "found", "answer", "failed"])
        dunlinPage.on(kind, (report) => {
            const hearers = waiting.get(kind) ?? [];
            waiting.set(kind, []);
            for (const hear of hearers) hear(report);
        });
    globalThis.nextReport = (kind) => new Promise((resolve) => waiting.set(kind, [...(waiting.get(kind) ?? []), resolve]));
    globalThis.nextRun = () => Promise.race([nextReport("running"),
        nextReport("failed").then((report) => report.during === "threads" ? nextRun() : Promise.reject(new Error(report.message)))]);
}

/* Runs in the page. Service workers outlive a visit, and another one may have its port: only the tests of the page's own have one. */
export function withoutServiceWorker() {
    Object.defineProperty(Navigator.prototype, "serviceWorker", { value: undefined, configurable: true });
}

/** A visit to the page: one tab, and whatever it complained about. */
export class Visit {
    problems = [];
    /** The connections to the server, and what it has sent. */
    sockets = [];
    loaded = [];
    /** As they were when a file was asked for first: the bytes that were sent, and the files that were loaded. */
    before = new Map();

    constructor(tab, server) {
        this.tab = tab;
        this.server = server;
        tab.on("console", (message) => this.problems.push(`console ${message.type()}: ${message.text()}`));
        tab.on("pageerror", (error) => this.problems.push(`error: ${error?.message}`));
        tab.on("requestfailed", (request) => this.problems.push(`request failed: ${request.url()} ${request.failure()?.errorText}`));
        tab.on("response", (response) => {
            if (response.status() >= 400) this.problems.push(`${response.status()}: ${response.url()}`);
        });
    }

    /**
     * Opens the page in a new tab. before runs in the page ahead of the page's own script; runs: wait until a flock runs; keeps: with the
     * page's service worker.
     */
    static async open(browser, folder, { isolated = true, address = "", size = [1000, 625], touch = false, before, media = [], runs = true, keeps = false } = {}) {
        const server = await serve(folder, 0, isolated);
        const tab = await browser.newPage();
        const visit = new Visit(tab, server);
        server.on("connection", (socket) => visit.sockets.push(socket));
        server.on("request", ({ url }, response) => {
            const bytes = visit.sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0);
            if (!visit.before.has(url)) visit.before.set(url, { bytes, loaded: [...visit.loaded] });
            response.on("finish", () => response.statusCode === 200 && visit.loaded.push(url));
        });
        await tab.setViewport({ width: size[0], height: size[1], ...(touch ? { hasTouch: true, isMobile: true, deviceScaleFactor: 2 } : {}) });
        if (media.length > 0) await tab.emulateMediaFeatures(media);
        // As many threads on every machine.
        await tab.evaluateOnNewDocument(() => Object.defineProperty(navigator, "hardwareConcurrency", { value: 4 }));
        if (!keeps) await tab.evaluateOnNewDocument(withoutServiceWorker);
        if (before) await tab.evaluateOnNewDocument(before);
        visit.origin = `http://localhost:${server.address().port}/`;
        await visit.arrive(address);
        if (runs) await visit.begin();
        return visit;
    }

    /**
     * Firefox under automation loses one of the workers that a worker starts now and then, before it asks for its script (four visits of 14;
     * none of 33 without automation), so that the engine waits for it: the page is asked for again, with more patience each time.
     */
    async arrive(address) {
        const again = (await this.tab.browser().version()).startsWith("firefox");
        for (const seconds of [8, 10, 12, 15, 0]) {
            await this.tab.goto(this.origin + address);
            if (!again || seconds === 0) return;
            const starts = () => globalThis.dunlinPage?.running || document.getElementById("messages").innerText !== "";
            if (await this.tab.waitForFunction(starts, { timeout: 1000 * seconds, polling: 100 }).catch(() => null)) return;
        }
    }

    /** Waits until the whole page is there, which comes after the first picture, or after an error. */
    whole() {
        return this.until(() => globalThis.dunlinPage);
    }

    async begin() {
        await this.whole();
        await this.tab.evaluate(listen);
        await this.tab.evaluate(() => (dunlinPage.running ? null : nextRun()));
    }

    async close() {
        await this.tab.close();
        this.server.close();
    }

    evaluate(run, ...values) {
        return this.tab.evaluate(run, ...values);
    }

    /** Opens a story, paused. Rejects with the engine's message if it cannot run. */
    simulate(text, settings = {}, step = 0, actions = [], name = "test.yaml") {
        return this.evaluate((story) => {
            dunlinPage.tell({ do: "play", on: false });
            const running = nextRun();
            dunlinPage.tell({ do: "open", story });
            return running;
        }, { text, name, settings, actions, step });
    }

    ask(what) {
        return this.evaluate((question) => dunlinPage.ask(question), what);
    }

    /** Waits for the next report of a kind. */
    next(kind) {
        return this.evaluate((wanted) => nextReport(wanted), kind);
    }

    /** Sends the worker a command; resolves with the frame that follows. */
    tell(command) {
        return this.evaluate((order) => {
            dunlinPage.tell(order);
            return nextReport("frame");
        }, command);
    }

    /** Types a scenario's text into the editor. */
    type(text) {
        return this.evaluate((typed) => {
            dunlinPage.show("editor");
            const area = document.getElementById("scenario-text");
            area.value = typed;
            area.dispatchEvent(new Event("input"));
        }, text);
    }

    /** What the page says to the user now. */
    message() {
        return this.evaluate(() => document.getElementById("messages").innerText);
    }

    /** What the canvas shows, as the bytes of a PNG. */
    async picture() {
        await this.tell({ do: "look", look: {} }); // a frame, so that it shows the present state
        const base64 = await this.evaluate(async () => {
            const reader = new FileReader();
            reader.readAsDataURL(await dunlinPage.ask("picture"));
            await new Promise((resolve) => (reader.onload = resolve));
            return reader.result.split(",")[1];
        });
        return Buffer.from(base64, "base64");
    }

    /** Waits until a function of the page says yes. */
    until(condition, ...values) {
        return this.tab.waitForFunction(condition, { timeout: 60000, polling: 50 }, ...values);
    }
}
