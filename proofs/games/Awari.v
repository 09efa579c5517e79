(** Awari: six pits a side. A move takes all stones of one of one's own pits and sows them counterclockwise, passing over
    the pit itself. Pits of the other that then hold 2 or 3, from the last one sown backwards, are captured. A move
    after which the other has no stone is illegal where another move leaves him one. Who is to move and has no stone
    ends the game: all stones left are the other's. *)

From Coq Require Import Bool List NArith ZArith Ascii String.
From Grundy Require Import Game Text.
From GrundyGames Require Import Grid Nim.
Import ListNotations.
Open Scope N_scope.

(** The pits of the two players, each from its owner's left, and the stones that they have captured. *)
Record apos := { pits1 : list N; pits2 : list N; won1 : N; won2 : N; mover : player }.
Definition apos_eqb (p q : apos) : bool :=
  list_eqb (pits1 p) (pits1 q) && list_eqb (pits2 p) (pits2 q) && (won1 p =? won1 q) && (won2 p =? won2 q)
  && player_eqb (mover p) (mover q).
Lemma apos_eqb_spec : forall p q, reflect (p = q) (apos_eqb p q).
Proof.
  intros [a b c d t] [a' b' c' d' t']; unfold apos_eqb; cbn.
  destruct (list_eqb_spec a a'), (list_eqb_spec b b'), (N.eqb_spec c c'), (N.eqb_spec d d'), (player_eqb_spec t t');
    constructor; congruence.
Qed.

Definition sum (pits : list N) : N := fold_left N.add pits 0.

(** Sows stones one by one into the next pits, cyclically; the pits already reached are kept reversed, the last one sown
    first. *)
Fixpoint sow (fuel : nat) (stones : N) (coming reached : list N) : list N * list N :=
  match fuel, stones, coming with
  | _, 0, _ => (reached, coming)
  | O, _, _ => (reached, coming)
  | S fuel, _, [] => sow fuel stones (rev reached) []
  | S fuel, _, pit :: coming => sow fuel (stones - 1) coming (pit + 1 :: reached)
  end.

(** All twelve pits, the mover's six first, after the [n]th is sown (from 0), and the pit of the last stone. *)
Definition sown (all : list N) (n : nat) : list N * nat :=
  let stones := nth n all 0 in
  (** The eleven others, from the one after the [n]th on. *)
  let others := skipn (S n) all ++ firstn n all in
  let (reached, coming) := sow (N.to_nat (2 * stones)) stones others [] in
  let others := rev_append reached coming in
  let last := ((n + List.length reached) mod 12)%nat in
  (skipn (11 - n) others ++ 0 :: firstn (11 - n) others, last).

(** Captures from the pit [last] backwards while pits of the other hold 2 or 3. *)
Fixpoint capture (fuel last : nat) (all : list N) (won : N) : list N * N :=
  match fuel with
  | O => (all, won)
  | S fuel =>
    let here := nth last all 0 in
    if Nat.leb 6 last && ((here =? 2) || (here =? 3))
    then capture fuel (pred last) (firstn last all ++ 0 :: skipn (S last) all) (won + here)
    else (all, won)
  end.

Definition play (all : list N) (n : nat) : list N * N :=
  let (after, last) := sown all n in capture 6 last after 0.

Definition look (p : apos) : view apos N :=
  let mine := match mover p with One => pits1 p | Two => pits2 p end in
  let theirs := match mover p with One => pits2 p | Two => pits1 p end in
  let all := mine ++ theirs in
  if sum mine =? 0 then Over (Gets (- Z.of_N (sum all)))
  else
    let steps := map (fun n => let (after, won) := play all n in
      let (mine, theirs) := (firstn 6 after, skipn 6 after) in
      (sum theirs, Step (N.of_nat n) (Z.of_N won)
        match mover p with
        | One => {| pits1 := mine; pits2 := theirs; won1 := won1 p + won; won2 := won2 p; mover := Two |}
        | Two => {| pits1 := theirs; pits2 := mine; won1 := won1 p; won2 := won2 p + won; mover := One |}
        end)) (filter (fun n => 0 <? nth n mine 0) (seq 0 6)) in
    let feeding := filter (fun s => 0 <? fst s) steps in
    moves_or Drawn (map snd (match feeding with [] => steps | _ => feeding end)).

Section Awari.
Variable first : apos.
Definition awari : game :=
  {| pos := apos; label := N; pos_eqb := apos_eqb; pos_eqb_spec := apos_eqb_spec; unit := Points;
     start := first; turn := mover; Game.look := look |}.

Definition six (pits : list N) : bool := Nat.eqb (List.length pits) 6.
Definition awari_text : text awari :=
  {| parts := None;
     write := fun p : pos awari =>
       out (join "," (map number (pits1 p)) ++ "/"%char :: join "," (map number (pits2 p))
            ++ " "%char :: number (won1 p) ++ "-"%char :: number (won2 p) ++ [" "; write_turn (mover p)]%char);
     read := fun text =>
       match split " " (str text) with
       | [pits; won; t] =>
         match map read_heaps (split "/" pits), map read_number (split "-" won), read_turn t with
         | [Some a; Some b], [Some c; Some d], Some mover =>
           if six a && six b && (sum a + sum b + c + d <=? 48)
           then Some ({| pits1 := a; pits2 := b; won1 := c; won2 := d; mover := mover |} : pos awari) else None
         | _, _, _ => None
         end
       | _ => None
       end;
     word := fun _ pit => out (number (pit + 1)); write_inj := None |}.
End Awari.

(** The game that begins with these pits, or with a number of stones spread evenly from player one's first pit on. *)
Definition named_awari (pits1 pits2 : list N) : named :=
  let first := {| pits1 := pits1; pits2 := pits2; won1 := 0; won2 := 0; mover := One |} in
  {| rules := awari first; words := awari_text first |}.
Definition spread (stones first : N) : list N :=
  map (fun pit => (stones + 11 - pit) / 12) (from first 6).
Definition named_awari_of (stones : N) : named := named_awari (spread stones 0) (spread stones 6).

Example awari_perft : let g := rules (named_awari_of 48) in
  map (fun d => perft g d (start g)) [1; 2; 3; 4]%nat = [6; 36; 190; 1014].
Proof. vm_compute. reflexivity. Qed.
Example awari_perft_round : let g := rules (named_awari [4; 0; 1; 2; 0; 12] [1; 2; 0; 0; 0; 2]) in
  map (fun d => perft g d (start g)) [1; 2; 3; 4]%nat = [4; 14; 61; 218].
Proof. vm_compute. reflexivity. Qed.
