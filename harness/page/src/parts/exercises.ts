// SPDX-License-Identifier: MIT
// Sketches and exercises, each with the scenarios that are it, the fields that do it and the control of the page: the table of
// docs/scenarios.md. A scenario's name runs it.
import type { App } from "../app";
import { make } from "../dom";
import { loadExercises, openShipped } from "../shipped";
import type { Exercise } from "../shipped";

const heads = ["Where", "What", "Scenarios", "Field or option", "On the page"];

/** A text in which `code` is code. */
function marked(text: string): (Node | string)[] {
    return text.split("`").map((part, i) => (i % 2 === 1 ? make("code", {}, part) : part));
}

function row(cells: (Node | string)[][]): HTMLElement {
    return make("tr", {}, ...cells.map((content, i) => {
        const cell = make("td", {}, ...content);
        cell.dataset.head = heads[i];
        return cell;
    }));
}

function table(all: Exercise[], open: (name: string) => void): HTMLElement {
    const names = (text: string) => marked(text).map((part) => {
        if (typeof part === "string") return part;
        const name = part.textContent!;
        return make("button", { type: "button", className: "link", onclick: () => open(name) }, name);
    });
    return make("table", {},
        make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)))),
        make("tbody", {}, ...all.map(({ where, what, scenarios, field, page }) =>
            row([[where], [what], names(scenarios), marked(field), [page]]))));
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
            make("p", { className: "doc" }, "Numbers are those of The Nature of Code, chapter 5, second edition. The other texts stand at the end."),
            table(await loadExercises(), open),
            make("form", { method: "dialog" }, make("button", { type: "submit", className: "main" }, "Close")));
        document.body.append(dialog);
        dialog.showModal();
    };
    return make("button", { type: "button", onclick: () => void show().catch((error) => app.complain(error.message, "page")) },
        "Find a sketch or exercise");
}
