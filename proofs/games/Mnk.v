(** m,n,k-games: put a stone on a free cell; who first has [k] in a row wins (misere: loses); a full board is a draw.
    [tictactoe] is [mnk 3 3 3]. *)

From Coq Require Import Bool List NArith ZArith Ascii String.
From Grundy Require Import Game Text.
From GrundyGames Require Import Grid Stones.
Import ListNotations.
Open Scope N_scope.

Section Mnk.
Variables (g : grid) (k : N) (misere : bool).

Definition own (p : stones) (x : player) : N := match x with One => xs p | Two => os p end.

Definition put (p : stones) (cell : N) : stones :=
  match mover p with
  | One => {| xs := with_ (xs p) cell; os := os p; mover := Two |}
  | Two => {| xs := xs p; os := with_ (os p) cell; mover := One |}
  end.

(** The free cells of [all], and the moves to them. *)
Definition view_with (all lines : list N) (p : stones) : view stones N :=
  if has_line lines (own p (other (mover p))) then Over (if misere then Won else Lost)
  else
    let taken := N.lor (xs p) (os p) in
    moves_or Drawn
      (map (fun cell => Step cell 0%Z (put p cell)) (filter (fun cell => negb (has taken cell)) all)).

Definition mnk : game :=
  let lines := lines g k in
  let all := upto (cells g) in
  {| pos := stones; label := N; pos_eqb := stones_eqb; pos_eqb_spec := stones_eqb_spec;
     unit := Outcome; start := {| xs := 0; os := 0; mover := One |};
     turn := mover; look := view_with all lines |}.

Definition mnk_text : text mnk :=
  let lines := lines g k in
  let good p := in_turn p && negb (has_line lines (own p (mover p))) in
  {| parts := None; write := write_stones g : pos mnk -> string; read := read_stones good;
     word := fun _ cell => out (square g cell); write_inj := Some (stones_inj g) |}.
End Mnk.

Definition named_mnk (m n k : N) (misere : bool) : named :=
  let g := {| columns := m; rows := n |} in {| rules := mnk g k misere; words := mnk_text g k misere |}.

Definition tictactoe : game := rules (named_mnk 3 3 3 false).
Example tictactoe_games : map (fun d => perft tictactoe d (start tictactoe)) [1; 2; 3; 4; 5]%nat
  = [9; 72; 504; 3024; 15120].
Proof. vm_compute. reflexivity. Qed.
