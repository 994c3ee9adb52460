// SPDX-License-Identifier: MIT
// The lesson of the order bug: two small flocks from one mirrored start, with a snapshot and updated in place.
import { make } from "../dom";
import { drawMirrored, MirroredFlock } from "../in_place";

/** The switch, and the two flocks that it shows beside the big one. */
export class OrderSwitch {
    private readonly box = make("input", { type: "checkbox", id: "in-place", onchange: () => this.pair.show(this.box.checked) });
    private readonly pair = new Pair(() => {
        this.close();
        this.box.focus();
    });
    readonly element = make("div", {},
        make("label", { className: "switch" }, this.box, " Update in place"),
        make("p", { className: "doc" }, "Shows two small flocks from one mirrored start, with a snapshot and without."));

    constructor() {
        this.box.setAttribute("role", "switch");
    }

    close(): void {
        this.box.checked = false;
        this.pair.show(false);
    }
}

/** One flock with its canvas and its figure. */
class Side {
    private flock: MirroredFlock;
    private readonly canvas = make("canvas");
    private readonly figure = make("output");
    readonly element: HTMLElement;

    constructor(private readonly inPlace: boolean, title: string) {
        this.flock = new MirroredFlock(inPlace);
        this.canvas.setAttribute("role", "img");
        this.canvas.ariaLabel = `${title}: a flock that began mirrored`;
        this.element = make("figure", {}, make("figcaption", {}, make("b", {}, title)), this.canvas,
            make("p", {}, "Asymmetry: ", this.figure));
    }

    restart(): void {
        this.flock = new MirroredFlock(this.inPlace);
    }

    step(): void {
        this.flock.step();
    }

    draw(): void {
        drawMirrored(this.canvas, this.flock);
        const asymmetry = this.flock.asymmetry();
        const percent = (100 * asymmetry).toFixed(asymmetry < 0.001 ? 4 : 1);
        this.figure.textContent = asymmetry === 0 ? "0, exactly" : `${percent} % of the side`;
    }
}

class Pair {
    private readonly sides = [new Side(false, "Snapshot"), new Side(true, "In place")];
    private readonly pause = make("button", { type: "button", onclick: () => this.run(!this.runs) });
    private readonly inset: HTMLElement;
    private runs = false;

    constructor(closed: () => void) {
        const again = () => {
            for (const side of this.sides) side.restart();
            this.run(true);
        };
        this.inset = make("section", { className: "pair", hidden: true, ariaLabel: "Snapshot and update in place" },
            make("div", { className: "sides" }, ...this.sides.map(({ element }) => element)),
            make("p", {}, "Both start as their own mirror images and follow the same rules. Only updating in place breaks the mirror."),
            make("div", { className: "row" }, this.pause, make("button", { type: "button", onclick: again }, "Again"),
                make("button", { type: "button", onclick: closed }, "Close")));
        this.inset.onkeydown = (event) => {
            if (event.key !== "Escape") return;
            event.preventDefault();
            closed();
        };
        document.querySelector("main")!.append(this.inset);
    }

    show(on: boolean): void {
        this.inset.hidden = !on;
        for (const side of this.sides) side.restart();
        this.run(on);
    }

    private run(on: boolean): void {
        const began = on && !this.runs;
        this.runs = on;
        this.pause.textContent = on ? "Pause" : "Continue";
        if (began) requestAnimationFrame(() => this.frame());
    }

    private frame(): void {
        for (const side of this.sides) side.draw();
        if (!this.runs) return;
        for (const side of this.sides) side.step();
        requestAnimationFrame(() => this.frame());
    }
}
