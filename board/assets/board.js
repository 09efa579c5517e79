// The board's page: clicks and keys on the board, values that take time, engines at the board.
// Everything that it does leads to the address of a position; the page is whole without it.
"use strict";
(() => {
// Who answers: the server that the page is from, or a module in the page itself (web/demo.js).
const host = window.grundyHost ?? {
  fetch: (url, options) => fetch(url, options),
  events: (url) => new EventSource(url),
  visit: (url) => { location.href = url; },
  replace: (url) => { location.replace(url); },
  stay: (url) => { history.replaceState(null, "", url); },
  link: (url) => url,
};
const page = () => {
  const byId = (id) => document.getElementById(id);
  const dataElement = document.getElementById("data");
  const read = document.getElementById("read");
  if (read) { opener(read, byId("text"), ""); }
  const rules = document.getElementById("rules");
  if (rules) {
    rules.addEventListener("submit", async (event) => {
      event.preventDefault();
      const said = rules.querySelector("#refusal");
      try {
        const found = await (await host.fetch("/api/rules", { method: "POST", body: rules.querySelector("textarea").value })).json();
        if (found.game) { host.visit(`/game/${encodeURIComponent(found.game)}`); } else { said.textContent = found.error; }
      } catch { said.textContent = "The rules could not be sent."; }
    });
  }
  if (!dataElement) { return; }
  const data = JSON.parse(dataElement.textContent);
  const answer = data.answer;
  const svg = document.querySelector("#board svg");
  const store = {
    get: (key) => { try { return localStorage.getItem(key); } catch { return null; } },
    set: (key, value) => { try { localStorage.setItem(key, value); } catch { /* private window */ } },
  };

  // ---- addresses ----
  const query = (moves) => {
    const words = new URLSearchParams();
    if (data.fen) { words.set("fen", data.fen); }
    if (moves.length) { words.set("moves", moves.join(" ")); }
    return words;
  };
  const encodeGame = (game) => encodeURIComponent(game).replace(/%3A/g, ":").replace(/%2C/g, ",");
  const address = (moves) => {
    const words = query(moves).toString();
    return `/game/${encodeGame(data.game)}${words ? "?" + words : ""}`;
  };
  const api = (what, moves, more = {}) => {
    const words = query(moves);
    for (const [key, value] of Object.entries(more)) { words.set(key, value); }
    return `/api/${encodeGame(data.game)}/${what}?${words}`;
  };
  // The line of play that was taken back from, with whose turn it was: a position within it was reached by going back.
  const line = `${data.game}|${data.fen ?? ""}`;
  const keepLine = (moves, turns) => {
    try { sessionStorage.setItem("grundy.line", JSON.stringify({ line, moves, turns })); } catch { /* private window */ }
  };
  const longest = (() => { try { return JSON.parse(sessionStorage.getItem("grundy.line") ?? "null"); } catch { return null; } })();
  const wentBack = Boolean(longest && longest.line === line && longest.moves.length > data.moves.length
    && data.moves.every((word, i) => longest.moves[i] === word));
  if (!wentBack) { keepLine(data.moves, data.turns); }
  // A move that is made is a new line, also where it was made before.
  const remember = (word) => keepLine([...data.moves, word], data.turns);
  const go = (word, visit = host.visit) => { remember(word); visit(address([...data.moves, word])); };

  // ---- values in words ----
  const unit = byId("unit");
  // The mark of an estimate or of a bound, said as one of three marks, and the value behind it.
  const qualified = (value, estimate, least, most) => {
    const mark = /^(~|>=|<=)?/.exec(value)[0];
    return [{ "~": estimate, ">=": least, "<=": most }[mark] ?? "", value.slice(mark.length)];
  };
  const short = (value) => {
    const [open, bare] = qualified(value, "~", "\u2265", "\u2264");
    const [kind, plies] = bare.split(":");
    const inMoves = unit && unit.value === "moves";
    const count = (n) => (inMoves ? Math.ceil(Number(n) / 2) : n);
    if (plies !== undefined) { return open + (kind === "win" ? "+" : "\u2212") + count(plies); }
    return open + ({ win: "+", loss: "\u2212", draw: "=" }[bare] ?? bare.replace("-", "\u2212"));
  };
  const spoken = (value) => {
    const [open, bare] = qualified(value, "probably ", "at least ", "at most ");
    if (bare.includes("win:")) { return open + bare.replace(/win:(\d+)/, "wins in $1 plies"); }
    if (bare.includes("loss:")) { return open + bare.replace(/loss:(\d+)/, "loses in $1 plies"); }
    return open + ({ win: "wins", loss: "loses", draw: "draws", "?": "not proved" }[bare] ?? `${bare.replace("-", "minus ")} points`);
  };
  // The same words as the page came with.
  const standing = (value) => {
    const [open, bare] = qualified(value, "probably ", "at least ", "at most ");
    const [kind, plies] = bare.split(":");
    const length = plies === undefined ? "" : ` in ${plies} ${plies === "1" ? "ply" : "plies"}`;
    const words = {
      win: `+ wins${length}`, loss: `\u2212 player ${3 - answer.turn} wins${length}`, draw: "= a draw with best play", "?": "not proved yet",
    };
    return open + (words[kind] ?? `${kind.replace("-", "\u2212")} points to come`);
  };
  const loonySpoken = (mark) => ({ v: ", you make the next loony move", "^": ", the other makes the next loony move" }[mark] ?? "");
  const values = new Map(answer.moves.map((m) => [m.move, m]));

  // ---- places on the board ----
  const NS = "http://www.w3.org/2000/svg";
  const places = new Map();
  const words = answer.moves.map((m) => m.move);
  let chosen = [];

  // The places that a move's word names, in order.
  const tokens = (word) => {
    if (places.has(word)) { return [word]; }
    if (/^[a-z]$/.test(word)) { return [...places.keys()].filter((at) => at.startsWith(word)).slice(0, 1); }
    // Cells with names of their own, joined by hyphens.
    const parts = word.split("-");
    if (parts.length > 1 && parts.every((at) => places.has(at))) { return parts; }
    const cells = word.match(/[a-z]+\d+/g);
    if (cells && cells.length && cells.every((at) => places.has(at))) { return cells; }
    const numbers = word.match(/\d+/g);
    // A coin that leaves the board goes to a number that is no place.
    if (numbers && !/[a-z:+]/i.test(word) && places.has(numbers[0])) { return numbers.filter((at) => places.has(at)); }
    // What stands behind such a cell sets moves apart.
    const longest = (part) => [...places.keys()].filter((at) => part.startsWith(at)).sort((a, b) => b.length - a.length)[0];
    const own = parts.map((part) => (places.has(part) ? part : longest(part)));
    if (own.every((at) => at !== undefined)) { return own; }
    return [];
  };
  let named = new Map();
  const columns = words.length > 0 && words.every((word) => /^[a-z]$/.test(word));
  const placeOf = (at) => (columns ? [...places.keys()].find((other) => other[0] === at[0]) : at);

  const candidates = (list) => {
    const begin = words.filter((word) => list.every((at, i) => named.get(word)[i] === at));
    if (begin.length) { return begin; }
    return words.filter((word) => { const all = named.get(word); return all.length && list.every((at) => all.includes(at)); });
  };

  const say = (text) => { const s = byId("search"); if (s) { s.textContent = text; } };

  const choose = (at) => {
    const place = placeOf(at);
    // Of a heap's counters those that lie on the one that is taken go too; a heap can be chosen where no count fits.
    const again = chosen.length && chosen[chosen.length - 1] === place;
    let list = again ? chosen : [...chosen, place];
    let found = candidates(list);
    if (!found.length) { list = [place]; found = candidates(list); }
    if (!found.length) { chosen = []; mark(); offer([]); say("No move begins there."); return; }
    const whole = found.filter((word) => named.get(word).length === list.length || new Set(named.get(word)).size === new Set(list).size);
    if (whole.length === 1 && (found.length === 1 || again)) { go(whole[0]); return; }
    if (found.length === 1) { go(found[0]); return; }
    chosen = list;
    mark();
    offer(found);
  };
  const mark = () => {
    for (const [at, shape] of places) { shape.classList.toggle("chosen", chosen.includes(at)); }
  };
  const offer = (list) => {
    let box = byId("choice");
    if (!box) { box = document.createElement("div"); box.id = "choice"; byId("board").after(box); }
    box.replaceChildren();
    for (const word of list.slice(0, 24)) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = values.get(word)?.note ?? word;
      button.addEventListener("click", () => go(word));
      box.append(button);
    }
    if (list.length > 24) { box.append(`.. and ${list.length - 24} more: choose another place`); }
    for (const link of document.querySelectorAll("#moves a")) { link.classList.toggle("near", list.includes(link.dataset.move)); }
  };

  const build = () => {
    if (!svg || answer.over) { if (svg) { svg.setAttribute("role", "img"); svg.setAttribute("aria-label", answer.position); } return; }
    const shapes = [...svg.querySelectorAll("[data-at]")];
    for (const shape of shapes) { places.set(shape.dataset.at, null); }
    named = new Map(words.map((word) => [word, tokens(word)]));
    const used = new Set(words.flatMap((word) => named.get(word)));
    if (!used.size) { places.clear(); svg.setAttribute("role", "img"); svg.setAttribute("aria-label", answer.position); return; }
    svg.setAttribute("role", "grid");
    svg.setAttribute("aria-label", `Board of ${data.game}`);
    for (const child of svg.querySelectorAll("text")) { child.setAttribute("aria-hidden", "true"); }
    const layer = document.createElementNS(NS, "g");
    const rows = new Map();
    for (const shape of shapes) {
      const at = shape.dataset.at;
      const place = document.createElementNS(NS, shape.tagName);
      for (const { name, value } of shape.attributes) { if (name !== "class") { place.setAttribute(name, value); } }
      const line = shape.tagName === "path" && !/z$/i.test(shape.getAttribute("d"));
      place.setAttribute("class", line ? "place line" : "place");
      place.setAttribute("role", "gridcell");
      place.setAttribute("tabindex", "-1");
      const key = Math.round(shape.getBBox().y * 4);
      if (!rows.has(key)) {
        const row = document.createElementNS(NS, "g");
        row.setAttribute("role", "row");
        rows.set(key, row);
      }
      rows.get(key).append(place);
      places.set(at, place);
      place.addEventListener("click", () => choose(at));
      place.addEventListener("keydown", keys);
    }
    for (const key of [...rows.keys()].sort((a, b) => a - b)) { layer.append(rows.get(key)); }
    svg.append(layer);
    const first = [...used].find((at) => places.get(at)) ?? places.keys().next().value;
    places.get(first).setAttribute("tabindex", "0");
    label();
  };

  const centre = (shape) => { const box = shape.getBBox(); return [box.x + box.width / 2, box.y + box.height / 2]; };
  // The nearest place in the direction of an arrow key.
  const neighbour = (from, dx, dy) => {
    const [x, y] = centre(from);
    let best = null;
    let least = Infinity;
    for (const shape of places.values()) {
      const [u, v] = centre(shape);
      const along = (u - x) * dx + (v - y) * dy;
      const aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
      if (along > 0.05 && along + 3 * aside < least) { least = along + 3 * aside; best = shape; }
    }
    return best;
  };
  const keys = (event) => {
    const flipped = svg.classList.contains("flipped") ? -1 : 1;
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const here = event.currentTarget;
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(here.dataset.at); return; }
    if (event.key === "Escape") { chosen = []; mark(); offer([]); return; }
    const step = arrows[event.key];
    if (!step) { return; }
    event.preventDefault();
    const next = neighbour(here, step[0] * flipped, step[1] * flipped);
    if (next) {
      here.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    }
  };

  // The best value among the moves that begin at a place, as a sign on it and in its name.
  const label = () => {
    for (const old of svg.querySelectorAll(".hint")) { old.remove(); }
    const hints = new Map();
    for (const word of words) {
      const all = named.get(word);
      if (!all.length) { continue; }
      const at = all.length > 1 && all.length === 2 && places.has(word) ? word : all[0];
      // The list is sorted, best first.
      if (!hints.has(at)) { hints.set(at, values.get(word)); }
    }
    const crowded = hints.size > 130;
    const men = [...svg.querySelectorAll("circle, ellipse, path.x, text:not(.l):not(.hint):not(.m)")].filter((shape) => !shape.dataset.at)
      .map((shape) => { shape.classList.remove("raised"); return { shape, at: centre(shape) }; });
    // Pixels of a cell: where they are few, what stands alone in a cell is larger.
    const cell = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    for (const [at, shape] of places) {
      const found = hints.get(at) ?? (columns ? hints.get(placeOf(at)) : undefined);
      shape.setAttribute("aria-label", found ? `${at}: ${spoken(found.value)}${loonySpoken(found.loony)}` : at);
      if (!found || crowded || (columns && placeOf(at) !== at)) { continue; }
      const [x, y] = centre(shape);
      const text = document.createElementNS(NS, "text");
      text.setAttribute("class", `hint ${found.result}`);
      text.setAttribute("aria-hidden", "true");
      text.textContent = short(found.value);
      if (text.textContent.length === 1) { text.classList.add("sign"); }
      // Who makes the next loony move stands behind the value; nothing where nobody does. The list says what is open.
      if ("v^".includes(found.loony ?? " ")) { text.textContent += found.loony; }
      // Below the man or the number in the cell, which makes room, else in the middle.
      const there = shape.tagName === "path" || shape.tagName === "line" ? [] : men.filter(({ at: [u, v] }) => Math.abs(u - x) < 0.3 && Math.abs(v - y) < 0.3);
      for (const man of there) { man.shape.classList.add("raised"); }
      const taken = there.length > 0;
      if (!taken && cell < 45 && text.textContent.length < 4) { text.classList.add("large"); }
      text.setAttribute("x", x);
      text.setAttribute("y", taken ? y + 0.43 : y + 0.11);
      svg.append(text);
    }
  };

  // ---- the list ----
  const list = () => {
    const order = [...answer.moves];
    const box = byId("moves");
    if (!box) { return; }
    const links = new Map([...box.querySelectorAll("a")].map((a) => [a.dataset.move, a.parentElement]));
    for (const m of order) {
      const item = links.get(m.move);
      if (!item) { continue; }
      const value = item.querySelector(".v");
      value.textContent = short(m.value);
      value.dataset.value = m.value;
      value.className = `v ${m.result}`;
      if (m.loony) {
        const mark = item.querySelector(".loony") ?? value.parentElement.appendChild(Object.assign(document.createElement("span"), { className: "loony" }));
        mark.textContent = m.loony;
      }
      box.append(item);
    }
  };
  const showRemarks = (list) => {
    const lines = list.map((text) => {
      const span = document.createElement("span");
      span.className = "remark";
      span.textContent = text;
      return [document.createElement("br"), span];
    });
    byId("remarks").replaceChildren(...lines.flat());
  };
  // Who makes the next loony move, from here and after each move.
  const nextLoony = (mark) => ({
    v: `Next loony move: player ${answer.turn} (v).`, "^": `Next loony move: player ${3 - answer.turn} (^).`, "-": "Nobody makes a loony move.",
  }[mark] ?? "Next loony move: not found yet (?).");
  const showLoony = (states) => {
    if (!states) { return; }
    for (const m of answer.moves) { m.loony = states.moves[m.move] ?? m.loony; }
    const place = byId("loony");
    if (place) { place.textContent = ` ${nextLoony(states.state)}`; place.dataset.mark = states.state; }
    list();
    if (places.size) { label(); }
  };
  const refresh = (found) => {
    Object.assign(answer, found);
    values.clear();
    for (const m of found.moves) { values.set(m.move, m); }
    words.splice(0, words.length, ...found.moves.map((m) => m.move));
    list();
    if (places.size) { label(); }
    const value = byId("value");
    if (value) { value.textContent = standing(found.value); value.dataset.value = found.value; value.className = `v ${found.result}`; }
    const loony = byId("loony");
    if (loony && found.loony) { loony.textContent = ` ${nextLoony(found.loony)}`; loony.dataset.mark = found.loony; }
    showRemarks(found.remarks ?? []);
    for (const select of sides) { select.querySelector("[value=perfect]").textContent = found.complete ? "grundy, perfect" : "grundy"; }
    const known = found.source ? `Known, proved by ${found.source}. ` : "";
    say(known + (found.complete ? "" : "Not everything is proved; ? marks what is open."));
  };
  // Tables that are built and bounds that are proved, as they come; at last the answer.
  const look = (again = 0) => {
    if (answer.complete || answer.over) { return; }
    if (!again) { say("Searching .."); }
    const events = host.events(api("watch", data.moves, { ms: 4000 }));
    events.addEventListener("progress", (event) => {
      const { what, done, total } = JSON.parse(event.data);
      say(`Searching: a table is being built, ${what}${total ? `, ${Math.floor(100 * done / total)} %` : ""}`);
    });
    events.addEventListener("info", (event) => {
      const info = JSON.parse(event.data);
      say(`Searching: ${info.bound} ${info.value}, depth ${info.depth}, ${info.nodes.toLocaleString("en")} nodes`);
    });
    events.addEventListener("done", (event) => {
      events.close();
      const found = JSON.parse(event.data);
      if (found.error) { say(found.error); return; }
      refresh(found.answer);
      if (found.building && again < 60) {
        say("Searching: a table is being built in the background ..");
        setTimeout(() => { if (dataElement.isConnected) { look(again + 1); } }, 1000);
      }
    });
    events.addEventListener("error", () => { events.close(); say("No answer from the board's server."); });
  };

  // What takes a search to say comes later. Loony states that are open then may be found soon: a server makes a table of them.
  const remark = async (again = 0) => {
    if (answer.over || !(answer.remarks?.length || answer.loony)) { return; }
    try {
      const response = await host.fetch(api("remarks", data.moves, { ms: again ? 500 : 5000 }));
      if (!response.ok) { return; }
      const said = await response.json();
      if (!again) { showRemarks(said.remarks); }
      showLoony(said.loony);
      if (said.loony?.state === "?" && again < 20 && !window.grundyHost) {
        setTimeout(() => { if (dataElement.isConnected) { remark(again + 1); } }, 3000);
      }
    } catch { /* what is there stays */ }
  };

  // Judges the game from its last move to its first: at once when it is over, else when asked.
  const review = async () => {
    const button = byId("review");
    button.disabled = true;
    button.textContent = "Reviewing ..";
    try {
      const response = await host.fetch(api("review", data.moves, { ms: answer.over ? 10000 : 5000 }));
      const found = await response.json();
      if (found.error || !dataElement.isConnected) { return; }
      byId("game-section").outerHTML = found.html;
      byId("game-section").querySelectorAll("a").forEach((link) => { link.setAttribute("href", host.link(link.getAttribute("href"))); });
    } catch { button.textContent = "Review"; button.disabled = false; }
  };
  const aside = byId("review");
  if (aside) {
    aside.hidden = false;
    aside.addEventListener("click", review);
    if (answer.over) { review(); }
  }

  // ---- who plays ----
  const sides = [byId("player1"), byId("player2")];
  sides.forEach((select, i) => {
    const kept = store.get(`grundy.player${i + 1}`);
    if (kept && [...select.options].some((option) => option.value === kept)) { select.value = kept; }
    select.addEventListener("change", () => { store.set(`grundy.player${i + 1}`, select.value); waits = false; aim(); play(); });
  });
  let asked = false;
  // An engine never moves unasked in a position that was reached by going back.
  let waits = wentBack;
  // Engine against engine: the moves come by themselves, each judged as it is made.
  let match = null;
  const watch = () => {
    match = host.events(api("match", data.moves, { one: sides[0].value, two: sides[1].value, ms: 1000 }));
    document.querySelector("main").classList.add("watching");
    const slips = { lost: 0, longer: 0, proved: 0, made: 0 };
    const board = byId("board");
    const standing = byId("standing");
    say("Watching: every move is judged as it is made.");
    match.addEventListener("move", (event) => {
      const made = JSON.parse(event.data);
      data.moves.push(made.move);
      board.innerHTML = made.svg;
      board.firstElementChild?.setAttribute("role", "img");
      board.firstElementChild?.setAttribute("aria-label", made.position);
      board.firstElementChild?.classList.toggle("flipped", store.get("grundy.flip") === "on");
      answer.position = made.position;
      byId("fen").value = made.position;
      byId("text-board").textContent = made.text;
      byId("choice")?.remove();
      slips.made += 1;
      slips.proved += Number(made.proved);
      const word = made.note ?? made.move;
      const judgement = made.slip ?? (made.proved ? "best" : "not compared, no exact value is known");
      standing.textContent = `Player ${made.by} played ${word}: ${judgement}.${made.tally ? ` ${made.tally}` : ""}`;
      byId("none")?.remove();
      for (const link of document.querySelectorAll("#history [aria-current]")) { link.removeAttribute("aria-current"); }
      const item = document.createElement("li");
      const link = Object.assign(document.createElement("a"), { href: host.link(address(data.moves)), textContent: made.move });
      link.setAttribute("aria-current", "true");
      item.append(link);
      if (made.slip) {
        slips[made.loses ? "lost" : "longer"] += 1;
        item.classList.toggle("slip", made.loses);
        item.append(Object.assign(document.createElement("span"), { className: "mark", title: made.slip, textContent: made.loses ? "?" : "~" }));
        byId("slips").append(Object.assign(document.createElement("li"), { textContent: `Move ${data.moves.length}, ${made.move}: ${made.slip}` }));
      }
      byId("history").append(item);
      byId("audit").textContent = `Audit: ${slips.proved} of ${slips.made} moves compared with exact values, ${slips.lost} gave value away, ${slips.longer} kept it by a longer way or lost sooner.`;
      host.stay(address(data.moves));
    });
    match.addEventListener("end", (event) => {
      match.close();
      const { error } = JSON.parse(event.data);
      if (error) { say(error); } else { host.visit(address(data.moves)); }
    });
    match.addEventListener("error", () => { match.close(); say("The match broke off: reload the page to go on."); });
  };
  const engineMove = byId("engine-move");
  // Has an engine move if it is its turn; says whether it does.
  const play = () => {
    if (match) { match.close(); host.visit(address(data.moves)); return true; }
    const who = sides[answer.turn - 1].value;
    engineMove.hidden = !who || Boolean(answer.over) || !waits;
    if (!who || answer.over || asked || waits) { return false; }
    if (sides.every((side) => side.value)) { watch(); } else { move(who); }
    return true;
  };
  engineMove.addEventListener("click", () => { waits = false; play(); });
  const move = async (who) => {
    asked = true;
    const more = { ms: 1000 };
    if (who === "slips") { more.slips = 30; }
    if (who.startsWith("engine ")) { more.engine = who.slice(7); }
    try {
      const response = await host.fetch(api("move", data.moves, more));
      const found = await response.json();
      if (found.error) { say(found.error); return; }
      // In place of this page: going back leads to the person's last turn.
      setTimeout(() => { if (dataElement.isConnected && sides[answer.turn - 1].value === who) { go(found.move, host.replace); } else { asked = false; } }, 150);
    } catch { say("No answer from the board's server."); }
  };

  // ---- controls ----
  const root = document.documentElement;
  const hints = byId("hints");
  const showHints = (on) => { root.classList.toggle("quiet", !on); hints.setAttribute("aria-pressed", String(on)); store.set("grundy.hints", on ? "on" : "off"); };
  showHints(store.get("grundy.hints") !== "off");
  hints.addEventListener("click", () => showHints(root.classList.contains("quiet")));
  const flip = byId("flip");
  const flipped = (on) => { if (svg) { svg.classList.toggle("flipped", on); } flip.setAttribute("aria-pressed", String(on)); store.set("grundy.flip", on ? "on" : "off"); };
  flipped(store.get("grundy.flip") === "on");
  flip.addEventListener("click", () => flipped(!svg.classList.contains("flipped")));
  const copy = async (text, button) => {
    try { await navigator.clipboard.writeText(text); button.textContent = "Copied"; } catch { prompt("Copy this:", text); }
  };
  byId("copy-position").addEventListener("click", (event) => copy(answer.position, event.target));
  byId("copy-link").addEventListener("click", (event) => copy(location.href, event.target));
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
    const forward = byId("forward");
    forward.disabled = false;
    forward.addEventListener("click", () => {
      let at = data.moves.length + 1;
      while (at < longest.moves.length && !persons(longest.turns, at)) { at += 1; }
      host.visit(address(longest.moves.slice(0, at)));
    });
  }
  byId("new").addEventListener("click", () => { try { sessionStorage.removeItem("grundy.line"); } catch { /* private window */ } });
  byId("moves")?.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (link) { remember(link.dataset.move); }
  });
  if (unit) {
    const kept = store.get("grundy.unit");
    if (kept && [...unit.options].some((option) => option.value === kept)) { unit.value = kept; }
    unit.addEventListener("change", () => { store.set("grundy.unit", unit.value); list(); if (places.size) { label(); } });
  }
  byId("mainline")?.addEventListener("click", async () => {
    const box = byId("line");
    box.textContent = "..";
    try {
      const found = await (await host.fetch(api("mainline", data.moves, { ms: 3000 }))).json();
      box.textContent = found.error ?? `${found.exact ? "" : "not proved: "}${found.moves.join(" ") || "the game is over"}`;
    } catch { box.textContent = "No answer from the board's server."; }
  });
  byId("parameters").addEventListener("submit", (event) => {
    event.preventDefault();
    host.visit(`/game/${encodeGame(byId("name").value.trim())}`);
  });
  document.body.addEventListener("keydown", (event) => {
    if (event.target.closest("input, textarea, select, [role=gridcell]") || event.ctrlKey || event.metaKey || event.altKey) { return; }
    if (event.key === "ArrowLeft") { byId("back")?.click(); }
    if (event.key === "ArrowRight") { byId("forward").click(); }
  });

  // Moves alone are sent as a form; a PGN or a record is read first.
  opener(byId("pasted").form, byId("pasted"), data.game, (text) => /[[{]|\d\./.test(text));
  build();
  list();
  if (answer.complete) { remark(); }
  if (!play()) { look(); }

  // A text or a file with games: their links. What `reads` refuses is left to the form.
  function opener(form, text, game, reads = () => true) {
    const found = form.querySelector("#found");
    const open = async (content) => {
      found.textContent = "..";
      try {
        const response = await host.fetch(`/api/read?${new URLSearchParams({ game })}`, { method: "POST", body: content });
        const answer = await response.json();
        if (answer.error) { found.textContent = answer.error; return; }
        const linkTo = (found) => {
          const words = new URLSearchParams();
          if (found.fen) { words.set("fen", found.fen); }
          if (found.moves.length) { words.set("moves", found.moves.join(" ")); }
          return `/game/${encodeURIComponent(found.game)}?${words}`;
        };
        if (game && answer.games.length === 1) { host.visit(linkTo(answer.games[0])); return; }
        const box = document.createElement("ul");
        for (const game of answer.games) {
          const item = document.createElement("li");
          const link = document.createElement("a");
          link.href = host.link(linkTo(game));
          link.textContent = `${game.title}: ${game.game}, ${game.moves.length} moves${game.slips ? `, ${game.slips} slips` : ""}${game.note ? `, ${game.note}` : ""}`;
          item.append(link);
          box.append(item);
        }
        found.replaceChildren(box);
      } catch { found.textContent = "The text could not be read: it may be larger than 4 MB."; }
    };
    form.addEventListener("submit", (event) => { if (reads(text.value)) { event.preventDefault(); open(text.value); } });
    document.body.addEventListener("dragover", (event) => { event.preventDefault(); form.classList.add("drag"); });
    document.body.addEventListener("dragleave", () => form.classList.remove("drag"));
    document.body.addEventListener("drop", async (event) => {
      event.preventDefault();
      form.classList.remove("drag");
      const file = event.dataTransfer.files[0];
      if (file) { open(await file.text()); }
    });
  }
};
page();
// Where pages come without being loaded anew.
document.addEventListener("grundy-page", page);
})();
