// SPDX-License-Identifier: MIT
// The scenario's text beside the flock. The engine itself checks what is typed; its message stands at its line.
import type { App } from "../app";
import { make } from "../dom";
import type { Mistake } from "../protocol";

const what = "All of the scenario as text, in YAML: what the sliders set, and more. Change it, and apply.";
const keys = "Tab indents; Escape leaves the text. Ctrl+Enter applies.";

export function mountEditor(app: App, place: HTMLElement): void {
    const numbers = make("div");
    const gutter = make("pre", { className: "gutter", ariaHidden: "true" }, numbers);
    const stripe = make("div", { className: "stripe", hidden: true });
    const ruler = make("div", { className: "ruler", ariaHidden: "true" }); // lines that may take several rows
    const area = make("textarea", { id: "scenario-text", spellcheck: false, autocomplete: "off", ariaLabel: "The scenario's text" });
    const message = make("button", { type: "button", className: "mistake", id: "mistake", hidden: true, onclick: () => goTo(marked) });
    const state = make("p", { className: "doc", role: "status", id: "editor-state" });
    const apply = make("button", { type: "button", className: "main", textContent: "Apply", title: "Run this text, with the agents that there are" });
    const restart = make("button", { type: "button", textContent: "Restart", title: "Run this text from its beginning" });
    const revert = make("button", { type: "button", textContent: "Revert", title: "Take the text of the simulation" });
    area.setAttribute("autocapitalize", "off");
    area.setAttribute("aria-describedby", "mistake editor-state");
    place.append(make("p", { className: "doc" }, what), make("div", { className: "code" }, stripe, gutter, area, ruler), message,
        make("div", { className: "row" }, apply, restart, revert), state);

    let running = ""; // the text of the simulation
    let rows = [0, 1]; // before each line of the text, and before its end: a long line takes several
    let marked = 0; // the line of the mistake, from 1; 0: none
    let asked = 0;
    let timer = 0;

    /** Numbers the lines that show, however many there are, and marks the mistake. */
    function number(): void {
        const { lineHeight, paddingTop } = getComputedStyle(area);
        const [height, top] = [parseFloat(lineHeight), parseFloat(paddingTop)];
        const spans: HTMLElement[] = [];
        const first = Math.max(rows.findIndex((row) => row * height > area.scrollTop) - 1, 0);
        for (let i = first; i + 1 < rows.length && rows[i] * height < area.scrollTop + area.clientHeight; i++)
            spans.push(make("span", { className: i + 1 === marked ? "marked" : "" }, `${i + 1}${"\n".repeat(rows[i + 1] - rows[i])}`));
        numbers.replaceChildren(...spans);
        numbers.style.marginTop = `${rows[first] * height - area.scrollTop}px`;
        gutter.style.minWidth = `${String(rows.length).length + 2}ch`;
        stripe.hidden = marked === 0;
        stripe.style.top = `${top + rows[marked - 1] * height - area.scrollTop}px`;
    }

    /** The text or its width has changed. */
    function count(): void {
        if (area.clientWidth === 0) return; // nothing shows
        const { lineHeight, paddingLeft, paddingRight } = getComputedStyle(area);
        const width = area.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
        const lines = area.value.split("\n");
        ruler.style.width = "max-content";
        ruler.textContent = "0".repeat(100);
        const most = Math.floor((100 * width) / ruler.clientWidth); // letters of a row
        ruler.style.width = `${width}px`;
        const isLong = (line: string) => line.length > most || /[^ -~]/.test(line);
        ruler.replaceChildren(...lines.filter(isLong).map((line) => make("div", {}, line)));
        const heights = [...ruler.children].map((line) => Math.round(line.clientHeight / parseFloat(lineHeight)));
        rows = [0];
        for (const line of lines) rows.push(rows.at(-1)! + (isLong(line) ? Math.max(heights.shift()!, 1) : 1));
        ruler.replaceChildren();
        number();
    }

    function show(mistake: Mistake | null): void {
        marked = mistake?.line ?? 0;
        message.hidden = mistake === null;
        // The name of the file says nothing here; the line is shown.
        message.textContent = mistake === null ? "" : mistake.message.replace(/^[^:]*:(\d+): /, "Line $1: ");
        area.ariaInvalid = String(mistake !== null);
        apply.disabled = restart.disabled = mistake !== null;
        number();
    }

    function describe(): void {
        const same = area.value === running;
        revert.disabled = same;
        app.draft = same ? null : area.value;
        state.textContent = `${same ? "This text runs." : "The flock runs without these changes."} ${keys}`;
    }

    /** Asks the engine once no key was pressed for a moment; of several answers the last one counts. */
    function check(): void {
        clearTimeout(timer);
        const question = ++asked;
        timer = setTimeout(async () => {
            const mistake = await app.ask<Mistake | null>({ check: area.value }).catch(app.unanswered);
            if (question === asked) show(mistake);
        }, 250);
        describe();
        count();
    }

    function goTo(line: number): void {
        const before = area.value.split("\n").slice(0, Math.max(0, line - 1));
        const start = before.join("\n").length + (before.length > 0 ? 1 : 0);
        const end = area.value.indexOf("\n", start);
        count();
        area.focus();
        area.setSelectionRange(start, end < 0 ? area.value.length : end);
        area.scrollTop = rows[before.length] * parseFloat(getComputedStyle(area).lineHeight) - area.clientHeight / 2;
    }

    function press(event: KeyboardEvent): void {
        if (event.key === "Escape") apply.disabled ? message.focus() : apply.focus();
        else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) apply.click();
        else if (event.key === "Tab" && !event.shiftKey) {
            event.preventDefault();
            document.execCommand("insertText", false, "  "); // so that undo knows it
        }
        event.stopPropagation(); // the page's own keys are not meant
    }

    area.onscroll = number;
    new ResizeObserver(count).observe(area);
    area.oninput = check;
    area.onkeydown = press;
    apply.onclick = () => app.edit(area.value);
    restart.onclick = () => app.open(area.value, app.running?.name ?? "scenario.yaml", app.running?.settings);
    revert.onclick = () => {
        area.focus();
        area.select();
        document.execCommand("insertText", false, running);
    };
    // What the sliders change shows at once, unless the visitor is writing here.
    app.on("text", ({ text }) => {
        const untouched = area.value === running || area.value === "";
        running = text;
        if (untouched) area.value = text;
        if (area.value !== text) return check();
        show(null);
        describe();
        count();
    });
    // Once the panel is there.
    app.on("show", ({ panel, line }) => panel === place.id && line > 0 && requestAnimationFrame(() => goTo(line)));
}
