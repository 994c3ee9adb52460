// SPDX-License-Identifier: MIT
// Makes elements.

type Kinds = HTMLElementTagNameMap;

/** An element with these properties and children. */
export function make<K extends keyof Kinds>(kind: K, properties: Partial<Kinds[K]> = {}, ...children: (Node | string)[]): Kinds[K] {
    const element = Object.assign(document.createElement(kind), properties);
    element.append(...children);
    return element;
}

/** Strokes of 20 x 20 icons. */
const icons = {
    play: "M6 4l10 6-10 6z",
    pause: "M6.5 4v12M13.5 4v12",
    step: "M5 4l8 6-8 6zM15.5 4v12",
    restart: "M15.5 6.5A7 7 0 1 0 17 10M16 3v4h-4",
    dice: "M4 4h12v12H4zM7.5 7.5v.01M12.5 7.5v.01M10 10v.01M7.5 12.5v.01M12.5 12.5v.01",
    close: "M5 5l10 10M15 5L5 15",
    fold: "M7 4l6 6-6 6",
    system: "M10 3a7 7 0 1 0 0 14zM10 3a7 7 0 0 1 0 14",
    light: "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M10 1.5v2M10 16.5v2M1.5 10h2M16.5 10h2M4 4l1.4 1.4M14.6 14.6L16 16M4 16l1.4-1.4M14.6 5.4L16 4",
    dark: "M16 12.5A7 7 0 0 1 7.5 4 7 7 0 1 0 16 12.5z",
    add: "M10 4v12M4 10h12",
    remove: "M4 6h12M8 6V4h4v2M6 6l1 11h6l1-11",
    reset: "M4.5 6.5A7 7 0 1 1 3 10M4 3v4h4",
    flock: "M3 11l5-2-3-3zM11 7l5-2-3-3zM12 16l5-2-3-3z",
    undo: "M7 4L3 8l4 4M3 8h8a5 5 0 0 1 0 9H8",
    redo: "M13 4l4 4-4 4M17 8H9a5 5 0 0 0 0 9h3",
    controls: "M3 5h14M3 10h14M3 15h14M7 3.2v3.6M13 8.2v3.6M6 13.2v3.6",
    look: "M10 3C5 3 2.5 7.5 2.5 10.5S5 17 8 17c2 0 1.5-2 2.5-3s3 0 4.5-.5 2.5-2 2.5-4C17.5 5.5 14.5 3 10 3zM6 9v.01M9 6v.01M13 7v.01",
    charts: "M3 3v14h14M6 13l3-4 3 2 4-6",
    gallery: "M3 3h6v6H3zM11 3h6v6h-6zM3 11h6v6H3zM11 11h6v6h-6z",
    editor: "M7 5l-5 5 5 5M13 5l5 5-5 5",
    exports: "M10 12V3M6.5 6L10 2.5 13.5 6M4 10v7h12v-7",
    lessons: "M10 5.5c-2-1.5-4.5-2-7.5-2v11c3 0 5.5.5 7.5 2 2-1.5 4.5-2 7.5-2v-11c-3 0-5.5.5-7.5 2zM10 5.5v11",
} as const;

export type Icon = keyof typeof icons;

/** An icon, which says nothing to screen readers. */
export function icon(name: Icon): SVGElement {
    const holder = document.createElement("template");
    holder.innerHTML = `<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="${icons[name]}"/></svg>`;
    return holder.content.firstElementChild as SVGElement;
}

/** A button that shows an icon; its name is what it does. */
export function iconButton(name: Icon, label: string, act: () => void): HTMLButtonElement {
    return make("button", { type: "button", className: "quiet", ariaLabel: label, title: label, onclick: act }, icon(name));
}

/** 20000 as 20 000. */
export function grouped(number: number): string {
    return Math.round(number).toString().replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** Offers content to the user as a file. */
export function save(content: BlobPart, type: string, name: string): void {
    const url = URL.createObjectURL(new Blob([content], { type }));
    make("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60000);
}
