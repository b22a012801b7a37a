// Two hulls: their nearest points prove the largest margin from above, a line proves it from below.
import { add, arrow, box, button, dot, draw, fixed, gapMeter, marker, movable, named, plane, roomFor, segment, separator, sign, speaker, vector } from "./exhibit.js";
import { TINY, average, hard, hull, which } from "./solvers.js";

/** What a direction shows: the margin of its best line, w·x + b = 0 with w of length 1. */
export function below(points, labels, angle) {
  const w = [Math.cos(angle), Math.sin(angle)];
  const side = (y) => points.filter((_, i) => labels[i] === y).map((x) => dot(w, x));
  const [least, most] = [Math.min(...side(1)), Math.max(...side(-1))];
  return { w, b: -(least + most) / 2, margin: (least - most) / 2 };
}

/** What weights, 1 in all for each class, show: no margin is above half the distance of their averages. */
export function above(points, labels, weights) {
  const places = [1, -1].map((y) => [0, 1].map((c) => points.reduce((sum, x, i) => sum + (labels[i] === y ? weights[i] * x[c] : 0), 0)));
  return { places, half: Math.hypot(places[0][0] - places[1][0], places[0][1] - places[1][1]) / 2 };
}

/** The best of both: the nearest points of the hulls and the direction from one to the other; null if the hulls meet. */
export function best(points, labels) {
  const found = hard(points, labels);
  const weights = found.weights ?? points.map(() => 0);
  return { weights, angle: found.w && !found.touching ? Math.atan2(found.w[1], found.w[0]) : null, touching: Boolean(found.touching) };
}

/** An average in words: which points it is made of. */
export function recipe(weights, labels, y) {
  const members = which(weights, (v) => v > 0.0005).filter((i) => labels[i] === y);
  return members.map((i) => (members.length > 1 ? `${weights[i].toFixed(2)} of point ${i + 1}` : `point ${i + 1}`)).join(" + ");
}

/** What the picture says, in words. */
export function words(labels, weights, low, high, touching = false) {
  if (touching) return "The hulls all but touch: rounding hides whether a line separates them.";
  const [plus, minus] = [1, -1].map((y) => recipe(weights, labels, y));
  if (low === null) return `The hulls meet: ${plus} and ${minus} are the same place. It cannot be on both sides of a line, so no line separates.`;
  const mine = low > 0 ? `This line has margin ${fixed(low, 3)}.` : `This line separates nothing: margin ${fixed(low, 3)}.`;
  const cap = `No line has more than ${fixed(high, 3)}, half the distance of ${plus} and ${minus}.`;
  const open = high - low > 5e-7 * (1 + high) ? `The largest margin lies between the two.` : "They agree: the largest margin is proved.";
  return `${mine} ${cap} ${open}`;
}

const LENGTH = 58; // of the arrow that turns the line, in pixels

export function mount(el, start) {
  const root = box(el, "Two hulls and the street between them", "Drag a point; or drag a diamond, or turn the arrow, and open the gap.");
  let points = start.points.map((p) => [...p]);
  let labels = [...start.labels];
  let mine = best(points, labels); // the weights and the direction that are shown, the best ones until a hand takes them
  const members = (y) => which(labels, (v) => v === y);

  const both = add(root, "div", { class: "row" });
  const wide = roomFor(el, 420);
  const it = plane(both, { view: start.view, width: wide, height: wide, label: "Points, their hulls, an average of each class and a line. Tab to a part; arrow keys move it, Enter changes the class of a point." });
  const side = add(both, "div", { style: "flex: 1 1 260px; min-width: 0;" });
  const meter = gapMeter(side, roomFor(el, 320), { low: "some margin", high: "no margin above", label: "The largest margin lies between a margin that a line has, and half the distance of two averages" });
  const say = speaker(side);
  const tools = add(side, "div");
  const close = button(tools, "Close the gap", "The nearest points and the best line", () => settle());
  button(tools, "Reset", "Put every point back where it was", () => {
    points = start.points.map((p) => [...p]);
    labels = [...start.labels];
    settle();
  });

  const diamonds = [1, -1].map((y) => {
    const node = draw(it.front, "g", { role: "button", "aria-roledescription": "movable average" });
    draw(node, "circle", { r: 26, fill: "transparent" }); // below the points: on one of them its rim is held
    const shape = draw(node, "path", { fill: "var(--good)", "fill-opacity": 0.85, stroke: "var(--paper)", "stroke-width": 2 });
    draw(node, "circle", { r: 22, class: "focus" });
    const put = (place) => {
      const found = average(points, members(y), place);
      mine = { ...mine, weights: mine.weights.map((v, i) => (labels[i] === y ? found.weights[i] : v)) };
      redraw();
    };
    movable(it, node, { at: () => above(points, labels, mine.weights).places[y > 0 ? 0 : 1], put });
    return { node, shape };
  });
  const nodes = points.map((_, i) => marker(it, { at: () => points[i], put: (place) => ((points[i] = place), settle()), act: () => flip(i) }));
  const tip = draw(it.front, "g", { role: "slider", "aria-label": "direction of w", "aria-valuemin": -180, "aria-valuemax": 180 });
  draw(tip, "circle", { r: 16, fill: "transparent" });
  draw(tip, "circle", { r: 5, fill: "var(--paper)", stroke: "var(--ink)", "stroke-width": 2 });
  draw(tip, "circle", { r: 15, class: "focus" });
  const aim = (angle) => ((mine = { ...mine, angle: Math.atan2(Math.sin(angle), Math.cos(angle)) }), redraw());
  movable(it, tip, {
    at: () => ends()[1],
    put: (place) => aim(Math.atan2(place[1] - ends()[0][1], place[0] - ends()[0][0])),
    press: (step) => aim(direction() + (step * Math.PI) / 180),
  });

  /** The direction shown; where the hulls meet, that of the averages or any. */
  function direction() {
    return mine.angle ?? 0;
  }

  /** Where the arrow begins and ends: it stands on the line, beside the two averages. */
  function ends() {
    const [left, right] = it.view;
    const { w, b } = below(points, labels, direction());
    const { places } = above(points, labels, mine.weights);
    const middle = [0, 1].map((c) => (places[0][c] + places[1][c]) / 2);
    const off = dot(w, middle) + b;
    const reach = (LENGTH * (right - left)) / it.inner.width;
    const foot = middle.map((v, c) => v - off * w[c] + 0.9 * reach * [-w[1], w[0]][c]);
    return [foot, foot.map((v, c) => v + reach * w[c])];
  }

  function settle() {
    mine = best(points, labels);
    redraw();
  }

  function flip(i) {
    if (members(labels[i]).length < 2) return say("This is the last point of its class: both classes need one.");
    labels[i] *= -1;
    settle();
  }

  function redraw() {
    const { places, half } = above(points, labels, mine.weights);
    const line = mine.angle === null ? null : below(points, labels, mine.angle);
    it.clear();
    for (const [y, colour] of [[1, "var(--plus)"], [-1, "var(--minus)"]]) {
      const corners = hull(points.filter((_, i) => labels[i] === y));
      draw(it.behind, "polygon", { points: corners.map(it.pixel).join(" "), fill: colour, "fill-opacity": 0.18, stroke: colour, "stroke-width": 1.5 });
    }
    segment(it, ...places, { stroke: "var(--good)", "stroke-width": 3 });
    const [x, z] = it.pixel([0, 1].map((c) => (places[0][c] + places[1][c]) / 2));
    const [gap, wide] = [fixed(2 * half, 2), half > TINY ? 18 : 0];
    const at = Math.min(x + 8 + wide, it.width - 20);
    if (wide) draw(it.top, "text", { class: "name", x: at, y: z + 18, "text-anchor": "middle", style: "fill: var(--good); font-weight: 700" }, gap);
    const texts = named(it, points, mine.weights.map((v, i) => (v > TINY ? `${i + 1}: ${v.toFixed(2)}` : i + 1)), wide ? [[at, z + 14, wide]] : []);
    nodes.forEach((show, i) => {
      const held = mine.weights[i] > TINY;
      show({ place: points[i], y: labels[i], ringed: held, label: `Point ${i + 1}, y = ${sign(labels[i])}, at ${vector(points[i])}${held ? `, weight ${mine.weights[i].toFixed(2)}` : ""}`, ...texts[i] });
    });
    if (line) drawLine(line);
    diamonds.forEach(({ node, shape }, k) => {
      const r = mine.weights.some((v, i) => v > 1 - TINY && labels[i] === (k ? -1 : 1)) ? 20 : 9; // seen around a point
      shape.setAttribute("d", `M0,${-r}l${r},${r}l${-r},${r}l${-r},${-r}z`);
      node.setAttribute("transform", `translate(${it.pixel(places[k])})`);
      node.setAttribute("aria-label", `Average of the ${k ? "squares" : "discs"} at ${vector(places[k])}: ${recipe(mine.weights, labels, k ? -1 : 1)}`);
    });
    tip.setAttribute("transform", `translate(${it.pixel(ends()[1])})`);
    const degrees = (direction() * 180) / Math.PI;
    tip.setAttribute("aria-valuenow", degrees.toFixed(0));
    tip.setAttribute("aria-valuetext", line ? `${degrees.toFixed(0)} degrees, margin ${fixed(line.margin, 3)}` : "no line separates");
    const low = line ? line.margin : null;
    close.disabled = mine.touching || (line ? half - low <= 1e-9 * (1 + half) : half <= TINY);
    meter([low, half]);
    say(words(labels, mine.weights, low, half, mine.touching));
  }

  function drawLine({ w, b, margin }) {
    separator(it, w, b);
    if (margin > 0) for (const s of [1, -1]) separator(it, w, b + s * margin, { "stroke-width": 1.3, "stroke-dasharray": "2 4" });
    arrow(it, ...ends(), { name: "w" });
  }

  redraw();
}

export default { mount, render: ({ model, el }) => mount(el, model.get("start")) };
