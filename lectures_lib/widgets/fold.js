// The fold to space, turned by hand: a plane cuts the cone above, and its shadow below is a conic.
import { add, box, button, clamp, draw, movable, number, path, plane, range, roomFor, speaker, spot } from "./exhibit.js";

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
const [RINGS, RAYS, PATCHES] = [[0, 0.3, 0.6, 0.9, 1.2, 1.5], 24, 8]; // of the surface, and of the cutting plane along a side
const SECONDS = 2.5; // that the fold takes when it plays
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
  const root = box(el, "The fold to space, turned by hand", "Play the fold. Drag the picture to turn it, the gold grip to lift the plane, the white one to tilt it.");
  const { points, labels } = start;
  let now = { ...FIRST };
  let playing = null;
  const wide = roomFor(el, 370);
  const narrow = roomFor(el, 760) < 600;
  const both = add(root, "div", { class: "row" });
  const above = plane(both, { view: [-FAR, FAR, narrow ? -0.6 : -0.8, narrow ? 2.05 : 1.9], even: true, width: wide, height: narrow ? 280 : wide, label: "Above: the folded plane and the cut. Drag it to turn it; Tab to the grips of the cut." });
  above.show = () => {};
  above.svg.querySelector("g").replaceChildren(); // no axes: it turns
  const flat = plane(both, { view: [-FAR, FAR, -FAR, FAR], even: true, width: wide, height: narrow ? 240 : wide, label: "Below: the points and the shadow of the cut" });
  const tools = add(root, "div");
  const play = button(tools, "Play the fold", "From the plane to the cone", () => (playing ? halt() : begin()));
  button(tools, "Reset", "As it was at first", () => (halt(), (now = { ...FIRST }), redraw()));
  const say = speaker(root);
  const more = add(root, "details");
  add(more, "summary", {}, "All of it by sliders");
  const slider = (name, key, min, max, step) => range(more, name, { min, max, step, value: now[key] }, (v) => (halt(), (now = { ...now, [key]: v }), redraw()));
  const sliders = {
    t: slider("fold", "t", 0, 1, 0.01),
    height: slider("height of the cut", "height", 0, 1.5, 0.01),
    slope: slider("slope of the cut", "slope", 0, 2, 0.05),
    direction: slider("its direction", "direction", -180, 180, 5),
    turn: slider("turn", "turn", -180, 180, 2),
    view: slider("view from above", "view", -10, 90, 2),
  };
  const cut = () => ({ height: now.height, slope: now.slope, direction: (now.direction * Math.PI) / 180 });

  const rise = (v) => v / Math.max(Math.cos((now.view * Math.PI) / 180), 0.3); // of the picture, in units of height
  const near = (v, goal, reach) => (Math.abs(v - goal) < reach ? goal : v); // a hand finds 0 and 1
  const lift = grip("height of the cut", "#e69f00", lifted, ([, dy]) => ({ height: near(clamp(now.height + rise(dy), 0, 1.5), 0, 0.02) }));
  const tilt = grip("slope of the cut", "var(--paper)", tilted, ([dx, dy]) => {
    const facing = seen([Math.cos(cut().direction), Math.sin(cut().direction), 0])[2] > 0 ? 1 : -1;
    const direction = now.direction + 60 * facing * dx;
    return { slope: near(near(clamp(now.slope + rise(dy), 0, 2), 1, 0.025), 0, 0.025), direction: ((((direction + 180) % 360) + 360) % 360) - 180 };
  });

  /** A grip of the cutting plane; `change` says what a move of the hand by (dx, dy) in the picture does. */
  function grip(name, fill, at, change) {
    const node = draw(above.front, "g", { role: "slider", "aria-label": name, "aria-valuemin": 0, "aria-valuemax": 2 });
    draw(node, "circle", { r: 17, fill: "transparent" });
    draw(node, "circle", { r: 8, fill, stroke: "var(--ink)", "stroke-width": 2 });
    draw(node, "circle", { r: 14, class: "focus" });
    const put = (place) => {
      const [x, y] = at();
      halt();
      now = { ...now, ...change([place[0] - x, place[1] - y]) };
      redraw();
    };
    movable(above, node, { at: () => at().slice(0, 2), put });
    return node;
  }

  /** The middle of the rim that is nearest to the eye, and the highest place of the rim. */
  function lifted() {
    return [[1, 0], [-1, 0], [0, 1], [0, -1]].map(inPicture).reduce((best, p) => (p[2] > best[2] ? p : best));
  }
  function tilted() {
    const { direction } = cut();
    const far = 1 / Math.max(Math.abs(Math.cos(direction)), Math.abs(Math.sin(direction)));
    return inPicture([0.8 * far * Math.cos(direction), 0.8 * far * Math.sin(direction)]);
  }
  /** The place of the cut over p as it is seen; a steep cut leaves the picture: then the last place before its rim. */
  function inPicture(p) {
    const [middle, there] = [seen(onCut([0, 0])), seen(onCut(p))];
    const [, , bottom, top] = above.view;
    const room = there[1] > middle[1] ? top - 0.12 - middle[1] : bottom + 0.12 - middle[1];
    const share = Math.min(1, room / (there[1] - middle[1] || room));
    return middle.map((v, c) => v + share * (there[c] - v));
  }

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

  /** Fold by itself, from the plane to the cone. */
  function begin() {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return void ((now = { ...now, t: now.t < 1 ? 1 : 0 }), redraw());
    const began = performance.now();
    const step = (time) => {
      if (!root.isConnected) return halt();
      now = { ...now, t: clamp((time - began) / (1000 * SECONDS), 0, 1) };
      playing = now.t < 1 ? requestAnimationFrame(step) : null;
      if (!playing) halt();
      redraw();
    };
    play.textContent = "Stop";
    playing = requestAnimationFrame(step);
  }

  function halt() {
    cancelAnimationFrame(playing);
    playing = null;
    play.textContent = "Play the fold";
  }

  /** Where a place of space is seen, and how near it is. */
  function seen([a, b, c]) {
    const [turn, view] = [now.turn, now.view].map((v) => (v * Math.PI) / 180);
    const [across, deep] = [a * Math.cos(turn) + b * Math.sin(turn), b * Math.cos(turn) - a * Math.sin(turn)];
    return [across, c * Math.cos(view) + deep * Math.sin(view), c * Math.sin(view) - deep * Math.cos(view)];
  }

  /** The place of the cutting plane over a place of the floor. */
  function onCut([a, b]) {
    const { height, slope, direction } = cut();
    return [a, b, height + slope * (a * Math.cos(direction) + b * Math.sin(direction))];
  }

  function redraw() {
    above.clear();
    flat.clear();
    solid();
    for (const curve of pieces(cut())) {
      path(above, curve.map((x) => seen(wind(x, now.t))), { "stroke-width": 2.5 });
      path(flat, curve, { "stroke-width": 2.5 });
    }
    if (now.height === 0 && now.slope < 1) spot(flat, [0, 0], { r: 5, fill: "var(--ink)" });
    points.forEach((x, i) => dotAt(flat, x, labels[i]));
    for (const [key, node] of Object.entries(sliders)) node.value = now[key];
    sliders.direction.disabled = now.slope === 0;
    const shown = now.t === 1 ? "visible" : "hidden";
    for (const [node, place, value, text] of [[lift, lifted(), now.height, `height ${number(now.height)}`], [tilt, tilted(), now.slope, `slope ${number(now.slope)}`]]) {
      node.setAttribute("transform", `translate(${above.pixel(place)})`);
      node.setAttribute("visibility", shown);
      node.setAttribute("aria-valuenow", value.toFixed(2));
      node.setAttribute("aria-valuetext", `${text}, ${shadow(cut())}`);
      const [x, y] = above.pixel(place);
      const right = x > above.width - 110;
      const under = node === tilt && Math.hypot(x - above.pixel(lifted())[0], y - above.pixel(lifted())[1]) < 110 ? 18 * Math.sign(y - above.pixel(lifted())[1] || 1) : 0;
      if (now.t === 1) draw(above.top, "text", { class: "name", x: x + (right ? -13 : 13), y: clamp(y + 5 + under, 14, above.height - 6), "text-anchor": right ? "end" : "start" }, text);
    }
    if (!playing) say(words()); // a voice that never ends helps nobody
  }

  function words() {
    const wrong = mistakes(points, labels, cut());
    const shape = shadow(cut());
    const stage = now.t === 1 ? "The plane lies twice around the cone: x and \u2212x are one point." : now.t === 0 ? "The plane, not yet folded." : "On the way: the angle is being doubled.";
    return `${stage} The shadow of the cut is ${shape}; ${wrong} of ${points.length} points are on the wrong side.`;
  }

  /** Surface, cutting plane and points, drawn from the back to the front; inside and outside have two shades. */
  function solid() {
    const things = [];
    const patch = (corners, colours, look) => {
      const places = corners.map(seen);
      const [[a, b], [c, d], [e, f]] = places;
      const front = (c - a) * (f - b) - (d - b) * (e - a) > 0;
      const depth = places.reduce((sum, p) => sum + p[2], 0) / places.length;
      things.push([depth, () => draw(above.behind, "polygon", { points: places.map((p) => above.pixel(p).map((v) => v.toFixed(1))).join(" "), fill: colours[front ? 0 : 1], ...look })]);
    };
    const at = (r, k) => {
      const theta = -Math.PI + 1e-9 + (k * (2 * Math.PI - 2e-9)) / RAYS;
      return wind([r * Math.cos(theta), r * Math.sin(theta)], now.t);
    };
    RINGS.slice(1).forEach((r, j) => {
      for (let k = 0; k < RAYS; k++) patch([at(RINGS[j], k + 1), at(RINGS[j], k), at(r, k), at(r, k + 1)].slice(j ? 0 : 1), ["var(--grid)", "var(--soft)"], { "fill-opacity": 0.6, stroke: "var(--soft)", "stroke-width": 0.6 });
    });
    const side = Array.from({ length: PATCHES + 1 }, (_, k) => -1 + (2 * k) / PATCHES);
    if (now.t > 0)
      side.slice(1).forEach((a, i) => side.slice(1).forEach((b, j) =>
        patch([[side[i], side[j]], [a, side[j]], [a, b], [side[i], b]].map(onCut), ["var(--good)", "var(--good)"], { "fill-opacity": 0.3 * now.t, "shape-rendering": "crispEdges" })));
    points.forEach((x, i) => {
      const place = seen(wind(x, now.t));
      things.push([place[2] + 0.06, () => dotAt(above, place, labels[i])]);
    });
    things.sort((p, q) => p[0] - q[0]).forEach(([, paint]) => paint());
    const rim = [[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]].map((p) => seen(onCut(p)));
    path(above, rim, { stroke: "var(--good)", "stroke-width": 1.5, "stroke-opacity": now.t });
  }

  function dotAt(it, place, y) {
    const [x, z] = it.pixel(place);
    if (y > 0) draw(it.behind, "circle", { cx: x, cy: z, r: 4, fill: "var(--plus)", stroke: "var(--paper)" });
    else draw(it.behind, "rect", { x: x - 3.5, y: z - 3.5, width: 7, height: 7, fill: "var(--minus)", stroke: "var(--paper)" });
  }

  redraw();
}

export default { mount, render: ({ model, el }) => mount(el, model.get("start")) };
