// Words of the glossary and symbols explain themselves where they are first met: under the pointer, and by the Tab key.
(() => {
  const number = Number(location.pathname.match(/\/notebooks\/(\d\d)_/)?.[1] ?? NaN);
  if (Number.isNaN(number)) return;
  const terms = (window.lecturesTerms ?? []).filter((it) => it.from <= number && !it.notIn.includes(number));
  const OUT = "a, code, pre, summary, h1, h2, h3, h4, th, .math, .exhibit, .quiz, .where, dfn, script, style";
  let count = 0;

  /** Return the element that explains: what is read, and what comes up beside it. */
  function explained(inner, means) {
    const made = document.createElement("dfn");
    made.className = "term";
    made.tabIndex = 0;
    made.append(inner);
    const tip = document.createElement("span");
    tip.className = "tip";
    tip.id = `term-${(count += 1)}`;
    tip.setAttribute("role", "tooltip");
    tip.innerHTML = means; // from NOTATION.md, when the site was built
    made.setAttribute("aria-describedby", tip.id);
    made.append(tip);
    made.addEventListener("keydown", (event) => event.key === "Escape" && made.blur());
    for (const kind of ["mouseenter", "focus"]) made.addEventListener(kind, () => place(made, tip));
    return made;
  }

  /** Put what comes up below its word, or above it where there is no room; never beyond an edge of the window. */
  function place(word, tip) {
    const at = word.getBoundingClientRect();
    const wide = document.documentElement.clientWidth;
    const below = at.bottom + 4 + tip.offsetHeight < innerHeight;
    tip.style.left = `${Math.max(8, Math.min(at.left, wide - tip.offsetWidth - 8))}px`;
    tip.style.top = `${below ? at.bottom + 4 : Math.max(8, at.top - tip.offsetHeight - 4)}px`;
  }

  function words(article) {
    const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT, (node) => (node.parentElement.closest(OUT) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT));
    const nodes = [];
    while (walker.nextNode()) if (walker.currentNode.data.trim()) nodes.push(walker.currentNode);
    for (const { word, means } of terms.filter((it) => it.word)) {
      const pattern = new RegExp(`\\b${word}s?\\b`, "i");
      for (const [k, node] of nodes.entries()) {
        const found = node.data.match(pattern);
        if (!found) continue;
        const rest = node.splitText(found.index);
        const after = rest.splitText(found[0].length);
        rest.replaceWith(explained(document.createTextNode(found[0]), means));
        nodes.splice(k, 1, node, after);
        break;
      }
    }
  }

  /** Explain the first formula that is one symbol alone; MathJax knows what each was written as. */
  function symbols(article) {
    const set = [...MathJax.startup.document.math].filter((it) => article.contains(it.typesetRoot) && !it.typesetRoot.closest("a, summary, h1, h2, h3, h4, .quiz, dfn"));
    for (const { formula, means } of terms.filter((it) => it.formula)) {
      const first = set.find((it) => it.math.trim() === formula)?.typesetRoot;
      if (!first) continue;
      const place = document.createComment("");
      first.replaceWith(place);
      place.replaceWith(explained(first, means));
    }
  }

  const article = () => document.querySelector(".bd-article");
  document.addEventListener("DOMContentLoaded", () => article() && words(article()));
  window.addEventListener("load", async () => {
    if (!article() || !window.MathJax?.startup?.promise) return;
    await MathJax.startup.promise;
    symbols(article());
    await MathJax.typesetPromise([...document.querySelectorAll(".tip")]);
    document.documentElement.dataset.terms = "ready";
  });
})();
