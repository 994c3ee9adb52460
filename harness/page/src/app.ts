// SPDX-License-Identifier: MIT
// The page's side of the conversation with the worker. Every part of the page gets this object and nothing of the other parts.
import type { Tool } from "./hands/tools";
import type { Action, Command, Running, Look, PlainSettings, Question, Report, Story } from "./protocol";
import { setNumbers } from "./scenario_text";

/** What a message offers to do, by a button. */
export interface Offer {
    label: string;
    act: () => void;
}

/** The messages between the parts of the page. */
type Notice =
    | { is: "set"; path: string; value: number; aside: boolean }
    | { is: "text"; text: string } // whenever it has changed
    | { is: "edited"; text: string; name: string; settings: PlainSettings } // it is on its way to the worker, which may refuse it
    | { is: "show"; panel: string; line: number }
    | { is: "placed"; action: Action } // agents, or strokes on a field
    | { is: "lead"; tool: Tool | null } // what the hand does as long as the visitor takes no tool; null: as ever
    | { is: "picture"; file: string } // a field is to be added, of a picture that the worker has
    | { is: "said"; message: string; offers: Offer[] };
type News = Report | Notice;
type Kind = News["is"];
type Of<K extends Kind> = Extract<News, { is: K }>;

declare global {
    /** The page's App, for tests and for the browser's console. */
    var dunlinPage: App;
}

/** Whether an action leaves something in the flock that the text does not have. */
export function isPlaced({ kind }: Action): boolean {
    return kind === "spawn" || kind === "paint";
}

/** What a part of the page may use. */
export class App {
    /** The last report of the simulation; null before the first. */
    running: Running | null = null;
    /** The text in the editor; null: the one that runs. */
    draft: string | null = null;
    /** The drawing as it was last set. */
    look: Partial<Look> = {};
    private readonly hearers = new Map<Kind, ((news: News) => void)[]>();
    /** Resolves with the first picture of a flock. What can wait until then is loaded after it. */
    readonly drawn = new Promise<unknown>((resolve) => this.on("frame", resolve));
    private readonly questions = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
    private asked = 0;
    private readonly pending = new Map<string, number>(); // numbers to set with the next frame of the page
    private base = ""; // the text of the scenario, but for `changed`
    private readonly changed = new Map<string, number>();
    private acts = 0; // sent to the worker
    private readonly sent = new Map<string, { act: number; value: number }>(); // numbers that were set lately
    private timer = 0; // until the change of the text is sent; 0: there is none
    private edited: { act: number; simulation: number | undefined; settings: PlainSettings } | null = null; // the worker comes to it yet
    private opening = false; // what is changed now does not reach the worker any more
    private aside = false; // the change that waits
    /** What the visitor does between a press and the next one, by number: its changes are one step of undo. 0: not the visitor. */
    gesture = 0;
    private heard = false; // anything of the worker
    private dead: string | null = null; // why the worker answers no more

    /** worker: it runs the script already. */
    constructor(script: string, private readonly worker = new Worker(script)) {
        this.worker.onmessage = ({ data }: MessageEvent<Report>) => {
            this.heard = true;
            if (data.is === "alive") this.watch(data.lock);
            this.hear(data);
        };
        // A script that is missing or cut short has said nothing, and will not.
        this.worker.onerror = ({ message }) => {
            const what = message || `${script} is missing or cannot be loaded`;
            if (this.heard) this.complain(what, "step");
            else this.die(what, "start");
        };
    }

    /** The browser gives the lock to the page once the worker does not live any more, however that came. */
    private watch(lock: string): void {
        void navigator.locks.request(lock, () => this.die("The browser has ended the thread that runs the flock. Perhaps it ran out of memory", "dead"))
            .catch(() => {}); // a page without locks gets no message
    }

    private die(message: string, during: string): void {
        this.dead = message;
        for (const { reject } of this.questions.values()) reject(new Error(message));
        this.questions.clear();
        this.hear({ is: "failed", message, line: 0, during });
    }

    /** Ends the worker, with all that it holds; nothing is heard any more. */
    end(): void {
        this.worker.terminate();
        this.hearers.clear();
        this.die("The flock was removed", "dead");
    }

    /** Sends the worker a command. */
    tell(command: Command, moved: Transferable[] = []): void {
        if (command.do === "act") this.acts++;
        this.worker.postMessage(command, moved);
    }

    act(action: Action): void {
        this.tell({ do: "act", action, simulation: this.running?.simulation });
        if (isPlaced(action)) this.hear({ is: "placed", action });
    }

    /** The text of the scenario as it runs, with all numbers as they are set. */
    get text(): string {
        if (this.changed.size > 0) this.base = setNumbers(this.base, this.changed);
        this.changed.clear();
        return this.base;
    }

    /**
     * Sets a live number of the scenario. Of many values within one frame of the page only the last one is sent. aside: it follows the
     * pointer, which is no step of undo.
     */
    set(path: string, value: number, aside = false): void {
        if (aside !== this.aside) this.settle();
        this.aside = aside;
        if (this.pending.size === 0) requestAnimationFrame(() => this.setPending());
        this.pending.set(path, value);
        this.changed.set(path, value);
        this.hear({ is: "set", path, value, aside });
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.settle(), 300);
    }

    /** Reports the change of the text that waits. */
    private settle(): void {
        if (this.timer === 0) return;
        clearTimeout(this.timer);
        this.timer = 0;
        this.hear({ is: "text", text: this.text });
    }

    /** The visitor begins something else. */
    begin(): void {
        this.settle();
        this.gesture++;
    }

    /** Does what belongs to a gesture that may be over. */
    within(gesture: number, act: () => void): void {
        this.settle();
        const now = this.gesture;
        this.gesture = gesture;
        try {
            act();
        } finally {
            this.gesture = now;
        }
    }

    /** As the simulation runs, or will once the worker has come to the last edit. */
    get settings(): PlainSettings {
        return this.edited?.settings ?? this.running?.settings ?? {};
    }

    /** The text with other numbers, which may be set by edit() or open(). */
    withNumbers(numbers: [path: string, value: number][]): string {
        return setNumbers(this.text, numbers);
    }

    /** Builds the text again and keeps agents and clock. */
    edit(text: string, settings = this.settings): void {
        this.settle();
        this.setPending();
        this.act({ kind: "rebuild", text, settings });
        this.base = text; // an edit before the answer continues from here; if the worker refuses, it reports what runs
        this.changed.clear();
        if (this.running === null || this.opening) return; // it is void
        this.edited = { act: this.acts, simulation: this.running.simulation, settings };
        this.hear({ is: "edited", text, name: this.running.name, settings });
    }

    /** Begins the simulation again, with the numbers as they are now. */
    restart(settings = this.settings): void {
        if (this.running !== null) this.open(this.text, this.running.name, settings);
    }

    open(text: string, name: string, settings: PlainSettings = {}): void {
        this.settle();
        this.openStory({ text, name, settings, actions: [], step: 0 });
        this.hear({ is: "edited", text, name, settings });
    }

    /** Opens a simulation and repeats it up to its step; watch: before the visitor's eyes. */
    openStory(story: Story, watch = false): void {
        this.setPending();
        this.opening = true;
        this.tell({ do: "open", story, watch });
    }

    draw(look: Partial<Look>): void {
        this.look = { ...this.look, ...look };
        this.tell({ do: "look", look });
    }

    /** Asks the worker; the promise keeps its answer, or says why there is none. */
    ask<Value>(what: Question): Promise<Value> {
        const id = ++this.asked;
        return new Promise((resolve, reject) => {
            if (this.dead !== null) throw new Error(this.dead);
            this.tell({ do: "ask", id, what });
            this.questions.set(id, { resolve, reject });
        });
    }

    /** For who asks and can do without an answer: says why there is none. */
    readonly unanswered = (error: Error): null => {
        this.complain(error.message, "ask");
        return null;
    };

    /** Calls the hearer with all news of that kind from now on. */
    on<K extends Kind>(kind: K, hearer: (news: Of<K>) => void): void {
        this.hearers.set(kind, [...(this.hearers.get(kind) ?? []), hearer as (news: News) => void]);
    }

    /** Says something to the user, as if the worker had. That the worker is dead has been said. */
    complain(message: string, during: string): void {
        if (message !== this.dead) this.hear({ is: "failed", message, line: 0, during });
    }

    /** Shows the user a note that is no mistake. */
    say(message: string, ...offers: Offer[]): void {
        this.hear({ is: "said", message, offers });
    }

    lead(tool: Tool | null): void {
        this.hear({ is: "lead", tool });
    }

    /** Adds a field from a picture that the worker has. */
    addPicture(file: string): void {
        this.hear({ is: "picture", file });
    }

    /** Shows a panel by the id of its section; the editor then goes to the line. */
    show(panel: string, line = 0): void {
        this.hear({ is: "show", panel, line });
    }

    private setPending(): void {
        for (const [path, value] of this.pending) {
            this.act({ kind: "set", path, value });
            this.sent.set(path, { act: this.acts, value });
        }
        this.pending.clear();
    }

    private hear(news: News): void {
        if (news.is === "running") this.follow(news);
        if (news.is === "failed" && news.during === "open") this.opening = false;
        if (news.is === "answer") {
            const question = this.questions.get(news.id);
            if (news.error !== undefined) question?.reject(new Error(news.error));
            else question?.resolve(news.value as never);
            this.questions.delete(news.id);
        }
        for (const hearer of this.hearers.get(news.is) ?? []) hearer(news);
        if (news.is === "running") this.hear({ is: "text", text: this.text });
    }

    private follow(running: Running): void {
        if (running.simulation !== this.running?.simulation) this.forget();
        this.running = running;
        if (running.acts < (this.edited?.act ?? 0)) return; // the page has a newer text
        this.edited = null;
        this.base = running.text;
        this.changed.clear();
        for (const [path, { act }] of this.sent) if (act <= running.acts) this.sent.delete(path);
        const sent = [...this.sent].map(([path, { value }]) => [path, value] as const); // the worker comes to them yet
        for (const [path, value] of [...running.changed, ...sent, ...this.pending]) this.changed.set(path, value);
    }

    /** What was meant for the simulation before. */
    private forget(): void {
        this.opening = false;
        this.edited = null;
        this.sent.clear();
        this.pending.clear();
    }
}
