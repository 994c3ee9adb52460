// SPDX-License-Identifier: MIT
// How many agents there are. A number that makes steps slow is asked about first.
import type { App } from "../app";
import { grouped, make } from "../dom";
import type { Stats } from "../flock";
import type { Running } from "../protocol";

const fewest = 10;
const mostBySlider = 5e6; // the field takes more
const workPerSecond = 1e9; // pairs that a thread tests, about
const loneWork = 12; // pairs that are tested for an agent without neighbours, about
const slow = 0.25; // seconds for a step: the flock hardly moves
const agentWork = 100; // pairs that take as long as all else that a step does for an agent, about

export function mountAgents(app: App, place: HTMLElement): void {
    let stats: Stats | null = null;
    const toSlider = (count: number) => Math.log(count / fewest) / Math.log(mostBySlider / fewest);
    const fromSlider = (part: number) => Number((fewest * (mostBySlider / fewest) ** part).toPrecision(2));
    const slider = make("input", { type: "range", min: "0", max: "1", step: "0.005", ariaLabel: "Agents", title: "How many agents there are" });
    const field = make("input", { type: "number", min: "1", step: "1", className: "agents", ariaLabel: "Number of agents" });
    const show = (count: number) => {
        slider.valueAsNumber = toSlider(Math.max(count, fewest));
        slider.ariaValueText = `${grouped(count)} agents`;
        field.valueAsNumber = count;
    };
    const simulate = (count: number) => askFor(app, count, stats, show);
    slider.oninput = () => {
        field.valueAsNumber = fromSlider(slider.valueAsNumber);
        slider.ariaValueText = `${grouped(field.valueAsNumber)} agents`;
    };
    slider.onchange = () => simulate(fromSlider(slider.valueAsNumber));
    field.onchange = () => simulate(field.valueAsNumber);
    place.append(make("div", { className: "dial" }, make("span", {}, "Agents"), field, slider));
    let fresh = false;
    app.on("running", () => (fresh = true));
    app.on("frame", (frame) => {
        ({ stats } = frame);
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

