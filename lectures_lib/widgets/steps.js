// SMO in one player: choose two multipliers, see their box and their parabola, take the step.
import { add, barsOf, box, button, choosable, dot, draw, dualityMeter, fixed, marker, named, path, plane, roomFor, segment, sign, speaker, spot, streetOf, vector } from "./exhibit.js";
import { machine, moveTwo, worstPair } from "./solvers.js";

/** The dual along a pair: D(t) = D(0) + t slope - t^2 bend / 2 for t from `least` to `most`. */
export function along(points, labels, C, alpha, i, j) {
  const { w } = machine(points, labels, C, alpha);
  const apart = points[i].map((v, c) => v - points[j][c]);
  const room = (k, way) => (way > 0 ? C - alpha[k] : alpha[k]);
  const after = moveTwo(points, labels, C, alpha, i, j);
  return {
    slope: labels[i] - labels[j] - dot(w, apart),
    bend: dot(apart, apart),
    most: Math.min(room(i, labels[i]), room(j, -labels[j])),
    least: -Math.min(room(i, -labels[i]), room(j, labels[j])),
    t: labels[i] * (after[i] - alpha[i]),
    after,
  };
}

function star(it, place) {
  const [x, y] = it.pixel(place);
  const corner = (k) => [x + (k % 2 ? 4 : 10) * Math.sin((k * Math.PI) / 5), y - (k % 2 ? 4 : 10) * Math.cos((k * Math.PI) / 5)];
  draw(it.over, "polygon", { points: Array.from({ length: 10 }, (_, k) => corner(k)).join(" "), fill: "#e69f00", stroke: "var(--ink)", "stroke-width": 1.5 });
}

export function mount(el, start) {
  const root = box(el, "SMO, step by step", "Choose two points, and move their alphas.");
  const { points, labels, C } = start;
  const none = points.map(() => 0);
  const first = worstPair(points, labels, C, none) ?? [0, labels.findIndex((y) => y !== labels[0])];
  const begin = () => [none, moveTwo(points, labels, C, none, ...first)]; // after one step there is something to see
  let past = begin(); // every state so far; the last is now
  let pair = worstPair(points, labels, C, past.at(-1)) ?? first;

  const room = roomFor(el, 720);
  const narrow = room < 600;
  const wide = narrow ? room : 350;
  const half = Math.floor((room - 14) / 2);
  const upper = add(root, "div", { class: "row" });
  const street = plane(upper, { view: start.view, even: true, width: wide, height: narrow ? 225 : 300, title: "Street: choose two points", label: "The street; choose two points" });
  const bars = plane(upper, { view: [0, 1, 0, 1], width: narrow ? half : wide, height: narrow ? 160 : 300, x: "example i", y: "\u03b1", basis: narrow ? half : wide, title: "Multipliers", label: "The multipliers" });
  const lower = narrow ? upper : add(root, "div", { class: "row" });
  const small = { width: narrow ? half : 240, height: narrow ? 160 : 230, basis: narrow ? half : 200 };
  const square = plane(lower, { view: [-0.15 * C, 1.15 * C, -0.15 * C, 1.15 * C], x: "first \u03b1", y: "second \u03b1", ...small, title: "Box of the pair", label: "The box and the segment on which the two move" });
  const curve = plane(lower, { view: [0, 1, 0, 1], x: "t", y: "D(t)", ...small, title: "D along the segment", label: "The dual along the segment" });
  const last = add(lower, "div", { style: `flex: 1 1 ${narrow ? half : 200}px; min-width: 0; max-width: 360px;` });
  add(last, "p", { class: "title" }, "Gap");
  const drawGap = dualityMeter(last, narrow ? half : 220);
  const tools = add(root, "div");
  const choices = ["first", "second"].map((name, side) => {
    const choice = add(add(tools, "label", {}, `${name} `), "select");
    points.forEach((_, i) => add(choice, "option", { value: i }, `${i + 1} (y = ${sign(labels[i])})`));
    choice.onchange = () => choose(side, Number(choice.value));
    return choice;
  });
  const take = button(tools, "Take the step", "Move this pair to the best point of its segment", () => {
    past.push(along(points, labels, C, past.at(-1), ...pair).after);
    redraw();
  });
  const worst = button(tools, "Worst pair", "Choose the pair that violates most", () => {
    pair = worstPair(points, labels, C, past.at(-1)) ?? pair;
    redraw();
  });
  const undo = button(tools, "Undo", "Take the last step back", () => (past.pop(), redraw()));
  button(tools, "Start again", "All alpha are 0", () => ((past = [none]), (pair = first), redraw()));
  const say = speaker(root);

  const nodes = points.map((_, i) => {
    const show = marker(street, null);
    choosable(street.front.lastChild, () => choose(0, i));
    return show;
  });

  /** Put example i on one side of the pair; whom it replaces goes to the other side where needed. */
  function choose(side, i) {
    if (side === 0 && pair[0] !== i) pair = [i, pair[0]];
    else if (side === 1 && pair[1] !== i) pair = pair[0] === i ? [pair[1], i] : [pair[0], i];
    redraw();
  }

  function redraw() {
    const alpha = past.at(-1);
    const [i, j] = pair;
    const m = machine(points, labels, C, alpha);
    const move = along(points, labels, C, alpha, i, j);
    streetOf(street, points, labels, m);
    const texts = named(street, points, points.map((_, k) => k + 1));
    nodes.forEach((show, k) => {
      const chosen = pair.includes(k);
      show({ place: points[k], y: labels[k], ringed: chosen, label: `Choose example ${k + 1}, y = ${sign(labels[k])}, at ${vector(points[k])}${chosen ? ", chosen" : ""}`, ...texts[k] });
    });
    barsOf(bars, alpha, labels, C, 1, pair);
    drawBox(alpha, move);
    drawParabola(m.dual, move);
    drawGap(m);
    choices.forEach((choice, side) => (choice.value = pair[side]));
    const gain = move.t * move.slope - (move.t ** 2 * move.bend) / 2;
    take.disabled = gain <= 1e-12;
    worst.disabled = !worstPair(points, labels, C, alpha, 1e-6);
    undo.disabled = past.length === 1;
    say(words(m, move, gain));
  }

  function words(m, move, gain) {
    const at = move.t === move.most || move.t === move.least ? "an end of the segment" : "the top of the parabola";
    const next = move.most === move.least ? "This pair cannot move: its segment is one point."
      : gain <= 1e-12 ? "This pair stands at its best already: no gain."
        : `The best point is ${at}, t = ${fixed(move.t, 3)}, and D gains ${fixed(gain, 3)}.`;
    const closed = worst.disabled ? " No pair is left that could gain: the gap is closed." : "";
    return `Steps taken: ${past.length - 1}. D = ${fixed(m.dual, 3)}, primal ${fixed(m.primal, 3)}, gap ${fixed(Math.max(0, m.gap), 3)}. Pair ${pair[0] + 1} and ${pair[1] + 1}. ${next}${closed}`;
  }

  function drawBox(alpha, { least, most, after }) {
    const [i, j] = pair;
    const at = (t) => [alpha[i] + labels[i] * t, alpha[j] - labels[j] * t];
    square.clear();
    path(square, [[0, 0], [C, 0], [C, C], [0, C], [0, 0]], { stroke: "var(--soft)" });
    segment(square, at(-3 * C), at(3 * C), { stroke: "var(--plus)", "stroke-dasharray": "2 4" });
    segment(square, at(least), at(most), { stroke: "var(--plus)", "stroke-width": 5 });
    star(square, [after[i], after[j]]);
    spot(square, at(0), { fill: "none" });
  }

  function drawParabola(D, { slope, bend, least, most, t }) {
    const value = (s) => D + s * slope - (s * s * bend) / 2;
    const pad = 0.15 * (most - least || C);
    const ends = [least - pad, most + pad];
    const grid = Array.from({ length: 61 }, (_, k) => ends[0] + ((ends[1] - ends[0]) * k) / 60);
    const heights = grid.map(value);
    const [low, high] = [Math.min(...heights), Math.max(...heights)];
    const room = 0.1 * (high - low) || 1;
    curve.show([...ends, low - room, high + room]);
    curve.clear();
    path(curve, grid.map((s) => [s, value(s)]), { stroke: "var(--plus)", "stroke-dasharray": "2 4" });
    const inside = [least, ...grid.filter((s) => s > least && s < most), most];
    path(curve, inside.map((s) => [s, value(s)]), { stroke: "var(--plus)", "stroke-width": 5 });
    star(curve, [t, value(t)]);
    spot(curve, [0, D], { fill: "none" });
  }

  redraw();
}

export default { mount, render: ({ model, el }) => mount(el, model.get("start")) };
