// SPDX-License-Identifier: MIT
// Words that people search with, and what Dunlin calls the same.
const meanings: Record<string, string[]> = {
    perception: ["radius", "half angle", "field of view"],
    vision: ["radius", "half angle", "field of view"],
    sight: ["radius", "half angle", "field of view"],
    mouse: ["target", "steer towards a point"],
    pointer: ["target", "steer towards a point"],
    cursor: ["target", "steer towards a point"],
    trail: ["scent", "trace"],
    pheromone: ["scent", "trace"],
    image: ["picture", "png"],
    perlin: ["noise", "swirls and changes"],
    leader: ["leadership"],
    memory: ["adapt", "stays one"],
    pursuit: ["pursue"],
    chase: ["pursue", "hawk", "shark"],
    wall: ["obstacle", "contain", "boundary"],
    wrap: ["periodic", "teleport", "boundary"],
    friction: ["drag"],
    gravity: ["force", "attract"],
    attractor: ["attract"],
    orbit: ["attract"],
    planet: ["attract"],
    magnet: ["attract"],
    repel: ["attract", "flee"],
    resistance: ["drag"],
};

export const knownWords = Object.keys(meanings);

/** Whether a text, in lower case, has the word or what Dunlin says instead. */
export function says(text: string, word: string): boolean {
    return [word, ...(meanings[word] ?? meanings[word.replace(/s$/, "")] ?? [])].some((one) => text.includes(one));
}
