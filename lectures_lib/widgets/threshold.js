// One threshold, dragged on two histograms: ROC, precision-recall and cost follow.
import { ALONG, add, box, button, clamp, draw, movable, number, path, plane, range, roomFor, segment, speaker, spot } from "./exhibit.js";

/** Lower the threshold past every distinct score: FP and TP at each, from "never" on. */
export function sweep(plus, minus) {
  const all = [...plus.map((s) => [s, 1]), ...minus.map((s) => [s, 0])].sort((a, b) => b[0] - a[0]);
  const [thresholds, FP, TP] = [[Infinity], [0], [0]];
  let [fp, tp] = [0, 0];
  all.forEach(([score, isPlus], k) => {
    isPlus ? tp++ : fp++;
    if (k + 1 < all.length && all[k + 1][0] === score) return;
    thresholds.push(score);
    FP.push(fp);
    TP.push(tp);
  });
  return { thresholds, FP, TP, P: plus.length, N: minus.length };
}

/** The area under the ROC curve, by trapezoids. */
export function area({ FP, TP, P, N }) {
  let twice = 0;
  for (let k = 1; k < FP.length; k++) twice += (FP[k] - FP[k - 1]) * (TP[k] + TP[k - 1]);
  return twice / (2 * P * N);
}

/** The sum of precisions, weighted by the steps of recall. */
export function averagePrecision({ FP, TP, P }) {
  let sum = 0;
  for (let k = 1; k < FP.length; k++) sum += ((TP[k] - TP[k - 1]) / P) * (TP[k] / (TP[k] + FP[k]));
  return sum;
}

/** The mean cost at every threshold, and the place of the lowest; of several, the strictest. */
export function costs({ FP, TP, P, N }, fp, fn) {
  const values = FP.map((_, k) => (fn * (P - TP[k]) + fp * FP[k]) / (P + N));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return { values, best: values.findIndex((v) => v <= low + 1e-9 * high) };
}

/** The place in the sweep of the classifier "+ where score >= t". */
export function placeOf({ thresholds }, t) {
  let [low, high] = [0, thresholds.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (thresholds[middle] >= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** All of the above on plain lists, for one threshold: what the tests ask for. */
export function report(plus, minus, t, fp, fn) {
  const curve = sweep(plus, minus);
  const k = placeOf(curve, t);
  const cost = costs(curve, fp, fn);
  return { FP: curve.FP, TP: curve.TP, k, area: area(curve), average: averagePrecision(curve), values: cost.values, best: cost.best };
}

const BINS = 36;
const ratio = (a, b) => (b ? (a / b).toFixed(3) : "0/0");

function shares(scores, [low, high]) {
  const bins = Array(BINS).fill(0);
  for (const s of scores) bins[clamp(Math.floor(((s - low) / (high - low)) * BINS), 0, BINS - 1)] += 1 / scores.length;
  return bins;
}

export function mount(el, start) {
  const root = box(el, "One threshold, dragged", "Drag the threshold.");
  const [plus, minus] = [start.plus, start.minus].map((text) => text.split(" ").map(Number));
  const [nameMinus, namePlus] = start.names;
  const curve = sweep(plus, minus);
  const { FP, TP, P, N, thresholds } = curve;
  const [low, high] = [thresholds.at(-1), thresholds[1]];
  const pad = (high - low) * 0.03 || 1;
  const ends = [low - pad, high + pad];
  let t = clamp(0, ...ends);
  let price = { fp: start.fp, fn: start.fn };
  let cost = costs(curve, price.fp, price.fn);

  const up = shares(plus, ends);
  const down = shares(minus, ends);
  const tall = 1.08 * Math.max(...up, ...down);
  const room = roomFor(el, 760);
  const narrow = room < 600;
  const wide = plane(root, { view: [...ends, -tall, tall], width: room, height: narrow ? 170 : 250, x: "score", y: "share of each class", label: "Histograms of the scores, with the threshold to drag" });
  const below = add(root, "div", { class: "row" });
  const length = narrow ? Math.floor((room - 14) / 2) : 240;
  const small = { width: length, height: narrow ? 150 : 240, basis: length };
  const roc = plane(below, { view: [0, 1, 0, 1], x: "FPR", y: "TPR", label: "ROC curve", ...small });
  const pr = plane(below, { view: [0, 1, 0, 1], x: "recall", y: "precision", label: "Precision and recall", ...small });
  const money = plane(below, { view: [...ends, 0, 1], x: "threshold", y: "mean cost", label: "Cost at every threshold", ...small });
  const tools = add(root, "div");
  const price_of = (name, key) => {
    const shown = range(tools, name, { min: 1, max: 20, step: 1, value: price[key] }, (v) => ((price = { ...price, [key]: v }), again()));
    return [shown, add(shown.parentNode, "span")];
  };
  const sliders = { fn: price_of("a miss costs", "fn"), fp: price_of("a false alarm costs", "fp") };
  button(tools, "Cheapest threshold", "Put the threshold where the mean cost is lowest", () => go(Math.min(thresholds[cost.best], ends[1])));
  button(tools, "Reset", "Back to the first threshold and prices", () => {
    price = { fp: start.fp, fn: start.fn };
    t = clamp(0, ...ends);
    again();
  });
  const table = add(below, "table");
  const say = speaker(root);

  const handle = draw(wide.front, "g", { role: "slider", "aria-label": "threshold", "aria-valuemin": ends[0].toFixed(3), "aria-valuemax": ends[1].toFixed(3), "aria-orientation": "horizontal" });
  const { edge, inner } = wide;
  draw(handle, "rect", { x: -16, y: edge.top, width: 32, height: inner.height, fill: "transparent" });
  draw(handle, "line", { y1: edge.top, y2: edge.top + inner.height, stroke: "var(--ink)", "stroke-width": 3 });
  draw(handle, "circle", { cy: edge.top + 12, r: 9, fill: "#e69f00", stroke: "var(--ink)", "stroke-width": 2 });
  draw(handle, "circle", { cy: edge.top + 12, r: 14, class: "focus" });
  movable(wide, handle, { at: () => [t, 0], put: ([place]) => go(place), ways: ALONG });

  function go(place) {
    t = clamp(place, ...ends);
    redraw();
  }

  function again() {
    cost = costs(curve, price.fp, price.fn);
    money.show([...ends, 0, 1.05 * Math.max(...cost.values)]);
    for (const [key, [slider, text]] of Object.entries(sliders)) {
      slider.value = price[key];
      text.textContent = ` ${price[key]}`;
    }
    redraw();
  }

  function bars(heights, way, colour) {
    const step = (ends[1] - ends[0]) / BINS;
    heights.forEach((h, k) => {
      const [left, right] = [ends[0] + k * step, ends[0] + (k + 1) * step];
      const [a, b] = wide.pixel([left, Math.max(way * h, 0)]);
      const [c, d] = wide.pixel([right, Math.min(way * h, 0)]);
      draw(wide.behind, "rect", { x: a, y: b, width: c - a, height: d - b, fill: colour, stroke: "var(--paper)", "fill-opacity": left + step / 2 >= t ? 1 : 0.35 });
    });
  }

  function redraw() {
    const k = placeOf(curve, t);
    const c = { TP: TP[k], FP: FP[k], FN: P - TP[k], TN: N - FP[k] };
    for (const it of [wide, roc, pr, money]) it.clear();
    bars(up, 1, "var(--plus)");
    bars(down, -1, "var(--minus)");
    const away = wide.pixel([t, 0])[0] < edge.left + inner.width / 3; // the names keep clear of the handle
    const side = { x: away ? edge.left + inner.width - 6 : edge.left + 6, "text-anchor": away ? "end" : "start" };
    draw(wide.behind, "text", { ...side, y: edge.top + 16 }, `\u2191 ${namePlus}`);
    draw(wide.behind, "text", { ...side, y: edge.top + inner.height - 8 }, `\u2193 ${nameMinus}`);
    handle.setAttribute("transform", `translate(${wide.pixel([t, 0])[0]})`);
    const late = wide.pixel([t, 0])[0] > wide.width - 60;
    draw(wide.top, "text", { class: "name", x: wide.pixel([t, 0])[0] + (late ? -14 : 14), y: edge.top + 17, "text-anchor": late ? "end" : "start" }, number(t));
    handle.setAttribute("aria-valuenow", t.toFixed(3));
    handle.setAttribute("aria-valuetext", `${number(t)}: ${c.FP} false alarms, ${c.FN} misses`);

    const blue = { stroke: "var(--plus)" };
    const [x, y] = [c.FP / N, c.TP / P];
    const slope = (price.fp * N) / (price.fn * P); // points of equal cost lie on a line of this slope
    segment(roc, [x - 2, y - 2 * slope], [x + 2, y + 2 * slope], { stroke: "var(--soft)", "stroke-dasharray": "5 4", "stroke-width": 1.5 });
    path(roc, FP.map((v, j) => [v / N, TP[j] / P]), blue);
    spot(roc, [FP[cost.best] / N, TP[cost.best] / P], { fill: "none" });
    spot(roc, [x, y]);
    [["now", "#e69f00"], ["cheapest", "none"]].forEach(([text, fill], k) => {
      const [left, down] = [roc.width - 78, roc.height - roc.edge.bottom - 10 - 18 * k];
      draw(roc.over, "circle", { cx: left, cy: down - 4, r: 5, fill, stroke: "var(--ink)", "stroke-width": 2 });
      draw(roc.over, "text", { class: "name", x: left + 9, y: down }, text);
    });
    path(pr, TP.slice(1).map((v, j) => [v / P, v / (v + FP[j + 1])]), blue);
    if (k) spot(pr, [y, c.TP / (c.TP + c.FP)]);
    const upTo = (j) => thresholds[j] ?? ends[0]; // between two scores the cost is that of the higher one
    path(money, cost.values.flatMap((v, j) => [[Math.min(thresholds[j], ends[1]), v], [upTo(j + 1), v]]), blue);
    spot(money, [Math.min(thresholds[cost.best], ends[1]), cost.values[cost.best]], { fill: "none" });
    spot(money, [t, cost.values[k]]);
    fill(c);
    const best = cost.best ? `at ${number(thresholds[cost.best])}` : "by never saying it";
    say(`Threshold ${number(t)}: TPR ${ratio(c.TP, P)}, FPR ${ratio(c.FP, N)}, precision ${ratio(c.TP, c.TP + c.FP)}. ` +
      `Mean cost ${cost.values[k].toFixed(3)}; the lowest is ${cost.values[cost.best].toFixed(3)}, ${best}. ` +
      `Area under the ROC curve ${area(curve).toFixed(3)}, average precision ${averagePrecision(curve).toFixed(3)}.`);
  }

  function fill(c) {
    const rows = [["predicted", `true: ${nameMinus}`, `true: ${namePlus}`], [nameMinus, `TN ${c.TN}`, `FN ${c.FN}`], [namePlus, `FP ${c.FP}`, `TP ${c.TP}`]];
    table.replaceChildren();
    rows.forEach((row, r) => {
      const line = add(table, "tr");
      row.forEach((text, j) => add(line, r && j ? "td" : "th", r && j ? {} : { scope: r ? "row" : "col" }, text));
    });
  }

  again();
}

export default { mount, render: ({ model, el }) => mount(el, model.get("start")) };
