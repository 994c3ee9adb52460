// SPDX-License-Identifier: MIT
// Light or dark: as the system has it, or as the user chooses.
import type { App } from "../app";
import { icon, make } from "../dom";
import { remember } from "../kept";
import { chosenShade, isLight, keyOfShade, shades, systemLight } from "../shade";

const names = { system: "as the system", light: "light", dark: "dark" };

export function mountTheme(app: App, place: HTMLElement): void {
    let choice = chosenShade();
    const button = make("button", { type: "button", className: "quiet" });
    const show = () => {
        const light = isLight(choice);
        document.documentElement.classList.toggle("light", light);
        app.draw({ dark: !light });
        button.replaceChildren(icon(choice));
        button.ariaLabel = button.title = `Colours: ${names[choice]}`;
    };
    button.onclick = () => {
        choice = shades[(shades.indexOf(choice) + 1) % shades.length];
        remember(keyOfShade, choice);
        show();
    };
    systemLight.addEventListener("change", show);
    place.append(button);
    show();
}
