// C and sigma on one's own points: the Gaussian machine, trained again at every move.
import { add, box, button, clamp, contour, draw, field, marker, movable, number, plane, roomFor, shade, sign, speaker, vector } from "./exhibit.js";
import { kernelMachine, kernelSmo, which } from "./solvers.js";

const kernel = (x, z, sigma) => Math.exp(-((x[0] - z[0]) ** 2 + (x[1] - z[1]) ** 2) / (2 * sigma * sigma));
const gram = (points, sigma) => points.map((x) => points.map((z) => kernel(x, z, sigma)));
const SUPPORT = 1e-9; // in units of C
const CLOSED = 1e-6;

/** The machine of points for C and sigma, from alpha = 0 or from where one was. */
export function train(points, labels, C, sigma, from = undefined) {
  const K = gram(points, sigma);
  const alpha = kernelSmo(K, labels, C, from);
  return { alpha, ...kernelMachine(K, labels, C, alpha), rings: which(alpha, (a) => a > SUPPORT * C) };
}

/** The score f(x) of a machine. */
export function score(points, labels, sigma, { alpha, b, rings }, x) {
  return rings.reduce((sum, i) => sum + alpha[i] * labels[i] * kernel(points[i], x, sigma), b);
}

/** How many points are wrong when each is left out in turn: only a support vector changes the machine. */
export function leftOut(points, labels, C, sigma) {
  const whole = train(points, labels, C, sigma);
  return points.filter((x, i) => {
    if (!whole.rings.includes(i)) return labels[i] * score(points, labels, sigma, whole, x) < 0;
    const rest = points.map((_, k) => k).filter((k) => k !== i);
    const [P, y] = [rest.map((k) => points[k]), rest.map((k) => labels[k])];
    if (new Set(y).size < 2) return true; // the others know one class alone
    return labels[i] * score(P, y, sigma, train(P, y, C, sigma), x) < 0;
  }).length;
}

const [LOW, HIGH] = [[-1.3, -1], [1, 3]]; // log10 of sigma and of C
const MOST = 40;
const WAIT = 250; // milliseconds of rest before each point is left out in turn

export function mount(el, start) {
  const root = box(el, "C and sigma on your own points", "Drag the gold dot: C and \u03c3. Tap a point to change its class, or the plane to add one.");
  let { points, labels, C, sigma } = start;
  let nodes = [];
  let alpha; // where the last machine ended: the next one starts there, if it may
  let rest = null;

  const both = add(root, "div", { class: "row" });
  const wide = roomFor(el, 400);
  const it = plane(both, { view: start.view, width: wide, height: wide, label: "Your points and the machine. Tab to a point; arrow keys move it, Enter changes its class, Delete takes it away." });
  const side = add(both, "div", { style: "flex: 1 1 260px; min-width: 0;" });
  const pad = plane(side, { view: [LOW[0], HIGH[0], LOW[1], HIGH[1]], width: roomFor(el, 330), height: 172, x: "\u03c3", y: "C", powers: true, label: "C and sigma to drag" });
  const say = speaker(side);
  const truth = speaker(side);
  const tools = add(side, "div");
  const more = button(tools, "Add a point", "One point more, at the middle; the class is that of fewer points", () => join([(it.view[0] + it.view[1]) / 2, (it.view[2] + it.view[3]) / 2]));
  button(tools, "Reset", "Points, C and sigma as at first", () => {
    ({ points, labels, C, sigma } = start);
    rebuild();
  });

  const knob = draw(pad.front, "g", { role: "button", "aria-roledescription": "movable dot" });
  draw(knob, "circle", { r: 18, fill: "transparent" });
  draw(knob, "circle", { r: 9, fill: "#e69f00", stroke: "var(--ink)", "stroke-width": 2 });
  draw(knob, "circle", { r: 15, class: "focus" });
  movable(pad, knob, { at: () => [Math.log10(sigma), Math.log10(C)], put: ([s, c]) => (([sigma, C] = [10 ** s, 10 ** c]), redraw()) });

  it.svg.onclick = (event) => {
    if (event.target.closest("g[role]")) return;
    const [x, y] = it.pixel(it.place(event));
    const bounds = it.svg.getBoundingClientRect();
    const here = [((event.clientX - bounds.left) / bounds.width) * it.width, ((event.clientY - bounds.top) / bounds.height) * it.height];
    if (Math.hypot(x - here[0], y - here[1]) < 1) join(it.place(event)); // not beside the axes
  };

  function join(place) {
    if (points.length >= MOST) return say(`${MOST} points are enough.`);
    const plus = labels.filter((y) => y > 0).length;
    points = [...points, place];
    labels = [...labels, 2 * plus <= labels.length ? 1 : -1];
    rebuild();
    it.front.lastChild.focus({ preventScroll: true });
  }

  const last = (i) => labels.filter((y) => y === labels[i]).length < 2;
  const keep = () => say("This is the last point of its class: both classes need one.");

  function flip(i) {
    if (last(i)) return keep();
    labels = labels.map((y, k) => (k === i ? -y : y));
    redraw();
  }

  function leave(i) {
    if (last(i)) return keep();
    points = points.filter((_, k) => k !== i);
    labels = labels.filter((_, k) => k !== i);
    rebuild();
  }

  function rebuild() {
    it.front.replaceChildren();
    nodes = points.map((_, i) => marker(it, { at: () => points[i], put: (place) => ((points = points.map((p, k) => (k === i ? place : p))), redraw()), act: () => flip(i), tap: true }));
    [...it.front.children].forEach((node, i) => node.addEventListener("keydown", (event) => {
      if (event.key !== "Delete" && event.key !== "Backspace") return;
      event.preventDefault();
      leave(i);
    }));
    redraw();
  }

  /** Start from the last alpha where that is allowed: sum alpha y = 0 and no alpha above C. */
  function warm() {
    const fits = alpha?.length === points.length && alpha.every((a) => a <= C) && Math.abs(alpha.reduce((sum, a, i) => sum + a * labels[i], 0)) < 1e-9;
    return fits ? alpha : undefined;
  }

  function redraw() {
    const found = train(points, labels, C, sigma, warm());
    alpha = found.alpha;
    const f = (x) => score(points, labels, sigma, found, x);
    const scores = field(it, f, 8);
    it.clear();
    shade(it, scores, (v) => (v >= 0 ? "var(--plus)" : "var(--minus)"), 0.13);
    shade(it, scores, (v) => (v >= 1 ? "var(--plus)" : v <= -1 ? "var(--minus)" : null), 0.16);
    for (const [level, look] of [[0, {}], [1, { "stroke-dasharray": "2 4", "stroke-width": 1.3 }], [-1, { "stroke-dasharray": "2 4", "stroke-width": 1.3 }]]) contour(it, scores, level, look);
    nodes.forEach((show, i) => {
      const ringed = found.rings.includes(i);
      show({ place: points[i], y: labels[i], ringed, label: `Point ${i + 1}, y = ${sign(labels[i])}, at ${vector(points[i])}${ringed ? `, alpha ${alpha[i].toFixed(2)}` : ""}` });
    });
    drawPad(found);
    more.disabled = points.length >= MOST;
    say(words(found));
    clearTimeout(rest);
    truth("Each point left out in turn: \u2026");
    rest = setTimeout(() => truth(`Each point left out in turn: ${leftOut(points, labels, C, sigma)} of ${points.length} are wrong.`), WAIT);
  }

  function words(found) {
    const wrong = points.filter((x, i) => labels[i] * (found.f[i] + found.b) < 0).length;
    const open = found.gap <= CLOSED * (1 + found.primal) ? "" : ` Not the best machine yet: the gap is ${number(found.gap, 6)}.`;
    return `C = ${number(C)}, \u03c3 = ${number(sigma)}: ${wrong} of ${points.length} points are on the wrong side; support vectors: ${found.rings.length}.${open}`;
  }

  function drawPad(found) {
    const place = [Math.log10(sigma), Math.log10(C)];
    const [x, y] = pad.pixel(place);
    pad.clear();
    draw(pad.behind, "path", { d: `M${pad.edge.left},${y}H${pad.width}M${x},0V${pad.height - pad.edge.bottom}`, stroke: "var(--soft)", "stroke-dasharray": "3 4" });
    const right = x > pad.width - 130;
    draw(pad.top, "text", { class: "name", x: x + (right ? -14 : 14), y: y < 34 ? y + 22 : y - 12, "text-anchor": right ? "end" : "start" }, `C ${number(C)}, \u03c3 ${number(sigma)}`);
    knob.setAttribute("transform", `translate(${x},${y})`);
    knob.setAttribute("aria-label", `C = ${number(C)}, sigma = ${number(sigma)}; support vectors: ${found.rings.length} of ${points.length}`);
    const [a, b] = it.pixel([it.view[0], it.view[2]]);
    const radius = Math.min((sigma / (it.view[1] - it.view[0])) * it.inner.width, 4 * it.width);
    draw(it.behind, "path", { d: `M${a + 12},${b - 12}h${radius}m0,-5v10m${-radius},-10v10`, stroke: "var(--ink)", "stroke-width": 2 });
    draw(it.top, "text", { class: "name", x: a + 14 + clamp(radius / 2, 0, 120), y: b - 18 }, "\u03c3");
  }

  rebuild();
}

export default { mount, render: ({ model, el }) => mount(el, model.get("start")) };
