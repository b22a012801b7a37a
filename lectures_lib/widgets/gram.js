// Points and a function of two points: the eigenvalues of its Gram matrix, and the vector that refutes it.
import { add, box, button, choosable, dot, draw, fixed, marker, named, number, plane, roomFor, segment, speaker, vector } from "./exhibit.js";
import { eigen } from "./solvers.js";

const norm = (x) => Math.hypot(...x);
const far = (x, z) => Math.hypot(x[0] - z[0], x[1] - z[1]);
/** What may be chosen: true kernels first, then the false ones. */
const FUNCTIONS = {
  "exp(\u2212\u2016x\u2212z\u2016\u00b2/2)": (x, z) => Math.exp(-(far(x, z) ** 2) / 2),
  "x\u00b7z": (x, z) => dot(x, z),
  "(1 + x\u00b7z)\u00b2": (x, z) => (1 + dot(x, z)) ** 2,
  "exp(\u2212\u2016x\u2212z\u2016\u2074)": (x, z) => Math.exp(-(far(x, z) ** 4)),
  "1 if \u2016x\u2212z\u2016 \u2264 1, else 0": (x, z) => Number(far(x, z) <= 1),
  "tanh(x\u00b7z)": (x, z) => Math.tanh(dot(x, z)),
  "\u2212\u2016x\u2212z\u2016\u00b2": (x, z) => -(far(x, z) ** 2),
  "max(\u2016x\u2016, \u2016z\u2016)": (x, z) => Math.max(norm(x), norm(z)),
};
const ROUNDING = 1e-12; // relative to the largest entry, for each point

/** The Gram matrix, its eigenvalues and vectors, and the verdict: refuted, or not on these points. */
export function judge(points, which) {
  const K = points.map((x) => points.map((z) => Object.values(FUNCTIONS)[which](x, z)));
  const { values, vectors } = eigen(K);
  const least = dot(vectors[0], K.map((row) => dot(row, vectors[0]))); // asked of K itself
  const rounding = ROUNDING * points.length * Math.max(...K.flat().map(Math.abs));
  return { K, values, vectors, least, refuted: least < -rounding };
}

const [FEWEST, MOST] = [2, 8];

export function mount(el, start) {
  const root = box(el, "Is it a kernel? Ask the eigenvalues", "Choose a function; drag the points until an eigenvalue is below 0.");
  let points = start.points.map((p) => [...p]);
  let which = start.function;
  let chosen = 0; // whose vector is drawn; the least eigenvalue comes first
  let nodes = [];

  const tools = add(root, "div");
  const choice = add(add(tools, "label", {}, "K(x, z) = "), "select");
  Object.keys(FUNCTIONS).forEach((text, k) => add(choice, "option", { value: k }, text));
  choice.onchange = () => ((which = Number(choice.value)), (chosen = 0), redraw());
  const both = add(root, "div", { class: "row" });
  const wide = roomFor(el, 390);
  const it = plane(both, { view: start.view, width: wide, height: wide, label: "Points in the plane, with the entries of v as bars. Tab to a point; arrow keys move it." });
  const side = add(both, "div", { style: "flex: 1 1 270px; min-width: 0;" });
  const bars = plane(side, { view: [0, 1, 0, 1], width: roomFor(el, 340), height: 168, x: "eigenvalues of the Gram matrix", y: "\u03bb", label: "Eigenvalues. Tab to a bar; Enter shows its vector." });
  const say = speaker(side);
  const more = button(side, "Add a point", "One point more", () => {
    const [left, right, bottom, top] = it.view;
    const turn = 2.4 * points.length; // no two new ones on one place
    points.push([(left + right) / 2 + 0.3 * (right - left) * Math.cos(turn), (bottom + top) / 2 + 0.3 * (top - bottom) * Math.sin(turn)]);
    rebuild();
  });
  const fewer = button(side, "Remove a point", "Take the last point away", () => (points.pop(), rebuild()));
  button(side, "Reset", "Points and function as at first", () => {
    points = start.points.map((p) => [...p]);
    which = start.function;
    rebuild();
  });
  let pillars = [];

  function rebuild() {
    chosen = 0;
    it.front.replaceChildren();
    bars.front.replaceChildren();
    nodes = points.map((_, i) => marker(it, { at: () => points[i], put: (place) => ((points[i] = place), redraw()) }));
    pillars = points.map((_, k) => pillar(k));
    more.disabled = points.length === MOST;
    fewer.disabled = points.length === FEWEST;
    redraw();
  }

  function pillar(k) {
    const node = draw(bars.front, "g", { role: "button" });
    const reach = draw(node, "rect", { fill: "transparent" });
    const shape = draw(node, "rect", { stroke: "var(--ink)" });
    const ring = draw(node, "rect", { class: "focus" });
    const value = draw(node, "text", { class: "name", "text-anchor": "middle" });
    choosable(node, () => ((chosen = k), redraw()));
    return { node, reach, shape, ring, value };
  }

  function redraw() {
    const found = judge(points, which);
    choice.value = which;
    it.clear();
    drawVector(found);
    drawBars(found);
    say(words(found));
  }

  /** The entries of v at their points: up for +, down for \u2212. */
  function drawVector({ vectors, refuted }) {
    const v = vectors[chosen];
    const against = chosen === 0 && refuted;
    const colour = against ? "var(--wrong)" : "var(--good)";
    const texts = named(it, points, v.map((c) => fixed(c, 2)));
    nodes.forEach((show, i) => {
      const [x, y] = it.pixel(points[i]);
      const high = 46 * v[i];
      draw(it.over, "rect", { x: x - 5, y: Math.min(y, y - high), width: 10, height: Math.abs(high), fill: colour, "fill-opacity": 0.75, stroke: "var(--paper)" });
      show({ place: points[i], y: 0, label: `Point ${i + 1} at ${vector(points[i])}, v = ${number(v[i])}`, ...texts[i] });
    });
  }

  function drawBars({ values }) {
    const most = Math.max(...values.map(Math.abs), 1e-9);
    const low = Math.min(0, ...values);
    bars.show([0.4, values.length + 0.6, low < -1e-9 * most ? 1.25 * low - 0.12 * most : -0.12 * most, 1.2 * Math.max(0, ...values) + 0.15 * most]);
    bars.clear();
    segment(bars, [0.4, 0], [values.length + 0.6, 0], { "stroke-width": 1.5 });
    values.forEach((value, k) => {
      const [[x, y], [, zero]] = [bars.pixel([k + 1, value]), bars.pixel([k + 1, 0])];
      const { node, reach, shape, ring, value: text } = pillars[k];
      const below = value < -1e-9 * most;
      const place = (rect, wide, pad) => Object.entries({ x: x - wide / 2, y: Math.min(y, zero) - pad, width: wide, height: Math.abs(zero - y) + 2 * pad }).forEach(([key, v]) => rect.setAttribute(key, v));
      place(reach, 30, 14);
      place(shape, 18, 0.5);
      place(ring, 24, 4);
      shape.setAttribute("fill", below ? "var(--wrong)" : "var(--good)");
      shape.setAttribute("stroke-width", k === chosen ? 3 : 0);
      text.textContent = fixed(value, 2);
      text.setAttribute("x", x);
      text.setAttribute("y", below ? y + 14 : y - 6);
      node.setAttribute("aria-label", `Eigenvalue ${k + 1}: ${number(value, 4)}${k === chosen ? ", its vector is shown" : ""}`);
      node.setAttribute("aria-pressed", k === chosen);
    });
  }

  function words({ values, vectors, least, refuted }) {
    const v = `v = (${vectors[chosen].map((c) => fixed(c, 2)).join(", ")})`;
    if (chosen > 0) return `${v} has v\u1d40Kv = ${fixed(values[chosen], 4)}, eigenvalue ${chosen + 1} of ${values.length}.`;
    if (refuted) return `Refuted: ${v} has v\u1d40Kv = ${least > -5e-5 ? least.toExponential(1).replace(/-/g, "\u2212") : fixed(least, 4)} < 0. A squared length cannot be negative, so no \u03c6 has these inner products.`;
    return `Not refuted here: the least eigenvalue is ${fixed(Math.abs(values[0]) < 5e-5 ? 0 : values[0], 4)}, none below rounding. On these ${points.length} points there is a \u03c6; other points may say no.`;
  }

  rebuild();
}

export default { mount, render: ({ model, el }) => mount(el, model.get("start")) };
