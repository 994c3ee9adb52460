// SPDX-License-Identifier: MIT
import { hash } from "../../../hash.js";

export const dynamic = "force-dynamic";

export async function GET() {
    return new Response(await hash(1));
}
