// SPDX-License-Identifier: MIT
// The room that panels take, as the user left it: the first script keeps it free, so that the flock stays where it is once panels come.
import { recall } from "./kept";

/** Panels come from below; as in page.css. */
export const sheet = matchMedia("(max-width: 29rem), (max-width: 50rem) and (min-height: 30.01rem), (max-width: 50rem) and (max-aspect-ratio: 5/4)");
export const keyOfPanel = () => (sheet.matches ? "dunlin.sheet" : "dunlin.panel");
export const keyOfWidth = "dunlin.width";

/** The panel that was open last, or that opens at the first visit; null: none. */
export function lastPanel(): string | null {
    const last = recall(keyOfPanel()) ?? (sheet.matches ? "" : "flock");
    return document.querySelector(`#panels > [id="${CSS.escape(last)}"]`) === null ? null : last;
}

/** How wide the user wants panels, in CSS pixels. */
export function lastWidth(): number {
    return Number(recall(keyOfWidth) ?? 352);
}

/** Makes panels as wide as that, if the window has room; returns their width. */
export function setWidth(wanted: number): number {
    const most = Math.min(900, Math.max(innerWidth - 320, innerWidth / 2));
    const width = Math.round(Math.min(Math.max(wanted, 260), most));
    document.body.style.setProperty("--panel-width", `${width}px`);
    return width;
}

/** Keeps room for the panel of that name; null: for none. */
export function placePanel(id: string | null): void {
    for (const part of ["panels", "edge"]) document.getElementById(part)!.hidden = id === null;
    document.body.dataset.panel = id ?? "";
}
