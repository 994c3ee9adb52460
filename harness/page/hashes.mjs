// SPDX-License-Identifier: MIT
// hashes.mjs FOLDER PROGRAM: runs every shipped scenario by the native program, and leaves the hashes of their states in the page's
// FOLDER, so that the page can show that it has the same bits.
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const here = fileURLToPath(new URL(".", import.meta.url));
const [folder, program] = process.argv.slice(2);
const steps = Number(/proofStep = (\d+)/.exec(readFileSync(join(here, "src/protocol.ts"), "utf8"))[1]);
const scenarios = join(here, "../scenarios");

// Threads that wait must not keep a busy machine from working.
const env = { ...process.env, OMP_WAIT_POLICY: "passive" };
const hashes = {};
for (const file of readdirSync(scenarios).filter((name) => name.endsWith(".yaml"))) {
    const given = ["run", join(scenarios, file), `--steps=${steps}`, "--hash", "--quiet"];
    const { stdout } = await promisify(execFile)(program, given, { env });
    hashes[file] = /state hash: ([0-9a-f]{16})/.exec(stdout)[1];
}
writeFileSync(join(folder, "hashes.json"), JSON.stringify({ steps, hashes }));
