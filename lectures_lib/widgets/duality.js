// Primal and dual side by side: the street and the bars of alpha, and a gap that closes.
import { RISE, add, barsOf, box, button, clamp, draw, dualityMeter, marker, movable, named, number, plane, range, roomFor, sign, speaker, spot, streetOf, vector } from "./exhibit.js";
import { machine, moveTwo, smo, worstPair } from "./solvers.js";

/** Put alpha_i by hand; the others give way, as little as possible, until sum alpha y = 0.
 *
 * If they cannot, alpha_i goes only as far as they can follow. The others move by a common shift along y, cut off
 * at 0 and C: that is the nearest such point.
 */
export function giveWay(labels, C, alpha, i, value) {
  const others = labels.map((_, k) => k).filter((k) => k !== i);
  const most = others.reduce((sum, k) => sum + (labels[k] !== labels[i] ? C : 0), 0);
  const wanted = clamp(value, 0, Math.min(C, most));
  const shifted = (t) => alpha.map((v, k) => (k === i ? wanted : clamp(v + t * labels[k], 0, C)));
  const sum = (list) => list.reduce((total, v, k) => total + v * labels[k], 0);
  const reach = C * (labels.length + 1);
  let [low, high] = [-reach, reach];
  for (let step = 0; step < 200 && low < high; step++) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (sum(shifted(middle)) < 0) low = middle;
    else high = middle;
  }
  return shifted(high);
}

const CLOSED = 1e-6;

export function mount(el, start) {
  const root = box(el, "Primal and dual side by side", "Drag a point on the left, or a bar on the right.");
  const labels = start.labels;
  const n = labels.length;
  let points = start.points.map((p) => [...p]);
  let C = start.C;
  let alpha = points.map(() => 0);
  let lit = -1; // the example under the hand: its point and its bar light together

  const both = add(root, "div", { class: "row" });
  const wide = roomFor(el, 370);
  const street = plane(both, { view: start.view, even: true, width: wide, height: Math.min(wide, 330), label: "Primal: the street. Tab to a point, move it with the arrow keys." });
  const right = add(both, "div", { style: "flex: 1 1 300px; min-width: 0; max-width: 380px;" });
  const bars = plane(right, { view: [0.4, n + 0.6, 0, 1.1 * C], width: wide, height: wide < 360 ? 190 : 265, x: "example i", y: "\u03b1", label: "Dual: a bar for each example, to drag" });
  const drawGap = dualityMeter(right, wide);
  const tools = add(root, "div");
  const price = range(tools, "C", { min: -1, max: 1, step: 0.1, value: Math.log10(C), spoken: (v) => number(10 ** v) }, (v) => {
    const before = C;
    C = 10 ** v;
    alpha = alpha.map((a) => (a / before) * C);
    redraw();
  });
  const shown = add(price.parentNode, "span");
  const one = button(tools, "One step", "Move the two alphas that violate most", () => {
    const pair = worstPair(points, labels, C, alpha);
    if (pair) alpha = moveTwo(points, labels, C, alpha, ...pair);
    redraw();
  });
  button(tools, "Close the gap", "Find the best alpha", solve);
  button(tools, "All \u03b1 = 0", "Start at nothing", () => ((alpha = alpha.map(() => 0)), redraw()));
  button(tools, "Reset", "Points, C and alpha as at first", () => {
    points = start.points.map((p) => [...p]);
    C = start.C;
    price.value = Math.log10(C);
    solve();
  });
  const say = speaker(root);

  const nodes = points.map((_, i) => marker(street, { at: () => points[i], put: (place) => ((points[i] = place), solve()) }));
  const handles = points.map((_, i) => {
    const node = draw(bars.front, "g", { role: "slider", "aria-label": `alpha ${i + 1}`, "aria-orientation": "vertical", "aria-valuemin": 0 });
    draw(node, "rect", { x: -15, y: -15, width: 30, height: 30, fill: "transparent" });
    draw(node, "rect", { x: -11, y: -4, width: 22, height: 8, rx: 4, fill: "var(--paper)", stroke: "var(--ink)", "stroke-width": 2 });
    draw(node, "circle", { r: 14, class: "focus" });
    movable(bars, node, { at: () => [i + 1, alpha[i]], put: ([, value]) => ((alpha = giveWay(labels, C, alpha, i, value)), redraw()), ways: RISE });
    return node;
  });

  [street.front.children, handles].forEach((list) => [...list].forEach((node, i) => {
    for (const [kind, what] of [["pointerenter", i], ["focus", i], ["pointerleave", -1], ["blur", -1]]) node.addEventListener(kind, () => ((lit = what), redraw()));
  }));

  function solve() {
    alpha = smo(points, labels, C);
    redraw();
  }

  function redraw() {
    const m = machine(points, labels, C, alpha);
    shown.textContent = ` ${number(C)}`;
    drawStreet(m);
    drawBars();
    drawGap(m);
    one.disabled = !worstPair(points, labels, C, alpha, CLOSED);
    const closed = m.gap <= CLOSED * (1 + Math.abs(m.primal));
    const used = alpha.filter((a) => a > 0).length;
    const gap = Math.max(m.gap, 0); // weak duality: what is below 0 is rounding
    const [high, low, apart] = [m.primal, m.dual, gap].map((v) => (Number(v.toFixed(3)) + 0).toFixed(3).replace("-", "\u2212"));
    say(`Primal value ${high}, dual value ${low}, gap ${apart}. ` +
      (closed ? "The gap is closed to six digits: no street is better. " : "The best value lies between the two. ") +
      `w = ${vector(m.w)}, b = ${number(m.b)}; ${used} of ${n} \u03b1 are above 0.`);
  }

  function drawStreet(m) {
    streetOf(street, points, labels, m);
    if (lit >= 0) spot(street, points[lit], { r: 17, "fill-opacity": 0.6 });
    const texts = named(street, points, points.map((_, i) => i + 1));
    points.forEach((x, i) => {
      const label = `Point ${i + 1}, y = ${sign(labels[i])}, at ${vector(x)}, alpha ${alpha[i].toFixed(2)}${m.xi[i] > CLOSED ? `, slack ${m.xi[i].toFixed(2)}` : ""}`;
      nodes[i]({ place: x, y: labels[i], ringed: alpha[i] > 1e-9, label, ...texts[i] });
    });
  }

  function drawBars() {
    barsOf(bars, alpha, labels, C, 1, lit < 0 ? [] : [lit]);
    if (lit >= 0) spot(bars, [lit + 1, alpha[lit]], { r: 17, "fill-opacity": 0.6 });
    if (lit >= 0) draw(bars.top, "text", { class: "name", x: bars.pixel([lit + 1, 0])[0], y: Math.max(bars.pixel([0, alpha[lit]])[1] - 20, 14), "text-anchor": "middle" }, alpha[lit].toFixed(2));
    alpha.forEach((a, i) => {
      handles[i].setAttribute("transform", `translate(${bars.pixel([i + 1, a])})`);
      handles[i].setAttribute("aria-valuenow", a.toFixed(3));
      handles[i].setAttribute("aria-valuemax", C.toFixed(3));
      handles[i].setAttribute("aria-valuetext", `${a.toFixed(2)} of ${C.toFixed(2)}, y = ${sign(labels[i])}`);
    });
  }

  solve();
}

export default { mount, render: ({ model, el }) => mount(el, model.get("start")) };
