// SPDX-License-Identifier: MIT
// The tabs, and the panels that they show: beside the flock, or on narrow screens as a sheet that comes from below. What a user chooses is
// remembered for each of the two; a window that has no room for it changes nothing of that.
import type { App } from "../app";
import { icon, iconButton, make, type Icon } from "../dom";
import { remember } from "../kept";
import { keyOfPanel, keyOfWidth, lastPanel, lastWidth, placePanel, setWidth } from "../room";

/** Makes a tab for each section of the panels that shows something. */
export function mountPanels(app: App, tabs: HTMLElement, panels: HTMLElement, edge: HTMLElement): void {
    const all = [...panels.querySelectorAll<HTMLElement>(":scope > section")];
    const sections = all.filter((section) => section.children.length > 0);
    for (const section of all) section.hidden = true;
    const buttons = sections.map((section) => makeTab(section));
    tabs.append(...buttons);

    /** Shows a section; null: none. */
    const reveal = (id: string | null) => {
        placePanel(id);
        sections.forEach((section, i) => {
            section.hidden = section.id !== id;
            buttons[i].ariaSelected = String(section.id === id);
            buttons[i].tabIndex = section.id === (id ?? sections[0].id) ? 0 : -1;
        });
    };
    /** ... because the user wants it. */
    const show = (id: string | null) => {
        reveal(id);
        remember(keyOfPanel(), id ?? "");
    };
    const isShown = (i: number) => !sections[i].hidden && !panels.hidden;
    buttons.forEach((button, i) => {
        button.onclick = () => show(isShown(i) ? null : sections[i].id);
        button.onkeydown = (event) => {
            const to = moveTo(event.key, i, buttons.length);
            if (to === null) return;
            event.preventDefault();
            show(sections[to].id);
            buttons[to].focus();
        };
        const close = iconButton("close", "Close the panel", () => {
            show(null);
            button.focus();
        });
        sections[i].prepend(make("div", { className: "panel-head" }, make("h2", {}, sections[i].dataset.title ?? ""), close));
    });
    app.on("show", ({ panel }) => show(panel));
    makeEdge(edge);
    reveal(lastPanel());
}

function makeTab(section: HTMLElement): HTMLButtonElement {
    const title = section.dataset.title ?? "";
    const tab = make("button", { type: "button", id: `tab-${section.id}`, role: "tab" }, icon(section.id as Icon), title);
    tab.setAttribute("aria-controls", section.id);
    section.role = "tabpanel";
    section.setAttribute("aria-labelledby", tab.id);
    return tab;
}

function moveTo(key: string, from: number, count: number): number | null {
    const moves: Record<string, number> = { ArrowDown: from + 1, ArrowRight: from + 1, ArrowUp: from - 1, ArrowLeft: from - 1, Home: 0, End: -1 };
    return key in moves ? (moves[key] + count) % count : null;
}

/** The edge between flock and panels: drag it, or move it by the arrow keys. */
function makeEdge(edge: HTMLElement): void {
    let wanted = lastWidth();
    const width = () => Number(edge.ariaValueNow);
    const fit = () => (edge.ariaValueNow = String(setWidth(wanted)));
    const resize = (to: number) => {
        wanted = to;
        fit();
        remember(keyOfWidth, String(width()));
    };
    Object.assign(edge, { role: "separator", tabIndex: 0, ariaLabel: "Width of the panel", ariaOrientation: "vertical" });
    Object.assign(edge, { ariaValueMin: "260", ariaValueMax: "900" });
    edge.onpointerdown = (event) => edge.setPointerCapture(event.pointerId);
    edge.onpointermove = (event) => {
        if (edge.hasPointerCapture(event.pointerId)) resize(width() + edge.getBoundingClientRect().left - event.clientX);
    };
    edge.onkeydown = ({ key: pressed }) => {
        if (pressed === "ArrowLeft") resize(width() + 20);
        if (pressed === "ArrowRight") resize(width() - 20);
    };
    addEventListener("resize", fit);
    fit();
}
