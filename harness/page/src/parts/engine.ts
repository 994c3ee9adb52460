// SPDX-License-Identifier: MIT
// How the engine runs the scenario: time step, seed, kernel, threads.
import type { App } from "../app";
import { iconButton, make } from "../dom";
import { offerThreads } from "../keeping";
import { shortest, sliderRange } from "../number_range";

export function mountEngine(app: App, place: HTMLElement): void {
    mountTimeStep(app, place);
    mountSeed(app, place);
    mountKernel(app, place);
    mountThreads(app, place);
}

function setting(label: string, ...controls: HTMLElement[]): HTMLElement {
    const name = make("span", {}, label);
    return make(controls.length === 1 ? "label" : "div", { className: "setting" }, name, ...controls);
}

function mountTimeStep(app: App, place: HTMLElement): void {
    const path = "world.time_step";
    const slider = make("input", { type: "range", ariaLabel: "Time step" });
    const field = make("input", { type: "number", step: "any", ariaLabel: "Time step, in time units" });
    const show = (value: number) => {
        slider.valueAsNumber = value;
        field.valueAsNumber = shortest(value);
    };
    slider.oninput = () => app.set(path, slider.valueAsNumber);
    field.onchange = () => app.set(path, field.valueAsNumber);
    place.append(setting("Time step", slider, field));
    app.on("set", (news) => {
        if (news.path === path) show(news.value);
    });
    app.on("running", ({ numbers, about }) => {
        const number = numbers.find((one) => one.path === path);
        if (number === undefined) return;
        const { low, high, step } = sliderRange(number, about.size);
        Object.assign(slider, { min: String(low), max: String(high), step: String(step) });
        show(number.value ?? 1);
    });
}

function mountSeed(app: App, place: HTMLElement): void {
    const field = make("input", { type: "text", inputMode: "numeric", pattern: "[0-9]{1,20}", className: "seed", ariaLabel: "Seed" });
    const simulate = (seed: string) => app.restart({ ...app.running?.settings, seed });
    field.onchange = () => {
        if (/^\d+$/.test(field.value) && BigInt(field.value) < 2n ** 64n) return simulate(field.value);
        app.complain(`the seed is ${field.value}, and must be a whole number from 0 to ${2n ** 64n - 1n}`, "restart");
        field.value = app.running?.about.seed ?? "";
    };
    const renew = iconButton("dice", "New seed", () => simulate(String(crypto.getRandomValues(new Uint32Array(1))[0])));
    place.append(setting("Seed", field, renew));
    app.on("running", ({ about }) => (field.value = about.seed));
}

function choose(label: string, act: (value: string) => void): HTMLSelectElement {
    const select = make("select", { ariaLabel: label });
    select.onchange = () => act(select.value);
    return select;
}

function mountKernel(app: App, place: HTMLElement): void {
    const select = choose("Kernel", (kernel) => app.edit(app.text, { ...app.running?.settings, kernel }));
    select.append(new Option("simd128, 4 lanes", "simd128"), new Option("scalar, 1 lane", "scalar"));
    place.append(setting("Kernel", select));
    app.on("running", ({ about }) => (select.value = about.kernel));
}

function mountThreads(app: App, place: HTMLElement): void {
    const select = choose("Threads", (threads) => app.edit(app.text, { ...app.running?.settings, threads: Number(threads) }));
    const why = "One thread only: this page is not cross-origin isolated, so the browser allows no more. "
        + "A server that sends the headers COOP and COEP, as that of “make page-serve” does, changes that.";
    const help = make("button", { type: "button", className: "link", onclick: () => app.say(why, ...offerThreads()) }, "why only 1?");
    place.append(setting("Threads", select, help));
    app.on("started", ({ threads }) => {
        select.replaceChildren(...Array.from({ length: threads }, (_, i) => new Option(String(i + 1))));
        select.disabled = threads === 1;
        help.hidden = crossOriginIsolated;
    });
    app.on("running", ({ about }) => (select.value = String(about.threads)));
}
