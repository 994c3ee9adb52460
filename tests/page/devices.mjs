// SPDX-License-Identifier: MIT
// The page on phones, on slow devices and in hidden windows; heavy scenarios say so; words that a newcomer understands.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { textOf } from "./native.mjs";

/* Runs in the page: the buttons of the toolbar, of the tabs and of the header that the window does not show as a whole. */
function hiddenControls() {
    return [...document.querySelectorAll("#top button, #hands button, #tabs button")].filter((button) => {
        const { left, right, top, bottom } = button.getBoundingClientRect();
        const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return left < 0 || right > innerWidth || bottom > innerHeight || !button.contains(hit);
    }).map((button) => button.innerText || button.ariaLabel);
}

/** On a phone the flock has the screen, its world stands upright, and every control shows. */
async function onPhones(test) {
    for (const size of [[390, 844], [320, 568]]) {
        const visit = await test.visit({ size, touch: true, address: "?scenario=mixed_flocks" });
        const [world, sky] = await visit.evaluate(() => [dunlinPage.running.about.size, document.getElementById("sky").clientHeight]);
        assert.ok(world[1] > 1.2 * world[0], `a world of ${world.join(" x ")}`);
        assert.ok(sky > 0.7 * size[1], `the flock has ${sky} of ${size[1]} pixels`);
        assert.deepEqual(await visit.evaluate(hiddenControls), [], size.join(" x "));
        await visit.tab.tap("#tab-flock");
        await visit.until(() => document.getElementById("flock").getBoundingClientRect().height > 100);
        assert.deepEqual(visit.problems, []);
        await visit.tab.close();
    }
    // Obstacles have their places, so that world stays as it is.
    const visit = await test.visit({ size: [390, 844], touch: true, address: "?scenario=obstacles" });
    assert.equal(await visit.evaluate(() => dunlinPage.text), textOf("obstacles"));
}

/** A hidden page takes no step. */
async function restsHidden(test) {
    const visit = await test.visit();
    await visit.simulate(textOf("noc_5_09_flock"));
    await visit.tell({ do: "play", on: true });
    const hide = (hidden) => visit.evaluate((now) => {
        Object.defineProperty(document, "hidden", { value: now, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);
    const step = async () => (await visit.ask("story")).step;
    await visit.until(() => nextReport("frame").then(({ stats }) => stats.step > 2));
    await hide(true);
    await visit.ask("hash");
    const before = await step();
    await new Promise((resolve) => setTimeout(resolve, 700));
    assert.equal(await step(), before);
    await hide(false);
    await visit.until((past) => nextReport("frame").then(({ stats }) => stats.step > past), before);
    assert.deepEqual(visit.problems, []);
}

/** A heavy scenario runs with fewer agents and offers all. The gallery begins each group with the lightest, except that
 * sketches follow the book, and marks the heavy. */
async function heavySaysSo(test) {
    const visit = await test.visit({ address: "?scenario=million" });
    assert.equal((await visit.next("frame")).stats.agents, 50000);
    assert.match(await visit.message(), /1.000.000 agents may be more than this device moves.*Run all 1.000.000/s);
    await visit.evaluate(() => dunlinPage.show("gallery"));
    await visit.until(() => document.querySelector(".card") !== null);
    const shelves = await visit.evaluate(() => [...document.querySelectorAll(".shelf")].map((shelf) =>
        [...shelf.querySelectorAll(".card > :last-child")].map(({ textContent }) => textContent)));
    const groups = await visit.evaluate(() => [...document.querySelectorAll(".shelf")].map((shelf) =>
        ({ heading: shelf.querySelector("h3").textContent, titles: [...shelf.querySelectorAll("strong")].map(({ textContent }) => textContent) })));
    const counts = shelves.map((shelf) => shelf.map((text) => Number(/^[\d\u202f]+/.exec(text)[0].replaceAll("\u202f", ""))));
    for (const [i, shelf] of counts.entries()) {
        const { heading, titles } = groups[i];
        if (heading.startsWith("Sketches")) {
            const book = ["NoC 5.1 seek", "NoC exercise 5.1 flee", "NoC 5.2 arrive", "NoC 5.4 flow field", "NoC exercise 5.14 crowd", "Coding Challenge 124"];
            assert.deepEqual(titles.filter((title) => book.includes(title)), book);
        } else assert.deepEqual(shelf, [...shelf].sort((one, other) => one - other));
        shelf.forEach((count, at) => assert.equal(/heavy/.test(shelves[i][at]), count >= 99e3, shelves[i][at]));
    }
    assert.ok(counts.flat().some((count) => count >= 1e6));
    assert.deepEqual(visit.problems, []);
}

/** Where frames come slowly because of the picture, trails go first and sharpness then, and the page says so. */
async function sparesPictures(test) {
    const slow = "self.requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), 50);";
    const before = `{ const Plain = Worker; globalThis.Worker = class extends Plain { constructor(script) {
        super(URL.createObjectURL(new Blob([${JSON.stringify(slow)} + "importScripts(" + JSON.stringify(new URL(script, location.href).href) + ");"])));
    } }; }`;
    const visit = await test.visit({ before, touch: true, size: [390, 844], isolated: false }); // one thread waits for no other
    await visit.simulate(textOf("noc_5_09_flock"));
    await visit.evaluate(() => dunlinPage.on("said", ({ message }) => (globalThis.said ??= []).push(message)));
    await visit.tell({ do: "look", look: { trails: true } });
    await visit.tell({ do: "play", on: true });
    const spared = await visit.evaluate(() => new Promise((resolve) => {
        const all = [];
        dunlinPage.on("frame", ({ spared }) => spared !== null && all.push(spared) === 2 && resolve(all));
    }));
    assert.deepEqual(spared, ["trails", "resolution"]);
    const said = await visit.evaluate(() => globalThis.said.filter((message) => message.startsWith("Frames came slowly")));
    assert.match(said.join(), /without trails.*less sharply/);
    assert.deepEqual(visit.problems, []);
}

/** The panel names things plainly, and says on hover and to screen readers what they are and how the text calls them. */
async function plainWords(test) {
    const visit = await test.again();
    await visit.evaluate(() => dunlinPage.show("controls"));
    await visit.simulate(textOf("default"), { agents: 200 });
    await visit.until(() => /neighbours it avoids/.test(document.getElementById("controls").innerText));
    const shown = await visit.evaluate(() => document.getElementById("controls").innerText);
    for (const word of ["neighbours it turns with", "neighbours it moves to", "sees as far as", "strength"]) assert.ok(shown.includes(word), word);
    assert.doesNotMatch(shown, /observe[rd]/);
    const rows = await visit.evaluate(() => [...document.querySelectorAll("#controls .number")].map((row) => {
        const name = row.querySelector(".name");
        const field = row.querySelector("input, select");
        return [row.dataset.path, name.title, document.getElementById(field.getAttribute("aria-describedby")).textContent];
    }));
    assert.ok(rows.length > 5, `${rows.length} rows`);
    for (const [path, title, described] of rows) {
        assert.ok(title.length > 10 && title === described, path);
        if (/radius|weight/.test(path)) assert.match(title, /^In the text: (radius|weight)\./, path);
    }
    const tools = await visit.evaluate(() => [...document.querySelectorAll("#hands button, #flock .dial input[type=range]")].map(({ title }) => title));
    assert.ok(tools.every((title) => title.length > 8), tools.join());
    assert.deepEqual(visit.problems, []);
}

/** The panel's words stand for fields that there are. */
async function wordsOfFields(test) {
    const known = new Set([...JSON.stringify(await (await test.again()).ask("schema")).matchAll(/"(\w+)":/g)].map(([, name]) => name));
    const source = readFileSync(join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../../harness/page/src/plain_words.ts"), "utf8");
    const named = [...source.split("/** A name such as")[0].matchAll(/(\w+): "/g)].map(([, name]) => name);
    assert.ok(named.length > 15);
    assert.deepEqual(named.filter((name) => !known.has(name)), []);
}

export const tests = [
    ["phones show the flock upright, on most of the screen, with all controls", onPhones, "nightly"],
    ["hidden, the flock rests", restsHidden],
    ["heavy scenarios run with fewer agents and offer all; the gallery orders by weight", heavySaysSo],
    ["a picture that takes too long is drawn without trails, then less sharply, and the page says so", sparesPictures, "nightly"],
    ["the panel of rules speaks plainly, and explains on hover and to screen readers", plainWords],
    ["the plain words stand for fields of the schema", wordsOfFields],
];
