// The board's page: clicks and keys on the board, values that take time, engines at the board.
// Everything that it does leads to the address of a position; the page is whole without it.
"use strict";
(() => {
const byId = (id) => document.getElementById(id);
// A text of the page's language, with its words in braces filled in.
const t = (key, words = {}) => {
  const texts = window.grundyTexts ?? {}, [one, many = one] = (texts[key] ?? key).split("|");
  const text = texts.plural?.split(" ").includes(words.player) ? many : one;
  return text.replace(/\{(\w+)\}/g, (all, name) => words[name] ?? all);
};
const counted = (count, kind) => (String(count) === "1" ? t(`${kind}-1`) : t(`${kind}-n`, { count }));
const kept = (storage, own = {}) => ({
  get: (key) => { try { return own[key] ?? window[storage].getItem(`grundy.${key}`); } catch { return null; } },
  set: (key, value) => { try { window[storage].setItem(`grundy.${key}`, value); } catch { own[key] = value; } },
});
const store = kept("localStorage");
const session = kept("sessionStorage");
const root = document.documentElement;
const isOn = (key) => store.get(key) === "on";
const listen = (target, kind, then, options) => target?.addEventListener(kind, then, options);
const onClick = (id, then) => listen(byId(id), "click", then);
const onSubmit = (form, then) => listen(form, "submit", (event) => { event.preventDefault(); then(); });
const make = (tag, words) => Object.assign(document.createElement(tag), words);
const here = () => location.pathname + location.search;
const one = (css) => document.querySelector(css);
const every = (css, within = document) => [...within.querySelectorAll(css)];
const main = () => one("main");
const pressed = (button, on) => { button.ariaPressed = on; };
// The address of the page, and how many were asked for: only the last is shown.
let shown = here();
let asked = 0;
// Brings a page in place, or says that none came; `enter` makes its address the window's.
const bring = async (wanted, enter) => {
  let url = wanted;
  asked += 1;
  const mine = asked;
  const from = new URL(url, location);
  from.searchParams.set("lang", root.lang);
  const read = async (response) => {
    if (response.redirected) { const to = new URL(response.url); url = to.pathname + to.search; }
    return new DOMParser().parseFromString(await response.text(), "text/html");
  };
  const next = await fetch(from, { headers: { Accept: "text/html" } }).then(read).catch(() => {});
  if (mine !== asked) { return; }
  if (!next?.querySelector("main")) { refuser()(t("no-answer")); return; }
  enter(url);
  const path = shown.split("?")[0];
  shown = here();
  swap(next);
  if (path !== location.pathname) { scrollTo(0, 0); }
};
// Who answers: the page's server, or a module in the page (web/demo.js).
const host = window.grundyHost ?? {
  fetch: (url, options) => fetch(url, options),
  events: (url) => new EventSource(url),
  visit: (url) => bring(url, (at) => { if (at === here()) { history.replaceState(null, "", at); } else { history.pushState(null, "", at); } }),
  replace: (url) => bring(url, (at) => history.replaceState(null, "", at)),
  stay: (url) => { history.replaceState(null, "", url); shown = here(); },
  link: (url) => url,
};
// An answer in JSON; an error if none comes.
const ask = async (url, options) => {
  try { return await (await host.fetch(url, options)).json(); } catch { return { error: t("no-answer"), lost: true }; }
};
const hear = (events, name, then) => listen(events, name, (event) => then(JSON.parse(event.data)));
// The address of a position: a start, and moves from there.
const queryOf = (fen, moves) => {
  const words = new URLSearchParams();
  if (fen) { words.set("fen", fen); }
  if (moves.length) { words.set("moves", moves.join(" ")); }
  return words;
};
const encodeGame = (game) => encodeURIComponent(game).replace(/%3A/g, ":").replace(/%2C/g, ",");
const addressOf = (game, fen, moves) => `/game/${encodeGame(game)}?${queryOf(fen, moves)}`.replace(/\?$/, "");
if (!window.grundyHost) {
  listen(window, "popstate", () => { if (here() !== shown) { bring(here(), () => {}); } });
  listen(document, "click", (event) => {
    const link = event.target.closest?.("a[href]");
    const url = link?.getAttribute("href") ?? "";
    const plain = !event.defaultPrevented && !event.button && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (plain && /^\/($|game\/|puzzle|docs)/.test(url)) { event.preventDefault(); host.visit(url); }
  });
}

// ---- from one page to the next ----
let leave = [];
let press = () => {};
let open = null;
let verdict = null;
// The element with the focus, as one that the next page has, too.
const focused = () => {
  const at = document.activeElement;
  if (!at || at === document.body) { return null; }
  const place = at.dataset.at;
  if (place) { return [`.place[data-at="${CSS.escape(place)}"]`, ".place[tabindex='0']"]; }
  if (at.closest("#moves")) { return [`#moves a[data-move="${CSS.escape(at.dataset.move)}"]`, "#moves a"]; }
  if (at.closest("#history")) { return ["#history [aria-current]"]; }
  return at.id ? [`#${CSS.escape(at.id)}`] : [];
};
const refocus = (wanted) => {
  if (!wanted) { return; }
  for (const css of [...wanted, "#back", "#new", ".games a"]) {
    const found = one(css);
    if (!found || found.disabled || found.hidden) { continue; }
    if (found.matches(".place")) {
      one(".place[tabindex='0']")?.setAttribute("tabindex", "-1");
      found.tabIndex = 0;
    }
    found.focus({ preventScroll: true });
    return;
  }
};
// From the units of a shape to those of the picture, where a part has its own.
const matrixOf = (shape) => {
  const whole = shape.closest("#board > svg");
  if (!whole || (shape.ownerSVGElement === whole && !shape.hasAttribute("transform"))) { return null; }
  return whole.getScreenCTM()?.inverse().multiply(shape.getScreenCTM());
};
const centre = (shape) => {
  if (shape.dataset.mid) { return shape.dataset.mid.split(" ").map(Number); }
  const box = shape.getBBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const m = matrixOf(shape);
  return m ? [m.a * x + m.c * y + m.e, m.b * x + m.d * y + m.f] : [x, y];
};
// The men of a picture: what looks alike has one key.
const menOf = (svg) => every("circle, ellipse, path.x, path.still, rect.f, rect.s, text:not(.l):not(.hint):not(.m):not(.i)", svg)
  .filter((shape) => !shape.dataset.at && !shape.matches(".place, .ring, .frame .hole"))
  .map((shape) => ({ shape, at: centre(shape), key: shape.tagName + (shape.getAttribute("class") ?? "").replace(/ ?raised/, "") + (shape.textContent ?? "") }));
// True once a man stands where it was dragged to.
let dragged = false;
// Moves men new in a picture from where one like them was; others appear, discs of columns fall.
const animate = (svg, before, falls) => {
  if (dragged || matchMedia("(prefers-reduced-motion: reduce)").matches) { dragged = false; return; }
  const same = (one, other) => one.key === other.key && Math.abs(one.at[0] - other.at[0]) < 0.02 && Math.abs(one.at[1] - other.at[1]) < 0.02;
  const now = menOf(svg);
  const added = now.filter((man) => !before.some((old) => same(man, old)));
  const gone = before.filter((old) => !now.some((man) => same(man, old)));
  if (added.length > 60) { return; }
  for (const { shape, at: [x, y], key } of added) {
    const far = ({ at: [u, v] }) => (u - x) ** 2 + (v - y) ** 2;
    const old = gone.filter((man) => man.key === key).sort((a, b) => far(a) - far(b))[0];
    if (old) { gone.splice(gone.indexOf(old), 1); }
    // A text of a board that is turned is turned itself.
    const sign = shape.tagName === "text" && svg.classList.contains("flipped") ? -1 : 1;
    const [dx, dy] = old ? [sign * (old.at[0] - x), sign * (old.at[1] - y)] : [0, falls ? -y - 0.5 : 0];
    const from = dx || dy ? { transform: `translate(${dx}px, ${dy}px)` } : { opacity: 0 };
    const easing = falls ? "cubic-bezier(.5, 0, 1, .7)" : "ease-out";
    shape.animate([from, dx || dy ? { transform: "translate(0, 0)" } : { opacity: 1 }], { duration: 220, easing, composite: dx || dy ? "add" : "replace" });
  }
};
const knock = () => {
  if (!isOn("sound")) { return; }
  const audio = new AudioContext();
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  tone.frequency.value = 330;
  volume.gain.setValueAtTime(0.2, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.09);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.1);
  tone.onended = () => audio.close();
};
let live = null;
const announce = (text) => {
  if (!live) {
    live = make("div", { className: "unseen", role: "status" });
    document.body.append(live);
  }
  live.textContent = text;
};
const swap = (next) => {
  for (const end of leave.splice(0)) { end(); }
  const wanted = focused();
  const old = one("#board > svg");
  const box = old?.getAttribute("viewBox");
  const men = old ? menOf(old) : [];
  const unfolded = every("main details[open][id]").map((details) => details.id);
  document.title = next.title || "grundy";
  main().replaceWith(document.adoptNode(next.querySelector("main")));
  for (const id of unfolded) { if (!byId(id)?.matches(".menu")) { byId(id)?.setAttribute("open", ""); } }
  page();
  refocus(wanted);
  const svg = one("#board > svg");
  const falls = "falls" in main().dataset;
  if (svg && svg.getAttribute("viewBox") === box) { animate(svg, men, falls); knock(); }
  const last = one("#history [aria-current]")?.textContent;
  announce([last && t("made", { move: last }), byId("standing")?.innerText ?? document.title].filter(Boolean).join(" "));
};

const KEYS = [["\u2190 \u2192", "key-sides"], ["Home End", "key-ends"], ["Enter", "key-enter"], ["\u2190 \u2191 \u2192 \u2193 PgUp PgDn", "key-arrows"], ["f", "flip"],
  ["v", "key-values"], ["h", "hint"], ["l", "main-line"], ["p", "key-present"], ["n", "new"], ["Esc", "key-escape"], ["?", "key-these"]];
const showBox = (id, label, content) => {
  const dialog = make("dialog", { id });
  dialog.ariaLabel = label;
  const close = make("button", { type: "button", textContent: t("close") });
  listen(close, "click", () => dialog.close());
  listen(dialog, "close", () => dialog.remove());
  dialog.append(content, close);
  document.body.append(dialog);
  dialog.showModal();
};
const showKeys = () => {
  const list = make("dl");
  for (const [key, what] of KEYS) { list.append(make("dt", { textContent: key }), make("dd", { textContent: t(what) })); }
  showBox("keys-shown", t("keys"), list);
};
listen(document, "keydown", (event) => {
  if (event.target.closest?.(event.key === "Escape" ? "dialog" : "input, textarea, select, dialog") || event.ctrlKey || event.metaKey || event.altKey) { return; }
  if (event.key === "?") { showKeys(); } else { press(event); }
});
// A menu closes when something else has a click or the focus, by one of its buttons and by Escape, and gives back the focus.
const closeMenus = ({ type, target, key }) => {
  for (const menu of every(".menu[open]")) {
    menu.open = !(key ? key === "Escape" : !menu.contains(target) || (type === "click" && target.closest("button")));
    if (!menu.open && menu.contains(document.activeElement)) { menu.firstElementChild.focus(); }
  }
};
for (const kind of ["click", "focusin", "keydown"]) { listen(document, kind, closeMenus); }
listen(document, "fullscreenchange", () => {
  if (!document.fullscreenElement && root.matches(".present")) { byId("present")?.click(); }
});
// A PGN, a record or moves, pasted or dropped on any page.
listen(document, "paste", (event) => {
  const text = event.clipboardData?.getData("text/plain") ?? "";
  if (!open || !text.trim() || event.target.closest?.("input, textarea")) { return; }
  event.preventDefault();
  open(text);
});
listen(document, "dragover", (event) => { event.preventDefault(); document.body.classList.add("drag"); });
listen(document, "dragleave", (event) => { if (!event.relatedTarget) { document.body.classList.remove("drag"); } });
listen(document, "drop", async (event) => {
  event.preventDefault();
  document.body.classList.remove("drag");
  const file = event.dataTransfer.files[0];
  const text = file ? await file.text() : event.dataTransfer.getData("text/plain");
  if (text && open) { open(text); }
});
root.classList.toggle("framed", window.top !== window);

const page = () => {
  root.classList.remove("present");
  press = () => {};
  open = opener(null, "");
  const dataElement = byId("data");
  const read = byId("read");
  onSubmit(read, () => opener(read, "")(byId("text").value));
  const wanted = byId("wanted");
  if (wanted) {
    wanted.closest("label").hidden = false;
    const find = () => {
      const parts = wanted.value.toLowerCase().split(/\s+/);
      for (const item of every(".games li")) { item.hidden = !parts.every((part) => item.textContent.toLowerCase().includes(part)); }
      for (const list of every(".games")) {
        list.hidden = !list.querySelector("li:not([hidden])");
        list.previousElementSibling.hidden = list.hidden;
      }
      byId("none-found").hidden = Boolean(one(".games li:not([hidden])"));
    };
    listen(wanted, "input", find);
    listen(wanted, "keydown", (event) => { if (event.key === "Enter") { one(".games li:not([hidden]) a")?.click(); } });
    find();
    press = (event) => { if (event.key === "/") { event.preventDefault(); wanted.focus(); } };
  }
  const rules = byId("rules");
  onSubmit(rules, () => sendRules(rules.querySelector("textarea").value, refuser(rules)));
  // A link to an uploaded game carries its rules.
  const carried = /^#rules=([\w-]+)$/.exec(location.hash);
  if (carried && !dataElement) {
    const bytes = Uint8Array.from(atob(carried[1].replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
    const text = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
    text.then((text) => sendRules(text, refuser(), () => host.replace(here())), () => {});
  }
  if (!dataElement) { return; }
  const data = JSON.parse(dataElement.textContent);
  const answer = data.answer;
  const svg = one("#board svg");
  const quiet = () => root.matches(".quiet");
  const hinted = store.get("hints");

  const address = (moves = data.moves) => addressOf(data.game, data.fen, moves);
  const api = (what, more = {}) => {
    const words = queryOf(data.fen, data.moves);
    for (const [key, value] of Object.entries(more)) { words.set(key, value); }
    return `/api/${encodeGame(data.game)}/${what}?${words}`;
  };
  // The longest line of play with its turns: a position within it was reached by going back.
  const line = `${data.game}|${data.fen ?? ""}`;
  const keepLine = (moves, turns, more) => session.set("line", JSON.stringify({ line, moves, turns, ...more }));
  const longest = JSON.parse(session.get("line") ?? "null");
  const within = longest?.line === line && data.moves.every((word, i) => longest.moves[i] === word);
  const wentBack = within && longest.moves.length > data.moves.length;
  const linked = within ? longest.linked : data.fen || data.moves.length;
  if (!wentBack) { keepLine(data.moves, data.turns, { linked, told: within && longest.told }); }
  // A move that is made is a new line, also where it was made before.
  const remember = (word) => keepLine([...data.moves, word], data.turns);
  const puzzling = /[?&]puzzle=/.test(window.grundyHost ? location.hash : location.search);
  const go = (word, visit = host.visit) => {
    if (ended) { return; }
    if (puzzling) {
      const { note = word, value, result } = answer.moves.find((m) => m.move === word);
      if (!answer.complete) { say(t("puzzle-waits")); return; }
      const right = answer.unit === "points" ? value === answer.value : result === answer.result;
      const told = t(right ? "puzzle-right" : "puzzle-wrong", { move: note, value: spoken(value) });
      if (!right) { release(); say(told); return; }
      verdict = { told, next: byId("next-puzzle")?.getAttribute("href") };
    }
    remember(word);
    visit(address([...data.moves, word]));
  };

  const unit = byId("unit");
  // The mark of an estimate or a bound, as one of three, and the value behind it.
  const qualified = (value, estimate, least, most) => {
    const mark = /^(~|>=|<=)?/.exec(value)[0];
    return [{ "~": estimate, ">=": least, "<=": most }[mark] ?? "", value.slice(mark.length)];
  };
  const short = (value) => {
    const [open, bare] = qualified(value, "~", "\u2265", "\u2264");
    const [kind, plies] = bare.split(":");
    if (plies !== undefined) { return open + (kind === "win" ? "+" : "\u2212") + (unit.value === "moves" ? Math.ceil(plies / 2) : plies); }
    return open + ({ win: "+", loss: "\u2212", draw: "=" }[bare] ?? bare.replace("-", "\u2212"));
  };
  const player = (number) => data.players[number - 1];
  let ended = false;
  // Points to come, in parts of the unit, and those that are there.
  const marginOf = (points, mover) => {
    const [over, under] = points.split("/").map(Number);
    const [one, two] = answer.score ?? [0, 0];
    return over / (under || 1) + (mover === 1 ? one - two : two - one) / (data.denominator ?? 1);
  };
  // The bar of who is ahead: half and half at a draw; hatched if it is not proved.
  const showAhead = (value, mover = answer.turn) => {
    const [open, bare] = qualified(value, "~", ">", "<");
    const [kind, plies = 10] = bare.split(":");
    const near = 0.4 + 0.6 / (1 + plies / 20);
    const margin = marginOf(kind, mover);
    const lead = { win: near, loss: -near, draw: 0, "?": 0 }[kind] ?? margin / (Math.abs(margin) + 4);
    const bar = byId("ahead").children[1];
    byId("ahead").hidden = false;
    bar.classList.toggle("open", kind === "?" || open !== "");
    bar.firstElementChild.style.width = `${50 + 50 * (mover === 1 ? lead : -lead)}%`;
  };
  // What a value of the player to move means for the whole game.
  const spoken = (value) => {
    const [open, bare] = qualified(value, "~", "at-least", "at-most");
    const mover = answer.turn;
    if (open.startsWith("at-")) { return t(open, { player: player(mover), value: bare === "draw" ? t("a-draw") : short(bare) }); }
    const [kind, plies] = bare.split(":");
    const winner = { win: mover, loss: 3 - mover }[kind];
    let told = { draw: t("a-draw"), "?": t("unproved") }[kind];
    if (winner) {
      const count = unit.value === "moves" ? counted(Math.ceil(plies / 2), "move") : counted(plies, "ply");
      told = plies === undefined ? t("wins", { player: player(winner) }) : t("wins-in", { player: player(winner), count });
    }
    if (!told) {
      const margin = marginOf(kind, mover);
      const by = { player: player(margin > 0 ? mover : 3 - mover), points: +Math.abs(margin).toFixed(2) };
      told = !Number.isFinite(margin) ? kind : margin ? t("wins-by", by) : t("even");
    }
    return open ? t("probably", { value: told }) : told;
  };
  const standing = (value) => (value === "?" ? t("unproved") : `${short(value)}: ${spoken(value)}`);
  const loonySpoken = (mark) => ({ v: t("loony-you"), "^": t("loony-other") }[mark] ?? "");
  const values = new Map(answer.moves.map((m) => [m.move, m]));

  // ---- places on the board ----
  const places = new Map();
  const words = answer.moves.map((m) => m.move);
  let chosen = [];

  // The places that a move's word names, in order. In a sum it begins with the number of its game.
  const tokens = (whole) => {
    const [, part, word] = /^(\d+\/)?(.*)$/.exec(whole);
    const own = [...places.keys()].filter((at) => !part || at.startsWith(part)).map((at) => at.slice(part?.length ?? 0));
    return cellsOf(word, new Set(own)).map((at) => (part ?? "") + at);
  };
  const cellsOf = (word, places) => {
    if (places.has(word)) { return [word]; }
    if (/^[a-z]$/.test(word)) { return [...places].filter((at) => at.startsWith(word)).slice(0, 1); }
    if (/^\d+$/.test(word) && places.has(`1:${word}`)) { return [`1:${word}`]; }
    // Cells with names of their own, joined by hyphens.
    const parts = word.split("-");
    if (parts.length > 1 && parts.every((at) => places.has(at))) { return parts; }
    // A cell, and what is handed over.
    const handed = word.split(/(?=:)/);
    if (handed.length === 2 && handed.every((at) => places.has(at))) { return handed; }
    const cells = word.match(/[a-z]+\d+/g);
    if (cells && cells.length && cells.every((at) => places.has(at))) { return cells; }
    const numbers = word.match(/\d+/g);
    // A coin that leaves the board goes to a number that is no place.
    if (numbers && !/[a-z:+]/i.test(word) && places.has(numbers[0])) { return numbers.filter((at) => places.has(at)); }
    // What stands behind such a cell sets moves apart.
    const longest = (part) => [...places].filter((at) => part.startsWith(at)).sort((a, b) => b.length - a.length)[0];
    const own = parts.map((part) => (places.has(part) ? part : longest(part)));
    return own.every((at) => at !== undefined) ? own : [];
  };
  let named = new Map();
  const columns = words.length > 0 && words.every((word) => /^[a-z]$/.test(word));
  const placeOf = (at) => (columns ? [...places.keys()].find((other) => other[0] === at[0]) : at);

  const candidates = (list) => {
    const begin = words.filter((word) => list.every((at, i) => named.get(word)[i] === at));
    if (begin.length) { return begin; }
    return words.filter((word) => { const all = named.get(word); return all.length && list.every((at) => all.includes(at)); });
  };

  // Unless another page has come.
  const later = (then, ms) => setTimeout(() => { if (dataElement.isConnected) { then(); } }, ms);
  // Progress is not read out.
  let before = verdict ? `${verdict.told} ` : "";
  const say = (text = "", live = "polite") => { const said = byId("search"); said.ariaLive = live; said.textContent = before + text; };

  const choose = (at) => {
    const place = placeOf(at);
    // Of a heap's counters those on the one that is taken go too; a heap can be chosen where no count fits.
    const again = chosen.at(-1) === place;
    let list = again ? chosen : [...chosen, place];
    let found = candidates(list);
    if (!found.length) { list = [place]; found = candidates(list); }
    if (!found.length) { release(); say(t("no-start")); return; }
    const whole = found.filter((word) => named.get(word).length === list.length || new Set(named.get(word)).size === new Set(list).size);
    if (whole.length === 1 && (found.length === 1 || again)) { go(whole[0]); return; }
    if (found.length === 1) { go(found[0]); return; }
    chosen = list;
    mark();
    offer(found);
    announce(t("chosen", { places: chosen.join(", "), count: found.length }));
  };
  const near = (men, [x, y]) => men.filter(({ at: [u, v] }) => Math.abs(u - x) < 0.3 && Math.abs(v - y) < 0.3);
  // A dragged man is chosen, and so is the place where it is let go; the click that ends it is nothing.
  let slid = false;
  const drag = (at, down) => {
    slid = false;
    if (down.button || ended || !places.get(at).matches(".movable")) { return; }
    const held = near(menOf(svg), centre(places.get(at)));
    // Above all others, and nothing to click on.
    for (const { shape } of held) { shape.style.pointerEvents = "none"; shape.parentNode.append(shape); }
    const { a, d } = svg.getScreenCTM();
    const ends = new AbortController();
    const shift = (to) => { for (const { shape } of held) { shape.style.translate = to; } };
    listen(window, "pointermove", ({ clientX, clientY }) => {
      const [x, y] = [clientX - down.clientX, clientY - down.clientY];
      if (!slid && Math.hypot(x, y) > 6) { slid = true; chosen = [at]; mark(); offer(candidates(chosen)); }
      if (slid) { shift(`${x / a}px ${y / d}px`); }
    }, ends);
    const drop = ({ type, clientX, clientY }) => {
      ends.abort();
      const place = type === "pointerup" && document.elementFromPoint(clientX, clientY)?.dataset.at;
      if (!slid || !svg.isConnected) { return; }
      if (place !== at) { if (place && candidates([at, place]).length) { choose(place); } else { release(); } }
      dragged = place !== at && chosen.length === 1;
      if (!dragged) { shift(""); }
    };
    for (const end of ["pointerup", "pointercancel"]) { listen(window, end, drop, ends); }
  };
  const release = () => { chosen = []; if (places.size) { mark(); offer([]); } };
  const mark = () => {
    for (const [at, shape] of places) { shape.classList.toggle("chosen", chosen.includes(at)); }
    label();
  };
  const offer = (list) => {
    let box = byId("choice");
    if (!box) { box = make("div", { id: "choice" }); byId("board").after(box); }
    box.replaceChildren();
    for (const word of list.slice(0, 24)) {
      const button = make("button", { type: "button", textContent: values.get(word)?.note ?? word });
      // The place that has the keyboard on the next page.
      button.dataset.at = chosen.at(-1) ?? "";
      listen(button, "click", () => go(word));
      box.append(button);
    }
    if (list.length > 24) { box.append(t("more-choices", { count: list.length - 24 })); }
    for (const link of every("#moves a")) { link.classList.toggle("near", list.includes(link.dataset.move)); }
  };

  const build = () => {
    if (!svg) { return; }
    const still = () => { svg.role = svg.querySelector("a") ? "group" : "img"; svg.ariaLabel = answer.position; };
    if (answer.over) { still(); return; }
    const shapes = every("[data-at]", svg);
    for (const shape of shapes) { places.set(shape.dataset.at, null); }
    named = new Map(words.map((word) => [word, tokens(word)]));
    const used = new Set(words.flatMap((word) => named.get(word)));
    if (!used.size) { places.clear(); still(); return; }
    svg.role = "grid";
    svg.ariaLabel = t("board-of", { game: data.game });
    for (const child of every("text", svg)) { child.ariaHidden = "true"; }
    listen(svg, "touchmove", (event) => { if (event.target.matches(".movable")) { event.preventDefault(); } }, { passive: false });
    const layer = draw("g", {});
    const rows = new Map();
    const rowOf = (shape) => Math.round(centre(shape)[1] * 4);
    for (const key of [...new Set(shapes.map(rowOf))].sort((a, b) => a - b)) { rows.set(key, draw("g", { role: "row" }, layer)); }
    for (const shape of shapes) {
      const at = shape.dataset.at;
      const line = shape.tagName === "path" && !/z$/i.test(shape.getAttribute("d"));
      const own = Object.fromEntries([...shape.attributes].map(({ name, value }) => [name, value]));
      const m = matrixOf(shape);
      if (m) { own.transform = `matrix(${[m.a, m.b, m.c, m.d, m.e, m.f].join(" ")})`; }
      const place = draw(shape.tagName, { ...own, class: line ? "place line" : "place", role: "gridcell", tabindex: "-1" }, rows.get(rowOf(shape)));
      places.set(at, place);
      listen(place, "click", () => { if (!slid) { choose(at); } });
      listen(place, "pointerdown", (event) => drag(at, event));
      listen(place, "keydown", keys);
    }
    const first = [...used].find((at) => places.get(at)) ?? places.keys().next().value;
    places.get(first).tabIndex = 0;
    label();
  };

  const neighbour = (from, dx, dy) => {
    const [x, y] = centre(from);
    let best = null;
    let least = Infinity;
    for (const shape of places.values()) {
      const [u, v] = centre(shape);
      const along = (u - x) * dx + (v - y) * dy;
      const aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
      if (along > 0.05 && along + 1.5 * aside < least) { least = along + 1.5 * aside; best = shape; }
    }
    return best;
  };
  const keys = (event) => {
    const flipped = svg.classList.contains("flipped") ? -1 : 1;
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const here = event.currentTarget;
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(here.dataset.at); return; }
    if (event.key === "Escape" && chosen.length) { event.stopPropagation(); release(); return; }
    const step = arrows[event.key] ?? { PageUp: -1, PageDown: 1 }[event.key];
    if (!step) { return; }
    event.preventDefault();
    event.stopPropagation();
    const all = [...places.values()];
    // Some places are nobody's neighbour.
    const next = step.length ? neighbour(here, step[0] * flipped, step[1] * flipped) : all[all.indexOf(here) + step];
    if (next) {
      here.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    }
  };

  // The best of the moves, as far as it is known which they are.
  const best = () => {
    const [first] = answer.moves;
    // A loss or points are the best only if nothing else is open.
    const sure = first && (/^win/.test(first.value) || answer.moves.every((m) => !/^[?<>~]/.test(m.value)));
    return sure ? answer.moves.filter((m) => m.value === first.value) : [];
  };
  const MEN = { "\u265a": "king", "\u265b": "queen", "\u265c": "rook", "\u265d": "bishop", "\u265e": "knight", "\u265f": "pawn" };
  const called = ({ shape }) => {
    const has = (name) => shape.matches(`.${name}`);
    const text = (shape.tagName === "text" ? shape.textContent : "").replace("\ufe0e", "");
    if (MEN[text]) { return t(has("w") ? "white-man" : "black-man", { man: t(MEN[text]) }); }
    if (text) { return text; }
    if (shape.tagName === "rect") { return ""; }
    if (has("f") || has("x")) { return t("man-of", { player: player(1) }); }
    return has("s") || has("o") ? t("man-of", { player: player(2) }) : "";
  };
  const draw = (name, attributes, into = svg) => {
    const element = document.createElementNS(svg.namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) { element.setAttribute(key, value); }
    into.append(element);
    return element;
  };
  // The best value of the moves that begin at a place, or go on there, as a sign on it and in its name.
  const label = () => {
    if (!places.size) { return; }
    for (const old of every(".hint, .arrow, .ring", svg)) { old.remove(); }
    const hints = new Map();
    const targets = new Map();
    for (const word of chosen.length ? candidates(chosen) : words) {
      const all = named.get(word);
      if (!all.length) { continue; }
      const at = all.length === 2 && places.has(word) ? word : all.find((place) => !chosen.includes(place)) ?? all.at(-1);
      if (!hints.has(at)) { hints.set(at, values.get(word)); }
      if (all.length > 1 && at !== word) { targets.set(at, [...targets.get(at) ?? [], all.find((place) => place !== at && !chosen.includes(place))]); }
    }
    const crowded = hints.size > 130 || words.every((word) => values.get(word).value === "?");
    const lands = new Map();
    for (const shape of every(".raised", svg)) { shape.classList.remove("raised"); }
    // A cell's own colour is no man.
    const men = menOf(svg).filter(({ shape }) => shape.tagName !== "rect" || shape.getBBox().width < 0.85);
    if (columns) {
      for (const [at, shape] of places) {
        const [x, y] = centre(shape);
        const free = !near(men, [x, y]).length;
        const had = lands.get(at[0]);
        if (free && (!had || y > centre(places.get(had))[1])) { lands.set(at[0], at); }
      }
    }
    // Pixels of a cell: where they are few, what stands alone in a cell is larger.
    const cell = Math.abs(svg.getScreenCTM().a);
    const sure = best();
    const top = sure.length || !values.has(judged) ? sure : [values.get(judged)];
    const ringed = top.length < answer.moves.length && top.length <= 12;
    for (const [at, shape] of places) {
      const found = hints.get(at) ?? (columns ? hints.get(placeOf(at)) : undefined);
      const [x, y] = centre(shape);
      const there = shape.tagName === "path" || shape.tagName === "line" ? [] : near(men, [x, y]);
      const man = shape.dataset.man ?? there.map(called).find(Boolean);
      const goes = [...new Set(targets.get(at) ?? [])].filter(Boolean);
      if (!chosen.length) { shape.classList.toggle("movable", goes.length > 0 && there.length > 0); }
      shape.classList.toggle("target", chosen.length > 0 && hints.has(at));
      shape.ariaLabel = [at, man && `, ${man}`, goes.length && !chosen.length ? t("can-go", { places: goes.slice(0, 12).join(", ") }) : "",
        found && !quiet() ? `: ${spoken(found.value)}${loonySpoken(found.loony)}` : ""].filter(Boolean).join("");
      if (!found || (columns && lands.get(at[0]) !== at)) { continue; }
      const isBest = top.includes(found);
      const taken = there.length > 0;
      const low = shape.getBBox().height < 0.5 && shape.tagName === "rect";
      if (isBest && ringed && !taken && !low && shape.tagName !== "path") { draw("circle", { class: `ring ${found.result}`, cx: x, cy: y, r: 0.4 }); }
      if (crowded) { continue; }
      // Below the man or the number in the cell, which makes room, else in the middle.
      const text = draw("text", { x, y: y + (taken ? 0.43 : 0.11), class: `hint ${found.result}${isBest ? " best" : ""}`, "aria-hidden": "true" });
      text.textContent = short(found.value);
      if (text.textContent.length === 1) { text.classList.add("sign"); }
      // Who makes the next loony move, if that is known, stands behind the value.
      if ("v^".includes(found.loony ?? " ")) { text.textContent += found.loony; }
      for (const one of there) { one.shape.classList.add("raised"); }
      if (low) { text.classList.add("low"); } else if (cell < 36 && !taken) { text.classList.add("large"); }
    }
    if (!ringed || chosen.length) { return; }
    for (const { move, result } of top.slice(0, 6)) {
      const all = named.get(move);
      if (all.length !== 2 || all[0] === all[1] || places.has(move)) { continue; }
      const [[x, y], [u, v]] = all.map((at) => centre(places.get(at)));
      if (!near(men, [x, y]).length) { continue; }
      const far = Math.hypot(u - x, v - y);
      const [i, j] = [(u - x) / far, (v - y) / far];
      const at = (along, aside) => `${(x + i * along - j * aside).toFixed(2)} ${(y + j * along + i * aside).toFixed(2)}`;
      draw("path", { class: `arrow ${result}`, d: `M${at(0.3, 0.06)}L${at(far - 0.3, 0.06)}L${at(far - 0.3, 0.18)}L${at(far, 0)}L${at(far - 0.3, -0.18)}L${at(far - 0.3, -0.06)}L${at(0.3, -0.06)}z` });
    }
  };

  const list = () => {
    const held = document.activeElement;
    const order = [...answer.moves];
    // By word where values are hidden.
    if (quiet()) { order.sort((a, b) => a.move.localeCompare(b.move, "en", { numeric: true })); }
    const top = best();
    const box = byId("moves");
    const links = new Map(every("a", box).map((a) => [a.dataset.move, a.parentElement]));
    for (const m of order) {
      const item = links.get(m.move);
      if (!item) { continue; }
      const value = item.querySelector(".v");
      value.textContent = short(m.value);
      value.dataset.value = m.value;
      value.className = `v ${m.result}`;
      value.title = spoken(m.value);
      item.classList.toggle("best", top.includes(m));
      if (m.loony) {
        const mark = item.querySelector(".loony") ?? value.parentElement.appendChild(make("span", { className: "loony" }));
        mark.textContent = m.loony;
      }
      box.append(item);
    }
    // A moved link loses the focus.
    if (box.contains(held)) { held.focus({ preventScroll: true }); }
  };
  const showRemarks = (list) => {
    byId("remarks").replaceChildren(...list.flatMap((text) => [make("br"), make("span", { className: "remark", textContent: text })]));
  };
  // Who makes the next loony move.
  const nextLoony = (mark) => {
    const whose = { v: answer.turn, "^": 3 - answer.turn }[mark];
    return whose ? t("loony-next", { player: player(whose), mark }) : t(mark === "-" ? "loony-nobody" : "loony-open");
  };
  const showLoony = (states) => {
    if (!states) { return; }
    for (const m of answer.moves) { m.loony = states.moves[m.move] ?? m.loony; }
    const place = byId("loony");
    if (place) { place.textContent = ` ${nextLoony(states.state)}`; place.dataset.mark = states.state; }
    list();
    label();
  };
  const showLine = ({ error, exact, moves = [], notes }, head = t("not-proved")) => {
    const box = byId("line");
    box.textContent = error ?? (moves.length ? exact ? "" : `${head} ` : t("is-over"));
    box.classList.toggle("estimate", head !== t("not-proved"));
    notes?.forEach((note, i) => {
      box.append(make("a", { href: host.link(address([...data.moves, ...moves.slice(0, i + 1)])), textContent: note }), " ");
    });
  };
  // The move that a search took for the best where no value is proved.
  let judged = null;
  const refresh = (found) => {
    Object.assign(answer, found);
    values.clear();
    for (const m of found.moves) { values.set(m.move, m); }
    words.splice(0, words.length, ...found.moves.map((m) => m.move));
    list();
    label();
    const value = byId("value");
    if (value) { value.textContent = standing(found.value); value.dataset.value = found.value; value.className = `v ${found.result}`; }
    const loony = byId("loony");
    if (loony && found.loony) { loony.textContent = ` ${nextLoony(found.loony)}`; loony.dataset.mark = found.loony; }
    showRemarks(found.remarks ?? []);
    if (found.value !== "?") { showAhead(found.value); }
    for (const select of sides) { select.querySelector("[value=perfect]").textContent = t(found.complete ? "perfect" : "grundy"); }
    say([found.source && t("known-by", { source: found.source }), !found.complete && t("some-open")].filter(Boolean).join(" "));
    pose();
    announce(byId("standing").innerText);
  };
  // Says which table is built, how far it is, and how long it takes at this speed.
  let begun = null;
  const building = ({ what, done, total }) => {
    if (begun?.what !== what) { begun = { what, done, at: Date.now() }; }
    const left = Math.ceil((total - done) / (done - begun.done) * (Date.now() - begun.at) / 1000);
    const far = (total ? `, ${Math.floor(100 * done / total)} %` : "") + (left > 0 && left < 1e5 ? t("time-left", { count: left }) : "");
    say(t("searching-table", { what: what + far }), "off");
  };
  // Tables and bounds as they come; at last the answer.
  const look = (again = 0) => {
    if (answer.complete || answer.over) { return; }
    if (!again) { say(t("searching")); }
    const events = host.events(api("watch", { ms: 4000 }));
    leave.push(() => events.close());
    hear(events, "progress", building);
    hear(events, "info", (info) => {
      const mark = { exact: "", "at least": ">=", "at most": "<=" }[info.bound] ?? "~";
      say(quiet() ? t("searching") : t("searching-info", { ...info, value: short(mark + info.value), nodes: info.nodes.toLocaleString(root.lang) }), "off");
      if (answer.value === "?" && /exact|guess/.test(info.bound)) { showAhead(mark + info.value); }
    });
    hear(events, "done", (found) => {
      events.close();
      if (found.error) { say(found.error); return; }
      const { bound, value, depth } = found.line ?? {};
      judged = bound === "guess" && !found.answer.complete ? found.line.moves[0] : null;
      refresh(found.answer);
      if (judged) { showLine(found.line, t("judged", { player: player(answer.turn), value, depth })); }
      if (found.building && again < 60) {
        if (found.progress) { building(found.progress); } else { say(t("searching-later")); }
        later(() => look(again + 1), 1000);
      }
    });
    listen(events, "error", () => { events.close(); say(t("no-answer")); });
  };

  // What takes a search comes later; a server makes a table of loony states open then.
  const remark = async (again = 0) => {
    if (answer.over || !(answer.remarks?.length || answer.loony)) { return; }
    const said = await ask(api("remarks", { ms: again ? 500 : 5000 }));
    if (said.error || !dataElement.isConnected) { return; }
    if (!again) { showRemarks(said.remarks); }
    showLoony(said.loony);
    if (said.loony?.state === "?" && again < 20 && !window.grundyHost) {
      later(() => remark(again + 1), 3000);
    }
  };

  const relink = (box) => { for (const link of every("a", box)) { link.setAttribute("href", host.link(link.getAttribute("href"))); } };
  byId("whole")?.removeAttribute("hidden");
  listen(byId("whole"), "toggle", async ({ target }) => {
    const box = target.lastElementChild;
    if (!target.open || box.firstChild) { return; }
    const { html, lost } = await ask(api("rounds", { lang: root.lang }));
    if (html) { box.innerHTML = html; relink(box); } else { box.textContent = t(lost ? "no-answer" : "whole-large"); }
  });

  // Judges the game from its end: at once when it is over, else when asked.
  const review = async () => {
    const button = byId("review");
    button.disabled = true;
    button.textContent = t("reviewing");
    const { html } = await ask(api("review", { ms: answer.over ? 10000 : 5000, lang: root.lang }));
    if (!dataElement.isConnected) { return; }
    if (!html) { button.textContent = t("review"); button.disabled = false; return; }
    byId("game-section").outerHTML = html;
    relink(byId("game-section"));
  };
  const aside = byId("review");
  if (aside) {
    aside.hidden = false;
    onClick("review", review);
    if (answer.over) { review(); }
  }

  const keep = (select, key, change, kept = store) => {
    const last = kept.get(key);
    if ([...select.options].some(({ value }) => value === last)) { select.value = last; }
    listen(select, "change", () => { kept.set(key, select.value); change(); });
  };
  // ---- who plays ----
  const sides = [byId("player1"), byId("player2")];
  // Each tab has its own players; a new one begins with the last chosen.
  const seats = { get: (key) => session.get(key) ?? store.get(key), set: (key, value) => { session.set(key, value); store.set(key, value); } };
  for (const select of sides) { keep(select, select.id, () => { session.set("chosen", data.game); waits = false; aim(); flipped(); play(); }, seats); }
  // Two engines stay in the game in which they were chosen.
  if (sides.every((side) => side.value) && session.get("chosen") !== data.game) {
    for (const side of sides) { side.value = ""; seats.set(side.id, ""); }
  }
  let thinking = false;
  // No engine moves unasked behind a link, where a player went back, or where one has failed.
  let waits = puzzling || verdict || linked || wentBack;
  // Two engines: each move is judged as it is made.
  let match = null;
  const watch = () => {
    match = host.events(api("match", { one: sides[0].value, two: sides[1].value, ms: 1000, lang: root.lang }));
    leave.push(() => match.close());
    main().classList.add("watching");
    stopClock();
    byId("clocks").hidden = true;
    for (const id of ["hint", "resign"]) { byId(id).disabled = true; }
    const board = byId("board");
    say(t("watching"));
    hear(match, "move", (made) => {
      data.moves.push(made.move);
      const men = svg ? menOf(board.firstElementChild) : [];
      board.innerHTML = made.svg;
      const picture = board.firstElementChild;
      Object.assign(picture, { role: "img", ariaLabel: made.position });
      flipped();
      animate(picture, men, columns);
      knock();
      showAhead(made.after ?? "?", made.by);
      Object.assign(answer, { position: made.position, score: made.score });
      byId("fen").value = made.position;
      byId("text-board").textContent = made.text;
      for (const old of every("#choice, #none, #whole")) { old.remove(); }
      byId("standing").textContent = [made.said, made.tally].filter(Boolean).join(" ");
      byId("audit").textContent = made.audit;
      announce(made.said);
      const word = made.note ?? made.move;
      one("#history [aria-current]")?.removeAttribute("aria-current");
      const item = byId("history").appendChild(make("li"));
      item.append(make("a", { href: host.link(address()), textContent: word, ariaCurrent: "true" }));
      if (made.slip) {
        item.classList.toggle("slip", made.loses);
        item.append(make("span", { className: "mark", title: made.slip, textContent: made.loses ? "?" : "~" }));
        byId("slips").append(make("li", { textContent: t("move-was", { number: data.moves.length, move: word, words: made.slip }) }));
      }
      data.turns[data.moves.length - 1] = made.by;
      keepLine(data.moves, data.turns);
      aim();
      host.stay(address());
    });
    hear(match, "end", ({ error }) => {
      match.close();
      verdict = error && { told: error };
      host.visit(address());
    });
    listen(match, "error", () => { match.close(); say(t("match-broke")); });
  };
  const engineMove = byId("engine-move");
  const play = () => {
    if (match) { match.close(); host.visit(address()); return true; }
    const who = sides[answer.turn - 1].value;
    engineMove.hidden = !who || Boolean(answer.over) || !waits || ended;
    if (!who || answer.over || thinking || waits || ended) { return false; }
    if (sides.every((side) => side.value)) { watch(); } else { move(who); }
    return true;
  };
  onClick("engine-move", () => { keepLine(data.moves, data.turns); waits = false; play(); });
  const move = async (who) => {
    thinking = true;
    const more = { ms: 1000 };
    if (who === "slips") { more.slips = 30; }
    if (who.startsWith("level ")) { more.level = who.slice(6); }
    if (who.startsWith("engine ")) { more.engine = who.slice(7); }
    const free = () => { thinking = false; if (!play()) { look(); } };
    // After a failure the button asks again.
    const failed = (text) => { waits = true; before = `${text} `; say(); free(); };
    const found = await ask(api("move", more));
    if (found.error) { failed(found.error); return; }
    // In place of this page: going back leads to the person's last turn.
    later(() => { if (sides[answer.turn - 1].value === who) { go(found.move, host.replace); } else { free(); } }, 150);
  };

  const hints = byId("hints");
  const mode = byId("shown");
  const showHints = (on) => {
    root.classList.toggle("quiet", !on);
    pressed(hints, on);
    if (mode.value !== "ask" && !puzzling) { store.set("hints", on ? "on" : "off"); }
    list();
    label();
  };
  const flip = byId("flip");
  const turning = byId("turning");
  const flipped = () => {
    const turned = turning.checked && answer.turn === 2 && sides.every((side) => !side.value);
    byId("board").firstElementChild?.classList.toggle("flipped", !flip.hidden && isOn("flip") !== turned);
    pressed(flip, isOn("flip"));
  };
  onClick("flip", () => { store.set("flip", isOn("flip") ? "off" : "on"); flipped(); });
  for (const box of [turning, byId("sound")]) {
    box.checked = isOn(box.id);
    listen(box, "change", () => { store.set(box.id, box.checked ? "on" : "off"); flipped(); knock(); });
  }
  flipped();
  const present = byId("present");
  const presented = (on) => {
    root.classList.toggle("present", on);
    const size = Math.abs(svg?.getScreenCTM()?.a ?? 1);
    // A match brings more pictures into it.
    byId("board").style.setProperty("--label", `${Math.max(Math.min(0.24, (on ? 28 : 16) / size), Math.min(0.42, 9 / size))}px`);
    pressed(present, on);
    session.set("present", on ? "on" : "off");
    label();
  };
  onClick("present", () => {
    const on = !root.matches(".present");
    if (on) { root.requestFullscreen?.().catch(() => {}); } else if (document.fullscreenElement) { document.exitFullscreen(); }
    presented(on);
    scrollTo(0, 0);
  });
  onClick("keys", showKeys);
  const copy = async (text) => {
    try { await navigator.clipboard.writeText(text); say(t("copied")); } catch { prompt(t("copy-this"), text); }
  };
  // The address of this page; that of an uploaded game carries its rules, compressed, for other boards.
  const linkHere = async () => {
    if (!data.uploaded) { return location.href; }
    const { rules } = await ask(`/api/${encodeGame(data.game)}/rules`);
    if (!rules) { return location.href; }
    const packed = await new Response(new Blob([rules]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer();
    const text = btoa(String.fromCharCode(...new Uint8Array(packed))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
    return `${location.href.split("#")[0]}#rules=${text}`;
  };
  onClick("copy-position", () => copy(answer.position));
  onClick("copy-link", async () => copy(await linkHere()));
  onClick("copy-frame", () => copy(`<iframe src="${location.href}" width="900" height="700" title="grundy"></iframe>`));
  onClick("qr", async () => {
    const found = await ask(`/api/qr?${new URLSearchParams({ text: await linkHere() })}`);
    if (found.error) { say(found.error); return; }
    showBox("qr-shown", t("qr"), make("img", { src: `data:image/svg+xml,${encodeURIComponent(found.svg)}`, alt: t("qr-about"), width: 300, height: 300 }));
  });
  let given = 0;
  onClick("hint", () => {
    const first = best()[0] ?? values.get(judged);
    if (answer.over) { return; }
    if (!first) { say(t("hint-none")); return; }
    const [at] = named.get(first.move) ?? [];
    given += given || first.value !== "?" ? 1 : 2;
    if (given === 1) { say(t("hint-value", { value: spoken(first.value.split(":")[0]) })); }
    else if (given === 2 && at && at !== first.move) { say(t("hint-place", { place: at })); places.get(at).classList.add("hinted"); }
    else { say(t("hint-move", { move: first.note ?? first.move })); for (const place of named.get(first.move) ?? []) { places.get(place)?.classList.add("hinted"); } }
  });
  const end = (text) => {
    ended = true;
    if (data.moves.length) { keepLine(data.moves, data.turns, { told: text }); }
    byId("standing").textContent = text;
    byId("rematch").hidden = false;
    engineMove.hidden = true;
    announce(text);
  };
  const person = () => (sides[answer.turn - 1].value && !sides[2 - answer.turn].value ? 3 - answer.turn : answer.turn);
  onClick("resign", () => {
    if (!answer.over && !ended) { end(t("resigned", { player: player(person()), other: player(3 - person()) })); }
  });
  byId("rematch").hidden = !answer.over;
  if (within && !wentBack && longest.told) { end(longest.told); }
  onClick("rematch", () => {
    sides.forEach(({ id }, i) => seats.set(id, sides[1 - i].value));
    keepLine([], []);
  });
  // ---- clocks ----
  const clock = byId("clock");
  const time = (ms) => `${Math.floor(ms / 60000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, "0")}`;
  let stopClock = () => {};
  const runClock = () => {
    stopClock();
    const off = byId("clocks").hidden = !clock.value || puzzling || !!match;
    if (off) { return; }
    const [minutes, more] = clock.value.split("+").map(Number);
    const made = data.moves.length;
    let state = JSON.parse(session.get("clock") ?? "null");
    if (!made || state?.line !== line || state.limit !== clock.value) { state = { line, limit: clock.value, left: [minutes * 60000, minutes * 60000], made }; }
    if (made === state.made + 1) { state.left[data.turns[made - 1] - 1] += more * 1000; }
    if (!wentBack) { state.made = made; }
    const begun = Date.now();
    const mover = answer.turn - 1;
    const tick = () => {
      if (ended) { return; }
      const runs = made && !answer.over && !wentBack;
      const left = state.left.map((ms, i) => (runs && i === mover ? Math.max(0, ms - (Date.now() - begun)) : ms));
      byId("clocks").textContent = left.map((ms, i) => `${player(i + 1)} ${time(ms)}`).join(" \u00b7 ");
      session.set("clock", JSON.stringify({ ...state, left }));
      if (runs && !left[mover]) { end(t("time-over", { player: player(mover + 1), other: player(2 - mover) })); }
    };
    const timer = setInterval(tick, 250);
    stopClock = () => clearInterval(timer);
    leave.push(() => { tick(); stopClock(); });
    tick();
  };
  // Back and forward pass over the positions in which an engine moves.
  const persons = (turns, at) => sides.every((side) => side.value) || !sides[(turns?.[at] ?? 0) - 1]?.value;
  function aim() {
    const back = byId("back");
    if (!back) { return; }
    let at = data.moves.length - 1;
    while (at > 0 && !persons(data.turns, at)) { at -= 1; }
    back.href = host.link(address(data.moves.slice(0, at)));
  }
  aim();
  if (wentBack) {
    byId("forward").disabled = false;
    onClick("forward", () => {
      let at = data.moves.length + 1;
      while (at < longest.moves.length && !persons(longest.turns, at)) { at += 1; }
      host.visit(address(longest.moves.slice(0, at)));
    });
  }
  onClick("new", () => session.set("line", "null"));
  onClick("moves", (event) => {
    const link = event.target.closest("a");
    if (link && (puzzling || ended)) { event.preventDefault(); go(link.dataset.move); } else if (link) { remember(link.dataset.move); }
  });
  const relabel = () => {
    list();
    label();
    const value = byId("value");
    if (value) { value.textContent = standing(value.dataset.value); }
  };
  keep(unit, "unit", relabel);
  const pose = () => {
    const question = byId("question");
    if (!question || answer.over) { return; }
    showHints(false);
    if (answer.complete) { question.textContent = t(answer.unit === "points" ? "puzzle-points" : answer.result === "draw" ? "puzzle-draw" : "puzzle-win"); }
  };
  const showMode = () => { root.classList.toggle("best-only", mode.value === "best"); showHints(mode.value !== "ask"); };
  keep(mode, "shown", showMode);
  onClick("mainline", async () => {
    byId("line").textContent = "..";
    showLine(await ask(api("mainline", { ms: 3000 })));
  });
  const other = byId("parameters");
  onSubmit(other, () => reach(byId("name").value.trim(), null, [], refuser(other)));
  const name = data.game.replace(/[^\w.-]+/g, "-").slice(0, 60);
  const download = (blob, ending) => {
    const link = make("a", { href: URL.createObjectURL(blob), download: `${name}.${ending}` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };
  // The board with its values, on paper.
  const picture = async () => {
    const words = queryOf(data.fen, data.moves);
    words.set("game", data.game);
    words.set("values", String(!quiet()));
    return (await host.fetch(`/picture?${words}&light=true`)).text();
  };
  const save = {
    svg: async () => download(new Blob([await picture()], { type: "image/svg+xml" }), "svg"),
    png: async () => {
      const image = make("img", { src: `data:image/svg+xml,${encodeURIComponent(await picture())}` });
      await image.decode();
      const [width, height] = [2 * image.width, 2 * image.height];
      const pen = make("canvas", { width, height }).getContext("2d");
      pen.fillStyle = "#fff";
      pen.fillRect(0, 0, width, height);
      pen.drawImage(image, 0, 0, width, height);
      pen.canvas.toBlob((blob) => download(blob, "png"));
    },
    pgn: async () => {
      const { pgn } = await ask(api("pgn"));
      if (pgn) { download(new Blob([pgn]), "pgn"); } else { say(t("no-answer")); }
    },
    record: async () => {
      const moves = data.moves.map((word, i) => ({ by: data.turns[i], word }));
      const game = { line: "game", id: 1, game: data.game, start: data.fen ?? undefined, players: [player(1), player(2)], moves };
      download(new Blob([`${JSON.stringify(game)}\n`]), "jsonl");
    },
  };
  for (const button of every("[data-save]")) {
    listen(button, "click", () => save[button.dataset.save]().catch(() => say(t("no-answer"))));
  }

  press = (event) => {
    const found = { ArrowLeft: "back", ArrowRight: "forward", f: "flip", v: "hints", h: "hint", l: "mainline", p: "present", n: "new" }[event.key];
    const button = found && one(`#${found}:not(:disabled, [hidden])`);
    if (button) { event.preventDefault(); button.click(); }
    if (event.key === "Home" && data.moves.length) { event.preventDefault(); host.visit(address([])); }
    if (event.key === "End" && wentBack) { event.preventDefault(); host.visit(address(longest.moves)); }
    if (event.key === "Escape") {
      if (chosen.length) { release(); } else if (root.matches(".present")) { presented(false); }
    }
  };
  main().toggleAttribute("data-falls", columns);
  const past = byId("history");
  if (past) { past.scrollTop = past.scrollHeight; }

  // Moves alone go on from the position; a PGN, a record or a FEN is one of its own.
  const pasted = byId("pasted");
  open = (text) => {
    if (/[[{]|\/\S*\/|\d\.\s|^\s*[1-9]\d*\.+[a-z]/i.test(text)) { opener(pasted.form, data.game)(text); return; }
    const fen = byId("fen").value.trim();
    const [start, made] = fen === answer.position ? [data.fen, data.moves] : [fen, []];
    reach(data.game, start, [...made, ...text.split(/\s+/).filter(Boolean)], refuser(pasted.form));
  };
  onSubmit(pasted.form, () => open(pasted.value));
  build();
  showMode();
  onClick("hints", () => showHints(quiet()));
  if (mode.value !== "ask" && hinted === "off") { showHints(false); }
  presented(session.get("present") === "on");
  relabel();
  showAhead(answer.value);
  if (answer.complete) { remark(); }
  if (!play()) { look(); }
  pose();
  if (verdict) {
    say();
    if (verdict.next) { byId("search").append(make("a", { href: verdict.next, textContent: t("puzzle-next") })); }
    verdict = null;
  }
  keep(clock, "clock", runClock);
  runClock();
};

// Answers a form below its fields, in view; without a form at the top of the window.
const reply = (form, content, spoken) => {
  const within = form ?? main();
  const box = within.querySelector(":scope > .found") ?? make("div", { className: "found" });
  if (!box.isConnected) { within.insertBefore(box, form ? within.querySelector("button") : within.firstChild); }
  box.replaceChildren(content);
  announce(spoken);
  if (form) { box.scrollIntoView({ block: "nearest" }); }
};
// Says there why it was refused.
const refuser = (form) => (text) => reply(form, text, text);
// Shows a position, or has said why not.
const reach = async (game, fen, moves, refuse) => {
  const words = queryOf(fen, moves);
  words.set("ms", 0);
  const { error } = await ask(`/api/${encodeGame(game)}/position?${words}`);
  if (error) { refuse(error); } else { host.visit(addressOf(game, fen, moves)); }
};
const errorOf = ({ lost, error }, text) => lost && text.length > 4e6 ? t("too-large") : error;
// Uploads rules and shows their game.
const sendRules = async (text, refuse, then = (game) => host.visit(addressOf(game, null, []))) => {
  refuse("..");
  const answer = await ask("/api/rules", { method: "POST", body: text });
  if (answer.game) { then(answer.game); } else { refuse(errorOf(answer, text)); }
};
// Opens the game of a text, lists several as links below the form, and uploads rules.
function opener(form, game) {
  return async (content) => {
    const refuse = refuser(form);
    refuse("..");
    if (/^#players\b/m.test(content)) { sendRules(content, refuse); return; }
    const answer = await ask(`/api/read?${new URLSearchParams({ game })}`, { method: "POST", body: content });
    const linkTo = ({ game, fen, moves }) => addressOf(game, fen, moves);
    if (answer.error) {
      const line = content.trim();
      const refused = () => refuse(errorOf(answer, line));
      if (!line || line.includes("\n")) { refused(); } else { reach(game || "chess", line, [], refused); }
      return;
    }
    if (answer.games.length === 1) { host.visit(linkTo(answer.games[0])); return; }
    const box = make("ul");
    for (const game of answer.games) {
      const told = [t("listed-game", { ...game, moves: counted(game.moves.length, "move") }), game.slips && t("listed-slips", { count: game.slips }), game.note && `, ${game.note}`];
      const item = box.appendChild(make("li"));
      item.append(make("a", { href: host.link(linkTo(game)), textContent: told.filter(Boolean).join("") }));
    }
    reply(form, box, t("games-found", { count: answer.games.length }));
  };
}
page();
// Where pages come from a module of the page itself.
listen(document, "grundy-next", (event) => swap(event.detail));
})();
