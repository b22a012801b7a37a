// Shatter points yourself: for every labelling a line, or a mixture of both classes that meets.
import { add, box, button, dot, draw, marker, plane, separator, sign, speaker, vector } from "./exhibit.js";

const TINY = 1e-9;
const minus = (a, b) => [a[0] - b[0], a[1] - b[1]];
const cross = (a, b) => a[0] * b[1] - a[1] * b[0];

/** The line w·x + b = 0 of largest margin, and the margin: not above 0 if no line separates.
 *
 * Nearest points of two hulls are corner and corner or corner and edge: all of these are tried.
 */
export function line(points, labels) {
  const plus = points.filter((_, i) => labels[i] > 0);
  const other = points.filter((_, i) => labels[i] < 0);
  if (!plus.length || !other.length) return { w: [0, 0], b: labels[0], gamma: Infinity };
  let best = { w: [0, 0], b: 0, gamma: -Infinity };
  const consider = (normal) => {
    const norm = Math.hypot(...normal);
    if (norm === 0) return;
    const w = normal.map((v) => v / norm);
    const [low, high] = [Math.min(...plus.map((x) => dot(w, x))), Math.max(...other.map((x) => dot(w, x)))];
    if ((low - high) / 2 > best.gamma) best = { w, b: -(low + high) / 2, gamma: (low - high) / 2 };
  };
  for (const p of plus) for (const q of other) consider(minus(p, q));
  for (const side of [plus, other])
    side.forEach((p, i) => side.slice(0, i).forEach((q) => {
      const [a, b] = minus(p, q);
      consider([-b, a]);
      consider([b, -a]);
    }));
  return best;
}

/** Say whether a line separates a labelling. */
export const hasLine = (points, labels) => line(points, labels).gamma > TINY;

/** Weights of a mixture: sum 1 in each class, and both mixtures are one point; null if none is found.
 *
 * Four points are enough in the plane: a corner on a corner, edge or triangle, or two edges that cross.
 */
export function mixture(points, labels) {
  const sides = [1, -1].map((y) => points.map((_, i) => i).filter((i) => labels[i] === y));
  for (const [mine, theirs] of [sides, [...sides].reverse()])
    for (const i of mine) {
      for (const corners of subsets(theirs, 3)) {
        const weights = within(points[i], corners.map((j) => points[j]));
        if (weights) return meet(points, [[[i], [1]], [corners, weights]]);
      }
    }
  for (const mine of subsets(sides[0], 2))
    for (const theirs of subsets(sides[1], 2)) {
      if (mine.length < 2 || theirs.length < 2) continue;
      const found = crossing(...[...mine, ...theirs].map((i) => points[i]));
      if (found) return meet(points, [[mine, [1 - found[0], found[0]]], [theirs, [1 - found[1], found[1]]]]);
    }
  return null;
}

/** All subsets of one to `most` members. */
function subsets(members, most) {
  return members.reduce((all, m) => [...all, ...all.filter((s) => s.length < most).map((s) => [...s, m])], [[]]).slice(1);
}

/** Convex weights that make x of one to three corners; null if it lies outside. */
function within(x, corners) {
  const [a, b, c] = corners;
  const away = minus(x, a);
  if (corners.length === 1) return Math.hypot(...away) <= TINY ? [1] : null;
  const ab = minus(b, a);
  if (corners.length === 2) {
    const t = dot(away, ab) / dot(ab, ab);
    return t >= 0 && t <= 1 && Math.abs(cross(ab, away)) <= TINY * Math.hypot(...ab) ? [1 - t, t] : null;
  }
  const ac = minus(c, a);
  const turn = cross(ab, ac);
  if (Math.abs(turn) <= TINY) return null; // flat: an edge has been tried
  const [s, t] = [cross(away, ac) / turn, cross(ab, away) / turn];
  return s >= 0 && t >= 0 && s + t <= 1 ? [1 - s - t, s, t] : null;
}

/** How far along each of two edges they cross; null if they do not. */
function crossing(a, b, c, d) {
  const [ab, cd, ac] = [minus(b, a), minus(d, c), minus(c, a)];
  const turn = cross(ab, cd);
  if (Math.abs(turn) <= TINY) return null; // parallel: an end on the other edge has been tried
  const [s, t] = [cross(ac, cd) / turn, cross(ac, ab) / turn];
  return s >= 0 && s <= 1 && t >= 0 && t <= 1 ? [s, t] : null;
}

function meet(points, parts) {
  const weights = points.map(() => 0);
  for (const [members, shares] of parts) members.forEach((i, k) => (weights[i] += shares[k]));
  const [members, shares] = parts[0];
  const point = [0, 1].map((c) => members.reduce((sum, i, k) => sum + shares[k] * points[i][c], 0));
  return { weights, point };
}

/** All labellings of n points, as lists of -1 and 1; the last point changes fastest. */
export function labellings(n) {
  return Array.from({ length: 2 ** n }, (_, k) => Array.from({ length: n }, (_, i) => ((k >> (n - 1 - i)) & 1 ? 1 : -1)));
}

/** For each labelling, whether it has a line. */
export const realised = (points) => labellings(points.length).map((y) => hasLine(points, y));

const [LEAST, MOST] = [2, 5];
const signs = (labels) => labels.map((y) => (y > 0 ? "+" : "\u2212")).join(" ");

export function mount(el, start) {
  const root = box(el, "Shatter points yourself");
  let points = start.points.map((p) => [...p]);
  let labels = [...start.labels];
  let nodes = [];
  const both = add(root, "div", { class: "row" });
  const it = plane(both, { view: start.view, width: 420, height: 420, label: "Points in the plane. Tab to a point; arrow keys move it, Enter changes its class." });
  const side = add(both, "div", { style: "flex: 1 1 240px; min-width: 0;" });
  const head = add(side, "p", { style: "font-weight: 600" });
  const grid = add(side, "div", { role: "group", "aria-label": "All labellings" });
  const tools = add(root, "div");
  const more = button(tools, "Add a point", "One point more, at the middle", () => {
    const [left, right, bottom, top] = it.view;
    points.push([(left + right) / 2 + 0.05 * points.length * (right - left), (bottom + top) / 2]);
    labels.push(1);
    rebuild();
  });
  const fewer = button(tools, "Remove a point", "Take the last point away", () => {
    points.pop();
    labels.pop();
    rebuild();
  });
  button(tools, "Reset", "Put every point back where it was", () => {
    points = start.points.map((p) => [...p]);
    labels = [...start.labels];
    rebuild();
  });
  const say = speaker(root);
  let cells = [];

  function rebuild() {
    it.front.replaceChildren();
    nodes = points.map((_, i) => marker(it, { at: () => points[i], put: (place) => ((points[i] = place), redraw()), act: () => ((labels[i] *= -1), redraw()) }));
    grid.replaceChildren();
    cells = labellings(points.length).map((y) => button(grid, "", "Show this labelling", () => ((labels = [...y]), redraw())));
    more.disabled = points.length === MOST;
    fewer.disabled = points.length === LEAST;
    redraw();
  }

  function redraw() {
    const have = realised(points);
    const all = labellings(points.length);
    const count = have.filter(Boolean).length;
    head.textContent = `${count} of ${all.length} labellings have a line`;
    cells.forEach((cell, k) => {
      const chosen = all[k].every((y, i) => y === labels[i]);
      cell.textContent = `${signs(all[k])} ${have[k] ? "\u2713" : "\u2717"}`;
      cell.setAttribute("aria-pressed", chosen);
      cell.style.cssText = `${chosen ? "background: var(--lit);" : ""} color: var(${have[k] ? "--ink" : "--minus"}); padding: 3px 7px;`;
    });
    it.clear();
    const found = hasLine(points, labels) ? null : mixture(points, labels);
    if (found) drawMeeting(found);
    else drawLine();
    nodes.forEach((show, i) => {
      const weight = found ? found.weights[i] : 0;
      const label = `Point ${i + 1}, y = ${sign(labels[i])}, at ${vector(points[i])}${weight > TINY ? `, weight ${weight.toFixed(2)}` : ""}`;
      show({ place: points[i], y: labels[i], ringed: weight > TINY, label, text: weight > TINY ? weight.toFixed(2) : i + 1 });
    });
    const shattered = count === all.length ? " Lines shatter these points." : "";
    say(`${count} of ${all.length} labellings have a line.${shattered} ${words(found)}`);
  }

  function words(found) {
    if (!found) return new Set(labels).size < 2 ? "Here all labels are equal: push the line far away." : "Here is the line of the widest street.";
    const of = (y) => found.weights.map((v, i) => [v, i]).filter(([v, i]) => v > TINY && labels[i] === y).map(([v, i]) => `${v.toFixed(2)} of point ${i + 1}`).join(" + ");
    return `No line: ${of(1)} and ${of(-1)} are the same place, ${vector(found.point)}. It cannot be on both sides.`;
  }

  function drawLine() {
    const { w, b, gamma } = line(points, labels);
    if (gamma === Infinity) return;
    separator(it, w, b);
    for (const s of [1, -1]) separator(it, w, b + s * gamma, { "stroke-width": 1.3, "stroke-dasharray": "2 4" });
  }

  function drawMeeting({ weights, point }) {
    for (const [y, colour] of [[1, "var(--plus)"], [-1, "var(--minus)"]]) {
      const corners = points.filter((_, i) => labels[i] === y && weights[i] > TINY);
      draw(it.behind, "polygon", { points: corners.map(it.pixel).join(" "), fill: colour, "fill-opacity": 0.2, stroke: colour, "stroke-width": 2 });
    }
    const [x, z] = it.pixel(point);
    draw(it.over, "path", { d: `M${x - 13},${z - 13}l26,26m0,-26l-26,26`, stroke: "var(--ink)", "stroke-width": 3 });
  }

  rebuild();
}

export default { mount, render: ({ model, el }) => mount(el, model.get("start")) };
