// SPDX-License-Identifier: MIT
// Sensible ranges for sliders. A number may go beyond its slider: its field takes all that the engine allows.
import type { Quantity } from "./flock";

export interface Range {
    low: number;
    high: number;
    step: number;
}

/** The smallest of 1, 2, 5, 10 ... times a power of ten that is not less. */
export function roundUp(value: number): number {
    const power = 10 ** Math.floor(Math.log10(value));
    return [1, 2, 5, 10].map((digit) => digit * power).find((round) => round >= value * 0.999999) ?? 10 * power;
}

/** A number of binary32 in as few digits as bring it back. */
export function shortest(value: number): number {
    for (let digits = 6; digits < 9; digits++)
        if (Math.fround(Number(value.toPrecision(digits))) === Math.fround(value)) return Number(value.toPrecision(digits));
    return value;
}

/** The slider's range for a number; `size` is the world's, for places in it. */
export function sliderRange(number: Quantity, size: number[]): Range {
    const [min, max] = [number.min ?? -Infinity, number.max ?? Infinity];
    const [low, high] = max - min <= 1000 ? [min, max] : around(number, min, max, size);
    const step = number.whole === 1 ? Math.max(1, roundUp((high - low) / 1000)) : roundUp((high - low) / 500);
    return { low: number.above_min === 1 && low === min ? low + step : low, high: number.below_max === 1 && high === max ? high - step : high, step };
}

function around(number: Quantity, min: number, max: number, size: number[]): [number, number] {
    const value = Math.max(Math.abs(number.value ?? 0), Math.abs(number.standard ?? 0));
    const axis = /\[(\d+)\]$/.exec(number.path);
    const length = axis === null ? Math.min(...size) : size[Number(axis[1]) % size.length];
    if (number.unit === "world units" && min < 0) {
        const inside = number.value === null || (number.value >= 0 && number.value <= length);
        return inside ? [0, length] : [Math.max(min, -2 * value), Math.min(max, 2 * value)];
    }
    const guess = number.unit === "world units" ? length / 10 : number.unit === "degrees" ? 90 : number.whole === 1 ? 100 : 1;
    const high = Math.min(max, roundUp(3 * (value || guess)));
    return [Math.max(min, min < 0 ? -high : 0), high];
}
