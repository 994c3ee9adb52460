// SPDX-License-Identifier: MIT
// Live charts of the last minute or two of a simulation: how fast it runs, and what the flock does. Frames show the pace anyway; the flock
// is measured only while the charts can be seen, as that costs time.
import type uPlot from "uplot";
import type { App } from "../app";
import { scriptBeside } from "../beside";
import { grouped, make, save } from "../dom";
import type { Metrics } from "../flock";
import { speciesColour, toHex } from "../paint/palette";
import type { Frame, Measured } from "../protocol";

/** It draws the charts, and is loaded when they are first seen. */
let Plot: typeof uPlot | null = null;

const period = 250; // ms between two samples
const mostSamples = 480;
const patience = 5; // a measurement may take a sixth of the worker's time
const height = 84;

/** What is known of a step. Metrics null: not asked for; left out: not measured with this sample. */
interface Sample {
    step: number;
    frame?: Frame;
    metrics?: Metrics[] | null;
}

type Value = number | null | undefined; // null: none, a gap; undefined: not known at this sample

interface Line {
    name: string; // in the legend
    column: string; // in the table
    of: (sample: Sample) => Value;
}

interface Chart {
    title: string;
    unit: string;
    lines: Line[];
    stacked?: true;
    max?: number;
}

function paced(name: string, column: string, of: (frame: Frame) => number | null): Line {
    return { name, column, of: ({ frame }) => frame && of(frame) };
}

function measured(species: string[], metric: keyof Metrics): Line[] {
    const of = (i: number) => ({ metrics }: Sample) => metrics && metrics[i]?.[metric];
    return species.map((name, i) => ({ name, column: `${metric}.${name}`, of: of(i) }));
}

/** The stages of the step, what remains of it (threads that wait for others, births and deaths), and the drawing. */
const stages = [
    paced("snapshot", "ms_snapshot", ({ stats }) => stats.ms_snapshot),
    paced("interact", "ms_interact", ({ stats }) => stats.ms_interact),
    paced("steer", "ms_steer", ({ stats }) => stats.ms_steer),
    paced("integrate", "ms_integrate", ({ stats }) => stats.ms_integrate),
    paced("waiting and rest", "ms_rest", ({ stats }) =>
        Math.max(0, stats.ms_frame - stats.ms_snapshot - stats.ms_interact - stats.ms_steer - stats.ms_integrate)),
    paced("drawing", "ms_drawing", ({ msDraw }) => msDraw),
];
const perSecond = ({ framesPerSecond, playing }: Frame) => (playing ? framesPerSecond : null);
const updates = (frame: Frame) => frame.playing ? frame.framesPerSecond * frame.stats.agents : null;

function chartsOf(species: string[]): Chart[] {
    return [
        { title: "Frames", unit: "per second", lines: [paced("frames", "frames_per_second", perSecond)] },
        { title: "Agent updates", unit: "per second", lines: [paced("updates", "agent_updates_per_second", updates)] },
        { title: "Time per frame", unit: "ms", lines: stages, stacked: true },
        { title: "Pairs", unit: "per step", lines: [paced("tested", "pairs_tested", ({ stats }) => stats.pairs_tested),
            paced("useful", "pairs_useful", ({ stats }) => stats.pairs_useful)] },
        { title: "Polarization", unit: "of 1", lines: measured(species, "polarization"), max: 1 },
        { title: "Rotation", unit: "of 1", lines: measured(species, "rotation"), max: 1 },
        { title: "Mean speed", unit: "world units per time unit", lines: measured(species, "mean_speed") },
        { title: "Neighbours", unit: "per agent, of its species", lines: measured(species, "mean_neighbours") },
        { title: "Agents", unit: "", lines: measured(species, "agents") },
    ];
}

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

function short(value: Value): string {
    if (typeof value !== "number" || !Number.isFinite(value)) return "–";
    return value < 10 && !Number.isInteger(value) ? value.toFixed(2) : compact.format(value);
}

/** The value at a sample, or the last one known before. */
function valueAt(samples: Sample[], at: number, line: Line): Value {
    for (let i = at; i >= 0; i--) {
        const value = line.of(samples[i]);
        if (value !== undefined) return value;
    }
    return undefined;
}

function toTable(charts: Chart[], samples: Sample[]): string {
    const lines = charts.flatMap((chart) => chart.lines);
    const head = ["step", ...lines.map(({ column }) => `"${column.replaceAll('"', '""')}"`)];
    const rows = samples.map((sample) => [sample.step, ...lines.map((line) => line.of(sample) ?? "")]);
    return [head, ...rows].map((row) => `${row.join()}\n`).join("");
}

/* ---- one chart ------------------------------------------------------------------------------------------------------------- */

/** A chart with its title, its present values and its legend. */
class Drawing {
    readonly place: HTMLElement;
    private readonly value = make("b");
    private readonly values: HTMLElement[];
    private readonly plot: uPlot;

    constructor(private readonly chart: Chart, width: number, dark: boolean, hover: (at: number | null) => void) {
        const colours = chart.lines.map((_, i) => toHex(speciesColour(i, dark)));
        const canvas = make("div", { ariaHidden: "true" });
        this.values = chart.lines.map(() => make("b"));
        const keys = chart.lines.map(({ name }, i) => {
            const spot = make("i");
            spot.style.background = colours[i];
            return make("span", { className: "swatch" }, spot, `${name} `, this.values[i]);
        });
        const alone = chart.lines.length === 1 || chart.stacked;
        const title = make("span", {}, make("span", { className: "title" }, chart.title), " ", ...(alone ? [this.value, " "] : []), chart.unit);
        const legend = make("div", { className: "keys" }, ...keys);
        this.place = make("figure", {}, make("figcaption", {}, title, ...(keys.length > 1 ? [legend] : [])), canvas);
        this.plot = new Plot!(optionsOf(chart, colours, width, hover), [[], ...colours.map(() => [])], canvas);
    }

    draw(samples: Sample[]): void {
        const columns = this.chart.lines.map((line) => samples.map(line.of));
        if (this.chart.stacked) stack(columns);
        this.plot.setData([samples.map(({ step }) => step), ...columns]);
    }

    say(samples: Sample[], at: number): void {
        const values = this.chart.lines.map((line) => valueAt(samples, at, line));
        values.forEach((value, i) => (this.values[i].textContent = short(value)));
        this.value.textContent = short(values.reduce((sum, value) => (typeof sum === "number" ? sum + (value ?? 0) : sum)));
    }

    resize(width: number): void {
        if (width !== this.plot.width) this.plot.setSize({ width, height });
    }

    destroy(): void {
        this.plot.destroy();
    }
}

/** Each column becomes the sum of itself and those before. */
function stack(columns: Value[][]): void {
    for (let c = 1; c < columns.length; c++)
        columns[c].forEach((value, i) => (columns[c][i] = typeof value === "number" ? value + (columns[c - 1][i] ?? 0) : value));
}

function optionsOf(chart: Chart, colours: string[], width: number, hover: (at: number | null) => void): uPlot.Options {
    const style = getComputedStyle(document.body);
    const ink = (name: string) => style.getPropertyValue(name).trim();
    const series = colours.map((colour): uPlot.Series => chart.stacked ?
        { stroke: ink("--panel"), width: 0.5, points: { show: false } } : { stroke: colour, width: 1.5, points: { show: false } });
    // A layer of a stack is filled down to the layer below.
    const bands = colours.map((fill, i): uPlot.Band => ({ series: [i + 1, i], fill })).slice(1);
    if (chart.stacked) series[0].fill = colours[0];
    return {
        width, height, series: [{}, ...series], ...(chart.stacked ? { bands } : {}), padding: [6, 2, 4, 0],
        legend: { show: false },
        cursor: { y: false, sync: { key: "charts" }, drag: { x: false, y: false }, points: { show: false } },
        scales: { x: { time: false }, y: { range: (_plot, _min, max) => [0, chart.max ?? (max > 0 ? 1.05 * max : 1)] } },
        axes: [{ show: false }, {
            stroke: ink("--quiet"), size: 44, gap: 6, space: 24, font: `11px ${style.fontFamily}`, ticks: { show: false },
            grid: { stroke: ink("--line"), width: 1 }, values: (_plot, splits) => splits.map((value) => compact.format(value)),
        }],
        hooks: { setCursor: [({ cursor }) => hover(cursor.idx ?? null)] },
    };
}

/* ---- all charts ------------------------------------------------------------------------------------------------------------ */

export function mountCharts(app: App, place: HTMLElement): void {
    const numbers = new Numbers(app, place);
    app.on("frame", (frame) => numbers.follow(frame));
    app.on("running", ({ about }) => numbers.begin(about.species.map(({ name }) => name)));
    app.on("set", () => numbers.forget());
}

class Numbers {
    private samples: Sample[] = [];
    private charts: Chart[] = [];
    private drawings: Drawing[] = [];
    private drawn = ""; // what the drawings were made for
    private latest: Frame | null = null;
    private timer = 0; // until the next sample is taken; 0: none is due
    private asking = false;
    private nextAsk = 0; // ms
    private measured = ""; // the state that was measured last
    private hovered: number | null = null; // a sample
    private readonly steps = make("p", { className: "doc" });
    private readonly figures = make("div", { className: "charts" });

    constructor(private readonly app: App, place: HTMLElement) {
        const table = () => save(toTable(this.charts, this.samples), "text/csv", "numbers.csv");
        const button = make("button", { type: "button", textContent: "Save as CSV", onclick: table });
        place.append(make("div", { className: "row spread" }, this.steps, button), this.figures);
        new ResizeObserver(() => this.take()).observe(this.figures);
    }

    /** A scenario begins. One that is built again continues. */
    begin(species: string[]): void {
        const charts = chartsOf(species);
        const columns = (list: Chart[]) => list.flatMap(({ lines }) => lines.map(({ column }) => column)).join();
        if (columns(charts) !== columns(this.charts)) this.samples = [];
        this.charts = charts;
        this.asking = false;
        this.forget();
    }

    /** The state has to be measured, even if it was before. */
    forget(): void {
        this.measured = "";
    }

    follow(frame: Frame): void {
        if (frame.stats.step < (this.latest?.stats.step ?? 0)) this.samples = []; // a restart
        this.latest = frame;
        this.wait();
    }

    private wait(): void {
        this.timer ||= setTimeout(() => {
            this.timer = 0;
            this.take();
        }, period);
    }

    private take(): void {
        if (this.latest === null) return;
        const visible = this.figures.clientWidth > 0 && !document.hidden;
        this.put({ step: this.latest.stats.step, frame: this.latest, ...(visible ? {} : { metrics: null }) });
        if (!visible) return;
        if (Plot === null) return this.loadPlot();
        this.show();
        const { step, generation, agents } = this.latest.stats;
        const state = [step, generation, agents].join();
        if (state === this.measured || this.asking) return;
        if (performance.now() < this.nextAsk) this.wait();
        else this.measure(state).catch((error) => this.app.complain(`The flock cannot be measured: ${error.message}`, "charts"));
    }

    private loadPlot(): void {
        scriptBeside("plot.js").then((address) => import(address)).then((module) => {
            Plot = module.default;
            this.wait();
        }, () => this.app.complain("The charts cannot be drawn: plot.js is missing or cannot be loaded", "charts"));
    }

    private async measure(state: string): Promise<void> {
        const begun = performance.now();
        this.asking = true;
        const { step, species } = await this.app.ask<Measured>("metrics").finally(() => {
            this.asking = false;
        });
        const now = performance.now();
        this.nextAsk = now + Math.max(period, patience * (now - begun));
        this.measured = state;
        this.put({ step, metrics: species });
        this.wait();
    }

    /** Samples are in the order of their steps; what is known of the same step comes together. */
    private put(sample: Sample): void {
        let at = this.samples.length;
        while (at > 0 && this.samples[at - 1].step >= sample.step) at--;
        const known = this.samples[at]?.step === sample.step ? this.samples[at] : null;
        const metrics = sample.metrics ?? known?.metrics; // what was measured stays
        this.samples.splice(at, known === null ? 0 : 1, { ...known, ...sample, ...(metrics ? { metrics } : {}) });
        this.samples.splice(0, Math.max(0, this.samples.length - mostSamples));
    }

    private show(): void {
        this.makeDrawings();
        for (const drawing of this.drawings) drawing.draw(this.samples);
        this.say();
    }

    private say(): void {
        const last = this.samples.length - 1;
        const at = Math.min(this.hovered ?? last, last);
        for (const drawing of this.drawings) drawing.say(this.samples, at);
        const from = this.samples[0].step;
        this.steps.textContent = this.hovered === null ? `Steps ${grouped(from)} to ${grouped(this.samples[last].step)}` :
            `At step ${grouped(this.samples[at].step)}`;
    }

    /** Makes the charts again for other species or colours. */
    private makeDrawings(): void {
        const dark = this.app.look.dark ?? true;
        const key = [dark, ...this.charts.flatMap(({ lines }) => lines.map(({ column }) => column))].join();
        const width = this.columnWidth();
        if (key === this.drawn) {
            for (const drawing of this.drawings) drawing.resize(width);
            return;
        }
        for (const drawing of this.drawings) drawing.destroy();
        const hover = (at: number | null) => {
            if (at === this.hovered) return;
            this.hovered = at;
            this.say();
        };
        this.drawings = this.charts.map((chart) => new Drawing(chart, width, dark, hover));
        this.figures.replaceChildren(...this.drawings.map(({ place }) => place));
        this.drawn = key;
    }

    private columnWidth(): number {
        return Number.parseFloat(getComputedStyle(this.figures).gridTemplateColumns);
    }
}
