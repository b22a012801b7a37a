// Draws what Python sends (`drawn`) and reports where a point was put (`points`).
// The only arithmetic here turns places into pixels and back.
const SIZE = 460;

function make(parent, tag, attributes = {}) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  parent.append(node);
  return node;
}

function render({ model, el }) {
  const [left, right, bottom, top] = model.get("view");
  const scale = SIZE / (right - left);
  const pixel = ([x, y]) => [(x - left) * scale, (top - y) * scale];
  const clamp = (v, low, high) => Math.min(Math.max(v, low), high);

  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [name, value] of Object.entries({
    viewBox: `0 0 ${SIZE} ${SIZE}`,
    role: "group",
    "aria-label": "Points in the plane. Tab to a point, move it with the arrow keys.",
    "data-lm-suppress-shortcuts": "true", // arrow keys move the point, not the notebook
    style: `width: 100%; max-width: ${SIZE}px; background: white; border: 1px solid #999; touch-action: none;`,
  })) svg.setAttribute(name, value);
  const behind = make(svg, "g", { "pointer-events": "none" });
  const words = document.createElement("p");
  words.setAttribute("role", "status");
  words.style.margin = "4px 0";
  const reset = document.createElement("button");
  reset.textContent = "Reset";
  reset.title = "Put every point back where it was";
  reset.onclick = () => put(model.get("start"));
  el.append(svg, words, reset);

  function put(points) {
    model.set("points", points);
    model.save_changes();
  }

  function place(i, x, y) {
    const points = model.get("points").map((p) => [...p]);
    points[i] = [clamp(x, left, right), clamp(y, bottom, top)];
    put(points);
  }

  const nodes = model.get("labels").map((label, i) => {
    const node = make(svg, "g", { tabindex: 0, role: "button", "aria-roledescription": "movable point" });
    node.style.cssText = "cursor: grab; outline: none;";
    const fill = { fill: model.get("colours")[label > 0 ? 0 : 1], stroke: "white" };
    make(node, "circle", { r: 18, fill: "transparent" }); // a target large enough for a finger
    const ring = make(node, "circle", { r: 11, fill: "none", stroke: "black", "stroke-width": 2 });
    if (label > 0) make(node, "circle", { r: 6.5, ...fill });
    else make(node, "rect", { x: -6, y: -6, width: 12, height: 12, ...fill });
    const focus = make(node, "circle", {
      r: 16, fill: "none", stroke: "black", "stroke-dasharray": "3 3", visibility: "hidden",
    });
    node.onfocus = () => focus.setAttribute("visibility", "visible");
    node.onblur = () => focus.setAttribute("visibility", "hidden");
    node.onpointerdown = (event) => {
      event.preventDefault(); // no selecting of text while dragging
      node.focus({ preventScroll: true });
      node.setPointerCapture(event.pointerId);
    };
    node.onpointermove = (event) => {
      if (!node.hasPointerCapture(event.pointerId)) return;
      const box = svg.getBoundingClientRect();
      const across = (event.clientX - box.left) / box.width;
      const down = (event.clientY - box.top) / box.height;
      place(i, left + across * (right - left), top - down * (top - bottom));
    };
    node.onkeydown = (event) => {
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
      if (!way) return;
      event.preventDefault();
      event.stopPropagation();
      const step = ((right - left) / 100) * (event.shiftKey ? 5 : 1);
      const [x, y] = model.get("points")[i];
      place(i, x + way[0] * step, y + way[1] * step);
    };
    return { node, ring, sign: label > 0 ? "+1" : "−1" };
  });

  function movePoints() {
    model.get("points").forEach((point, i) => {
      const [x, y] = pixel(point);
      nodes[i].node.setAttribute("transform", `translate(${x}, ${y})`);
    });
    nameThem();
  }

  function nameThem() {
    const rings = new Set(model.get("drawn").rings);
    model.get("points").forEach(([x, y], i) => {
      const support = rings.has(i) ? ", ringed" : "";
      const at = `(${x.toFixed(2)}, ${y.toFixed(2)})`;
      nodes[i].node.setAttribute("aria-label", `Point ${i + 1}, y = ${nodes[i].sign}, at ${at}${support}`);
      nodes[i].ring.setAttribute("visibility", rings.has(i) ? "visible" : "hidden");
    });
  }

  function line([x1, y1, x2, y2], look) {
    const [[a, b], [c, d]] = [pixel([x1, y1]), pixel([x2, y2])];
    make(behind, "line", { x1: a, y1: b, x2: c, y2: d, stroke: "black", ...look });
  }

  function drawStreet() {
    const drawn = model.get("drawn");
    behind.replaceChildren();
    drawn.hulls.forEach((corners, i) =>
      make(behind, "polygon", {
        points: corners.map(pixel).join(" "),
        fill: model.get("colours")[i], "fill-opacity": 0.2, stroke: model.get("colours")[i],
      }));
    drawn.lines.forEach((ends, i) =>
      line(ends, i ? { "stroke-width": 1.3, "stroke-dasharray": "2 4" } : { "stroke-width": 2.2 }));
    drawn.slacks.forEach((ends) => line(ends, { stroke: "#666666", "stroke-width": 1.8 }));
    if (drawn.cross.length) {
      const [x, y] = pixel(drawn.cross);
      make(behind, "path", { d: `M${x - 9},${y - 9}l18,18m0,-18l-18,18`, stroke: "black", "stroke-width": 4 });
    }
    words.textContent = drawn.words;
    nameThem();
  }

  model.on("change:points", movePoints);
  model.on("change:drawn", drawStreet);
  movePoints();
  drawStreet();
  return () => {
    model.off("change:points", movePoints);
    model.off("change:drawn", drawStreet);
  };
}

export default { render };
