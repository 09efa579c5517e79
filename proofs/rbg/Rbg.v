(** The rules language: what a rules file means.

    A program is a board, variables, and rules as a tree; a separate program, tree.py, makes it from the text of a file
    (macros, names, the shape of the board) and is trusted to do so. All that docs/rules.md says of what is done when the
    rules are followed is here.

    The rules are a regular expression over actions, so they are first laid out as a graph: each action stands there once
    for each time that it stands in the rules, powers written out, and knows what comes next. The game stands at a place
    of this graph and on a cell of the board. *)

From Coq Require Import Bool List NArith ZArith FMapPositive.
From Grundy Require Import Game.
From GrundyGames Require Import Grid Nim.
Import ListNotations.
Open Scope N_scope.

(** * Programs *)

(** Numbers, variables (the players' scores come first), and how many of a piece are on the board. *)
Inductive expr :=
| Num (n : Z) | Var (variable : N) | Pieces (piece : N)
| Add (a b : expr) | Sub (a b : expr) | Mul (a b : expr) | Div (a b : expr).
Inductive comparison := Equal | Unequal | Less | AtMost | Greater | AtLeast.

Inductive rule :=
| Shift (label : N)                             (* [up] *)
| On (pieces : list N)                          (* [{e, x}] *)
| Off (piece : N)                               (* [[x]] *)
| Assign (variable : N) (value : expr)          (* [[$ v = ..]] *)
| Compare (a : expr) (c : comparison) (b : expr)  (* [{$ .. < ..}] *)
| Check (wanted : bool) (inside : rule)         (* [{? ..}], [{! ..}] *)
| Switch (to : option player)                   (* [->p], [->>] *)
| Nothing                                       (* [.] *)
| Then (a b : rule) | Either (a b : rule) | Star (a : rule) | Power (a : rule) (times : nat).

(** How a move is named: by all squares that it changes, the first and the last, or the last. *)
Inductive naming := All | FromTo | To.

Record program := {
  first_board : list N;              (* the piece on each cell *)
  edges : list (list (option N));    (* for each label where it leads from each cell *)
  bounds : list N;                   (* the largest value of each variable *)
  body : rule;
  counts_points : bool;              (* the difference of the scores counts, not who has more *)
  letters : list Ascii.ascii;        (* of each piece *)
  squares : list (list Ascii.ascii); (* the name of each cell *)
  layout : list (list (option N));   (* the rows of the board as they are written, [None] for a hole *)
  names_by : naming;
}.

(** * The graph *)

(** The action at a place. Modifiers are [Put], [Give] and [Turn]. *)
Inductive action :=
| Go (targets : list (option N))
| Is (pieces : list N)
| Holds (a : expr) (c : comparison) (b : expr)
| Look (wanted walks : bool) (inside : positive)
| Fork (one two : positive)
| Put (piece : N)
| Give (variable : N) (value : expr)
| Turn (to : option player)
| End.
Record place := Place { does : action; after : positive }.

(** [switches]: what follows each switch to a player outside of checks, in the order of reading. *)
Record graph := { places : PositiveMap.t place; fresh : positive; switches : list (positive * player) }.

Definition set_place (at_ : positive) (p : place) (g : graph) : graph :=
  {| places := PositiveMap.add at_ p (places g); fresh := fresh g; switches := switches g |}.
Definition reserve (g : graph) : graph :=
  {| places := places g; fresh := Pos.succ (fresh g); switches := switches g |}.
Definition add (action : action) (next : positive) (g : graph) : positive * graph :=
  (fresh g, reserve (set_place (fresh g) (Place action next) g)).

(** Tests that rules depend only on the edges of the board. *)
Fixpoint only_walks (r : rule) : bool :=
  match r with
  | Shift _ | Nothing => true
  | Then a b | Either a b => only_walks a && only_walks b
  | Star a | Power a _ | Check _ a => only_walks a
  | _ => false
  end.

(** The end of a check, or of the rules. *)
Definition the_end : positive := 1.

(** Lays out rules that [next] follows, the last action first; gives the place where they begin. *)
Fixpoint lay (edges : list (list (option N))) (checked : bool) (r : rule) (next : positive) (g : graph)
  : positive * graph :=
  match r with
  | Shift label => add (Go (nth (N.to_nat label) edges [])) next g
  | On pieces => add (Is pieces) next g
  | Off piece => add (Put piece) next g
  | Assign variable value => add (Give variable value) next g
  | Compare a c b => add (Holds a c b) next g
  | Check wanted a =>
    let (inside, g) := lay edges true a the_end g in add (Look wanted (only_walks a) inside) next g
  | Switch to =>
    let (at_, g) := add (Turn to) next g in
    (at_, match to with
          | Some x => if checked then g else
              {| places := places g; fresh := fresh g; switches := (next, x) :: switches g |}
          | None => g
          end)
  | Nothing => (next, g)
  | Then a b => let (second, g) := lay edges checked b next g in lay edges checked a second g
  | Either a b =>
    let (two, g) := lay edges checked b next g in
    let (one, g) := lay edges checked a next g in
    add (Fork one two) next g
  | Star a =>
    let at_ := fresh g in
    let (inside, g) := lay edges checked a at_ (reserve g) in
    (at_, set_place at_ (Place (Fork next inside) next) g)
  | Power a times =>
    (fix again times next g := match times with
      | O => (next, g)
      | S times => let (at_, g) := lay edges checked a next g in again times at_ g
      end) times next g
  end.

Definition empty_graph : graph :=
  set_place the_end (Place End the_end) {| places := PositiveMap.empty _; fresh := 2; switches := [] |}.

(** * Following the rules *)

Record state := { board : list N; vars : list N }.

Fixpoint value (s : state) (e : expr) : option Z :=
  let both f a b := match value s a, value s b with Some x, Some y => f x y | _, _ => None end in
  match e with
  | Num n => Some n
  | Var v => Some (Z.of_N (nth (N.to_nat v) (vars s) 0))
  | Pieces piece => Some (Z.of_nat (List.length (filter (N.eqb piece) (board s))))
  | Add a b => both (fun x y => Some (x + y)%Z) a b
  | Sub a b => both (fun x y => Some (x - y)%Z) a b
  | Mul a b => both (fun x y => Some (x * y)%Z) a b
  | Div a b => both (fun x y => if (y =? 0)%Z then None else Some (Z.quot x y)) a b
  end.
Definition holds (c : comparison) (x y : Z) : bool :=
  match c with
  | Equal => x =? y | Unequal => negb (x =? y) | Less => x <? y | AtMost => x <=? y
  | Greater => y <? x | AtLeast => y <=? x
  end%Z.

Fixpoint replace {A : Type} (n : nat) (a : A) (list : list A) : List.list A :=
  match list, n with
  | [], _ => []
  | _ :: rest, O => a :: rest
  | b :: rest, S n => b :: replace n a rest
  end.

Section Machine.
(** [steps]: how many places the search for the next modifiers comes to at most. *)
Variables (p : program) (g : graph) (how_many_cells : N) (steps : nat).

Definition at_place (at_ : positive) : place :=
  match PositiveMap.find at_ (places g) with Some place => place | None => Place End the_end end.
Definition key (at_ : positive) (cell : N) : positive := N.succ_pos (N.pos at_ * how_many_cells + cell).

(** The modifiers that can come next, with their cells, in the order in which they are found, each once; and whether
    the end can be reached without one. [open]: places still to be come to; [check]: whether a check leads to its end.
    [None] where [check] does not know. *)
Fixpoint reach (fuel : nat) (check : positive -> N -> option bool) (only_end : bool) (s : state)
  (open : list (positive * N)) (seen : PositiveMap.t Datatypes.unit) (found : list (positive * N)) (ended : bool)
  : option (list (positive * N) * bool) :=
  match fuel, open with
  | _, [] => Some (rev found, ended)
  | O, _ => None
  | S fuel, (at_, cell) :: open =>
    match PositiveMap.find (key at_ cell) seen with
    | Some _ => reach fuel check only_end s open seen found ended
    | None =>
      let place := at_place at_ in
      let go open found ended :=
        reach fuel check only_end s open (PositiveMap.add (key at_ cell) tt seen) found ended in
      let on_if (condition : bool) := go (if condition then (after place, cell) :: open else open) found ended in
      match does place with
      | Go targets =>
        match nth (N.to_nat cell) targets None with
        | Some to => go ((after place, to) :: open) found ended
        | None => go open found ended
        end
      | Is pieces => let here := nth (N.to_nat cell) (board s) 0 in on_if (existsb (N.eqb here) pieces)
      | Holds a c b => on_if match value s a, value s b with Some x, Some y => holds c x y | _, _ => false end
      | Look wanted _ inside =>
        match check inside cell with Some leads => on_if (Bool.eqb leads wanted) | None => None end
      | Fork one two => go ((one, cell) :: (two, cell) :: open) found ended
      | Put _ | Give _ _ | Turn _ => go open ((at_, cell) :: found) ended
      | End => if only_end then Some ([], true) else go open found true
      end
    end
  end.

(** The state after a modifier; [None] where a value would be out of bounds. *)
Definition modified (s : state) (modifier : place) (cell : N) : option state :=
  match does modifier with
  | Put piece => Some {| board := replace (N.to_nat cell) piece (board s); vars := vars s |}
  | Give v e =>
    match value s e with
    | Some n =>
      if ((0 <=? n) && (n <=? Z.of_N (nth (N.to_nat v) (bounds p) 0%N)))%Z
      then Some {| board := board s; vars := replace (N.to_nat v) (Z.to_N n) (vars s) |} else None
    | None => None
    end
  | _ => Some s
  end.

(** Tests that the end of a check can be reached from here; modifications on the way have no effect afterwards. [None] beyond
    [depth] nested modifiers and checks. *)
Fixpoint leads (depth : nat) (s : state) (at_ : positive) (cell : N) : option bool :=
  match depth with
  | O => None
  | S depth =>
    match reach steps (leads depth s) true s [(at_, cell)] (PositiveMap.empty _) [] false with
    | None => None
    | Some (_, true) => Some true
    | Some (found, false) =>
      (fix any (found : list (positive * N)) := match found with
        | [] => Some false
        | (m, cell) :: rest =>
          match modified s (at_place m) cell with
          | None => any rest
          | Some s' =>
            match leads depth s' (after (at_place m)) cell with Some false => any rest | known => known end
          end
        end) found
    end
  end.
Definition deepest : nat := 500.
Definition longest : nat := 2000.

(** A move: its modifiers with their cells, the last one first and the switch among them, and what it leads to. *)
Record done := { path : list (positive * N); left : state; stands : positive; on_cell : N; to_move : option player }.

(** All moves from here, the last one first; or the first alone. *)
Fixpoint follow (depth : nat) (one : bool) (s : state) (at_ : positive) (cell : N)
  (path : list (positive * N)) (known : list done) : option (list done) :=
  match depth with
  | O => None
  | S depth =>
    match reach steps (leads deepest s) false s [(at_, cell)] (PositiveMap.empty _) [] false with
    | None => None
    | Some (found, _) =>
      (fix each (found : list (positive * N)) (known : list done) := match found, known with
        | [], _ => Some known
        | (m, cell) :: rest, _ =>
          if one && match known with [] => false | _ => true end then Some known else
          let place := at_place m in
          match modified s place cell with
          | None => each rest known
          | Some s' =>
            match does place with
            | Turn to =>
              each rest ({| path := (m, cell) :: path; left := s'; stands := after place; on_cell := cell;
                            to_move := to |} :: known)
            | _ =>
              match follow depth one s' (after place) cell ((m, cell) :: path) known with
              | None => None
              | Some known => each rest known
              end
            end
          end
        end) found known
    end
  end.

(** The keeper plays, each time the first move that is found, until a player is to move. [Some None]: he has no move,
    which ends the game. *)
Fixpoint settle (fuel : nat) (d : done) : option (state * option done) :=
  match to_move d, fuel with
  | Some _, _ => Some (left d, Some d)
  | None, O => None
  | None, S fuel =>
    match follow longest true (left d) (stands d) (on_cell d) [] [] with
    | None => None
    | Some [] => Some (left d, None)
    | Some (d :: _) => settle fuel d
    end
  end.
Definition keeper : nat := 1000.

(** * Where the cell makes no difference *)

(** Where one can walk to from here by edges alone, checks that look at nothing else included: the first places that
    look at the board or change something. *)
Definition walks_only : action -> bool :=
  fun a => match a with Go _ | Fork _ _ | Look _ true _ => true | _ => false end.
Fixpoint walk_to (fuel : nat) (open : list (positive * N)) (seen : PositiveMap.t Datatypes.unit)
  (found : PositiveMap.t Datatypes.unit) : PositiveMap.t Datatypes.unit :=
  match fuel, open with
  | S fuel, (at_, cell) :: open =>
    match PositiveMap.find (key at_ cell) seen with
    | Some _ => walk_to fuel open seen found
    | None =>
      let place := at_place at_ in
      let seen := PositiveMap.add (key at_ cell) tt seen in
      match does place with
      | Go targets =>
        match nth (N.to_nat cell) targets None with
        | Some to => walk_to fuel ((after place, to) :: open) seen found
        | None => walk_to fuel open seen found
        end
      | Fork one two => walk_to fuel ((one, cell) :: (two, cell) :: open) seen found
      | Look wanted true inside =>
        match leads deepest {| board := []; vars := [] |} inside cell with
        | Some leads => walk_to fuel (if Bool.eqb leads wanted then (after place, cell) :: open else open) seen found
        | None => walk_to fuel open seen found
        end
      | _ => walk_to fuel open seen (PositiveMap.add (key at_ cell) tt found)
      end
    end
  | _, _ => found
  end.
Definition targets_from (at_ : positive) (cell : N) : list positive :=
  map fst (PositiveMap.elements (walk_to steps [(at_, cell)] (PositiveMap.empty _) (PositiveMap.empty _))).
Definition same_targets (at_ : positive) : bool :=
  match map (targets_from at_) (upto how_many_cells) with
  | [] => true
  | first :: others => forallb (fun list => if list_eq_dec Pos.eq_dec first list then true else false) others
  end.

(** Tests that all continuations from here are independent of the current cell: it is chosen anew before it is used.
    Places that are being tested already are assumed to be so. *)
Fixpoint anywhere (fuel : nat) (within : list positive) (at_ : positive) : bool :=
  match fuel with
  | O => false
  | S fuel =>
    let here := at_ :: within in
    if existsb (Pos.eqb at_) within then true
    else if walks_only (does (at_place at_)) && same_targets at_ then true
    else match does (at_place at_) with
    | Go _ | Put _ => false
    | Is pieces => match pieces with [] => true | _ => false end
    | Look _ _ inside => anywhere fuel here inside && anywhere fuel here (after (at_place at_))
    | Fork one two => anywhere fuel here one && anywhere fuel here two
    | Holds _ _ _ | Give _ _ | Turn _ => anywhere fuel here (after (at_place at_))
    | End => true
    end
  end.
End Machine.

(** * The game *)

(** A position. The rules stand at one of the places behind a switch ([entry], by its number), or the game has ended.
    Where the cell makes no difference it is 0. [Broken] is no position: the rules ran away on the way to it. It has a
    move to itself and cannot be written, so that no certificate speaks of it. *)
Inductive position := Broken | At (s : state) (entry : option N) (cell : N) (mover : player).

Definition entry_eqb (a b : option N) : bool :=
  match a, b with Some a, Some b => a =? b | None, None => true | _, _ => false end.
Definition position_eqb (a b : position) : bool :=
  match a, b with
  | Broken, Broken => true
  | At s e c m, At s' e' c' m' =>
    list_eqb (board s) (board s') && list_eqb (vars s) (vars s') && entry_eqb e e' && (c =? c') && player_eqb m m'
  | _, _ => false
  end.
Lemma position_eqb_spec : forall a b, reflect (a = b) (position_eqb a b).
Proof.
  intros [|[b v] e c m] [|[b' v'] e' c' m']; cbn; try (constructor; congruence).
  destruct (list_eqb_spec b b'), (list_eqb_spec v v'), (N.eqb_spec c c'), (player_eqb_spec m m');
    cbn; rewrite ?andb_false_r, ?andb_true_r; cbn; try (constructor; congruence).
  destruct e as [e|], e' as [e'|]; cbn; try (constructor; congruence).
  destruct (N.eqb_spec e e'); constructor; congruence.
Qed.

(** A program with all that is worked out once. *)
Record loaded := {
  of : program;
  made : graph;
  begin : positive;
  cells_of : N;                         (* how many cells there are *)
  most_steps : nat;                     (* each place and cell is come to once, and opens two at most *)
  entries : list (positive * player);  (* each place behind a switch once, with whose turn it then is *)
  free : list bool;                     (* whether the cell makes no difference there *)
}.
Definition pair_eqb (a b : positive * player) : bool := Pos.eqb (fst a) (fst b) && player_eqb (snd a) (snd b).
Definition load (p : program) : loaded :=
  let (begin, g) := lay (edges p) false (body p) the_end empty_graph in
  let entries := rev (fold_left (fun known e => if existsb (pair_eqb e) known then known else e :: known)
                        (switches g) []) in
  let cells := N.of_nat (List.length (first_board p)) in
  let steps := N.to_nat (2 * (N.pos (fresh g) + 1) * (cells + 1)) in
  {| of := p; made := g; begin := begin; cells_of := cells; most_steps := steps; entries := entries;
     free := map (fun e => anywhere p g cells steps (Pos.to_nat (fresh g)) [] (fst e)) entries |}.

Section Rules.
Variable l : loaded.
Let p := of l.
Let g := made l.

Fixpoint index {A : Type} (is : A -> bool) (list : list A) (n : N) : option N :=
  match list with [] => None | a :: rest => if is a then Some n else index is rest (n + 1) end.

(** The position when the keeper has played after a move of [mover], whose moves led to [d]. *)
Definition settled (mover : player) (d : done) : position :=
  match settle p g (cells_of l) (most_steps l) keeper d with
  | None => Broken
  | Some (s, None) => At s None 0 (other mover)
  | Some (_, Some d) =>
    match to_move d with
    | None => Broken
    | Some x =>
      match index (pair_eqb (stands d, x)) (entries l) 0 with
      | None => Broken
      | Some n => At (left d) (Some n) (if nth (N.to_nat n) (free l) false then 0 else on_cell d) x
      end
    end
  end.

Definition first_position : position :=
  settled Two {| path := []; left := {| board := first_board p; vars := map (fun _ => 0) (bounds p) |};
                 stands := begin l; on_cell := 0; to_move := None |}.

Definition lead (s : state) (x : player) : Z :=
  let score n := Z.of_N (nth n (vars s) 0%N) in
  match x with One => score 0%nat - score 1%nat | Two => score 1%nat - score 0%nat end%Z.
Definition result (s : state) (x : player) : ending :=
  if counts_points p then Gets 0
  else match (lead s x ?= 0)%Z with Lt => Lost | Eq => Drawn | Gt => Won end.

(** A move is named by its place among all, and their modifiers. *)
Definition label := (N * list (list (positive * N)))%type.
Definition view_of (position : position) : view Rbg.position label :=
  let away := Moves (Step (0, []) 0%Z Broken) [] in
  match position with
  | Broken => away
  | At s None _ x => Over (result s x)
  | At s (Some n) cell x =>
    match nth_error (entries l) (N.to_nat n) with
    | None => away
    | Some (at_, _) =>
      match follow p g (cells_of l) (most_steps l) longest false s at_ cell [] [] with
      | None => away
      | Some known =>
        let all := rev known in
        let paths := map path all in
        let step (n_d : N * done) :=
          let (n, d) := n_d in
          let next := settled x d in
          let gain := match next with
            | At s' _ _ _ => if counts_points p then (lead s' x - lead s x)%Z else 0%Z
            | Broken => 0%Z
            end in
          Step (n, paths) gain next in
        moves_or (result s x) (map step (combine (upto (N.of_nat (length all))) all))
      end
    end
  end.

Definition rbg : game :=
  {| pos := position; Game.label := label; pos_eqb := position_eqb; pos_eqb_spec := position_eqb_spec;
     unit := if counts_points p then Points else Outcome; start := first_position;
     turn := fun position => match position with Broken => One | At _ _ _ x => x end;
     Game.look := view_of |}.
End Rules.
