(** Plays, strategies, and what a player can force.

    A play that never ends is a draw; in games for points it is worth what was gained, if nothing is gained from some
    move on. *)

From Coq Require Import Bool List ZArith Lia.
From Grundy Require Import Game.
Import ListNotations.

(** The value of a position for the player to move: a win or a loss, in a given number of plies or in an unknown number; a
    draw; a margin of points still to come. *)
Inductive value := Win (plies : option N) | Draw | Loss (plies : option N) | Margin (points : Z).

(** The same value for the other player. *)
Definition flip (v : value) : value :=
  match v with Win d => Loss d | Draw => Draw | Loss d => Win d | Margin m => Margin (- m) end.

Section Play.
Variable g : game.

Notation move := (step (pos g) (label g)).

(** A play, finite or endless: its moves in order, [None] after the end. *)
Definition play := nat -> option move.

(** The position after [n] moves of a play from [p], or the last one. *)
Fixpoint after (p : pos g) (f : play) (n : nat) : pos g :=
  match n with
  | O => p
  | S n => match f n with Some s => next s | None => after p f n end
  end.

(** Every move is legal, and a play stops only at the end of the game. *)
Definition legal (p : pos g) (f : play) : Prop :=
  forall n, match f n with
            | Some s => In s (moves g (after p f n))
            | None => moves g (after p f n) = []
            end.

(** The first [n] moves, the last one first. *)
Fixpoint history (f : play) (n : nat) : list move :=
  match n with
  | O => []
  | S n => match f n with Some s => s :: history f n | None => history f n end
  end.

(** A strategy names a move for every history. *)
Definition strategy := list move -> option move.

(** Player [x] plays by the strategy. *)
Definition follows (x : player) (plan : strategy) (p : pos g) (f : play) : Prop :=
  legal p f /\ forall n s, f n = Some s -> turn g (after p f n) = x -> plan (history f n) = Some s.

(** The position after a history. *)
Definition reached (p : pos g) (h : list move) : pos g :=
  match h with [] => p | s :: _ => next s end.

(** The histories that can arise when [x] plays by the strategy. *)
Inductive arises (x : player) (plan : strategy) (p : pos g) : list move -> Prop :=
| arises_first : arises x plan p []
| arises_next s h :
    arises x plan p h -> In s (moves g (reached p h)) ->
    (turn g (reached p h) = x -> plan h = Some s) -> arises x plan p (s :: h).

(** Wherever [x] is to move in such a history, the strategy names a move of the game. *)
Definition playable (x : player) (plan : strategy) (p : pos g) : Prop :=
  forall h, arises x plan p h -> turn g (reached p h) = x -> moves g (reached p h) <> [] ->
            exists s, plan h = Some s /\ In s (moves g (reached p h)).

(** Player [x] can force from [p] that the play satisfies [goal], against any play. *)
Definition can_force (x : player) (p : pos g) (goal : play -> Prop) : Prop :=
  exists plan, playable x plan p /\ forall f, follows x plan p f -> goal f.

(** Player [x] has won in a finished position. *)
Definition wins (x : player) (q : pos g) : Prop :=
  match look g q with
  | Over Won => turn g q = x
  | Over Lost => turn g q = other x
  | _ => False
  end.

(** The points that a finished position settles, for the player whose turn it would be. *)
Definition settled (r : ending) : Z := match r with Gets m => m | _ => 0 end.

(** A margin [m] of the player to move in [q], counted for [x]. *)
Definition count_for (x : player) (q : pos g) (m : Z) : Z := if player_eqb (turn g q) x then m else - m.

(** The points that [x] has gained by the first [n] moves, less those of the other player. *)
Fixpoint gained (x : player) (p : pos g) (f : play) (n : nat) : Z :=
  match n with
  | O => 0
  | S n => gained x p f n + match f n with Some s => count_for x (after p f n) (gain s) | None => 0 end
  end.

(** The worth to [x] of a play for points. *)
Inductive worth (x : player) (p : pos g) (f : play) : Z -> Prop :=
| worth_ended n r :
    look g (after p f n) = Over r -> worth x p f (gained x p f n + count_for x (after p f n) (settled r))
| worth_endless n :
    (forall k, f k <> None) -> (forall k s, n <= k -> f k = Some s -> gain s = 0%Z) ->
    worth x p f (gained x p f n).

(** The number of moves among the first [n] that gain or cost points. *)
Fixpoint gains (f : play) (n : nat) : nat :=
  match n with
  | O => O
  | S n => gains f n + match f n with Some s => if Z.eqb (gain s) 0 then 0 else 1 | None => 0 end
  end.

(** The play is worth at least [v] to player [x]: it is won after at most that number of plies; won; not lost; not lost in
    fewer plies; or it is worth at least that number of points, and only finitely many moves gain any. *)
Definition at_least (x : player) (v : value) (p : pos g) (f : play) : Prop :=
  match v with
  | Win (Some d) => wins x (after p f (N.to_nat d))
  | Win None => exists n, wins x (after p f n)
  | Draw => forall n, ~ wins (other x) (after p f n)
  | Loss (Some d) => forall n, n < N.to_nat d -> ~ wins (other x) (after p f n)
  | Loss None => True
  | Margin m => (exists most, forall n, gains f n <= most) /\ forall w, worth x p f w -> (m <= w)%Z
  end.

(** Player [x] is sure of [v] in [p], against any play. *)
Definition sure (x : player) (v : value) (p : pos g) : Prop := can_force x p (at_least x v p).

(** The value of a position for the player to move: he is sure of it, and the other player is sure that he gets no more. A
    win without a number of plies says only that he wins. *)
Definition value_is (p : pos g) (v : value) : Prop :=
  sure (turn g p) v p /\ sure (other (turn g p)) (flip v) p.

(** [v] as seen by the player to move in [p], seen by [x]. *)
Definition seen_by (x : player) (p : pos g) (v : value) : value :=
  if player_eqb (turn g p) x then v else flip v.

(** * Plain facts *)

Lemma other_other : forall x, other (other x) = x.
Proof. now intros []. Qed.

Lemma other_neq : forall x, other x <> x.
Proof. intros []; discriminate. Qed.

Lemma neq_other : forall x y, x <> y -> x = other y.
Proof. intros [] []; simpl; congruence. Qed.

Lemma player_eqb_refl : forall x, player_eqb x x = true.
Proof. now intros []. Qed.

Lemma player_eqb_other : forall x, player_eqb (other x) x = false.
Proof. now intros []. Qed.

Lemma flip_flip : forall v, flip (flip v) = v.
Proof. intros []; simpl; trivial. now rewrite Z.opp_involutive. Qed.

(** A play without its first move. *)
Definition rest (f : play) : play := fun n => f (S n).

Lemma after_rest : forall p f s n, f 0 = Some s -> after (next s) (rest f) n = after p f (S n).
Proof.
  intros p f s n first. induction n as [|n IH]; simpl in *.
  - now rewrite first.
  - unfold rest in *. destruct (f (S n)); trivial.
Qed.

Lemma over_no_moves : forall p r, look g p = Over r -> moves g p = [].
Proof. intros p r over. unfold moves. now rewrite over. Qed.

Lemma legal_first : forall p f, legal p f ->
  match f 0 with Some s => In s (moves g p) | None => moves g p = [] end.
Proof. intros p f l. exact (l 0). Qed.

Lemma legal_rest : forall p f s, f 0 = Some s -> legal p f -> legal (next s) (rest f).
Proof.
  intros p f s first l n. specialize (l (S n)).
  rewrite (after_rest p f s n first). exact l.
Qed.

(** A finished position is never left. *)
Lemma stays_over : forall p f n k, legal p f -> moves g (after p f n) = [] -> n <= k -> after p f k = after p f n.
Proof.
  intros p f n k l over le. induction le as [|k le IH]; trivial. simpl.
  specialize (l k). destruct (f k); trivial.
  rewrite IH, over in l. destruct l.
Qed.

(** The worth of a play is unique. *)
Lemma gained_over : forall x p f n k, legal p f -> moves g (after p f n) = [] -> n <= k ->
  gained x p f k = gained x p f n.
Proof.
  intros x p f n k l over le. induction le as [|k le IH]; trivial. simpl.
  pose proof (stays_over p f n k l over le) as same.
  specialize (l k). destruct (f k).
  - rewrite same, over in l. destruct l.
  - rewrite IH. lia.
Qed.

Lemma gained_quiet : forall x p f n k, (forall k s, n <= k -> f k = Some s -> gain s = 0%Z) -> n <= k ->
  gained x p f k = gained x p f n.
Proof.
  intros x p f n k quiet le. induction le as [|k le IH]; trivial. simpl. rewrite IH.
  destruct (f k) as [s|] eqn:E; [|lia]. rewrite (quiet k s le E).
  unfold count_for. destruct player_eqb; lia.
Qed.

Lemma ended_not_endless : forall p f n r, legal p f -> look g (after p f n) = Over r -> f n = None.
Proof.
  intros p f n r l over. specialize (l n). destruct (f n); trivial.
  rewrite (over_no_moves _ _ over) in l. destruct l.
Qed.

Theorem one_worth : forall x p f v w, legal p f -> worth x p f v -> worth x p f w -> v = w.
Proof.
  assert (ended : forall x p f n k r t, legal p f -> n <= k ->
    look g (after p f n) = Over r -> look g (after p f k) = Over t ->
    (gained x p f n + count_for x (after p f n) (settled r) =
     gained x p f k + count_for x (after p f k) (settled t))%Z).
  { intros x p f n k r t l le A B. pose proof (over_no_moves _ _ A) as over.
    pose proof (stays_over p f n k l over le) as same. rewrite same in *.
    rewrite (gained_over x p f n k l over le). congruence. }
  intros x p f v w l [n r A | n A Q] [k t B | k B R].
  - destruct (le_ge_dec n k) as [le|le]; [|symmetry]; now apply ended.
  - exfalso. apply (B n). now apply ended_not_endless with p r.
  - exfalso. apply (A k). now apply ended_not_endless with p t.
  - destruct (le_ge_dec n k) as [le|le]; [symmetry|]; now apply gained_quiet.
Qed.

(** A play in which only finitely many moves gain something is worth something; that it either ends or does not is
    the only step here that is not constructive, so that the statement says "not without". *)
Theorem finite_gains_have_worth : forall x p f, legal p f -> (exists most, forall n, gains f n <= most) ->
  ~ ~ exists w, worth x p f w.
Proof.
  intros x p f l [most bound] none.
  assert (endless : forall k, f k <> None).
  { intros k E. pose proof (l k) as here. rewrite E in here. unfold moves in here.
    destruct (look g (after p f k)) as [r|] eqn:L; [|discriminate].
    apply none. eexists. exact (worth_ended x p f k r L). }
  assert (rises : forall n, ~ ~ exists k, n <= gains f k).
  { induction n as [|n IH]; intros no.
    - apply no. exists 0. lia.
    - apply IH. intros [k at_k]. apply none. exists (gained x p f k).
      apply (worth_endless x p f k endless). intros j s le E.
      destruct (Z.eq_dec (gain s) 0) as [|neq]; trivial. exfalso. apply no.
      assert (mono : forall a b, a <= b -> gains f a <= gains f b).
      { intros a b ab. induction ab; simpl; lia. }
      exists (S j). simpl. rewrite E. rewrite (proj2 (Z.eqb_neq _ _) neq).
      specialize (mono k j le). lia. }
  apply (rises (S most)). intros [k at_k]. specialize (bound k). lia.
Qed.

(** * Strategies that depend on the position only *)

Lemma reached_history : forall p f n, legal p f -> reached p (history f n) = after p f n.
Proof.
  intros p f n l. induction n as [|n IH]; trivial. simpl.
  destruct (f n); trivial.
Qed.

(** For such a strategy it suffices to follow the positions. *)
Definition by_position (pick : pos g -> option move) (p : pos g) : strategy := fun h => pick (reached p h).

Definition keeps (x : player) (pick : pos g -> option move) (p : pos g) (f : play) : Prop :=
  legal p f /\ forall n s, f n = Some s -> turn g (after p f n) = x -> pick (after p f n) = Some s.

Lemma follows_keeps : forall x pick p f, follows x (by_position pick p) p f -> keeps x pick p f.
Proof.
  intros x pick p f [l by_plan]. split; trivial. intros n s E T.
  specialize (by_plan n s E T). unfold by_position in by_plan. now rewrite (reached_history p f n l) in by_plan.
Qed.

Lemma keeps_rest : forall x pick p f s, f 0 = Some s -> keeps x pick p f -> keeps x pick (next s) (rest f).
Proof.
  intros x pick p f s first [l by_pick]. split; [now apply legal_rest with p|].
  intros n t E. rewrite (after_rest p f s n first). now apply by_pick.
Qed.

Lemma can_force_by_position : forall x pick p (goal : play -> Prop),
  (forall q, moves g q <> [] -> exists s, pick q = Some s /\ In s (moves g q)) ->
  (forall f, keeps x pick p f -> goal f) -> can_force x p goal.
Proof.
  intros x pick p goal picks reach. exists (by_position pick p). split.
  - intros h _ _ some. exact (picks _ some).
  - intros f F. apply reach. now apply follows_keeps.
Qed.

End Play.

Arguments after {g} _ _ _.
Arguments legal {g} _ _.
Arguments history {g} _ _.
Arguments reached {g} _ _.
