// SPDX-License-Identifier: MIT
// What a visitor sees first: the default scenario, in the window's shape, with so few agents that they move at once anywhere.

/** On a phone, whose pointer is a finger. */
export const isPhone = matchMedia("(pointer: coarse)").matches;

/** Width by height of what shows the flock. */
export function aspect(): number {
    const { clientWidth, clientHeight } = document.getElementById("sky")!;
    return clientWidth / Math.max(clientHeight, 1);
}

/** From the text of the default scenario, whose lines this knows: to read any text takes a library that comes later. */
export function lightText(text: string): string {
    const counts = /(?<=^ +agents: )\d+/gm;
    const agents = (text.match(counts) ?? []).reduce((sum, count) => sum + Number(count), 0);
    const share = (isPhone ? 2500 : 5000) / agents;
    const shape = Math.min(Math.max(aspect(), 0.4), 2.5);
    return text
        .replace(/^description: .*/m, "description: Dunlins flock over the mudflats, and a few peregrines hunt them.")
        .replace(counts, (count) => String(Math.max(Math.round(Number(count) * share), 3)))
        .replace(/(?<=^ +size: )\[(\d+), (\d+)\]/m, (_, width, height) => {
            const area = width * height * share;
            return `[${[Math.sqrt(area * shape), Math.sqrt(area / shape)].map((length) => Number(length.toPrecision(3))).join(", ")}]`;
        });
}
