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
  --soft: #a9adb5; --grid: #3a3d44; --plus: #6cc3f5; --minus: #ff9a57; --good: #4fd6ad; --wrong: #ff99a2; --lit: #4d4213; }
.exhibit * { box-sizing: border-box; }
.exhibit .row { display: flex; flex-wrap: wrap; gap: 8px 14px; align-items: flex-start; margin: 0; }
.exhibit .row > * { padding: 0; margin-top: 0; } /* a page may have rows of its own */
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
.exhibit .title { margin: 0 0 2px; font-weight: 600; font-size: 13px; }
.exhibit .prize { background: var(--lit); border-radius: 4px; padding: 2px 6px; }
@media (prefers-reduced-motion: no-preference) { .exhibit .prize { animation: exhibit-prize 0.5s 3; } }
@keyframes exhibit-prize { 50% { background: #e69f00; } }
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
  for (const kind of ["pointerdown", "keydown"]) root.addEventListener(kind, touched, true);
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
/** The same with all its decimals. */
export const fixed = (v, decimals) => (Number(v.toFixed(decimals)) + 0).toFixed(decimals).replace("-", "\u2212");
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

/** A plane with axes: `pixel` of a place, `place` of an event, layers `behind`, `over`, `front`, `top`.
 *
 * With `powers` a place is a pair of logarithms, and the axes name the powers of 10. With `even` the view is widened
 * until both axes have one unit: what is at right angles looks so.
 */
export function plane(parent, { view, label, width = 440, height = 440, x = "", y = "", basis = 300, powers = false, even = false, title = "" }) {
  const holder = add(parent, "div", { style: `flex: 1 1 ${Math.min(basis, width)}px; max-width: ${width}px; min-width: 0;` });
  if (title) add(holder, "p", { class: "title" }, title);
  const svg = draw(holder, "svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": label });
  const edge = { left: y ? 46 : 37, right: 8, top: 8, bottom: x ? 38 : 37 }; // a square without names has square units
  const inner = { width: width - edge.left - edge.right, height: height - edge.top - edge.bottom };
  const axes = draw(svg, "g", { "pointer-events": "none", "aria-hidden": "true" });
  const name = `clip${Math.random().toString(36).slice(2)}`;
  const clip = draw(draw(svg, "defs"), "clipPath", { id: name });
  draw(clip, "rect", { x: edge.left, y: edge.top, ...inner });
  const behind = draw(svg, "g", { "pointer-events": "none", "clip-path": `url(#${name})` });
  const over = draw(svg, "g", { "pointer-events": "none" }); // spots on the rim stay whole
  const front = draw(svg, "g");
  const top = draw(svg, "g", { "pointer-events": "none" }); // above what is held
  const numbers = new Map(); // of markers: where their numbers stand, for names that keep away from them
  const it = { svg, behind, over, front, top, view: [...view], edge, inner, width, height, powers, numbers };
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
    it.view = even ? widened(seen, inner.width / inner.height) : [...seen];
    drawAxes(it, axes, x, y);
  };
  it.show(view);
  return it;
}

/** A view with so many times more width than height, around the same middle. */
function widened([left, right, bottom, top], share) {
  const half = [Math.max(right - left, share * (top - bottom)) / 2, Math.max((right - left) / share, top - bottom) / 2];
  const middle = [(left + right) / 2, (bottom + top) / 2];
  return [middle[0] - half[0], middle[0] + half[0], middle[1] - half[1], middle[1] + half[1]];
}

function drawAxes(it, axes, x, y) {
  const [left, right, bottom, top] = it.view;
  const { edge, inner, width, height } = it;
  axes.replaceChildren();
  const line = (from, to, look) => {
    const [[a, b], [c, d]] = [it.pixel(from), it.pixel(to)];
    draw(axes, "line", { x1: a, y1: b, x2: c, y2: d, ...look });
  };
  const told = (v) => (it.powers ? number(10 ** v, 4) : number(v, 4));
  const small = (text) => { // beside the axis is little room
    const letters = text.replace(".", "").length;
    const pressed = letters > 4 ? { textLength: y ? 26 : 31, lengthAdjust: "spacingAndGlyphs" } : {};
    return letters > 3 ? { style: "font-size: 11px", ...pressed } : {};
  };
  const each = it.counted && inner.width > 18 * (right - left); // room for every whole number
  const wide = it.powers || each ? 1 : tickStep(right - left, inner.width / 60);
  for (let v = Math.ceil(left / wide - 1e-9) * wide; v <= right + 1e-9 * wide; v += wide) {
    line([v, bottom], [v, top], { stroke: Math.abs(v) < wide / 9 ? "var(--soft)" : "var(--grid)" });
    const inside = Math.min(it.pixel([v, 0])[0], width - Math.max(8, 4.2 * told(v).length)); // a long number at the rim
    draw(axes, "text", { x: inside, y: height - edge.bottom + 15, "text-anchor": "middle" }, told(v));
  }
  const high = it.powers ? 1 : tickStep(top - bottom, inner.height / 60);
  const tall = inner.height > 70; // a meter has no height to tell
  for (let v = tall ? Math.ceil(bottom / high - 1e-9) * high : Infinity; v <= top + 1e-9 * high; v += high) {
    line([left, v], [right, v], { stroke: Math.abs(v) < high / 9 ? "var(--soft)" : "var(--grid)" });
    draw(axes, "text", { x: edge.left - 4, y: it.pixel([0, v])[1] + 4, "text-anchor": "end", ...small(told(v)) }, told(v));
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

/** Four places on the way to the tip of an arrow: what the names of other arrows keep away from. */
export const onTheWay = (from, to) => [0.25, 0.5, 0.75, 1].map((t) => from.map((v, c) => v + t * (to[c] - v)));

/** So far from the middle of a name others keep away, in pixels: closer, letters touch. */
const CLEAR = 11;

/** An arrow from place to place, with a head of fixed size and a name beside it, as far as may be from `avoid`. */
export function arrow(it, from, to, { name = "", avoid = [], ...look } = {}) {
  const [[a, b], [c, d]] = [it.pixel(from), it.pixel(to)];
  const length = Math.hypot(c - a, d - b);
  if (length < 1) return;
  const [u, v] = [(c - a) / length, (d - b) / length];
  const head = Math.min(12, length);
  const [e, f] = [c - head * u, d - head * v];
  const colour = look.stroke ?? "var(--ink)";
  draw(it.behind, "line", { x1: a, y1: b, x2: e, y2: f, "stroke-width": 3, ...look, stroke: colour });
  draw(it.behind, "polygon", { points: `${c},${d} ${e - 5 * v},${f + 5 * u} ${e + 5 * v},${f - 5 * u}`, fill: colour });
  if (!name || length < 14) return;
  const half = 4 * name.length;
  const beside = (t, way, far) => [a + t * (c - a) - way * (half + 14 * far - 6) * v, b + t * (d - b) + way * 14 * far * u];
  const ring = (far) => [0.5, 0.35, 0.65, 0.2, 0.8].flatMap((t) => [1, -1].map((way) => beside(t, way, far)));
  const spots = [...ring(1), [c + (half + 6) * u, d + 14 * v], ...ring(2)]; // beside, beyond the tip, farther beside
  const within = ([x, y]) => x > it.edge.left + half && x < it.width - half - 4 && y > 16 && y < it.height - it.edge.bottom - 8;
  const inside = spots.filter(within);
  const named = [...it.top.querySelectorAll("text.name")].map((one) => [Number(one.getAttribute("x")), Number(one.getAttribute("y")) - 4, 4 * one.textContent.length]);
  const taken = [...avoid.map(it.pixel).map(([p, q]) => [p, q, 6]), ...[...it.numbers.values()].filter(Boolean), ...named]; // places, numbers, other names
  const near = ([x, y]) => Math.min(18, ...taken.map(([p, q, wide]) => Math.max(Math.abs(p - x) - half - wide, Math.abs(q - y))));
  let [x, y] = (inside.length ? inside : spots).reduce((best, spot) => (near(spot) > near(best) + 1 ? spot : best));
  if (near([x, y]) < CLEAR) { // where it is crowded: the free place nearest to the arrow's middle
    const [columns, rows] = [it.width, it.height].map((v) => Math.ceil(v / 8));
    const free = Array.from({ length: columns * rows }, (_, j) => [8 * (j % columns), 8 * Math.floor(j / columns)]).filter((at) => within(at) && near(at) >= CLEAR);
    const off = ([p, q]) => Math.hypot(p - (a + c) / 2, q - (b + d) / 2);
    if (free.length) [x, y] = free.reduce((best, at) => (off(at) < off(best) ? at : best));
  }
  draw(it.top, "text", { class: "name", x, y: y + 4, "text-anchor": "middle", style: `fill: ${colour}` }, name);
}

/** Values of f over the whole view, at the corners of squares of `fine` pixels. */
export function field(it, f, fine = 6) {
  const [left, right, bottom, top] = it.view;
  const [across, down] = [it.inner.width, it.inner.height].map((v) => Math.ceil(v / fine));
  const values = Array.from({ length: down + 1 }, (_, r) => Array.from({ length: across + 1 }, (_, c) =>
    f([left + ((c * fine) / it.inner.width) * (right - left), top - ((r * fine) / it.inner.height) * (top - bottom)])));
  return { values, across, down, fine };
}

/** Shade the square around each value of a field: `look(value)` is a colour, or null for none. */
export function shade(it, { values, across, down, fine }, look, opacity = 0.16) {
  const found = {};
  for (let r = 0; r <= down; r++)
    for (let c = 0; c <= across; ) {
      const colour = look(values[r][c]);
      const from = c;
      while (c <= across && look(values[r][c]) === colour) c++;
      if (colour !== null) found[colour] = `${found[colour] ?? ""}M${it.edge.left + (from - 0.5) * fine},${it.edge.top + (r - 0.5) * fine}h${(c - from) * fine}v${fine}h${(from - c) * fine}z`;
    }
  for (const [colour, d] of Object.entries(found)) draw(it.behind, "path", { d, fill: colour, "fill-opacity": opacity, "shape-rendering": "crispEdges" });
}

/** The line on which a field has a level. */
export function contour(it, { values, across, down, fine }, level, look = {}) {
  let d = "";
  for (let r = 0; r < down; r++)
    for (let c = 0; c < across; c++) {
      const corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map(([a, b]) => [a, b, values[r + b][c + a] - level]);
      const met = [];
      corners.forEach(([a, b, v], k) => {
        const [e, f, u] = corners[(k + 1) % 4];
        if (v >= 0 === u >= 0) return;
        const t = v / (v - u);
        met.push([it.edge.left + (c + a + t * (e - a)) * fine, it.edge.top + (r + b + t * (f - b)) * fine].map((p) => p.toFixed(1)));
      });
      for (let k = 0; k + 1 < met.length; k += 2) d += `M${met[k]}L${met[k + 1]}`;
    }
  if (d) draw(it.behind, "path", { d, fill: "none", stroke: "var(--ink)", "stroke-width": 2, ...look });
}

export const ALONG = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [1, 0], ArrowDown: [-1, 0], Home: [-100, 0], End: [100, 0] };
export const RISE = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [0, 1], ArrowDown: [0, -1], Home: [0, -100], End: [0, 100] };
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** Let a node be dragged by mouse and finger and moved by arrow keys; Shift makes larger steps.
 *
 * `at`: where it is; `put`: called with where it goes; `done`: after each move; `act`: on Enter and on a double
 * click, or with `tap` on a single one; `ways`: what the keys do, WAYS in the plane, ALONG a line, RISE for a height;
 * `press`: takes the keys' steps, 5 with Shift, where they are not moves in the plane.
 */
export function movable(it, node, { at, put, done = () => {}, act = null, tap = false, ways = WAYS, press = null }) {
  node.setAttribute("tabindex", 0);
  let off = [0, 0]; // from the pointer to the middle of what it holds, so that nothing jumps
  let still = null; // where a tap began; null once it is a drag
  node.onpointerdown = (event) => {
    event.preventDefault();
    event.stopPropagation();
    node.focus({ preventScroll: true });
    node.setPointerCapture(event.pointerId);
    const [here, there] = [at(), it.place(event)];
    off = here.map((v, c) => v - there[c]);
    still = tap ? [event.clientX, event.clientY] : null;
  };
  node.onpointermove = (event) => {
    if (!node.hasPointerCapture(event.pointerId)) return;
    if (still && Math.hypot(event.clientX - still[0], event.clientY - still[1]) < 4) return;
    still = null;
    const [left, right, bottom, top] = it.view;
    const [a, b] = it.place(event);
    put([clamp(a + off[0], left, right), clamp(b + off[1], bottom, top)]);
  };
  // a finger on the point moves it, not the page: chromium forgets touch-action on parts of an SVG
  node.addEventListener("touchmove", (event) => event.preventDefault(), { passive: false });
  node.onpointerup = () => (still ? act() : done());
  node.onpointercancel = () => done();
  if (act && !tap) node.ondblclick = act;
  node.onkeydown = (event) => {
    const way = ways[event.key];
    const pressed = act && (event.key === "Enter" || event.key === " ");
    if (!way && !pressed) return;
    event.preventDefault();
    event.stopPropagation();
    if (pressed) return act();
    if (press) return press((way[0] + way[1]) * (event.shiftKey ? 5 : 1));
    const [left, right, bottom, top] = it.view;
    const share = event.shiftKey ? 0.05 : 0.01;
    const [a, b] = at();
    put([clamp(a + way[0] * share * (right - left), left, right), clamp(b + way[1] * share * (top - bottom), bottom, top)]);
    done();
  };
}

const MOST_NAMED = 4; // in one place; more end in dots

/** What is written at each point, and where from its middle: points in one place share it, and no text lies on another or on what the `others` take. */
export function named(it, places, texts, others = []) {
  const all = places.map(it.pixel);
  const first = all.map(([x, y], i) => (texts[i] === "" ? i : all.findIndex(([p, q], j) => texts[j] !== "" && Math.abs(p - x) + Math.abs(q - y) < 5)));
  const taken = [...others]; // the middles of texts, and half their widths
  return all.map(([x, y], i) => {
    const here = texts.filter((text, j) => text !== "" && first[j] === i);
    if (!here.length) return { text: "", at: [0, 0] };
    const text = here.length > MOST_NAMED ? `${here.slice(0, MOST_NAMED).join(", ")} \u2026` : here.join(", ");
    const half = 4 * text.length;
    const clear = ([a, b]) => {
      let least = 6;
      for (const [p, q] of all) least = Math.min(least, Math.max(Math.abs(p - a) - half - 5, Math.abs(q - b) - 12));
      for (const [p, q, wide] of taken) least = Math.min(least, 3 * Math.max(Math.abs(p - a) - half - wide, Math.abs(q - b) - 15));
      return least;
    };
    const within = ([a, b]) => a - half > it.edge.left - 3 && a + half < it.width && b > 9 && b < it.height - it.edge.bottom - 4;
    const spots = [0, 16, 32, 48].flatMap((far) => [[1, -12], [-1, -12], [1, 14], [-1, 14], [0, -20], [0, 22]].map(([way, down]) => [x + way * (11 + half), y + down + Math.sign(down) * far]));
    const inside = spots.filter(within);
    const scored = (inside.length ? inside : spots).map((spot) => [clear(spot), spot]);
    const [, [a, b]] = scored.reduce((best, one) => (one[0] > best[0] + 1 ? one : best));
    taken.push([a, b, half]);
    return { text, at: [a - x, b - y] };
  });
}

/** A point of a class: a disc for +1, a square for -1, a diamond for 0, which is no class; `ringed` marks it. */
export function marker(it, moves) {
  const node = draw(it.front, "g", { role: "button", "aria-roledescription": "movable point" });
  draw(node, "circle", { r: 18, fill: "transparent" }); // large enough for a finger
  const ring = draw(node, "circle", { r: 11, fill: "none", stroke: "var(--ink)", "stroke-width": 2 });
  const disc = draw(node, "circle", { r: 6.5, fill: "var(--plus)", stroke: "var(--paper)" });
  const square = draw(node, "rect", { x: -6, y: -6, width: 12, height: 12, fill: "var(--minus)", stroke: "var(--paper)" });
  const plain = draw(node, "rect", { x: -5, y: -5, width: 10, height: 10, transform: "rotate(45)", fill: "var(--soft)", stroke: "var(--paper)" });
  const name = draw(node, "text", { class: "name", "text-anchor": "middle", "pointer-events": "none", "aria-hidden": "true" });
  draw(node, "circle", { r: 16, class: "focus" });
  if (moves) movable(it, node, moves);
  const seen = (shown) => (shown ? "visible" : "hidden");
  return ({ place, y: side, ringed = false, label, text = "", at = [0, 0] }) => {
    const [x, y] = it.pixel(place);
    node.setAttribute("transform", `translate(${x},${y})`);
    node.setAttribute("aria-label", label);
    ring.setAttribute("visibility", seen(ringed));
    disc.setAttribute("visibility", seen(side > 0));
    square.setAttribute("visibility", seen(side < 0));
    plain.setAttribute("visibility", seen(side === 0));
    name.textContent = text;
    name.setAttribute("x", at[0]);
    name.setAttribute("y", at[1] + 4);
    it.numbers.set(node, text === "" ? null : [x + at[0], y + at[1], 4 * text.length]);
  };
}

/** Let a node be chosen by click, by tap, by Enter and by the space bar. */
export function choosable(node, act) {
  node.removeAttribute("aria-roledescription");
  node.setAttribute("tabindex", 0);
  node.style.cursor = "pointer";
  node.onclick = act;
  node.onkeydown = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    act();
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
  it.counted = true;
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

/** Two wedges that close on what lies between `low` and `high`; returns the function that draws them.
 *
 * Of one that is null only the other is drawn. The axis holds 0.
 */
export function gapMeter(parent, width, { low, high, label, decimals = 3 }) {
  const it = plane(parent, { view: [0, 1, 0, 1], width, height: 92, x: `${low} \u25b6   \u25c0 ${high}`, label });
  const wedge = (value, way, text, at) => {
    const [x, y] = it.pixel([value, 0.35]);
    draw(it.over, "path", { d: `M${x},${y}l${-11 * way},-8v16z`, fill: "var(--good)", stroke: "var(--ink)", "stroke-width": 1.5 });
    draw(it.over, "text", { class: "name", x: at, y: y - 12, "text-anchor": way > 0 ? "end" : "start" }, text);
  };
  /** Where the lower value's text ends and the upper one's begins: inside, and apart. */
  const spots = (least, most, a, b) => {
    const last = width - 8 * b.length;
    const end = clamp(it.pixel([least ?? most, 0])[0] - 4, 8 * a.length, width - 8);
    const begin = clamp(it.pixel([most ?? least, 0])[0] + 4, it.edge.left, last);
    if (!a || !b || end <= begin - 6) return [end, begin];
    const pushed = Math.min(end + 6, last);
    return [pushed - 6, pushed];
  };
  return ([least, most]) => {
    const known = [least, most].filter((v) => v !== null);
    const [from, to] = [Math.min(0, ...known), Math.max(0, ...known)];
    const pad = 0.16 * (to - from) || 1;
    it.show([from - pad, to + pad, 0, 1]);
    it.clear();
    if (known.length === 2) segment(it, [least, 0.35], [most, 0.35], { stroke: "#e69f00", "stroke-width": 10 });
    const told = [least, most].map((v) => (v === null ? "" : fixed(v, decimals)));
    const [a, b] = told[0] === told[1] ? ["", `= ${told[1]}`] : told;
    const [end, begin] = spots(least, most, a, b);
    if (least !== null) wedge(least, 1, a, end);
    if (most !== null) wedge(most, -1, b, begin);
  };
}

/** The gap between a dual and a primal value. */
export function dualityMeter(parent, width) {
  const [low, high] = width < 240 ? ["dual", "primal"] : ["dual value", "primal value"];
  const show = gapMeter(parent, width, { low, high, label: "The gap between the dual and the primal value" });
  return ({ primal, dual }) => show([dual, Math.max(primal, dual)]); // weak duality: what is below is rounding
}

/** A sentence that changes and is spoken. */
export function speaker(parent) {
  const node = add(parent, "p", { role: "status" });
  return (text) => {
    if (node.textContent !== text) node.textContent = text;
  };
}
