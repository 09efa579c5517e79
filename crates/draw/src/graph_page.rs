//! A [`Graph`] as one page: the picture, and a slider over the rounds of retrograde analysis.

use std::fmt::Write as _;

use crate::graph::Graph;
use crate::graph_svg::svg;
use crate::parts::escape;

/// Writes the page. It needs no other file and no network. The slider begins at `round`, or behind the last round.
pub fn page(graph: &Graph, round: Option<u32>) -> String {
    let game = escape(&graph.game);
    let last = graph.rounds;
    let now = round.unwrap_or(last).min(last);
    let mut rounds = String::new();
    for round in 0..last {
        let [won, drawn, lost] = graph.count(Some(round));
        let _ = write!(rounds, "[{won},{drawn},{lost}],");
    }
    let [won, drawn, lost] = graph.count(None);
    let _ = write!(rounds, "[{won},{drawn},{lost}]");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{game}: retrograde analysis</title>\n<style>{STYLE}</style>\n\
         <header>\n<h1>{game}</h1>\n<p>{count} positions. Solid border: player one to move; dashed: player two. \
         <span class=\"k won\">won</span> <span class=\"k drawn\">drawn</span> <span class=\"k lost\">lost</span> \
         for the player to move.</p>\n\
         <p class=\"controls\"><button id=\"back\" aria-label=\"previous round\">&#9664;</button>\n\
         <input id=\"round\" type=\"range\" min=\"0\" max=\"{last}\" value=\"{now}\" aria-label=\"round\">\n\
         <button id=\"on\" aria-label=\"next round\">&#9654;</button>\n\
         <output id=\"said\" aria-live=\"polite\"></output></p>\n</header>\n\
         <main tabindex=\"0\" aria-label=\"the graph\">\n{picture}</main>\n\
         <script>const rounds=[{rounds}];{SCRIPT}</script>\n</html>\n",
        count = graph.nodes.len(),
        picture = svg(graph, None),
    )
}

const STYLE: &str = ":root{color-scheme:light dark}body{margin:0;font:16px/1.4 system-ui,sans-serif;\
    background:light-dark(#fff,#14181d);color:light-dark(#1d2733,#eef2f6)}\
    header{padding:.5rem 1rem;position:sticky;left:0;top:0;background:inherit;z-index:1}\
    h1{font-size:1.3rem;margin:0}p{margin:.3rem 0}\
    .controls{display:flex;gap:.6rem;align-items:center;flex-wrap:wrap}\
    .controls input{flex:1 1 12rem;max-width:40rem}.controls button{font:inherit;min-width:2.6rem;min-height:2.2rem}\
    output{flex:1 1 100%;font-weight:600;min-height:1.5em}\
    .k{padding:0 .4rem;border-radius:.3rem;border:1px solid}\
    .k.won{background:light-dark(#bfe6c3,#1f6b3a)}.k.drawn{background:light-dark(#e3ddcf,#55503f)}\
    .k.lost{background:light-dark(#f4c1bd,#8c2f2f)}\
    main{overflow:auto}svg.graph{display:block;margin:0 auto}";

const SCRIPT: &str = r#"
const slider=document.getElementById("round"),said=document.getElementById("said"),last=rounds.length-1;
const boxes=[...document.querySelectorAll("svg.graph .n,svg.graph .e.b")];
const words=([won,drawn,lost])=>[[won,"won"],[drawn,"drawn"],[lost,"lost"]].filter(x=>x[0]).map(x=>x.join(" ")).join(", ");
function show(){
  const now=+slider.value;
  for(const box of boxes){
    const found=box.dataset.round===undefined?last:+box.dataset.round;
    box.classList.toggle("hidden",found>now);
    box.classList.toggle("new",found===now&&now>0);
  }
  const what=words(rounds[now]);
  said.textContent=now===0?"Round 0, finished positions: "+what
    :now<last?"Round "+now+": "+what
    :what?"No round finds the others: "+what:"All positions are found";
}
const step=by=>{slider.value=+slider.value+by;show()};
slider.addEventListener("input",show);
document.getElementById("back").addEventListener("click",()=>step(-1));
document.getElementById("on").addEventListener("click",()=>step(1));
document.addEventListener("keydown",event=>{
  if(event.target===slider||event.ctrlKey||event.metaKey||event.altKey)return;
  if(event.key==="ArrowRight"||event.key==="ArrowLeft"){step(event.key==="ArrowRight"?1:-1);event.preventDefault()}
});
show();
"#;
