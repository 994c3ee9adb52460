// SPDX-License-Identifier: MIT
// The shipped scenarios: a picture, a sentence and the source of each. A click runs one.
import type { App } from "../app";
import { grouped, make } from "../dom";
import { isHeavy, listShipped, openShipped } from "../shipped";
import type { Shipped } from "../shipped";
import { findShipped } from "../search";
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
        const groups = [...new Set(listed.map(({ group }) => group))];
        const results = make("div", { className: "cards" }); // of the search, in place of the shelves
        const shelves = groups.map((group) =>
            shelf(group, shipped.filter((one) => one.group === group).map((one) => cards.get(one) as HTMLElement)));
        place.append(results, ...shelves);

        const mark = () => {
            for (const [{ name }, element] of cards) element.ariaCurrent = String(app.running?.name === `${name}.yaml`);
        };
        const filter = () => {
            const { scenarios, nearest } = findShipped(shipped, search.value);
            const all = search.value.trim() === "";
            for (const [scenario, element] of cards) element.hidden = !all && !scenarios.includes(scenario);
            for (const one of shelves) one.hidden = !all;
            results.replaceChildren();
            for (const scenario of all ? shipped : scenarios)
                (all ? shelves[groups.indexOf(scenario.group)].lastElementChild! : results).append(cards.get(scenario)!);
            const count = `${scenarios.length} of ${cards.size} scenarios`;
            found.textContent = all ? "" : scenarios.length === 0 ? "No scenario has these words." :
                nearest === "" ? count : `Nothing found; nearest: ${nearest} (${count})`;
        };
        search.oninput = filter;
        app.on("running", mark);
        mark();
    }
    app.drawn.then(fill).catch((error) => {
        found.textContent = `The gallery cannot be shown: ${error.message}.`;
    });
}
