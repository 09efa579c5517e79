(** Dots-and-Boxes on boards of [rows] by [columns] boxes: draw a line between two dots; who completes boxes gets a
    point for each and moves again. [drawn] lines are there at the start; the last line costs [penalty] points. *)

From Coq Require Import Bool List NArith ZArith Ascii String.
From Grundy Require Import Game Text.
From GrundyGames Require Import Grid.
Import ListNotations.
Open Scope N_scope.

Record dpos := { undrawn : N; one : Z; two : Z; mover : player }.
Definition dpos_eqb (p q : dpos) : bool :=
  (undrawn p =? undrawn q) && (one p =? one q)%Z && (two p =? two q)%Z && player_eqb (mover p) (mover q).
Lemma dpos_eqb_spec : forall p q, reflect (p = q) (dpos_eqb p q).
Proof.
  intros [o a b t] [o' a' b' t']; unfold dpos_eqb; cbn.
  destruct (N.eqb_spec o o'), (Z.eqb_spec a a'), (Z.eqb_spec b b'), (player_eqb_spec t t'); constructor; congruence.
Qed.

Section Dots.
(** Rows and columns of boxes. *)
Variable b : grid.

(** Lines are numbered: first those that lie flat, row by row from the top, then those that stand upright. *)
Definition flat (column row : N) : N := row * columns b + column.
Definition upright (column row : N) : N := (rows b + 1) * columns b + row * (columns b + 1) + column.
Definition lines_of_box (box : N) : N :=
  let x := column_of b box in let y := row_of b box in
  set_of [flat x y; flat x (y + 1); upright x y; upright (x + 1) y].
Definition boxes : list N := map lines_of_box (upto (cells b)).
Definition all_lines : N := (rows b + 1) * columns b + rows b * (columns b + 1).

(** Lines of the border, by where they are. *)
Definition left_edge : list N := map (upright 0) (upto (rows b)).
Definition right_edge : list N := map (upright (columns b)) (upto (rows b)).
Definition top_edge : list N := map (fun x => flat x 0) (upto (columns b)).
Definition bottom_edge : list N := map (fun x => flat x (rows b)) (upto (columns b)).

Variables (drawn : list N) (penalty : Z).
Definition open_at_start : N := N.lxor (full all_lines) (set_of drawn).

(** [beside]: each line with the boxes that it belongs to. *)
Definition look_with (beside : list (N * list N)) (p : dpos) : view dpos N :=
  moves_or (Gets 0)
    (flat_map (fun '(line, around) =>
      if has (undrawn p) line then
        let left := N.lxor (undrawn p) (bit line) in
        let taken := List.length (filter (fun box => negb (meets box left)) around) in
        let gain := (Z.of_nat taken - if (left =? 0)%N then penalty else 0)%Z in
        [Step line gain
          match taken, mover p with
          | O, x => {| undrawn := left; one := one p; two := two p; mover := other x |}
          | _, One => {| undrawn := left; one := one p + gain; two := two p; mover := One |}
          | _, Two => {| undrawn := left; one := one p; two := two p + gain; mover := Two |}
          end]
      else []) beside).

Definition dots : game :=
  let beside := map (fun line => (line, filter (fun box => has box line) boxes)) (upto all_lines) in
  {| pos := dpos; label := N; pos_eqb := dpos_eqb; pos_eqb_spec := dpos_eqb_spec; unit := Points;
     start := {| undrawn := open_at_start; one := 0; two := 0; mover := One |};
     turn := mover; look := look_with beside |}.

(** ** Text: rows of lines from the top, flat and upright by turns, then the score and the turn. *)
Definition rows_of_lines : list (ascii * list N) :=
  flat_map (fun y =>
    ("-"%char, map (fun x => flat x y) (upto (columns b))) ::
    if y <? rows b then [("|"%char, map (fun x => upright x y) (upto (columns b + 1)))] else [])
    (upto (rows b + 1)).
Definition write_dots (rows : list (ascii * list N)) (p : dpos) : string :=
  let row '(mark, lines) := map (fun line => if has (undrawn p) line then "."%char else mark) lines in
  out (join "/" (map row rows) ++ " "%char :: integer (one p) ++ "-"%char :: integer (two p)
       ++ [" "; write_turn (mover p)]%char).

Definition read_score (text : chars) : option (Z * Z) :=
  let number sign digits := option_map (fun n => (sign * Z.of_N n)%Z) (read_number digits) in
  let both a b := match a, b with Some a, Some b => Some (a, b) | _, _ => None end in
  match split "-" text with
  | [a; b] => both (number 1 a) (number 1 b)
  | [a; []; b] => both (number 1 a) (number (-1) b)
  | [[]; a; b] => both (number (-1) a) (number 1 b)
  | [[]; a; []; b] => both (number (-1) a) (number (-1) b)
  | _ => None
  end%Z.
Fixpoint read_lines (lines : list N) (text : chars) (set : N) : N :=
  match text, lines with
  | "/"%char :: text, _ => read_lines lines text set
  | "."%char :: text, line :: lines => read_lines lines text (with_ set line)
  | _ :: text, _ :: lines => read_lines lines text set
  | _, _ => set
  end.
Definition read_dots (rows : list (ascii * list N)) (text : string) : option dpos :=
  match split " " (str text) with
  | [board; score; t] =>
    let undrawn := read_lines (flat_map snd rows) board 0 in
    match read_score score, read_turn t with
    | Some (one, two), Some mover =>
      if within undrawn open_at_start then Some {| undrawn := undrawn; one := one; two := two; mover := mover |}
      else None
    | _, _ => None
    end
  | _ => None
  end.

(** A line is named by its dots, the left or lower one first. *)
Definition dot (column row : N) : chars := letter column :: number (rows b + 1 - row).
Definition write_line (line : N) : string :=
  out (match line <? (rows b + 1) * columns b with
       | true =>
         let x := line mod columns b in let y := line / columns b in dot x y ++ dot (x + 1) y
       | false =>
         let n := line - (rows b + 1) * columns b in
         let x := n mod (columns b + 1) in let y := n / (columns b + 1) in dot x (y + 1) ++ dot x y
       end).

Definition dots_text : text dots :=
  let rows := rows_of_lines in
  {| parts := None; write := write_dots rows : pos dots -> string; read := read_dots rows;
     word := fun _ line => write_line line; write_inj := None |}.
End Dots.

Inductive beginning := Empty | Icelandic | Swedish.
Definition named_dots (rows columns : N) (beginning : beginning) (penalty : Z) : named :=
  let b := {| columns := columns; rows := rows |} in
  let drawn := match beginning with
    | Empty => []
    | Icelandic => left_edge b ++ bottom_edge b
    | Swedish => left_edge b ++ bottom_edge b ++ right_edge b ++ top_edge b
    end in
  {| rules := dots b drawn penalty; words := dots_text b drawn penalty |}.

Example dots_perft : let g := rules (named_dots 2 3 Empty 0) in
  map (fun d => perft g d (start g)) [1; 2; 3; 4]%nat = [17; 272; 4080; 57120].
Proof. vm_compute. reflexivity. Qed.
Example dots_icelandic_perft : let g := rules (named_dots 2 2 Icelandic 2) in
  map (fun d => perft g d (start g)) [1; 2; 3; 4]%nat = [8; 56; 336; 1680].
Proof. vm_compute. reflexivity. Qed.
