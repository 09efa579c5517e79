(** Nails on a board: a nail covers one free cell anywhere, or a run of at most [longest] free cells that starts at the
    edge and runs straight inwards. Whoever fills the board loses; [normal]: wins. [short]: a nail may not reach the
    opposite edge. *)

From Coq Require Import Bool List NArith ZArith Ascii String.
From Grundy Require Import Game Text.
From GrundyGames Require Import Grid.
Import ListNotations.
Open Scope N_scope.

Record epos := { covered : N; mover : player }.
Definition epos_eqb (p q : epos) : bool := (covered p =? covered q) && player_eqb (mover p) (mover q).
Lemma epos_eqb_spec : forall p q, reflect (p = q) (epos_eqb p q).
Proof.
  intros [c t] [c' t']; unfold epos_eqb; cbn.
  destruct (N.eqb_spec c c'), (player_eqb_spec t t'); constructor; congruence.
Qed.

Section Euler.
Variables (g : grid) (normal short : bool) (longest : N).

(** Runs from the first cell of a line: the nail's ends and its cells. *)
Definition runs (line : list N) : list (N * N * N) :=
  let room := N.of_nat (List.length line) - if short then 1 else 0 in
  flat_map (fun length =>
    match firstn (N.to_nat length) line with
    | [] => []
    | (first :: _) as cells => [(first, last cells first, set_of cells)]
    end) (from 1 (N.to_nat (N.min longest room))).
Definition edge_lines : list (list N) :=
  let row y := map (fun x => cell_at g x y) (upto (columns g)) in
  let column x := map (cell_at g x) (upto (rows g)) in
  let straight := map row (upto (rows g)) ++ map column (upto (columns g)) in
  straight ++ map (@rev N) straight.
(** Every nail once. *)
Definition nails : list (N * N * N) :=
  fold_left (fun known nail => if existsb (fun other => snd other =? snd nail) known then known else nail :: known)
    (map (fun cell => (cell, cell, bit cell)) (upto (cells g)) ++ flat_map runs edge_lines) [].

Definition look_with (nails : list (N * N * N)) (whole : N) (p : epos) : view epos (N * N) :=
  let filled := if normal then Lost else Won in
  if covered p =? whole then Over filled
  else moves_or filled
    (map (fun '(ends, nail) => Step ends 0%Z {| covered := N.lor (covered p) nail; mover := other (mover p) |})
      (filter (fun nail => negb (meets (snd nail) (covered p))) nails)).

Definition euler : game :=
  let nails := nails in let whole := full (cells g) in
  {| pos := epos; label := N * N; pos_eqb := epos_eqb; pos_eqb_spec := epos_eqb_spec; unit := Outcome;
     start := {| covered := 0; mover := One |}; turn := mover; look := look_with nails whole |}.

(** A run is written from its lower square: by letter, then by number. *)
Definition write_nail (ends : N * N) : chars :=
  let (a, b) := ends in
  let first := if column_of g a =? column_of g b then row_of g b <? row_of g a else column_of g a <? column_of g b in
  if a =? b then square g a
  else if first then square g a ++ "-"%char :: square g b else square g b ++ "-"%char :: square g a.

Definition euler_text : text euler :=
  {| parts := None;
     write := fun p : pos euler =>
       out (board_text g (fun cell => if has (covered p) cell then "X" else ".")%char
            ++ [" "; write_turn (mover p)]%char);
     read := fun text =>
       match split " " (str text) with
       | [board; t] =>
         option_map (fun mover => {| covered := read_set "X" board; mover := mover |} : pos euler) (read_turn t)
       | _ => None
       end;
     word := fun _ ends => out (write_nail ends); write_inj := None |}.
End Euler.

Definition named_euler (rows columns : N) (normal short : bool) (longest : N) : named :=
  let g := {| columns := columns; rows := rows |} in
  {| rules := euler g normal short longest; words := euler_text g normal short longest |}.

Example euler_perft : let g := rules (named_euler 4 4 false false 3) in
  map (fun d => perft g d (start g)) [1; 2; 3]%nat = [48; 1816; 53712].
Proof. vm_compute. reflexivity. Qed.
Example euler_short_perft : let g := rules (named_euler 3 3 false true 3) in
  map (fun d => perft g d (start g)) [1; 2; 3; 4]%nat = [21; 328; 3672; 28128].
Proof. vm_compute. reflexivity. Qed.
