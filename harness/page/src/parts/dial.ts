// SPDX-License-Identifier: MIT
// Sliders for the weights of the three rules.
import type { App } from "../app";
import { make } from "../dom";
import { weightsOf } from "../flocking";
import type { Running } from "../protocol";
import { readScenario } from "../scenario_text";

export const dials: [rule: string, title: string, doc: string][] = [
    ["separation", "Separation", "How strongly each keeps away from neighbours that are too close"],
    ["alignment", "Alignment", "How strongly each turns to where its neighbours are heading"],
    ["cohesion", "Cohesion", "How strongly each moves to the middle of its neighbours"],
];

/** A slider with its name, what it says and what it means. */
export function dial(title: string, doc: string, range: { min: string; max: string; step: string; value: string }) {
    const output = make("output");
    const input = make("input", { type: "range", ...range, ariaLabel: title, title: doc });
    return { input, output, place: make("label", { className: "dial", title: doc }, make("span", {}, title), output, input) };
}

/** Scales the weights of a rule. 1: as the scenario came. */
export class Dial {
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
