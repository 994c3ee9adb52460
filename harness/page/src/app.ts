// SPDX-License-Identifier: MIT
// The page's side of the conversation with the worker. Every part of the page gets this object and nothing of the other parts.
import type { Action, Command, Look, PlainSettings, Question, Report, Story } from "./protocol";

type Kind = Report["is"];
type Of<K extends Kind> = Extract<Report, { is: K }>;

/** What a part of the page may use. */
export class App {
    /** The last report of the flight; null before the first. */
    flying: Of<"flying"> | null = null;
    /** The drawing as it was last set. */
    look: Partial<Look> = {};
    private readonly worker: Worker;
    private readonly hearers = new Map<Kind, ((report: Report) => void)[]>();
    private readonly questions = new Map<number, (value: never) => void>();
    private asked = 0;
    private pending = new Map<string, number>(); // numbers to set with the next frame of the page

    constructor(script: string) {
        this.worker = new Worker(script);
        this.worker.onmessage = ({ data }: MessageEvent<Report>) => this.hear(data);
        this.worker.onerror = (event) => this.hear({ is: "failed", message: event.message, line: 0, during: "start" });
    }

    /** Tells the worker something. */
    tell(command: Command, moved: Transferable[] = []): void {
        this.worker.postMessage(command, moved);
    }

    act(action: Action): void {
        this.tell({ do: "act", action });
    }

    /** Sets a number of the scenario. Of many values within one frame of the page only the last one is told. */
    set(path: string, value: number): void {
        if (this.pending.size === 0) requestAnimationFrame(() => this.setPending());
        this.pending.set(path, value);
    }

    open(text: string, name: string, settings: PlainSettings = {}): void {
        const story: Story = { text, name, settings, actions: [], step: 0 };
        this.tell({ do: "open", story });
    }

    draw(look: Partial<Look>): void {
        this.look = { ...this.look, ...look };
        this.tell({ do: "look", look });
    }

    /** Asks the worker; the promise keeps its answer. */
    ask<Value>(what: Question): Promise<Value> {
        const id = ++this.asked;
        this.tell({ do: "ask", id, what });
        return new Promise((resolve) => this.questions.set(id, resolve as (value: never) => void));
    }

    /** Calls the hearer with every report of that kind from now on. */
    on<K extends Kind>(kind: K, hearer: (report: Of<K>) => void): void {
        this.hearers.set(kind, [...(this.hearers.get(kind) ?? []), hearer as (report: Report) => void]);
    }

    /** Says something to the user, as if the worker had. */
    complain(message: string, during: string): void {
        this.hear({ is: "failed", message, line: 0, during });
    }

    private setPending(): void {
        for (const [path, value] of this.pending) this.act({ kind: "set", path, value });
        this.pending.clear();
    }

    private hear(report: Report): void {
        if (report.is === "flying") this.flying = report;
        if (report.is === "answer") {
            this.questions.get(report.id)?.(report.value as never);
            this.questions.delete(report.id);
        }
        for (const hearer of this.hearers.get(report.is) ?? []) hearer(report);
    }
}
