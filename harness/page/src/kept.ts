// SPDX-License-Identifier: MIT
// What the browser keeps beyond this visit. Where cookies are blocked, and in sandboxed frames, every use of it throws: then nothing is
// kept, and nothing else is missing.

function orElse<Value>(use: () => Value, otherwise: Value): Value {
    try {
        return use();
    } catch {
        return otherwise;
    }
}

export function recall(key: string): string | null {
    return orElse(() => localStorage.getItem(key), null);
}

export function remember(key: string, value: string): void {
    orElse(() => localStorage.setItem(key, value), undefined);
}

/** The number of the course's lesson that the visitor is at, or came from; null: none. It stays in every address. */
export function placeInCourse(): string | null {
    return /[?&]lesson=(\d+)/.exec(location.search)?.[1] ?? null;
}

/** An address of this page with the place in the course. */
export function inCourse(address: string): string {
    const place = placeInCourse();
    return place === null || address.includes("lesson=") ? address : `${address}${address.includes("?") ? "&" : "?"}lesson=${place}`;
}

/** Puts an address into the address bar. From another one, the browser's Back leads to the one before. */
export function showAddress(address: string): void {
    const same = new URL(address, location.href).href === location.href;
    orElse(() => (same ? history.replaceState(history.state, "", address) : history.pushState(null, "", address)), undefined);
}

/** The number by which the page knows this entry of the browser's history; null: it has none yet. */
export function visitNumber(): number | null {
    return orElse(() => (history.state as { visit?: number } | null)?.visit ?? null, null);
}

export function numberVisit(visit: number): void {
    orElse(() => history.replaceState({ visit }, ""), undefined);
}
