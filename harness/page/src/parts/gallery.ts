// SPDX-License-Identifier: MIT
// The shipped scenarios: a picture, a sentence and the source of each. A click runs one.
import type { App } from "../app";
import { grouped, make } from "../dom";
import { isHeavy, listShipped, openShipped } from "../shipped";
import type { Shipped } from "../shipped";
import { says } from "../synonyms";
import { exercisesButton } from "./exercises";

function card(app: App, scenario: Shipped): HTMLButtonElement {
    const { name, title, description, source, where = [], agents, dimensions } = scenario;
    const open = () => void openShipped(app, name).catch((error) => app.complain(error.message, "open"));
    return make("button", { type: "button", className: "card", onclick: open },
        make("img", { src: `scenarios/${name}.png`, loading: "lazy", alt: "", width: 320, height: 200 }),
        make("strong", {}, title),
        make("span", {}, description),
        ...(source ? [make("span", { className: "doc" }, `After: ${source}`)] : []),
        ...where.map((one) => make("span", { className: "doc" }, one)),
        make("span", { className: "doc" }, `${grouped(agents)} agents${dimensions === 3 ? ", 3D" : ""}${isHeavy(agents) ? ", heavy" : ""}`));
}

/** The scenarios of a group under its heading. */
function shelf(group: string, cards: HTMLElement[]): HTMLElement {
    return make("section", { className: "shelf" }, make("h3", {}, group), make("div", { className: "cards" }, ...cards));
}

export function mountGallery(app: App, place: HTMLElement): void {
    const search = make("input", { type: "search", placeholder: "Search scenarios", ariaLabel: "Search scenarios" });
    const found = make("p", { className: "doc", role: "status" });
    place.append(make("div", { className: "row" }, search, exercisesButton(app)), found);

    async function fill(): Promise<void> {
        const listed = await listShipped();
        const weight = ({ group, agents }: Shipped) => (group.startsWith("Sketches") ? 0 : agents); // sketches follow the book
        const shipped = [...listed].sort((one, other) => weight(one) - weight(other)); // within their groups
        const cards = new Map(shipped.map((scenario) => [scenario, card(app, scenario)]));
        const shelves = [...new Set(listed.map(({ group }) => group))].map((group) =>
            shelf(group, shipped.filter((one) => one.group === group).map((one) => cards.get(one) as HTMLElement)));
        place.append(...shelves);

        const mark = () => {
            for (const [{ name }, element] of cards) element.ariaCurrent = String(app.running?.name === `${name}.yaml`);
        };
        const filter = () => {
            const words = search.value.toLowerCase().split(/\s+/);
            for (const [scenario, element] of cards) {
                const text = Object.values({ ...scenario, group: "" }).join(" ").toLowerCase(); // a group's title is no scenario's
                element.hidden = !words.every((word) => says(text, word));
            }
            for (const one of shelves) one.hidden = one.querySelector(".card:not([hidden])") === null;
            const count = [...cards.values()].filter((element) => !element.hidden).length;
            found.textContent = count === cards.size ? "" : count === 0 ? "No scenario has these words." : `${count} of ${cards.size} scenarios`;
        };
        search.oninput = filter;
        app.on("running", mark);
        mark();
    }
    app.drawn.then(fill).catch((error) => {
        found.textContent = `The gallery cannot be shown: ${error.message}.`;
    });
}
