(** The conditions on a section of a certificate, and the proof that they suffice.

    A section lists positions with their values. [good] is the condition on one of them: it computes. [sound] says that
    every listed value is then the value of that position in the section's game. *)

From Coq Require Import Bool List ZArith Lia Wf_nat.
From Grundy Require Import Game Play.
Import ListNotations.

(** An entry of a section: the position's value for the player to move; a rank, which decreases with every move that the
    value rests on; and, in cyclic games for points, a part. *)
Record entry := Entry { worth_of : value; rank : N; part : option N }.

(** A value one move back, for the player who makes the move: negated if the turn passes, one ply farther away, and
    larger by what the move gains. *)
Definition back (passes : bool) (gain : Z) (v : value) : value :=
  match (if passes then flip v else v) with
  | Win (Some d) => Win (Some (N.succ d))
  | Loss (Some d) => Loss (Some (N.succ d))
  | Margin m => Margin (m + gain)
  | v => v
  end.

(** The value of a finished position. *)
Definition ended (u : unit_of) (r : ending) : value :=
  match u, r with
  | Points, r => Margin (settled r)
  | Outcome, Won => Win (Some 0%N)
  | Outcome, Lost => Loss (Some 0%N)
  | Outcome, _ => Draw
  end.

Definition value_eqb (v w : value) : bool :=
  match v, w with
  | Win (Some a), Win (Some b) | Loss (Some a), Loss (Some b) => N.eqb a b
  | Win None, Win None | Loss None, Loss None | Draw, Draw => true
  | Margin a, Margin b => Z.eqb a b
  | _, _ => false
  end.

Definition is_win (v : value) : bool := match v with Win _ => true | _ => false end.
Definition is_loss (v : value) : bool := match v with Loss _ => true | _ => false end.

(** One move seen from a position: its value there, the rank and the part of the position it leads to (a finished one has
    rank 0 and is below all parts), and what it gains. *)
Record sight := Sight { seen : value; below : N; into : option N; gains_now : Z }.

Section Conditions.
Variable u : unit_of.

(** Conditions 4, 5 and 6 for a position of a game of outcomes. *)
Definition outcome_holds (e : entry) (sights : list sight) : bool :=
  match worth_of e with
  | Win (Some d) =>
      existsb (fun s => value_eqb (seen s) (Win (Some d))) sights &&
      forallb (fun s => match seen s with Win (Some k) => N.leb d k | Win None => false | _ => true end) sights
  | Win None => existsb (fun s => is_win (seen s) && N.ltb (below s) (rank e)) sights
  | Draw =>
      existsb (fun s => value_eqb (seen s) Draw) sights &&
      forallb (fun s => negb (is_win (seen s))) sights
  | Loss (Some d) =>
      existsb (fun s => value_eqb (seen s) (Loss (Some d))) sights &&
      forallb (fun s => match seen s with Loss (Some k) => N.leb k d | _ => false end) sights
  | Loss None => forallb (fun s => is_loss (seen s) && N.ltb (below s) (rank e)) sights
  | Margin _ => false
  end.

Definition margin_is (m : Z) (s : sight) : bool := value_eqb (seen s) (Margin m).
Definition margin_at_most (m : Z) (s : sight) : bool :=
  match seen s with Margin k => Z.leb k m | _ => false end.

(** In acyclic games for points. *)
Definition points_hold (m : Z) (e : entry) (sights : list sight) : bool :=
  existsb (margin_is m) sights && forallb (margin_at_most m) sights &&
  forallb (fun s => N.ltb (below s) (rank e)) sights.

(** Condition 7. A move leaves the part if it ends the game or leads to a lower part; it makes progress if it leaves the
    part or leads to a lower rank. *)
Definition leaves (own : N) (s : sight) : bool := match into s with None => true | Some k => N.ltb k own end.
Definition nearer (own : N) (e : entry) (s : sight) : bool := leaves own s || N.ltb (below s) (rank e).

Definition parts_hold (m : Z) (own : N) (e : entry) (sights : list sight) : bool :=
  existsb (margin_is m) sights && forallb (margin_at_most m) sights &&
  forallb (fun s => match into s with
                    | None => true
                    | Some k => N.ltb k own || N.eqb k own && Z.eqb (gains_now s) 0
                    end) sights &&
  match Z.compare m 0 with
  | Gt => existsb (fun s => margin_is m s && nearer own e s) sights
  | Lt => forallb (fun s => negb (margin_is m s) || nearer own e s) sights
  | Eq => true
  end.

(** There the rank is one more than the highest below: the maximum number of plies to the end. The values do not rest on
    this. *)
Definition most_plies_are_right (parted : bool) (e : entry) (sights : list sight) : bool :=
  match u, parted with
  | Points, false => existsb (fun s => N.eqb (N.succ (below s)) (rank e)) sights
  | _, _ => true
  end.

(** The condition on an entry with these moves. *)
Definition holds (parted : bool) (e : entry) (sights : list sight) : bool :=
  match u, parted, part e, worth_of e with
  | Outcome, false, None, _ => outcome_holds e sights
  | Points, false, None, Margin m => points_hold m e sights
  | Points, true, Some own, Margin m => parts_hold m own e sights
  | _, _, _, _ => false
  end.

End Conditions.

(** * The theorem, for all moves of a game *)

Section Sound.
Variable g : game.
Variable listing : pos g -> option entry.
Variable parted : bool.

Notation move := (step (pos g) (label g)).

(** What is known of a position: what is listed, or that it is over. *)
Definition known (q : pos g) : option entry :=
  match listing q with
  | Some e => Some e
  | None => match look g q with Over r => Some (Entry (ended (unit g) r) 0 None) | Moves _ _ => None end
  end.

(** A move as it is seen; [None] if it leads to a position neither listed nor finished. *)
Definition sees (q : pos g) (s : move) : option sight :=
  match known (next s) with
  | Some e => Some (Sight (back (negb (player_eqb (turn g q) (turn g (next s)))) (gain s) (worth_of e))
                          (rank e) (part e) (gain s))
  | None => None
  end.

(** All moves as they are seen; [None] if one leads to a position neither listed nor finished. *)
Fixpoint sees_all (q : pos g) (steps : list move) : option (list sight) :=
  match steps with
  | [] => Some []
  | s :: steps =>
      match sees q s with
      | Some x => match sees_all q steps with Some xs => Some (x :: xs) | None => None end
      | None => None
      end
  end.

(** The condition on a listed position: it is not finished, its moves lead to known positions, and the conditions on them
    hold. *)
Definition good (q : pos g) (e : entry) : bool :=
  match look g q with
  | Over _ => false
  | Moves first others =>
      match sees_all q (first :: others) with
      | Some sights => holds (unit g) parted e sights
      | None => false
      end
  end.

Hypothesis all_good : forall q e, listing q = Some e -> good q e = true.
(** Only finitely many positions are listed, so margins cannot increase for ever. *)
Variable highest : Z.
Hypothesis bounded : forall q e m, listing q = Some e -> worth_of e = Margin m -> (Z.abs m <= highest)%Z.

(** ** Facts about what is seen *)

Lemma sees_all_in : forall q list xs, sees_all q list = Some xs ->
  (forall s, In s list -> exists x, sees q s = Some x /\ In x xs) /\
  (forall x, In x xs -> exists s, In s list /\ sees q s = Some x).
Proof.
  intros q list. induction list as [|s list IH]; intros xs E; simpl in E.
  - injection E as <-. split; intros ? [].
  - destruct (sees q s) as [x|] eqn:S; [|discriminate].
    destruct (sees_all q list) as [ys|]; [|discriminate]. injection E as <-.
    destruct (IH ys eq_refl) as [A B]. split.
    + intros t [<-|I]; [exists x; simpl; auto|]. destruct (A t I) as (y & ? & ?). exists y; simpl; auto.
    + intros y [<-|I]; [exists s; simpl; auto|]. destruct (B y I) as (t & ? & ?). exists t; simpl; auto.
Qed.

(** A listed position by its conditions: there is a list of what is seen, for exactly its moves. *)
Lemma listed_holds : forall q e, listing q = Some e ->
  exists xs, holds (unit g) parted e xs = true /\ moves g q <> [] /\
    (forall s, In s (moves g q) -> exists x, sees q s = Some x /\ In x xs) /\
    (forall x, In x xs -> exists s, In s (moves g q) /\ sees q s = Some x).
Proof.
  intros q e L. pose proof (all_good q e L) as H. unfold good in H. unfold moves.
  destruct (look g q) as [|first others]; [discriminate|].
  destruct (sees_all q (first :: others)) as [xs|] eqn:E; [|discriminate].
  exists xs. destruct (sees_all_in _ _ _ E). repeat split; auto. discriminate.
Qed.

Lemma known_cases : forall q e, known q = Some e ->
  listing q = Some e \/
  (listing q = None /\ exists r, look g q = Over r /\ e = Entry (ended (unit g) r) 0 None).
Proof.
  intros q e K. unfold known in K. destruct (listing q); [left; congruence|right].
  destruct (look g q) as [r|]; [|discriminate]. split; trivial. exists r. split; congruence.
Qed.

Lemma over_known : forall q e, known q = Some e -> moves g q = [] ->
  exists r, look g q = Over r /\ e = Entry (ended (unit g) r) 0 None.
Proof.
  intros q e K M. destruct (known_cases q e K) as [L|[_ R]]; trivial.
  destruct (listed_holds q e L) as (xs & _ & some & _). contradiction.
Qed.

Lemma going_listed : forall q e s, known q = Some e -> In s (moves g q) -> listing q = Some e.
Proof.
  intros q e s K I. destruct (known_cases q e K) as [L|(_ & r & O & _)]; trivial.
  rewrite (over_no_moves g q r O) in I. destruct I.
Qed.

(** Every move from a known position leads to a known one. *)
Lemma known_next : forall q e s, known q = Some e -> In s (moves g q) -> exists e', known (next s) = Some e'.
Proof.
  intros q e s K I. pose proof (going_listed q e s K I) as L.
  destruct (listed_holds q e L) as (xs & _ & _ & A & _). destruct (A s I) as (x & S & _).
  unfold sees in S. destruct (known (next s)); [eauto|discriminate].
Qed.

Lemma outcome_known : forall q e m, unit g = Outcome -> known q = Some e -> worth_of e <> Margin m.
Proof.
  intros q e m U K V. destruct (known_cases q e K) as [L|(_ & r & _ & ->)].
  - destruct (listed_holds q e L) as (xs & H & _). unfold holds in H. rewrite U in H.
    destruct parted, (part e); try discriminate H. unfold outcome_holds in H. now rewrite V in H.
  - simpl in V. rewrite U in V. destruct r; discriminate.
Qed.

(** A strategy for either player: a move that is right by the conditions, if there is one, else any. *)
Definition right (q : pos g) (e : entry) (s : move) : bool :=
  match sees q s with
  | None => false
  | Some x =>
      match worth_of e with
      | Win None => is_win (seen x) && N.ltb (below x) (rank e)
      | Margin m =>
          margin_is m x &&
          match part e with Some own => negb (Z.ltb 0 m) || nearer own e x | None => true end
      | v => value_eqb (seen x) v
      end
  end.

Definition best (q : pos g) : option move :=
  let list := moves g q in
  match listing q with
  | Some e => match find (right q e) list with Some s => Some s | None => hd_error list end
  | None => hd_error list
  end.

Lemma best_is_move : forall q, moves g q <> [] -> exists s, best q = Some s /\ In s (moves g q).
Proof.
  intros q some. unfold best.
  assert (any : exists s, hd_error (moves g q) = Some s /\ In s (moves g q)).
  { destruct (moves g q) as [|s list]; [contradiction|]. exists s. simpl. auto. }
  destruct (listing q) as [e|]; trivial.
  destruct (find (right q e) (moves g q)) as [s|] eqn:F; trivial.
  exists s. split; trivial. now apply find_some in F.
Qed.

Lemma best_right : forall q e s, listing q = Some e -> best q = Some s ->
  (exists t, In t (moves g q) /\ right q e t = true) -> right q e s = true.
Proof.
  intros q e s L B (t & I & R). unfold best in B. rewrite L in B.
  destruct (find (right q e) (moves g q)) as [u|] eqn:F.
  - injection B as <-. now apply find_some in F.
  - now rewrite (find_none _ _ F t I) in R.
Qed.

(** [seen] is [back] of the value known after the move. *)
Lemma sees_known : forall q s x, sees q s = Some x -> exists e, known (next s) = Some e /\
  x = Sight (back (negb (player_eqb (turn g q) (turn g (next s)))) (gain s) (worth_of e)) (rank e) (part e) (gain s).
Proof.
  intros q s x S. unfold sees in S. destruct (known (next s)) as [e|]; [|discriminate].
  exists e. split; congruence.
Qed.

(** ** Wins and losses for one player

    [x] plays the right moves. [of x q v]: the value [v] of [q] as [x] sees it. *)
Section Player.
Variable x : player.

Notation of := (seen_by g x).

Lemma of_mine : forall q v, turn g q = x -> of q v = v.
Proof. intros q v T. unfold seen_by. now rewrite T, player_eqb_refl. Qed.

Lemma of_theirs : forall q v, turn g q <> x -> of q v = flip v.
Proof.
  intros q v T. unfold seen_by. destruct (player_eqb_spec (turn g q) x); [contradiction|trivial].
Qed.

(** A move as [x] sees it, made by himself and by the other player. *)
Lemma back_mine : forall q (s : move) v, turn g q = x ->
  back (negb (player_eqb (turn g q) (turn g (next s)))) (gain s) v = back false (gain s) (of (next s) v).
Proof.
  intros q s v T. unfold back, seen_by. rewrite T.
  destruct (player_eqb_spec x (turn g (next s))) as [E|N]; simpl.
  - now rewrite <- E, player_eqb_refl.
  - destruct (player_eqb_spec (turn g (next s)) x); [congruence|trivial].
Qed.

Lemma back_theirs : forall q (s : move) v, turn g q <> x ->
  back (negb (player_eqb (turn g q) (turn g (next s)))) (gain s) v =
  flip (back false (- gain s) (of (next s) v)).
Proof.
  intros q s v T. apply neq_other in T. rewrite T. unfold back, seen_by.
  destruct (player_eqb_spec (other x) (turn g (next s))) as [E|N]; simpl.
  - rewrite <- E, player_eqb_other. destruct v as [[]| |[]|]; simpl; trivial. f_equal. lia.
  - apply neq_other in N. rewrite <- (other_other (turn g (next s))), <- N, other_other, player_eqb_refl.
    destruct v as [[]| |[]|]; simpl; trivial. f_equal. lia.
Qed.

Lemma of_wins : forall q r, unit g = Outcome -> look g q = Over r ->
  (is_win (of q (ended (unit g) r)) = true -> wins g x q) /\
  (wins g (other x) q -> of q (ended (unit g) r) = Loss (Some 0%N)).
Proof.
  intros q r U O. unfold wins, seen_by. rewrite O, U.
  destruct (turn g q), x, r; simpl; split; intros; congruence || contradiction.
Qed.

Lemma outcome_seen : forall q e m, unit g = Outcome -> known q = Some e -> of q (worth_of e) <> Margin m.
Proof.
  intros q e m U K V. unfold seen_by in V. destruct player_eqb.
  - now apply (outcome_known q e m U K).
  - apply (outcome_known q e (- m) U K). destruct (worth_of e); simpl in V; try discriminate.
    injection V as <-. f_equal. lia.
Qed.

(** The effect of one move on the value that [x] sees, if [x] plays as [best]: by the conditions. *)
Lemma outcome_step : forall q e s, unit g = Outcome -> known q = Some e -> In s (moves g q) ->
  (turn g q = x -> best q = Some s) ->
  exists e', known (next s) = Some e' /\
    match of q (worth_of e) with
    | Win (Some d) => exists k, of (next s) (worth_of e') = Win (Some k) /\ (k < d)%N
    | Win None => is_win (of (next s) (worth_of e')) = true /\ (rank e' < rank e)%N
    | Draw => of (next s) (worth_of e') = Draw \/ is_win (of (next s) (worth_of e')) = true
    | Loss (Some d) =>
        match of (next s) (worth_of e') with
        | Loss (Some k) => (d <= N.succ k)%N
        | Win _ | Draw => True
        | _ => False
        end
    | Loss None => True
    | Margin _ => False
    end.
Proof.
  intros q e s U K I mine.
  pose proof (going_listed q e s K I) as L.
  destruct (listed_holds q e L) as (xs & H & _ & A & B).
  unfold holds in H. rewrite U in H. destruct parted, (part e) eqn:P; try discriminate H.
  destruct (known_next q e s K I) as [e' K']. exists e'. split; trivial.
  destruct (player_eqb_spec (turn g q) x) as [T|T].
  - (* his own move *)
    rewrite (of_mine q _ T). specialize (mine T).
    assert (R : (exists t, In t (moves g q) /\ right q e t = true) -> right q e s = true)
      by (now apply best_right).
    unfold right in R. destruct (A s I) as (y & S & Iy).
    rewrite S in R. destruct (sees_known q s y S) as (e'' & K'' & Y).
    rewrite K' in K''. injection K'' as <-.
    rewrite (back_mine q s _ T) in Y.
    assert (back_to : forall z, In z xs -> exists t, In t (moves g q) /\ sees q t = Some z) by exact B.
    unfold outcome_holds in H. destruct (worth_of e) as [[d|]| |[d|]|m] eqn:V; try discriminate H.
    + apply andb_true_iff in H. destruct H as [H _]. apply existsb_exists in H.
      destruct H as (z & Iz & Z). destruct (back_to z Iz) as (t & It & St).
      assert (Ry : value_eqb (seen y) (Win (Some d)) = true).
      { apply R. exists t. split; trivial. now rewrite St. }
      subst y. simpl in Ry. destruct (of (next s) (worth_of e')) as [[k|]| |[k|]|k]; simpl in Ry; try discriminate.
      exists k. split; trivial. apply N.eqb_eq in Ry. lia.
    + apply existsb_exists in H. destruct H as (z & Iz & Z). destruct (back_to z Iz) as (t & It & St).
      assert (Ry : is_win (seen y) && (below y <? rank e)%N = true).
      { apply R. exists t. split; trivial. now rewrite St. }
      subst y. simpl in Ry. apply andb_true_iff in Ry. destruct Ry as [W lt].
      apply N.ltb_lt in lt. split; trivial.
      destruct (of (next s) (worth_of e')) as [[k|]| |[k|]|k]; simpl in *; trivial; discriminate.
    + apply andb_true_iff in H. destruct H as [H _]. apply existsb_exists in H.
      destruct H as (z & Iz & Z). destruct (back_to z Iz) as (t & It & St).
      assert (Ry : value_eqb (seen y) Draw = true).
      { apply R. exists t. split; trivial. now rewrite St. }
      subst y. simpl in Ry. destruct (of (next s) (worth_of e')) as [[k|]| |[k|]|k]; simpl in Ry; try discriminate.
      now left.
    + apply andb_true_iff in H. destruct H as [H _]. apply existsb_exists in H.
      destruct H as (z & Iz & Z). destruct (back_to z Iz) as (t & It & St).
      assert (Ry : value_eqb (seen y) (Loss (Some d)) = true).
      { apply R. exists t. split; trivial. now rewrite St. }
      subst y. simpl in Ry. destruct (of (next s) (worth_of e')) as [[k|]| |[k|]|k]; simpl in Ry; try discriminate.
      apply N.eqb_eq in Ry. lia.
    + exact Logic.I.
  - (* the other's move *)
    rewrite (of_theirs q _ T). destruct (A s I) as (y & S & Iy).
    destruct (sees_known q s y S) as (e'' & K'' & Y). rewrite K' in K''. injection K'' as <-.
    rewrite (back_theirs q s _ T) in Y.
    unfold outcome_holds in H. destruct (worth_of e) as [[d|]| |[d|]|m] eqn:V; simpl; try discriminate H.
    + apply andb_true_iff in H. destruct H as [_ H]. rewrite forallb_forall in H. specialize (H y Iy).
      subst y. simpl in H. destruct (of (next s) (worth_of e')) as [[k|]| |[k|]|k] eqn:E; simpl in H; trivial; try discriminate.
      * now apply N.leb_le in H.
      * now apply (outcome_seen (next s) e' k U K') in E.
    + exact Logic.I.
    + apply andb_true_iff in H. destruct H as [_ H]. rewrite forallb_forall in H. specialize (H y Iy).
      subst y. simpl in H. destruct (of (next s) (worth_of e')) as [[k|]| |[k|]|k] eqn:E; simpl in H; auto; try discriminate.
      now apply (outcome_seen (next s) e' k U K') in E.
    + apply andb_true_iff in H. destruct H as [_ H]. rewrite forallb_forall in H. specialize (H y Iy).
      subst y. simpl in H. destruct (of (next s) (worth_of e')) as [[k|]| |[k|]|k] eqn:E; simpl in H; try discriminate.
      exists k. split; trivial. apply N.leb_le in H. lia.
    + rewrite forallb_forall in H. specialize (H y Iy). subst y. simpl in H.
      apply andb_true_iff in H. destruct H as [W lt]. apply N.ltb_lt in lt. split; trivial.
      destruct (of (next s) (worth_of e')) as [[k|]| |[k|]|k]; simpl in *; trivial; discriminate.
Qed.

Lemma not_over : forall q e f, known q = Some e -> legal q f -> f 0 = None ->
  exists r, look g q = Over r /\ e = Entry (ended (unit g) r) 0 None /\ forall n, after q f n = q.
Proof.
  intros q e f K l E. pose proof (legal_first g q f l) as M. rewrite E in M.
  destruct (over_known q e K M) as (r & O & V). exists r. repeat split; trivial.
  intros n. exact (stays_over g q f 0 n l M (Nat.le_0_l n)).
Qed.

Lemma keeps_first : forall q f s, keeps g x best q f -> f 0 = Some s ->
  In s (moves g q) /\ (turn g q = x -> best q = Some s).
Proof.
  intros q f s [l by_best] E. split; [|exact (by_best 0 s E)].
  pose proof (legal_first g q f l) as M. now rewrite E in M.
Qed.

(** A win in [d] plies is one, by induction on the distance. *)
Lemma wins_by_distance : unit g = Outcome -> forall n q e f d, known q = Some e -> keeps g x best q f ->
  of q (worth_of e) = Win (Some d) -> N.to_nat d <= n -> wins g x (after q f n).
Proof.
  intros U. induction n as [|n IH]; intros q e f d K F V le; destruct (f 0) as [s|] eqn:E.
  - exfalso. destruct (keeps_first q f s F E) as [I mine].
    destruct (outcome_step q e s U K I mine) as (e' & _ & H). rewrite V in H. destruct H as (k & _ & lt). lia.
  - destruct (not_over q e f K (proj1 F) E) as (r & O & -> & _). simpl in V.
    apply (of_wins q r U O). now rewrite V.
  - destruct (keeps_first q f s F E) as [I mine].
    destruct (outcome_step q e s U K I mine) as (e' & K' & H). rewrite V in H. destruct H as (k & W & lt).
    rewrite <- (after_rest g q f s n E).
    apply (IH (next s) e' (rest g f) k K'); trivial; [now apply keeps_rest with q|lia].
  - destruct (not_over q e f K (proj1 F) E) as (r & O & -> & same). rewrite same. simpl in V.
    apply (of_wins q r U O). now rewrite V.
Qed.

(** A win without a distance is one, by induction on the rank. *)
Lemma wins_by_rank : unit g = Outcome -> forall r q e f, rank e = r -> known q = Some e -> keeps g x best q f ->
  is_win (of q (worth_of e)) = true -> exists n, wins g x (after q f n).
Proof.
  intros U r. induction r as [r IH] using (well_founded_induction N.lt_wf_0). intros q e f R K F W.
  destruct (of q (worth_of e)) as [[d|]| | |] eqn:V; try discriminate W.
  - exists (N.to_nat d). now apply wins_by_distance with e d.
  - destruct (f 0) as [s|] eqn:E.
    + destruct (keeps_first q f s F E) as [I mine].
      destruct (outcome_step q e s U K I mine) as (e' & K' & H). rewrite V in H. destruct H as [W' lt].
      rewrite R in lt.
      destruct (IH (rank e') lt (next s) e' (rest g f) eq_refl K') as [n here]; trivial.
      { now apply keeps_rest with q. }
      exists (S n). now rewrite <- (after_rest g q f s n E).
    + destruct (not_over q e f K (proj1 F) E) as (t & O & -> & _). exists 0. simpl in *.
      apply (of_wins q t U O). now rewrite V.
Qed.

(** The value that [x] sees is no loss in fewer plies than [k]. *)
Definition lasts (k : nat) (v : value) : Prop :=
  match v with Win _ | Draw => True | Loss (Some d) => k <= N.to_nat d | _ => False end.

(** Nor does he lose in fewer. *)
Lemma lasts_on : unit g = Outcome -> forall n q e f, known q = Some e -> keeps g x best q f ->
  lasts (S n) (of q (worth_of e)) -> ~ wins g (other x) (after q f n).
Proof.
  intros U. induction n as [|n IH]; intros q e f K F V lost.
  - simpl in lost. unfold wins in lost. destruct (look g q) as [r|] eqn:O; [|destruct lost].
    pose proof (over_known q e K (over_no_moves g q r O)) as (t & O' & ->).
    rewrite O in O'. injection O' as <-. destruct (of_wins q r U O) as [_ L]. simpl in V.
    rewrite L in V; [simpl in V; lia|]. unfold wins. now rewrite O.
  - destruct (f 0) as [s|] eqn:E.
    + destruct (keeps_first q f s F E) as [I mine].
      destruct (outcome_step q e s U K I mine) as (e' & K' & H).
      rewrite <- (after_rest g q f s n E) in lost. revert lost.
      apply (IH (next s) e' (rest g f) K'); [now apply keeps_rest with q|].
      destruct (of q (worth_of e)) as [[d|]| |[d|]|]; simpl in V; try contradiction.
      * destruct H as (k & -> & _). exact Logic.I.
      * destruct H as [W _]. destruct (of (next s) (worth_of e')); simpl in W; try discriminate. exact Logic.I.
      * destruct H as [->|W]; [exact Logic.I|].
        destruct (of (next s) (worth_of e')); simpl in W; try discriminate. exact Logic.I.
      * destruct (of (next s) (worth_of e')) as [[k|]| |[k|]|]; simpl; trivial. lia.
    + destruct (not_over q e f K (proj1 F) E) as (r & O & -> & same). rewrite same in lost.
      destruct (of_wins q r U O) as [_ L]. simpl in V. rewrite (L lost) in V. simpl in V. lia.
Qed.

Theorem outcome_sure : unit g = Outcome -> forall q e, known q = Some e -> sure g x (of q (worth_of e)) q.
Proof.
  intros U q e K. apply can_force_by_position with best; [exact best_is_move|]. intros f F.
  destruct (of q (worth_of e)) as [[d|]| |[d|]|m] eqn:V; simpl.
  - now apply wins_by_distance with e d.
  - apply (wins_by_rank U (rank e) q e f eq_refl K F). now rewrite V.
  - intros n. apply (lasts_on U n q e f K F). now rewrite V.
  - intros n lt. apply (lasts_on U n q e f K F). rewrite V. simpl. lia.
  - exact Logic.I.
  - now apply outcome_seen in V.
Qed.

(** ** Points for one player *)

Lemma points_known : forall q e, unit g = Points -> known q = Some e -> exists m, worth_of e = Margin m.
Proof.
  intros q e U K. destruct (known_cases q e K) as [L|(_ & r & _ & ->)].
  - destruct (listed_holds q e L) as (xs & H & _). unfold holds in H. rewrite U in H.
    destruct parted, (part e), (worth_of e); try discriminate H; eauto.
  - simpl. rewrite U. simpl. eauto.
Qed.

(** The margin of a position as [x] counts it. *)
Definition margin (q : pos g) (e : entry) : Z :=
  match worth_of e with Margin m => count_for g x q m | _ => 0 end.

Lemma of_margin : forall q e, unit g = Points -> known q = Some e -> of q (worth_of e) = Margin (margin q e).
Proof.
  intros q e U K. destruct (points_known q e U K) as [m V]. unfold margin, seen_by, count_for. rewrite V.
  destruct player_eqb; trivial.
Qed.

(** A finished position is below all parts. *)
Definition level (e : entry) : N := match part e with None => 0 | Some k => N.succ k end.

(** The effect of one move on his margin: it decreases by no more than the gain. Without parts the rank decreases; with
    parts the part decreases, or nothing is gained and a margin above 0 increases, or stays equal and the rank
    decreases. *)
Lemma points_step : forall q e s, unit g = Points -> known q = Some e -> In s (moves g q) ->
  (turn g q = x -> best q = Some s) ->
  exists e', known (next s) = Some e' /\
    (margin q e <= margin (next s) e' + count_for g x q (gain s))%Z /\
    if parted then
      (level e' < level e)%N \/
      (level e' <= level e)%N /\ gain s = 0%Z /\
      ((0 < margin q e)%Z -> (margin q e < margin (next s) e')%Z \/ (rank e' < rank e)%N)
    else (rank e' < rank e)%N.
Proof.
  intros q e s U K I mine.
  pose proof (going_listed q e s K I) as L.
  destruct (listed_holds q e L) as (xs & H & _ & A & B).
  destruct (points_known q e U K) as [m V].
  destruct (known_next q e s K I) as [e' K']. exists e'. split; trivial.
  destruct (A s I) as (y & S & Iy).
  destruct (sees_known q s y S) as (e'' & K'' & Y). rewrite K' in K''. injection K'' as <-.
  pose proof (of_margin (next s) e' U K') as V'.
  (* the move is worth at most the listed margin, and exactly that if it is his *)
  assert (most : exists k, seen y = Margin k /\ (k <= m)%Z).
  { unfold holds in H. rewrite U, V in H. destruct parted, (part e); try discriminate H;
      unfold parts_hold, points_hold in H; repeat rewrite andb_true_iff in H;
      rewrite (forallb_forall (margin_at_most m)) in H;
      assert (M : margin_at_most m y = true) by (apply H; exact Iy);
      unfold margin_at_most in M; destruct (seen y) as [| | |k]; try discriminate M;
      exists k; split; trivial; now apply Z.leb_le. }
  assert (some : turn g q = x -> seen y = Margin m /\
            ((0 < m)%Z -> forall own, part e = Some own -> nearer own e y = true)).
  { intros T. specialize (mine T).
    assert (R : right q e s = true).
    { apply (best_right q e s L mine). unfold holds in H. rewrite U, V in H. unfold right. rewrite V.
      destruct parted, (part e) as [own|]; try discriminate H;
        unfold parts_hold, points_hold in H; repeat rewrite andb_true_iff in H.
      - destruct H as [[[H _] _] H']. destruct (Z.compare_spec m 0) as [c|c|c].
        + apply existsb_exists in H. destruct H as (z & Iz & Z). destruct (B z Iz) as (t & It & St).
          exists t. rewrite St, Z. split; trivial. now rewrite c.
        + apply existsb_exists in H. destruct H as (z & Iz & Z). destruct (B z Iz) as (t & It & St).
          exists t. rewrite St, Z. split; trivial. apply Z.lt_le_incl, Z.ltb_ge in c. now rewrite c.
        + apply existsb_exists in H'. destruct H' as (z & Iz & Z). destruct (B z Iz) as (t & It & St).
          apply andb_true_iff in Z. destruct Z as [Z N]. exists t. rewrite St, Z, N. split; trivial.
          now rewrite orb_true_r.
      - destruct H as [[H _] _]. apply existsb_exists in H. destruct H as (z & Iz & Z).
        destruct (B z Iz) as (t & It & St). exists t. rewrite St, Z. split; trivial. }
    unfold right in R. rewrite S, V in R. apply andb_true_iff in R. destruct R as [R N].
    unfold margin_is in R. destruct (seen y) as [| | |k]; try destruct plies; try discriminate R.
    apply Z.eqb_eq in R. subst k. split; trivial. intros pos own P. rewrite P in N.
    apply Z.ltb_lt in pos. now rewrite pos in N. }
  assert (near : (m < 0)%Z -> seen y = Margin m -> forall own, part e = Some own -> nearer own e y = true).
  { intros neg M own P. unfold holds in H. rewrite U, V, P in H. destruct parted; try discriminate H.
    unfold parts_hold in H. repeat rewrite andb_true_iff in H. destruct H as [_ H].
    rewrite (proj2 (Z.compare_lt_iff m 0) neg) in H. rewrite forallb_forall in H. specialize (H y Iy).
    unfold margin_is in H. rewrite M in H. simpl in H. now rewrite Z.eqb_refl in H. }
  (* the same as x counts it *)
  assert (steps : margin q e = count_for g x q m /\
    (turn g q = x -> (margin q e = margin (next s) e' + count_for g x q (gain s))%Z) /\
    (turn g q <> x -> exists k, seen y = Margin k /\ (k = - (margin (next s) e' + count_for g x q (gain s)))%Z)).
  { split; [unfold margin; now rewrite V|]. split; intros T.
    - destruct (some T) as [M _]. rewrite Y in M. rewrite (back_mine q s _ T), V' in M. simpl in M.
      injection M as M. unfold margin at 1. rewrite V. unfold count_for. rewrite T, player_eqb_refl. lia.
    - rewrite Y. simpl. rewrite (back_theirs q s _ T), V'. simpl. eexists. split; trivial.
      unfold count_for at 1. destruct (player_eqb_spec (turn g q) x); [contradiction|]. lia. }
  destruct steps as (M & Mine & Theirs).
  split.
  - destruct (player_eqb_spec (turn g q) x) as [T|T].
    + rewrite (Mine T). lia.
    + destruct (Theirs T) as (k & E & Ek), most as (j & E' & le). rewrite E in E'. injection E' as <-.
      rewrite M. unfold count_for at 1. destruct (player_eqb_spec (turn g q) x); [contradiction|]. lia.
  - unfold holds in H. rewrite U, V in H. destruct parted, (part e) as [own|] eqn:P; try discriminate H.
    + unfold parts_hold in H. repeat rewrite andb_true_iff in H. destruct H as [[[_ _] H] _].
      rewrite forallb_forall in H. specialize (H y Iy). unfold level. rewrite P.
      rewrite Y in H. simpl in H. destruct (part e') as [k|] eqn:P'; [|left; lia].
      destruct (N.ltb_spec k own) as [lt|ge]; [left; lia|]. simpl in H. right.
      apply andb_true_iff in H. destruct H as [Ek G]. apply N.eqb_eq in Ek. apply Z.eqb_eq in G. subst k.
      split; [lia|]. split; trivial. intros pos.
      assert (lower : nearer own e y = true -> (rank e' < rank e)%N).
      { rewrite Y. unfold nearer, leaves. simpl. rewrite N.ltb_irrefl. simpl. apply N.ltb_lt. }
      destruct (player_eqb_spec (turn g q) x) as [T|T].
      * right. apply lower. destruct (some T) as [_ N]. apply N; trivial.
        rewrite M in pos. unfold count_for in pos. now rewrite T, player_eqb_refl in pos.
      * destruct (Theirs T) as (j & E & Ej), most as (i & E' & le). rewrite E in E'. injection E' as <-.
        assert (Mm : margin q e = (- m)%Z).
        { rewrite M. unfold count_for. destruct (player_eqb_spec (turn g q) x); [contradiction|trivial]. }
        assert (G0 : count_for g x q (gain s) = 0%Z).
        { unfold count_for. rewrite G. destruct (player_eqb (turn g q) x); reflexivity. }
        rewrite G0 in Ej. destruct (Z.eq_dec j m) as [same|less]; [right|left; lia].
        apply lower. apply near; trivial; [lia|]. congruence.
    + unfold points_hold in H. repeat rewrite andb_true_iff in H. destruct H as [_ H].
      rewrite forallb_forall in H. specialize (H y Iy). rewrite Y in H. now apply N.ltb_lt in H.
Qed.

Lemma gained_rest : forall q f s n, f 0 = Some s ->
  (gained g x q f (S n) = count_for g x q (gain s) + gained g x (next s) (rest g f) n)%Z.
Proof.
  intros q f s n E. induction n as [|n IH].
  - simpl. rewrite E. lia.
  - change (gained g x q f (S (S n))) with
      (gained g x q f (S n) +
       match f (S n) with Some s => count_for g x (after q f (S n)) (gain s) | None => 0 end)%Z.
    rewrite IH. simpl gained. rewrite (after_rest g q f s n E). unfold rest. lia.
Qed.

Lemma gains_rest : forall f s n, f 0 = Some s ->
  gains g f (S n) = (if Z.eqb (gain s) 0 then 0 else 1) + gains g (rest g f) n.
Proof.
  intros f s n E. induction n as [|n IH].
  - simpl. rewrite E. lia.
  - change (gains g f (S (S n))) with
      (gains g f (S n) + match f (S n) with Some s => if Z.eqb (gain s) 0 then 0 else 1 | None => 0 end).
    rewrite IH. simpl gains. unfold rest. lia.
Qed.

(** Only finitely many moves gain points. *)
Lemma gains_finite : unit g = Points -> forall n q e f, known q = Some e -> keeps g x best q f ->
  gains g f n <= N.to_nat (if parted then level e else rank e).
Proof.
  intros U. induction n as [|n IH]; intros q e f K F; [simpl; lia|].
  destruct (f 0) as [s|] eqn:E.
  - destruct (keeps_first q f s F E) as [I mine].
    destruct (points_step q e s U K I mine) as (e' & K' & _ & H).
    rewrite (gains_rest f s n E).
    specialize (IH (next s) e' (rest g f) K' (keeps_rest g x best q f s E F)).
    destruct parted.
    + destruct H as [lt|(le & -> & _)]; simpl; [|lia]. destruct Z.eqb; lia.
    + destruct Z.eqb; lia.
  - destruct (not_over q e f K (proj1 F) E) as (r & O & _ & same).
    assert (none : forall k, f k = None).
    { intros k. destruct F as [l _]. specialize (l k). rewrite same, (over_no_moves g q r O) in l.
      destruct (f k); [destruct l|trivial]. }
    assert (zero : forall k, gains g f k = 0).
    { induction k as [|k IHk]; simpl; trivial. now rewrite none, IHk. }
    rewrite zero. lia.
Qed.

Lemma margin_bounded : forall q e, unit g = Points -> listing q = Some e -> (margin q e <= highest)%Z.
Proof.
  intros q e U L. assert (K : known q = Some e) by (unfold known; now rewrite L).
  destruct (points_known q e U K) as [m V]. pose proof (bounded q e m L V) as bound.
  unfold margin. rewrite V. unfold count_for. destruct player_eqb; lia.
Qed.

(** A player who stays in a part for ever has a margin of at most 0: a larger one leads out. *)
Lemma stays_even : unit g = Points -> forall a b c q e f,
  (level e < a)%N -> Z.to_nat (highest - margin q e) < b -> (rank e < c)%N ->
  known q = Some e -> keeps g x best q f ->
  (forall k, f k <> None) -> (forall k s, f k = Some s -> gain s = 0%Z) -> (margin q e <= 0)%Z.
Proof.
  intros U a. induction a as [a IHa] using (well_founded_induction N.lt_wf_0).
  intros b. induction b as [b IHb] using (well_founded_induction lt_wf).
  intros c. induction c as [c IHc] using (well_founded_induction N.lt_wf_0).
  intros q e f la lb lc K F endless quiet.
  destruct (Z.le_gt_cases (margin q e) 0) as [|pos]; trivial.
  destruct (f 0) as [s|] eqn:E; [|now apply endless in E].
  destruct (keeps_first q f s F E) as [I mine].
  destruct (points_step q e s U K I mine) as (e' & K' & le & H).
  pose proof (quiet 0 s E) as G.
  assert (no_gain : count_for g x q (gain s) = 0%Z) by (unfold count_for; rewrite G; destruct (player_eqb (turn g q) x); reflexivity).
  rewrite no_gain, Z.add_0_r in le.
  pose proof (keeps_rest g x best q f s E F) as F'.
  assert (endless' : forall k, rest g f k <> None) by (intros k; apply endless).
  assert (quiet' : forall k s, rest g f k = Some s -> gain s = 0%Z) by (intros k t; apply quiet).
  assert (L' : listing (next s) = Some e').
  { destruct (rest g f 0) as [t|] eqn:E'; [|now apply endless' in E'].
    destruct (keeps_first _ _ _ F' E') as [I' _]. now apply going_listed with t. }
  pose proof (margin_bounded (next s) e' U L') as most.
  apply Z.le_trans with (margin (next s) e'); trivial.
  pose proof (going_listed q e s K I) as L. pose proof (margin_bounded q e U L) as most'.
  assert (by_rank : (level e' < a)%N -> (rank e' < rank e)%N -> (margin (next s) e' <= 0)%Z).
  { intros la' lt. destruct (Z.eq_dec (margin q e) (margin (next s) e')) as [same|more].
    - rewrite same in lb. now apply (IHc (rank e) lc (next s) e' (rest g f) la' lb lt).
    - apply (IHb (Z.to_nat (highest - margin q e)) lb (N.succ (rank e')) (next s) e' (rest g f)); trivial; lia. }
  pose proof (listed_holds q e L) as (xs & H1 & _). pose proof (listed_holds _ _ L') as (ys & H2 & _).
  destruct (points_known q e U K) as [m V]. destruct (points_known _ _ U K') as [m' V'].
  unfold holds in H1, H2. rewrite U, V in H1. rewrite U, V' in H2.
  destruct parted.
  - destruct H as [lt|(same & _ & H)].
    + apply (IHa (level e) la (S (Z.to_nat (highest - margin (next s) e'))) (N.succ (rank e'))
               (next s) e' (rest g f)); trivial; lia.
    + destruct (H pos) as [more|lt].
      * apply (IHb (Z.to_nat (highest - margin q e)) lb (N.succ (rank e')) (next s) e' (rest g f)); trivial; lia.
      * apply by_rank; trivial. lia.
  - apply by_rank; trivial. unfold level in *.
    destruct (part e); [discriminate|]. destruct (part e'); [discriminate|]. trivial.
Qed.

Theorem points_sure : unit g = Points -> forall q e, known q = Some e -> sure g x (of q (worth_of e)) q.
Proof.
  intros U q e K. rewrite (of_margin q e U K).
  apply can_force_by_position with best; [exact best_is_move|]. intros f F. simpl. split.
  { eexists. intros n. now apply (gains_finite U n q e f). }
  intros w [n r O|n endless quiet]; revert q e f K F O || revert q e f K F endless quiet;
    induction n as [|n IH]; intros q e f K F.
  - simpl. intros O. destruct (over_known q e K (over_no_moves g q r O)) as (t & O' & ->).
    rewrite O in O'. injection O' as <-. unfold margin. simpl. rewrite U. simpl. lia.
  - intros O. destruct (f 0) as [s|] eqn:E.
    + destruct (keeps_first q f s F E) as [I mine].
      destruct (points_step q e s U K I mine) as (e' & K' & le & _).
      rewrite <- (after_rest g q f s n E) in *. rewrite (gained_rest q f s n E).
      specialize (IH (next s) e' (rest g f) K' (keeps_rest g x best q f s E F) O). lia.
    + destruct (not_over q e f K (proj1 F) E) as (t & O' & -> & same).
      rewrite same in *. rewrite O in O'. injection O' as <-.
      rewrite (gained_over g x q f 0 (S n) (proj1 F)); [|simpl; now apply over_no_moves with r|lia].
      unfold margin. simpl. rewrite U. simpl. lia.
  - intros endless quiet. simpl.
    apply (stays_even U (N.succ (level e)) (S (Z.to_nat (highest - margin q e))) (N.succ (rank e)) q e f);
      trivial; try lia.
    intros k s. apply quiet. lia.
  - intros endless quiet. destruct (f 0) as [s|] eqn:E; [|now apply endless in E].
    destruct (keeps_first q f s F E) as [I mine].
    destruct (points_step q e s U K I mine) as (e' & K' & le & _). rewrite (gained_rest q f s n E).
    assert (H : (margin (next s) e' <= gained g x (next s) (rest g f) n)%Z); [|lia].
    apply (IH (next s) e' (rest g f) K' (keeps_rest g x best q f s E F)).
    + intros k. apply endless.
    + intros k t j. apply quiet. lia.
Qed.

End Player.

(** The known value of a position is its value: each player is sure of it. *)
Theorem known_sure : forall x q e, known q = Some e -> sure g x (seen_by g x q (worth_of e)) q.
Proof.
  intros x q e K. destruct (unit g) eqn:U; [now apply outcome_sure|now apply points_sure].
Qed.

Theorem known_value : forall q e, known q = Some e -> value_is g q (worth_of e).
Proof.
  intros q e K. split.
  - pose proof (known_sure (turn g q) q e K) as H. unfold seen_by in H. now rewrite player_eqb_refl in H.
  - pose proof (known_sure (other (turn g q)) q e K) as H. unfold seen_by in H.
    destruct (player_eqb_spec (turn g q) (other (turn g q))) as [E|]; trivial.
    symmetry in E. now apply other_neq in E.
Qed.

Theorem sound : forall q e, listing q = Some e -> value_is g q (worth_of e).
Proof. intros q e L. apply known_value. unfold known. now rewrite L. Qed.

End Sound.

(** * Ranks of points without parts: the maximum number of plies to the end *)

Section Longest.
Variable g : game.
Variable listing : pos g -> option entry.

Notation move := (step (pos g) (label g)).

(** Some play from [q] has [n] moves or more; and every play is over after [n]. *)
Definition can_last (q : pos g) (n : nat) : Prop :=
  exists f, legal q f /\ forall k, k < n -> f k <> None.
Definition must_end (q : pos g) (n : nat) : Prop :=
  forall f, legal q f -> moves g (after q f n) = [].

Hypothesis points : unit g = Points.
Hypothesis all_good : forall q e, listing q = Some e -> good g listing false q e = true.
Hypothesis all_tight : forall q e xs, listing q = Some e -> sees_all g listing q (moves g q) = Some xs ->
  most_plies_are_right (unit g) false e xs = true.

Notation known_rank q := (match known g listing q with Some e => rank e | None => 0%N end).

Lemma seen_rank : forall q e s, listing q = Some e -> In s (moves g q) ->
  exists e', known g listing (next s) = Some e' /\ (rank e' < rank e)%N.
Proof.
  intros q e s L I. destruct (listed_holds g listing false all_good q e L) as (xs & H & _ & A & _).
  destruct (A s I) as (x & S & Ix). destruct (sees_known g listing q s x S) as (e' & K & ->).
  exists e'. split; trivial. unfold holds in H. rewrite points in H.
  destruct (part e), (worth_of e); try discriminate H.
  unfold points_hold in H. rewrite !andb_true_iff in H. destruct H as [_ H].
  rewrite forallb_forall in H. now apply N.ltb_lt, (H _ Ix).
Qed.

Lemma ends_by_rank : forall n q e, known g listing q = Some e -> N.to_nat (rank e) <= n -> must_end q n.
Proof.
  induction n as [|n IH]; intros q e K le f l; destruct (f 0) as [s|] eqn:E.
  - exfalso. pose proof (legal_first g q f l) as I. rewrite E in I.
    destruct (seen_rank q e s (going_listed g listing q e s K I) I) as (e' & _ & lt). lia.
  - pose proof (legal_first g q f l) as M. now rewrite E in M.
  - pose proof (legal_first g q f l) as I. rewrite E in I.
    destruct (seen_rank q e s (going_listed g listing q e s K I) I) as (e' & K' & lt).
    rewrite <- (after_rest g q f s n E). apply (IH (next s) e' K'); [lia|]. now apply legal_rest with q.
  - pose proof (legal_first g q f l) as M. rewrite E in M.
    now rewrite (stays_over g q f 0 (S n) l M (Nat.le_0_l _)).
Qed.

(** A play that follows one move from each position. *)
Section Walk.
Variable pick : pos g -> option move.
Hypothesis picks : forall q, match pick q with Some s => In s (moves g q) | None => moves g q = [] end.
Fixpoint walked (q : pos g) (n : nat) : pos g :=
  match n with
  | O => q
  | S n => match pick (walked q n) with Some s => next s | None => walked q n end
  end.
Definition walk (q : pos g) : play g := fun n => pick (walked q n).
Lemma after_walk : forall q n, after q (walk q) n = walked q n.
Proof. intros q n. induction n as [|n IH]; simpl; trivial. now rewrite IH. Qed.
Lemma walk_legal : forall q, legal q (walk q).
Proof. intros q n. rewrite after_walk. apply picks. Qed.
Lemma walked_next : forall q s n, pick q = Some s -> walked q (S n) = walked (next s) n.
Proof.
  intros q s n E. induction n as [|n IH]; [simpl; now rewrite E|].
  change (walked q (S (S n))) with
    (match pick (walked q (S n)) with Some s => next s | None => walked q (S n) end).
  now rewrite IH.
Qed.
End Walk.

(** Follows a move whose rank is one less, if there is one. *)
Definition longest (q : pos g) : option move :=
  match List.find (fun s => N.eqb (N.succ (known_rank (next s))) (known_rank q)) (moves g q) with
  | Some s => Some s
  | None => hd_error (moves g q)
  end.

Lemma longest_is_move : forall q, match longest q with Some s => In s (moves g q) | None => moves g q = [] end.
Proof.
  intros q. unfold longest. destruct (List.find _ _) as [s|] eqn:F; [now apply find_some in F|].
  destruct (moves g q); simpl; auto.
Qed.

Lemma longest_lasts : forall n q e, known g listing q = Some e -> n < N.to_nat (rank e) ->
  longest (walked longest q n) <> None.
Proof.
  induction n as [|n IH]; intros q e K lt.
  - simpl. pose proof (longest_is_move q) as I. destruct (longest q); [discriminate|].
    destruct (over_known g listing false all_good q e K I) as (r & _ & ->). simpl in lt. lia.
  - destruct (known_cases g listing q e K) as [L|(_ & r & _ & ->)]; [|simpl in lt; lia].
    destruct (listed_holds g listing false all_good q e L) as (_ & _ & some & _ & _).
    assert (S : exists xs, sees_all g listing q (moves g q) = Some xs).
    { pose proof (all_good q e L) as G. unfold good in G. unfold moves. destruct (look g q); [discriminate|].
      destruct (sees_all g listing q (first :: others)); [eauto|discriminate]. }
    destruct S as [xs S]. pose proof (all_tight q e xs L S) as T. unfold most_plies_are_right in T. rewrite points in T.
    apply existsb_exists in T. destruct T as (x & Ix & Ex).
    destruct (proj2 (sees_all_in g listing q _ xs S) x Ix) as (t & It & St).
    destruct (sees_known g listing q t x St) as (e' & K' & ->). simpl in Ex.
    assert (P : exists s e'', longest q = Some s /\ known g listing (next s) = Some e'' /\ N.succ (rank e'') = rank e).
    { unfold longest. destruct (List.find _ _) as [s|] eqn:F.
      - apply find_some in F. destruct F as [Is Fs]. rewrite K in Fs.
        destruct (seen_rank q e s L Is) as (e'' & K'' & _). rewrite K'' in Fs.
        exists s, e''. repeat split; trivial. now apply N.eqb_eq.
      - pose proof (find_none _ _ F t It) as no. cbv beta in no. rewrite K, K' in no. congruence. }
    destruct P as (s & e'' & E & K'' & R). rewrite (walked_next longest q s n E).
    apply (IH (next s) e'' K''). lia.
Qed.

(** The rank of a position is the maximum number of plies to the end: some play has that many, and none has more. *)
Theorem rank_is_longest : forall q e, listing q = Some e ->
  can_last q (N.to_nat (rank e)) /\ must_end q (N.to_nat (rank e)).
Proof.
  intros q e L. assert (K : known g listing q = Some e) by (unfold known; now rewrite L). split.
  - exists (walk longest q). split; [now apply walk_legal, longest_is_move|].
    intros k lt. now apply longest_lasts with e.
  - now apply (ends_by_rank _ q e K).
Qed.

End Longest.
