"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const by = (id) => document.getElementById(id);
let game = 0, ply = 0;

function text(element, words) { element.textContent = words; return element; }

function graph(course) {
  const width = 520, height = 110, pad = 16;
  const known = course.filter((v) => v !== null);
  const top = Math.max(1, ...known.map(Math.abs));
  const x = (i) => pad + (width - 2 * pad) * (course.length > 1 ? i / (course.length - 1) : 0.5);
  const y = (v) => height / 2 - (height / 2 - pad) * v / top;
  const points = course.map((v, i) => v === null ? null : [x(i), y(v)]).filter((p) => p);
  const dots = course.map((v, i) => v === null ? "" :
    `<circle cx="${x(i)}" cy="${y(v)}" r="${i === ply ? 6 : 3}" class="${i === ply ? "here" : "there"}" data-ply="${i}"/>`);
  return `<svg width="${width}" height="${height}"><line x1="${pad}" x2="${width - pad}" y1="${height / 2}" y2="${height / 2}" class="axis"/>` +
    `<text x="2" y="12" font-size="11" class="label">player 1 +${top}</text>` +
    `<polyline class="course" points="${points.map((p) => p.join(",")).join(" ")}"/>${dots.join("")}</svg>`;
}

function show() {
  const g = data.games[game];
  document.querySelectorAll("#games tr.on").forEach((row) => row.classList.remove("on"));
  const row = document.querySelector(`#games tr[data-i="${game}"]`);
  if (row) row.classList.add("on");
  if (!g) {
    text(by("board"), "this game is listed without boards: the page would be too large");
    for (const id of ["where", "graph", "moves"]) text(by(id), "");
    return;
  }
  ply = Math.max(0, Math.min(ply, g.positions.length - 1));
  by("board").innerHTML = data.boards[g.boards[ply]];
  const last = ply > 0 ? g.moves[ply - 1] : null;
  const said = last ? `${g.players[last.by - 1]} played ${last.word} (${last.value ?? "?"}${last.us ? `, ${last.us} us` : ""})${last.slip ? ": " + last.slip : ""}` : "";
  text(by("where"), `game ${g.id}, ${g.game}, ply ${ply} of ${g.moves.length}: ${g.positions[ply]}. ${said}` +
    (ply === g.moves.length ? ` ${g.result} {${g.reason}}` : ""));
  by("graph").innerHTML = graph(g.course);
  const moves = by("moves");
  moves.replaceChildren();
  if (g.opening.length) moves.append(text(document.createElement("i"), `${g.opening.join(" ")} `));
  g.moves.forEach((m, i) => {
    const span = text(document.createElement("span"), m.word);
    span.dataset.ply = i + 1;
    if (m.slip) { span.classList.add(m.hard ? "slip" : "soft"); span.title = m.slip; }
    if (i + 1 === ply) span.classList.add("on");
    moves.append(span, " ");
  });
}

document.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], Home: [0, -1e9], End: [0, 1e9] }[event.key];
  if (!step || !data.games.length) return;
  event.preventDefault();
  if (step[0]) { game = Math.max(0, Math.min(game + step[0], data.games.length - 1)); ply = 0; } else ply += step[1];
  show();
});
document.addEventListener("click", (event) => {
  const row = event.target.closest("#games tr[data-i]");
  const at = event.target.dataset ? event.target.dataset.ply : undefined;
  if (row) { game = Number(row.dataset.i); ply = 0; } else if (at !== undefined) ply = Number(at); else return;
  show();
});
if (data.games.length) show();
