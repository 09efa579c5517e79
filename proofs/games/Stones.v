(** Boards of stones are written in one way each: no two positions whose stones lie on the board, at most one on a
    cell, are written the same. *)

From Coq Require Import Bool List NArith Lia Ascii String.
From Grundy Require Import Game.
From GrundyGames Require Import Grid.
Import ListNotations.
Open Scope N_scope.

(** [all]: the cells of the board. *)
Definition proper_stones (all : N) (p : stones) : bool :=
  (N.land (xs p) (os p) =? 0) && within (xs p) all && within (os p) all.

Lemma out_inj : forall a b, out a = out b -> a = b.
Proof.
  intros a b E. rewrite <- (list_ascii_of_string_of_list_ascii a), <- (list_ascii_of_string_of_list_ascii b).
  unfold out in E. now rewrite E.
Qed.

Lemma rows_text_letters : forall width letters room, ~ In "/"%char letters ->
  filter (fun c => negb (Ascii.eqb c "/")) (rows_text width room letters) = letters.
Proof.
  intros width letters. induction letters as [|c rest IH]; intros room none; trivial.
  assert (keep : negb (Ascii.eqb c "/") = true).
  { destruct (Ascii.eqb_spec c "/"); trivial. subst. exfalso. apply none. now left. }
  assert (none' : ~ In "/"%char rest) by (intros I; apply none; now right).
  destruct room as [|room]; cbn [rows_text filter]; rewrite ?keep, IH by trivial; trivial.
Qed.

Lemma in_from : forall cell count first, first <= cell < first + N.of_nat count -> In cell (from first count).
Proof.
  intros cell count. induction count as [|count IH]; intros first H; [lia|]. cbn [from].
  destruct (N.eq_dec first cell) as [->|]; [now left|]. right. apply IH. lia.
Qed.

Lemma letters_by_cell : forall xs os count first,
  letters count (N.shiftr xs first) (N.shiftr os first) =
  map (fun cell => if N.testbit xs cell then "X" else if N.testbit os cell then "O" else ".")%char (from first count).
Proof.
  intros xs os count. induction count as [|count IH]; intros first; trivial. cbn [letters from map].
  rewrite !N.div2_spec, !N.shiftr_shiftr, IH, <- !N.bit0_odd, !N.shiftr_spec', !N.add_0_l. trivial.
Qed.

Lemma write_stones_inj : forall g p q,
  proper_stones (full (cells g)) p = true -> proper_stones (full (cells g)) q = true ->
  write_stones g p = write_stones g q -> p = q.
Proof.
  intros g p q P Q E. apply out_inj in E.
  change [" "; write_turn (mover p)]%char with ([" "]%char ++ [write_turn (mover p)]) in E.
  change [" "; write_turn (mover q)]%char with ([" "]%char ++ [write_turn (mover q)]) in E.
  rewrite !app_assoc in E. apply app_inj_tail in E. destruct E as [E T].
  apply app_inj_tail in E. destruct E as [E _]. unfold board_text in E.
  apply (f_equal (filter (fun c => negb (Ascii.eqb c "/")))) in E.
  assert (clean : forall p : stones, ~ In "/"%char (letters (N.to_nat (cells g)) (xs p) (os p))).
  { clear E. intros r. generalize (xs r), (os r). induction (N.to_nat (cells g)) as [|count IH]; intros a b; [intros []|].
    intros [I|I]; [|exact (IH _ _ I)]. destruct (N.odd a); [discriminate|]. destruct (N.odd b); discriminate. }
  rewrite !rows_text_letters in E by apply clean.
  rewrite <- (N.shiftr_0_r (xs p)), <- (N.shiftr_0_r (os p)), <- (N.shiftr_0_r (xs q)), <- (N.shiftr_0_r (os q)) in E.
  rewrite !letters_by_cell in E.
  pose proof (proj1 map_ext_in_iff E) as same. cbv beta in same.
  unfold proper_stones in P, Q. rewrite !within_land, !andb_true_iff, !N.eqb_eq in P, Q. destruct P as [[P1 P2] P3], Q as [[Q1 Q2] Q3].
  assert (beyond : forall a cell, N.land a (full (cells g)) = a -> cells g <= cell -> N.testbit a cell = false).
  { intros a cell A le. rewrite <- A, N.land_spec. unfold full, bit.
    change (N.pred (N.shiftl 1 (cells g))) with (N.ones (cells g)).
    rewrite (N.ones_spec_high _ _ le). apply andb_false_r. }
  assert (apart : forall a b cell, N.land a b = 0 -> N.testbit a cell = true -> N.testbit b cell = false).
  { intros a b cell A B. pose proof (N.land_spec a b cell) as S. rewrite A, N.bits_0, B in S. now symmetry. }
  assert (bits : forall cell, N.testbit (xs p) cell = N.testbit (xs q) cell /\
                              N.testbit (os p) cell = N.testbit (os q) cell).
  { intros cell. destruct (N.lt_ge_cases cell (cells g)) as [lt|ge].
    - specialize (same cell). rewrite <- (N2Nat.id (cells g)) in lt.
      specialize (same (in_from cell _ 0 (conj (N.le_0_l cell) lt))).
      destruct (N.testbit (xs p) cell) eqn:A, (N.testbit (xs q) cell) eqn:B.
      + now rewrite (apart _ _ _ P1 A), (apart _ _ _ Q1 B).
      + destruct (N.testbit (os q) cell); discriminate.
      + destruct (N.testbit (os p) cell); discriminate.
      + destruct (N.testbit (os p) cell), (N.testbit (os q) cell); discriminate || now split.
    - rewrite !beyond by trivial. now split. }
  destruct p as [px po pm], q as [qx qo qm]. cbn in *. f_equal.
  - apply N.bits_inj. intros cell. apply bits.
  - apply N.bits_inj. intros cell. apply bits.
  - destruct pm, qm; trivial; discriminate.
Qed.

(** For the text of a game of stones. *)
Definition stones_inj (g : grid) : {proper : stones -> bool | forall p q, proper p = true -> proper q = true ->
  write_stones g p = write_stones g q -> p = q} :=
  let all := full (cells g) in
  exist _ (proper_stones all) (write_stones_inj g).
