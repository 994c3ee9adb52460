// SPDX-License-Identifier: MIT
// What this page is, and what hands and keys do.
import type { App } from "../app";
import { make } from "../dom";
import { openShipped } from "../shipped";

const what = "Dunlin simulates flocks of up to millions of agents. Each sees only its neighbours and follows a few rules; " +
    "the flock is what comes of it. All of it runs in this browser.";
const help: [keys: string, what: string][] = [
    ["Drag, touch", "the chosen tool acts on the flock; the first one scatters it"],
    ["Wheel, two fingers", "zoom; two fingers, or the right button, also move the view, whatever the tool"],
    ["Double click", "the whole world, while looking around"],
    ["Space", "start and pause"], [".", "one step"], ["1 … 9, 0", "the tools, from left to right"],
    ["Arrows", "move the crosshair (with Shift faster). With the tool Look: move what you see; in space turn it"],
    ["Enter", "the tool acts at the crosshair; where you would drag, Enter begins and Enter ends"],
    ["+ and −", "zoom"], ["Home", "the whole world"],
    ["Escape", "let go: of the crosshair, the tool, the chosen agent"], ["?", "this help"],
];

let dialog: HTMLDialogElement | null = null;

export function showHelp(app: App): void {
    dialog ??= make("dialog", { className: "help", ariaLabel: "What is this?" },
        make("h2", {}, "What is this?"), make("p", {}, what), millionButton(app, () => dialog!.close()),
        make("dl", {}, ...help.flatMap(([keys, does]) => [make("dt", {}, keys), make("dd", {}, does)])),
        make("form", { method: "dialog" }, make("button", { type: "submit", className: "main" }, "Close")));
    document.body.append(dialog);
    dialog.showModal();
}

/** Opens the flock of a million agents, of which fewer run unless the visitor wants all. */
export function millionButton(app: App, before = () => {}): HTMLButtonElement {
    return make("button", { type: "button", onclick: () => {
        before();
        void openShipped(app, "million").catch((error) => app.complain(error.message, "open"));
    } }, "Show me a million");
}
