// SPDX-License-Identifier: MIT
// Undo and redo of all that is placed or changed, and the browser's Back and Forward through scenarios, as they were left.
import { type App, isPlaced } from "../app";
import { iconButton } from "../dom";
import { numberVisit, visitNumber } from "../kept";
import type { Action, PlainSettings, Story } from "../protocol";

/** What runs, without its agents. */
interface State {
    name: string;
    text: string;
    settings: PlainSettings;
}

/** A change, with what was placed right after it: a predator is a species in the text and an agent. */
interface Step {
    before: State;
    after: State;
    placed: Action[];
}

const together = 800; // ms between parts of one change
const most = 200; // steps that are kept

function same(one: State, other: State): boolean {
    return one.text === other.text && one.name === other.name && JSON.stringify(one.settings) === JSON.stringify(other.settings);
}

/** Whether agents can stay while one takes the other's place. */
function continues(one: State, other: State): boolean {
    const { agents, seed, init } = one.settings;
    return one.name === other.name && agents === other.settings.agents && seed === other.settings.seed && init === other.settings.init;
}

class Steps {
    private readonly done: Step[] = [];
    private readonly undone: Step[] = [];
    private now: State | null = null;
    private lately = -Infinity; // when the last step was changed, in ms
    private aside = false; // a number followed the pointer
    private going = false; // to another state, of which the worker has not said yet that it runs

    constructor(private readonly app: App, private readonly changed: () => void) {
        app.on("text", ({ text }) => this.follow(text));
        app.on("placed", ({ action }) => this.place(action));
        app.on("set", ({ aside }) => (this.aside ||= aside));
        app.on("failed", () => (this.going = false));
    }

    get canUndo(): boolean {
        return this.done.length > 0;
    }

    get canRedo(): boolean {
        return this.undone.length > 0;
    }

    private follow(text: string): void {
        const { name, settings } = this.app.running!;
        const state = { name, text, settings };
        if (this.now !== null && !this.going && !this.aside && !same(this.now, state)) this.change(this.now, state);
        this.going = this.aside = false;
        this.now = state;
    }

    /** The worker takes a text before what is placed with it, but the page may hear of the text later. */
    private change(before: State, after: State): void {
        const last = this.done.at(-1);
        const belongs = last !== undefined && last.placed.length > 0 && last.after === before && performance.now() - this.lately < together;
        if (belongs) last.after = after;
        else this.add({ before, after, placed: [] });
    }

    private place(action: Action): void {
        const last = this.done.at(-1);
        if (this.now === null) return;
        if (last === undefined || performance.now() - this.lately > together) this.add({ before: this.now, after: this.now, placed: [action] });
        else last.placed.push(action);
        this.lately = performance.now();
    }

    private add(step: Step): void {
        this.done.push(step);
        if (this.done.length > most) this.done.shift();
        this.undone.length = 0;
        this.lately = performance.now();
        this.changed();
    }

    async undo(): Promise<void> {
        const step = this.done.pop();
        if (step === undefined) return;
        this.undone.push(step);
        this.changed();
        if (step.placed.length > 0) await this.repeatWithout(step);
        else this.go(step.after, step.before);
    }

    redo(): void {
        const step = this.undone.pop();
        if (step === undefined) return;
        this.done.push(step);
        this.lately = -Infinity;
        this.changed();
        if (!same(step.before, step.after)) this.go(step.before, step.after);
        for (const action of step.placed) this.app.tell({ do: "act", action });
    }

    private go(from: State, { text, name, settings }: State): void {
        this.going = true;
        if (continues(from, { text, name, settings })) this.app.edit(text, settings);
        else this.app.open(text, name, settings);
    }

    /** The simulation as it would be now if the step had not been. */
    private async repeatWithout({ before, after, placed }: Step): Promise<void> {
        const story = await this.app.ask<Story | null>("story").catch(this.app.unanswered);
        if (story === null) return;
        const gone = new Set(placed.map((action) => JSON.stringify(action)));
        const isOf = (action: Action) => isPlaced(action) ? gone.has(JSON.stringify(action))
            : action.kind === "rebuild" && !same(before, after) && action.text === after.text;
        const { hash: _, ...rest } = story;
        this.going = true;
        this.app.openStory({ ...rest, actions: story.actions.filter(([, action]) => !isOf(action)) });
    }
}

const typing = "textarea, [contenteditable], input:not([type=range], [type=checkbox], [type=radio])";

export function mountUndo(app: App, place: HTMLElement): void {
    const steps = new Steps(app, () => show());
    const undo = iconButton("undo", "Undo (Ctrl+Z)", () => void steps.undo());
    const redo = iconButton("redo", "Redo (Ctrl+Shift+Z)", () => steps.redo());
    const show = () => [undo.disabled, redo.disabled] = [!steps.canUndo, !steps.canRedo];
    place.append(undo, redo);
    show();
    document.addEventListener("keydown", (event) => {
        const key = event.key.toLowerCase();
        if (!(event.ctrlKey || event.metaKey) || !["z", "y"].includes(key) || (event.target as Element).closest(typing)) return;
        event.preventDefault();
        if (key === "y" || event.shiftKey) steps.redo();
        else void steps.undo();
    });
    mountVisits(app);
}

/* ---- Back and Forward ---------------------------------------------------------------------------------------------------- */

const visits = new Map<number, State>(); // of this visit to the page

/** Whether the page knows what this entry of the history shows. */
export function isKnownVisit(): boolean {
    return visits.has(visitNumber() ?? -1);
}

function mountVisits(app: App): void {
    app.on("running", () => {
        if (visitNumber() === null || !isKnownVisit()) numberVisit(visits.size + 1);
    });
    app.on("text", ({ text }) => {
        const { name, settings } = app.running!;
        const visit = visitNumber();
        if (visit !== null) visits.set(visit, { name, text, settings });
    });
    addEventListener("popstate", () => {
        const state = visits.get(visitNumber() ?? -1);
        if (state !== undefined) app.open(state.text, state.name, state.settings);
    });
}
