// What more than one exhibit computes; the tests hold it against the library.
import { dot } from "./exhibit.js";

export const PASSES = 1000;

/** Run the perceptron until a pass is clean; a score of 0 is a mistake. */
export function perceptron(points, labels, passes = PASSES) {
  let w = [0, 0];
  const mistakes = [];
  const weights = [w];
  for (let pass = 1; pass <= passes; pass++) {
    let clean = true;
    for (let i = 0; i < points.length; i++) {
      const score = labels[i] * dot(w, points[i]);
      if (score > 0) continue;
      clean = false;
      w = w.map((v, j) => v + labels[i] * points[i][j]);
      mistakes.push({ i, pass, score });
      weights.push(w);
    }
    if (clean) return { mistakes, weights, passes: pass, converged: true };
  }
  return { mistakes, weights, passes, converged: false };
}

/** Say whether a line through the origin separates: all y x within less than half a turn. */
export function separable(points, labels) {
  const signed = points.map((x, i) => x.map((v) => labels[i] * v));
  if (signed.some(([a, b]) => a === 0 && b === 0)) return false;
  const inOrder = signed.sort((a, b) => Math.atan2(a[1], a[0]) - Math.atan2(b[1], b[0]));
  const after = (k) => inOrder[(k + 1) % inOrder.length];
  const cross = (a, b) => a[0] * b[1] - a[1] * b[0];
  // a gap of more than half a turn after some vector; all on one ray: no gap is needed
  if (inOrder.every((v) => cross(inOrder[0], v) === 0 && dot(inOrder[0], v) > 0)) return true;
  return inOrder.some((v, k) => cross(v, after(k)) < 0);
}

/** The unit vector u of largest margin min y u·x through the origin, in the plane, and the margin.
 *
 * It lies on one of the y x, or at right angles to the difference of two: all of these are tried.
 */
export function widest(points, labels) {
  const signed = points.map((x, i) => x.map((v) => labels[i] * v));
  let best = { u: [1, 0], gamma: -Infinity };
  const consider = (a, b) => {
    const norm = Math.hypot(a, b);
    if (norm === 0) return;
    const u = [a / norm, b / norm];
    const gamma = Math.min(...signed.map((z) => dot(u, z)));
    if (gamma > best.gamma) best = { u, gamma };
  };
  signed.forEach((z, i) => {
    consider(...z);
    for (const other of signed.slice(0, i)) {
      const [a, b] = [z[1] - other[1], other[0] - z[0]];
      consider(a, b);
      consider(-a, -b);
    }
  });
  return best;
}

/** What a choice of alpha says: w, the best b for it, slacks, primal and dual value, gap. */
export function machine(points, labels, C, alpha) {
  const w = points[0].map((_, c) => points.reduce((sum, x, i) => sum + alpha[i] * labels[i] * x[c], 0));
  return { w, ...judged(points.map((x) => dot(w, x)), dot(w, w) / 2, labels, C, alpha) };
}

/** The same of a machine with Gram matrix K: f without b at each example stands for w. */
export function kernelMachine(K, labels, C, alpha) {
  const signed = alpha.map((a, i) => a * labels[i]);
  const f = K.map((row) => dot(row, signed));
  return { f, ...judged(f, dot(signed, f) / 2, labels, C, alpha) };
}

/** The best b for scores f and half the squared norm of w, slacks, primal and dual value, gap. */
function judged(f, half, labels, C, alpha) {
  const slacks = (b) => f.map((v, i) => Math.max(0, 1 - labels[i] * (v + b)));
  const total = (b) => slacks(b).reduce((sum, v) => sum + v, 0);
  const places = f.map((v, i) => labels[i] - v); // where the sum of slacks bends
  const costs = places.map(total);
  const least = Math.min(...costs);
  const best = places.filter((_, i) => costs[i] <= least + 1e-12 * (1 + least));
  const b = (Math.min(...best) + Math.max(...best)) / 2; // the least is reached on an interval
  const primal = half + C * total(b);
  const dual = alpha.reduce((sum, v) => sum + v, 0) - half;
  return { b, xi: slacks(b), primal, dual, gap: primal - dual };
}

/** The pair of largest violation: i may rise, j may fall, measured along y alpha; null if none. */
export function worstPair(points, labels, C, alpha, tol = 1e-10) {
  const w = points[0].map((_, c) => points.reduce((sum, x, i) => sum + alpha[i] * labels[i] * x[c], 0));
  let [i, j, up, low] = [-1, -1, -Infinity, Infinity];
  points.forEach((x, k) => {
    const error = labels[k] - dot(w, x);
    const [mayRise, mayFall] = labels[k] > 0 ? [alpha[k] < C, alpha[k] > 0] : [alpha[k] > 0, alpha[k] < C];
    if (mayRise && error > up) [i, up] = [k, error];
    if (mayFall && error < low) [j, low] = [k, error];
  });
  return up - low > tol ? [i, j] : null;
}

/** Move two alphas, keeping sum alpha y, to the best place in their box. */
export function moveTwo(points, labels, C, alpha, i, j) {
  const w = points[0].map((_, c) => points.reduce((sum, x, k) => sum + alpha[k] * labels[k] * x[c], 0));
  const apart = points[i].map((v, c) => v - points[j][c]);
  const slope = labels[i] - labels[j] - dot(w, apart);
  const bend = dot(apart, apart);
  const room = (k, way) => (way > 0 ? C - alpha[k] : alpha[k]);
  // alpha_i moves by y_i t and alpha_j by -y_j t
  const most = Math.min(room(i, labels[i]), room(j, -labels[j]));
  const least = -Math.min(room(i, -labels[i]), room(j, labels[j]));
  const wanted = bend > 0 ? slope / bend : slope > 0 ? Infinity : slope < 0 ? -Infinity : 0;
  const t = Math.min(Math.max(wanted, least), most);
  const moved = [...alpha];
  const put = (k, by) => (moved[k] = Math.min(Math.max(alpha[k] + by, 0), C));
  put(i, labels[i] * t);
  put(j, -labels[j] * t);
  return moved;
}

/** The alpha of the soft-margin machine, by SMO from 0 or from where one is. */
export function smo(points, labels, C, alpha = points.map(() => 0), steps = 20000) {
  for (let step = 0; step < steps; step++) {
    const pair = worstPair(points, labels, C, alpha);
    if (!pair) break;
    alpha = moveTwo(points, labels, C, alpha, ...pair);
  }
  return alpha;
}

/** The alpha of the machine with Gram matrix K, by SMO: of the pairs with the worst i, the one that gains most. */
export function kernelSmo(K, labels, C, start = labels.map(() => 0), { tol = 1e-9, steps = 50000 } = {}) {
  const alpha = [...start];
  const error = labels.map((y, k) => y - alpha.reduce((sum, a, i) => sum + a * labels[i] * K[i][k], 0));
  const mayRise = (k) => (labels[k] > 0 ? alpha[k] < C : alpha[k] > 0);
  const mayFall = (k) => (labels[k] > 0 ? alpha[k] > 0 : alpha[k] < C);
  const bend = (i, j) => Math.max(K[i][i] + K[j][j] - 2 * K[i][j], 1e-12);
  for (let step = 0; step < steps; step++) {
    let [i, j, low, gain] = [-1, -1, Infinity, 0];
    error.forEach((e, k) => mayRise(k) && (i < 0 || e > error[i]) && (i = k));
    if (i < 0) break;
    error.forEach((e, k) => {
      if (!mayFall(k)) return;
      low = Math.min(low, e);
      const apart = error[i] - e;
      if (apart > 0 && apart ** 2 / bend(i, k) > gain) [j, gain] = [k, apart ** 2 / bend(i, k)];
    });
    if (j < 0 || error[i] - low <= tol) break;
    const room = (k, way) => (way > 0 ? C - alpha[k] : alpha[k]);
    const t = Math.min((error[i] - error[j]) / bend(i, j), room(i, labels[i]), room(j, -labels[j]));
    const put = (k, by) => (alpha[k] = Math.min(Math.max(alpha[k] + by, 0), C));
    put(i, labels[i] * t);
    put(j, -labels[j] * t);
    error.forEach((_, k) => (error[k] -= t * (K[i][k] - K[j][k])));
  }
  return alpha;
}

/** Eigenvalues of a symmetric matrix, the least first, and their unit vectors, by Jacobi's rotations. */
export function eigen(K) {
  const n = K.length;
  const A = K.map((row) => [...row]);
  const V = K.map((_, i) => K.map((_, j) => Number(i === j)));
  const size = Math.max(...A.flat().map(Math.abs), 1e-300);
  for (let sweep = 0; sweep < 60; sweep++) {
    let left = 0;
    for (let p = 0; p < n; p++)
      for (let q = p + 1; q < n; q++) {
        left = Math.max(left, Math.abs(A[p][q]));
        if (Math.abs(A[p][q]) <= 1e-18 * size) continue;
        const theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
        const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.hypot(theta, 1));
        const c = 1 / Math.hypot(t, 1);
        const turn = (rows) => rows.forEach((row) => ([row[p], row[q]] = [c * (row[p] - t * row[q]), c * (row[q] + t * row[p])]));
        turn(A);
        [A[p], A[q]] = [A[p].map((v, k) => c * (v - t * A[q][k])), A[q].map((v, k) => c * (v + t * A[p][k]))];
        turn(V);
      }
    if (left <= 1e-15 * size) break;
  }
  const inOrder = A.map((row, k) => k).sort((a, b) => A[a][a] - A[b][b]);
  return { values: inOrder.map((k) => A[k][k]), vectors: inOrder.map((k) => V.map((row) => row[k])) };
}

// --- two classes in the plane, exactly -----------------------------------------------------------

export const TINY = 1e-9; // what rounding leaves of 0, for points of the size of 1
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

export const which = (list, test) => list.map((v, i) => (test(v) ? i : -1)).filter((i) => i >= 0);
const ON_THE_EDGE = 1e-6; // in units of the street's half-width

/** The hard margin: the line between the nearest points of the two hulls, or a point of both. */
export function hard(points, labels) {
  const { w: unit, b, gamma } = line(points, labels);
  const met = gamma > TINY ? null : mixture(points, labels);
  if (met) return { cross: met.point, weights: met.weights, rings: which(met.weights, (v) => v > TINY) };
  if (gamma <= TINY) return { touching: true, w: [0, 0], rings: [] }; // too near for either proof
  const w = unit.map((v) => v / gamma);
  const margins = points.map((x, i) => labels[i] * (dot(w, x) + b / gamma));
  const rings = which(margins, (m) => m < 1 + ON_THE_EDGE);
  return { w, b: b / gamma, xi: points.map(() => 0), gap: 0, primal: dot(w, w) / 2, rings, ...nearest(points, labels, unit, rings) };
}

/** The proof that no street is wider: convex weights of each class that make two places just one street apart.
 *
 * Any street keeps every average of a class on its own side, so it is at most as wide as two such averages are apart.
 * The points on the edges of the widest street lie on two parallel lines; where both classes reach as far along them,
 * two averages face each other.
 */
function nearest(points, labels, unit, rings) {
  const along = (i) => points[i][1] * unit[0] - points[i][0] * unit[1];
  const ends = [1, -1].map((y) => rings.filter((i) => labels[i] === y).sort((i, j) => along(i) - along(j)));
  if (ends.some((side) => side.length === 0)) return {};
  const low = Math.max(...ends.map((side) => along(side[0])));
  const high = Math.min(...ends.map((side) => along(side.at(-1))));
  const meet = (low + high) / 2;
  const weights = points.map(() => 0);
  const places = ends.map((side) => {
    const [first, last] = [side[0], side.at(-1)];
    const length = along(last) - along(first);
    const share = length > 0 ? Math.min(Math.max((meet - along(first)) / length, 0), 1) : 1;
    weights[first] += 1 - share;
    weights[last] += share;
    return [0, 1].map((c) => weights[first] * points[first][c] + (first === last ? 0 : weights[last] * points[last][c]));
  });
  return { weights, places };
}

/** The average of some points that is nearest to a place, with its convex weights: of at most three of them. */
export function average(points, members, place) {
  const made = (corners, shares) => {
    const weights = points.map(() => 0);
    corners.forEach((i, k) => (weights[i] += shares[k]));
    return { weights, place: [0, 1].map((c) => corners.reduce((sum, i, k) => sum + shares[k] * points[i][c], 0)) };
  };
  const around = subsets(members, 3).map((corners) => [corners, within(place, corners.map((i) => points[i]))]).find(([, shares]) => shares);
  if (around) return made(...around);
  let best = { far: Infinity };
  for (const i of members)
    for (const j of members) {
      const along = minus(points[j], points[i]);
      const t = Math.min(Math.max(dot(minus(place, points[i]), along) / dot(along, along) || 0, 0), 1);
      const found = made([i, j], [1 - t, t]);
      const far = Math.hypot(...minus(place, found.place));
      if (far < best.far) best = { ...found, far };
    }
  return best;
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

/** The corners of the hull of points in the plane, in order around it; a flat one has two. */
export function hull(points) {
  const inOrder = [...points].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  const chain = (list) => list.reduce((kept, p) => {
    while (kept.length > 1 && cross(minus(kept.at(-1), kept.at(-2)), minus(p, kept.at(-2))) <= 0) kept.pop();
    return [...kept, p];
  }, []);
  const [lower, upper] = [chain(inOrder), chain(inOrder.reverse())];
  return points.length < 2 ? inOrder : [...lower.slice(0, -1), ...upper.slice(0, -1)];
}
