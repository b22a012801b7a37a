// The perceptron as vector addition: w to scale, y x at its tip, the line turning.
import { add, arrow, box, button, marker, named, number, onTheWay, plane, range, roomFor, separator, sign, speaker, vector } from "./exhibit.js";
import { average, perceptron, separable, which } from "./solvers.js";

/** The proof that no line through the origin separates: convex weights of the y x that make 0. */
export function never(points, labels) {
  const signed = points.map((x, i) => x.map((v) => labels[i] * v));
  const { weights } = average(signed, points.map((_, i) => i), [0, 0]);
  const parts = which(weights, (v) => v > 0.0005).map((i) => `${weights[i].toFixed(2)} y x of point ${i + 1}`);
  return `${parts.join(" + ")} = 0`;
}

/** What the picture says, in words. */
export function words(points, labels, run, k) {
  const count = run.mistakes.length;
  const end = run.converged
    ? `${count} mistakes in ${run.passes} passes, the last without any: w = ${vector(run.weights[count])} separates.`
    : separable(points, labels)
      ? `A line through the origin separates, but after ${run.passes} passes the perceptron has not found one.`
      : `No line through the origin separates these points, so the mistakes never end. Proof: ${never(points, labels)}.`;
  if (k === 0) return `Start: w = (0, 0), and no line yet. ${end}`;
  const { i, pass, score } = run.mistakes[k - 1];
  const [x, y] = [points[i], labels[i]];
  const step = `w = ${vector(run.weights[k - 1])} ${y > 0 ? "+" : "\u2212"} ${vector(x)} = ${vector(run.weights[k])}`;
  return `Mistake ${k}, in pass ${pass}: example ${i + 1} at ${vector(x)} with y = ${sign(y)} has y w\u00b7x = ${number(score)}. Now ${step}. ${end}`;
}

const LISTED = 200; // mistakes to step through: of a run that never ends these are the first

export function mount(el, start) {
  const root = box(el, "The perceptron as vector addition", "Drag a point; step through the mistakes.");
  let points = start.points.map((p) => [...p]);
  let labels = [...start.labels];
  let run = perceptron(points, labels);
  let k = Math.min(2, run.mistakes.length); // the first update starts at 0: there is little to see
  let looked = ""; // the list is made again only when it changes
  const last = () => Math.min(run.mistakes.length, LISTED);

  const both = add(root, "div", { class: "row" });
  const it = plane(both, { view: seen(), width: roomFor(el, 420), height: roomFor(el, 420), label: "Points in the plane, w and the line. Tab to a point; arrow keys move it, Enter changes its class." });
  const side = add(both, "div", { style: "flex: 1 1 220px; min-width: 0;" });
  add(side, "p", { style: "font-weight: 600" }, "Mistakes");
  const list = add(side, "ol", { class: "list", "aria-label": "Mistakes", style: roomFor(el, 600) < 600 ? "max-height: 140px" : "" });
  const tools = add(root, "div");
  const slider = range(tools, "step", { min: 0, max: last(), step: 1, value: k }, (v) => go(v));
  const back = button(tools, "Back", "The mistake before", () => go(k - 1));
  const next = button(tools, "Next", "The next mistake", () => go(k + 1));
  button(tools, "Reset", "Put every point back where it was", () => {
    points = start.points.map((p) => [...p]);
    labels = [...start.labels];
    run = perceptron(points, labels);
    it.show(seen());
    again();
  });
  const say = speaker(root);
  const nodes = points.map((_, i) =>
    marker(it, { at: () => points[i], put: (place) => ((points[i] = place), again()), done: settle, act: () => ((labels[i] *= -1), again(), settle()) }));

  /** The frame that holds all points and every tip of w. */
  function seen() {
    const far = Math.max(...start.points.flat().map(Math.abs), ...points.flat().map(Math.abs));
    const tips = run.weights.slice(0, last() + 1).flat().map(Math.abs);
    const half = Math.max(1.25 * far, 1.1 * Math.max(...tips)) || 1;
    return [-half, half, -half, half];
  }

  /** Let the frame grow where something left it: never while dragging, step by step, and never smaller. */
  function settle() {
    const [from, to] = [it.view[1], 1.15 * seen()[1]];
    if (seen()[1] <= from * 1.001) return redraw();
    const began = performance.now();
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const grow = (now) => {
      const share = still ? 1 : Math.min(1, Math.max(0, now - began) / 400);
      const half = from + (to - from) * share;
      it.show([-half, half, -half, half]);
      redraw();
      if (share < 1 && root.isConnected) requestAnimationFrame(grow);
    };
    grow(began);
  }

  function again() {
    run = perceptron(points, labels);
    k = Math.min(k, last());
    redraw();
  }

  function go(step) {
    k = Math.min(Math.max(step, 0), last());
    redraw();
  }

  function redraw() {
    const [w, old] = [run.weights[k], run.weights[Math.max(k - 1, 0)]];
    const i = k ? run.mistakes[k - 1].i : -1;
    it.clear();
    const texts = named(it, points, points.map((_, j) => (points.length > 20 ? "" : j + 1)));
    nodes.forEach((show, j) => {
      const label = `Point ${j + 1}, y = ${sign(labels[j])}, at ${vector(points[j])}${j === i ? ", just mistaken" : ""}`;
      show({ place: points[j], y: labels[j], ringed: j === i, label, ...texts[j] });
    });
    if (k) separator(it, old, 0, { stroke: "var(--soft)", "stroke-width": 1.5, "stroke-dasharray": "6 5" });
    separator(it, w);
    const across = ([a, b]) => [-1, 1].flatMap((way) => onTheWay([0, 0], [-way * b, way * a])); // the separator of w
    const avoid = [...points, w, old, ...across(w), ...across(old)]; // names keep away from all that is drawn
    if (k > 1) {
      arrow(it, [0, 0], old, { stroke: "var(--soft)", "stroke-dasharray": "8 4", name: "old w", avoid: [...avoid, ...onTheWay(old, w), ...onTheWay([0, 0], w)] });
      arrow(it, old, w, { stroke: "var(--good)", name: labels[i] > 0 ? "+ x" : "\u2212 x", avoid: [...avoid, ...onTheWay([0, 0], old), ...onTheWay([0, 0], w)] });
    }
    arrow(it, [0, 0], w, { name: k === 1 ? `w = ${labels[i] > 0 ? "x" : "\u2212x"}` : "w", avoid: [...avoid, ...onTheWay([0, 0], old), ...onTheWay(old, w)] });
    slider.max = last();
    slider.value = k;
    slider.setAttribute("aria-valuetext", k ? `mistake ${k} of ${run.mistakes.length}` : "start");
    back.disabled = k === 0;
    next.disabled = k === last();
    listThem();
    say(words(points, labels, run, k));
  }

  function listThem() {
    const rows = run.mistakes.slice(0, LISTED).map(({ i, score }, m) =>
      `${m + 1}. example ${i + 1}: y w\u00b7x = ${number(score)}, w becomes ${vector(run.weights[m + 1])}`);
    if (rows.join() !== looked) {
      looked = rows.join();
      list.replaceChildren();
      rows.forEach((text, m) => button(add(list, "li"), text, "Show this mistake", () => go(m + 1)));
    }
    [...list.children].forEach((row, m) => row.firstChild.setAttribute("aria-current", m + 1 === k));
    const here = list.children[k - 1];
    if (here) list.scrollTop += Math.min(0, here.offsetTop - list.offsetTop - list.scrollTop) || Math.max(0, here.offsetTop + here.offsetHeight - list.offsetTop - list.scrollTop - list.clientHeight);
  }

  redraw();
}

export default { mount, render: ({ model, el }) => mount(el, model.get("start")) };
