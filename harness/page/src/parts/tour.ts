// SPDX-License-Identifier: MIT
// A short tour of the rules, and the bug for whose sake Dunlin exists.
import type { App } from "../app";
import { make } from "../dom";
import { drawMirrored, MirroredFlock } from "../in_place";
import { textOfShipped } from "../shipped";

interface Stop {
    title: string;
    text: string;
    /** Opens the scenario of this stop. */
    open(app: App): Promise<void> | void;
}

const rules = {
    separation: "separation: {radius: 2.5, weight: 1.6}",
    alignment: "alignment: {radius: 7, weight: 1}",
    cohesion: "cohesion: {radius: 7, weight: 0.8}",
};

/** A small flock that keeps some of the three rules. */
function lesson(name: string, kept: (keyof typeof rules)[]): string {
    return `# A stop of the tour: change the numbers under Rules and see what they do.
name: ${name}
world:
  size: [160, 100]
  boundary: periodic

species:
  - name: dunlins
    min_speed: 0.15
    max_speed: 0.4
    max_force: 0.02
    agents: 900

interactions:
  - ${kept.map((rule) => rules[rule]).join("\n    ")}
`;
}

function simulate(app: App, text: string, name: string): void {
    app.open(text, name);
    app.tell({ do: "play", on: true });
}

function stop(title: string, kept: (keyof typeof rules)[], text: string): Stop {
    return { title, text, open: (app) => simulate(app, lesson(title.toLowerCase(), kept), "tour.yaml") };
}

async function openMillion(app: App): Promise<void> {
    simulate(app, await textOfShipped("million"), "million.yaml");
}

const stops: Stop[] = [
    stop("Separation", ["separation"],
        "An agent steers away from neighbours that are too close. Watch the gaps: the agents spread evenly, like people " +
        "in a lift, but each keeps a direction of its own."),
    stop("Alignment", ["alignment"],
        "An agent matches the velocity of its neighbours. Watch the colours, which are headings: patches of one colour grow, " +
        "until nearly all run the same way. Nothing keeps them apart, and nothing keeps them together."),
    stop("Cohesion", ["cohesion"],
        "An agent steers to the middle of its neighbours. Watch the clumps: each collapses to a swarm that buzzes around its " +
        "own middle and hardly moves on."),
    stop("All three", ["separation", "alignment", "cohesion"],
        "Together the three rules make a flock, although no agent knows of one. Watch groups form, turn together and merge. " +
        "Drag a few agents in with the tool Add agents: the flock takes them up."),
    {
        title: "A million", open: openMillion,
        text: "The same three rules for a million agents, computed here in your browser: what you see is density. " +
            "Zoom in with the wheel until single agents show: each looks at its neighbours in every step.",
    },
];

const welcome = "Three rules make a flock. This tour shows each alone, then all together, then with a million agents. " +
    "It opens small scenarios in place of yours.";

export function mountTour(app: App, place: HTMLElement): void {
    const title = make("h2");
    const text = make("p");
    const back = make("button", { type: "button", onclick: () => go(at - 1) }, "Back");
    const next = make("button", { type: "button", className: "main", onclick: () => go(at + 1) });
    let at = -1;
    const show = () => {
        title.textContent = at < 0 ? "How a flock comes about" : `${at + 1} of ${stops.length}: ${stops[at].title}`;
        text.textContent = at < 0 ? welcome : stops[at].text;
        back.disabled = at <= 0;
        next.textContent = at < 0 ? "Start the tour" : at === stops.length - 1 ? "From the beginning" : "Next";
    };
    const go = (to: number) => {
        at = (to + stops.length) % stops.length;
        Promise.resolve(stops[at].open(app)).catch((error) => app.complain(error.message, "open"));
        show();
    };
    const lessons = make("div", { className: "lesson" }, title, text, make("div", { className: "row" }, back, next));
    text.setAttribute("aria-live", "polite");
    lessons.onkeydown = ({ key }) => {
        if (key === "ArrowRight") go(at + 1);
        if (key === "ArrowLeft" && at > 0) go(at - 1);
    };
    show();
    place.append(lessons, mountInPlace());
}

/* ---- update in place --------------------------------------------------------------------------------------------------- */

/** The switch, and the two flocks that it shows beside the big one. */
function mountInPlace(): HTMLElement {
    const box = make("input", { type: "checkbox", id: "in-place" });
    box.setAttribute("role", "switch");
    const pair = new Pair(() => {
        box.checked = false;
        box.focus();
    });
    box.onchange = () => pair.show(box.checked);
    return make("div", { className: "why" },
        make("h2", {}, "Why Dunlin exists"),
        make("p", {}, "A flock that is updated in place lets each agent see some neighbours as they are and others as they will " +
            "be, in an order that means nothing. Dunlin lets all agents see the same snapshot, and so gives the same bits on any " +
            "number of threads."),
        make("label", { className: "switch" }, box, " Update in place"),
        make("p", { className: "doc" }, "Shows two small flocks from one mirrored start, with a snapshot and without."));
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
        const close = () => {
            this.show(false);
            closed();
        };
        const again = () => {
            for (const side of this.sides) side.restart();
            this.run(true);
        };
        this.inset = make("section", { className: "pair", hidden: true, ariaLabel: "Snapshot and update in place" },
            make("div", { className: "sides" }, ...this.sides.map(({ element }) => element)),
            make("p", {}, "Both start as their own mirror images and follow the same rules. Only updating in place breaks the mirror."),
            make("div", { className: "row" }, this.pause, make("button", { type: "button", onclick: again }, "Again"),
                make("button", { type: "button", onclick: close }, "Close")));
        this.inset.onkeydown = (event) => {
            if (event.key !== "Escape") return;
            event.preventDefault();
            close();
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
