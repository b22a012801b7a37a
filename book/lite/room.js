// The waiting room of the course in the browser: what is being loaded, how far it is, what went wrong, the way back.
(() => {
  const root = new URL("../", document.currentScript.src.replace(/room\.js.*$/, "x/"));
  const path = new URLSearchParams(location.search).get("path") ?? "";
  const MEGA = 1e6;
  const LONGEST = 180; // seconds without a sign of Python: then a sentence says so
  const files = new Map(); // address -> [bytes so far, all its bytes]
  let room, failed = false, ready = false;

  // JupyterLite starts when this is settled: then every file goes through the worker that keeps it.
  const patience = new Promise((go) => setTimeout(go, 4000));
  window.lecturesControlled = Promise.race([controlled(), patience]).catch(() => {});

  /** Start the service worker of this build, under the address by which JupyterLite looks for it. */
  async function controlled() {
    const { serviceWorker } = navigator;
    if (!serviceWorker) return;
    const url = new URL("service-worker.js?enableCache=false", root).href;
    const wanted = await (await fetch(new URL("load.json", root))).json();
    localStorage.setItem(`${url}-version`, wanted.jupyterlite);
    const registration = await serviceWorker.register(url);
    await registration.update().catch(() => {}); // without a network the one that is here does
    const next = registration.installing ?? registration.waiting;
    if (next) await new Promise((go) => next.addEventListener("statechange", () => next.state === "activated" && go()));
    if (!serviceWorker.controller) await new Promise((go) => serviceWorker.addEventListener("controllerchange", go, { once: true }));
    for (const [name, bytes] of Object.entries(wanted.files)) files.set(new URL(name, root).href, [0, bytes]);
    serviceWorker.controller.postMessage({ load: [...files.keys()] });
    const before = performance.getEntriesByType("resource").map((it) => it.name).filter((it) => it.startsWith(root));
    for (const url of [location.pathname, ...before]) fetch(url); // loaded before the worker was there: kept, too
  }

  new BroadcastChannel("lectures-loading").addEventListener("message", ({ data }) => {
    if (data.failed) fail(`${data.failed} could not be loaded: ${data.why}.`);
    const file = files.get(data.url);
    if (file) {
      file[0] = data.bytes || file[1];
      show(data.url.split("/").pop().split("-")[0]);
    }
  });

  function show(name) {
    if (!room || failed || ready) return;
    const all = [...files.values()];
    const total = all.reduce((sum, [, size]) => sum + size, 0);
    const done = all.reduce((sum, [bytes, size]) => sum + Math.min(bytes, size), 0);
    const bar = room.querySelector("progress");
    const whole = total > 0 && done >= total;
    if (total) [bar.max, bar.value] = [total, done];
    if (whole) bar.removeAttribute("value");
    say(whole ? "All is here. Python unpacks it and starts; you can read on." : `Loading ${name}: ${(done / MEGA).toFixed(0)} of ${(total / MEGA).toFixed(0)} MB. You can read on.`);
  }

  function say(words) {
    const line = room.querySelector("#room-words");
    if (line.textContent !== words) line.textContent = words;
  }

  function fail(words) {
    if (failed || ready || !room) return;
    failed = true;
    room.querySelector("progress").hidden = true;
    room.querySelector("#room-words").setAttribute("role", "alert");
    say(`${words} The text can be read; nothing runs.`);
    const again = document.createElement("button");
    again.textContent = "Try again";
    again.addEventListener("click", () => location.reload());
    room.append(again);
  }

  const kernel = () => {
    const panel = window.jupyterapp?.shell?.currentWidget;
    return panel?.context?.isReady ? panel.sessionContext.session?.kernel : null;
  };

  /** Say when Python answers; until the notebook is drawn, show how it begins. */
  function watch() {
    const since = performance.now();
    const timer = setInterval(() => {
      if (document.querySelector(".jp-Notebook .jp-Cell")) document.querySelector("#room-text")?.remove();
      if (["idle", "busy"].includes(kernel()?.status)) {
        clearInterval(timer);
        ready = true;
        if (failed) return; // a part is missing: the sentence stays
        room.querySelector("progress").hidden = true;
        say("Python is ready. Run > Run All Cells, or Shift and Enter cell by cell.");
        setTimeout(() => room.classList.add("quiet"), 6000);
      } else if (kernel()?.status === "dead") fail("Python did not start.");
      else if (performance.now() - since > LONGEST * 1000) fail(`Python has not answered for ${LONGEST} seconds.`);
    }, 250);
  }

  /** Show the title of the notebook and what it promises, as plain words. */
  async function begin() {
    const page = document.querySelector("#room-text");
    try {
      const notebook = await (await fetch(new URL(`files/${path}`, root))).json();
      const lines = [notebook.cells[0].source].flat().join("").split("\n");
      const title = lines[0].replace(/^#+ /, "");
      name(title);
      page.querySelector("h1").textContent = title;
      const parts = lines.slice(1).join("\n").split(/\n\n|\n(?=- )/).map((it) => it.replaceAll("\n", " ").trim());
      const plain = parts.filter((it) => it && !/[$<[]/.test(it)); // no formula, no link
      for (const line of plain) page.append(Object.assign(document.createElement("p"), { textContent: line.replace(/[*`]/g, "").replace(/^- /, "· ") }));
    } catch {
      page.remove(); // a file of the reader's own, or none
    }
  }

  /** The tab has the notebook's name, whatever the application calls itself. */
  function name(title) {
    const wanted = `${title} · running`;
    const keep = () => document.title !== wanted && (document.title = wanted);
    keep();
    new MutationObserver(keep).observe(document.querySelector("title"), { childList: true });
    const back = room.querySelector("a");
    back.href = new URL(`../${path.replace(/\.ipynb$/, ".html")}`, root);
    back.hidden = false;
  }

  document.addEventListener("DOMContentLoaded", () => {
    room = document.querySelector("#room");
    begin();
    watch();
  });
})();
