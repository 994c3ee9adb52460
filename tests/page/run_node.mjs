// SPDX-License-Identifier: MIT
// run_node.mjs PAGE NPM PROGRAM [--only=WORDS] [--nightly]: proves in node, without a browser, what the folders build/page and build/npm promise,
// against the native program.
import { resolve } from "node:path";
import { Native } from "./native.mjs";

const subjects = ["server", "binary", "large", "sight", "entries", "package", "programs", "misuse"];

const given = process.argv.slice(2);
const [page, npm, program] = given.filter((argument) => !argument.startsWith("--")).map((path) => resolve(path));
const only = given.find((argument) => argument.startsWith("--only="))?.slice(7) ?? "";
const nightly = given.includes("--nightly") || only !== "";
const test = { page, npm, nightly, native: new Native(program) };
const counts = { ok: 0, failed: 0 };

for (const subject of subjects) {
    const { tests } = await import(`./${subject}.mjs`);
    for (const [sentence, check, when] of tests) {
        if (!sentence.includes(only) || (when === "nightly" && !nightly)) continue;
        const begun = performance.now();
        let failure = "";
        try {
            await check(test);
        } catch (error) {
            failure = [error.stack, error.stdout, error.stderr].filter(Boolean).join("\n");
        }
        counts[failure ? "failed" : "ok"]++;
        console.log(`${failure ? "failed" : "ok    "} ${sentence} (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
        if (failure) console.log(`       ${failure.replaceAll("\n", "\n       ")}`);
    }
}
console.log(`${counts.ok} ok, ${counts.failed} failed, of the tests in node`);
process.exit(counts.failed > 0 || counts.ok === 0 ? 1 : 0);
