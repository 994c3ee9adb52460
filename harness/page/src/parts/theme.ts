// SPDX-License-Identifier: MIT
// Light or dark: as the system has it, or as the user chooses.
import type { App } from "../app";
import { icon, make } from "../dom";
import { recall, remember } from "../kept";

const choices = ["system", "light", "dark"] as const;
const names = { system: "as the system", light: "light", dark: "dark" };
const remembered = "dunlin.colours";
const systemLight = matchMedia("(prefers-color-scheme: light)");

export function mountTheme(app: App, place: HTMLElement): void {
    let choice = choices.find((one) => one === recall(remembered)) ?? "system";
    const button = make("button", { type: "button", className: "quiet" });
    const show = () => {
        const light = choice === "light" || (choice === "system" && systemLight.matches);
        document.documentElement.classList.toggle("light", light);
        app.draw({ dark: !light });
        button.replaceChildren(icon(choice));
        button.ariaLabel = button.title = `Colours: ${names[choice]}`;
    };
    button.onclick = () => {
        choice = choices[(choices.indexOf(choice) + 1) % choices.length];
        remember(remembered, choice);
        show();
    };
    systemLight.addEventListener("change", show);
    place.append(button);
    show();
}
