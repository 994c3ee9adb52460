// SPDX-License-Identifier: MIT
// Whether the page is light or dark: as the system has it, or as the user chose.
import { recall } from "./kept";

export const shades = ["system", "light", "dark"] as const;
export const keyOfShade = "dunlin.colours";
export const systemLight = matchMedia("(prefers-color-scheme: light)");

export function chosenShade(): (typeof shades)[number] {
    return shades.find((one) => one === recall(keyOfShade)) ?? "system";
}

export function isLight(shade = chosenShade()): boolean {
    return shade === "light" || (shade === "system" && systemLight.matches);
}
