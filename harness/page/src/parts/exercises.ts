// SPDX-License-Identifier: MIT
// Sketches and exercises, each with its numbers in the texts, the scenarios that are it, the fields that do it and the control of the page:
// the table of docs/scenarios.md. A scenario's title runs it.
import type { App } from "../app";
import { make } from "../dom";
import { listShipped, loadExercises, openShipped } from "../shipped";
import type { Exercise } from "../shipped";
import { says } from "../synonyms";

const heads = ["Printed", "Draft", "1st edition", "What", "Scenarios", "Field or option", "On the page"];

/** A text in which `code` becomes what `as` makes of it. */
function marked(text: string, as = (code: string): Node => make("code", {}, code)): (Node | string)[] {
    return text.split("`").map((part, i) => (i % 2 === 1 ? as(part) : part));
}

function row(cells: (Node | string)[][]): HTMLElement {
    return make("tr", {}, ...cells.map((content, i) => {
        const cell = make("td", {}, ...content);
        cell.dataset.head = heads[i];
        return cell;
    }));
}

/** The exercises of a text or chapter, under its name. */
function part(source: string, rows: HTMLElement[]): HTMLElement {
    return make("tbody", {}, make("tr", {}, make("th", { scope: "rowgroup", colSpan: heads.length }, source)), ...rows);
}

/** A field that filters the table, and the table. */
async function contents(open: (name: string) => void): Promise<HTMLElement[]> {
    const [all, shipped] = await Promise.all([loadExercises(), listShipped()]);
    const titles = new Map(shipped.map(({ name, title }) => [name, title]));
    const opener = (name: string) => make("button", { type: "button", className: "link", title: name, onclick: () => open(name) }, titles.get(name) ?? name);
    const rows = new Map<Exercise, HTMLElement>();
    for (const one of all) rows.set(one, row([[one.print], [one.draft], [one.first], [one.what], marked(one.scenarios.replaceAll("`, ", "`"), opener), marked(one.field), [one.page]]));
    const parts = [...new Set(all.map(({ source }) => source))].map((source) =>
        part(source, all.filter((one) => one.source === source).map((one) => rows.get(one)!)));
    const found = make("p", { className: "doc", role: "status" });
    const search = make("input", { type: "search", placeholder: "Search, such as 5.4 or wander", ariaLabel: "Search sketches and exercises", oninput: () => {
        const words = search.value.toLowerCase().split(/\s+/);
        for (const [one, element] of rows) element.hidden = !words.every((word) => has(`${Object.values(one).join(" ")} ${element.textContent}`.toLowerCase(), word));
        for (const body of parts) body.hidden = body.querySelector("tr:not([hidden]) > td") === null;
        const count = [...rows.values()].filter(({ hidden }) => !hidden).length;
        found.textContent = count === 0 ? "Nothing here has these words." : count === rows.size ? "" : `${count} of ${rows.size}`;
    } });
    return [make("div", { className: "row" }, search), found, make("table", {},
        make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)))), ...parts)];
}

/** Words, or numbers: 5.1 is not in 5.14. */
function has(text: string, word: string): boolean {
    return /^\d+\.\d+$/.test(word) ? new RegExp(`\\b${word}(?!\\d)`).test(text) : says(text, word);
}

/** A button that shows the table. */
export function exercisesButton(app: App): HTMLElement {
    const dialog = make("dialog", { className: "help wide", ariaLabel: "Sketches and exercises" });
    const open = (name: string) => {
        dialog.close();
        void openShipped(app, name).catch((error) => app.complain(error.message, "open"));
    };
    const show = async () => {
        if (dialog.childElementCount === 0) dialog.append(
            make("h2", {}, "Sketches and exercises"),
            make("p", { className: "doc" }, "Their numbers in The Nature of Code: second edition as printed, its draft and online code, first edition."),
            ...(await contents(open)),
            make("form", { method: "dialog" }, make("button", { type: "submit", className: "main" }, "Close")));
        document.body.append(dialog);
        dialog.showModal();
    };
    return make("button", { type: "button", onclick: () => void show().catch((error) => app.complain(error.message, "page")) },
        "Find a sketch or exercise");
}
