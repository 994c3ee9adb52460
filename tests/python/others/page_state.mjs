// SPDX-License-Identifier: MIT
// page_state.mjs PICTURE: shows the HTML of standard input as a notebook does, lets the page in its frame run for some steps, takes a picture,
// and begins again; prints as JSON the scenario's name, what the page complains about, and step and hash of both states.
import { readFileSync } from "node:fs";
import { launch } from "../../page/driver.mjs";

const browser = await launch();
try {
    const tab = await browser.newPage();
    await tab.setViewport({ width: 1000, height: 620 });
    await tab.setContent(readFileSync(0, "utf8"));
    const frame = await (await tab.waitForSelector("iframe")).contentFrame();
    await frame.waitForFunction(() => globalThis.dunlinPage?.running, { timeout: 200000 });
    const begun = await frame.evaluate(() => dunlinPage.ask("story"));
    await frame.waitForFunction((step) => dunlinPage.ask("story").then((story) => story.step > step + 5), { timeout: 200000, polling: 100 }, begun.step);
    await frame.evaluate(() => dunlinPage.tell({ do: "play", on: false }));
    const stateOf = () => frame.evaluate(() => dunlinPage.ask("story").then(({ step, hash, name }) => ({ step, hash, name })));
    const reached = await stateOf();
    const messages = await frame.evaluate(() => document.getElementById("messages").innerText);
    await tab.screenshot({ path: process.argv[2] });
    await frame.evaluate(() => dunlinPage.restart());
    console.log(JSON.stringify({ messages, reached, restarted: await stateOf() }));
} finally {
    await browser.close();
}
