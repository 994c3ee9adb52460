// SPDX-License-Identifier: MIT
import { hash } from "./hash.js";

onmessage = async ({ data: threads }) => postMessage(await hash(threads));
