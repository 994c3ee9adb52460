// SPDX-License-Identifier: MIT
// Two worlds with one difference, side by side: the same scenario, seed and steps, and one number that differs. Both begin again whenever it
// changes, and no world takes a step before the other one has taken the step before. The address has all of it.
import { App } from "./app";
import { groupsOf, rules } from "./control_model";
import type { Group } from "./control_model";
import { icon, iconButton, make } from "./dom";
import type { Quantity, Schema } from "./flock";
import { weightsOf } from "./flocking";
import type { Frame, Running, Story } from "./protocol";
import { inWords, whatIsMissing } from "./missing";
import { shortest, sliderRange } from "./number_range";
import { mountMessages } from "./parts/messages";
import { mountTheme } from "./parts/theme";
import { glossOf, plainName, rowName } from "./plain_words";
import { readScenario, setNumbers } from "./scenario_text";
import { textOfShipped } from "./shipped";
import { linkMark, unpackStory } from "./story";

const find = <Kind extends HTMLElement>(id: string) => document.getElementById(id) as Kind;

/** A number that may differ, in the words of the page's panel of rules. */
interface Option {
    path: string;
    label: string;
    /** What it is called beside a picture, and what its rule is about. */
    name: string;
    gloss: string;
}

/** All numbers of a group; a list's title says nothing that its entries do not say. */
function optionsOf(group: Group, outside: string, dimensions: number): Option[] {
    const inside = group.kinds === null ? [outside, group.title].filter(Boolean).join(", ") : outside;
    const own = group.numbers.filter(({ live }) => live).map(({ path, unit }): Option => {
        const [name, gloss] = [rowName(path, dimensions, unit), glossOf(group.path)];
        return { path, label: `${inside || group.title}: ${name}`, name: gloss ? `${group.title}: ${name}` : name, gloss };
    });
    return [...own, ...group.groups.flatMap((inner) => optionsOf(inner, inside, dimensions))];
}

/** What may differ: the strengths of the three rules first, then all as the panel has it. */
function choicesOf(schema: Schema, { text, numbers, about }: Running): Record<string, Option[]> {
    const scenario = readScenario(text);
    const all = groupsOf(schema, scenario, text, numbers).map((group) => [group.title, optionsOf(group, "", about.dimensions)] as const);
    const flat = all.flatMap(([, options]) => options);
    const three = rules.flatMap((rule) => weightsOf(scenario, rule)).flatMap((path) => flat.find((one) => one.path === path) ?? []);
    return { "The three rules": three, ...Object.fromEntries(all) };
}

/** One of the two worlds. */
class World {
    readonly app = new App("worker.js");
    private steps: HTMLElement;
    private says: HTMLElement;
    private reached: { resolve: () => void; reject: (error: Error) => void } | null = null;
    private opened: { resolve: (running: Running) => void; reject: (error: Error) => void } | null = null;

    constructor(id: string) {
        const sky = find<HTMLCanvasElement>(id);
        [this.says, this.steps] = sky.parentElement!.querySelectorAll<HTMLElement>("figcaption span, figcaption small");
        const canvas = sky.transferControlToOffscreen();
        const threads = crossOriginIsolated ? Math.min(Math.max(navigator.hardwareConcurrency >> 1, 1), 8) : 1;
        this.app.tell({ do: "start", canvas, threads, base: new URL(".", location.href).href }, [canvas]);
        new ResizeObserver(() => this.app.tell({ do: "resize", width: sky.clientWidth, height: sky.clientHeight, ratio: devicePixelRatio })).observe(sky);
        this.app.on("frame", (frame) => this.follow(frame));
        this.app.on("running", (running) => this.opened?.resolve(running));
        this.app.on("failed", ({ message }) => {
            for (const waiting of [this.opened, this.reached]) waiting?.reject(new Error(message));
        });
        document.addEventListener("visibilitychange", () => this.app.tell({ do: "rest", on: document.hidden }));
    }

    private follow({ stats }: Frame): void {
        this.steps.textContent = `${stats.agents} agents, step ${stats.step}`;
        this.reached?.resolve();
    }

    /** What this world has of the number that differs. */
    label(value: string): void {
        this.says.textContent = value;
    }

    /** Takes a step; resolves once it is drawn. */
    step(): Promise<void> {
        return new Promise((resolve, reject) => {
            this.reached = { resolve, reject };
            this.app.tell({ do: "step" });
        });
    }

    /** Begins a simulation; resolves once it stands at its beginning. */
    open(story: Story): Promise<Running> {
        return new Promise((resolve, reject) => {
            this.opened = { resolve, reject };
            this.app.openStory(story);
        });
    }
}

/** What a difference is seen of best, if the scenario has it. */
const striking = [/alignment\.weight$/, /^(interactions|behaviours).*\.weight$/, /\.max_speed$/, /./];

/** Another value that the number may have: no strength at all, or twice as much of anything else. Half would be below some minimum speeds. */
function another(number: Quantity, usual: number, size: number[]): number {
    const { low, high } = sliderRange(number, size);
    const weight = number.path.endsWith(".weight");
    const wanted = !weight ? shortest(2 * usual) : usual === 0 ? 1 : 0;
    return [wanted, high, low].find((value) => value !== usual && value >= low && value <= high)!;
}

class Comparison {
    private playing = false;
    private stepping: Promise<unknown> = Promise.resolve();
    private opened = 0;
    private schema: Schema | null = null;
    private renew = () => {};
    private renewed = new Promise<void>((resolve) => (this.renew = resolve)); // once both begin again

    constructor(readonly left: World, readonly right: World, private readonly story: Story, private path: string, private value: number | null) {}

    /** Begins both again, with the difference as it is now. */
    async begin(): Promise<void> {
        const own = ++this.opened;
        const { story } = this;
        const running = await this.left.open(story);
        if (own !== this.opened) return;
        const numbers = running.numbers.filter(({ live }) => live);
        const chosen = numbers.find(({ path }) => path === this.path) ??
            striking.map((path) => numbers.find((one) => path.test(one.path))).find((one) => one !== undefined)!;
        this.path = chosen.path;
        const usual = shortest(chosen.value ?? chosen.standard ?? 0);
        this.value ??= another(chosen, usual, running.about.size);
        this.schema ??= await this.left.app.ask<Schema>("schema");
        this.show(running, usual);
        const text = this.value === usual ? story.text : setNumbers(story.text, [[this.path, this.value]]);
        const { colour } = running.about.species[0].look; // the scenario's own could follow from what differs
        for (const { app } of [this.left, this.right]) app.draw({ colour: colour === "attribute" ? "scenario" : colour });
        await this.right.open({ ...story, text });
    }

    /** Says which number differs, offers others, and keeps them in the address. */
    private show(running: Running, usual: number): void {
        const { path } = this;
        const value = this.value!;
        const choices = choicesOf(this.schema!, running);
        const { label, name, gloss } = Object.values(choices).flat().find((one) => one.path === path) ??
            { label: plainName(path), name: plainName(path), gloss: "" };
        find("name").textContent = running.about.name;
        find("says").replaceChildren(...(value === usual ? ["Both are the same."] :
            ["One difference: ", make("b", {}, label), gloss && ` (${gloss})`, `. A has ${usual}, B has ${value}.`]));
        this.left.label(`${name} ${usual}`);
        this.right.label(`${name} ${value}`);
        stack(running.about.size);
        const select = make("select", { ariaLabel: "What differs", onchange: () => this.change(select.value, null) },
            ...Object.entries(choices).filter(([, options]) => options.length > 0).map(([group, options]) => make("optgroup", { label: group },
                ...options.map((one) => make("option", { value: one.path }, one.label)))));
        select.value = path; // the first of its kind
        const quantity = running.numbers.find((one) => one.path === path)!;
        const { low, high, step } = sliderRange(quantity, running.about.size);
        const slider = make("input", { type: "range", min: String(low), max: String(high), step: String(step), value: String(value), ariaLabel: `${name} in B` });
        const field = make("input", { type: "number", step: "any", value: String(value), ariaLabel: `${name} in B, as a number` });
        slider.oninput = () => (field.value = slider.value);
        slider.onchange = () => this.change(path, slider.valueAsNumber);
        field.onchange = () => this.change(path, field.valueAsNumber);
        find("choice").replaceChildren(select, make("span", {}, "in B:"), slider, field,
            make("button", { type: "button", onclick: () => this.change(path, usual) }, "No difference"));
        const asked = new URLSearchParams(location.search);
        asked.set("path", path);
        asked.set("value", String(value));
        history.replaceState(null, "", `?${asked}${location.hash}`);
    }

    change(path: string, value: number | null): void {
        if (Number.isNaN(value)) return;
        [this.path, this.value] = [path, value];
        this.again();
    }

    again(): void {
        this.stepping = this.stepping.catch(() => {}).then(() => this.begin());
        this.stepping.catch(() => {}); // the world has said why
        this.renew();
        this.renewed = new Promise((resolve) => (this.renew = resolve));
    }

    /** One step of both. Others wait for it, so that both are always at the same one. */
    step(): Promise<unknown> {
        this.stepping = this.stepping.then(() => Promise.all([this.left.step(), this.right.step()]));
        return this.stepping;
    }

    async play(on: boolean): Promise<void> {
        if (on === this.playing) return;
        this.playing = on;
        while (this.playing) await this.step().catch(() => this.renewed);
    }

    get isPlaying(): boolean {
        return this.playing;
    }
}

/** Above one another or side by side, whichever shows the world larger. */
function stack([width, height]: number[]): void {
    const main = document.querySelector("main")!;
    const fit = () => {
        const { clientWidth, clientHeight } = main;
        const scale = (across: number, down: number) => Math.min(clientWidth / across / width, clientHeight / down / height);
        main.classList.toggle("stacked", scale(1, 2) > scale(2, 1));
    };
    onresize = fit;
    fit();
}

const usual = "noc_5_09_flock";

/** The page with the scenario of the comparison. */
function wayBack(): string {
    return location.hash.startsWith(linkMark) ? `./${location.hash}` : `./?scenario=${new URLSearchParams(location.search).get("scenario") ?? usual}`;
}

/** What the address names: a simulation's beginning, or a shipped scenario. */
async function storyAsked(): Promise<Story> {
    if (location.hash.startsWith(linkMark)) {
        const story = await unpackStory(location.hash.slice(linkMark.length));
        return { ...story, actions: [], step: 0 };
    }
    const name = new URLSearchParams(location.search).get("scenario") ?? usual;
    return { text: await textOfShipped(name), name: `${name}.yaml`, settings: {}, actions: [], step: 0 };
}

declare global {
    var dunlinComparison: Comparison;
}

async function start(): Promise<void> {
    const [left, right] = [new World("left"), new World("right")];
    for (const { app } of [left, right]) mountMessages(app, find("messages"));
    mountTheme(left.app, find("theme"));
    const dark = () => right.app.draw({ dark: !document.documentElement.classList.contains("light") });
    new MutationObserver(dark).observe(document.documentElement, { attributes: true, attributeFilter: ["class"] });
    dark();
    const asked = new URLSearchParams(location.search);
    const comparison = new Comparison(left, right, await storyAsked(), asked.get("path") ?? "", asked.has("value") ? Number(asked.get("value")) : null);
    globalThis.dunlinComparison = comparison;
    for (const link of document.querySelectorAll<HTMLAnchorElement>("a")) link.href = wayBack();
    const play = make("button", { type: "button", id: "play" });
    const show = (on: boolean) => {
        play.replaceChildren(icon(on ? "pause" : "play"));
        play.ariaLabel = play.title = on ? "Pause" : "Start";
        void comparison.play(on);
    };
    play.onclick = () => show(!comparison.isPlaying);
    find("transport").append(iconButton("restart", "Restart", () => comparison.again()), play, iconButton("step", "One step", () => {
        show(false);
        comparison.step().catch(() => {});
    }));
    comparison.again();
    show(true);
}

const missing = whatIsMissing();
if (missing !== null) find("says").textContent = inWords(missing);
else start().catch((error) => (find("says").textContent = `The comparison cannot start: ${error.message}`));
