// JupyterLab drops the alternative text of a picture. This draws image/png as JupyterLab does, with it.
(() => {
  let Widget;

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

  const rendererFactory = { safe: true, mimeTypes: ["image/png"], createRenderer };
  const renderer = { id: "lectures-lab:png", rank: 90, dataType: "string", rendererFactory };

  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB["lectures-lab"] = {
    async init(shared) {
      const [widgets] = Object.values(shared["@lumino/widgets"]);
      Widget = (await widgets.get())().Widget;
      document.head.append(style);
    },
    get: async () => () => ({ __esModule: true, default: renderer }),
  };
})();
