// SPDX-License-Identifier: MIT
// What the hand is about to do, drawn over the flock: the keyboard's crosshair, a circle, a line. In CSS pixels.
import type { Spot } from "./view";

function shape<K extends keyof SVGElementTagNameMap>(kind: K, attributes: Record<string, string>): SVGElementTagNameMap[K] {
    const element = document.createElementNS("http://www.w3.org/2000/svg", kind);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
}

export class Preview {
    private readonly cross = shape("path", { class: "cross", d: "M-14 0h9M5 0h9M0-14v9M0 5v9" });
    private readonly circle = shape("circle", { class: "circle" });
    private readonly line = shape("polyline", { class: "line" });

    constructor(place: HTMLElement) {
        const over = shape("svg", { class: "preview", "aria-hidden": "true" });
        over.append(this.circle, this.line, this.cross);
        place.append(over);
        this.clear();
        this.aim(null);
    }

    /** The keyboard's crosshair; null: none. */
    aim(at: Spot | null): void {
        this.cross.style.display = at === null ? "none" : "";
        if (at !== null) this.cross.setAttribute("transform", `translate(${at.x} ${at.y})`);
    }

    ring(at: Spot, radius: number): void {
        for (const [name, value] of Object.entries({ cx: at.x, cy: at.y, r: radius })) this.circle.setAttribute(name, String(value));
        this.circle.style.display = "";
    }

    trace(spots: Spot[]): void {
        this.line.setAttribute("points", spots.map(({ x, y }) => `${x},${y}`).join(" "));
        this.line.style.display = "";
    }

    clear(): void {
        this.circle.style.display = this.line.style.display = "none";
    }
}
