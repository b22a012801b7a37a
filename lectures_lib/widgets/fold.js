// The fold to space, turned by hand: a plane cuts the cone above, and its shadow below is a conic.
import { add, box, button, clamp, draw, number, path, plane, range, roomFor, speaker, spot } from "./exhibit.js";

/** The plane for t = 0, the cone of squares for t = 1, and something in between. */
export function wind([x1, x2], t) {
  const [r, theta] = [Math.hypot(x1, x2), Math.atan2(x2, x1)];
  const rho = (1 - t) * r + (t * r * r) / Math.SQRT2;
  const ramp = 0.35 * t * (1 - t) * theta * r; // keeps the two sheets apart on the way
  const swing = (1 + t) * theta;
  return [rho * Math.cos(swing), rho * Math.sin(swing), (t * r * r) / Math.SQRT2 + ramp];
}

/** How far the image of x on the cone lies below the plane z = height + slope (z1 cos + z2 sin). */
export function below(x, { height, slope, direction }) {
  const [z1, z2, z3] = wind(x, 1);
  return height + slope * (z1 * Math.cos(direction) + z2 * Math.sin(direction)) - z3;
}

/** The radius at which the ray of angle theta meets the cut: Infinity if it never does. */
export function radius(theta, { height, slope, direction }) {
  const square = (Math.SQRT2 * height) / (1 - slope * Math.cos(2 * theta - direction));
  return square > 0 ? Math.sqrt(square) : Infinity;
}

/** How many points are on the wrong side: +1 belongs below the plane, -1 above. */
export function mistakes(points, labels, cut) {
  return points.filter((x, i) => labels[i] * below(x, cut) <= 0).length;
}

/** What the shadow of a cut is. */
export function shadow(cut) {
  const { height, slope } = cut;
  if (height === 0) return slope < 1 ? "one point" : slope === 1 ? "one line" : "a pair of lines";
  if (slope === 0) return `a circle of radius ${number(radius(0, cut))}`;
  return slope < 1 ? "an ellipse" : slope === 1 ? "a pair of parallel lines" : "a hyperbola";
}

const FAR = 1.7;
const FIRST = { t: 1, turn: -50, view: 22, height: 0.6, slope: 0, direction: 0 };

/** The angles of the rays along which a plane through the tip touches or cuts the cone. */
export function rays({ slope, direction }) {
  if (slope < 1) return [];
  const half = Math.acos(1 / slope);
  const angles = half === 0 ? [0] : [half, -half];
  return angles.map((turn) => (direction + turn) / 2);
}

/** The pieces of the cut within the picture, as lists of places below. */
function pieces(cut) {
  if (cut.height === 0) {
    const line = (theta) => [-1, 1].map((way) => [way * FAR * Math.cos(theta), way * FAR * Math.sin(theta)]);
    return [...rays(cut).map(line)];
  }
  const found = [[]];
  for (let k = 0; k <= 360; k++) {
    const theta = (k * Math.PI) / 180 - Math.PI;
    const r = radius(theta, cut);
    if (r < 1.2 * FAR) found.at(-1).push([r * Math.cos(theta), r * Math.sin(theta)]);
    else if (found.at(-1).length) found.push([]);
  }
  return found.filter((piece) => piece.length > 1);
}

export function mount(el, start) {
  const root = box(el, "The fold to space, turned by hand", "Drag the cone to turn it; move the cut with the sliders.");
  const { points, labels } = start;
  let now = { ...FIRST };
  const wide = roomFor(el, 370);
  const both = add(root, "div", { class: "row" });
  const above = plane(both, { view: [-FAR, FAR, -1.2, 2.2], width: wide, height: wide, label: "Above: the folded plane and the cut. Drag it, or use turn and view." });
  above.show = () => {};
  above.svg.firstChild.replaceChildren(); // no axes: it turns
  const flat = plane(both, { view: [-FAR, FAR, -FAR, FAR], width: wide, height: wide, label: "Below: the points and the shadow of the cut" });
  const tools = add(root, "div");
  const slider = (name, key, min, max, step) => range(tools, name, { min, max, step, value: now[key] }, (v) => ((now = { ...now, [key]: v }), redraw()));
  const sliders = {
    t: slider("fold", "t", 0, 1, 0.01),
    height: slider("height of the cut", "height", 0, 1.5, 0.01),
    slope: slider("slope of the cut", "slope", 0, 2, 0.05),
    direction: slider("its direction", "direction", -180, 180, 5),
    turn: slider("turn", "turn", -180, 180, 2),
    view: slider("view from above", "view", -10, 90, 2),
  };
  button(tools, "Reset", "As it was at first", () => ((now = { ...FIRST }), redraw()));
  const say = speaker(root);
  const cut = () => ({ height: now.height, slope: now.slope, direction: (now.direction * Math.PI) / 180 });

  let held = null;
  above.svg.style.cssText = "touch-action: none; cursor: grab;";
  above.svg.onpointerdown = (event) => {
    held = { x: event.clientX, y: event.clientY, ...now };
    above.svg.setPointerCapture(event.pointerId);
  };
  above.svg.onpointermove = (event) => {
    if (!held || !above.svg.hasPointerCapture(event.pointerId)) return;
    const turn = held.turn + (event.clientX - held.x) / 2;
    now = { ...now, turn: ((((turn + 180) % 360) + 360) % 360) - 180, view: clamp(held.view + (event.clientY - held.y) / 3, -10, 90) };
    redraw();
  };
  above.svg.onpointerup = above.svg.onpointercancel = () => (held = null);

  /** Where a place of space is seen, and how near it is. */
  function seen([a, b, c]) {
    const [turn, view] = [now.turn, now.view].map((v) => (v * Math.PI) / 180);
    const [across, deep] = [a * Math.cos(turn) + b * Math.sin(turn), b * Math.cos(turn) - a * Math.sin(turn)];
    return [across, c * Math.cos(view) + deep * Math.sin(view), c * Math.sin(view) - deep * Math.cos(view)];
  }

  function redraw() {
    above.clear();
    flat.clear();
    net();
    const curves = pieces(cut());
    sheet();
    for (const curve of curves) {
      path(above, curve.map((x) => seen(wind(x, now.t))), { "stroke-width": 2.5 });
      path(flat, curve, { "stroke-width": 2.5 });
    }
    if (now.height === 0 && now.slope < 1) spot(flat, [0, 0], { r: 5, fill: "var(--ink)" });
    const places = points.map((x, i) => [seen(wind(x, now.t)), labels[i]]).sort((p, q) => p[0][2] - q[0][2]);
    for (const [place, y] of places) dotAt(above, place, y);
    points.forEach((x, i) => dotAt(flat, x, labels[i]));
    for (const [key, node] of Object.entries(sliders)) node.value = now[key];
    sliders.direction.disabled = now.slope === 0;
    say(words());
  }

  function words() {
    const wrong = mistakes(points, labels, cut());
    const shape = shadow(cut());
    const stage = now.t === 1 ? "The plane lies twice around the cone: x and \u2212x are one point." : now.t === 0 ? "The plane, not yet folded." : "On the way: the angle is being doubled.";
    return `${stage} The shadow of the cut is ${shape}; ${wrong} of ${points.length} points are on the wrong side.`;
  }

  function net() {
    const look = { stroke: "var(--soft)", "stroke-width": 0.7 };
    const ring = (r) => Array.from({ length: 73 }, (_, k) => -Math.PI + 1e-9 + (k * (2 * Math.PI - 2e-9)) / 72).map((theta) => [r * Math.cos(theta), r * Math.sin(theta)]);
    for (const r of [0.3, 0.6, 0.9, 1.2, 1.5]) path(above, ring(r).map((x) => seen(wind(x, now.t))), look);
    for (let k = 0; k < 12; k++) {
      const theta = (k * Math.PI) / 6 - Math.PI + 1e-9;
      path(above, [0, 0.3, 0.6, 0.9, 1.2, 1.5].map((r) => seen(wind([r * Math.cos(theta), r * Math.sin(theta)], now.t))), look);
    }
  }

  function sheet() {
    const { height, slope, direction } = cut();
    const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([a, b]) => [a, b]);
    const lifted = corners.map(([a, b]) => seen([a, b, height + slope * (a * Math.cos(direction) + b * Math.sin(direction))]));
    draw(above.behind, "polygon", { points: lifted.map((p) => above.pixel(p)).join(" "), fill: "var(--good)", "fill-opacity": 0.25 * now.t, stroke: "var(--good)", "stroke-opacity": now.t });
  }

  function dotAt(it, place, y) {
    const [x, z] = it.pixel(place);
    if (y > 0) draw(it.behind, "circle", { cx: x, cy: z, r: 4, fill: "var(--plus)", stroke: "var(--paper)" });
    else draw(it.behind, "rect", { x: x - 3.5, y: z - 3.5, width: 7, height: 7, fill: "var(--minus)", stroke: "var(--paper)" });
  }

  redraw();
}

export default { mount, render: ({ model, el }) => mount(el, model.get("start")) };
