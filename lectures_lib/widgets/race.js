// The proof of the mistake bound as a race: two dots between k gamma and R root k; a lie is caught.
import { add, box, button, dot, draw, number, path, plane, range, roomFor, segment, sign, speaker, spot, vector } from "./exhibit.js";
import { TINY, perceptron, widest } from "./solvers.js";

/** Both sides of every line of the proof at every mistake.
 *
 * Nothing is taken from the run but its list of mistakes; `weights` is only what it claims.
 */
export function proof(points, labels, mistakes, weights, u) {
  const R2 = Math.max(...points.map((x) => dot(x, x)));
  const gamma = Math.min(...points.map((x, i) => labels[i] * dot(u, x)));
  let w = u.map(() => 0);
  const steps = mistakes.map((i, j) => {
    const [k, x, y, before] = [j + 1, points[i], labels[i], w];
    w = before.map((v, c) => v + y * x[c]);
    const drift = Math.max(...w.map((_, c) => Math.abs(weights[k][c] - weights[j][c] - y * x[c])));
    return { k, i, w, lines: {
      update: [drift, 0],
      mistake: [y * dot(before, x), 0],
      progress: [dot(before, u) + gamma, dot(w, u)],
      growth: [dot(w, w), dot(before, before) + R2],
      "sum of progress": [k * gamma, dot(w, u)],
      "sum of growth": [dot(w, w), k * R2],
      "Cauchy-Schwarz": [dot(w, u) ** 2, dot(w, w)],
      conclusion: [k, R2 / gamma ** 2],
    } };
  });
  return { steps, R: Math.sqrt(R2), gamma, bound: R2 / gamma ** 2 };
}

/** What is wrong with a line, relative to the size of its sides: 0 or less if it holds.
 *
 * u is irrational: equality holds up to rounding, which TINY forgives.
 */
export const excess = ([smaller, larger]) => (smaller - larger) / Math.max(1, Math.abs(smaller), Math.abs(larger)) - TINY;

/** The lines that are false at some mistake, in order. */
export function failed(points, labels, mistakes, weights, u) {
  const { steps } = proof(points, labels, mistakes, weights, u);
  const names = steps.length ? Object.keys(steps[0].lines) : [];
  return names.filter((name) => steps.some(({ lines }) => excess(lines[name]) > 0));
}

const SAYS = {
  update: "w\u2096 = w\u2096\u208b\u2081 + y x",
  mistake: "y w\u2096\u208b\u2081\u00b7x \u2264 0",
  progress: "w\u2096\u208b\u2081\u00b7u + \u03b3 \u2264 w\u2096\u00b7u",
  growth: "\u2016w\u2096\u2016\u00b2 \u2264 \u2016w\u2096\u208b\u2081\u2016\u00b2 + R\u00b2",
  "sum of progress": "k\u03b3 \u2264 w\u2096\u00b7u",
  "sum of growth": "\u2016w\u2096\u2016\u00b2 \u2264 kR\u00b2",
  "Cauchy-Schwarz": "(w\u2096\u00b7u)\u00b2 \u2264 \u2016w\u2096\u2016\u00b2",
  conclusion: "k \u2264 (R/\u03b3)\u00b2",
};

export function mount(el, start) {
  const root = box(el, "The proof of the mistake bound as a race", "Step through the mistakes; then claim a mistake on another example.");
  const { points, labels } = start;
  const run = perceptron(points, labels);
  const truth = run.mistakes.map(({ i }) => i);
  const { u } = widest(points, labels);
  let claimed = [...truth];
  let now = proof(points, labels, claimed, run.weights, u);
  let k = 1;

  const last = truth.length;
  const far = Math.min(1.1 * now.bound, 3 * last + 3);
  const both = add(root, "div", { class: "row" });
  const high = 1.08 * Math.max(now.R * Math.sqrt(far), now.gamma * far);
  const it = plane(both, { view: [0, far, 0, high], width: roomFor(el, 400), height: 360, x: "mistakes k", label: "The race: the length of w below R root k, w times u above k gamma" });
  const side = add(both, "div", { style: "flex: 1 1 300px; min-width: 0; overflow-x: auto;" });
  const table = add(side, "table");
  const tools = add(root, "div");
  const slider = range(tools, "mistake", { min: 1, max: last, step: 1, value: k }, (v) => go(v));
  const back = button(tools, "Back", "The mistake before", () => go(k - 1));
  const next = button(tools, "Next", "The next mistake", () => go(k + 1));
  const lie = add(root, "div");
  const label = add(lie, "label", {}, "Claim that this mistake was on ");
  const choice = add(label, "select");
  points.forEach((x, i) => add(choice, "option", { value: i }, `example ${i + 1}: ${vector(x)}, y = ${sign(labels[i])}`));
  choice.onchange = () => claim(k - 1, Number(choice.value));
  button(lie, "Tell the truth", "Take all lies back", () => {
    claimed = [...truth];
    again();
  });
  const say = speaker(root);
  const rows = Object.entries(SAYS).map(([name, text]) => {
    const row = add(table, "tr");
    const head = add(row, "th", { scope: "row", style: "font-weight: 400" });
    add(head, "b", {}, name);
    add(head, "br");
    add(head, "span", {}, text);
    return { name, row, cells: [add(row, "td"), add(row, "td"), add(row, "td")] };
  });

  function claim(step, i) {
    claimed[step] = i;
    again();
  }

  function again() {
    now = proof(points, labels, claimed, run.weights, u);
    redraw();
  }

  function go(step) {
    k = Math.min(Math.max(step, 1), last);
    redraw();
  }

  function curves() {
    const grid = Array.from({ length: 101 }, (_, j) => (far * j) / 100);
    path(it, grid.map((v) => [v, now.R * Math.sqrt(v)]), { stroke: "var(--plus)", "stroke-dasharray": "7 4" });
    path(it, grid.map((v) => [v, now.gamma * v]), { stroke: "var(--minus)", "stroke-dasharray": "7 4" });
    segment(it, [k, 0], [k, high], { stroke: "var(--soft)" });
    segment(it, [now.bound, 0], [now.bound, high], { stroke: "var(--soft)", "stroke-dasharray": "2 4" });
  }

  function redraw() {
    const { i, w, lines } = now.steps[k - 1];
    it.clear();
    curves();
    now.steps.slice(0, k).forEach((step, j) => {
      const r = j + 1 === k ? 8 : 3.5;
      spot(it, [j + 1, Math.hypot(...step.w)], { r, fill: "var(--plus)", stroke: "var(--paper)" });
      const [x, y] = it.pixel([j + 1, dot(step.w, u)]);
      const half = 0.75 * r; // a square: the two are told apart without colour, too
      draw(it.over, "rect", { x: x - half, y: y - half, width: 2 * half, height: 2 * half, fill: "var(--minus)", stroke: "var(--paper)" });
    });
    legend();
    const wrong = rows.filter(({ name }) => excess(lines[name]) > 0).map(({ name }) => name);
    for (const { name, row, cells } of rows) {
      const [smaller, larger] = lines[name];
      const bad = wrong.includes(name);
      const tight = !bad && name !== "update" && excess([larger, smaller]) <= 0; // update is an equation
      row.className = bad ? "false" : tight ? "lit" : "";
      cells[0].textContent = number(smaller);
      cells[1].textContent = number(larger);
      cells[2].textContent = bad ? "\u2717 false" : tight ? "= tight" : "\u2713 holds";
    }
    slider.value = k;
    slider.setAttribute("aria-valuetext", `mistake ${k} of ${last}`);
    back.disabled = k === 1;
    next.disabled = k === last;
    choice.value = claimed[k - 1];
    say(words(i, w, wrong));
  }

  function words(i, w, wrong) {
    const all = failed(points, labels, claimed, run.weights, u);
    const lies = claimed.filter((v, j) => v !== truth[j]).length;
    const here = `Mistake ${k} on example ${i + 1}: w\u00b7u = ${number(dot(w, u))}, at least ${number(k * now.gamma)}; length ${number(Math.hypot(...w))}, at most ${number(now.R * Math.sqrt(k))}.`;
    const allowed = `${last} mistakes, and ${Math.floor(now.bound + TINY)} are allowed.`;
    if (!lies) return `${here} Every line holds. ${allowed}`;
    const caught = all.length ? `The lie is caught by: ${all.join(", ")}.` : "This lie is caught by no line.";
    return `${here} ${caught}${wrong.length ? ` False here: ${wrong.join(", ")}.` : ""}`;
  }

  function legend() {
    const at = (v, f, text, colour, down) => {
      const [x, y] = it.pixel([v, f]);
      draw(it.over, "text", { x, y: y + down, "text-anchor": "middle", style: `fill: ${colour}` }, text);
    };
    at(far * 0.7, now.R * Math.sqrt(far * 0.7), "R\u221ak", "var(--plus)", -10);
    at(far * 0.7, now.gamma * far * 0.7, "k\u03b3", "var(--minus)", 20);
  }

  redraw();
}

export default { mount, render: ({ model, el }) => mount(el, model.get("start")) };
