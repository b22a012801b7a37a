// A ball on the loss surface J(w): it rolls against the slope, and the length of its step is under the hand.
import { add, arrow, box, button, clamp, contour, dot, draw, field, fixed, movable, number, path, plane, range, roomFor, segment, shade, speaker, spot, vector } from "./exhibit.js";

/** Each loss in t = y w·x, and the slope that the lectures pick: at a kink the one that still moves w. */
const LOSSES = {
  perceptron: [(t) => Math.max(0, -t), (t) => (t <= 0 ? -1 : 0)],
  hinge: [(t) => Math.max(0, 1 - t), (t) => (t <= 1 ? -1 : 0)],
  logistic: [(t) => Math.max(0, -t) + Math.log1p(Math.exp(-Math.abs(t))), (t) => -1 / (1 + Math.exp(t))],
};

/** The mean loss J of all examples at w, and its (sub)gradient. */
export function surface(points, labels, loss, w) {
  const [value, slope] = LOSSES[loss];
  const t = points.map((x, i) => labels[i] * dot(w, x));
  const mean = (terms) => terms.reduce((sum, v) => sum + v, 0) / points.length;
  return { J: mean(t.map(value)), g: w.map((_, c) => mean(points.map((x, i) => slope(t[i]) * labels[i] * x[c]))) };
}

/** One step against the slope. */
export const step = (points, labels, loss, w, size) => surface(points, labels, loss, w).g.map((v, c) => w[c] - size * v);

/** So many steps, each where the one before ended. */
export function walk(points, labels, loss, w, size, count) {
  const places = [w];
  for (let k = 0; k < count; k++) places.push(step(points, labels, loss, places[k], size));
  return places;
}

const [LEAST, MOST] = [0.01, 10]; // step sizes
const LEVELS = 9;
const BEYOND = 20; // pixels from the arrow's tip to its handle
const ROLL = 350; // milliseconds between two steps of a ball that rolls by itself

export function mount(el, start) {
  const root = box(el, "A ball on the loss surface", "Drag the ball; drag the tip of its arrow to choose the step size; then step.");
  const { points, labels } = start;
  let { loss, size } = start;
  let past = [[0, 0]]; // where the ball has been; the last is now
  let rolling = null;
  const now = () => past.at(-1);

  const both = add(root, "div", { class: "row" });
  const wide = roomFor(el, 400);
  const it = plane(both, { view: start.view, even: true, width: wide, height: Math.min(wide, 340), x: "w\u2081", y: "w\u2082", label: "The loss J over all weights, shaded where it is high. Tab to the ball and to the tip of its arrow." });
  const ground = { ...it, behind: draw(it.svg, "g", { "clip-path": it.behind.getAttribute("clip-path"), "pointer-events": "none", "aria-hidden": "true" }) };
  it.svg.insertBefore(ground.behind, it.behind);
  const side = add(both, "div", { style: "flex: 1 1 280px; min-width: 0;" });
  const pair = add(side, "div", { class: "row", style: "flex-wrap: nowrap; gap: 4px" });
  const half = { width: Math.floor(roomFor(el, 344) / 2) - 4, height: 150, basis: 120 };
  const cut = plane(pair, { view: [0, 1, 0, 1], x: "J along the arrow", label: "J along the arrow", ...half });
  const past_J = plane(pair, { view: [0, 1, 0, 1], x: "J after each step", label: "J after each step", ...half });
  const tools = add(side, "div");
  const choice = add(add(tools, "label", {}, "loss "), "select");
  for (const name of Object.keys(LOSSES)) add(choice, "option", { value: name }, name);
  choice.value = loss;
  choice.onchange = () => ((loss = choice.value), begin(now()));
  const slider = range(tools, "step size", { min: Math.log10(LEAST), max: Math.log10(MOST), step: 0.01, value: Math.log10(size), spoken: (v) => number(10 ** v, 3) }, (v) => setSize(10 ** v));
  const shown = add(slider.parentNode, "span");
  const one = button(tools, "Step", "One step against the slope", () => (halt(), go()));
  const roll = button(tools, "Roll", "Step by step until you stop it", () => (rolling ? halt() : play()));
  button(tools, "Start at 0", "The ball goes back to w = 0", () => (halt(), begin([0, 0])));
  const say = speaker(side);

  const tip = handle("slider", "step size", 6, "var(--paper)");
  const ball = handle("button", "", 10, "#e69f00");
  ball.setAttribute("aria-roledescription", "movable ball");
  movable(it, ball, { at: now, put: (place) => (halt(), begin(place)) });
  movable(it, tip, {
    at: () => ends()[2],
    put: (place) => {
      const { g } = surface(points, labels, loss, now());
      const norm = Math.hypot(...g);
      if (norm > 0) setSize((-dot(g, place.map((v, c) => v - now()[c])) / norm - unit(BEYOND)) / norm);
    },
    press: (steps) => setSize(size * 1.05 ** steps),
  });

  function handle(role, name, r, fill) {
    const node = draw(it.front, "g", { role, ...(name && { "aria-label": name, "aria-valuemin": LEAST, "aria-valuemax": MOST }) });
    draw(node, "circle", { r: 16, fill: "transparent" });
    draw(node, "circle", { r, fill, stroke: "var(--ink)", "stroke-width": 2 });
    draw(node, "circle", { r: 15, class: "focus" });
    return node;
  }

  const unit = (pixels) => (pixels * (it.view[1] - it.view[0])) / it.inner.width;

  /** The ball, where the step ends, and the handle beyond it. */
  function ends() {
    const { g } = surface(points, labels, loss, now());
    const norm = Math.hypot(...g) || 1;
    const to = now().map((v, c) => v - size * g[c]);
    return [now(), to, to.map((v, c) => v - (unit(BEYOND) * g[c]) / norm)];
  }

  function setSize(v) {
    size = clamp(v, LEAST, MOST);
    slider.value = Math.log10(size);
    redraw();
  }

  function begin(place) {
    past = [[...place]];
    redraw();
  }

  function go() {
    past.push(step(points, labels, loss, now(), size));
    redraw();
  }

  function play() {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      for (let k = 0; k < 20; k++) past.push(step(points, labels, loss, now(), size));
      return redraw();
    }
    go();
    rolling = setInterval(() => (root.isConnected ? go() : halt()), ROLL);
    roll.textContent = "Stop";
    redraw();
  }

  function halt() {
    clearInterval(rolling);
    rolling = null;
    roll.textContent = "Roll";
  }

  let mapped = "";
  function map() {
    if (mapped === loss) return;
    mapped = loss;
    ground.behind.replaceChildren();
    const heights = field(it, (w) => surface(points, labels, loss, w).J, 5);
    const [low, high] = [Math.min(...heights.values.flat()), Math.max(...heights.values.flat())];
    for (let k = 1; k <= LEVELS; k++) {
      const level = low + (high - low) * (k / (LEVELS + 1)) ** 2;
      shade(ground, heights, (v) => (v > level ? "var(--soft)" : null), 0.07);
      contour(ground, heights, level, { stroke: "var(--soft)", "stroke-width": 0.8 });
    }
  }

  function redraw() {
    const { J, g } = surface(points, labels, loss, now());
    const [from, to, hold] = ends();
    const flat = Math.hypot(...g) === 0;
    map();
    it.clear();
    path(it, past, { "stroke-width": 1.5, stroke: "var(--minus)" });
    for (const place of past.slice(-200, -1)) spot(it, place, { r: 2.5, fill: "var(--minus)", "stroke-width": 0 });
    if (!flat) arrow(it, from, to);
    const [x, y] = it.pixel(hold);
    if (!flat) draw(it.top, "text", { class: "name", x: Math.min(x + 10, it.width - 80), y: y - 10 }, `step ${number(size, 2)}`);
    ball.setAttribute("transform", `translate(${it.pixel(now())})`);
    ball.setAttribute("aria-label", `Ball at w = ${vector(now())}, J = ${fixed(J, 3)}`);
    tip.setAttribute("visibility", flat ? "hidden" : "visible");
    tip.setAttribute("transform", `translate(${it.pixel(hold)})`);
    tip.setAttribute("aria-valuenow", size.toFixed(3));
    tip.setAttribute("aria-valuetext", `${number(size, 3)}: J would be ${fixed(surface(points, labels, loss, to).J, 3)}`);
    shown.textContent = ` ${number(size, 2)}`;
    one.disabled = flat;
    drawCut(J, g);
    drawPast();
    if (!rolling) say(words(J, g, to)); // a voice that never ends helps nobody
  }

  function drawCut(J, g) {
    const at = (s) => surface(points, labels, loss, now().map((v, c) => v - s * g[c])).J;
    const far = 1.8 * size;
    const grid = Array.from({ length: 81 }, (_, k) => (far * k) / 80);
    const heights = grid.map(at);
    const top = 1.1 * Math.max(J, ...heights) || 1;
    cut.show([-far / 12, far, 0, top]); // the ball beside the axis, not on its numbers
    cut.clear();
    segment(cut, [0, J], [far, J - far * dot(g, g)], { stroke: "var(--soft)", "stroke-dasharray": "5 4" }); // the line that touches
    path(cut, grid.map((s, k) => [s, heights[k]]));
    segment(cut, [size, 0], [size, top], { stroke: "var(--soft)" });
    spot(cut, [0, J]);
    spot(cut, [size, at(size)], { fill: "var(--paper)" });
  }

  function drawPast() {
    const values = past.slice(-60).map((w) => surface(points, labels, loss, w).J);
    past_J.show([Math.max(0, past.length - 60), Math.max(past.length - 1, 5), 0, 1.1 * Math.max(...values) || 1]);
    past_J.clear();
    const places = values.map((v, k) => [Math.max(0, past.length - 60) + k, v]);
    path(past_J, places, { "stroke-width": 1.5 });
    spot(past_J, places.at(-1), { r: 5 });
  }

  function words(J, g, to) {
    const here = `w = ${vector(now())}, J = ${fixed(J, 3)} after ${past.length - 1} steps.`;
    if (Math.hypot(...g) === 0) return `${here} The slope is 0: the ball stays.`;
    const next = surface(points, labels, loss, to).J;
    const way = Math.abs(next - J) < 5e-4 ? "the same height" : next < J ? "down" : "up: the step is too long for this slope";
    return `${here} A step of size ${number(size, 3)} goes to J = ${fixed(next, 3)}, ${way}.`;
  }

  redraw();
}

export default { mount, render: ({ model, el }) => mount(el, model.get("start")) };
