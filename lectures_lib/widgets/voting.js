// Flip a label: the last hypothesis, the vote of all of them and their average, and how far each gives way.
import { add, box, button, dot, draw, field, fixed, marker, named, plane, range, roomFor, segment, separator, shade, sign, speaker, vector } from "./exhibit.js";

const lifted = (x) => [...x, 1]; // the offset is the weight of a feature that is always 1
const sure = (score) => (score >= 0 ? 1 : -1); // a score of 0 reads +1

/** The voted perceptron: every hypothesis, and after how many examples each was in charge. */
export function votedRun(points, labels, passes) {
  let w = [0, 0, 0];
  const [weights, counts] = [[w], [0]];
  for (let pass = 0; pass < passes; pass++)
    points.forEach((x, i) => {
      if (labels[i] * dot(w, lifted(x)) <= 0) {
        w = lifted(x).map((v, c) => w[c] + labels[i] * v);
        weights.push(w);
        counts.push(0);
      }
      counts[counts.length - 1] += 1;
    });
  return { weights, counts };
}

/** The averaged weight vector: each hypothesis as often as it was in charge. */
export function averaged({ weights, counts }) {
  const total = counts.reduce((sum, c) => sum + c, 0);
  return [0, 1, 2].map((c) => weights.reduce((sum, w, k) => sum + counts[k] * w[c], 0) / total);
}

/** What all hypotheses say together at x, each with as many votes as it was in charge. */
export function votes({ weights, counts }, [x1, x2]) {
  let sum = 0; // a plain loop: it is asked at thousands of places for one picture
  for (let k = 0; k < weights.length; k++) sum += counts[k] * sure(weights[k][0] * x1 + weights[k][1] * x2 + weights[k][2]);
  return sum;
}

/** The three rules: each says +1 or -1 at a place. */
export function rules(run) {
  const [last, average] = [run.weights.at(-1), averaged(run)];
  return { last: (x) => sure(dot(last, lifted(x))), voted: (x) => sure(votes(run, x)), averaged: (x) => sure(dot(average, lifted(x))) };
}

/** The border of the vote: the pieces of the hypotheses' lines at which it changes. */
export function border(run, [left, right, bottom, top]) {
  const size = right - left + top - bottom;
  const lines = run.weights.filter((w, k) => run.counts[k] > 0 && Math.hypot(w[0], w[1]) > 1e-9);
  return lines.flatMap(([a, b, c]) => {
    const norm2 = a * a + b * b;
    const foot = [(-c * a) / norm2, (-c * b) / norm2];
    const along = [-b, a].map((v) => v / Math.sqrt(norm2));
    const at = (t) => foot.map((v, k) => v + t * along[k]);
    const middle = dot([(left + right) / 2 - foot[0], (bottom + top) / 2 - foot[1]], along);
    const cuts = lines.map((u) => -(u[0] * foot[0] + u[1] * foot[1] + u[2]) / (u[0] * along[0] + u[1] * along[1]));
    const places = [middle - size, ...cuts.filter((t) => Math.abs(t - middle) < size), middle + size].sort((s, t) => s - t);
    return places.slice(1).flatMap((t, k) => {
      const from = places[k];
      const there = at((from + t) / 2);
      const [one, other] = [1e-7, -1e-7].map((step) => sure(votes(run, there.map((v, k) => v + (step * size * [a, b][k]) / Math.sqrt(norm2)))));
      return t - from > 1e-9 * size && one !== other ? [[at(from), at(t)]] : [];
    });
  });
}

const NAMES = { last: "last w", voted: "vote", averaged: "average" };
const LOOKS = {
  last: { stroke: "var(--soft)", "stroke-width": 2.5, "stroke-dasharray": "9 5" },
  voted: { stroke: "var(--good)", "stroke-width": 4 },
  averaged: { stroke: "var(--ink)", "stroke-width": 2.5 },
};

export function mount(el, start) {
  const root = box(el, "Flip a label: last, voted and averaged", "Tap a point to flip its label, or drag it. How much of the picture changes its answer?");
  let points = start.points.map((p) => [...p]);
  let labels = [...start.labels];
  let passes = start.passes;
  let earlier = null; // the answers of the three before the last change
  let held = false;

  const both = add(root, "div", { class: "row" });
  const wide = roomFor(el, 400);
  const it = plane(both, { view: start.view, even: true, width: wide, height: Math.min(wide, 340), label: "Points, and the borders of last, vote and average. Tab to a point; Enter flips its label, arrow keys move it." });
  const side = add(both, "div", { style: "flex: 1 1 260px; min-width: 0;" });
  add(side, "p", { style: "font-weight: 600" }, "Answers that your last change turned");
  const across = roomFor(el, 330);
  const bars = draw(side, "svg", { viewBox: `0 0 ${across} 90`, "aria-hidden": "true" }); // the words say it, too
  const say = speaker(side);
  const tools = add(side, "div");
  const slider = range(tools, "passes", { min: 1, max: 10, step: 1, value: passes }, (v) => change(() => (passes = v)));
  const shown = add(slider.parentNode, "span");
  button(tools, "Reset", "Points, labels and passes as at first", () => {
    points = start.points.map((p) => [...p]);
    labels = [...start.labels];
    passes = start.passes;
    slider.value = passes;
    earlier = null;
    redraw();
  });
  const nodes = points.map((_, i) => marker(it, {
    at: () => points[i],
    put: (place) => {
      if (!held) remember();
      held = true;
      points[i] = place;
      redraw();
    },
    done: () => (held = false),
    act: () => change(() => (labels[i] *= -1)),
    tap: true,
  }));

  const answers = () => Object.entries(rules(votedRun(points, labels, passes))).map(([name, rule]) => [name, field(it, rule, 8).values.flat()]);
  const remember = () => (earlier = Object.fromEntries(answers()));
  const change = (act) => (remember(), act(), redraw());

  function redraw() {
    const run = votedRun(points, labels, passes);
    const told = rules(run);
    it.clear();
    shade(it, field(it, told.voted, 5), (v) => (v > 0 ? "var(--plus)" : "var(--minus)"));
    for (const [from, to] of border(run, it.view)) segment(it, from, to, { "stroke-linecap": "round", ...LOOKS.voted });
    const [last, average] = [run.weights.at(-1), averaged(run)];
    separator(it, last.slice(0, 2), last[2], LOOKS.last);
    separator(it, average.slice(0, 2), average[2], LOOKS.averaged);
    const texts = named(it, points, points.map((_, i) => (points.length > 30 ? "" : i + 1)));
    nodes.forEach((show, i) => {
      const flipped = labels[i] !== start.labels[i];
      show({ place: points[i], y: labels[i], ringed: flipped, label: `Point ${i + 1}, y = ${sign(labels[i])}, at ${vector(points[i])}${flipped ? ", flipped" : ""}`, ...texts[i] });
    });
    shown.textContent = ` ${passes}`;
    drawBars(told, run);
  }

  function drawBars(told, run) {
    const now = Object.fromEntries(answers());
    const turned = Object.keys(NAMES).map((name) => (earlier ? now[name].filter((v, k) => v !== earlier[name][k]).length / now[name].length : 0));
    const wrong = Object.keys(NAMES).map((name) => points.filter((x, i) => told[name](x) !== labels[i]).length);
    const most = Math.max(0.05, ...turned);
    bars.replaceChildren();
    Object.entries(NAMES).forEach(([name, text], k) => {
      const y = 20 + 28 * k;
      const length = (turned[k] / most) * (across - 165);
      draw(bars, "line", { x1: 0, x2: 28, y1: y - 4, y2: y - 4, ...LOOKS[name] });
      draw(bars, "text", { x: 36, y }, text);
      draw(bars, "rect", { x: 98, y: y - 12, width: Math.max(length, 1), height: 16, fill: LOOKS[name].stroke, "fill-opacity": 0.8 });
      draw(bars, "text", { x: 103 + length, y: y + 1 }, `${fixed(100 * turned[k], 1)} %`);
    });
    const [a, b, c] = turned.map((v) => `${fixed(100 * v, 1)} %`);
    const done = earlier ? `The change turned ${a} of the answers of the last w, ${b} of the vote's, ${c} of the average's. ` : "";
    say(`${done}Mistakes on these labels: last w ${wrong[0]}, vote ${wrong[1]}, average ${wrong[2]} of ${points.length}. ${run.weights.length - 1} hypotheses were made.`);
  }

  redraw();
}

export default { mount, render: ({ model, el }) => mount(el, model.get("start")) };
