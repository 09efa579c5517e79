// The slider over the rounds of retrograde analysis; listens to the document, so that the picture may be replaced.
(() => {
  const byId = (id) => document.getElementById(id);
  // A text in the language of the page, if that has such texts, with its words in braces filled in.
  const say = (key, text, words = {}) => (window.grundyTexts?.[key] ?? text).replace(/\{(\w+)\}/g, (_, name) => words[name]);
  const counted = ([won, drawn, lost]) => [won && say("won", "{count} won", { count: won }), drawn && say("drawn", "{count} drawn", { count: drawn }),
    lost && say("lost", "{count} lost", { count: lost })].filter(Boolean).join(", ");
  const show = () => {
    const slider = byId("round");
    if (!slider) { return; }
    const rounds = JSON.parse(slider.dataset.rounds), last = rounds.length - 1, now = Number(slider.value);
    for (const box of document.querySelectorAll("svg.whole .n, svg.whole .e.b")) {
      const found = Number(box.dataset.round ?? last);
      box.classList.toggle("hidden", found > now);
      box.classList.toggle("new", found === now && now > 0);
    }
    const what = counted(rounds[now]);
    byId("round-said").textContent = now === 0 ? say("round-first", "Round 0, finished positions: {what}", { what })
      : now < last ? say("round-now", "Round {now}: {what}", { now, what })
      : what ? say("round-rest", "No round finds the others: {what}", { what }) : say("round-all", "All positions are found");
  };
  const step = (by) => { const slider = byId("round"); if (slider) { slider.value = Number(slider.value) + by; show(); } };
  document.addEventListener("input", (event) => { if (event.target.id === "round") { show(); } });
  document.addEventListener("click", (event) => {
    if (event.target.id === "round-back") { step(-1); }
    if (event.target.id === "round-on") { step(1); }
  });
  // On the board's page arrow keys go through the game, unless the slider has the focus.
  document.addEventListener("keydown", (event) => {
    if (byId("data") || event.target.id === "round" || event.ctrlKey || event.metaKey || event.altKey) { return; }
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") { step(event.key === "ArrowRight" ? 1 : -1); event.preventDefault(); }
  });
  // A page may be replaced in place.
  new MutationObserver(() => {
    const slider = byId("round");
    if (!slider || slider.dataset.shown) { return; }
    slider.dataset.shown = "yes";
    slider.setAttribute("aria-label", say("round", "Round"));
    byId("round-back").setAttribute("aria-label", say("round-back", "Previous round"));
    byId("round-on").setAttribute("aria-label", say("round-on", "Next round"));
    show();
  }).observe(document.body, { childList: true, subtree: true });
  show();
})();
