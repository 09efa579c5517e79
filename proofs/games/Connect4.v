(** Connect Four: a stone falls to the lowest free cell of a column; who first has four in a row wins; a full board is
    a draw. *)

From Coq Require Import Bool List NArith ZArith Ascii String.
From Grundy Require Import Game Text.
From GrundyGames Require Import Grid Stones Mnk.
Import ListNotations.
Open Scope N_scope.

Section Connect4.
Variable g : grid.

(** The cells of a column from the bottom. *)
Definition stack (column : N) : list N := rev (map (cell_at g column) (upto (rows g))).

(** Stacks hold each cell with its bit. *)
Definition look_with (stacks : list (N * list (N * N))) (lines : list N) (p : stones) : view stones N :=
  if has_line lines (own p (other (mover p))) then Over Lost
  else
    let taken := N.lor (xs p) (os p) in
    moves_or Drawn
      (flat_map (fun '(column, stack) =>
        match find (fun '(_, bit) => N.land taken bit =? 0) stack with
        | Some (cell, _) => [Step column 0%Z (put p cell)]
        | None => []
        end) stacks).

Definition connect4 : game :=
  let stacks := map (fun column => (column, map (fun cell => (cell, bit cell)) (stack column))) (upto (columns g)) in
  let lines := lines g 4 in
  {| pos := stones; label := N; pos_eqb := stones_eqb; pos_eqb_spec := stones_eqb_spec;
     unit := Outcome; start := {| xs := 0; os := 0; mover := One |};
     turn := mover; look := look_with stacks lines |}.

(** Every stone lies on the bottom or on another one; [upper] has the cells above the bottom. *)
Definition rests (upper : N) (p : stones) : bool :=
  let taken := N.lor (xs p) (os p) in within (N.shiftl (N.land taken upper) (columns g)) taken.

Definition connect4_text : text connect4 :=
  let lines := lines g 4 in
  let upper := full (cells g - columns g) in
  let good p := in_turn p && rests upper p && negb (has_line lines (own p (mover p))) in
  {| parts := None; write := write_stones g : pos connect4 -> string; read := read_stones good;
     word := fun _ column => out [letter column]; write_inj := Some (stones_inj g) |}.
End Connect4.

Definition named_connect4 (columns rows : N) : named :=
  let g := {| columns := columns; rows := rows |} in {| rules := connect4 g; words := connect4_text g |}.

Example connect4_perft : let g := rules (named_connect4 7 6) in
  map (fun d => perft g d (start g)) [1; 2; 3; 4; 5]%nat = [7; 49; 343; 2401; 16807].
Proof. vm_compute. reflexivity. Qed.
