// The street: drag a point, and the machine is trained again; where no line separates, the proof of that.
import { add, box, button, dot, draw, marker, number, plane, range, sign, speaker, streetOf, vector } from "./exhibit.js";
import { TINY, hull, line, machine, mixture, smo } from "./solvers.js";

const ON_THE_EDGE = 1e-6; // in units of the street's half-width
const CLOSED = 1e-6;
const which = (list, test) => list.map((v, i) => (test(v) ? i : -1)).filter((i) => i >= 0);

/** The support vector machine of points; C = null is the hard margin.
 *
 * `w`, `b`, `xi`; `rings`: the support vectors. Where no line separates: the mixture's `cross` and `weights`.
 */
export function train(points, labels, C) {
  if (C === null) return hard(points, labels);
  const alpha = smo(points, labels, C);
  return { ...machine(points, labels, C, alpha), rings: which(alpha, (a) => a > TINY * C) };
}

/** The hard margin: the line between the nearest points of the two hulls, or a point of both. */
function hard(points, labels) {
  const { w: unit, b, gamma } = line(points, labels);
  const met = gamma > TINY ? null : mixture(points, labels);
  if (met) return { cross: met.point, weights: met.weights, rings: which(met.weights, (v) => v > TINY) };
  if (gamma <= TINY) return { touching: true, w: [0, 0], rings: [] }; // too near for either proof
  const w = unit.map((v) => v / gamma);
  const margins = points.map((x, i) => labels[i] * (dot(w, x) + b / gamma));
  return { w, b: b / gamma, xi: points.map(() => 0), gap: 0, primal: dot(w, w) / 2, rings: which(margins, (m) => m < 1 + ON_THE_EDGE) };
}

/** What the picture says, in words. */
export function words(found, n) {
  if (found.cross) return `No line separates these points: their hulls meet at ${vector(found.cross)}.`;
  if (found.touching) return "The classes all but touch: rounding hides whether a line separates them.";
  const norm = Math.hypot(...found.w);
  const wide = norm > 1e-6 ? (2 / norm).toFixed(3) : "without end, as w = 0";
  const slack = found.xi.reduce((sum, v) => sum + v, 0);
  const open = found.gap <= CLOSED * (1 + found.primal) ? "" : ` Not the widest yet: the gap is ${number(found.gap, 6)}.`;
  return `Street width 2/\u2016w\u2016: ${wide}. Support vectors: ${found.rings.length} of ${n}. Sum of slacks: ${slack.toFixed(3)}.${open}`;
}

export function mount(el, start) {
  const root = box(el, "The widest street between two classes");
  const n = start.points.length;
  let points = start.points.map((p) => [...p]);
  let labels = [...start.labels];
  let C = start.C ?? null; // a kernel in the browser hands over None as undefined
  let tour = null; // a point that goes round by itself

  const both = add(root, "div", { class: "row" });
  const it = plane(both, { view: start.view, label: "Points in the plane. Tab to a point; arrow keys move it, Enter changes its class." });
  const side = add(both, "div", { style: "flex: 1 1 220px; min-width: 0;" });
  const tools = add(side, "div");
  const shown = C === null ? null : price();
  const stop = start.tour ? button(tools, "Stop", "The moving point stands still", () => (tour ? halt() : go())) : null;
  button(tools, "Reset", "Put every point back where it was", () => {
    halt();
    points = start.points.map((p) => [...p]);
    labels = [...start.labels];
    redraw();
  });
  const say = speaker(side);
  const nodes = points.map((_, i) => marker(it, { at: () => points[i], put: (place) => (halt(), (points[i] = place), redraw()), act: () => flip(i) }));

  function price() {
    const slider = range(tools, "C", { min: -2, max: 2, step: 0.1, value: Math.log10(C) }, (v) => ((C = 10 ** v), redraw()));
    return add(slider.parentNode, "span");
  }

  function flip(i) {
    halt();
    if (labels.filter((y) => y === labels[i]).length < 2) return say("This is the last point of its class: both classes need one.");
    labels[i] *= -1;
    redraw();
  }

  function redraw() {
    const found = train(points, labels, C);
    if (shown) shown.textContent = ` ${number(C)}`;
    it.clear();
    if (found.cross) drawMeeting(found.cross);
    else if (Math.hypot(...found.w) > 1e-6) streetOf(it, points, labels, found);
    nodes.forEach((show, i) => {
      const ringed = found.rings.includes(i);
      const label = `Point ${i + 1}, y = ${sign(labels[i])}, at ${vector(points[i])}${ringed ? ", ringed" : ""}`;
      show({ place: points[i], y: labels[i], ringed, label });
    });
    if (!tour) say(words(found, n)); // a voice that never ends helps nobody
  }

  function drawMeeting(cross) {
    for (const [y, colour] of [[1, "var(--plus)"], [-1, "var(--minus)"]]) {
      const corners = hull(points.filter((_, i) => labels[i] === y));
      draw(it.behind, "polygon", { points: corners.map(it.pixel).join(" "), fill: colour, "fill-opacity": 0.2, stroke: colour });
    }
    const [x, z] = it.pixel(cross);
    draw(it.over, "path", { d: `M${x - 9},${z - 9}l18,18m0,-18l-18,18`, stroke: "var(--ink)", "stroke-width": 4 });
  }

  /** Let a point go round on a circle that begins where it is. */
  function go() {
    const { point, radius } = start.tour;
    const [a, b] = points[point];
    const began = performance.now();
    const step = (now) => {
      if (!root.isConnected) return halt();
      const angle = (2 * Math.PI * (now - began)) / 9000;
      points[point] = [a + radius * (Math.cos(angle) - 1), b + radius * Math.sin(angle)];
      redraw();
      tour = requestAnimationFrame(step);
    };
    stop.textContent = "Stop";
    say("One point goes round, and the widest street follows. Take any point with mouse, finger or Tab and arrow keys.");
    tour = requestAnimationFrame(step);
  }

  function halt() {
    if (!tour) return;
    cancelAnimationFrame(tour);
    tour = null;
    stop.textContent = "Go on";
    redraw();
  }

  redraw();
  if (start.tour && !matchMedia("(prefers-reduced-motion: reduce)").matches) go();
  else if (stop) stop.textContent = "Let a point go round";
}

export default { mount, render: ({ model, el }) => mount(el, model.get("start")) };
