// JupyterLab drops the alternative text of a picture: this draws image/png as JupyterLab does, with it.
// And it draws a stored exhibit, alive, before any cell has run: its script needs no Python.
(() => {
  let Widget;
  const scripts = new URL("exhibits/", document.currentScript.src);

  // A folded output shows its first line: that would be the answer to "Predict, then run."
  const style = document.createElement("style");
  style.textContent = ".jp-OutputPlaceholder .jp-PlaceholderText { display: none; }";

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
    get: async () => () => ({ __esModule: true, default: renderers }),
  };
})();
