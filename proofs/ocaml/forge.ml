(* Tries forged certificates on the checker until COUNT are refused: `forge COUNT SEED`. Sections of small games are worked
   out honestly, changed as a forger would, and made to fit together again; whatever is accepted is judged by a solver of
   another kind, which sweeps over all positions until nothing changes. The forgeries are those of the tests of the Rust
   checker (referee/src/certificate/tests.rs). Nothing here is part of what is proved. *)

open Extracted

type worth = W of int option | D | L of int option | M of int
type place = { mover : player; steps : (string * string * bool * int * worth option) list }
type line = { at : string; v : worth; move : string; rk : int option; pt : int option }

let rec of_positive = function XH -> 1 | XO p -> 2 * of_positive p | XI p -> (2 * of_positive p) + 1
let of_z = function Z0 -> 0 | Zpos p -> of_positive p | Zneg p -> -of_positive p
let most_plies = 805306367
let most_points = 134217727

(* A value one move back, and their order. *)
let back passes gain v =
  let v = if not passes then v else match v with W d -> L d | L d -> W d | D -> D | M m -> M (-m) in
  let far d = Option.map (fun d -> min most_plies (d + 1)) d in
  match v with W d -> W (far d) | L d -> L (far d) | D -> D | M m -> M (max (-most_points) (min most_points (m + gain)))

let key = function
  | M m -> m | D -> 0
  | W None -> 1 lsl 40 | W (Some d) -> (1 lsl 41) - d
  | L None -> -(1 lsl 40) | L (Some d) -> d - (1 lsl 41)

let best values = List.fold_left (fun a b -> if key b > key a then b else a) (List.hd values) values
let negated = function W d -> L d | L d -> W d | D -> D | M m -> M (-m)

let show = function
  | W None -> "win" | W (Some d) -> "win:" ^ string_of_int d
  | L None -> "loss" | L (Some d) -> "loss:" ^ string_of_int d
  | D -> "draw" | M m -> Printf.sprintf "%+d" m

let state = ref 1
let roll sides =
  state := (!state * 3202034522624059733 + 1442695040888963407) land max_int;
  (!state lsr 30) mod max 1 sides

(* A game laid out in full. *)
type world = { game : string; points : bool; start : string; places : (string, place) Hashtbl.t; all : string array }

let world game =
  let n = match games game with Some n -> n | None -> failwith game in
  let points = is_for_points n.rules in
  let ended q = match n.rules.look q with
    | Over r -> Some (match r with Gets m when points -> M (of_z m) | _ when points -> M 0
                      | Won -> W (Some 0) | Lost -> L (Some 0) | _ -> D)
    | Moves _ -> None in
  let places = Hashtbl.create 1000 in
  let rec visit = function
    | [] -> ()
    | q :: rest ->
        let text = n.words.write q in
        if Hashtbl.mem places text then visit rest else
        match n.rules.look q with
        | Over _ -> visit rest
        | Moves (first, others) ->
            let steps = List.map (fun s ->
              (n.words.word q s.name, n.words.write s.next, n.rules.turn q <> n.rules.turn s.next, of_z s.gain, ended s.next))
              (first :: others) in
            Hashtbl.add places text { mover = n.rules.turn q; steps };
            visit (List.rev_append (List.map (fun s -> s.next) (first :: others)) rest) in
  visit [ n.rules.start ];
  let all = Array.of_seq (Hashtbl.to_seq_keys places) in
  Array.sort compare all;
  { game; points; start = n.words.write n.rules.start; places; all }

let fixes kind mover = match kind with Table -> false | Strategy x -> x = mover
let chosen w kind line =
  let place = Hashtbl.find w.places line.at in
  List.filter (fun (word, _, _, _, _) -> (not (fixes kind place.mover)) || word = line.move) place.steps

(* The values under a section's choices, by sweeps. *)
let solve w lines kind =
  let values = Hashtbl.create 100 in
  List.iter (fun l -> Hashtbl.replace values l.at (if w.points then M 0 else D)) lines;
  let child (_, next, passes, gain, over) =
    back passes gain (match over with Some v -> v | None -> Hashtbl.find values next) in
  let rec sweep n =
    if n > (20 * List.length lines) + 100 then None else
    let next = List.map (fun l -> (l.at, best (List.map child (chosen w kind l)))) lines in
    if List.for_all (fun (at, v) -> Hashtbl.find values at = v) next then Some values
    else (List.iter (fun (at, v) -> Hashtbl.replace values at v) next; sweep (n + 1)) in
  try sweep 0 with Not_found | Failure _ -> None

(* In games for points: the maximum number of plies to the end; in cyclic ones parts and the moves out of them. *)
let ranked w lines kind =
  if not w.points then lines else
  let at = Hashtbl.create 100 in
  List.iter (fun l -> Hashtbl.replace at l.at l) lines;
  let children l = List.filter_map (fun (_, next, _, _, over) -> if over = None then Some next else None) (chosen w kind l) in
  let following = Hashtbl.create 100 in
  List.iter (fun l ->
    let all = Hashtbl.create 16 in
    let rec go p = List.iter (fun c -> if not (Hashtbl.mem all c) then (Hashtbl.add all c (); go c)) (children (Hashtbl.find at p)) in
    go l.at; Hashtbl.replace following l.at all) lines;
  let rounds = List.exists (fun l -> Hashtbl.mem (Hashtbl.find following l.at) l.at) lines in
  let stays from to_ = Hashtbl.mem (Hashtbl.find following to_) from in
  let ranks = Hashtbl.create 100 in
  let rec fill () =
    let changed = ref false in
    List.iter (fun l ->
      let counts (_, next, passes, gain, over) =
        (not rounds) || back passes gain (match over with Some v -> v | None -> (Hashtbl.find at next).v) = l.v in
      let rank (_, next, _, _, over) =
        if over = None && ((not rounds) || stays l.at next) then Hashtbl.find_opt ranks next else Some 0 in
      let below = List.map rank (List.filter counts (chosen w kind l)) in
      let known = List.filter_map Fun.id below in
      let rank =
        if rounds && key l.v = 0 then Some 0
        else if rounds && key l.v > 0 then (if known = [] then None else Some (1 + List.fold_left min max_int known))
        else if List.length known < List.length below then None else Some (1 + List.fold_left max 0 known) in
      if rank <> None && rank <> Hashtbl.find_opt ranks l.at then
        (changed := true; Hashtbl.replace ranks l.at (Option.get rank))) lines;
    if !changed then fill () in
  fill ();
  List.map (fun l ->
    let all = Hashtbl.find following l.at in
    let size = Hashtbl.length all + if Hashtbl.mem all l.at then 0 else 1 in
    { l with rk = Hashtbl.find_opt ranks l.at; pt = (if rounds then Some size else None) }) lines

(* An honest section: all positions, or a strategy that plays by random choice. *)
let honest w kind =
  let known = Hashtbl.create 100 in
  let rec go lines = function
    | [] -> List.rev lines
    | at :: rest when Hashtbl.mem known at -> go lines rest
    | at :: rest ->
        Hashtbl.add known at ();
        let place = Hashtbl.find w.places at in
        let mine = fixes kind place.mover in
        let (word, _, _, _, _) as choice = List.nth place.steps (roll (List.length place.steps)) in
        let next = List.filter_map (fun (_, next, _, _, over) -> if over = None then Some next else None)
          (if mine then [ choice ] else place.steps) in
        go ({ at; v = D; move = (if mine then word else "*"); rk = None; pt = None } :: lines) (List.rev_append next rest) in
  let lines = go [] [ w.start ] in
  let values = Option.get (solve w lines kind) in
  ranked w (List.map (fun l -> { l with v = Hashtbl.find values l.at }) lines) kind

let written w kind start value lines =
  let kind = match kind with Table -> "table" | Strategy One -> "strategy 1" | Strategy Two -> "strategy 2" in
  let line l = String.concat "\t" ([ l.at; show l.v; l.move ] @ List.map string_of_int (List.filter_map Fun.id [ l.rk; l.pt ])) in
  [ "grundy-certificate 1"; "game " ^ w.game; "kind " ^ kind; "start " ^ start; "value " ^ show value;
    "positions " ^ string_of_int (List.length lines) ] @ List.map line lines @ [ "checksum 0" ]

let any_value w old =
  let plies = List.nth [ 0; 1; 2; 3; 7; most_plies - 1; most_plies ] (roll 7) in
  let n = roll 8 in
  if w.points then (if n = 0 then M most_points else M (key old + n - 4))
  else match n with 0 -> D | 1 -> W None | 2 -> L None | 3 -> negated old | 4 | 5 -> W (Some plies) | _ -> L (Some plies)

let any_kind () = List.nth [ Table; Strategy One; Strategy Two ] (roll 3)

let forge w kind lines =
  let kind = ref kind and a = ref (Array.of_list lines) in
  let each f = a := Array.map f !a in
  for _ = 0 to roll 3 do
    let i = roll (Array.length !a) in
    let l = !a.(i) in
    let put l = !a.(i) <- l in
    match roll 16 with
    | 0 | 1 | 2 | 3 -> put { l with v = any_value w l.v }
    | 4 -> each (fun l -> { l with v = negated l.v })
    | 5 ->
        let winner = if roll 2 = 0 then One else Two and far = if roll 2 = 0 then None else Some (most_plies - roll 2) in
        each (fun l -> if key l.v <> 0 then l else
          let mine = match Hashtbl.find_opt w.places l.at with Some p -> p.mover = winner | None -> false in
          { l with v = (if mine then W far else L far); rk = (if far = None then Some 7 else None) })
    | 6 ->
        let shift = roll 3 in
        each (fun l -> match l.v with
          | W (Some d) -> { l with rk = Some (max 0 (d - shift)); v = W None }
          | L (Some d) -> { l with rk = Some (max 0 (d - shift)); v = L None }
          | _ -> l)
    | 7 ->
        let steps = match Hashtbl.find_opt w.places l.at with Some p -> p.steps | None -> [] in
        put { l with move = (match List.nth_opt steps (roll (List.length steps + 1)) with
                             | Some (word, _, _, _, _) -> word | None -> "*") }
    | 8 when Array.length !a > 1 -> a := Array.of_list (List.filteri (fun j _ -> j <> i) (Array.to_list !a))
    | 9 -> let j = roll (Array.length !a) in let other = !a.(j) in
        !a.(j) <- { other with v = l.v }; !a.(i) <- { !a.(i) with v = other.v }
    | 10 -> put { l with rk = List.nth [ None; Some 0; Some 1; Some 4294967295 ] (roll 4) }
    | 11 -> kind := any_kind ()
    | 12 -> a := Array.append !a [| { l with at = w.all.(roll (Array.length w.all)) } |]
    | 13 -> put { l with pt = List.nth [ None; Some 0; Option.map succ l.pt; Option.map (fun n -> max 0 (n - 1)) l.pt ] (roll 4) }
    | 14 -> let from = roll (Array.length !a) in a := Array.mapi (fun j other -> if j < from then other else { other with pt = l.pt }) !a
    | _ -> let more = roll 3 - 1 in put { l with rk = Option.map (fun n -> max 0 (n + more)) l.rk }
  done;
  for _ = 1 to List.nth [ 0; 1; 3; Array.length !a + 2 ] (roll 4) do
    let values = Hashtbl.create 100 in
    Array.iter (fun l -> Hashtbl.replace values l.at l.v) !a;
    each (fun l -> match Hashtbl.find_opt w.places l.at with
      | None -> l
      | Some place ->
          let seen = List.filter_map (fun (word, next, passes, gain, over) ->
            if l.move <> "*" && l.move <> word then None
            else Option.map (back passes gain) (match over with Some v -> Some v | None -> Hashtbl.find_opt values next)) place.steps in
          if seen = [] then l else { l with v = best seen })
  done;
  (!kind, Array.to_list !a)

(* Whether all that an accepted section says is true. *)
let judge w kind lines =
  match solve w lines kind with
  | None -> false
  | Some truth -> List.for_all (fun l ->
      let v = Hashtbl.find truth l.at in
      match l.v, v with W None, W _ | L None, L _ -> true | _ -> l.v = v) lines

let worlds =
  [ "awari:1,0,0,0,0,1/1,0,0,0,0,0"; "awari:0,0,0,0,2,1/0,1,0,0,0,0"; "police:C../.*./..T/E.."; "nim:2,3"; "mnk:2,2,2";
    "mnk:3,2,3"; "hexapawn:3x3"; "dots:1x1"; "dots:1x2"; "euler:2x2"; "connect4:3x2" ]

let accepts text = match answer_to text with Yes _ -> true | No _ -> false

let () =
  let count = int_of_string Sys.argv.(1) in
  state := int_of_string Sys.argv.(2);
  let tried = ref 0 and accepted = ref 0 in
  let fail w what text = Printf.printf "%s: %s\n%s\n" w.game what (String.concat "\n" text); exit 1 in
  let worlds = List.map world worlds in
  let each = (count + List.length worlds - 1) / List.length worlds in
  List.iter (fun w ->
    let enough = !tried - !accepted + each in
    while !tried - !accepted < enough do
      let kind = any_kind () in
      let lines = honest w kind in
      let text = written w kind w.start (List.hd lines).v lines in
      if not (accepts text) then
        fail w ("an honest section is refused: " ^ match answer_to text with No why -> why | Yes _ -> "") text;
      if not (judge w kind lines) then fail w "an honest section is not true" text;
      for _ = 1 to 10 do
        let kind, forged = forge w kind lines in
        let first = List.nth forged (if roll 8 > 0 then 0 else roll (List.length forged)) in
        let text = written w kind first.at first.v forged in
        incr tried;
        if accepts text then (incr accepted; if not (judge w kind forged) then fail w "a forgery is accepted" text)
      done
    done) worlds;
  Printf.printf "%d forged sections of %d games refused; %d more came out true, and no other was accepted\n"
    (!tried - !accepted) (List.length worlds) !accepted
