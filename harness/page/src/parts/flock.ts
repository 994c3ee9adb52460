// SPDX-License-Identifier: MIT
// The panel for a first visit: what is to be seen, the three rules, agents, speed, a surprise; what the engine does is folded away.
import type { App } from "../app";
import { icon, make } from "../dom";
import { weightsOf } from "../flocking";
import type { Running } from "../protocol";
import { readScenario } from "../scenario_text";
import { openSurprise } from "../shipped";
import { mountAgents } from "./agents";
import { mountEngine } from "./engine";
import { mountProof } from "./proof";

const what = "Each agent sees only its neighbours and follows a few rules. Nothing leads the flock.";
const dials = [
    ["separation", "Separation", "How strongly each keeps away from neighbours that are too close"],
    ["alignment", "Alignment", "How strongly each turns to where its neighbours are heading"],
    ["cohesion", "Cohesion", "How strongly each moves to the middle of its neighbours"],
];
const paces = [0.25, 0.5, 1, 2, 4]; // steps per frame

export function mountFlock(app: App, place: HTMLElement): void {
    const about = make("p");
    const without = make("p", { className: "doc", hidden: true }, "This scenario flocks by other rules: see the panel Rules.");
    const rules = dials.map(([rule, title, doc]) => new Dial(app, rule, title, doc));
    const surprise = () => openSurprise(app, Math.floor(Math.random() * 1e6)).catch((error) => app.complain(error.message, "open"));
    const settings = make("div", { id: "settings" });
    const proof = make("div", { id: "proof" });
    place.append(about, make("p", { className: "doc" }, what), without, ...rules.map((dial) => dial.place));
    mountAgents(app, place);
    place.append(paceDial(app),
        make("button", { type: "button", className: "main", title: "A scenario with random weights; the address repeats it", onclick: () => void surprise() },
            icon("dice"), "Surprise me"),
        make("details", { id: "engine" }, make("summary", {}, "Engine"), settings, proof));
    mountEngine(app, settings);
    mountProof(app, proof);
    app.on("running", (running) => {
        about.textContent = running.about.description;
        for (const dial of rules) dial.follow(running);
        without.hidden = rules.some((dial) => dial.works);
    });
}

/** A slider with its name, what it says and what it means. */
function dial(title: string, doc: string, range: { min: string; max: string; step: string; value: string }) {
    const output = make("output");
    const input = make("input", { type: "range", ...range, ariaLabel: title, title: doc });
    return { input, output, place: make("label", { className: "dial", title: doc }, make("span", {}, title), output, input) };
}

/** Scales the weights of a rule. 1: as the scenario came. */
class Dial {
    readonly place: HTMLElement;
    private readonly input: HTMLInputElement;
    private readonly output: HTMLOutputElement;
    private readonly first = new Map<string, number>(); // weights as the scenario came
    private name = ""; // of that scenario
    private paths: string[] = [];

    constructor(app: App, private readonly rule: string, title: string, doc: string) {
        const { input, output, place } = dial(title, doc, { min: "0", max: "3", step: "0.05", value: "1" });
        [this.input, this.output, this.place] = [input, output, place];
        input.oninput = () => {
            for (const path of this.paths) app.set(path, Number((input.valueAsNumber * this.first.get(path)!).toPrecision(4)));
        };
        app.on("set", ({ path, value }) => path === this.paths[0] && this.show(value));
    }

    get works(): boolean {
        return this.paths.length > 0;
    }

    follow({ text, numbers, name }: Running): void {
        if (name !== this.name) this.first.clear();
        this.name = name;
        const wanted = weightsOf(readScenario(text), this.rule);
        const found = numbers.filter(({ path, live }) => live && wanted.includes(path));
        this.paths = found.map(({ path }) => path);
        for (const { path, value } of found) if (!this.first.has(path)) this.first.set(path, value || 1);
        this.place.hidden = !this.works;
        if (this.works) this.show(found[0].value ?? 1);
    }

    private show(value: number): void {
        const factor = value / this.first.get(this.paths[0])!;
        this.input.valueAsNumber = factor;
        this.input.ariaValueText = this.output.textContent = `× ${Number(factor.toFixed(2))}`;
    }
}

/** How many steps the flock takes per frame: the time step, and so the bits, are the scenario's. */
function paceDial(app: App): HTMLElement {
    const { input, output, place } = dial("Speed", "Steps per frame; the time step stays the scenario's",
        { min: "0", max: String(paces.length - 1), step: "1", value: String(paces.indexOf(1)) });
    const show = () => (input.ariaValueText = output.textContent = `× ${paces[input.valueAsNumber]}`);
    input.oninput = () => {
        show();
        app.tell({ do: "pace", steps: paces[input.valueAsNumber] });
    };
    show();
    return place;
}
