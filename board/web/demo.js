// The board without a server. The same pages and the same script as the server's; what they ask is answered by a
// module in this browser. The address of a page stands behind the #, so that any host of plain files will do.
"use strict";
(() => {
  // Undoes what pack.py did, piece by piece.
  const unpacked = () => {
    let [head, whole, copies, at, to] = [new Uint8Array(), null, null, 0, 0];
    let [fresh, length, distance] = [0, 0, 0];
    const number = () => {
      for (let value = 0, shift = 0; ; shift += 7) {
        const byte = copies[at++];
        value += (byte & 127) * 2 ** shift;
        if (byte < 128) { return value; }
      }
    };
    return new TransformStream({ transform: (piece, out) => {
      let rest = piece;
      if (!whole) {
        const both = new Uint8Array(head.length + piece.length);
        both.set(head);
        both.set(piece, head.length);
        head = both;
        const size = (place) => new DataView(head.buffer).getUint32(place, true);
        if (head.length < 8 || head.length < 8 + size(4)) { return; }
        whole = new Uint8Array(size(0));
        copies = head.subarray(8, 8 + size(4));
        rest = head.subarray(8 + size(4));
      }
      const from = to;
      for (;;) {
        const some = Math.min(fresh, rest.length);
        whole.set(rest.subarray(0, some), to);
        rest = rest.subarray(some);
        [fresh, to] = [fresh - some, to + some];
        if (fresh) { break; }
        whole.copyWithin(to, to - distance, to - distance + length);
        [to, length] = [to + length, 0];
        if (at >= copies.length) { break; }
        [fresh, length, distance] = [number(), number(), number()];
      }
      out.enqueue(whole.slice(from, to));
    } });
  };
  // The module is compiled while it loads, and the page says how much of it is there.
  let loaded = 0;
  const counted = new TransformStream({ transform: (piece, out) => {
    loaded += piece.length;
    const shown = document.getElementById("loaded");
    if (shown) { shown.textContent = `${(loaded / 1e6).toFixed(1)} MB`; }
    out.enqueue(piece);
  } });
  const module = fetch("grundy.bin").then((file) => {
    const bytes = file.body.pipeThrough(counted).pipeThrough(new DecompressionStream("gzip")).pipeThrough(unpacked());
    return WebAssembly.compileStreaming(new Response(bytes, { headers: { "Content-Type": "application/wasm" } }));
  });

  // A worker with a module of its own. It answers one question after another and cannot be interrupted, only ended.
  class Helper {
    #worker = null;
    #asked = new Map();
    #last = 0;
    #fileName;

    constructor(fileName) { this.#fileName = fileName; }

    #start() {
      this.#worker = new Worker("worker.js");
      this.#worker.addEventListener("message", ({ data }) => {
        const question = this.#asked.get(data.id);
        if (!question) { return; }
        if (data.event) { question.event?.(data.event, data.data); return; }
        this.#asked.delete(data.id);
        // A module that broke off has lost what it knew.
        if (data.broken) { this.end(); }
        question.answer(data);
      });
      const worker = this.#worker;
      module.then((compiled) => worker.postMessage({ module: compiled, fileName: this.#fileName }));
    }

    ask(method, address, body = "", event = null) {
      if (!this.#worker) { this.#start(); }
      const id = ++this.#last;
      const worker = this.#worker;
      return new Promise((answer) => {
        this.#asked.set(id, { answer, event });
        module.then(() => worker.postMessage({ id, request: `${method} ${address}\n${body}` }), (error) => answer({
          status: 500, type: "text/plain", location: "", text: `The module of the board did not load: ${error.message}`,
        }));
      });
    }

    // Ends what is under way, where something is.
    leave() { if (this.#asked.size) { this.end(); } }

    end() {
      this.#worker?.terminate();
      this.#worker = null;
      this.#asked.clear();
    }
  }

  const PAUSE = 700;
  // Of use where Othello is searched: as much as half of the module.
  const WEIGHTS = "weights8.bin";
  // Pages come from one, what takes a search from another, and what a search says meanwhile from a third.
  const pages = new Helper(null);
  const searches = new Helper(WEIGHTS);
  const watches = new Helper(WEIGHTS);

  const visit = (address) => {
    if (location.hash === `#${address}`) { show(); } else { location.hash = address; }
  };
  window.grundyHost = {
    visit,
    replace: (address) => {
      if (location.hash === `#${address}`) { show(); } else { location.replace(`#${address}`); }
    },
    stay: (address) => history.replaceState(null, "", `#${address}`),
    link: (address) => `#${address}`,
    fetch: async (address, options = {}) => {
      const found = await searches.ask(options.method ?? "GET", address, options.body ?? "");
      return { ok: found.status < 300, json: async () => JSON.parse(found.text), text: async () => found.text };
    },
    events: (address) => {
      const listeners = new Map();
      // The moves of a match are found faster than a person can look at them.
      let free = Date.now();
      let closed = false;
      const page = shows;
      const tell = (name, data) => {
        const wait = name === "info" ? 0 : Math.max(0, free - Date.now());
        if (name === "move") { free = Date.now() + wait + PAUSE; }
        setTimeout(() => { if (!closed && page === shows) { listeners.get(name)?.({ data }); } }, wait);
      };
      watches.ask("GET", address, "", tell).then((found) => { if (found.status >= 300) { tell("error", found.text); } });
      return {
        addEventListener: (name, then) => listeners.set(name, then),
        close: () => { closed = true; watches.leave(); },
      };
    },
  };

  const picture = async (image) => {
    const { text } = await pages.ask("GET", image.dataset.src);
    image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  };

  // The language that was chosen, else that of the browser; the module takes English for one that it has no texts of.
  const language = (() => {
    try { return localStorage.getItem("grundy.language") ?? navigator.language.slice(0, 2); } catch { return navigator.language.slice(0, 2); }
  })();
  const speak = async () => {
    window.grundyTexts = JSON.parse((await pages.ask("GET", `/assets/texts.json?lang=${language}`)).text);
    document.querySelector(".motto").textContent = window.grundyTexts.motto;
    document.querySelector(".skip").textContent = window.grundyTexts.skip;
    const chosen = [...document.querySelectorAll("[data-lang]")].find((link) => link.textContent === window.grundyTexts.language);
    chosen.setAttribute("aria-current", "true");
    document.documentElement.lang = chosen.dataset.lang;
  };

  let shown = "";
  // Pages that were asked for: what an older one asked is of no use any more.
  let shows = 0;
  const show = async () => {
    const address = location.hash.slice(1) || "/";
    if (!address.startsWith("/")) { return; }
    shows += 1;
    for (const helper of [pages, searches, watches]) { helper.leave(); }
    if (!window.grundyTexts) { await speak(); }
    const found = await pages.ask("GET", `${address}${address.includes("?") ? "&" : "?"}lang=${language}`);
    if (address !== (location.hash.slice(1) || "/")) { return; }
    if (found.location) { location.replace(`#${found.location}`); return; }
    const whole = found.type.startsWith("text/html") ? found.text : "<main id=\"main\"><p class=\"error\"></p></main>";
    const page = new DOMParser().parseFromString(whole, "text/html");
    if (whole !== found.text) { page.querySelector(".error").textContent = found.text; }
    for (const link of page.querySelectorAll("a[href^='/']")) { link.setAttribute("href", `#${link.getAttribute("href")}`); }
    const images = [...page.querySelectorAll("img[src^='/']")];
    for (const image of images) { image.dataset.src = image.getAttribute("src"); image.removeAttribute("src"); }
    document.dispatchEvent(new CustomEvent("grundy-next", { detail: page }));
    // Another position of the same game stays where it was looked at.
    const place = address.split("?")[0];
    if (place !== shown) { scrollTo(0, 0); }
    shown = place;
    images.forEach(picture);
  };

  document.addEventListener("click", (event) => {
    // To the top of a page, not to a page of that name.
    const skip = event.target.closest?.("a.skip");
    if (skip) { event.preventDefault(); const main = document.getElementById("main"); main.tabIndex = -1; main.focus(); }
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("[data-lang]");
    if (!link) { return; }
    event.preventDefault();
    try { localStorage.setItem("grundy.language", link.dataset.lang); } catch { return; }
    location.reload();
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented) { return; }
    event.preventDefault();
    visit(`${form.getAttribute("action")}?${new URLSearchParams(new FormData(form))}`);
  });
  addEventListener("hashchange", show);
  show();
})();
