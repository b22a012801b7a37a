// The article of a page for a book: formulas as MathML, folds as they stand on paper, nothing that needs a script.
async () => {
  dispatchEvent(new Event("beforeprint"));
  const article = document.querySelector(".bd-article").cloneNode(true);
  dispatchEvent(new Event("afterprint"));
  const all = (what) => [...article.querySelectorAll(what)];
  const made = (tag, words, name = "") => Object.assign(document.createElement(tag), { textContent: words, className: name });

  for (const it of all("mjx-container")) {
    const formula = it.querySelector("mjx-assistive-mml math");
    if (!formula) continue;
    formula.removeAttribute("data-latex");
    formula.setAttribute("display", it.getAttribute("display") === "true" ? "block" : "inline");
    it.replaceWith(formula);
  }
  for (const it of all(".exhibit-here")) {
    const words = it.querySelector("[role=status]")?.textContent ?? it.textContent;
    it.replaceWith(made("p", `To move by hand, on the page of the site: ${it.querySelector("[role=group]")?.getAttribute("aria-label") ?? "an exhibit"}. ${words}`, "exhibit"));
  }
  all("dfn.term").forEach((it) => (it.querySelector(".tip")?.remove(), it.replaceWith(...it.childNodes)));
  // what only draws: its figure is there; what paper cannot open
  all("details.above-input, details.help:not([open])").forEach((it) => it.remove());
  const gone = "script, style, .headerlink, .run-here, .slides-here, .where, .copybtn, button, .score, .still, .claims-here, summary:is(.hide > *), .ways-in";
  all(gone).forEach((it) => it.remove());
  all("details.option > :not(summary)").forEach((it) => it.remove()); // what is right stands at the end
  for (const it of all("details")) {
    const title = it.querySelector(":scope > summary");
    const block = made("div", "", `fold ${it.className}`);
    if (title) {
      const line = made("p", "", "fold-title");
      line.append(...title.childNodes);
      title.replaceWith(line);
    }
    block.append(...it.childNodes);
    it.replaceWith(block);
  }
  for (const it of all("summary")) it.replaceWith(Object.assign(document.createElement("p"), { innerHTML: it.innerHTML }));
  const pictures = {};
  for (const it of all("img")) {
    const name = `picture-${it.src.split("/").pop()}`;
    pictures[name] = it.src;
    it.setAttribute("src", name);
    for (const more of ["srcset", "loading", "style"]) it.removeAttribute(more);
  }
  for (const it of all("a[href]")) it.setAttribute("href", it.href);
  for (const it of all("*")) for (const { name } of [...it.attributes]) if (/^(on|data-|aria-|tabindex|role$)/.test(name)) it.removeAttribute(name);
  const body = new XMLSerializer().serializeToString(article);
  return { body, pictures };
};
