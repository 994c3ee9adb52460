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

/** Puts an address into the address bar. */
export function showAddress(address: string): void {
    orElse(() => history.replaceState(null, "", address), undefined);
}
