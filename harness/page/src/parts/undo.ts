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

/** What a gesture changed, with what it placed: a predator is a species in the text and an agent. */
interface Step {
    before: State;
    after: State;
    placed: Action[];
    gesture: number;
}

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
    private aside = false; // a number followed the pointer
    private going = false; // to another state, of which the worker has not said yet that it runs
    private refused = false; // the worker has refused a change, and says next what runs

    constructor(private readonly app: App, private readonly changed: () => void) {
        app.on("edited", ({ text, name, settings }) => this.follow({ text, name, settings }));
        app.on("text", ({ text }) => this.follow({ text, name: app.running!.name, settings: app.settings }));
        app.on("placed", ({ action }) => this.now !== null && this.add(this.now, this.now, [action]));
        app.on("set", ({ aside }) => (this.aside ||= aside));
        app.on("failed", ({ during }) => this.fail(during));
    }

    get canUndo(): boolean {
        return this.done.length > 0;
    }

    get canRedo(): boolean {
        return this.undone.length > 0;
    }

    private follow(state: State): void {
        const before = this.now;
        this.now = state;
        if (this.refused) this.takeBack(state);
        else if (before !== null && !this.going && !this.aside && !same(before, state)) this.add(before, state, []);
        this.going = this.aside = this.refused = false;
    }

    private fail(during: string): void {
        this.going = false;
        this.refused = during === "act";
        const { app } = this;
        if (during !== "open" || app.running === null || this.now === null) return;
        this.now = { text: app.text, name: app.running.name, settings: app.settings };
        this.takeBack(this.now);
    }

    /** The last change did not happen. */
    private takeBack(state: State): void {
        const last = this.done.at(-1);
        if (last !== undefined) last.after = state;
        this.dropEmpty();
    }

    /** Of a gesture's changes the last one counts. What opens another scenario is a step of its own. */
    private add(before: State, after: State, placed: Action[]): void {
        const last = this.done.at(-1);
        const { gesture } = this.app;
        if (last !== undefined && gesture > 0 && last.gesture === gesture && last.after.name === after.name) {
            last.after = after;
            last.placed.push(...placed);
        } else this.done.push({ before, after, placed, gesture });
        if (this.done.length > most) this.done.shift();
        this.undone.length = 0;
        this.dropEmpty();
    }

    /** A slider may come back to where it was. */
    private dropEmpty(): void {
        const last = this.done.at(-1);
        if (last !== undefined && last.placed.length === 0 && same(last.before, last.after)) this.done.pop();
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
        this.done.push({ ...step, gesture: 0 });
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
        const own = same(before, after) ? -1 : story.actions.findIndex(([, action]) => action.kind === "rebuild" && action.text === after.text);
        // What came after it was undone before.
        const isOf = (action: Action, i: number) => isPlaced(action) ? gone.has(JSON.stringify(action))
            : own >= 0 && i >= own && (action.kind === "rebuild" || action.kind === "set");
        const { hash: _, ...rest } = story;
        this.going = true;
        this.app.openStory({ ...rest, actions: story.actions.filter(([, action], i) => !isOf(action, i)) });
    }
}

/* ---- gestures ------------------------------------------------------------------------------------------------------------ */

/** From a press of the pointer to the next; keys on the same slider, field or list, up to Enter; a press of any other key. */
function watchGestures(app: App): void {
    let keyed: Element | null = null;
    document.addEventListener("pointerdown", ({ isPrimary, target }) => {
        if (!isPrimary) return;
        const left = document.activeElement as HTMLElement | null;
        if (left?.matches("input") && left !== target && (target as Element).closest("button, canvas, input, label, select, summary")) left.blur(); // what was typed there counts before
        keyed = null;
        app.begin();
    }, true);
    document.addEventListener("keydown", ({ target, key }) => {
        const element = target as Element;
        if (element !== keyed && !element.matches("body, canvas")) app.begin(); // there the hand begins
        keyed = key !== "Enter" && element.matches("select, input:not([type=checkbox])") ? element : null;
    }, true);
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
    watchGestures(app);
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
