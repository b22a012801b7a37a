// What every exhibit shares: a plane to draw in, things to drag, keys, words. An exhibit computes
// in the browser, so it works with a kernel and on a page without one.
const SVG = "http://www.w3.org/2000/svg";
/** JupyterLab's shortcuts look at the node that has the focus first: it must say that it has keys of its own. */
const OWN_KEYS = { "data-lm-suppress-shortcuts": "true" };
const STYLE = `
.exhibit { --ink: #111; --paper: #fff; --soft: #666; --grid: #ddd; --plus: #0072b2; --minus: #a84800;
  --good: #007a5a; --wrong: #b00020; --lit: #fff0c2; color: var(--ink); background: var(--paper); border: 1px solid #999; border-radius: 4px;
  padding: 8px; max-width: 780px; font: 14px/1.4 system-ui, sans-serif; box-sizing: border-box; }
html[data-theme="dark"] .exhibit, body[data-jp-theme-light="false"] .exhibit { --ink: #f2f2f2; --paper: #1b1d22;
  --soft: #a9adb5; --grid: #3a3d44; --plus: #6cc3f5; --minus: #ff9a57; --good: #4fd6ad; --wrong: #ff8a94; --lit: #4d4213; }
.exhibit * { box-sizing: border-box; }
.exhibit .row { display: flex; flex-wrap: wrap; gap: 8px 14px; align-items: flex-start; }
.exhibit svg { display: block; width: 100%; user-select: none; background: var(--paper); }
.exhibit text { fill: var(--ink); font: 13px system-ui, sans-serif; }
.exhibit [role="slider"], .exhibit g[role="button"] { cursor: grab; outline: none; touch-action: none; }
.exhibit .focus { visibility: hidden; fill: none; stroke: var(--ink); stroke-dasharray: 3 3; }
.exhibit g:focus > .focus { visibility: visible; }
.exhibit p { margin: 4px 0; color: var(--ink); }
.exhibit button, .exhibit select { font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--soft);
  border-radius: 4px; padding: 4px 10px; margin: 2px 4px 2px 0; min-height: 32px; cursor: pointer; }
.exhibit button:disabled { opacity: 0.5; cursor: default; }
.exhibit :is(button, input, select):focus-visible { outline: 3px solid var(--plus); outline-offset: 1px; }
.exhibit label { display: inline-block; margin-right: 12px; }
.exhibit input[type="range"] { vertical-align: middle; max-width: 100%; }
.exhibit ol.list { list-style: none; margin: 0; padding: 0; max-height: 330px; overflow-y: auto; }
.exhibit ol.list li { margin: 0; }
.exhibit ol.list button { display: block; width: 100%; text-align: left; border-color: transparent; margin: 0; }
.exhibit ol.list button[aria-current="true"] { background: var(--lit); border-color: var(--soft); }
.exhibit table { display: table; border-collapse: collapse; margin: 4px 0; font: inherit; color: var(--ink); }
.exhibit td, .exhibit th { border: 1px solid var(--grid); padding: 3px 8px; text-align: left; color: var(--ink); background: var(--paper); }
.exhibit tr.lit > * { background: var(--lit); }
.exhibit tr.false > * { color: var(--wrong); font-weight: 600; }
.exhibit .hint { margin: 0 0 2px; color: var(--soft); font-size: 13px; }
.exhibit .hint.done { visibility: hidden; }
.exhibit text.name { paint-order: stroke; stroke: var(--paper); stroke-width: 3px; }
`;

/** Append an SVG node. */
export function draw(parent, tag, attributes = {}, text = "") {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.textContent = text;
  parent.append(node);
  return node;
}

/** Append an HTML node. */
export function add(parent, tag, attributes = {}, text = "") {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.textContent = text;
  parent.append(node);
  return node;
}

/** The box of an exhibit; arrow keys inside it belong to it, not to the notebook.
 *
 * `hint` says what to do; it goes at the first touch.
 */
export function box(el, name, hint) {
  el.replaceChildren();
  const root = add(el, "div", { class: "exhibit", role: "group", "aria-label": name, ...OWN_KEYS });
  add(root, "style", {}, STYLE);
  const line = add(root, "p", { class: "hint" }, hint);
  const touched = (event) => event.key !== "Tab" && line.classList.add("done");
  for (const kind of ["pointerdown", "keydown"]) root.addEventListener(kind, touched);
  return root;
}

/** A button that does something. */
export function button(parent, text, title, act) {
  const node = add(parent, "button", { type: "button", title, ...OWN_KEYS }, text);
  node.onclick = act;
  return node;
}

/** A number to choose on a line, with its name; `spoken` says what a position means. */
export function range(parent, name, { min, max, step, value, spoken = null }, act) {
  const label = add(parent, "label", {}, `${name} `);
  const node = add(label, "input", { type: "range", min, max, step, value, ...OWN_KEYS });
  const speak = () => spoken && node.setAttribute("aria-valuetext", spoken(Number(node.value)));
  node.oninput = () => (speak(), act(Number(node.value)));
  speak();
  return node;
}

export const clamp = (v, low, high) => Math.min(Math.max(v, low), high);
export const dot = (a, b) => a.reduce((sum, v, j) => sum + v * b[j], 0);

/** A number for the eye: at most so many decimals, a true minus, never -0. */
export function number(v, decimals = 2) {
  const text = String(Number(v.toFixed(decimals)) + 0);
  return text.replace("-", "\u2212");
}
export const vector = (v, decimals = 2) => `(${v.map((c) => number(c, decimals)).join(", ")})`;
export const sign = (y) => (y > 0 ? "+1" : "\u22121");

/** Distances for about `count` round ticks over a length. */
export function tickStep(length, count = 6) {
  const rough = length / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5].find((m) => m * power >= rough) ?? 10);
}

/** The width a picture may have here, in pixels. */
export const roomFor = (el, most) => clamp((el.clientWidth || window.innerWidth) - 20, 300, most);

/** A plane with axes: `pixel` of a place, `place` of an event, layers `behind`, `over`, `front`. */
export function plane(parent, { view, label, width = 440, height = 440, x = "", y = "", basis = 300 }) {
  const holder = add(parent, "div", { style: `flex: 1 1 ${Math.min(basis, width)}px; max-width: ${width}px; min-width: 0;` });
  const svg = draw(holder, "svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": label });
  const edge = { left: y ? 46 : 34, right: 8, top: 8, bottom: x ? 38 : 34 }; // a square without names has square units
  const inner = { width: width - edge.left - edge.right, height: height - edge.top - edge.bottom };
  const axes = draw(svg, "g", { "pointer-events": "none", "aria-hidden": "true" });
  const name = `clip${Math.random().toString(36).slice(2)}`;
  const clip = draw(draw(svg, "defs"), "clipPath", { id: name });
  draw(clip, "rect", { x: edge.left, y: edge.top, ...inner });
  const behind = draw(svg, "g", { "pointer-events": "none", "clip-path": `url(#${name})` });
  const over = draw(svg, "g", { "pointer-events": "none" }); // spots on the rim stay whole
  const front = draw(svg, "g");
  const top = draw(svg, "g", { "pointer-events": "none" }); // above what is held
  const it = { svg, behind, over, front, top, view: [...view], edge, inner, width, height };
  it.clear = () => [behind, over, top].forEach((layer) => layer.replaceChildren());
  it.pixel = ([a, b]) => [
    edge.left + ((a - it.view[0]) / (it.view[1] - it.view[0])) * inner.width,
    edge.top + ((it.view[3] - b) / (it.view[3] - it.view[2])) * inner.height,
  ];
  it.place = (event) => {
    const bounds = svg.getBoundingClientRect();
    const across = (((event.clientX - bounds.left) / bounds.width) * width - edge.left) / inner.width;
    const down = (((event.clientY - bounds.top) / bounds.height) * height - edge.top) / inner.height;
    const [left, right, bottom, top] = it.view;
    return [clamp(left + across * (right - left), left, right), clamp(top - down * (top - bottom), bottom, top)];
  };
  it.show = (seen) => {
    it.view = [...seen];
    drawAxes(it, axes, x, y);
  };
  it.show(view);
  return it;
}

function drawAxes(it, axes, x, y) {
  const [left, right, bottom, top] = it.view;
  const { edge, inner, width, height } = it;
  axes.replaceChildren();
  const line = (from, to, look) => {
    const [[a, b], [c, d]] = [it.pixel(from), it.pixel(to)];
    draw(axes, "line", { x1: a, y1: b, x2: c, y2: d, ...look });
  };
  const wide = tickStep(right - left, inner.width / 60);
  for (let v = Math.ceil(left / wide - 1e-9) * wide; v <= right + 1e-9 * wide; v += wide) {
    line([v, bottom], [v, top], { stroke: Math.abs(v) < wide / 9 ? "var(--soft)" : "var(--grid)" });
    draw(axes, "text", { x: it.pixel([v, 0])[0], y: height - edge.bottom + 15, "text-anchor": "middle" }, number(v, 4));
  }
  const high = tickStep(top - bottom, inner.height / 60);
  const told = inner.height > 70; // a meter has no height to tell
  for (let v = told ? Math.ceil(bottom / high - 1e-9) * high : Infinity; v <= top + 1e-9 * high; v += high) {
    line([left, v], [right, v], { stroke: Math.abs(v) < high / 9 ? "var(--soft)" : "var(--grid)" });
    draw(axes, "text", { x: edge.left - 4, y: it.pixel([0, v])[1] + 4, "text-anchor": "end" }, number(v, 4));
  }
  if (x) draw(axes, "text", { x: edge.left + inner.width / 2, y: height - 5, "text-anchor": "middle" }, x);
  const middle = edge.top + inner.height / 2;
  if (y) draw(axes, "text", { x: 12, y: middle, "text-anchor": "middle", transform: `rotate(-90 12 ${middle})` }, y);
}

/** A line between two places. */
export function segment(it, from, to, look = {}) {
  const [[a, b], [c, d]] = [it.pixel(from), it.pixel(to)];
  return draw(it.behind, "line", { x1: a, y1: b, x2: c, y2: d, stroke: "var(--ink)", ...look });
}

/** A line through many places. */
export function path(it, places, look = {}) {
  const d = places.map((p, i) => `${i ? "L" : "M"}${it.pixel(p).map((v) => v.toFixed(1))}`).join("");
  return draw(it.behind, "path", { d, fill: "none", stroke: "var(--ink)", "stroke-width": 2, ...look });
}

/** The line w·x + b = 0, across the whole view. */
export function separator(it, w, b = 0, look = {}) {
  const norm = Math.hypot(...w);
  if (norm === 0) return;
  const [left, right, bottom, top] = it.view;
  const middle = [(left + right) / 2, (bottom + top) / 2];
  const off = (dot(w, middle) + b) / norm ** 2;
  const foot = [middle[0] - off * w[0], middle[1] - off * w[1]];
  const reach = (2 * (right - left + top - bottom)) / norm;
  const end = (s) => [foot[0] - s * reach * w[1], foot[1] + s * reach * w[0]];
  segment(it, end(-1), end(1), { "stroke-width": 2.2, ...look });
}

/** An arrow from place to place, with a head of fixed size and a name beside its middle. */
export function arrow(it, from, to, { name = "", ...look } = {}) {
  const [[a, b], [c, d]] = [it.pixel(from), it.pixel(to)];
  const length = Math.hypot(c - a, d - b);
  if (length < 1) return;
  const [u, v] = [(c - a) / length, (d - b) / length];
  const head = Math.min(12, length);
  const [e, f] = [c - head * u, d - head * v];
  const colour = look.stroke ?? "var(--ink)";
  draw(it.behind, "line", { x1: a, y1: b, x2: e, y2: f, "stroke-width": 3, ...look, stroke: colour });
  draw(it.behind, "polygon", { points: `${c},${d} ${e - 5 * v},${f + 5 * u} ${e + 5 * v},${f - 5 * u}`, fill: colour });
  const [m, n] = [(a + c) / 2 - 13 * v, (b + d) / 2 + 13 * u];
  if (name && length > 40) draw(it.behind, "text", { x: m, y: n + 4, "text-anchor": "middle", style: `fill: ${colour}` }, name);
}

export const ALONG = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [1, 0], ArrowDown: [-1, 0], Home: [-100, 0], End: [100, 0] };
export const RISE = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [0, 1], ArrowDown: [0, -1], Home: [0, -100], End: [0, 100] };
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** Let a node be dragged by mouse and finger and moved by arrow keys; Shift makes larger steps.
 *
 * `at`: where it is; `put`: called with where it goes; `done`: after each move; `act`: on Enter;
 * `ways`: what the keys do, WAYS in the plane ALONG a line, RISE for a height.
 */
export function movable(it, node, { at, put, done = () => {}, act = null, ways = WAYS }) {
  node.setAttribute("tabindex", 0);
  let off = [0, 0]; // from the pointer to the middle of what it holds, so that nothing jumps
  node.onpointerdown = (event) => {
    event.preventDefault();
    node.focus({ preventScroll: true });
    node.setPointerCapture(event.pointerId);
    const [here, there] = [at(), it.place(event)];
    off = here.map((v, c) => v - there[c]);
  };
  node.onpointermove = (event) => {
    if (!node.hasPointerCapture(event.pointerId)) return;
    const [left, right, bottom, top] = it.view;
    const [a, b] = it.place(event);
    put([clamp(a + off[0], left, right), clamp(b + off[1], bottom, top)]);
  };
  // a finger on the point moves it, not the page: chromium forgets touch-action on parts of an SVG
  node.addEventListener("touchmove", (event) => event.preventDefault(), { passive: false });
  node.onpointerup = node.onpointercancel = () => done();
  if (act) node.ondblclick = act;
  node.onkeydown = (event) => {
    const way = ways[event.key];
    const pressed = act && (event.key === "Enter" || event.key === " ");
    if (!way && !pressed) return;
    event.preventDefault();
    event.stopPropagation();
    if (pressed) return act();
    const [left, right, bottom, top] = it.view;
    const share = event.shiftKey ? 0.05 : 0.01;
    const [a, b] = at();
    put([clamp(a + way[0] * share * (right - left), left, right), clamp(b + way[1] * share * (top - bottom), bottom, top)]);
    done();
  };
}

/** A point of a class: a disc for +1, a square for -1; `ring` marks it. */
export function marker(it, moves) {
  const node = draw(it.front, "g", { role: "button", "aria-roledescription": "movable point" });
  draw(node, "circle", { r: 18, fill: "transparent" }); // large enough for a finger
  const ring = draw(node, "circle", { r: 11, fill: "none", stroke: "var(--ink)", "stroke-width": 2 });
  const disc = draw(node, "circle", { r: 6.5, fill: "var(--plus)", stroke: "var(--paper)" });
  const square = draw(node, "rect", { x: -6, y: -6, width: 12, height: 12, fill: "var(--minus)", stroke: "var(--paper)" });
  const name = draw(node, "text", { class: "name", x: 11, y: -8, "pointer-events": "none", "aria-hidden": "true" });
  draw(node, "circle", { r: 16, class: "focus" });
  if (moves) movable(it, node, moves);
  const seen = (shown) => (shown ? "visible" : "hidden");
  return ({ place, y, ringed = false, label, text = "" }) => {
    node.setAttribute("transform", `translate(${it.pixel(place)})`);
    node.setAttribute("aria-label", label);
    ring.setAttribute("visibility", seen(ringed));
    disc.setAttribute("visibility", seen(y > 0));
    square.setAttribute("visibility", seen(y < 0));
    name.textContent = text;
  };
}

/** A spot that only shows where one is. */
export function spot(it, place, look = {}) {
  const [cx, cy] = it.pixel(place);
  return draw(it.over, "circle", { cx, cy, r: 7, fill: "#e69f00", stroke: "var(--ink)", "stroke-width": 2, ...look });
}

/** The strip between the lines w·x + b = 1 and -1, in a colour of its own. */
function pavement(it, w, b) {
  const norm2 = dot(w, w);
  const [left, right, bottom, top] = it.view;
  const reach = 2 * (right - left + top - bottom);
  const [along, norm] = [[-w[1], w[0]], Math.sqrt(norm2)];
  const corner = (level, way) => w.map((v, c) => ((level - b) * v) / norm2 + (way * reach * along[c]) / norm);
  const corners = [[1, -1], [1, 1], [-1, 1], [-1, -1]].map(([level, way]) => it.pixel(corner(level, way)).join(","));
  draw(it.behind, "polygon", { class: "pavement", points: corners.join(" "), fill: "var(--lit)", "fill-opacity": 0.7 });
}

/** The street of w and b: the strip, its line and two edges, and a bar from a point with slack to its edge. */
export function streetOf(it, points, labels, { w, b, xi }) {
  it.clear();
  if (dot(w, w) > 1e-9) pavement(it, w, b);
  separator(it, w, b);
  for (const level of [1, -1]) separator(it, w, b + level, { "stroke-width": 1.3, "stroke-dasharray": "2 4" });
  const norm2 = dot(w, w);
  points.forEach((x, i) => {
    if (xi[i] < 1e-6 || norm2 < 1e-9) return;
    segment(it, x, x.map((v, c) => v + (labels[i] * xi[i] * w[c]) / norm2), { stroke: "var(--soft)", "stroke-width": 2 });
  });
}

/** A bar for each alpha under the ceiling C, numbered from `first`; `marked` ones have a frame. */
export function barsOf(it, alpha, labels, C, first, marked = []) {
  it.show([first - 0.6, first + alpha.length - 0.4, 0, 1.1 * C]);
  it.clear();
  segment(it, [first - 1, C], [first + alpha.length, C], { "stroke-dasharray": "6 4", stroke: "var(--soft)" });
  alpha.forEach((a, i) => {
    const [[x, y], [, zero]] = [it.pixel([first + i, a]), it.pixel([first + i, 0])];
    const frame = marked.includes(i) ? { stroke: "var(--ink)", "stroke-width": 3 } : {};
    draw(it.behind, "rect", { x: x - 8, y, width: 16, height: zero - y, fill: labels[i] > 0 ? "var(--plus)" : "var(--minus)", ...frame });
  });
  draw(it.over, "text", { x: it.width - 10, y: it.pixel([0, C])[1] - 4, "text-anchor": "end" }, "C");
}

/** A line from the dual to the primal value; returns the function that draws it. */
export function gapMeter(parent, width) {
  const it = plane(parent, { view: [0, 1, 0, 1], width, height: 96, x: "dual value \u25c6 and primal value \u25cf", label: "The gap between the dual and the primal value" });
  return ({ primal, dual }) => {
    const [low, high] = [Math.min(0, dual), Math.max(primal, 1e-9)];
    const pad = 0.06 * (high - low);
    it.show([low - pad, high + pad, 0, 1]);
    it.clear();
    segment(it, [dual, 0.5], [primal, 0.5], { stroke: "#e69f00", "stroke-width": 10 });
    spot(it, [primal, 0.5], { fill: "var(--plus)" });
    const [x, y] = it.pixel([dual, 0.5]);
    draw(it.over, "path", { d: `M${x},${y - 9}l9,9l-9,9l-9,-9z`, fill: "var(--good)", stroke: "var(--ink)", "stroke-width": 2 });
  };
}

/** A sentence that changes and is spoken. */
export function speaker(parent) {
  const node = add(parent, "p", { role: "status" });
  return (text) => {
    if (node.textContent !== text) node.textContent = text;
  };
}
