// The proof of the mistake bound as a race: two dots between k gamma and R root k; a lie is caught.
import { add, arrow, box, button, choosable, dot, draw, marker, named, number, onTheWay, path, plane, range, roomFor, segment, separator, sign, speaker, spot, vector } from "./exhibit.js";
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
  const root = box(el, "The proof of the mistake bound as a race", "Step through the mistakes. Then lie: click another point, and see which rows fail.");
  const { points, labels } = start;
  const run = perceptron(points, labels);
  const truth = run.mistakes.map(({ i }) => i);
  const { u } = widest(points, labels);
  let claimed = [...truth];
  let now = proof(points, labels, claimed, run.weights, u);
  const last = truth.length;
  let k = Math.min(2, last);

  const narrow = roomFor(el, 760) < 600;
  const both = add(root, "div", { class: "row" });
  const left = add(both, "div", { style: `flex: 1 1 300px; min-width: 0; max-width: ${narrow ? 760 : 360}px;` });
  const wide = narrow ? roomFor(el, 760) : 360;
  const far = 1.2 * now.R;
  const it = plane(left, { view: [-far, far, -far, far], even: true, width: wide, height: narrow ? 200 : 300, label: "The examples, w and u. Tab to a point; Enter claims that the mistake was there." });
  const tools = add(left, "div");
  const slider = range(tools, "mistake", { min: 1, max: last, step: 1, value: k }, (v) => go(v));
  const back = button(tools, "Back", "The mistake before", () => go(k - 1));
  const next = button(tools, "Next", "The next mistake", () => go(k + 1));
  button(tools, "Tell the truth", "Take all lies back", () => {
    claimed = [...truth];
    again();
  });
  const end = Math.min(1.1 * now.bound, 3 * last + 3);
  const high = 1.08 * Math.max(now.R * Math.sqrt(end), now.gamma * end);
  const track = plane(left, { view: [0, end, 0, high], width: wide, height: narrow ? 112 : 190, x: "mistakes k", label: "The race: the length of w below R root k, w times u above k gamma" });
  const side = add(both, "div", { style: "flex: 1 1 380px; min-width: 0;" });
  const rows = tableOf(add(side, "table", { style: "width: 100%" }), narrow);
  const say = speaker(side);
  const nodes = points.map((_, i) => {
    const show = marker(it, null);
    choosable(it.front.lastChild, () => claim(i));
    return show;
  });
  const scale = Math.max(1, Math.ceil(Math.max(...run.weights.map((w) => Math.hypot(...w))) / far)); // w would leave the picture

  function claim(i) {
    claimed[k - 1] = i;
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

  function redraw() {
    const { i, w, lines } = now.steps[k - 1];
    const wrong = rows.filter(({ name }) => excess(lines[name]) > 0).map(({ name }) => name);
    drawPoints(i, w);
    drawTrack();
    rows.forEach((row) => row.show(lines[row.name]));
    slider.value = k;
    slider.setAttribute("aria-valuetext", `mistake ${k} of ${last}`);
    back.disabled = k === 1;
    next.disabled = k === last;
    say(words(i, w, wrong));
  }

  function drawPoints(i, w) {
    const real = run.weights[k];
    it.clear();
    drawMarkers(i);
    separator(it, real, 0, { "stroke-width": 1.3 });
    const shown = (v) => v.map((c) => c / scale);
    const name = scale > 1 ? `w/${scale}` : "w";
    const best = u.map((v) => 0.9 * now.R * v);
    const lie = claimed.some((v, j) => j < k && v !== truth[j]);
    const [toU, toW, toLie] = [best, shown(real), shown(w)].map((tip) => onTheWay([0, 0], tip));
    arrow(it, [0, 0], best, { stroke: "var(--good)", "stroke-dasharray": "7 4", name: "u", avoid: [...points, ...toW, ...(lie ? toLie : [])] });
    if (lie) arrow(it, [0, 0], shown(w), { stroke: "var(--wrong)", "stroke-dasharray": "3 3", name: "claimed", avoid: [...points, ...toU, ...toW] });
    arrow(it, [0, 0], shown(real), { name, avoid: [...points, ...toU, ...(lie ? toLie : [])] });
    if (i !== truth[k - 1]) spot(it, points[i], { r: 15, fill: "none", stroke: "var(--wrong)", "stroke-width": 4 });
  }

  /** The points; where they are many, only those that the mistake is about have a number. */
  function drawMarkers(i) {
    const told = (j) => (j === i ? (i === truth[k - 1] ? ", here the mistake was" : ", here you say it was") : j === truth[k - 1] ? ", here it really was" : "");
    const texts = named(it, points, points.map((_, j) => (points.length <= 12 || told(j) ? j + 1 : "")));
    nodes.forEach((show, j) => {
      show({ place: points[j], y: labels[j], ringed: j === truth[k - 1], label: `Example ${j + 1}, y = ${sign(labels[j])}, at ${vector(points[j])}${told(j)}`, ...texts[j] });
    });
  }

  /** Two wedges that must not leave their lane: the length of w below R root k, w times u above k gamma. */
  function drawTrack() {
    track.clear();
    const grid = Array.from({ length: 101 }, (_, j) => (end * j) / 100);
    path(track, grid.map((v) => [v, now.R * Math.sqrt(v)]), { "stroke-dasharray": "7 4" });
    path(track, grid.map((v) => [v, now.gamma * v]), { stroke: "var(--good)", "stroke-dasharray": "7 4" });
    segment(track, [k, 0], [k, high], { stroke: "var(--soft)" });
    segment(track, [now.bound, 0], [now.bound, high], { stroke: "var(--soft)", "stroke-dasharray": "2 4" });
    now.steps.slice(0, k).forEach((step, j) => {
      const r = j + 1 === k ? 8 : 4;
      for (const [v, way, fill] of [[Math.hypot(...step.w), 1, "var(--ink)"], [dot(step.w, u), -1, "var(--good)"]]) {
        const [x, y] = track.pixel([j + 1, v]);
        draw(track.over, "path", { d: `M${x},${y}l${r},${1.5 * r * way}h${-2 * r}z`, fill, stroke: "var(--paper)" });
      }
    });
    const at = (v, f, text, colour, down, anchor = "middle") => {
      const [x, y] = track.pixel([v, f]);
      draw(track.top, "text", { class: "name", x, y: y + down, "text-anchor": anchor, style: `fill: ${colour}` }, text);
    };
    // both curves rise: a name ends above the one, the other's begins below it, and neither is crossed
    at(end * 0.55, now.R * Math.sqrt(end * 0.55), "\u2016w\u2016 below R\u221ak", "var(--ink)", -6, "end");
    at(end * 0.5, now.gamma * end * 0.5, "w\u00b7u above k\u03b3", "var(--good)", 14, "start");
    at(Math.min(now.bound, end), 0, `(R/\u03b3)\u00b2 = ${number(now.bound, 1)} `, "var(--ink)", -5, "end");
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

  redraw();
}

/** A row for each line of the proof: both sides as bars from 0; of a false line the bars cross. */
function tableOf(table, narrow) {
  const across = narrow ? 62 : 90;
  return Object.entries(SAYS).map(([name, text]) => {
    const row = add(table, "tr");
    const head = add(row, "th", { scope: "row", style: "font-weight: 400; line-height: 1.1; padding: 1px 5px; white-space: nowrap" });
    add(head, "b", {}, name);
    add(head, "br");
    add(head, "span", { style: "font-size: 12px" }, text);
    const cell = (style = "") => add(row, "td", { style: `padding: 1px 4px; white-space: nowrap; ${style}` });
    const [smaller, larger, drawn, verdict] = [cell(), cell(), cell(`width: ${across + 8}px`), cell()];
    const bars = draw(drawn, "svg", { viewBox: `0 0 ${across} 22`, "aria-hidden": "true", style: `width: ${across}px` });
    const show = ([small, large]) => {
      const bad = excess([small, large]) > 0;
      const tight = !bad && name !== "update" && excess([large, small]) <= 0; // update is an equation
      const [low, high] = [Math.min(0, small, large), Math.max(0, small, large)];
      const at = (v) => 2 + ((v - low) / (high - low > TINY ? high - low : 1)) * (across - 4);
      const bar = (from, to, y, fill) => draw(bars, "rect", { x: Math.min(at(from), at(to)), y, width: Math.max(Math.abs(at(to) - at(from)), 1.5), height: 8, fill });
      row.className = bad ? "false" : tight ? "lit" : "";
      bars.replaceChildren();
      bar(0, small, 2, "var(--soft)");
      bar(0, large, 12, "var(--good)");
      if (bad) bar(large, small, 2, "var(--wrong)"); // what sticks out
      draw(bars, "line", { x1: at(large), x2: at(large), y1: 0, y2: 22, stroke: bad ? "var(--wrong)" : "var(--good)", "stroke-width": 1.5 });
      [smaller.textContent, larger.textContent] = [number(small), number(large)];
      verdict.textContent = bad ? "\u2717 false" : tight ? "=" : "\u2713";
      verdict.title = bad ? "this line is false" : tight ? "both sides are equal" : "this line holds";
    };
    return { name, show };
  });
}

export default { mount, render: ({ model, el }) => mount(el, model.get("start")) };
