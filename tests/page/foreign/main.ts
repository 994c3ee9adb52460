// SPDX-License-Identifier: MIT
// Another project's program: it runs scenarios and prints their hashes.
import { readFileSync } from "node:fs";
import { FlockError, load, type Metrics, type View } from "dunlin";

const [threads, ...simulations] = process.argv.slice(2);

/** A number of agents of the first species, as its arrays show it. */
function outside(view: View, size: number[]): number {
    let count = 0;
    for (const [axis, position] of view.position.entries())
        for (let i = 0; i < view.count; i++) if (!(position[i] >= 0 && position[i] <= size[axis])) count++;
    return count;
}

async function main(): Promise<void> {
    const dunlin = await load({ threads: Number(threads) });
    for (const simulation of simulations) {
        const [file, steps] = simulation.split(":");
        const flock = dunlin.open(readFileSync(file, "utf8"), { name: file });
        flock.step(Number(steps));
        const metrics: Metrics = flock.measure(0);
        const view = flock.view(0);
        if (metrics.agents !== view.count || outside(view, flock.about().size) > 0) throw new Error("the view is wrong");
        console.log(`${flock.hash()} ${flock.stats().threads}`);
        flock.destroy();
    }
    try {
        dunlin.open("steps: -1\n", { name: "wrong.yaml" });
    } catch (error) {
        if (!(error instanceof FlockError)) throw error;
        console.log(`line ${error.line}: ${error.message}`);
    }
    dunlin.close();
}

main().catch((error: unknown) => {
    console.error(error);
    process.exit(1);
});
