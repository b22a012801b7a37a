// Starts the slides, and makes letters smaller on the rare slide that would be too high.
const [WIDTH, HEIGHT, SMALLEST] = [1280, 720, 0.6];

/** Shrink what is too wide by itself; then the letters of a slide, step by step, until it fits. */
function fit(slide) {
  const body = slide?.querySelector(".body");
  if (!body) return;
  const low = () => Math.max(...[...body.children].map((it) => it.offsetTop + it.offsetHeight)); // not what is only spoken
  const fits = () => low() <= HEIGHT - 10 && body.scrollWidth <= body.clientWidth + 1 && inside(body);
  body.style.setProperty("--fit", 1);
  body.querySelectorAll(WIDE).forEach(narrow);
  for (let size = 1; size >= SMALLEST; size -= 0.04) {
    body.style.setProperty("--fit", size.toFixed(2));
    if (fits()) return;
  }
}

const WIDE = "pre, mjx-container[display=true]";

/** Make one formula, or one program, as small as its place asks for, but not too small to read. */
function narrow(it) {
  it.style.fontSize = "";
  const size = () => parseFloat(getComputedStyle(it).fontSize);
  const least = SMALLEST * size();
  // more than once: words below a brace do not shrink with their letters
  for (let k = 0; k < 3 && it.scrollWidth > it.clientWidth; k += 1) it.style.fontSize = `${Math.max(least, (0.99 * size() * it.clientWidth) / it.scrollWidth)}px`;
}

/** Say whether no line of code and no formula sticks out. */
const inside = (body) => [...body.querySelectorAll(`${WIDE}, table`)].every((it) => it.scrollWidth <= it.clientWidth + 1 && it.getBoundingClientRect().right <= body.getBoundingClientRect().right + 1);

window.MathJax = {
  startup: {
    pageReady: async () => {
      await MathJax.startup.defaultPageReady();
      await Reveal.initialize({ width: WIDTH, height: HEIGHT, margin: 0.04, hash: true, slideNumber: "c/t", center: false, controls: false, transition: "none", navigationMode: "linear", pdfSeparateFragments: false, plugins: [RevealNotes] });
      const current = () => fit(Reveal.getCurrentSlide());
      current();
      Reveal.on("slidechanged", current);
      if (Reveal.isPrintView()) document.querySelectorAll(".slides section:not(.stack)").forEach(fit); // ?view=print
      document.documentElement.dataset.ready = "true";
    },
  },
  svg: { fontCache: "global" },
  options: { enableMenu: false },
};
