// What the pages of the course do by themselves: scroll by keyboard, keep the score of quizzes, print.

// A table, formula or block of code wider than its place scrolls by itself: the keyboard must reach it, too.
function reach() {
  for (const it of document.querySelectorAll(".bd-article :is(table, div.math, pre)")) {
    if (it.scrollWidth > it.clientWidth + 1) it.tabIndex = 0;
    else it.removeAttribute("tabindex");
  }
}

// How MathJax names the letters before which a displayed formula may go on in another line, and its brackets.
const letters = (codes) => new Set(codes.split(" ").map((code) => `mjx-c${code}`));
const SIGNS = letters("3D 3C 3E 2264 2265 2248 2208 2192 21D2 21D4 27F9 27FA 2B 2212");
const SHORT = 3; // so many parts alone in a line would look lost
const [OPENS, CLOSES, BARS] = [letters("28 5B 7B 27E8"), letters("29 5D 7D 27E9"), letters("7C 2016 2225")];

/** Say which letter a part of a formula is, or which one carries its indices; a group is none. */
function letterOf(part) {
  const sole = ":is(mjx-mo, mjx-mi):only-child";
  const base = part.matches("mjx-mo, mjx-mi") ? part : part.querySelector(`:scope > ${sole}, :scope > mjx-mo:first-child, :scope > mjx-texatom > ${sole}`);
  return base?.querySelector("mjx-c")?.classList[0] ?? "";
}

/** The rows of a formula: its own, or those of the cells where it is a table, one under the other. */
function rows(it) {
  const inside = [...it.children].filter((one) => !one.matches("mjx-tstrut"));
  if (inside.length !== 1) return [it];
  if (!inside[0].matches("mjx-mtable")) return rows(inside[0]);
  inside[0].classList.add("open");
  return [...inside[0].querySelectorAll(":scope > mjx-table > mjx-itable > mjx-mtr > mjx-mtd")].flatMap(rows);
}

const gather = (math) => rows(math).forEach(gatherRow);

/** Gather the parts of a row between its outermost relations, signs and gaps: a line can end there. */
function gatherRow(row) {
  const style = row.lastElementChild; // what follows a change of style hangs in it
  if (style?.matches("mjx-mstyle:not([style])") && style.childElementCount > SHORT) style.replaceWith(...style.children);
  let [piece, inside, bars, tight] = [null, 0, 0, true];
  for (const it of [...row.children]) {
    const letter = letterOf(it);
    const space = it.matches("mjx-mspace") ? it : it.querySelector(":scope > mjx-mspace:only-child");
    const gap = parseFloat(space?.style.width) >= 1;
    const sign = SIGNS.has(letter) && it.matches("mjx-mo, mjx-texatom");
    const long = piece?.childElementCount > SHORT || piece?.querySelector("mjx-mtext");
    const behind = sign ? !tight && long : !gap && piece?.lastElementChild.matches(".gap");
    if (!piece || (behind && inside + bars === 0)) {
      piece = row.insertBefore(document.createElement("span"), it);
      piece.className = "piece";
    }
    piece.append(it);
    it.classList.toggle("gap", gap);
    inside += OPENS.has(letter) - CLOSES.has(letter);
    bars = BARS.has(letter) ? 1 - bars : bars;
    tight = sign;
  }
}

/**
 * Make a displayed formula that is wider than its place smaller, down to `least`; one that is much wider goes on in
 * other lines. What still sticks out scrolls. `width` is that of the text: the article's, or less on paper.
 */
function fit(width = Infinity, least = 0.7) {
  const article = document.querySelector(".bd-article");
  const formulas = [...document.querySelectorAll(".bd-article div.math")];
  const parts = (it) => [...it.querySelectorAll(it.matches(".lines") ? ".piece" : "mjx-math")];
  const share = (it) => {
    const room = Math.min(it.clientWidth, it.clientWidth - article.clientWidth + width);
    const wide = Math.max(0, ...parts(it).map((one) => one.getBoundingClientRect().width));
    return room > 0 && wide > room ? room / wide : 1;
  };
  for (const it of formulas) {
    it.style.fontSize = "";
    it.classList.remove("lines");
  }
  for (const [k, size] of formulas.map(share).entries()) {
    if (size > 0.85 || width < Infinity) continue;
    if (!formulas[k].querySelector(".piece")) parts(formulas[k]).forEach(gather);
    formulas[k].classList.add("lines");
  }
  for (const [k, size] of formulas.map(share).entries()) {
    if (size < 1) formulas[k].style.fontSize = `${Math.floor(1000 * Math.max(least, size)) / 10}%`;
  }
}

/** On a phone a formula of a line goes on in another line, too, where it is wider than the text. */
function fold() {
  for (const it of document.querySelectorAll(".bd-article span.math:not(.lines)")) {
    const math = it.querySelector("mjx-math");
    if (!it.clientWidth || !(math?.getBoundingClientRect().width > it.clientWidth + 1)) continue;
    gather(math);
    it.classList.add("lines");
    const stop = it.closest(".glued") && it.nextSibling; // it ends the last line, not the column
    if (stop?.nodeType === Node.TEXT_NODE) [...math.querySelectorAll(".piece")].at(-1)?.append(stop);
  }
}

/** Set a table that is wider than its place tighter, in two steps: smaller letters, code that may break. On a phone it scrolls. */
function tighten() {
  const over = (it) => it.scrollWidth > it.clientWidth + 1;
  for (const it of document.querySelectorAll(".bd-article table")) {
    it.classList.remove("tight", "tight2");
    if (innerWidth <= 900 || it.closest(".exhibit, .cell")) continue;
    for (const step of ["tight", "tight2"]) if (over(it)) it.classList.add(step);
  }
}

// --- Memory: this browser's own, and only this browser's -----------------------------------------
const STORE = "lectures.quizzes";

/** What was chosen first in each quiz: {"8.1": "right" or "wrong"}; empty where nothing is kept. */
function remembered() {
  try {
    return JSON.parse(localStorage.getItem(STORE)) ?? {};
  } catch {
    return {}; // no storage here, or damaged: the page works without it
  }
}

function remember(quiz, outcome) {
  const all = remembered();
  if (quiz in all) return;
  try {
    localStorage.setItem(STORE, JSON.stringify({ ...all, [quiz]: outcome }));
  } catch {
    // not kept: private windows may forbid it
  }
}

/** Say under each quiz how its first answer was, and how many of this page's were right at once. */
function score() {
  const all = remembered();
  const here = [...document.querySelectorAll(".quiz")];
  const right = here.filter((it) => all[it.dataset.quiz] === "right").length;
  const tried = here.filter((it) => it.dataset.quiz in all).length;
  for (const it of here) {
    const outcome = all[it.dataset.quiz];
    if (!outcome) continue;
    const line = it.querySelector(".score") ?? it.appendChild(document.createElement("p"));
    line.className = "score";
    line.setAttribute("role", "status");
    const first = outcome === "right" ? "Right at the first try." : "Not right at the first try.";
    line.textContent = `${first} On this page: ${right} of ${tried} so far, of ${here.length} quizzes.`;
  }
}

function quizzes() {
  for (const quiz of document.querySelectorAll(".quiz")) {
    for (const option of quiz.querySelectorAll("details.option")) {
      option.addEventListener("toggle", () => {
        if (!option.open || printing) return;
        remember(quiz.dataset.quiz, option.classList.contains("right") ? "right" : "wrong");
        score();
      });
    }
  }
  score();
}

// --- Paper ---------------------------------------------------------------------------------------
let printing = null; // what the page was before
const PAPER = 640; // the text of a page, A4 or letter, in pixels; paper cannot scroll

/** Light, results open, the answers of quizzes and predictions at the end. */
function beforePrint() {
  if (printing) return;
  const root = document.documentElement;
  const folds = [...document.querySelectorAll(".bd-article details")];
  printing = { theme: root.dataset.theme, open: folds.filter((it) => it.open) };
  root.dataset.theme = "light";
  const asked = folds.filter((it) => it.matches(".option.right") || it.querySelector(":scope > summary")?.textContent.trim() === "Answer");
  for (const it of folds) it.open = it.matches(".hide"); // code and results; what answers goes to the end
  if (asked.length) document.querySelector(".bd-article")?.append(answers(asked));
  fit(PAPER, 0.5);
}

function answers(asked) {
  const end = document.createElement("section");
  end.className = "answers";
  end.style.display = "block"; // also on the screen for this moment: its formulas are measured
  end.append(Object.assign(document.createElement("h2"), { textContent: "Answers" }));
  let predictions = 0;
  for (const it of asked) {
    const quiz = it.closest(".quiz");
    const title = document.createElement("h3");
    title.textContent = quiz ? `Quiz ${quiz.dataset.quiz}` : `Prediction ${(predictions += 1)}`;
    const copy = document.createElement("div");
    for (const node of it.childNodes) copy.append(node.cloneNode(true));
    copy.querySelectorAll("[id]").forEach((node) => node.removeAttribute("id"));
    if (!quiz) copy.querySelector("summary")?.remove();
    end.append(title, copy);
  }
  return end;
}

function afterPrint() {
  if (!printing) return;
  const { theme, open } = printing;
  document.documentElement.dataset.theme = theme;
  document.querySelector(".bd-article > .answers")?.remove();
  for (const it of document.querySelectorAll(".bd-article details")) it.open = open.includes(it);
  fit();
  setTimeout(() => (printing = null)); // folds tell of their closing a moment later
}

function settle() {
  if (printing) return;
  fit();
  fold();
  tighten();
  reach();
}

window.addEventListener("load", async () => {
  reach();
  await window.MathJax?.startup?.promise;
  settle();
});
window.addEventListener("resize", settle);
document.addEventListener("toggle", settle, true); // what a fold held back has its width now
window.addEventListener("beforeprint", beforePrint);
window.addEventListener("afterprint", afterPrint);
document.addEventListener("DOMContentLoaded", () => {
  // the name of a fold is what stands on it
  for (const it of document.querySelectorAll("details.hide > summary")) it.removeAttribute("aria-label");
  quizzes();
});
