// SPDX-License-Identifier: MIT
// Everything that can be adjusted while the flock runs: numbers, choices and entries in groups, from the schema.
import type { App } from "../app";
import { groupsOf } from "../control_model";
import type { Choice, Group } from "../control_model";
import { grouped, iconButton, make } from "../dom";
import { choosePicture } from "../files";
import type { Quantity, Schema } from "../flock";
import { kindsToAdd, newEntry, newRule, unnamed } from "../new_entry";
import { shortest, sliderRange } from "../number_range";
import { glossOf, plainName, rowName, words } from "../plain_words";
import type { Running } from "../protocol";
import { addEntry, placeEntry, readScenario, removeEntry, setChoice, setEnabled, setNumbers,
    switchedOff } from "../scenario_text";
import type { Entry, Value } from "../scenario_text";
import { says as saysSame } from "../synonyms";

const most = 300; // rows and groups of a group that are shown; the others are in the text

export function mountControls(app: App, place: HTMLElement): void {
    const controls = new Controls(app);
    place.append(controls.filter, controls.place);
}

/** What shows a value, and takes the one that the engine has. */
interface Row {
    show: (value: Value | undefined) => void;
    complain: (message: string) => void;
}

class Controls {
    readonly filter = make("input", { type: "search", placeholder: "Find a number or choice",
        ariaLabel: "Find a number or choice" });
    readonly place = make("div", { className: "groups" });
    private schema: Schema | null = null;
    private groups: Group[] = [];
    private readonly numbers = new Map<string, Quantity>();
    private readonly first = new Map<string, number | null>(); // values when the scenario came
    private name = ""; // of the scenario to which `first` belongs
    private readonly rows = new Map<string, Row>(); // those that are there
    private readonly opened = new Map<string, boolean>(); // groups that the user opened or closed
    private built = ""; // what there is to adjust, without its values
    private held = false; // the pointer is down, so nothing may be taken from under it
    private touched: Row | null = null; // the row that the user changed last
    private focusNext = "";
    private askedAt = 0; // when the numbers were asked for, in ms
    private lastRead: { text: string; scenario: Entry } | null = null;

    constructor(private readonly app: App) {
        this.filter.oninput = () => {
            this.build();
            this.showValues();
        };
        this.place.addEventListener("pointerdown", () => (this.held = true));
        for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(() => this.release()));
        app.on("running", (running) => void this.follow(running));
        app.on("picture", ({ file }) => this.addTo(this.groups.find(({ path }) => path === "fields")!, "image", file));
        app.on("set", ({ path, value }) => this.set(path, value));
        app.on("failed", ({ message, during }) => during === "act" && this.touched?.complain(message));
        app.on("frame", ({ playing }) => playing && this.askSchedules());
    }

    private async follow(running: Running): Promise<void> {
        this.schema ??= await this.app.ask<Schema>("schema").catch(this.app.unanswered);
        if (this.schema === null || this.app.running !== running) return;
        try {
            this.update(running);
        } catch (error) {
            this.app.complain(`the panel of rules cannot show this scenario: ${(error as Error).message}`, "page");
        }
    }

    private set(path: string, value: number): void {
        const number = this.numbers.get(path);
        if (number !== undefined) number.value = value;
        this.rows.get(path)?.show(value);
    }

    private update({ text, numbers, name }: Running): void {
        const before = this.groups;
        this.numbers.clear();
        for (const number of numbers) this.numbers.set(number.path, number);
        this.groups = groupsOf(this.schema!, this.read(text), text, numbers);
        this.remember(name, before);
        this.refresh();
    }

    /** Keeps the values with which a scenario came. Where entries have moved, the present values count from now on. */
    private remember(name: string, before: Group[]): void {
        if (name !== this.name) {
            this.first.clear();
            this.opened.clear();
        }
        this.name = name;
        const lengths = new Map(before.map(({ path, groups }) => [path, groups.length]));
        const moved = this.groups.filter(({ path,
            groups }) => lengths.get(path) !== groups.length).map(({ path }) => `${path}[`);
        for (const path of this.first.keys()) if (moved.some((list) => path.startsWith(list))) this.first.delete(path);
        for (const { path, value } of this.numbers.values()) if (!this.first.has(path)) this.first.set(path, value);
    }

    /** Shows the present values. Builds the panel again only when there is something else to adjust than before. */
    private refresh(): void {
        if (this.held) return;
        const shape = JSON.stringify(this.groups, (key, value) => (valueKeys.has(key) ? undefined : value));
        if (shape !== this.built) {
            this.built = shape;
            this.build();
        }
        this.showValues();
    }

    private showValues(): void {
        const choices = this.groups.flatMap(choicesIn);
        for (const { path, value } of [...this.numbers.values(), ...choices]) this.rows.get(path)?.show(value);
    }

    private release(): void {
        if (!this.held) return;
        this.held = false;
        this.refresh();
    }

    /** Schedules change numbers without a word. */
    private askSchedules(): void {
        const scheduled = this.groups.some(({ path, groups }) => path === "schedules" && groups.length > 0);
        if (!scheduled || performance.now() - this.askedAt < 500 || this.place.offsetParent === null) return;
        this.askedAt = performance.now();
        void this.app.ask<Quantity[]>("numbers").catch(this.app.unanswered).then((numbers) => {
            if (this.held || numbers === null) return;
            for (const { path, value } of numbers) this.rows.get(path)?.show(value);
        });
    }

    private build(): void {
        const focused = this.place.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.key
            : undefined;
        const wanted = this.filter.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
        this.rows.clear();
        const found = wanted.length > 0 ? this.groups.flatMap((group) => filtered(group, wanted, "", false)) : this.groups;
        const groups = found.length > 0 ? found : this.groups.flatMap((group) => filtered(group, wanted, "", true));
        const all = groups.map((group) => this.showGroup(group, wanted.length > 0));
        this.place.replaceChildren(...(all.length > 0 ? all : [make("p", { className: "doc" },
            "Nothing here has these words.")]));
        for (const key of [this.focusNext, focused ?? ""])
            if (key !== "") this.place.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
        this.focusNext = "";
    }

    /* -- groups ------------------------------------------------------------------------------------------------------------ */

    private isOpen(path: string): boolean {
        const first = this.groups.find(({ groups }) => groups.length > 0)?.path ?? "";
        return this.opened.get(path) ?? (path === first || (path.startsWith(`${first}[0]`) && !path.endsWith(" more")));
    }

    private showGroup(group: Group, all: boolean): HTMLElement {
        const key = group.on === false ? `off ${group.path}` : group.path;
        const gloss = group.isRest ? "" : glossOf(group.path);
        const count = group.kinds !== null && group.groups.length > 0 ? [make("small", {}, String(group.groups.length))]
            : gloss !== "" ? [make("small", {}, gloss)] : [];
        const summary = make("summary", { title: group.doc }, make("span", {}, group.isRest ? "More" : group.title), ...count);
        summary.dataset.key = key;
        const details = make("details", { open: all || (group.on !== false && this.isOpen(key)) }, summary);
        const fill = () => {
            if (details.children.length === 1 && details.open) details.append(...this.contents(group, all));
        };
        fill();
        details.ontoggle = () => {
            if (!all) this.opened.set(key, details.open);
            fill();
            this.showValues();
        };
        const tools = this.tools(group, key);
        return make("div", { className: group.on === false ? "group off" : "group" }, details,
            ...(tools === null ? [] : [tools]));
    }

    private contents(group: Group, all: boolean): HTMLElement[] {
        if (group.on === false) return [make("p", { className: "doc" }, group.doc, " It is switched off.")];
        const rare = all ? { numbers: [], choices: [] } : rareOf(group);
        const [rareNumbers, rareChoices] = [new Set(rare.numbers), new Set(rare.choices)];
        const numbers = group.numbers.filter((number) => !rareNumbers.has(number));
        const parts = [...numbers.slice(0, most).map((number) => this.number(group, number)),
            ...group.choices.filter((choice) => !rareChoices.has(choice)).map((choice) => this.choice(group, choice))];
        if (group.kinds !== null && group.groups.length === 0) parts.push(make("p", { className: "doc" }, group.doc));
        for (const inner of group.groups.slice(0, most)) parts.push(this.showGroup(inner, all));
        const left = Math.max(numbers.length - most, 0) + Math.max(group.groups.length - most, 0);
        if (left > 0) parts.push(make("p", { className: "doc" }, `${grouped(left)} more are in the text.`));
        const kinds = kindsToAdd(this.known(this.app.text), group.path, group.kinds ?? []);
        if (kinds.length > 0 && !all) parts.push(this.adder(group, kinds));
        if (rare.numbers.length + rare.choices.length > 0) parts.push(this.showGroup(this.more(group, rare), false));
        return parts;
    }

    private more(group: Group, rare: Rare): Group {
        return { ...group, ...rare, path: `${group.path} more`, doc: "", groups: [], on: null, removable: false, kinds: null,
            isRest: true };
    }

    /** The switch of an entry or rule, and the button that removes it. */
    private tools({ path, title, on, removable }: Group, key: string): HTMLElement | null {
        if (on === null && !removable) return null;
        const tools = make("div", { className: "tools" });
        if (on !== null) {
            const box = make("input", { type: "checkbox", checked: on, ariaLabel: `${title}: on`,
                title: on ? "Switch off" : "Switch on" });
            box.dataset.key = `${path} switch`;
            box.onchange = () => this.edit((text) => this.switched(text, path, box.checked));
            tools.append(box);
        }
        if (removable) {
            const list = path.replace(/\[\d+\]$/, "");
            const remove = iconButton("remove", `Remove ${title}`, () => {
                this.focusNext = `${list} add`;
                this.edit((text) => removeEntry(text, path, on === false));
            });
            remove.dataset.key = `${key} remove`;
            tools.append(remove);
        }
        return tools;
    }

    private switched(text: string, path: string, on: boolean): string {
        const isNew = on && switchedOff(text).every((kept) => kept.path !== path);
        return isNew ? placeEntry(text, path, newRule(this.known(text), path.split(".").at(-1)!)) : setEnabled(text, path, on);
    }

    /** Adds an entry of a kind to a list. */
    private adder(group: Group, kinds: string[]): HTMLElement {
        const select = make("select", { ariaLabel: `Kind to add to: ${group.title}`, hidden: kinds.length < 2 },
            ...kinds.map((kind) => new Option(words(kind), kind)));
        const add = make("button", { type: "button", textContent: "Add", ariaLabel: `Add to: ${group.title}` });
        add.dataset.key = `${group.path} add`;
        add.onclick = () => (select.value === "image" ? choosePicture(this.app) : this.addTo(group, select.value));
        return make("div", { className: "add" }, select, add);
    }

    /** file: which a field needs that comes from one. */
    private addTo({ path, groups }: Group, kind: string, file?: string): void {
        const active = groups.filter(({ on }) => on !== false).length;
        this.opened.set(path, true).set(`${path}[${active}]`, true);
        this.edit((text) => this.added(text, path, kind, file));
    }

    private added(text: string, list: string, kind: string, file?: string): string {
        const known = this.known(text);
        const entry = { ...newEntry(known, list, kind), ...(file === undefined ? {} : { [kind]: { file } }) };
        for (const [path, name] of unnamed(known, list)) text = setChoice(text, path, name);
        return addEntry(text, list, entry);
    }

    private known(text: string) {
        return { schema: this.schema!, scenario: this.read(text), about: this.app.running!.about };
    }

    /** Every group asks for the same text. */
    private read(text: string): Entry {
        if (this.lastRead?.text !== text) this.lastRead = { text, scenario: readScenario(text) };
        return this.lastRead.scenario;
    }

    private edit(change: (text: string) => string): void {
        this.app.edit(change(this.app.text));
    }

    /* -- rows -------------------------------------------------------------------------------------------------------------- */

    private number(group: Group, number: Quantity): HTMLElement {
        const { path } = number;
        const { dimensions, size } = this.app.running!.about;
        const name = rowName(path, dimensions, number.unit);
        const label = [group.title, name, number.unit].filter((part) => part !== "").join(", ");
        const slider = make("input", { type: "range", ariaLabel: label });
        const field = make("input", { type: "number", step: number.whole ? "1" : "any", ariaLabel: label,
            placeholder: number.default_text });
        const frame = this.frame(path, name, number.unit, aboutNumber(number), slider, field);
        let shown: number | null | undefined;
        let typed = false; // and not taken yet
        const show = (value: Value | undefined) => {
            if (typeof value !== "number") value = null;
            shown = value;
            const range = sliderRange({ ...number, value: value ?? number.value }, size);
            const outside = value !== null && (value < Number(slider.min) || value > Number(slider.max));
            if (slider.step === "" || outside) Object.assign(slider, { min: String(range.low), max: String(range.high),
                step: String(range.step) });
            slider.valueAsNumber = value ?? number.standard ?? range.low;
            slider.ariaValueText = value === null ? number.default_text : `${shortest(value)} ${number.unit}`;
            if (!typed) field.value = value === null ? "" : String(number.whole ? value : shortest(value));
            frame.back.hidden = isSame(this.first.get(path) ?? null, value);
        };
        const row = { show, complain: frame.complain };
        const change = (value: number) => {
            typed = false;
            this.touch(row);
            if (Number.isNaN(value)) show(shown);
            else this.change(number, value);
        };
        if (number.live) slider.oninput = () => change(slider.valueAsNumber);
        else {
            slider.oninput = () => (field.value = slider.value);
            slider.onchange = () => change(slider.valueAsNumber);
        }
        field.oninput = () => (typed = true);
        field.onblur = () => (typed = false);
        field.onchange = () => change(field.valueAsNumber);
        frame.back.onclick = () => {
            const before = this.first.get(path);
            slider.focus();
            this.touch(row);
            if (before === null) this.edit((text) => setChoice(text, path, undefined));
            else change(before!);
        };
        return this.keep(path, row, frame.place, number.value);
    }

    private keep(path: string, row: Row, place: HTMLElement, value: Value | undefined): HTMLElement {
        this.rows.set(path, row);
        row.show(value);
        return place;
    }

    private touch(row: Row): void {
        this.touched?.complain("");
        this.touched = row;
    }

    /**
     * Changes a number: at once if the simulation can take it, else by the text. A list that the text leaves out is written
     * as a whole.
     */
    private change(number: Quantity, value: number): void {
        const list = number.path.replace(/\[\d+\]$/, "[");
        const others = number.given || list === number.path ? []
            : [...this.numbers.values()].filter(({ path }) => path.startsWith(list));
        const all = new Map(others.filter((one) => one.value !== null).map((one) => [one.path, one.value!])).set(number.path,
            value);
        if (number.live) for (const [path, one] of all) this.app.set(path, one);
        else this.edit((text) => setNumbers(text, all));
    }

    private choice(group: Group, choice: Choice): HTMLElement {
        const { path, options } = choice;
        const name = rowName(path, 2, "");
        const ariaLabel = `${group.title}, ${name}`;
        const taken = (value: Value | undefined) => {
            this.touch(row);
            this.edit((text) => setChoice(text, path, value as string | number | boolean | undefined));
        };
        const input = options === null ? make("input", { type: "text", ariaLabel }) : make("select", { ariaLabel });
        if (options !== null) input.append(...options.map((option) => new Option(wordOf(option), String(option))));
        input.onchange = () => taken(options === null ? input.value : options.find((option) => String(option) === input.value));
        const frame = this.frame(path, name, "", choice.doc, null, input);
        const show = (value: Value | undefined) => (input.value = String(value ?? options?.[0] ?? ""));
        const row: Row = { show, complain: frame.complain };
        return this.keep(path, row, frame.place, choice.value);
    }

    /** A row's elements: its name, which unfolds what it means, and its controls. */
    private frame(path: string, name: string, unit: string, doc: string, slider: HTMLElement | null, field: HTMLElement) {
        const id = `doc ${path}`.replaceAll(/[^\w]/g, "-");
        const own = words(/[^.[\]]+(?=(\[\d+\])?$)/.exec(path)![0]);
        if (!name.startsWith(own)) doc = `In the text: ${own.replaceAll(" ", "_")}. ${doc}`;
        const help = make("p", { className: "doc", id, hidden: true }, doc);
        const mistake = make("p", { className: "wrong", role: "alert", hidden: true });
        const title = make("button", { type: "button", className: "name", title: doc, ariaExpanded: "false" }, name);
        title.setAttribute("aria-controls", id);
        title.onclick = () => {
            help.hidden = !help.hidden;
            title.ariaExpanded = String(!help.hidden);
        };
        const back = iconButton("reset", `Back to the first value of ${name}`, () => {});
        back.hidden = true;
        const parts = { slider, field, name: title, back };
        for (const [role, element] of Object.entries(parts)) if (element !== null) element.dataset.key = `${path} ${role}`;
        for (const control of [slider, field]) control?.setAttribute("aria-describedby", id);
        const place = make("div", { className: "number" }, title, make("small", {}, unit), back, field,
            ...(slider === null ? [] : [slider]), help, mistake);
        place.dataset.path = path;
        const complain = (message: string) => {
            mistake.textContent = message;
            mistake.hidden = message === "";
        };
        return { place, back, complain };
    }
}

/** The same number of binary32. */
function isSame(one: number | null, other: number | null): boolean {
    return one === null || other === null ? one === other : Math.fround(one) === Math.fround(other);
}

type Rare = Pick<Group, "numbers" | "choices">;

/** Of a long group, what the text leaves out. */
function rareOf({ numbers, choices, groups, isRest }: Group): Rare {
    const isRare = (path: string, isGiven: boolean) => !isGiven && !/\.(weight|radius)$/.test(path);
    const rare = { numbers: numbers.filter(({ path, given }) => isRare(path, given === 1)),
        choices: choices.filter(({ path, value }) => isRare(path, value !== undefined)) };
    const [all, left] = [numbers.length + choices.length, rare.numbers.length + rare.choices.length];
    return isRest || all < 4 || (left === all && groups.length === 0) ? { numbers: [], choices: [] } : rare;
}

/** What may change while the panel stays as it is. */
const valueKeys = new Set(["value", "standard", "given", "default_text", "doc"]);

function choicesIn(group: Group): Choice[] {
    return [...group.choices, ...group.groups.flatMap(choicesIn)];
}

/** What a group keeps of itself when only some words are wanted; nothing: []. `widely`: also by descriptions and synonyms. */
function filtered(group: Group, wanted: string[], outside: string, widely: boolean): Group[] {
    const own = `${outside} ${group.title}`.toLowerCase();
    const says = widely ? saysSame : (text: string, word: string) => text.includes(word);
    const fits = ({ path, doc }: { path: string; doc: string }) => {
        const all = `${own} ${words(path)} ${plainName(path)} ${widely ? doc : ""}`.toLowerCase();
        return wanted.every((word) => says(all, word));
    };
    const kept = { ...group, numbers: group.numbers.filter(fits), choices: group.choices.filter(fits),
        groups: group.groups.flatMap((inner) => filtered(inner, wanted, own, widely)) };
    const isEmpty = kept.numbers.length + kept.choices.length + kept.groups.length === 0;
    return isEmpty && !(group.on !== null && wanted.every((word) => says(own, word))) ? [] : [kept];
}

function wordOf(value: Value): string {
    return typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
}

/** Numbers that place the agents, which a simulation that continues does not do again. */
const placing = /^seed$|^species\[\d+\]\.(agents|start)/;

function aboutNumber(number: Quantity): string {
    const { path, doc, unit, min, max, above_min, below_max, default_text, whole } = number;
    const low = min === null ? "" : above_min ? `more than ${min}` : `at least ${min}`;
    const high = max === null || max >= 3e38 ? "" : below_max ? `less than ${max}` : `at most ${max}`;
    const range = [whole ? "a whole number" : "", low, high].filter((part) => part !== "").join(", ");
    const facts = [unit, range, default_text === "" ? "" : `default: ${default_text}`].filter((part) => part !== "").join("; ");
    const later = placing.test(path) ? " It counts from the next restart." : "";
    return `${doc}${later}${facts === "" ? "" : ` (${facts})`}`;
}
