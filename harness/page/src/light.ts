// SPDX-License-Identifier: MIT
// What a visitor sees first: the default scenario, in the window's shape, with so few agents that they move at once anywhere.

/** Whether the pointer is a finger, as on a phone. */
export const isPhone = matchMedia("(pointer: coarse)").matches;

/** Width by height of what shows the flock. */
export function aspect(): number {
    const { clientWidth, clientHeight } = document.getElementById("sky")!;
    return clientWidth / Math.max(clientHeight, 1);
}

/** Makes it from the text of the default scenario. It replaces known lines, because the library that reads any text loads later. */
export function lightText(text: string): string {
    const counts = /^( +agents: )(\d+)/gm;
    const agents = [...text.matchAll(counts)].reduce((sum, [, , count]) => sum + Number(count), 0);
    const share = (isPhone ? 2500 : 5000) / agents;
    const shape = Math.min(Math.max(aspect(), 0.4), 2.5);
    return text
        .replace(/^description: .*/m, "description: Dunlins flock over the mudflats, and a few peregrines hunt them.")
        .replace(counts, (_, field, count) => field + Math.max(Math.round(count * share), 3))
        .replace(/^( +size: )\[(\d+), (\d+)\]/m, (_, field, width, height) => {
            const area = width * height * share;
            return `${field}[${[Math.sqrt(area * shape), Math.sqrt(area / shape)].map((length) => Number(length.toPrecision(3))).join(", ")}]`;
        });
}
