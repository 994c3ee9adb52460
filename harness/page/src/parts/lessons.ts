// SPDX-License-Identifier: MIT
// A lesson about the scenario that runs: what to see, how it works, what to try, where it comes from. Twelve of them are a course.
import type { App } from "../app";
import { make } from "../dom";
import type { Tool } from "../hands/tools";
import type { Spot, View } from "../hands/view";
import { placeInCourse } from "../kept";
import { withChanges } from "../scenario_text";
import type { Changes } from "../scenario_text";
import { loadLessons, nameOf, openLesson } from "../shipped";
import type { Lesson, Lessons } from "../shipped";
import { exercisesButton } from "./exercises";
import { OrderSwitch } from "./order";

const tip = '<marker id="tip" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="5" markerHeight="5" orient="auto"><path d="M0 0l8 4-8 4z"/></marker>';

/** The picture of a rule. It says nothing to screen readers that the text does not say. */
function picture(inside: string): HTMLElement {
    const holder = make("div");
    holder.innerHTML = `<svg class="rule" viewBox="0 0 240 120" aria-hidden="true"><defs>${tip}</defs>${inside}</svg>`;
    return holder;
}

export function mountLessons(app: App, place: HTMLElement, sky: HTMLElement, view: View): void {
    const panel = make("div", { className: "lesson" });
    const order = new OrderSwitch();
    let point: string | undefined; // of the scenario; it follows the pointer, as in the sketch
    place.append(panel, exercisesButton(app));
    const follow = (spot: Spot) => {
        if (point === undefined || app.running === null) return;
        view.place(spot).forEach((value, a) => app.set(`${point}[${a}]`, Number(value.toPrecision(4)), true));
    };
    const lead: Tool = { id: "lead", label: "Lead", icon: "", press: follow, drag: follow,
        hint: "Move the pointer, or drag over the flock: the target follows. To scatter or attract, take a tool." };
    app.on("running", ({ name }) => void app.drawn.then(loadLessons).then((all) => {
        const before = point;
        point = all.lessons[nameOf(name)]?.pointer;
        if (point !== before) app.lead(point === undefined ? null : lead);
        show(app, panel, order, all, nameOf(name));
    }).catch((error) => panel.replaceChildren(`The lessons cannot be shown: ${error.message}.`)));
    sky.addEventListener("pointermove", ({ offsetX: x, offsetY: y }) => follow({ x, y }));
}

/** Shows the lesson of that name, unless it is the one that is there. */
function show(app: App, panel: HTMLElement, order: OrderSwitch, all: Lessons, name: string): void {
    if (panel.dataset.lesson === name) return;
    order.close();
    panel.dataset.lesson = name;
    const lesson = all.lessons[name];
    const { about } = app.running!;
    panel.replaceChildren(steps(app, all, name), make("h2", {}, lesson?.title ?? about.name),
        ...(lesson ? contents(app, order, all, name, lesson) : [make("p", {}, about.description)]),
        make("div", { className: "row" }, make("button", { type: "button", onclick: () => app.show("editor") }, "Show the YAML"),
            ...(lesson ? [make("button", { type: "button", onclick: () => void copyAddress(app, all, name) }, "Copy the lesson's address")] : [])));
}

async function copyAddress(app: App, { course }: Lessons, name: string): Promise<void> {
    const href = `${location.origin}${location.pathname}?lesson=${course.indexOf(name) + 1 || name}`;
    const copied = await navigator.clipboard.writeText(href).then(() => true, () => false);
    app.say(`${copied ? "Copied: " : ""}${href} opens this lesson.`);
}

/** All lessons to choose from, where in the course this one is, and the ways back and on. */
function steps(app: App, { course, lessons }: Lessons, name: string): HTMLElement {
    const open = (to: string) => void openLesson(app, to).catch((error) => app.complain(error.message, "open"));
    const at = course.indexOf(name);
    const button = (label: string, to: string | undefined, className = "") => make("button",
        { type: "button", className, disabled: to === undefined, onclick: () => open(to!) }, label);
    const byNumber = new Intl.Collator("en", { numeric: true });
    const others = Object.keys(lessons).filter((one) => !course.includes(one)).sort((a, b) => byNumber.compare(lessons[a].title, lessons[b].title));
    const reached = Number(placeInCourse() ?? 0);
    const option = (one: string, label: string) => new Option(label, one, false, one === name);
    const choice = make("select", { ariaLabel: "Lesson", onchange: () => open(choice.value) },
        ...(name in lessons ? [] : [option(name, "Choose a lesson")]),
        make("optgroup", { label: "Course" }, ...course.map((one, i) => option(one, `${i + 1}. ${lessons[one].title}`))),
        make("optgroup", { label: "More lessons" }, ...others.map((one) => option(one, lessons[one].title))));
    const ways = at < 0 ? [course[reached - 1] === undefined ? button("Start the course", course[0], "main")
        : button(`Back to lesson ${reached}`, course[reached - 1], "main")]
        : [button("Back", course[at - 1]), button("Next", course[at + 1], "main")];
    return make("div", { className: "row" }, choice, ...ways);
}

function contents(app: App, order: OrderSwitch, all: Lessons, name: string, lesson: Lesson): (HTMLElement | string)[] {
    const links = lesson.from.map((key) => {
        const [title, href] = all.links[key];
        return make("li", {}, make("a", { href, target: "_blank", rel: "noopener" }, title));
    });
    return [
        make("h3", {}, "What you see"), make("p", {}, lesson.see),
        make("h3", {}, "How it works"), make("p", {}, lesson.how), picture(all.pictures[lesson.picture]),
        make("p", {}, make("code", {}, lesson.formula)),
        ...(name === "order" ? [order.element] : [make("h3", {}, "Things to try"), experiments(app, name, lesson)]),
        make("h3", {}, "Where it comes from"), make("ul", {}, ...links),
    ];
}

/** Buttons that change the simulation, and what to look for then. */
function experiments(app: App, name: string, { try: all }: Lesson): HTMLElement {
    const watch = make("p", { className: "watch" });
    watch.setAttribute("aria-live", "polite");
    const button = (label: string, text: string, act: () => void) => make("button", { type: "button", onclick: () => {
        watch.textContent = text;
        act();
    } }, label);
    const reset = () => void openLesson(app, name).catch((error) => app.complain(error.message, "open"));
    return make("div", { className: "try" },
        ...all.map(([label, what, text]) => button(label, text, () => tryOut(app, what))), button("As it came", "", reset), watch);
}

/** Agents and clock stay, unless the number of agents changes. */
function tryOut(app: App, what: Changes): void {
    const { settings } = app.running!;
    if (typeof what.agents === "number") app.restart({ ...settings, agents: what.agents });
    else app.edit(withChanges(app.text, what));
    app.tell({ do: "play", on: true });
}
