// SPDX-License-Identifier: MIT
// Pointer, touch and keyboard over the flock: a toolbar says what they do.
import type { App } from "../app";
import { make } from "../dom";
import { Preview } from "../hands/preview";
import { makeTools } from "../hands/tools";
import type { Tool, Touch } from "../hands/tools";
import type { Spot, View } from "../hands/view";
import { showHelp } from "./help";

const digits = "1234567890";
const arrows: Record<string, [number, number]> = {
    ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};
const typing = "input, select, textarea, [contenteditable], dialog";
const pressing = "button, a, summary, [role=tab]";

export function mountHands(app: App, sky: HTMLCanvasElement, view: View, place: HTMLElement): void {
    const main = place.parentElement!;
    const preview = new Preview(main);
    const bar = new Bar(app, place);
    const tools = makeTools({ app, view, preview, species: () => bar.species, say: (message) => bar.say(message) });
    const hand = new Hand(app, preview, () => bar.tool);
    bar.fill(tools, () => hand.cancel(), () => showHelp(app));
    sky.addEventListener("pointerdown", () => bar.say(""), { once: true });
    new Pointer(app, sky, view, hand);
    new Keys(app, sky, view, hand, bar, preview);
    respectMotion(app);
}

/** Butterflies hold still for visitors that want less motion. The camera moves by hand only. */
function respectMotion(app: App): void {
    const less = matchMedia("(prefers-reduced-motion: reduce)");
    const tell = () => app.draw({ still: less.matches });
    less.addEventListener("change", tell);
    app.on("started", tell);
}

/* ---- the toolbar --------------------------------------------------------------------------------------------------------- */

class Bar {
    tool!: Tool;
    tools: Tool[] = [];
    openHelp = () => {};
    private readonly buttons: HTMLButtonElement[] = [];
    private readonly chosen = make("select", { ariaLabel: "Species of the hand", title: "The tools' species" });
    private readonly hint = make("p", { className: "hint" });
    private timer = 0; // until the hint goes
    private letGo = () => {};

    constructor(app: App, private readonly place: HTMLElement) {
        this.hint.setAttribute("aria-live", "polite");
        place.parentElement!.append(this.hint);
        place.onkeydown = (event) => this.walk(event);
        app.on("lead", ({ tool }) => this.lead(tool));
        app.on("running", ({ about }) => this.showSpecies(about.species.map(({ name }) => name)));
    }

    /** The tool that moves the view. */
    get looks(): boolean {
        return this.tool.id === "look";
    }

    get species(): number {
        return Math.max(this.chosen.selectedIndex, 0);
    }

    fill(tools: Tool[], letGo: () => void, openHelp: () => void): void {
        this.tools = tools;
        this.letGo = letGo;
        this.openHelp = openHelp;
        tools.forEach((tool, i) => this.addButton(tool.icon, tool.label, digits[i], tool.hint, () => this.take(tool)));
        this.addButton("M7 7.5a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M10 16v.01", "Help: what this is, hands and keys", "?", "What this is, and what hands and keys do.", openHelp);
        this.place.append(...this.buttons, this.chosen);
        this.take(tools[0]);
        clearTimeout(this.timer); // the first hint stays until a hand acts
    }

    take(tool: Tool): void {
        this.letGo();
        this.tool = tool;
        this.say(tool.hint);
        this.tools.forEach((one, i) => {
            this.buttons[i].ariaPressed = String(one === tool);
            this.buttons[i].tabIndex = one === tool ? 0 : -1;
        });
    }

    /** Takes the place of the first tool, which would do something else, and gives it back. */
    private lead(tool: Tool | null): void {
        const first = this.tools[0];
        if (tool !== null ? this.tool === first : !this.tools.includes(this.tool)) this.take(tool ?? first);
        if (tool !== null) this.buttons[0].tabIndex = 0;
    }

    /** Says it for some seconds. */
    say(message: string): void {
        this.hint.textContent = message;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => (this.hint.textContent = ""), 8000);
    }

    /** The label's first word stands below the icon. */
    private addButton(strokes: string, label: string, key: string, hint: string, act: () => void): void {
        const named = { title: `${hint} (${key})`, ariaLabel: `${label} (${key})` };
        const button = make("button", { type: "button", className: "quiet", ...named, tabIndex: -1, onclick: act });
        button.innerHTML = `<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="${strokes}"/></svg>`;
        button.append(/^\w+/.exec(label)![0]);
        this.buttons.push(button);
    }

    private showSpecies(names: string[]): void {
        const { selectedIndex } = this.chosen;
        this.chosen.replaceChildren(...names.map((name) => make("option", {}, name)));
        this.chosen.selectedIndex = selectedIndex >= 0 && selectedIndex < names.length ? selectedIndex : 0;
        this.chosen.hidden = names.length < 2;
    }

    /** The arrow keys walk through the toolbar. */
    private walk(event: KeyboardEvent): void {
        const at = this.buttons.indexOf(event.target as HTMLButtonElement);
        const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -at, End: -1 - at }[event.key];
        if (at < 0 || by === undefined) return;
        event.preventDefault();
        const { length } = this.buttons;
        this.buttons[(at + by + length) % length].focus();
    }
}

/* ---- the hand: a tool that is pressed, or not ---------------------------------------------------------------------------- */

class Hand {
    private held: Tool | null = null;

    constructor(private readonly app: App, private readonly preview: Preview, private readonly tool: () => Tool) {}

    get holds(): boolean {
        return this.held !== null;
    }

    press(at: Touch): void {
        if (this.app.running === null) return;
        this.cancel();
        this.app.begin();
        this.held = this.tool();
        this.held.press(at);
    }

    drag(at: Touch): void {
        this.held?.drag?.(at);
    }

    release(at: Touch): void {
        this.held?.release?.(at);
        this.end();
    }

    cancel(): void {
        this.held?.cancel?.();
        this.end();
    }

    private end(): void {
        this.held = null;
        this.preview.clear();
    }
}

/* ---- pointer and fingers ------------------------------------------------------------------------------------------------- */

function touchOf(event: MouseEvent): Touch {
    return { x: event.offsetX, y: event.offsetY, time: event.timeStamp };
}

/** One finger or the left button is the hand. Two fingers, or another button, move the view. */
class Pointer {
    private readonly down = new Map<number, Touch>();
    private moves = false; // the view

    constructor(private readonly app: App, private readonly sky: HTMLCanvasElement, private readonly view: View,
        private readonly hand: Hand) {
        sky.addEventListener("pointerdown", (event) => this.press(event));
        sky.addEventListener("pointermove", (event) => this.move(event));
        sky.addEventListener("pointerup", (event) => this.lift(event, () => hand.release(touchOf(event))));
        sky.addEventListener("pointercancel", (event) => this.lift(event, () => hand.cancel()));
        sky.addEventListener("contextmenu", (event) => event.preventDefault());
        sky.addEventListener("wheel", (event) => this.roll(event), { passive: false });
    }

    private press(event: PointerEvent): void {
        if (this.app.running === null) return;
        this.sky.setPointerCapture(event.pointerId);
        this.down.set(event.pointerId, touchOf(event));
        if (this.down.size > 1 || event.button !== 0) {
            this.hand.cancel();
            this.moves = true;
        } else this.hand.press(touchOf(event));
    }

    private move(event: PointerEvent): void {
        const before = this.down.get(event.pointerId);
        if (before === undefined) return;
        const others = [...this.down].filter(([id]) => id !== event.pointerId).map(([, touch]) => touch);
        if (!this.moves) for (const one of event.getCoalescedEvents?.() ?? [event]) this.hand.drag(touchOf(one));
        else if (others.length === 0) this.view.pan(event.offsetX - before.x, event.offsetY - before.y);
        else this.pinch(others[0], before, touchOf(event));
        this.down.set(event.pointerId, touchOf(event));
    }

    /** One of two fingers has moved. */
    private pinch(still: Spot, before: Spot, after: Spot): void {
        const apart = (spot: Spot) => Math.max(Math.hypot(spot.x - still.x, spot.y - still.y), 10);
        this.view.pan((after.x - before.x) / 2, (after.y - before.y) / 2);
        this.view.zoom(apart(after) / apart(before), { x: (after.x + still.x) / 2, y: (after.y + still.y) / 2 });
    }

    private lift(event: PointerEvent, end: () => void): void {
        if (!this.down.delete(event.pointerId)) return;
        if (!this.moves) end();
        if (this.down.size === 0) this.moves = false;
    }

    private roll(event: WheelEvent): void {
        event.preventDefault();
        if (this.app.running === null) return;
        const pixels = event.deltaY * [1, 16, 400][event.deltaMode];
        this.view.zoom(Math.exp(-Math.min(Math.max(pixels, -200), 200) * (event.ctrlKey ? 0.01 : 0.0016)), touchOf(event));
    }
}

/* ---- keys ---------------------------------------------------------------------------------------------------------------- */

class Keys {
    private cross: Spot | null = null;
    private playing = false;

    constructor(private readonly app: App, private readonly sky: HTMLCanvasElement, private readonly view: View,
        private readonly hand: Hand, private readonly bar: Bar, private readonly preview: Preview) {
        app.on("frame", ({ playing }) => (this.playing = playing));
        document.addEventListener("keydown", (event) => {
            if (!event.defaultPrevented && this.obey(event)) event.preventDefault();
        });
        sky.addEventListener("pointerdown", () => this.aim(null));
        sky.addEventListener("dblclick", () => this.bar.looks && this.view.whole());
    }

    /** false: the key means nothing here. */
    private obey(event: KeyboardEvent): boolean {
        const target = event.target as Element;
        const over = target === document.body || target === this.sky;
        if (event.ctrlKey || event.metaKey || event.altKey || this.app.running === null || target.closest(typing)) return false;
        if (over && arrows[event.key]) return this.moveBy(arrows[event.key], event.shiftKey);
        if (over && event.key === "Enter") return this.act(event.timeStamp);
        if (target.closest(pressing) && [" ", "Enter", "Home"].includes(event.key)) return false;
        return this.command(event.key);
    }

    private command(key: string): boolean {
        if (digits.includes(key)) this.take(digits.indexOf(key));
        else if (key === " ") this.app.tell({ do: "play", on: !this.playing });
        else if (key === ".") this.step();
        else if (key === "+" || key === "=") this.view.zoom(1.25, this.middle());
        else if (key === "-" || key === "−") this.view.zoom(0.8, this.middle());
        else if (key === "Home") this.view.whole();
        else if (key === "?") this.bar.openHelp();
        else if (key === "Escape") this.letGo();
        else return false;
        return true;
    }

    private step(): void {
        if (this.playing) this.app.tell({ do: "play", on: false });
        this.app.tell({ do: "step" });
    }

    private take(position: number): void {
        this.bar.take(this.bar.tools[position]);
        this.aim(this.bar.looks ? null : this.middle());
        this.sky.focus();
    }

    private middle(): Spot {
        return this.cross ?? { x: this.sky.clientWidth / 2, y: this.sky.clientHeight / 2 };
    }

    private aim(at: Spot | null): void {
        this.cross = at;
        this.preview.aim(at);
    }

    /** Looking around, the view moves; with another tool, the crosshair. */
    private moveBy([dx, dy]: [number, number], fast: boolean): boolean {
        const far = fast ? 60 : 15;
        if (this.bar.looks) {
            if (this.view.solid) this.view.orbit(-dx * far, -dy * far);
            else this.view.pan(-dx * 2 * far, -dy * 2 * far);
            return true;
        }
        const { x, y } = this.middle();
        const inside = (value: number, most: number) => Math.min(Math.max(value, 0), most);
        this.aim({ x: inside(x + dx * far, this.sky.clientWidth), y: inside(y + dy * far, this.sky.clientHeight) });
        if (this.hand.holds) this.hand.drag({ ...this.cross!, time: performance.now() });
        return true;
    }

    private act(time: number): boolean {
        const at = { ...this.middle(), time };
        if (this.bar.looks) return false;
        this.aim(at);
        if (this.hand.holds) this.hand.release(at);
        else this.hand.press(at);
        if (this.bar.tool.clicks) this.hand.release(at);
        return true;
    }

    /** One thing after another: what is held, the crosshair, the tool, the chosen agent. */
    private letGo(): void {
        if (this.hand.holds) this.hand.cancel();
        else if (this.cross !== null) this.aim(null);
        else if (this.bar.tool !== this.bar.tools[0]) this.bar.take(this.bar.tools[0]);
        else this.app.draw({ chosen: null });
    }
}
