// Keeps what the course in the browser has loaded, tells how far it is, and serves it without a network.
// JupyterLite's own worker goes on below: it answers for the files of notebooks.
(() => {
  const BUILD = "@BUILD@"; // another build has other files: nothing old is mixed with it
  const CACHE = `lectures-${BUILD}`;
  const HERE = new URL("./", self.location).pathname;
  const told = new BroadcastChannel("lectures-loading");
  const loading = new Map(); // address -> what becomes of its file
  const loaded = new Map(); // address -> bytes so far

  self.addEventListener("install", () => self.skipWaiting());
  self.addEventListener("activate", (event) => event.waitUntil(forget()));
  self.addEventListener("message", ({ data }) => data?.load?.forEach((url) => load(url).catch(() => {})));
  self.addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== "GET" || url.origin !== self.location.origin || !url.pathname.startsWith(HERE)) return;
    if (/\/api\/(drive|stdin|service-worker)/.test(url.pathname)) return;
    event.stopImmediatePropagation();
    const changes = request.mode === "navigate" || url.pathname.includes("/api/");
    event.respondWith(changes ? fresh(request) : kept(request));
  });

  /** Delete what another build has left. */
  async function forget() {
    for (const name of await caches.keys()) {
      if (name.startsWith("lectures-") && name !== CACHE) await caches.delete(name);
    }
  }

  /** From the network, and only without one from what was kept. */
  async function fresh(request) {
    try {
      const response = await fetch(request);
      if (response.status === 200 || response.status === 404) await keep(bare(request.url), response.clone());
      return response;
    } catch {
      return (await find(request.url)) ?? Response.error();
    }
  }

  /** What was kept, or from the network, and then kept. */
  async function kept(request) {
    try {
      return (await find(request.url)) ?? (await load(request.url), await find(request.url)) ?? (await fetch(request));
    } catch {
      return Response.error();
    }
  }

  /** Load a file into the cache, once however many ask; each piece is told. */
  function load(url) {
    url = bare(url);
    if (!loading.has(url)) loading.set(url, fill(url).finally(() => loading.delete(url)));
    return loading.get(url);
  }

  async function fill(url) {
    const there = await find(url);
    if (there) return tell(url, Number(there.headers.get("content-length")));
    const name = url.split("/").pop();
    try {
      const response = await fetch(url);
      if (!response.ok) {
        told.postMessage({ failed: name, why: `the server answered ${response.status}` });
        return;
      }
      let bytes = 0;
      const counted = new TransformStream({
        transform(piece, out) {
          tell(url, (bytes += piece.byteLength));
          out.enqueue(piece);
        },
      });
      await keep(url, new Response(response.body.pipeThrough(counted), response));
    } catch (error) {
      told.postMessage({ failed: name, why: "the connection broke" });
      throw error;
    }
  }

  function tell(url, bytes) {
    loaded.set(url, bytes);
    told.postMessage({ url, bytes });
  }

  const bare = (url) => url.split(/[?#]/)[0];
  const find = async (url) => (await caches.open(CACHE)).match(bare(url));

  /** Put a file into the cache; where there is no room, it is loaded again next time. */
  async function keep(url, response) {
    try {
      await (await caches.open(CACHE)).put(url, response);
    } catch (error) {
      if (error.name !== "QuotaExceededError") throw error;
    }
  }
})(); // names of its own: the next script has a CACHE, too
importScripts("jupyterlite-service-worker.js");
