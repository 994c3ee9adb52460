// SPDX-License-Identifier: MIT
// Start, pause, step, restart, and how the scenario runs: agents, seed, kernel, threads, time step.
import type { App } from "../app";
import { grouped, icon, iconButton, make } from "../dom";
import type { Stats } from "../flock";
import { shortest, sliderRange } from "../number_range";
import type { Running } from "../protocol";

const fewest = 10;
const mostBySlider = 5e6; // the field takes more
const workPerSecond = 1e9; // pairs that a thread tests, about
const loneWork = 12; // pairs that are tested for an agent without neighbours, about
const slow = 0.25; // seconds for a step: the flock hardly moves
const agentWork = 100; // pairs that take as long as all else that a step does for an agent, about

/** Buttons and figures go into `place`, the settings into `settings`. */
export function mountTransport(app: App, place: HTMLElement, settings: HTMLElement): void {
    mountButtons(app, place, settings);
    mountFigures(app, place);
    const stats = () => latest;
    let latest: Stats | null = null;
    app.on("frame", (frame) => (latest = frame.stats));
    mountAgents(app, settings, stats);
    mountTimeStep(app, settings);
    mountSeed(app, settings);
    mountKernel(app, settings);
    mountThreads(app, settings);
}

function mountButtons(app: App, place: HTMLElement, settings: HTMLElement): void {
    let playing = false;
    const play = make("button", { type: "button", id: "play", onclick: () => app.tell({ do: "play", on: !playing }) });
    const show = (now: boolean) => {
        if (now === playing && play.firstChild !== null) return;
        playing = now;
        play.replaceChildren(icon(playing ? "pause" : "play"));
        play.ariaLabel = play.title = playing ? "Pause" : "Start";
    };
    const step = () => {
        if (playing) app.tell({ do: "play", on: false });
        app.tell({ do: "step" });
    };
    const unfold = iconButton("settings", "Agents, seed, kernel, threads", () => {
        settings.hidden = !settings.hidden;
        unfold.ariaExpanded = String(!settings.hidden);
    });
    settings.hidden = innerWidth < 1100 || innerHeight < 500;
    unfold.ariaExpanded = String(!settings.hidden);
    unfold.setAttribute("aria-controls", settings.id);
    place.append(make("div", { className: "buttons", role: "toolbar", ariaLabel: "Simulation" },
        iconButton("restart", "Restart", () => app.restart()), play, iconButton("step", "One step", step), unfold));
    app.on("frame", (frame) => show(frame.playing));
    show(false);
}

function mountFigures(app: App, place: HTMLElement): void {
    const agents = make("b", {}, "–");
    const frames = make("b", {}, "–");
    const step = make("b", {}, "–");
    place.append(make("div", { className: "figures" }, make("span", {}, agents, " agents"),
        make("span", { title: "Frames per second" }, frames, " fps"), make("span", { className: "wide" }, "step ", step)));
    app.on("frame", ({ stats, framesPerSecond, playing }) => {
        agents.textContent = grouped(stats.agents);
        step.textContent = grouped(stats.step);
        frames.textContent = !playing ? "–" : framesPerSecond.toFixed(framesPerSecond < 9.95 ? 1 : 0);
    });
}

/* ---- settings ---------------------------------------------------------------------------------------------------------- */

function setting(label: string, ...controls: HTMLElement[]): HTMLElement {
    const name = make("span", {}, label);
    return make(controls.length === 1 ? "label" : "div", { className: "setting" }, name, ...controls);
}

function mountAgents(app: App, place: HTMLElement, stats: () => Stats | null): void {
    const toSlider = (count: number) => Math.log(count / fewest) / Math.log(mostBySlider / fewest);
    const fromSlider = (part: number) => Number((fewest * (mostBySlider / fewest) ** part).toPrecision(2));
    const slider = make("input", { type: "range", min: "0", max: "1", step: "0.005", ariaLabel: "Agents" });
    const field = make("input", { type: "number", min: "1", step: "1", className: "agents", ariaLabel: "Number of agents" });
    const show = (count: number) => {
        slider.valueAsNumber = toSlider(Math.max(count, fewest));
        slider.ariaValueText = `${grouped(count)} agents`;
        field.valueAsNumber = count;
    };
    const simulate = (count: number) => askFor(app, count, stats(), show);
    slider.oninput = () => {
        field.valueAsNumber = fromSlider(slider.valueAsNumber);
        slider.ariaValueText = `${grouped(field.valueAsNumber)} agents`;
    };
    slider.onchange = () => simulate(fromSlider(slider.valueAsNumber));
    field.onchange = () => simulate(field.valueAsNumber);
    place.append(setting("Agents", slider, field));
    let fresh = false;
    app.on("running", () => (fresh = true));
    app.on("frame", (frame) => {
        if (fresh || (document.activeElement !== slider && document.activeElement !== field)) show(frame.stats.agents);
        fresh = false;
    });
}

/** Begins the simulation with so many agents. If the steps would be slow, it first asks, and offers to enlarge the world as well. */
function askFor(app: App, count: number, stats: Stats | null, show: (count: number) => void): void {
    const running = app.running;
    if (running === null || stats === null) return;
    if (!(count >= 1)) return show(stats.agents);
    const start = (text: string) => app.open(text, running.name, { ...running.settings, agents: Math.round(count) });
    const growth = count / Math.max(stats.agents, 1);
    const pairs = pairsOf(count, stats, running);
    const seconds = (pairs + agentWork * count) / workPerSecond;
    if (growth <= 1 || seconds < slow) return start(app.text);
    show(stats.agents);
    const time = seconds < 100 ? `some ${inWords(seconds)} seconds` : seconds < 6000 ? "minutes" : "hours";
    const anyway = { label: "Run them anyway", act: () => start(app.text) };
    if (pairs < agentWork * count) return app.say(`Each step of ${grouped(count)} agents takes ${time}.`, anyway);
    app.say(`${grouped(count)} agents would be so close together here that each step tests some ${inWords(pairs)} pairs, which takes ${time}.`,
        { label: "Enlarge the world, too", act: () => start(enlarged(app, growth)) }, anyway);
}

/**
 * About how many pairs a step would test: as those that run now, if they are enough, and as agents that are spread over the world
 * and see as far as the interaction that sees least far; others may be those of a few agents.
 */
function pairsOf(count: number, { agents, pairs_tested }: Stats, { about, numbers }: Running): number {
    const reach = new Map<string, number>();
    for (const { path, value } of numbers) {
        const [, interaction] = /^(interactions\[\d+\])\.\w+\.radius$/.exec(path) ?? [];
        if (interaction !== undefined) reach.set(interaction, Math.max(reach.get(interaction) ?? 0, value ?? 0));
    }
    const cells = 3 * Math.min(...reach.values(), Infinity);
    const seen = reach.size === 0 ? 0 : about.size.reduce((share, length) => share * Math.min(cells / length, 1), 1);
    const now = agents < 1000 ? 0 : Math.max(pairs_tested - loneWork * agents, 0);
    return Math.max(count ** 2 * seen, now * (count / agents) ** 2);
}

/** 30 billion. */
function inWords(number: number): string {
    return new Intl.NumberFormat("en", { notation: "compact", compactDisplay: "long", maximumSignificantDigits: 1 }).format(number);
}

/** The text with a world so much larger that the agents have as much room as now. */
function enlarged(app: App, growth: number): string {
    const { size } = app.running!.about;
    const factor = growth ** (1 / size.length);
    return app.withNumbers(size.map((length, axis) => [`world.size[${axis}]`, Number((length * factor).toPrecision(4))]));
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
    const help = make("button", { type: "button", className: "link", onclick: () => app.say(why) }, "why only 1?");
    place.append(setting("Threads", select, help));
    app.on("started", ({ threads }) => {
        select.replaceChildren(...Array.from({ length: threads }, (_, i) => new Option(String(i + 1))));
        select.disabled = threads === 1;
        help.hidden = crossOriginIsolated;
    });
    app.on("running", ({ about }) => (select.value = String(about.threads)));
}
