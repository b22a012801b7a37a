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
