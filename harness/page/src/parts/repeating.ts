// SPDX-License-Identifier: MIT
// How far the repetition of a long simulation is.
import type { App } from "../app";
import { grouped, make } from "../dom";

export function mountRepeating(app: App, place: HTMLElement): void {
    const words = make("span");
    const bar = make("progress", { ariaLabel: "The simulation is repeated" });
    const stop = make("button", { type: "button", textContent: "Stop here", onclick: () => app.tell({ do: "stop repeating" }) });
    place.append(words, bar, stop);
    const hide = () => {
        place.hidden = true;
    };
    app.on("repeating", ({ step, steps }) => {
        place.hidden = false;
        words.textContent = `Repeating the simulation: step ${grouped(step)} of ${grouped(steps)}`;
        Object.assign(bar, { value: step, max: steps });
    });
    app.on("running", hide);
    app.on("failed", hide);
    hide();
}
