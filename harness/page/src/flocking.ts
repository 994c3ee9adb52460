// SPDX-License-Identifier: MIT
// The weights of the three rules by which a species flocks with itself, and scenarios with random ones.
import { rules } from "./control_model";
import { readScenario, setNumbers, valueAt } from "./scenario_text";
import type { Entry } from "./scenario_text";

/** The paths of a rule's weights, in all interactions of a species with itself. */
export function weightsOf(scenario: Entry, rule: string): string[] {
    const first = ((scenario.species ?? []) as Entry[])[0]?.name;
    return ((scenario.interactions ?? []) as Entry[]).flatMap((entry, i) => {
        const observer = entry.observer ?? first;
        return entry[rule] && (entry.observed ?? observer) === observer ? [`interactions[${i}].${rule}.weight`] : [];
    });
}

/** Whether all three rules have weights. */
export function flocks(text: string): boolean {
    const scenario = readScenario(text);
    return rules.every((rule) => weightsOf(scenario, rule).length > 0);
}

/** Numbers from 0 to 1 that follow from a seed: mulberry32. */
export function dice(seed: number): () => number {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
}

/** The text with each rule between a third and three times as strong. */
export function withRandomWeights(text: string, roll: () => number): string {
    const scenario = readScenario(text);
    const numbers = rules.flatMap((rule) => {
        const factor = 3 ** (2 * roll() - 1);
        return weightsOf(scenario, rule).map((path): [string, number] =>
            [path, Number((Number(valueAt(scenario, path) ?? 1) * factor).toPrecision(3))]);
    });
    return setNumbers(text, numbers);
}
