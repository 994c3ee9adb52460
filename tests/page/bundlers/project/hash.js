// SPDX-License-Identifier: MIT
import { load } from "dunlin";

const text = `world: {size: [400, 400]}
species:
  - {name: birds, max_speed: 1, max_force: 0.05, agents: 500}
interactions:
  - {separation: {radius: 2, weight: 1.5}, alignment: {radius: 5}, cohesion: {radius: 5}}
`;

/** The hash after 60 steps, and the threads; or why there is none. */
export async function hash(threads, options = globalThis.loadOptions?.[threads]) {
    try {
        const dunlin = await load({ threads, ...options });
        const flock = dunlin.open(text);
        flock.step(60);
        const answer = `${flock.hash()} ${flock.stats().threads}`;
        flock.destroy();
        dunlin.close();
        return answer;
    } catch (error) {
        return String(error);
    }
}
