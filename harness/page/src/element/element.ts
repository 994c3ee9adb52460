// SPDX-License-Identifier: MIT
// The element <dunlin-flock>: a flock in any page. Its script has the engine and the worker inside, so that it works wherever a script does, and in
// frames that are sandboxes. The shipped scenarios are inside, too, or in scenarios.js beside it.
import texts from "inside:files";
import wasm from "inside:wasm";
import worker from "inside:worker";
import { App } from "../app";
import { addressOf } from "../beside";
import { icon, iconButton, make } from "../dom";
import type { About, Quantity } from "../flock";
import { inWords, whatIsMissing } from "../missing";
import { Dial, dials } from "../parts/dial";
import { mountHand } from "./hand";
import { style } from "./style";

export type { About, Quantity } from "../flock";
globalThis.dunlinInside ??= { worker, wasm, files: texts };
const tag = globalThis.document?.currentScript as HTMLScriptElement | null; // null: this is a part of a module

/** What the element's events carry in `detail`. */
export interface DunlinFlockEvents {
    /** A flock runs: the first one, and after each change of scenario, agents or seed. */
    ready: CustomEvent<About>;
    /** Some ten times a second, and after each change of a flock that is paused. */
    frame: CustomEvent<{ step: number; agents: number; framesPerSecond: number; playing: boolean }>;
    /** In words: why no flock runs, or what the running one did not take. */
    error: CustomEvent<{ message: string }>;
}

const allControls = ["play", "restart", "step", ...dials.map(([rule]) => rule)];

/** A text without the indentation that all its lines have. */
function withoutIndent(text: string): string {
    const lines = text.replace(/^\s*\n/, "").trimEnd().split("\n");
    const indents = lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
    const least = Math.min(...indents);
    return lines.map((line) => line.slice(least)).join("\n");
}

/** The last part of a scenario's address, which names it in messages. */
function fileName(address: string): string {
    return new URL(address, document.baseURI).pathname.split("/").at(-1) || "flock.yaml";
}

/** Where scenarios.js of the npm package leaves the shipped scenarios. */
const shelf = globalThis as { [scenarios: symbol]: Record<string, string> | undefined };
const scenarios = Symbol.for("dunlin/scenarios");

/** The text of a shipped scenario. scenarios.js comes with a module that imports the element, and beside a script when it is wanted. */
async function textOfShipped(name: string): Promise<string | undefined> {
    const inside = texts[`scenarios/${name}.yaml`];
    if (inside !== undefined) return inside;
    if (tag !== null && shelf[scenarios] === undefined && Object.keys(texts).length === 0)
        await new Promise((resolve, reject) => document.head.append(make("script", {
            src: new URL("scenarios.js", tag.src).href, crossOrigin: tag.crossOrigin, nonce: tag.nonce ?? "",
            onload: resolve, onerror: () => reject(new Error("scenarios.js is not beside element.js, or cannot be loaded")),
        })));
    return shelf[scenarios]?.[name];
}

/** What the document says below the element is there once it is read. */
async function parsed(): Promise<void> {
    if (document.readyState === "loading") await new Promise((resolve) => addEventListener("DOMContentLoaded", resolve, { once: true }));
}

// Servers that render pages import this script, too.
const Base = globalThis.HTMLElement ?? class {};

export interface DunlinFlock {
    addEventListener<Kind extends keyof DunlinFlockEvents>(kind: Kind, hear: (event: DunlinFlockEvents[Kind]) => void,
        options?: boolean | AddEventListenerOptions): void;
    addEventListener(kind: string, hear: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

export class DunlinFlock extends Base {
    static readonly observedAttributes = ["scenario", "agents", "seed", "controls", "theme", "speed", "paused"];
    private app: App | null = null; // null: the element is in no document
    private address = "";
    private opened = 0; // scenarios so far
    private observers: { disconnect(): void }[] = [];
    private parts = new Map<string, HTMLElement>(); // frameworks set a property where there is one of an attribute's name
    private playing = false;

    /** What runs; null: nothing yet. */
    get about(): About | null {
        return this.app?.running?.about ?? null;
    }

    /** Every number of the scenario, with unit, range and meaning. */
    get numbers(): Quantity[] {
        return this.app?.running?.numbers ?? [];
    }

    /** The text of the scenario, with all numbers as they are set. Setting it runs another one. */
    get text(): string {
        return this.app?.text ?? "";
    }

    set text(text: string) {
        this.opened++;
        this.run(text, "flock.yaml");
    }

    play(): void {
        this.app?.tell({ do: "play", on: true });
    }

    pause(): void {
        this.app?.tell({ do: "play", on: false });
    }

    /** Takes one step, and stops there. */
    step(): void {
        this.pause();
        this.app?.tell({ do: "step" });
    }

    /** Begins again, with the numbers as they are set. */
    restart(): void {
        this.app?.restart();
    }

    /** Sets a number of the scenario by its path, such as interactions[0].alignment.weight. Errors come as an event. */
    set(path: string, value: number): void {
        this.app?.set(path, value);
    }

    /** The state's hash, as the native program prints it. */
    async hash(): Promise<string> {
        if (this.app === null) throw new Error("the element is in no document");
        return this.app.ask("hash");
    }

    connectedCallback(): void {
        if (this.app === null) this.begin();
    }

    /** An element that is moved within its document leaves it for a moment. */
    disconnectedCallback(): void {
        queueMicrotask(() => this.isConnected || this.end());
    }

    attributeChangedCallback(name: string, before: string | null, now: string | null): void {
        if (this.app === null || before === now) return;
        if (name === "controls") this.showControls();
        else if (name === "theme") this.showTheme();
        else if (name === "speed") this.setSpeed();
        else if (name === "paused") this.app.tell({ do: "play", on: now === null });
        else void this.open();
    }

    private begin(): void {
        const missing = whatIsMissing();
        if (missing !== null) return this.tell("error", { message: inWords(missing) });
        this.address = addressOf(worker);
        const app = (this.app = new App(this.address));
        const canvas = make("canvas", { role: "img", ariaLabel: "A flock" });
        const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
        root.adoptedStyleSheets = [style()];
        root.replaceChildren(canvas, make("div", { className: "bar", role: "group", ariaLabel: "The flock" }));
        this.parts = new Map(allControls.map((name) => [name, this.control(app, name)]));
        const drawing = canvas.transferControlToOffscreen();
        app.tell({ do: "start", canvas: drawing, threads: 1, base: "", wasm }, [drawing]);
        this.hear(app, canvas);
        this.watch(app, canvas);
        mountHand(app, canvas);
        this.showTheme();
        this.setSpeed();
        this.showControls();
        void this.open();
    }

    private hear(app: App, canvas: HTMLCanvasElement): void {
        app.on("running", ({ about }) => {
            canvas.ariaLabel = [about.name, about.description].filter(Boolean).join(": ");
            this.tell("ready", about);
        });
        app.on("frame", ({ stats: { step, agents }, framesPerSecond, playing }) => {
            this.playing = playing;
            this.tell("frame", { step, agents, framesPerSecond, playing });
        });
        app.on("failed", ({ message }) => this.tell("error", { message }));
    }

    /** Draws in the element's size, and rests while it cannot be seen. */
    private watch(app: App, canvas: HTMLCanvasElement): void {
        const resize = new ResizeObserver(() =>
            app.tell({ do: "resize", width: canvas.clientWidth, height: canvas.clientHeight, ratio: devicePixelRatio }));
        let inView = true;
        const rest = () => app.tell({ do: "rest", on: document.hidden || !inView });
        const view = new IntersectionObserver((entries) => {
            inView = entries.at(-1)!.isIntersecting;
            rest();
        });
        const systemTheme = matchMedia("(prefers-color-scheme: light)");
        const theme = () => this.showTheme();
        document.addEventListener("visibilitychange", rest);
        systemTheme.addEventListener("change", theme);
        resize.observe(canvas);
        view.observe(canvas);
        this.observers = [resize, view, { disconnect: () => document.removeEventListener("visibilitychange", rest) },
            { disconnect: () => systemTheme.removeEventListener("change", theme) }];
    }

    private end(): void {
        for (const observer of this.observers) observer.disconnect();
        this.observers = [];
        this.app?.end();
        this.app = null;
        URL.revokeObjectURL(this.address);
        this.shadowRoot?.replaceChildren();
    }

    /** Runs the scenario that the attributes name. Of several that load at the same time, the last one runs. */
    private async open(): Promise<void> {
        const own = ++this.opened;
        try {
            const { text, name } = await this.load();
            if (own === this.opened) this.run(text, name);
        } catch (error) {
            this.tell("error", { message: (error as Error).message });
        }
    }

    private run(text: string, name: string): void {
        const [agents, seed] = ["agents", "seed"].map((attribute) => this.getAttribute(attribute));
        this.app?.open(text, name, { ...(agents === null ? {} : { agents: Number(agents) }), ...(seed === null ? {} : { seed }) });
        this.app?.tell({ do: "play", on: !this.hasAttribute("paused") });
    }

    /** The text of a shipped scenario, of one at an address, or the element's own. */
    private async load(): Promise<{ text: string; name: string }> {
        await parsed();
        const own = this.textContent ?? "";
        const named = this.getAttribute("scenario");
        if (named === null && own.trim() !== "") return { text: withoutIndent(own), name: "flock.yaml" };
        const scenario = named ?? "default";
        if (!/[./]/.test(scenario)) {
            const text = await textOfShipped(scenario);
            if (text === undefined) throw new Error(`unknown shipped scenario '${scenario}'; an address of one holds a dot or a slash`);
            return { text, name: `${scenario}.yaml` };
        }
        const response = await fetch(new URL(scenario, document.baseURI));
        if (!response.ok) throw new Error(`${scenario} is not there (${response.status})`);
        return { text: await response.text(), name: fileName(scenario) };
    }

    private setSpeed(): void {
        const steps = Number(this.getAttribute("speed") ?? 1);
        if (steps > 0 && Number.isFinite(steps)) this.app?.tell({ do: "pace", steps });
        else this.tell("error", { message: `speed is ${JSON.stringify(this.getAttribute("speed"))}, and must be a number of steps per frame, above 0` });
    }

    private showTheme(): void {
        const theme = this.getAttribute("theme") ?? (matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark");
        this.shadowRoot?.querySelector("canvas")?.classList.toggle("light", theme === "light");
        this.app?.draw({ dark: theme !== "light", still: matchMedia("(prefers-reduced-motion: reduce)").matches });
    }

    /** Those that the attribute lists; without words: all. */
    private showControls(): void {
        const wanted = this.getAttribute("controls");
        const names = wanted === null ? [] : wanted.trim() === "" ? allControls : wanted.trim().split(/\s+/);
        const unknown = names.filter((name) => !allControls.includes(name));
        if (unknown.length > 0)
            this.tell("error", { message: `unknown control '${unknown.join("', '")}'; allowed: ${allControls.join(", ")}` });
        this.shadowRoot!.querySelector(".bar")!.replaceChildren(
            ...allControls.filter((name) => names.includes(name)).map((name) => this.parts.get(name)!));
    }

    private control(app: App, name: string): HTMLElement {
        if (name === "play") return this.playButton(app);
        if (name === "restart") return iconButton("restart", "Restart", () => this.restart());
        if (name === "step") return iconButton("step", "One step", () => this.step());
        const [rule, title, doc] = dials.find(([one]) => one === name)!;
        const dial = new Dial(app, rule, title, doc);
        app.on("running", (running) => dial.follow(running));
        return dial.place;
    }

    private playButton(app: App): HTMLElement {
        const button = make("button", { type: "button", className: "play", onclick: () => (this.playing ? this.pause() : this.play()) });
        const show = (playing: boolean) => {
            const label = playing ? "Pause" : "Start";
            if (button.ariaLabel === label) return;
            button.replaceChildren(icon(playing ? "pause" : "play"));
            button.ariaLabel = button.title = label;
        };
        app.on("frame", ({ playing }) => show(playing));
        show(false);
        return button;
    }

    private tell<Kind extends keyof DunlinFlockEvents>(kind: Kind, detail: DunlinFlockEvents[Kind]["detail"]): void {
        this.dispatchEvent(new CustomEvent(kind, { detail }));
    }
}

declare global {
    interface HTMLElementTagNameMap {
        "dunlin-flock": DunlinFlock;
    }
}

if (globalThis.customElements?.get("dunlin-flock") === undefined)
    globalThis.customElements?.define("dunlin-flock", DunlinFlock);
