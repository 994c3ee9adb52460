// SPDX-License-Identifier: MIT
// The panel of drawing settings, with the legend of the colours. Light and dark are the page's, not the panel's.
import type { App } from "../app";
import { grouped, make } from "../dom";
import type { About } from "../flock";
import { type Colour, groupColour, groupColours, inksOn, ramp, speciesColour, toHex, wheel } from "../paint/palette";
import { type Look, showsGroups } from "../protocol";

const shapes = ["dart", "triangle", "butterfly"] as const;
const thresholds = [0, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, Infinity];
const ruleNames = ["separation", "alignment", "cohesion"];

/** What the painter begins with. */
const standard = {
    shape: "dart", size: 0, colour: "heading", attribute: "", densityFrom: 5e4, trails: false, scenery: true, dark: true, chosen: null,
} as const satisfies Partial<Look>;

export function mountLook(app: App, place: HTMLElement): void {
    const legend = new Legend(app);
    place.append(
        choices("Shape", shapes, standard.shape, (shape) => app.draw({ shape })),
        slider("Length", 40, standard.size, (size) => (size === 0 ? "automatic" : `${size} pixels`), (size) => app.draw({ size })),
        colourMenu(app), legend.place,
        slider("Density instead of shapes", thresholds.length - 1, thresholds.indexOf(standard.densityFrom),
            (i) => threshold(thresholds[i]), (i) => app.draw({ densityFrom: thresholds[i] })),
        tick("Trails", standard.trails, (trails) => app.draw({ trails })),
        tick("Obstacles, paths, fields, walls and targets", standard.scenery, (scenery) => app.draw({ scenery })),
        chosenAgent(app),
    );
}

function threshold(agents: number): string {
    if (agents === 0) return "always";
    return Number.isFinite(agents) ? `from ${grouped(agents)} agents in view` : "never";
}

/* ---- fields of the panel ------------------------------------------------------------------------------------------------- */

function choices<Value extends string>(title: string, values: readonly Value[], first: Value, choose: (value: Value) => void): HTMLElement {
    const radios = values.map((value) => {
        const radio = make("input", { type: "radio", name: title, value, checked: value === first, onchange: () => choose(value) });
        return make("label", {}, radio, value);
    });
    return make("fieldset", { className: "choices" }, make("legend", {}, title), ...radios);
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

/** Heading, species, speed, and each attribute that a species has. */
function colourMenu(app: App): HTMLElement {
    const menu = make("select", { onchange: () => app.draw(colouringOf(menu.value)) });
    app.on("running", ({ about }) => {
        const before = menu.value || standard.colour;
        const attributes = [...new Set(about.species.flatMap((species) => species.attributes))];
        const plain = ["heading", "species", "speed"].map((name) => make("option", { value: name }, name));
        menu.replaceChildren(...plain, ...attributes.map((name) => make("option", { value: `attribute ${name}` }, name)));
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

/** What the colours mean: a wheel, a bar with its ends, or the species' names. */
class Legend {
    readonly place = make("div", { className: "colours" });
    private shown = "";
    private readonly ends = [make("span"), make("span")];

    constructor(private readonly app: App) {
        app.on("frame", ({ range }) => this.show(range));
    }

    private show(range: [number, number] | null): void {
        const { about } = this.app.running ?? {};
        if (about === undefined) return;
        const { colour, attribute, dark } = { ...standard, ...this.app.look };
        this.ends.forEach((end, i) => (end.textContent = range === null ? "" : String(Number(range[i].toPrecision(3)))));
        const key = [colour, attribute, dark, about.dimensions, ...about.species.flatMap(({ name, groups }) => [name, groups])].join();
        if (key === this.shown) return;
        this.shown = key;
        this.place.replaceChildren(...this.parts(about, colour, attribute, dark));
    }

    private parts(about: About, colour: Look["colour"], attribute: string, dark: boolean): HTMLElement[] {
        if (colour === "heading") return headings(about.dimensions === 3, dark);
        if (showsGroups({ colour, attribute }, about)) return groups(about, dark);
        const without = about.species.map((_, i) => i).filter((i) => colour === "species" || !about.species[i].attributes.includes(attribute));
        const names = without.map((i) => swatch(about.species[i].name, speciesColour(i, dark)));
        if (colour === "species") return names;
        const bar = make("div", { className: "bar" });
        bar.style.background = `linear-gradient(90deg, ${stops((part) => ramp(part, dark))})`;
        const what = make("p", { className: "doc" }, colour === "speed" ? "World units per time unit." : `The agents' ${attribute}.`);
        return [bar, make("div", { className: "ends" }, ...this.ends), what, ...(colour === "speed" ? [] : names)];
    }
}

/** The groups' numbers with their colours. */
function groups(about: About, dark: boolean): HTMLElement[] {
    const count = Math.max(...about.species.map((species) => species.groups));
    const numbers = [...Array(Math.min(count, groupColours)).keys()];
    const again = `A body has the colour of its group.${count > groupColours ? ` The colours repeat: group ${groupColours} has that of group 0.` : ""}`;
    const more = count > groupColours || about.species.some(({ body }) => body >= 0);
    return [...numbers.map((i) => swatch(String(i), groupColour(i, dark))), ...(more ? [make("p", { className: "doc" }, again)] : [])];
}

/** Stops of a CSS gradient. */
function stops(colourOf: (part: number) => Colour): string {
    return [...Array(33).keys()].map((i) => toHex(colourOf(i / 32))).join();
}

/** A wheel in which each direction from the middle has the colour of that heading. */
function headings(solid: boolean, dark: boolean): HTMLElement[] {
    const ring = make("div", { className: "wheel", role: "img", ariaLabel: "Colour wheel of headings" });
    ring.style.background = `conic-gradient(${stops((part) => wheel(0.25 - part, dark))})`; // CSS turns clockwise from the top
    const text = solid ? "Seen from above, x to the right. Steep headings are grey." : "An agent has the colour of the direction in which it moves.";
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
