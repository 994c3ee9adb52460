// SPDX-License-Identifier: MIT
// Texts, links and files: what comes in runs or is refused in words, what goes out comes back the same.
import assert from "node:assert/strict";
import { join } from "node:path";
import { textOf } from "./native.mjs";

/* Presses a button of the page by its words. Runs in the page. */
function press(words) {
    [...document.querySelectorAll("button")].find((button) => button.textContent.trim() === words).click();
}

/** The link that the page offers for the present simulation, without the page's address. */
async function linkOf(visit) {
    await visit.evaluate(() => (document.querySelector("#exports input[aria-label='The link']").value = ""));
    await visit.evaluate(press, "Copy link");
    await visit.until(() => document.querySelector("#exports input[aria-label='The link']").value !== "");
    const link = await visit.evaluate(() => document.querySelector("#exports input[aria-label='The link']").value);
    return link.slice(link.indexOf("#"));
}

async function linkRestores(test) {
    const visit = await test.again();
    await visit.simulate(textOf("predators"), { seed: "123456789012345678", agents: 800 }, 15, [], "predators.yaml");
    await visit.tell({ do: "act", action: { kind: "spawn", species: 0, positions: [10.1234567, 20.7654321], velocities: [0.111111, 0.222222] } });
    await visit.evaluate(() => dunlinPage.act({ kind: "set", path: "interactions[0].alignment.weight", value: 0.123456789 }));
    for (let i = 0; i < 25; i++) await visit.tell({ do: "step" });
    const hash = await visit.ask("hash");
    const other = await test.visit({ address: await linkOf(visit), isolated: false });
    await other.until((wanted) => dunlinPage.ask("hash").then((now) => now === wanted), hash);
    assert.equal((await other.ask("story")).settings.seed, "123456789012345678");
    await other.until(() => /^✓ the state that was shared/.test(document.querySelector("#proof output").textContent));
    assert.deepEqual([...visit.problems, ...other.problems], []);
}

/** Places by hand have more digits than the engine and links keep. */
async function linkKeepsPaint(test) {
    const visit = await test.again();
    await visit.simulate(textOf("gusts"), { agents: 2000 }, 5, [], "gusts.yaml");
    const { size } = await visit.evaluate(() => dunlinPage.running.about);
    const at = (part) => size.map((length) => part * length + 0.123456789);
    await visit.tell({ do: "act", action: { kind: "paint", field: 0, from: at(0.2), to: at(0.45), radius: size[0] / 3 } });
    for (let i = 0; i < 60; i++) await visit.tell({ do: "step" });
    const hash = await visit.ask("hash");
    const other = await test.visit({ address: await linkOf(visit) });
    await other.until((wanted) => dunlinPage.ask("hash").then((now) => now === wanted), hash);
    assert.deepEqual([...visit.problems, ...other.problems], []);
}

/** What is done while another simulation opens was meant for the one that the page still shows. */
async function openingIsAlone(test) {
    const visit = await test.again();
    await visit.simulate(textOf("default"), { agents: 500 });
    const { actions, changed } = await visit.evaluate(async (text) => {
        dunlinPage.set("interactions[0].cohesion.weight", 0.9);
        dunlinPage.open(text, "predators.yaml", { agents: 500 });
        dunlinPage.act({ kind: "set", path: "interactions[0].alignment.weight", value: 0.123 });
        const { changed } = await nextRun();
        return { changed, ...(await dunlinPage.ask("story")) };
    }, textOf("predators"));
    assert.deepEqual([actions, changed], [[], []]);
    assert.deepEqual(visit.problems, []);
}

/** Each question gets an answer or an error. */
async function noAnswer(test) {
    const visit = await test.again();
    assert.match(await visit.evaluate(() => dunlinPage.ask({ check: 5 }).then(() => "an answer", (error) => error.message)), /text|string/i);
    assert.match(await visit.ask("hash"), /^[0-9a-f]{16}$/);
    assert.deepEqual(visit.problems, []);
}

async function brokenLink(test) {
    const visit = await test.visit({ address: "#simulation=bm90IGEgZmxpZ2h0" });
    await visit.until(() => /link is broken/.test(document.getElementById("messages").innerText));
    assert.ok((await visit.next("frame")).stats.agents > 0, "the default scenario runs instead");
    assert.deepEqual(visit.problems, []);
}

async function editorMarksLine(test) {
    const visit = await test.again();
    await visit.simulate(textOf("default"), { agents: 500 }, 5);
    const hash = await visit.ask("hash");
    const text = textOf("default").replace("max_speed: 0.5", "max_sped: 0.5");
    const line = text.slice(0, text.indexOf("max_sped")).split("\n").length;
    await visit.type(text);
    await visit.until(() => document.getElementById("mistake").textContent !== "");
    const said = await visit.evaluate(() => document.getElementById("mistake").textContent);
    assert.match(said, new RegExp(`^Line ${line}: .*max_sped`));
    await visit.evaluate(() => document.getElementById("mistake").click());
    await visit.until((marked) => document.querySelector("#editor .gutter .marked")?.textContent.trim() === marked, String(line));
    assert.equal(await visit.ask("hash"), hash, "the simulation continues");
    assert.deepEqual(visit.problems, []);
}

/* Drops a file on the page. Runs in the page. */
function drop(name, content) {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([content], name));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
}

/** Files that are no scenario, no state, no simulation, or not whole: each is refused by its name, and the simulation continues. */
async function brokenFiles(test) {
    const visit = await test.again();
    await visit.simulate(textOf("default"), { agents: 500 }, 5);
    const hash = await visit.ask("hash");
    const files = { "noise.yaml": "\u0000\u0001{{{", "empty.yaml": "", "half.yaml": textOf("default").slice(0, 700), "other.txt": "hello",
        "wrong.csv": "id,x,y\n1,2,3\n", "wrong.png": "GIF89a",
        "broken.csv": "# dunlin state 1\n# seed 1\n# step 0\n# agents 3\nid,species,x,y,vx,vy\n0,dunl", "simulation.json": "{\"dunlin\":\"simulation\"", "cut.checkpoint": "dunrun\u0001" };
    for (const [name, content] of Object.entries(files)) {
        const failed = visit.next("failed");
        await visit.evaluate(drop, name, content);
        const { message } = await failed;
        assert.match(message, new RegExp(name.replace(".", "\\.")), name);
        assert.doesNotMatch(message, /kept/, name);
        if (name === "wrong.csv") assert.match(message, /its first line is "id,x,y": agents begin with "# dunlin state 1", .*"vx,vy"/);
        await visit.until((file) => document.getElementById("messages").innerText.includes(file), name);
    }
    assert.equal(await visit.ask("hash"), hash);
    assert.deepEqual(visit.problems, []);
}

/* Drops a picture that is dark on the left. Runs in the page. */
async function dropPicture(name, type) {
    const canvas = new OffscreenCanvas(16, 8);
    const pen = canvas.getContext("2d");
    pen.fillRect(0, 0, 8, 8);
    pen.fillStyle = "white";
    pen.fillRect(8, 0, 8, 8);
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([await canvas.convertToBlob({ type })], name));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
}

const withPicture = (file) => `${textOf("vortex").split("\nfields:")[0]}\nfields: [{name: map, cells: [16, 8], image: {file: ${file}}}]\nbehaviours: [{flow: {field: map}}]\n`;

/** A scenario that misses its picture runs once that is dropped, whether the scenario was dropped or typed. */
async function missingPictures(test) {
    const visit = await test.again();
    await visit.tell({ do: "play", on: false });
    const failed = visit.next("failed");
    await visit.evaluate(drop, "lacking.yaml", withPicture("pictures/map.png"));
    assert.match((await failed).message, /map\.png/);
    const running = visit.next("running");
    await visit.evaluate(dropPicture, "map.png", "image/png");
    assert.equal((await running).name, "lacking.yaml");
    await visit.evaluate((text) => {
        dunlinPage.show("editor");
        const area = document.getElementById("scenario-text");
        area.value = text;
        area.dispatchEvent(new Event("input"));
    }, withPicture("other.png"));
    await visit.until(() => document.getElementById("mistake").textContent.includes("other.png"));
    await visit.evaluate(dropPicture, "other.png", "image/png");
    await visit.until(() => dunlinPage.text.includes("other.png") && document.getElementById("mistake").hidden);
    assert.deepEqual(visit.problems, []);
}

/** A picture that nothing names becomes a field, by a button of the message or of the panel. */
async function addedPictures(test) {
    const visit = await test.again();
    await visit.simulate(textOf("cc124_flock"), { agents: 50 });
    await visit.evaluate(dropPicture, "land.jpg", "image/jpeg");
    await visit.until(() => [...document.querySelectorAll(".message button")].find((button) => button.textContent === "Add it as a field")?.click() === undefined
        && dunlinPage.text.includes("land.png"));
    await visit.evaluate(() => dunlinPage.show("controls"));
    await visit.until(() => document.querySelector("[aria-label='Kind to add to: Fields']") !== null);
    const [chooser] = await Promise.all([visit.tab.waitForFileChooser(), visit.evaluate(() => {
        document.querySelector("[aria-label='Kind to add to: Fields']").value = "image";
        document.querySelector("[aria-label='Add to: Fields']").click();
    })]);
    await chooser.accept([join(test.pictures, "dart.png")]);
    await visit.until(() => dunlinPage.text.includes("dart.png") && dunlinPage.running.scenery.fields === 2);
    assert.deepEqual(visit.problems, []);
}

async function droppedScenario(test) {
    const visit = await test.again();
    await visit.tell({ do: "play", on: false });
    const running = visit.next("running");
    await visit.evaluate(drop, "my.yaml", textOf("vortex"));
    assert.equal((await running).name, "my.yaml");
    await visit.until(() => nextReport("frame").then(({ playing, stats }) => playing && stats.step > 5));
    assert.deepEqual(visit.problems, []);
}

/** A checkpoint of the native program: the page continues as the program would. */
async function droppedCheckpoint(test) {
    const visit = await test.again();
    const checkpoint = await test.native.checkpoint("predators", 7, join(test.scratch, "predators.checkpoint"), "--agents=500");
    await visit.tell({ do: "play", on: false });
    const running = visit.next("running");
    await visit.evaluate((base64, code) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        new Function("name", "content", `(${code})(name, content)`)("my.checkpoint", bytes);
    }, checkpoint.toString("base64"), drop.toString());
    assert.equal((await running).name, "predators.yaml");
    await visit.until(() => nextReport("frame").then(({ playing, stats }) => playing && stats.step > 12));
    const { step, hash } = await visit.ask("story");
    assert.equal(hash, await test.native.shippedHash("predators", step, "--agents=500"));
    assert.deepEqual(visit.problems, []);
}

export const tests = [
    ["a link restores scenario, seed, changes and step: the hash is the same, on another host with other threads", linkRestores],
    ["a link restores a flow that was painted", linkKeepsPaint, "nightly"],
    ["what is changed while another simulation opens does not touch that simulation", openingIsAlone],
    ["a question that has no answer is refused in words", noAnswer],
    ["a broken link is reported, and the default scenario runs", brokenLink],
    ["a mistake that is typed into the text is marked at its line, and the simulation continues", editorMarksLine],
    ["files that are broken are refused by name when they are dropped, and the simulation continues", brokenFiles],
    ["a scenario that is dropped runs", droppedScenario],
    ["a checkpoint that is dropped continues, bit for bit", droppedCheckpoint],
    ["a picture that a field misses completes it once it is dropped", missingPictures, "nightly"],
    ["a picture that nothing names is added as a field, dropped or chosen", addedPictures],
];
