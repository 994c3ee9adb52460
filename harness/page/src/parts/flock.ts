// SPDX-License-Identifier: MIT
// The panel for a first visit: what is to be seen, the three rules, agents, speed, a surprise; what the engine does is folded away.
import type { App } from "../app";
import { icon, make } from "../dom";
import { openSurprise } from "../shipped";
import { mountAgents } from "./agents";
import { Dial, dial, dials } from "./dial";
import { mountEngine } from "./engine";
import { millionButton, showHelp } from "./help";
import { mountProof } from "./proof";

const what = "Each agent sees only its neighbours and follows a few rules. No agent sees the whole flock.";
const paces = [0.25, 0.5, 1, 2, 4]; // steps per frame

export function mountFlock(app: App, place: HTMLElement): void {
    const about = make("p");
    const without = make("p", { className: "doc", hidden: true }, "Its agents follow other rules: see the panel Rules.");
    const flocks = make("p", { className: "doc" }, what, " ",
        make("button", { type: "button", className: "link", onclick: () => showHelp(app) }, "What is this?"));
    const rules = dials.map(([rule, title, doc]) => new Dial(app, rule, title, doc));
    const surprise = () => openSurprise(app).catch((error) => app.complain(error.message, "open"));
    const settings = make("div", { id: "settings" });
    const proof = make("div", { id: "proof" });
    place.append(about, flocks, without, ...rules.map((dial) => dial.place));
    mountAgents(app, place);
    place.append(paceDial(app),
        make("button", { type: "button", className: "main", title: "A scenario with random weights; the address repeats it", onclick: () => void surprise() },
            icon("dice"), "Surprise me"),
        millionButton(app),
        make("details", { id: "engine" }, make("summary", {}, "Engine"), settings, proof));
    mountEngine(app, settings);
    mountProof(app, proof);
    app.on("running", (running) => {
        about.textContent = running.about.description;
        for (const dial of rules) dial.follow(running);
        without.hidden = rules.some((dial) => dial.works);
        flocks.hidden = !without.hidden;
    });
}

/** How many steps the flock takes per frame: the time step, and so the bits, are the scenario's. */
function paceDial(app: App): HTMLElement {
    const { input, output, place } = dial("Speed", "Steps per frame; the time step stays the scenario's",
        { min: "0", max: String(paces.length - 1), step: "1", value: String(paces.indexOf(1)) });
    const show = () => (input.ariaValueText = output.textContent = `× ${paces[input.valueAsNumber]}`);
    input.oninput = () => {
        show();
        app.tell({ do: "pace", steps: paces[input.valueAsNumber] });
    };
    show();
    return place;
}
