// SPDX-License-Identifier: MIT
// How the element looks. Pages change it by the element's own size, colours and --dunlin-accent.

const text = `
:host { display: grid; grid-template: minmax(0, 1fr) auto / minmax(0, 1fr); width: 100%; aspect-ratio: 8 / 5; font: 14px/1.45 system-ui, sans-serif; }
:host([hidden]) { display: none; }
/* A finger's way across the flock scrolls the page upwards and downwards; with controls, it acts on the flock whichever way. */
canvas { display: block; width: 100%; height: 100%; min-height: 0; touch-action: pan-y pinch-zoom; }
:host([controls]) canvas { touch-action: pinch-zoom; }
.bar {
    display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.75rem; padding: 0.35rem 0.6rem;
    --accent: var(--dunlin-accent, #6cb6ff); color-scheme: dark; background: #141a23; color: #e3e9f0;
}
canvas.light ~ .bar { --accent: var(--dunlin-accent, #0b63b5); color-scheme: light; background: #fff; color: #16202b; }
.bar:empty { display: none; }
button {
    display: grid; place-content: center; width: 2.25rem; height: 2.25rem; padding: 0; border: 0; border-radius: 50%;
    background: none; color: inherit; cursor: pointer;
}
button:hover { background: #8884; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.icon { width: 1.25rem; height: 1.25rem; fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; }
.play .icon { fill: currentColor; }
.dial { flex: 1 1 8rem; display: grid; grid-template-columns: 1fr auto; }
.dial[hidden] { display: none; }
.dial output { font-variant-numeric: tabular-nums; opacity: 0.8; }
.dial input { grid-column: 1 / -1; width: 100%; margin: 0; accent-color: var(--accent); }
`;
let sheet: CSSStyleSheet | null = null;

/** One for all elements of the page. */
export function style(): CSSStyleSheet {
    if (sheet === null) (sheet = new CSSStyleSheet()).replaceSync(text);
    return sheet;
}
