// Where a reader stands: quizzes, exercises, pages done, the place of the last visit. Kept in this browser, sent nowhere.
(() => {
  const course = window.lecturesCourse ?? {};
  const names = Object.keys(course);
  const root = new URL(document.documentElement.dataset.content_root ?? "./", location.href);
  const nameOf = (href) => names.find((name) => new URL(href, location.href).pathname === new URL(`${name}.html`, root).pathname);
  const here = nameOf(location.href);
  let note = "";

  function kept(key, otherwise) {
    try {
      return JSON.parse(localStorage.getItem(`lectures.${key}`)) ?? otherwise;
    } catch {
      note = "What this browser kept cannot be read, and is passed over.";
      return otherwise;
    }
  }

  function keep(key, value) {
    try {
      localStorage.setItem(`lectures.${key}`, JSON.stringify(value));
    } catch {
      note = "This browser keeps nothing (a private window?): your progress is forgotten when you leave.";
    }
  }

  /** How far a page is: what was answered right, solved, and whether its reader calls it done. */
  function state(name) {
    const { quizzes, exercises } = course[name];
    const answers = kept("quizzes", {});
    const solved = kept("solved", []);
    return {
      right: quizzes.filter((it) => answers[it] === "right").length,
      open: quizzes.filter((it) => !(it in answers)),
      solved: exercises.filter((it) => solved.includes?.(it)).length,
      done: Boolean(kept("done", {})[name]),
    };
  }

  const make = (tag, words = "", more = {}) => Object.assign(document.createElement(tag), { textContent: words, ...more });

  /** The bar under the title of a lecture. */
  function bar() {
    const { quizzes, exercises } = course[here];
    const now = state(here);
    const nav = document.querySelector(".where") ?? make("div", "", { className: "where" });
    nav.setAttribute("role", "group");
    nav.setAttribute("aria-label", "Where you stand");
    nav.replaceChildren();
    if (quizzes.length) nav.append(meter("Quizzes right", now.right, quizzes.length));
    if (exercises.length) nav.append(meter("Exercises solved", now.solved, exercises.length));
    if (now.open.length) nav.append(make("a", `Next quiz: ${now.open[0]}`, { href: `#quiz-${now.open[0]}` }));
    const label = make("label");
    const box = make("input", "", { type: "checkbox", checked: now.done });
    box.addEventListener("change", () => {
      keep("done", { ...kept("done", {}), [here]: box.checked });
      show();
    });
    label.append(box, " done");
    nav.append(label);
    const next = names.slice(names.indexOf(here) + 1).find((name) => !state(name).done);
    if (now.done && next) nav.append(make("a", `Next: ${course[next].title}`, { href: new URL(`${next}.html`, root) }));
    if (note) nav.append(make("span", note, { className: "where-note" }));
    if (!nav.isConnected) (document.querySelector(".run-here")?.closest("p") ?? document.querySelector("h1"))?.after(nav);
  }

  function meter(words, value, max) {
    const line = make("span", `${words}: ${value} of ${max} `);
    const boxes = make("span", "■".repeat(value) + "□".repeat(max - value), { className: "boxes" });
    boxes.setAttribute("aria-hidden", "true");
    line.append(boxes);
    return line;
  }

  /** Marks beside every link of the margin and of a map that leads to a lecture. */
  function marks() {
    for (const link of document.querySelectorAll(".bd-sidebar-primary a, .bd-article table a")) {
      const name = nameOf(link.href);
      if (!name) continue;
      link.querySelector(".reached")?.remove();
      const now = state(name);
      const { quizzes, exercises } = course[name];
      const reached = now.right + now.solved;
      const words = now.done ? " ✓" : reached ? ` ${reached}/${quizzes.length + exercises.length}` : "";
      if (!words) continue;
      const mark = make("span", words, { className: "reached" });
      mark.title = now.done ? "done" : "quizzes and exercises so far";
      link.append(mark);
    }
  }

  /** On the first page and in 00: where the reader was. */
  function back() {
    const last = kept("last", null);
    const place = document.querySelector(".ways-in");
    if (!place || !last || !(last.name in course) || place.querySelector(".continue")) return;
    const href = new URL(`${last.name}.html`, root);
    if (last.id) href.hash = last.id;
    place.append(" ", make("a", `Continue: ${course[last.name].title}`, { href, className: "button-link continue" }));
  }

  function follow() {
    const heads = [...document.querySelectorAll(".bd-article section[id]")];
    let timer;
    addEventListener("scroll", () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const above = heads.filter((it) => it.getBoundingClientRect().top < innerHeight / 3).pop();
        keep("last", { name: here, id: above?.id ?? "" });
      }, 400);
    }, { passive: true });
    keep("last", { name: here, id: location.hash.slice(1) || kept("last", {})?.name === here ? kept("last", {}).id ?? "" : "" });
  }

  function show() {
    if (here) bar();
    marks();
  }

  document.addEventListener("DOMContentLoaded", () => {
    back();
    if (here) {
      document.querySelectorAll(".quiz").forEach((it) => (it.id = `quiz-${it.dataset.quiz}`));
      follow();
    }
    show();
    document.addEventListener("toggle", (event) => event.target.matches?.(".option") && setTimeout(show), true);
  });
})();
