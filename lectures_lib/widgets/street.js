// The street: drag a point, and the machine is trained again; where no line separates, the proof of that.
import { add, box, button, dot, draw, marker, named, number, plane, range, roomFor, segment, sign, speaker, streetOf, vector } from "./exhibit.js";
import { TINY, hull, hard, machine, smo, which } from "./solvers.js";

const CLOSED = 1e-6;
const [CELLS, SURVEYED] = [22, 12]; // squares along each side of the map; points for which it is drawn

/** The support vector machine of points; C = null is the hard margin.
 *
 * `w`, `b`, `xi`; `rings`: the support vectors. Where no line separates: the mixture's `cross` and `weights`.
 */
export function train(points, labels, C) {
  if (C === null) return hard(points, labels);
  const alpha = smo(points, labels, C);
  return { ...machine(points, labels, C, alpha), rings: which(alpha, (a) => a > TINY * C) };
}

/** The width of the street of points, 0 where there is none. */
export function width(points, labels, C) {
  const { w, cross, touching } = train(points, labels, C);
  return cross || touching ? 0 : Math.min(2 / Math.max(Math.hypot(...w), 1e-9), 1e3);
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

/** The proof beside the picture: which averages show that no street is wider, or that there is none. */
export function proof(found, labels) {
  if (!found.weights) return "";
  const average = (y) => {
    const members = which(found.weights, (v) => v > 0.0005).filter((i) => labels[i] === y);
    return members.map((i) => (members.length > 1 ? `${found.weights[i].toFixed(2)} of ${i + 1}` : `point ${i + 1}`)).join(" + ");
  };
  const [plus, minus] = [average(1), average(-1)];
  if (found.cross) return `Proof: ${plus} and ${minus} are the same place, ${vector(found.cross)}. No line has it on both sides.`;
  const apart = Math.hypot(...found.places[0].map((v, c) => v - found.places[1][c]));
  return `Proof: ${plus} (disc side) and ${minus} (square side) are ${apart.toFixed(3)} apart. A wider street would have to leave one of them.`;
}

export function mount(el, start) {
  const root = box(el, "The widest street between two classes", "Drag a point. Double-click it to change its class.");
  const n = start.points.length;
  let points = start.points.map((p) => [...p]);
  let labels = [...start.labels];
  let C = start.C ?? null; // a kernel in the browser hands over None as undefined
  let tour = null; // a point that goes round by itself

  const both = add(root, "div", { class: "row" });
  const wide = roomFor(el, 440);
  const it = plane(both, { view: start.view, width: wide, height: wide, label: "Points in the plane. Tab to a point; arrow keys move it, Enter changes its class." });
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
  const ground = { ...it, behind: draw(it.svg, "g", { "clip-path": it.behind.getAttribute("clip-path"), "pointer-events": "none", "aria-hidden": "true" }) };
  it.svg.insertBefore(ground.behind, it.behind);
  const say = speaker(side);
  const shownProof = add(side, "p", { class: "proof" });
  const legend = add(side, "p", { "aria-hidden": "true", style: "color: var(--good); min-height: 1.4em" });
  const nodes = points.map((_, i) => marker(it, { at: () => points[i], put: (place) => (halt(), (points[i] = place), redraw()), act: () => flip(i) }));

  let chart = { key: "" }; // how wide the street would be with the held point anywhere in the plane
  [...it.front.children].forEach((node, i) => node.addEventListener("focus", () => survey(i)));

  /** Begin the map for point i, if the others are not as they were; it is computed in pieces, between two frames. */
  function survey(i) {
    const key = JSON.stringify([i, C, labels, points.filter((_, k) => k !== i)]);
    if (chart.key === key || points.length > SURVEYED) return;
    chart = { key, i, widths: [] };
    const fine = it.inner.width / CELLS;
    const [left, right, bottom, top] = it.view;
    const at = (c, r) => [left + ((c + 0.5) / CELLS) * (right - left), top - ((r + 0.5) / CELLS) * (top - bottom)];
    const work = () => {
      const began = performance.now();
      while (chart.key === key && chart.widths.length < CELLS * CELLS && performance.now() - began < 5) {
        const k = chart.widths.length;
        chart.widths.push(width(points.map((p, j) => (j === i ? at(k % CELLS, Math.floor(k / CELLS)) : p)), labels, C));
      }
      if (chart.key !== key || !root.isConnected) return;
      if (chart.widths.length < CELLS * CELLS) return void setTimeout(work);
      colour(fine);
    };
    ground.behind.replaceChildren();
    legend.textContent = "";
    setTimeout(work);
  }

  function colour(fine) {
    const most = Math.max(...chart.widths);
    chart.widths.forEach((w, k) => {
      if (w <= 0) return; // no line separates with the point there: left white
      const look = { x: it.edge.left + (k % CELLS) * fine, y: it.edge.top + Math.floor(k / CELLS) * fine, width: fine, height: fine };
      draw(ground.behind, "rect", { ...look, fill: "var(--good)", "fill-opacity": (0.05 + 0.25 * (w / most) ** 2).toFixed(3) });
    });
    legend.textContent = most > 0 ? `Green: where point ${chart.i + 1} leaves the street wide.` : `Wherever point ${chart.i + 1} goes, no line separates.`;
  }

  function price() {
    const slider = range(tools, "C", { min: -2, max: 2, step: 0.1, value: Math.log10(C), spoken: (v) => number(10 ** v) }, (v) => ((C = 10 ** v), redraw()));
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
    if (chart.key && !tour && document.activeElement === it.front.children[chart.i]) survey(chart.i);
    const texts = named(it, points, points.map((_, i) => {
      const share = found.weights?.[i] ?? 0; // a point that is its class's average needs no number
      const weight = share > 0.0005 && share < 0.9995 ? `: ${share.toFixed(2)}` : "";
      return n > 20 ? weight.slice(2) : `${i + 1}${weight}`;
    }));
    nodes.forEach((show, i) => {
      const ringed = found.rings.includes(i);
      const label = `Point ${i + 1}, y = ${sign(labels[i])}, at ${vector(points[i])}${ringed ? ", ringed" : ""}`;
      show({ place: points[i], y: labels[i], ringed, label, ...texts[i] });
    });
    if (found.places) drawWidth(found);
    shownProof.textContent = proof(found, labels);
    if (!tour) say(words(found, n)); // a voice that never ends helps nobody
  }

  function drawMeeting(cross) {
    for (const [y, colour] of [[1, "var(--plus)"], [-1, "var(--minus)"]]) {
      const corners = hull(points.filter((_, i) => labels[i] === y));
      draw(it.behind, "polygon", { points: corners.map(it.pixel).join(" "), fill: colour, "fill-opacity": 0.2, stroke: colour });
    }
    const [x, z] = it.pixel(cross);
    const d = `M${x - 13},${z - 13}l26,26m0,-26l-26,26`;
    draw(it.top, "path", { d, stroke: "var(--paper)", "stroke-width": 7 }); // seen on a point, too
    draw(it.top, "path", { d, stroke: "var(--ink)", "stroke-width": 4 });
  }

  /** The two averages that face each other, and how far apart they are. */
  function drawWidth({ places }) {
    segment(it, ...places, { stroke: "var(--good)", "stroke-width": 3 });
    for (const place of places) {
      const [x, z] = it.pixel(place);
      draw(it.over, "rect", { x: x - 4, y: z - 4, width: 8, height: 8, transform: `rotate(45 ${x} ${z})`, fill: "var(--good)", stroke: "var(--paper)" });
    }
    const [x, z] = it.pixel([0, 1].map((c) => (places[0][c] + places[1][c]) / 2));
    const apart = Math.hypot(...places[0].map((v, c) => v - places[1][c]));
    draw(it.top, "text", { class: "name", x: x + 8, y: z - 8, style: "fill: var(--good); font-weight: 700" }, apart.toFixed(2));
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
