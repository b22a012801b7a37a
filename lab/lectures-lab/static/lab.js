// JupyterLab drops the alternative text of a picture: this draws image/png as JupyterLab does, with it.
// And it draws a stored exhibit, alive, before any cell has run: its script needs no Python.
// And above every notebook of the course it shows which exercises are solved, as solved_exercises.txt beside it says.
(() => {
  let Widget;
  const scripts = new URL("exhibits/", document.currentScript.src);

  // A folded output shows its first line: that would be the answer to "Predict, then run."
  const style = document.createElement("style");
  style.textContent = `.jp-OutputPlaceholder .jp-PlaceholderText { display: none; }
    .lectures-bar { overflow: auto; display: flex; flex-wrap: wrap; gap: 2px 18px; padding: 4px 12px; font-size: var(--jp-ui-font-size1); color: var(--jp-ui-font-color1);
      background: var(--jp-layout-color1); border-bottom: 1px solid var(--jp-border-color2); }
    .lectures-bar button { font: inherit; color: var(--jp-content-link-color); background: none; border: 0; padding: 0; text-decoration: underline; cursor: pointer; }`;

  function createRenderer() {
    const widget = new Widget();
    widget.addClass("jp-RenderedImage");
    widget.renderModel = async (model) => {
      const metadata = model.metadata["image/png"] || {};
      const picture = document.createElement("img");
      picture.src = `data:image/png;base64,${model.data["image/png"]}`;
      picture.alt = metadata.alt || "";
      for (const side of ["width", "height"]) {
        if (typeof metadata[side] === "number") picture[side] = metadata[side];
      }
      if (metadata.needs_background === "light") picture.classList.add("jp-needs-light-background");
      if (metadata.needs_background === "dark") picture.classList.add("jp-needs-dark-background");
      if (metadata.unconfined === true) picture.classList.add("jp-mod-unconfined");
      widget.node.replaceChildren(picture);
    };
    return widget;
  }

  function createExhibit() {
    const widget = new Widget();
    widget.renderModel = async (model) => {
      const { kind, start, words } = model.data[EXHIBIT];
      try {
        const { default: piece } = await import(new URL(`${kind}.js`, scripts));
        piece.mount(widget.node, structuredClone(start));
      } catch {
        widget.node.textContent = words; // the script is not here: its words are
      }
    };
    return widget;
  }

  // --- where a reader stands ---------------------------------------------------------------------
  const FILE = "solved_exercises.txt";
  const CHECK = /exercises\.check\(\s*"([\w ]+)"/g;
  const NOTEBOOK = /(^|\/)\d\d_[^/]+\.ipynb$/;
  const boxes = (names, solved) => names.map((it) => (solved.has(it) ? "■" : "□")).join("");

  /** Return the exercises of the course, notebook by notebook: {"02_perceptron": ["update", ...]}. */
  async function posed() {
    try {
      return await (await fetch(new URL("../exercises.json", scripts))).json();
    } catch {
      return {}; // not set up by the course: a notebook still knows its own
    }
  }

  /** Return what is solved, and what is wrong with the file; nothing is asked for that is not there. */
  async function remembered(contents, folder, known) {
    try {
      const there = (await contents.get(folder, { content: true })).content.find((it) => it.name === FILE);
      if (!there) return [new Set(), ""];
      const text = (await contents.get(there.path, { type: "file", format: "text", content: true })).content;
      const lines = text.split("\n").map((it) => it.trim()).filter((it) => it && !it.startsWith("#"));
      const odd = lines.filter((it) => !known.has(it)).length;
      return [new Set(lines), odd && known.size ? `${odd} ${odd === 1 ? "line" : "lines"} of ${FILE} passed over: no exercise has that name.` : ""];
    } catch {
      return [new Set(), `${FILE} cannot be read: nothing is remembered.`];
    }
  }

  function button(words, act) {
    const made = document.createElement("button");
    made.textContent = words;
    made.addEventListener("click", act);
    return made;
  }

  /** Draw the bar of one notebook anew. */
  async function draw(app, panel, context, node) {
    const [folder, name] = [context.path.split("/").slice(0, -1).join("/"), context.path.split("/").pop().slice(0, -6)];
    const cells = context.model.toJSON().cells;
    const own = cells.map((cell) => [...[cell.source].flat().join("").matchAll(CHECK)].map((it) => it[1]));
    const course = { ...(await posed()), [name]: [...new Set(own.flat())] };
    const all = [...new Set(Object.values(course).flat())]; // a copy of a notebook poses nothing new
    const [solved, note] = await remembered(app.serviceManager.contents, folder, new Set(all));
    const here = course[name];
    const line = document.createElement("span");
    const left = here.filter((it) => !solved.has(it));
    line.textContent = here.length ? `Exercises here: ${boxes(here, solved)} ${here.length - left.length} of ${here.length}` : "";
    node.replaceChildren(...(here.length ? [line] : []));
    if (left.length) {
      const index = own.findIndex((names) => names.includes(left[0]));
      node.append(button(`Next: ${left[0]}`, () => ((panel.content.activeCellIndex = index), panel.content.scrollToItem(index, "center"))));
    }
    const count = all.filter((it) => solved.has(it)).length;
    const total = document.createElement("span");
    total.textContent = `The course: ${count} of ${all.length}`;
    node.append(total);
    const open = Object.keys(course).sort().filter((it) => course[it].some((one) => !solved.has(one)) && it !== name);
    const map = name.startsWith("00_") ? Object.keys(course).sort().filter((it) => course[it].length) : left.length ? [] : open.slice(0, 1);
    for (const it of map) {
      const path = folder ? `${folder}/${it}.ipynb` : `${it}.ipynb`;
      node.append(button(`${it.slice(0, 2)} ${boxes(course[it], solved)}`, () => app.commands.execute("docmanager:open", { path })));
    }
    if (note) node.append(Object.assign(document.createElement("span"), { textContent: note }));
    try {
      localStorage.setItem("lectures.solved", JSON.stringify([...solved])); // the pages of the site show it, too
    } catch {
      // not kept there: the file is
    }
  }

  /** Put a bar above a notebook of the course; it looks again whenever Python has run something. */
  function watch(app, panel, context) {
    if (!NOTEBOOK.test(context.path)) return;
    const bar = new Widget();
    bar.addClass("lectures-bar");
    bar.node.style.minHeight = /(^|\/)00_/.test(context.path) ? "56px" : "20px"; // a layout gives only what is asked for
    bar.node.setAttribute("role", "status");
    bar.node.setAttribute("aria-label", "Exercises solved");
    panel.contentHeader.addWidget(bar);
    let timer;
    const again = () => (clearTimeout(timer), (timer = setTimeout(() => bar.isDisposed || draw(app, panel, context, bar.node), 300)));
    context.ready.then(again);
    context.sessionContext.statusChanged.connect((_, status) => status === "idle" && again());
  }

  const progress = {
    id: "lectures-lab:progress",
    autoStart: true,
    activate: (app) =>
      app.docRegistry.addWidgetExtension("Notebook", {
        createNew: (panel, context) => (watch(app, panel, context), { isDisposed: false, dispose() {} }),
      }),
  };

  const EXHIBIT = "application/vnd.lectures.exhibit+json";
  const factory = (type, create) => ({ safe: true, mimeTypes: [type], createRenderer: create });
  const renderers = [
    { id: "lectures-lab:png", rank: 90, dataType: "string", rendererFactory: factory("image/png", createRenderer) },
    { id: "lectures-lab:exhibit", rank: 90, dataType: "json", rendererFactory: factory(EXHIBIT, createExhibit) },
  ];

  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB["lectures-lab"] = {
    async init(shared) {
      const [widgets] = Object.values(shared["@lumino/widgets"]);
      Widget = (await widgets.get())().Widget;
      document.head.append(style);
    },
    get: async (module) => () => ({ __esModule: true, default: module === "./extension" ? [progress] : renderers }),
  };
})();
