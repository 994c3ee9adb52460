// SPDX-License-Identifier: MIT
// What the page opens first, and links that carry a flight.
import type { App } from "../app";

/** Opens what the address asks for: a flight in a link, a shipped scenario by its name, or the default scenario. */
export async function openFirst(app: App): Promise<void> {
    const name = new URLSearchParams(location.search).get("scenario") ?? "default";
    const response = await fetch(`scenarios/${encodeURIComponent(name)}.yaml`);
    if (!response.ok) return app.complain(`there is no scenario ${name}`, "open");
    app.open(await response.text(), `${name}.yaml`);
    app.tell({ do: "play", on: true });
}
