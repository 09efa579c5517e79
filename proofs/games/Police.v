(** A policeman and a thief on a map: the policeman (player one) goes to one of the 8 neighbouring cells, the thief to
    one of 4, both may stay, nobody enters a wall. On the same cell the policeman wins; on an exit without the
    policeman the thief wins. *)

From Coq Require Import Bool List NArith ZArith Ascii String.
From Grundy Require Import Game Text.
From GrundyGames Require Import Grid.
Import ListNotations.
Open Scope N_scope.

Record ppos := { policeman : N; thief : N; mover : player }.
Definition ppos_eqb (p q : ppos) : bool :=
  (policeman p =? policeman q) && (thief p =? thief q) && player_eqb (mover p) (mover q).
Lemma ppos_eqb_spec : forall p q, reflect (p = q) (ppos_eqb p q).
Proof.
  intros [c t m] [c' t' m']; unfold ppos_eqb; cbn.
  destruct (N.eqb_spec c c'), (N.eqb_spec t t'), (player_eqb_spec m m'); constructor; congruence.
Qed.

Section Police.
Variables (g : grid) (walls exits : N) (first : ppos).

Definition near (ways : list (Z * Z)) (cell : N) : list N :=
  filter (fun to => negb (has walls to))
    (flat_map (fun step => match way g 2 step cell with Some [_; to] => [to] | _ => [] end) ways).
Definition straight : list (Z * Z) := [(0, 0); (1, 0); (-1, 0); (0, 1); (0, -1)]%Z.
Definition slanting : list (Z * Z) := [(1, 1); (1, -1); (-1, 1); (-1, -1)]%Z.

Definition look (p : ppos) : view ppos N :=
  let won_by x := Over (if player_eqb x (mover p) then Won else Lost) in
  if policeman p =? thief p then won_by One
  else if has exits (thief p) then won_by Two
  else
    let to cell := match mover p with
      | One => {| policeman := cell; thief := thief p; mover := Two |}
      | Two => {| policeman := policeman p; thief := cell; mover := One |}
      end in
    moves_or Drawn (map (fun cell => Step cell 0%Z (to cell))
      match mover p with
      | One => near (straight ++ slanting) (policeman p)
      | Two => near straight (thief p)
      end).

Definition police : game :=
  {| pos := ppos; label := N; pos_eqb := ppos_eqb; pos_eqb_spec := ppos_eqb_spec; unit := Outcome;
     start := first; turn := mover; Game.look := look |}.

Definition free : list N := filter (fun cell => negb (has walls cell)) (upto (cells g)).
Definition read_cell (text : chars) : option N :=
  find (fun cell => if list_eq_dec ascii_dec (square g cell) text then true else false) free.

Definition police_text : text police :=
  let map := board_text g (fun cell => if has walls cell then "*" else if has exits cell then "E" else ".")%char in
  {| parts := None;
     write := fun p : pos police =>
       out (map ++ " "%char :: square g (policeman p) ++ " "%char :: square g (thief p)
            ++ [" "; write_turn (mover p)]%char);
     read := fun text =>
       match split " " (str text) with
       | [_; c; t; m] =>
         match read_cell c, read_cell t, read_turn m with
         | Some c, Some t, Some m => Some ({| policeman := c; thief := t; mover := m |} : pos police)
         | _, _, _ => None
         end
       | _ => None
       end;
     word := fun _ cell => out (square g cell); write_inj := None |}.
End Police.

(** The game on a map such as [C..T/.*.E], of at most 62 cells; rows are joined by [/]. *)
Definition named_police (text : string) : option named :=
  let rows := split "/" (str text) in
  let columns := List.length (hd [] rows) in
  let g := {| columns := N.of_nat columns; Grid.rows := N.of_nat (List.length rows) |} in
  let even := forallb (fun row => Nat.eqb (List.length row) columns) rows in
  let known := forallb (fun c => existsb (Ascii.eqb c) (str ".*ECT/")) (str text) in
  let where_ c := filter (has (read_set c (str text))) (upto (cells g)) in
  match where_ "C"%char, where_ "T"%char with
  | [c], [t] =>
    if even && known && (0 <? cells g) && (cells g <=? 62) then
      let walls := read_set "*" (str text) in let exits := read_set "E" (str text) in
      let first := {| policeman := c; thief := t; mover := One |} in
      Some {| rules := police g walls exits first; words := police_text g walls exits first |}
    else None
  | _, _ => None
  end.

Example police_perft :
  option_map (fun n => map (fun d => perft (rules n) d (start (rules n))) [1; 2; 3; 4]%nat)
    (named_police "C.../.*.E/..T.") = Some [3; 12; 52; 175].
Proof. vm_compute. reflexivity. Qed.
