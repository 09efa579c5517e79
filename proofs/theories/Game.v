(** Games: what the rules say, and nothing else.

    A game is a record of functions that compute. Whatever is proved about games is proved about these functions;
    that they are the rules of the game of that name is for the reader to see.

    A position holds all that later play depends on. A finished position has its result; every other one has at least
    one move, by the type of [view]: what it means that a player cannot move is said by the rules of each game. Turns
    need not alternate: [turn] is asked after every move. *)

From Coq Require Import Bool List ZArith.
Import ListNotations.

Inductive player := One | Two.

Definition other (x : player) : player := match x with One => Two | Two => One end.

Definition player_eqb (x y : player) : bool :=
  match x, y with One, One | Two, Two => true | _, _ => false end.

Lemma player_eqb_spec : forall x y, reflect (x = y) (player_eqb x y).
Proof. intros [] []; constructor; congruence. Qed.

(** The unit of a game: outcomes or points (the notation of points is a matter of text). *)
Inductive unit_of := Outcome | Points.

(** The result of a finished position for the player whose turn it would be. In a game of outcomes he has won, or lost,
    or neither; in a game for points he gets the points that are settled at the end, usually none. *)
Inductive ending := Won | Drawn | Lost | Gets (points : Z).

(** A move: its name (data of any kind, written as text elsewhere), the points that it gains for its mover (0 in games of
    outcomes), and the position after it. *)
Record step (pos label : Type) := Step { name : label; gain : Z; next : pos }.
Arguments Step {pos label} _ _ _.
Arguments name {pos label} _.
Arguments gain {pos label} _.
Arguments next {pos label} _.

(** The view that the rules give of a position: it is finished, with its result, or it has moves, at least one. *)
Inductive view (pos label : Type) :=
| Over (result : ending)
| Moves (first : step pos label) (others : list (step pos label)).
Arguments Over {pos label} _.
Arguments Moves {pos label} _ _.

Record game := {
  pos : Type;
  label : Type;
  pos_eqb : pos -> pos -> bool;
  pos_eqb_spec : forall p q, reflect (p = q) (pos_eqb p q);
  unit : unit_of;
  start : pos;
  turn : pos -> player;  (* in a finished position the player whose turn it would be *)
  look : pos -> view pos label;
}.

(** The moves of a position; none if the game is over. *)
Definition moves (g : game) (p : pos g) : list (step (pos g) (label g)) :=
  match look g p with Over _ => [] | Moves first others => first :: others end.

(** For rules that list moves first: [if_stuck] is the result if there are none. *)
Definition moves_or {pos label : Type} (if_stuck : ending) (list : list (step pos label)) : view pos label :=
  match list with [] => Over if_stuck | first :: others => Moves first others end.

(** The number of lines of play of exactly [depth] plies; games that end earlier are not counted. *)
Fixpoint perft (g : game) (depth : nat) (p : pos g) : N :=
  match depth with
  | O => 1
  | S O => N.of_nat (length (moves g p))
  | S d => fold_left (fun sum s => N.add sum (perft g d (next s))) (moves g p) 0%N
  end%N.
