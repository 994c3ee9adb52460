// SPDX-License-Identifier: MIT
// The panel of drawing settings, with the legend of the colours. Light and dark are the page's, not the panel's.
import type { App } from "../app";
import { grouped, make } from "../dom";
import type { About } from "../flock";
import { keyOf, wordsOf } from "../paint/legend";
import { type Colour, groupColour, inksOn, lightnessOf, ramp, toHex, wheel } from "../paint/palette";
import { isGroup, type Style, styleOf } from "../paint/style";
import type { Look, Ranges } from "../protocol";

const asScenario = "as the scenario says";
const thresholds = [0, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, Infinity];
const ruleNames = ["separation", "alignment", "cohesion"];

/** What the painter begins with. */
const standard = {
    shape: "scenario", size: 0, colour: "scenario", attribute: "", densityFrom: 5e4, trails: false, scenery: true, legend: true, dark: true,
    still: false, chosen: null, covered: [0, 0],
} as const satisfies Look;

export function mountLook(app: App, place: HTMLElement): void {
    const legend = new Legend(app);
    place.append(
        shapeMenu(app),
        slider("Length", 40, standard.size, (size) => (size === 0 ? asScenario : `${size} pixels`), (size) => app.draw({ size })),
        colourMenu(app), legend.place,
        slider("Density instead of shapes", thresholds.length - 1, thresholds.indexOf(standard.densityFrom),
            (i) => threshold(thresholds[i]), (i) => app.draw({ densityFrom: thresholds[i] })),
        tick("Trails", standard.trails, (trails) => app.draw({ trails })),
        tick("Obstacles, paths, fields, walls and targets", standard.scenery, (scenery) => app.draw({ scenery })),
        tick("Legend on the picture", standard.legend, (legend) => app.draw({ legend })),
        chosenAgent(app),
    );
}

function threshold(agents: number): string {
    if (agents === 0) return "always";
    return Number.isFinite(agents) ? `from ${grouped(agents)} agents in view` : "never";
}

/* ---- fields of the panel ------------------------------------------------------------------------------------------------- */

function options(choices: [value: string, words: string][]): HTMLElement[] {
    return choices.map(([value, words]) => make("option", { value }, words));
}

/** As the scenario says, or one for all species. */
function shapeMenu(app: App): HTMLElement {
    const menu = make("select", { onchange: () => app.draw({ shape: menu.value }) });
    app.on("running", ({ about }) => {
        if (menu.length === 0) menu.replaceChildren(...options([["scenario", asScenario], ...Object.keys(about.shapes).map(twice)]));
    });
    return make("label", { className: "drawing" }, make("span", {}, "Shape"), menu);
}

function twice(name: string): [string, string] {
    return [name, name];
}

function slider(title: string, max: number, first: number, say: (value: number) => string, choose: (value: number) => void): HTMLElement {
    const output = make("output", {}, say(first));
    const input = make("input", { type: "range", min: "0", max: String(max), step: "1", value: String(first) });
    input.setAttribute("aria-valuetext", say(first));
    input.oninput = () => {
        output.textContent = say(input.valueAsNumber);
        input.setAttribute("aria-valuetext", say(input.valueAsNumber));
        choose(input.valueAsNumber);
    };
    return make("label", { className: "drawing" }, make("span", {}, title), output, input);
}

function tick(title: string, first: boolean, choose: (on: boolean) => void): HTMLElement {
    const input = make("input", { type: "checkbox", checked: first, onchange: () => choose(input.checked) });
    return make("label", { className: "drawing tick" }, input, title);
}

/** As the scenario says, or heading, species, speed, and each attribute that a species has. */
function colourMenu(app: App): HTMLElement {
    const menu = make("select", { onchange: () => app.draw(colouringOf(menu.value)) });
    app.on("running", ({ about }) => {
        const before = menu.value || standard.colour;
        const attributes = [...new Set(about.species.flatMap((species) => species.attributes))];
        const plain = ["heading", "species", "speed"].map(twice);
        menu.replaceChildren(...options([["scenario", asScenario], ...plain, ...attributes.map((name): [string, string] => [`attribute ${name}`, name])]));
        const known = [...menu.options].some(({ value }) => value === before);
        menu.value = known ? before : standard.colour;
        if (!known) app.draw(colouringOf(menu.value));
    });
    return make("label", { className: "drawing" }, make("span", {}, "Colour by"), menu);
}

function colouringOf(choice: string): Pick<Look, "colour" | "attribute"> {
    if (choice.startsWith("attribute ")) return { colour: "attribute", attribute: choice.slice("attribute ".length) };
    return { colour: choice as Look["colour"], attribute: "" };
}

/* ---- the legend ------------------------------------------------------------------------------------------------------------ */

/** What the colours mean: wheels, bars with their ends, and the species' names. */
class Legend {
    readonly place = make("div", { className: "colours" });
    private shown = "";

    constructor(private readonly app: App) {
        app.on("frame", ({ ranges }) => this.show(ranges));
    }

    private show(ranges: Ranges): void {
        const { about } = this.app.running ?? {};
        if (about === undefined) return;
        const look = { ...standard, ...this.app.look };
        const styles = about.species.map((_, species) => styleOf(about, species, look));
        const key = JSON.stringify([styles, ranges, about.dimensions, about.species]);
        if (key === this.shown) return;
        this.shown = key;
        this.place.replaceChildren(...this.parts(about, styles, ranges, look.dark));
        const words = wordsOf(keyOf(about, styles, ranges, about.species.map(() => true)));
        document.getElementById("sky")!.ariaLabel = `The flock${words && `: ${words}`}`;
    }

    private parts(about: About, styles: Style[], ranges: Ranges, dark: boolean): HTMLElement[] {
        const named = styles.some(({ colouring }) => colouring === "species" || colouring === "grey");
        const grouped = styles.find(({ colouring }) => colouring === "group");
        return [
            ...(styles.some(({ colouring }) => colouring === "heading") ? headings(about.dimensions === 3, dark) : []),
            ...Object.entries(ranges).flatMap(([name, ends]) => bar(name, ends, dark)),
            ...(grouped !== undefined && isGroup(about, grouped.shows) ? groups(about, dark) : []),
            ...(named || styles.length > 1 ? styles.map(({ own }, i) => swatch(about.species[i].name, own)) : []),
        ];
    }
}

function bar(name: string, ends: [number, number], dark: boolean): HTMLElement[] {
    const stripe = make("div", { className: "bar" });
    stripe.style.background = `linear-gradient(90deg, ${stops((part) => ramp(part, dark))})`;
    const what = make("p", { className: "doc" }, name === "speed" ? "Speed, in world units per time unit." : `The agents' ${name}.`);
    return [stripe, make("div", { className: "ends" }, ...ends.map((end) => make("span", {}, String(Number(end.toPrecision(3)))))), what];
}

/** The groups' numbers with their colours. */
function groups(about: About, dark: boolean): HTMLElement[] {
    const most = 24;
    const count = Math.max(...about.species.map((species) => species.groups));
    const numbers = [...Array(Math.min(count, most)).keys()];
    const words = `${count > most ? `The first ${most} of ${count} groups. ` : ""}A body has the colour of its group.`;
    const more = count > most || about.species.some(({ body }) => body >= 0);
    return [...numbers.map((i) => swatch(String(i), groupColour(i, dark))), ...(more ? [make("p", { className: "doc" }, words)] : [])];
}

/** Stops of a CSS gradient. */
function stops(colourOf: (part: number) => Colour): string {
    return [...Array(33).keys()].map((i) => toHex(colourOf(i / 32))).join();
}

/** A wheel in which each direction from the middle has the colour of that heading. */
function headings(solid: boolean, dark: boolean): HTMLElement[] {
    const ring = make("div", { className: "wheel", role: "img", ariaLabel: "Colour wheel of headings" });
    ring.style.background = `conic-gradient(${stops((part) => wheel(0.25 - part, lightnessOf(false, dark)))})`; // CSS turns clockwise from the top
    const text = `An agent has the colour of the direction in which it moves on the picture.${solid ? " Those that move towards you or away are grey." : ""}`;
    return [ring, make("p", { className: "doc" }, text)];
}

function swatch(name: string, colour: Colour): HTMLElement {
    const spot = make("i");
    spot.style.background = toHex(colour);
    return make("span", { className: "swatch" }, spot, name);
}

/* ---- the chosen agent ------------------------------------------------------------------------------------------------------ */

/** An agent that the pointer finds is chosen; a click on nothing lets it go. */
function chosenAgent(app: App): HTMLElement {
    const about = make("div", { className: "colours chosen", hidden: true });
    const hint = make("p", { className: "doc" }, "Choose an agent to see its radii, its field of view and its neighbours.");
    let shown = "";
    app.on("found", ({ agent }) => app.draw({ chosen: agent }));
    app.on("frame", () => {
        const { chosen, dark } = { ...standard, ...app.look };
        if (`${chosen} ${dark}` === shown) return;
        shown = `${chosen} ${dark}`;
        about.hidden = chosen === null;
        hint.hidden = chosen !== null;
        const release = make("button", { type: "button", onclick: () => app.draw({ chosen: null }) }, "Let it go");
        about.replaceChildren(make("p", {}, `Agent ${chosen}: its radii and its field of view in`),
            ...ruleNames.map((name, i) => swatch(name, inksOn(dark).rules[i])), release);
    });
    return make("div", {}, make("h3", {}, "Chosen agent"), hint, about);
}
