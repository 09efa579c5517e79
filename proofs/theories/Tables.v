(** Tables: when [grundy tables verify] says "proved".

    Positions have indices, here called numbers. The assumption on them is [numbering]: the position that represents a
    number is an image of each position with that number. That holds if no two positions share a number; if images do
    (mirrored boards, either player to move), it says that they have the same moves up to images.

    The table gives each number below [size] a value and, if needed, a rank and a part. [right] is the condition on a
    number: the same conditions as for a section of a certificate. Four kinds of tables satisfy them: distances, outcomes
    and points whose numbers are filled in an order, and points with ranks, with cycles within ranges of numbers. Other
    tables of outcomes are proved by tables of distances. The table of a tier is proved given those that its moves lead
    to: all of them together are one table here.

    Values here have no ceiling. In the engine's tables no accepted value is at the ceiling, so nothing was cut off when
    the best of the moves was compared. *)

From Coq Require Import Bool List ZArith Lia.
From Grundy Require Import Game Play Certificate.
Import ListNotations.

Section Numbered.
Variable g : game.
Variable index : pos g -> N.
Variable position : N -> option (pos g).
Variable size : N.
(** The positions that the table is about. *)
Variable covers : pos g -> bool.

Notation move := (step (pos g) (label g)).

Definition passes (p : pos g) (s : move) : bool := negb (player_eqb (turn g p) (turn g (next s))).

(** A move from one position looks like a move from another. *)
Definition alike (p : pos g) (s : move) (r : pos g) (t : move) : Prop :=
  index (next s) = index (next t) /\ gain s = gain t /\ passes p s = passes r t.

(** Two positions are finished alike, or each move from either looks like one from the other. *)
Definition images (p r : pos g) : Prop :=
  match look g p, look g r with
  | Over a, Over b => a = b
  | Moves _ _, Moves _ _ =>
      (forall s, In s (moves g p) -> exists t, In t (moves g r) /\ alike p s r t) /\
      (forall t, In t (moves g r) -> exists s, In s (moves g p) /\ alike p s r t)
  | _, _ => False
  end.

(** The assumption on the numbering: moves do not leave the covered positions, and the number of a covered position is below
    [size] and has a position that represents it. *)
Record numbering : Prop := {
  stays_covered : forall p s, covers p = true -> In s (moves g p) -> covers (next s) = true;
  stands : forall p, covers p = true -> (index p < size)%N /\ exists r, position (index p) = Some r /\ images p r;
}.

(** A partial bijection between positions and numbers is a numbering. *)
Lemma bijection_is_numbering :
  (forall p s, covers p = true -> In s (moves g p) -> covers (next s) = true) ->
  (forall p, covers p = true -> (index p < size)%N /\ position (index p) = Some p) ->
  numbering.
Proof.
  intros closed inverse. split; trivial. intros p C. destruct (inverse p C) as [lt E]. split; trivial.
  exists p. split; trivial. unfold images, alike. destruct (look g p); trivial.
  split; intros s I; exists s; auto.
Qed.

(** The entry of a number, and a position's moves as seen with it. *)
Variable cells : N -> option entry.
Variable parted : bool.

Definition cell_sight (r : pos g) (t : move) : option sight :=
  match cells (index (next t)) with
  | Some e => Some (Sight (back (passes r t) (gain t) (worth_of e)) (rank e) (part e) (gain t))
  | None => None
  end.

Fixpoint cell_sights (r : pos g) (steps : list move) : option (list sight) :=
  match steps with
  | [] => Some []
  | t :: steps =>
      match cell_sight r t, cell_sights r steps with Some x, Some xs => Some (x :: xs) | _, _ => None end
  end.

(** The condition on a number and the position that represents it. *)
Definition right (n : N) (r : pos g) : Prop :=
  match look g r with
  | Over e => cells n = Some (Entry (ended (unit g) e) 0 None)
  | Moves first others =>
      exists e xs, cells n = Some e /\ cell_sights r (first :: others) = Some xs /\ holds (unit g) parted e xs = true
  end.

Hypothesis numbered : numbering.
Hypothesis all_right : forall n r, (n < size)%N -> position n = Some r -> right n r.

Definition listing (p : pos g) : option entry :=
  if covers p then match look g p with Over _ => None | Moves _ _ => cells (index p) end else None.

Lemma existsb_in : forall (A : Type) (f : A -> bool) xs ys,
  (forall x, In x xs -> In x ys) -> existsb f xs = true -> existsb f ys = true.
Proof. intros A f xs ys sub E. apply existsb_exists in E. destruct E as (x & I & F). apply existsb_exists. eauto. Qed.

Lemma forallb_in : forall (A : Type) (f : A -> bool) xs ys,
  (forall y, In y ys -> In y xs) -> forallb f xs = true -> forallb f ys = true.
Proof. intros A f xs ys sub E. rewrite forallb_forall in *. auto. Qed.

(** The conditions do not depend on the order or the multiplicity of moves. *)
Lemma holds_same : forall e xs ys, (forall x, In x xs <-> In x ys) ->
  holds (unit g) parted e xs = true -> holds (unit g) parted e ys = true.
Proof.
  intros e xs ys same H.
  assert (A : forall x, In x xs -> In x ys) by (intros; now apply same).
  assert (B : forall x, In x ys -> In x xs) by (intros; now apply same).
  unfold holds, outcome_holds, points_hold, parts_hold in *.
  destruct (unit g), parted, (part e), (worth_of e) as [[d|]| |[d|]|m]; try discriminate;
    try destruct (Z.compare m 0); rewrite ?andb_true_iff in *;
    intuition eauto using existsb_in, forallb_in.
Qed.

Lemma stands_right : forall p, covers p = true -> exists r, images p r /\ right (index p) r.
Proof.
  intros p C. destruct (stands numbered p C) as (lt & r & E & I). exists r. split; trivial.
  now apply all_right.
Qed.

Lemma known_cell : forall p, covers p = true -> known g listing p = cells (index p) /\ cells (index p) <> None.
Proof.
  intros p C. destruct (stands_right p C) as (r & I & R). unfold known, listing. rewrite C.
  unfold images in I. unfold right in R.
  destruct (look g p) as [a|first others], (look g r) as [b|f o]; try contradiction.
  - subst b. rewrite R. split; trivial. discriminate.
  - destruct R as (e & xs & E & _). rewrite E. split; trivial. discriminate.
Qed.

Lemma cell_sights_in : forall r steps xs, cell_sights r steps = Some xs ->
  (forall t, In t steps -> exists x, cell_sight r t = Some x /\ In x xs) /\
  (forall x, In x xs -> exists t, In t steps /\ cell_sight r t = Some x).
Proof.
  intros r steps. induction steps as [|s steps IH]; intros xs E; simpl in E.
  - injection E as <-. split; intros ? [].
  - destruct (cell_sight r s) as [x|] eqn:S; [|discriminate].
    destruct (cell_sights r steps) as [ys|]; [|discriminate]. injection E as <-.
    destruct (IH ys eq_refl) as [A B]. split.
    + intros t [<-|I]; [exists x; simpl; auto|]. destruct (A t I) as (y & ? & ?). exists y; simpl; auto.
    + intros y [<-|I]; [exists s; simpl; auto|]. destruct (B y I) as (t & ? & ?). exists t; simpl; auto.
Qed.

Lemma sees_all_some : forall p steps, (forall s, In s steps -> sees g listing p s <> None) ->
  exists ys, sees_all g listing p steps = Some ys.
Proof.
  intros p steps some. induction steps as [|s steps IH]; simpl; eauto.
  destruct (sees g listing p s) eqn:S; [|now destruct (some s (or_introl eq_refl))].
  destruct IH as [ys ->]; eauto. intros t I. apply some. now right.
Qed.

Lemma listing_good : forall p e, listing p = Some e -> good g listing parted p e = true.
Proof.
  intros p e L. unfold listing in L. destruct (covers p) eqn:C; [|discriminate].
  destruct (stands_right p C) as (r & I & R). unfold good. unfold images in I. unfold right in R.
  destruct (look g p) as [a|first others] eqn:P; [discriminate|].
  destruct (look g r) as [b|f o] eqn:Q; [contradiction|].
  assert (mp : moves g p = first :: others) by (unfold moves; now rewrite P).
  assert (mr : moves g r = f :: o) by (unfold moves; now rewrite Q).
  rewrite mp, mr in I. destruct I as [there here].
  destruct R as (e' & xs & E & S & H). rewrite L in E. injection E as <-.
  destruct (cell_sights_in r _ xs S) as [A B].
  assert (same : forall s t, In s (first :: others) -> alike p s r t -> sees g listing p s = cell_sight r t).
  { intros s t Is (I & G & T). unfold sees, cell_sight.
    assert (Cs : covers (next s) = true) by (apply (stays_covered numbered p); trivial; now rewrite mp).
    rewrite (proj1 (known_cell (next s) Cs)), I. unfold passes in T. unfold passes.
    now rewrite T, G. }
  destruct (sees_all_some p (first :: others)) as [ys Y].
  { intros s Is. destruct (there s Is) as (t & It & like). rewrite (same s t Is like).
    destruct (A t It) as (x & -> & _). discriminate. }
  rewrite Y. destruct (sees_all_in g listing p _ ys Y) as [C1 C2].
  apply (holds_same e xs ys); trivial. intros x. split; intros Ix.
  - destruct (B x Ix) as (t & It & St). destruct (here t It) as (s & Is & like).
    destruct (C1 s Is) as (y & Sy & Iy). rewrite (same s t Is like), St in Sy. injection Sy as <-. exact Iy.
  - destruct (C2 x Ix) as (s & Is & Ss). destruct (there s Is) as (t & It & like).
    rewrite (same s t Is like) in Ss. destruct (A t It) as (y & Sy & Iy). rewrite Ss in Sy. injection Sy as <-.
    exact Iy.
Qed.

Lemma cells_bounded : exists highest, forall p e m, listing p = Some e -> worth_of e = Margin m -> (Z.abs m <= highest)%Z.
Proof.
  assert (below : forall k, exists highest, forall n e m,
    (n < k)%N -> cells n = Some e -> worth_of e = Margin m -> (Z.abs m <= highest)%Z).
  { intros k. induction k as [|k [h IH]] using N.peano_ind; [exists 0%Z; lia|].
    exists (Z.max h (match cells k with Some e => match worth_of e with Margin m => Z.abs m | _ => 0 end | None => 0 end)).
    intros n e m lt E V. destruct (N.eq_dec n k) as [->|ne].
    - rewrite E, V. lia.
    - specialize (IH n e m ltac:(lia) E V). lia. }
  destruct (below size) as [highest H]. exists highest. intros p e m L.
  unfold listing in L. destruct (covers p) eqn:C; [|discriminate].
  destruct (look g p); [discriminate|]. exact (H (index p) e m (proj1 (stands numbered p C)) L).
Qed.

(** Every covered position has a value in the table, and it is the value of that position. *)
Theorem table_true : forall p, covers p = true ->
  exists e, cells (index p) = Some e /\ value_is g p (worth_of e).
Proof.
  intros p C. destruct (known_cell p C) as [K some]. destruct (cells (index p)) as [e|]; [|contradiction].
  exists e. split; trivial. destruct cells_bounded as [highest bounded].
  exact (known_value g listing parted listing_good highest bounded p e K).
Qed.

End Numbered.

(** * Four kinds of tables *)

(** The order of values of one kind of game: the larger, the better for the player to move. *)
Definition at_most (v w : value) : bool :=
  match w, v with
  | Loss (Some a), Loss (Some b) => N.leb a b
  | Win (Some a), Win (Some b) => N.leb b a
  | Loss (Some _), Draw | Loss (Some _), Win (Some _) | Draw, Draw | Draw, Win (Some _) => true
  | Loss None, Loss None | Loss None, Draw | Loss None, Win None | Draw, Win None | Win None, Win None => true
  | Margin a, Margin b => Z.leb a b
  | _, _ => false
  end.

(** The value is the best of these. *)
Definition best_is (v : value) (seen : list value) : bool := existsb (fun w => value_eqb w v) seen && forallb (at_most v) seen.

Section Kinds.
Variable g : game.
Variable index : pos g -> N.
Variable position : N -> option (pos g).
Variable size : N.
Variable covers : pos g -> bool.
Hypothesis numbered : numbering g index position size covers.

Notation move := (step (pos g) (label g)).

(** The moves of a position with the values of a table; [None] if a child has no value. *)
Section Values.
Variable get : N -> option value.

Fixpoint seen_values (r : pos g) (steps : list move) : option (list value) :=
  match steps with
  | [] => Some []
  | t :: steps =>
      match get (index (next t)), seen_values r steps with
      | Some v, Some vs => Some (back (passes g r t) (gain t) v :: vs)
      | _, _ => None
      end
  end.

(** Every value is that of the rules, or the best that the children give the mover. *)
Definition consistent (n : N) (r : pos g) : Prop :=
  match look g r with
  | Over e => get n = Some (ended (unit g) e)
  | Moves first others =>
      exists v vs, get n = Some v /\ seen_values r (first :: others) = Some vs /\ best_is v vs = true
  end.

Definition is_over (n : N) : bool :=
  match position n with Some r => match look g r with Over _ => true | Moves _ _ => false end | None => false end.
End Values.

(** ** Distances *)

(** The cells of a table of distances hold a win or a loss with its distance, or a draw. *)
Definition measured (v : value) : Prop :=
  match v with Win (Some _) | Loss (Some _) | Draw => True | _ => False end.

Theorem distances_true : unit g = Outcome -> forall get : N -> option value,
  (forall n v, get n = Some v -> measured v) ->
  (forall n r, (n < size)%N -> position n = Some r -> consistent get n r) ->
  forall p, covers p = true -> exists v, get (index p) = Some v /\ value_is g p v.
Proof.
  intros U get all_measured all_consistent p C.
  set (distance := fun v => match v with Win (Some d) | Loss (Some d) => d | _ => 0%N end).
  set (cells := fun n => match get n with Some v => Some (Entry v (distance v) None) | None => None end).
  destruct (table_true g index position size covers cells false numbered) with (p := p) as (e & E & V); trivial.
  - intros n r lt P. specialize (all_consistent n r lt P). unfold right, consistent in *. unfold cells at 1 2.
    destruct (look g r) as [a|first others].
    + rewrite all_consistent, U. simpl. now destruct a.
    + destruct all_consistent as (v & vs & G & S & B). rewrite G.
      assert (sights : exists xs, cell_sights g index cells r (first :: others) = Some xs /\ map seen xs = vs).
      { clear B. revert vs S. induction (first :: others) as [|t steps IH]; simpl; intros vs S.
        - exists []. now injection S as <-.
        - unfold cell_sight. unfold cells at 1. destruct (get (index (next t))) as [w|]; [|discriminate].
          destruct (seen_values get r steps) as [ws|]; [|discriminate]. injection S as <-.
          destruct (IH ws eq_refl) as (xs & -> & <-). eexists. split; [reflexivity|]. reflexivity. }
      assert (good : forall w, In w vs -> measured w).
      { clear B sights. revert vs S. induction (first :: others) as [|t steps IH]; simpl; intros vs S w I.
        - injection S as <-. destruct I.
        - destruct (get (index (next t))) as [u|] eqn:Gu; [|discriminate].
          destruct (seen_values get r steps) as [ws|]; [|discriminate]. injection S as <-.
          destruct I as [<-|I]; [|now apply (IH ws)]. apply all_measured in Gu.
          unfold back. destruct (passes g r t), u as [[d|]| |[d|]|m]; simpl in *; trivial. }
      destruct sights as (xs & X & <-). exists (Entry v (distance v) None), xs. repeat split; trivial.
      unfold holds. rewrite U. simpl. unfold outcome_holds. simpl.
      unfold best_is in B. apply andb_true_iff in B. destruct B as [B1 B2].
      apply existsb_exists in B1. destruct B1 as (w & I & B1). apply in_map_iff in I. destruct I as (x & Ex & Ix).
      assert (some : existsb (fun s => value_eqb (seen s) v) xs = true)
        by (apply existsb_exists; exists x; split; trivial; now rewrite Ex).
      assert (all : forall f : sight -> bool, (forall x, measured (seen x) -> at_most v (seen x) = true -> f x = true) ->
                forallb f xs = true).
      { intros f F. apply forallb_forall. intros y Iy. apply F.
        - apply good. now apply in_map.
        - rewrite forallb_forall in B2. apply B2. now apply in_map. }
      pose proof (all_measured n v G) as Mv.
      destruct v as [[d|]| |[d|]|m]; simpl in Mv; try contradiction;
        apply andb_true_iff; split; trivial; apply all; intros y My Ay;
        destruct (seen y) as [[k|]| |[k|]|k]; simpl in *; trivial; try discriminate; contradiction.
  - unfold cells in E. destruct (get (index p)) as [v|]; [|discriminate]. injection E as <-. eauto.
Qed.

(** ** Outcomes: by a table of distances that is computed again *)

Definition outcome (v : value) : value :=
  match v with Win _ => Win None | Loss _ => Loss None | v => v end.

Lemma value_outcome : forall p v, value_is g p v -> value_is g p (outcome v).
Proof.
  intros p v [A B].
  assert (weaker : forall x v w, (forall f, at_least g x v p f -> at_least g x w p f) -> sure g x v p -> sure g x w p).
  { intros x u w less (plan & P & H). exists plan. split; auto. }
  split; destruct v as [[d|]| |[d|]|m]; simpl in *; trivial;
    (eapply weaker; [|eassumption]); simpl; eauto.
Qed.

Theorem outcomes_true : unit g = Outcome -> forall get ranks : N -> option value,
  (forall n v, ranks n = Some v -> measured v) ->
  (forall n r, (n < size)%N -> position n = Some r -> consistent ranks n r) ->
  (forall n v, (n < size)%N -> ranks n = Some v -> get n = Some (outcome v)) ->
  forall p, covers p = true -> exists v, get (index p) = Some v /\ value_is g p v.
Proof.
  intros U get ranks all_measured all_consistent same p C.
  destruct (distances_true U ranks all_measured all_consistent p C) as (v & R & V).
  exists (outcome v). split; [|now apply value_outcome]. apply same; trivial. now apply (stands _ _ _ _ _ numbered).
Qed.

(** ** Outcomes in an order: every move that a value rests on leads to a number that is filled earlier *)

(** The cells of a table of outcomes hold no distances. *)
Definition plain (v : value) : Prop :=
  match v with Win None | Loss None | Draw => True | _ => False end.

Section Ordered.
Variable get : N -> option value.
Variable stage : N -> N.

Definition earlier (n : N) (t : move) : Prop := (stage (index (next t)) < stage n)%N.

(** The table says that this move wins. *)
Definition winning (r : pos g) (t : move) : Prop :=
  exists v, get (index (next t)) = Some v /\ back (passes g r t) (gain t) v = Win None.

(** Every outcome is that of the rules; a win, by one earlier move that wins, whatever the others are; or the best of
    all moves, all of them earlier and with values. *)
Definition ordered (n : N) (r : pos g) : Prop :=
  match look g r with
  | Over e => get n = Some (outcome (ended (unit g) e))
  | Moves first others =>
      exists v, get n = Some v /\
      match v with
      | Win _ => exists t, In t (first :: others) /\ earlier n t /\ winning r t
      | _ =>
          (forall t, In t (first :: others) -> earlier n t) /\
          exists vs, seen_values get r (first :: others) = Some vs /\ best_is v vs = true
      end
  end.

Lemma outcome_back : forall passes gain v, outcome (back passes gain v) = back passes gain (outcome v).
Proof. intros [] gain [[d|]| |[d|]|m]; trivial. Qed.

Theorem ordered_outcomes_true : unit g = Outcome ->
  (forall n v, get n = Some v -> plain v) ->
  (forall n r, (n < size)%N -> position n = Some r -> ordered n r) ->
  forall p, covers p = true -> exists v, get (index p) = Some v /\ value_is g p v.
Proof.
  intros U all_plain all_ordered p C.
  (* An end has its distance and rank 0. A number without a value, to which only moves lead that are not looked at, gets
     any. *)
  set (at_end := fun v => match v with Win None => Win (Some 0%N) | Loss None => Loss (Some 0%N) | v => v end).
  set (claim := fun n => match get n with Some v => v | None => Draw end).
  set (entry_at := fun n =>
    if is_over n then Entry (at_end (claim n)) 0 None else Entry (claim n) (stage n) None).
  set (sight_of := fun r (t : move) => let e := entry_at (index (next t)) in
    Sight (back (passes g r t) (gain t) (worth_of e)) (rank e) (part e) (gain t)).
  assert (agrees : forall n v, get n = Some v -> outcome (worth_of (entry_at n)) = v).
  { intros n v G. pose proof (all_plain n v G) as P. unfold entry_at, claim. rewrite G.
    destruct (is_over n), v as [[d|]| |[d|]|m]; simpl in *; trivial; contradiction. }
  assert (seen_agrees : forall r t v, get (index (next t)) = Some v ->
            outcome (seen (sight_of r t)) = back (passes g r t) (gain t) v).
  { intros r t v G. unfold sight_of. simpl. now rewrite outcome_back, (agrees _ _ G). }
  assert (low : forall n r t, earlier n t -> N.ltb (below (sight_of r t)) (stage n) = true).
  { intros n r t E. apply N.ltb_lt. unfold earlier in E. unfold sight_of, entry_at. simpl.
    destruct (is_over (index (next t))); simpl; lia. }
  assert (sights : forall r steps,
            cell_sights g index (fun n => Some (entry_at n)) r steps = Some (map (sight_of r) steps)).
  { intros r steps. induction steps as [|t steps IH]; simpl; trivial. now rewrite IH. }
  clearbody sight_of.
  assert (values : forall r steps vs, seen_values get r steps = Some vs ->
            vs = map (fun t => outcome (seen (sight_of r t))) steps).
  { intros r steps. induction steps as [|t steps IH]; simpl; intros vs S; [now injection S as <-|].
    destruct (get (index (next t))) as [w|] eqn:G; [|discriminate].
    destruct (seen_values get r steps) as [ws|]; [|discriminate]. injection S as <-.
    now rewrite (seen_agrees r t w G), (IH ws eq_refl). }
  destruct (table_true g index position size covers (fun n => Some (entry_at n)) false numbered) with (p := p)
    as (e & E & V); trivial.
  - intros n r lt P. pose proof (all_ordered n r lt P) as O. unfold right, ordered in *.
    unfold entry_at at 1 2, is_over, claim. rewrite P. destruct (look g r) as [a|first others].
    + rewrite O, U. now destruct a.
    + destruct O as (v & G & O). rewrite G. do 2 eexists. split; [reflexivity|]. split; [apply sights|].
      unfold holds. rewrite U. unfold outcome_holds. simpl part. cbv iota. simpl worth_of. simpl rank.
      pose proof (all_plain n v G) as Pv. destruct v as [[d|]| |[d|]|m]; simpl in Pv; try contradiction.
      * destruct O as (t & I & early & w & Gw & W). apply existsb_exists. exists (sight_of r t).
        split; [now apply in_map|]. rewrite (low n r t early), andb_true_r.
        rewrite <- (seen_agrees r t w Gw) in W. destruct (seen (sight_of r t)) as [| | |]; trivial; discriminate.
      * destruct O as (_ & vs & S & B). rewrite (values r _ vs S) in B. unfold best_is in B.
        apply andb_true_iff in B. destruct B as [B1 B2]. apply andb_true_iff. split.
        -- apply existsb_exists in B1. destruct B1 as (w & I & B1). apply in_map_iff in I. destruct I as (t & <- & I).
           apply existsb_exists. exists (sight_of r t). split; [now apply in_map|].
           destruct (seen (sight_of r t)) as [[]| |[]|]; trivial; discriminate.
        -- apply forallb_forall. intros x I. apply in_map_iff in I. destruct I as (t & <- & I).
           rewrite forallb_forall in B2. specialize (B2 _ (in_map _ _ _ I)). cbv beta in B2.
           destruct (seen (sight_of r t)) as [[]| |[]|]; trivial; discriminate.
      * destruct O as (early & vs & S & B). rewrite (values r _ vs S) in B. unfold best_is in B.
        apply andb_true_iff in B. destruct B as [_ B].
        apply forallb_forall. intros x I. apply in_map_iff in I. destruct I as (t & <- & I).
        rewrite (low n r t (early t I)), andb_true_r.
        rewrite forallb_forall in B. specialize (B _ (in_map _ _ _ I)). cbv beta in B.
        destruct (seen (sight_of r t)) as [[]| |[]|]; trivial; discriminate.
  - injection E as <-.
    assert (some : exists v, get (index p) = Some v).
    { destruct (stands _ _ _ _ _ numbered p C) as (lt & r & P & _). specialize (all_ordered _ r lt P).
      unfold ordered in all_ordered. destruct (look g r); [eauto|]. destruct all_ordered as (v & G & _). eauto. }
    destruct some as [v G]. exists v. split; trivial. rewrite <- (agrees _ _ G). now apply value_outcome.
Qed.
End Ordered.

(** ** Points in an order: every move leads to a number that is filled earlier *)

Theorem points_true : unit g = Points -> forall (get : N -> option value) (stage : N -> N),
  (forall n v, get n = Some v -> exists m, v = Margin m) ->
  (forall n r, (n < size)%N -> position n = Some r -> consistent get n r) ->
  (forall n r t, (n < size)%N -> position n = Some r -> In t (moves g r) -> (stage (index (next t)) < stage n)%N) ->
  forall p, covers p = true -> exists v, get (index p) = Some v /\ value_is g p v.
Proof.
  intros U get stage margins all_consistent earlier p C.
  set (cells := fun n => match get n with
    | Some v => Some (Entry v (if is_over n then 0%N else stage n) None) | None => None end).
  destruct (table_true g index position size covers cells false numbered) with (p := p) as (e & E & V); trivial.
  - intros n r lt P. pose proof (all_consistent n r lt P) as cons. unfold right, consistent in *. unfold cells at 1 2.
    unfold is_over at 1 2. rewrite P. destruct (look g r) as [a|first others] eqn:L.
    + rewrite cons. trivial.
    + destruct cons as (v & vs & G & S & B). rewrite G.
      assert (early : forall t, In t (first :: others) -> (stage (index (next t)) < stage n)%N).
      { intros t I. apply (earlier n r t lt P). unfold moves. now rewrite L. }
      assert (sights : exists xs, cell_sights g index cells r (first :: others) = Some xs /\ map seen xs = vs /\
                forall x, In x xs -> (below x < stage n)%N).
      { clear B. revert vs S. induction (first :: others) as [|t steps IH]; simpl; intros vs S.
        - exists []. injection S as <-. repeat split; trivial. intros x [].
        - unfold cell_sight. unfold cells at 1. destruct (get (index (next t))) as [w|]; [|discriminate].
          destruct (seen_values get r steps) as [ws|]; [|discriminate]. injection S as <-.
          destruct IH with (vs := ws) as (xs & -> & <- & low); trivial; [intros u Iu; apply early; now right|].
          eexists. split; [reflexivity|]. split; [reflexivity|]. intros x [<-|I]; [|now apply low].
          simpl. specialize (early t (or_introl eq_refl)). destruct (is_over _); lia. }
      destruct sights as (xs & X & <- & low).
      destruct (margins n v G) as [m ->]. exists (Entry (Margin m) (stage n) None), xs. repeat split; trivial.
      unfold holds. rewrite U. simpl. unfold points_hold. simpl.
      unfold best_is in B. apply andb_true_iff in B. destruct B as [B1 B2].
      rewrite !andb_true_iff. repeat split.
      * apply existsb_exists in B1. destruct B1 as (w & I & B1). apply in_map_iff in I. destruct I as (x & Ex & Ix).
        apply existsb_exists. exists x. split; trivial. unfold margin_is. now rewrite Ex.
      * apply forallb_forall. intros x Ix. rewrite forallb_forall in B2. specialize (B2 (seen x) (in_map _ _ _ Ix)).
        unfold margin_at_most. unfold at_most in B2. destruct (seen x) as [[]| |[]|]; trivial; discriminate.
      * apply forallb_forall. intros x Ix. now apply N.ltb_lt, low.
  - unfold cells in E. destruct (get (index p)) as [v|]; [|discriminate]. injection E as <-. eauto.
Qed.

(** The orders in which numbers are filled, as stages. A proper subset of bits is a smaller number. *)
Lemma subset_is_less : forall a b, a <> b -> N.ldiff a b = 0%N -> (a < b)%N.
Proof.
  intros a b neq sub. apply N.le_neq. split; trivial.
  assert (A : N.land a b = a).
  { pose proof (N.lor_ldiff_and a b) as H. now rewrite sub, N.lor_0_l in H. }
  pose proof (N.lor_ldiff_and b a) as B. rewrite (N.land_comm b a), A in B.
  assert (apart : N.land (N.ldiff b a) a = 0%N).
  { apply N.bits_inj. intros i. rewrite N.land_spec, N.ldiff_spec, N.bits_0.
    destruct (N.testbit b i), (N.testbit a i); trivial. }
  rewrite <- (N.lxor_lor _ _ apart), <- (N.add_nocarry_lxor _ _ apart) in B. lia.
Qed.

(** ** Points with ranks, with cycles within prefix ranges *)

(** The part of a number: the number of ranges that end at it or before. *)
Definition part_of (ends : list N) (n : N) : N := N.of_nat (length (filter (fun last => N.leb last n) ends)).

Section Ranked.
Variable get : N -> option (Z * N).
Variable ends : list N.

(** A move as it is seen: its margin, and the rank after it if it stays in the part, else 0. *)
Definition ranked_sight (n : N) (r : pos g) (t : move) : option (Z * N) :=
  let child := index (next t) in
  match get child with
  | Some (m, k) =>
      Some ((if passes g r t then - m else m) + gain t, if N.eqb (part_of ends child) (part_of ends n) then k else 0%N)%Z
  | None => None
  end.

Fixpoint ranked_sights (n : N) (r : pos g) (steps : list move) : option (list (Z * N)) :=
  match steps with
  | [] => Some []
  | t :: steps =>
      match ranked_sight n r t, ranked_sights n r steps with Some x, Some xs => Some (x :: xs) | _, _ => None end
  end.

(** The margin is the best of the moves; a rank is one more than that of a move it rests on, of a margin below 0 than
    those of all moves worth as much. *)
Definition rests (m : Z) (k : N) (xs : list (Z * N)) : bool :=
  existsb (fun x => Z.eqb (fst x) m) xs && forallb (fun x => Z.leb (fst x) m) xs &&
  match Z.compare m 0 with
  | Gt => existsb (fun x => Z.eqb (fst x) m && N.eqb (N.succ (snd x)) k) xs
  | Lt => forallb (fun x => negb (Z.eqb (fst x) m) || N.leb (N.succ (snd x)) k) xs
  | Eq => true
  end.

(** No move leads to a later part, and one that stays gains nothing. *)
Definition keeps_part (n : N) (t : move) : bool :=
  let child := part_of ends (index (next t)) in
  N.ltb child (part_of ends n) || N.eqb child (part_of ends n) && Z.eqb (gain t) 0.

Definition ranked_right (n : N) (r : pos g) : Prop :=
  match look g r with
  | Over e => get n = Some (settled e, 0%N)
  | Moves first others =>
      forallb (keeps_part n) (first :: others) = true /\
      exists m k xs, get n = Some (m, k) /\ ranked_sights n r (first :: others) = Some xs /\ rests m k xs = true
  end.

Theorem ranked_true : unit g = Points ->
  (forall n r, (n < size)%N -> position n = Some r -> ranked_right n r) ->
  forall p, covers p = true -> exists m k, get (index p) = Some (m, k) /\ value_is g p (Margin m).
Proof.
  intros U all p C.
  set (cells := fun n => match get n with
    | Some (m, k) => Some (if is_over n then Entry (Margin m) 0 None else Entry (Margin m) k (Some (part_of ends n)))
    | None => None end).
  destruct (table_true g index position size covers cells true numbered) with (p := p) as (e & E & V); trivial.
  - intros n r lt P. specialize (all n r lt P). unfold right, ranked_right in *. unfold cells at 1 2.
    unfold is_over at 1 2. rewrite P. destruct (look g r) as [a|first others] eqn:L.
    + rewrite all, U. trivial.
    + destruct all as (keep & m & k & xs & G & S & R). rewrite G.
      assert (sights : exists ys, cell_sights g index cells r (first :: others) = Some ys /\
        (forall y, In y ys -> exists x, In x xs /\ seen y = Margin (fst x) /\
           match into y with
           | None => True
           | Some own => (own < part_of ends n)%N \/ own = part_of ends n /\ gains_now y = 0%Z /\ below y = snd x
           end) /\
        (forall x, In x xs -> exists y, In y ys /\ seen y = Margin (fst x) /\
           match into y with
           | None => True
           | Some own => (own < part_of ends n)%N \/ own = part_of ends n /\ gains_now y = 0%Z /\ below y = snd x
           end)).
      { clear R G. revert xs S. induction (first :: others) as [|t steps IH]; simpl; intros xs S.
        - exists []. injection S as <-. repeat split; intros ? [].
        - simpl in keep. apply andb_true_iff in keep. destruct keep as [here keep].
          unfold cell_sight. unfold cells at 1. unfold ranked_sight in S.
          destruct (get (index (next t))) as [[w j]|]; [|discriminate].
          destruct (ranked_sights n r steps) as [ws|]; [|discriminate]. injection S as <-.
          destruct IH with (xs := ws) as (ys & -> & A & B); trivial.
          eexists. split; [reflexivity|].
          set (y := Sight _ _ _ _).
          set (x := ((if passes g r t then - w else w) + gain t, _)%Z).
          assert (fits : seen y = Margin (fst x) /\ match into y with
             | None => True
             | Some own => (own < part_of ends n)%N \/ own = part_of ends n /\ gains_now y = 0%Z /\ below y = snd x
             end).
          { subst x y. unfold back. destruct (is_over (index (next t))); destruct (passes g r t); simpl;
              (split; [trivial|]); trivial;
              (unfold keeps_part in here; destruct (N.ltb_spec (part_of ends (index (next t))) (part_of ends n)); [now left|];
               simpl in here; apply andb_true_iff in here; destruct here as [Ep Eg];
               rewrite Ep; apply N.eqb_eq in Ep; apply Z.eqb_eq in Eg; right; now repeat split). }
          split.
          + intros z [<-|I]; [exists x; split; [now left|exact fits]|].
            destruct (A z I) as (u & Iu & F). exists u. split; [now right|exact F].
          + intros z [<-|I]; [exists y; split; [now left|exact fits]|].
            destruct (B z I) as (u & Iu & F). exists u. split; [now right|exact F]. }
      destruct sights as (ys & Y & A & B).
      exists (Entry (Margin m) k (Some (part_of ends n))), ys. repeat split; trivial.
      unfold holds. rewrite U. simpl. unfold parts_hold. unfold rests in R.
      rewrite !andb_true_iff in *. destruct R as [[R1 R2] R3]. repeat split.
      * apply existsb_exists in R1. destruct R1 as (x & Ix & Ex). apply Z.eqb_eq in Ex.
        destruct (B x Ix) as (y & Iy & Sy & _). apply existsb_exists. exists y. split; trivial.
        unfold margin_is. rewrite Sy, Ex. simpl. apply Z.eqb_refl.
      * apply forallb_forall. intros y Iy. destruct (A y Iy) as (x & Ix & Sy & _).
        rewrite forallb_forall in R2. specialize (R2 x Ix). unfold margin_at_most. now rewrite Sy.
      * apply forallb_forall. intros y Iy. destruct (A y Iy) as (x & Ix & Sy & F).
        destruct (into y) as [own|]; trivial. destruct F as [low|(-> & -> & _)].
        -- now rewrite (proj2 (N.ltb_lt _ _) low).
        -- rewrite N.eqb_refl. apply orb_true_r.
      * assert (close : forall x y, seen y = Margin (fst x) -> (N.succ (snd x) <= k)%N ->
          match into y with
          | None => True
          | Some own => (own < part_of ends n)%N \/ own = part_of ends n /\ gains_now y = 0%Z /\ below y = snd x
          end -> nearer (part_of ends n) (Entry (Margin m) k (Some (part_of ends n))) y = true).
        { intros x y Sy le F. unfold nearer, leaves. simpl. destruct (into y) as [own|]; trivial.
          destruct F as [low|(-> & _ & Eb)].
          - now rewrite (proj2 (N.ltb_lt _ _) low).
          - apply orb_true_iff. right. apply N.ltb_lt. rewrite Eb. lia. }
        destruct (Z.compare m 0); trivial.
        -- apply forallb_forall. intros y Iy. destruct (A y Iy) as (x & Ix & Sy & F).
           rewrite forallb_forall in R3. specialize (R3 x Ix). unfold margin_is. rewrite Sy. simpl.
           destruct (Z.eqb (fst x) m); simpl in *; trivial. apply (close x y Sy); trivial. now apply N.leb_le.
        -- apply existsb_exists in R3. destruct R3 as (x & Ix & Ex). apply andb_true_iff in Ex.
           destruct Ex as [Em Ek]. apply Z.eqb_eq in Em. apply N.eqb_eq in Ek.
           destruct (B x Ix) as (y & Iy & Sy & F). apply existsb_exists. exists y. split; trivial.
           apply andb_true_iff. split; [unfold margin_is; rewrite Sy, Em; simpl; apply Z.eqb_refl|].
           apply (close x y Sy); trivial. lia.
  - unfold cells in E. destruct (get (index p)) as [[m k]|]; [|discriminate]. exists m, k. split; trivial.
    destruct (is_over (index p)); injection E as <-; exact V.
Qed.
End Ranked.

End Kinds.
