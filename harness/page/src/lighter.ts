// SPDX-License-Identifier: MIT
// The same scenario with fewer agents, or in a world of another shape, as an edit of its text.
import { readScenario, setNumbers, valueAt } from "./scenario_text";
import type { Entry } from "./scenario_text";

/** Whether the scenario names places: in a world of another shape they would be elsewhere. */
function namesPlaces({ behaviours, obstacles, fields, paths, species }: Entry): boolean {
    return /\[-?\d/.test(JSON.stringify([behaviours, obstacles, fields, paths, species]));
}

/** The agents of all species together. */
export function agentsIn(scenario: Entry): number {
    return ((scenario.species ?? []) as Entry[]).reduce((sum, { agents }) => sum + Number(agents ?? 0), 0);
}

/**
 * The text with at most so many agents, as close together as before, and in 2D with a world of this aspect (width by height). Where it
 * names places, its world stays as it is.
 */
export function resized(text: string, { agents = Infinity, aspect = 0 }): string {
    const scenario = readScenario(text);
    const size = valueAt(scenario, "world.size");
    const share = Math.min(agents / agentsIn(scenario), 1);
    const numbers: [path: string, value: number][] = [];
    if (share < 1) ((scenario.species ?? []) as Entry[]).forEach((species, i) => {
        const count = Number(species.agents ?? 0);
        numbers.push([`species[${i}].agents`, Math.max(Math.round(count * share), Math.min(count, 3))]);
    });
    if (Array.isArray(size) && !namesPlaces(scenario)) {
        const factor = share ** (1 / size.length);
        const shape = aspect > 0 && size.length === 2 ? aspect / (Number(size[0]) / Number(size[1])) : 1;
        const stretch = [Math.sqrt(shape), 1 / Math.sqrt(shape), 1];
        size.forEach((length, axis) => numbers.push([`world.size[${axis}]`, Number((Number(length) * factor * stretch[axis]).toPrecision(3))]));
    }
    return setNumbers(text, numbers);
}

/** For an upright window, the text with an upright world, if its world lies and names no places. */
export function upright(text: string, aspect: number): string {
    const size = valueAt(readScenario(text), "world.size");
    const lies = Array.isArray(size) && size.length === 2 && Number(size[0]) > 1.2 * Number(size[1]);
    return aspect < 0.8 && lies ? resized(text, { aspect: Math.max(aspect, 0.4) }) : text;
}
