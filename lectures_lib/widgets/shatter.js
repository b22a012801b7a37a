// Shatter points yourself: for every labelling a line, or a mixture of both classes that meets.
import { add, box, button, draw, marker, named, plane, roomFor, separator, sign, speaker, vector } from "./exhibit.js";
import { TINY, hasLine, line, mixture } from "./solvers.js";

/** All labellings of n points, as lists of -1 and 1; the last point changes fastest. */
export function labellings(n) {
  return Array.from({ length: 2 ** n }, (_, k) => Array.from({ length: n }, (_, i) => ((k >> (n - 1 - i)) & 1 ? 1 : -1)));
}

/** For each labelling, whether it has a line. */
export const realised = (points) => labellings(points.length).map((y) => hasLine(points, y));

const [LEAST, MOST] = [2, 5];
const signs = (labels) => labels.map((y) => (y > 0 ? "+" : "\u2212")).join(" ");

export function mount(el, start) {
  const root = box(el, "Shatter points yourself", "Tap a point to change its label, or drag it; or choose a labelling.");
  let points = start.points.map((p) => [...p]);
  let labels = [...start.labels];
  let nodes = [];
  const both = add(root, "div", { class: "row" });
  const it = plane(both, { view: start.view, even: true, width: roomFor(el, 420), height: roomFor(el, 420) < 420 ? 270 : 380, label: "Points in the plane. Tab to a point; arrow keys move it, Enter changes its class." });
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
    nodes = points.map((_, i) => marker(it, { at: () => points[i], put: (place) => ((points[i] = place), redraw()), act: () => ((labels[i] *= -1), redraw()), tap: true }));
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
    const all_of_them = count === all.length;
    head.textContent = all_of_them ? `\u2605 All ${count} of ${all.length} labellings have a line: shattered!` : `${count} of ${all.length} labellings have a line`;
    head.classList.toggle("prize", all_of_them);
    cells.forEach((cell, k) => {
      const chosen = all[k].every((y, i) => y === labels[i]);
      cell.textContent = `${signs(all[k])} ${have[k] ? "\u2713" : "\u2717"}`;
      cell.setAttribute("aria-pressed", chosen);
      cell.style.cssText = `${chosen ? "background: var(--lit);" : ""} color: var(${have[k] ? "--ink" : "--wrong"}); padding: 3px 5px; margin: 1px; min-height: 28px;`;
    });
    it.clear();
    const found = hasLine(points, labels) ? null : mixture(points, labels);
    if (found) drawMeeting(found);
    else drawLine();
    const weights = points.map((_, i) => (found ? found.weights[i] : 0));
    const texts = named(it, points, weights.map((v, i) => (v > TINY ? v.toFixed(2) : i + 1)));
    nodes.forEach((show, i) => {
      const weight = weights[i];
      const label = `Point ${i + 1}, y = ${sign(labels[i])}, at ${vector(points[i])}${weight > TINY ? `, weight ${weight.toFixed(2)}` : ""}`;
      show({ place: points[i], y: labels[i], ringed: weight > TINY, label, ...texts[i] });
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
