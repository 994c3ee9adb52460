// SPDX-License-Identifier: MIT
// What both ways of loading the engine check.
import { options, whole } from "../src/arguments";
import type { LoadOptions } from "./engine";

/** The threads that are asked for, the module's name, and how many workers it starts beforehand. */
export function moduleFor(given: LoadOptions): { threads: number; name: string; workers: number } {
    const { threads = 1 } = options<LoadOptions>("options", given, ["threads"]);
    whole("threads", threads, 32, 1);
    // While a flock is built again, the threads of the one before may still be there.
    return { threads, name: threads > 1 ? "dunlin-threads" : "dunlin", workers: 2 * (threads - 1) };
}
