// SPDX-License-Identifier: MIT
// portrait.mjs PAGE FILE: the picture of the page that the README shows. To make the file small: pngquant --force --ext .png FILE
import { resolve } from "node:path";
import { launch, Visit } from "./driver.mjs";

const [page, file] = process.argv.slice(2).map((path) => resolve(path));
const browser = await launch();
const visit = await Visit.open(browser, page, { address: "?scenario=default", size: [1280, 800], media: [{ name: "prefers-color-scheme", value: "dark" }] });
await visit.until(() => dunlinPage.running !== null && document.getElementById("proof").textContent.includes("same bits"));
await visit.tell({ do: "play", on: false });
for (let step = 0; step < 240; step++) await visit.tell({ do: "step" });
await visit.tab.screenshot({ path: file });
await browser.close();
process.exit(0);
