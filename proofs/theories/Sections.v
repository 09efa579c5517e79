(** Sections of a certificate: a table, or a strategy for one player.

    The game of a section of kind [Table] is the game by its rules. The game of a section of kind [Strategy x] is the same
    game, except that [x] has only the listed move in a listed position in which he is to move. *)

From Coq Require Import Bool List ZArith Lia.
From Grundy Require Import Game Play Certificate.
Import ListNotations.

Inductive kind := Table | Strategy (x : player).

Section Fixed.
Variable g : game.
Variable x : player.
(** The listed move. *)
Variable chosen : pos g -> option (step (pos g) (label g)).

Definition fixed_look (q : pos g) : view (pos g) (label g) :=
  match look g q with
  | Over r => Over r
  | Moves first others =>
      if player_eqb (turn g q) x
      then match chosen q with Some s => Moves s [] | None => Moves first others end
      else Moves first others
  end.

Definition fixed : game := {|
  pos := pos g;
  label := label g;
  pos_eqb := pos_eqb g;
  pos_eqb_spec := pos_eqb_spec g;
  unit := unit g;
  start := start g;
  turn := turn g;
  look := fixed_look;
|}.

Hypothesis chosen_is_move : forall q s, chosen q = Some s -> In s (moves g q).

Lemma fixed_over : forall q r, look fixed q = Over r <-> look g q = Over r.
Proof.
  intros q r. simpl. unfold fixed_look. destruct (look g q); [tauto|].
  destruct player_eqb; [destruct (chosen q)|]; split; discriminate.
Qed.

Lemma fixed_moves_in : forall q s, In s (moves fixed q) -> In s (moves g q).
Proof.
  intros q s I. unfold moves in I. simpl in I. unfold fixed_look in I.
  destruct (look g q) eqn:L; [destruct I|].
  assert (M : moves g q = first :: others) by (unfold moves; now rewrite L).
  destruct player_eqb; [destruct (chosen q) as [t|] eqn:C|]; try (now rewrite M).
  destruct I as [<-|[]]. now apply chosen_is_move.
Qed.

Lemma fixed_none : forall q, moves fixed q = [] <-> moves g q = [].
Proof.
  intros q. unfold moves. simpl. unfold fixed_look. destruct (look g q); [tauto|].
  destruct player_eqb; [destruct (chosen q)|]; split; discriminate.
Qed.

Lemma fixed_moves_other : forall q, turn g q <> x -> moves fixed q = moves g q.
Proof.
  intros q T. unfold moves. simpl. unfold fixed_look. destruct (look g q); trivial.
  destruct (player_eqb_spec (turn g q) x); [contradiction|trivial].
Qed.

Lemma fixed_wins : forall y q, wins fixed y q <-> wins g y q.
Proof.
  intros y q. unfold wins. destruct (look g q) as [r|first others] eqn:L.
  - now rewrite (proj2 (fixed_over q r) L).
  - simpl. unfold fixed_look. rewrite L.
    destruct player_eqb; [destruct (chosen q)|]; tauto.
Qed.

(** A strategy for [x] in the fixed game works in the game by its rules: all replies are covered, and restricting his own
    moves cannot help him. *)
Lemma fixed_playable : forall (plan : strategy g) (p : pos g) h, playable fixed x plan p ->
  arises fixed x plan p h -> turn g (reached (g := g) p h) = x -> moves g (reached (g := g) p h) <> [] ->
  exists s, plan h = Some s /\ In s (moves fixed (reached (g := g) p h)).
Proof.
  intros plan p h P A T some. apply (P h A T). intros none. now apply fixed_none in none.
Qed.

Lemma fixed_arises : forall (plan : strategy g) (p : pos g) h, playable fixed x plan p ->
  arises g x plan p h -> arises fixed x plan p h.
Proof.
  intros plan p h P A. induction A as [|s h A IH I by_plan];
    [exact (arises_first fixed x plan p)|apply (arises_next fixed x plan p); trivial].
  change (reached (g := fixed) p h) with (reached (g := g) p h).
  destruct (player_eqb_spec (turn g (reached p h)) x) as [T|T].
  - destruct (fixed_playable plan p h P IH T) as (t & E & It).
    + intros none. rewrite none in I. destruct I.
    + rewrite (by_plan T) in E. injection E as <-. exact It.
  - now rewrite fixed_moves_other.
Qed.

Lemma history_arises : forall plan p f n, follows g x plan p f -> arises g x plan p (history f n).
Proof.
  intros plan p f n [l by_plan]. induction n as [|n IH]; simpl; [constructor|].
  destruct (f n) as [s|] eqn:E; trivial. constructor; trivial; rewrite reached_history; trivial.
  - specialize (l n). now rewrite E in l.
  - now apply by_plan.
Qed.

Lemma fixed_follows : forall (plan : strategy g) (p : pos g) f, playable fixed x plan p -> follows g x plan p f -> follows fixed x plan p f.
Proof.
  intros plan p f P F. split; [|exact (proj2 F)].
  intros n. change (after (g := fixed) p f n) with (after (g := g) p f n).
  pose proof (proj1 F n) as here. destruct (f n) as [s|] eqn:E; [|now apply fixed_none].
  destruct (player_eqb_spec (turn g (after p f n)) x) as [T|T]; [|now rewrite fixed_moves_other].
  pose proof (fixed_arises plan p _ P (history_arises plan p f n F)) as A.
  pose proof (reached_history g p f n (proj1 F)) as same.
  destruct (fixed_playable plan p _ P A) as (t & Et & It); rewrite same in *; trivial.
  - intros none. rewrite none in here. destruct here.
  - rewrite (proj2 F n s E T) in Et. injection Et as <-. exact It.
Qed.

Lemma fixed_worth : forall y p f w, worth g y p f w -> worth fixed y p f w.
Proof.
  intros y p f w [n r O|n E Q].
  - apply (worth_ended fixed y p f n r). now apply fixed_over.
  - apply (worth_endless fixed y p f n E Q).
Qed.

Lemma fixed_at_least : forall y v p f, at_least fixed y v p f -> at_least g y v p f.
Proof.
  intros y v p f H. destruct v as [[d|]| |[d|]|m]; simpl in *; trivial.
  - apply fixed_wins. exact H.
  - destruct H as [n H]. exists n. apply fixed_wins. exact H.
  - intros n W. apply (H n). now apply fixed_wins.
  - intros n lt W. apply (H n lt). now apply fixed_wins.
  - destruct H as [A B]. split; [exact A|]. intros w W. apply B. now apply fixed_worth.
Qed.

Theorem fixed_sure : forall v p, sure fixed x v p -> sure g x v p.
Proof.
  intros v p (plan & P & H). exists plan. split.
  - intros h A T some. destruct (fixed_playable plan p h P (fixed_arises plan p h P A) T some) as (s & E & I).
    exists s. split; trivial. now apply fixed_moves_in.
  - intros f F. apply fixed_at_least. apply H. now apply fixed_follows.
Qed.

End Fixed.

(** * A section as it is listed *)

(** A line: the entry of its position, and the move that it names, if any. *)
Record line (word : Type) := Line { says : entry; by_move : option word }.
Arguments Line {word} _ _.
Arguments says {word} _.
Arguments by_move {word} _.

Section Listed.
Variable g : game.
(** The names of moves: tells whether a word names a move of a position. *)
Variable word : Type.
Variable names : pos g -> word -> label g -> bool.
Variable k : kind.
Variable lines : pos g -> option (line word).
Variable parted : bool.

Notation move := (step (pos g) (label g)).

Definition entries (q : pos g) : option entry :=
  match lines q with Some l => Some (says l) | None => None end.

Definition named_move (q : pos g) (w : word) : option move :=
  find (fun s => names q w (name s)) (moves g q).

Definition chosen (q : pos g) : option move :=
  match lines q with
  | Some l => match by_move l with Some w => named_move q w | None => None end
  | None => None
  end.

(** The moves that count in a position, out of [steps]: the one that the line names, or all of them. Condition 2: it names
    one exactly if the player of a strategy is to move. *)
Definition counting (q : pos g) (l : line word) (steps : list move) : option (list move) :=
  let mine := match k with Table => false | Strategy x => player_eqb (turn g q) x end in
  match by_move l, mine with
  | Some w, true => match find (fun s => names q w (name s)) steps with Some s => Some [s] | None => None end
  | None, false => Some steps
  | _, _ => None
  end.

(** The condition on a line. *)
Definition line_good (q : pos g) (l : line word) : bool :=
  match look g q with
  | Over _ => false
  | Moves first others =>
      match counting q l (first :: others) with
      | Some steps =>
          match sees_all g entries q steps with
          | Some sights =>
              holds (unit g) parted (says l) sights && most_plies_are_right (unit g) parted (says l) sights
          | None => false
          end
      | None => false
      end
  end.

Hypothesis all_good : forall q l, lines q = Some l -> line_good q l = true.
Variable highest : Z.
Hypothesis bounded :
  forall q l m, lines q = Some l -> worth_of (says l) = Margin m -> (Z.abs m <= highest)%Z.

Lemma chosen_is_move : forall q s, chosen q = Some s -> In s (moves g q).
Proof.
  intros q s C. unfold chosen in C. destruct (lines q) as [l|]; [|discriminate].
  destruct (by_move l) as [w|]; [|discriminate]. now apply find_some in C.
Qed.

Lemma sees_fixed : forall x (q : pos g) (s : move), sees (fixed g x chosen) entries q s = sees g entries q s.
Proof.
  intros x q s. unfold sees, known. cbn. unfold fixed_look. destruct (entries (next s)); trivial.
  destruct (look g (next s)); trivial.
  destruct (player_eqb (turn g (next s)) x); [destruct (chosen (next s))|]; reflexivity.

Qed.

Lemma sees_all_fixed : forall x (q : pos g) (steps : list move),
  sees_all (fixed g x chosen) entries q steps = sees_all g entries q steps.
Proof.
  intros x q steps. induction steps as [|s steps IH]; simpl; trivial.
  rewrite sees_fixed, IH. reflexivity.
Qed.

(** The conditions say the same of a line in the game by its rules, and of its position in the section's game. *)
Lemma table_good : k = Table -> forall q e, entries q = Some e -> good g entries parted q e = true.
Proof.
  intros K q e E. unfold entries in E. destruct (lines q) as [l|] eqn:L; [|discriminate]. injection E as <-.
  pose proof (all_good q l L) as G. unfold line_good in G. unfold good.
  destruct (look g q); [discriminate|]. unfold counting in G. rewrite K in G.
  destruct (by_move l); [discriminate|]. destruct (sees_all g entries q _); [|discriminate].
  now apply andb_true_iff in G.
Qed.

Lemma strategy_good : forall x, k = Strategy x ->
  forall q e, entries q = Some e -> good (fixed g x chosen) entries parted q e = true.
Proof.
  intros x K q e E. unfold entries in E. destruct (lines q) as [l|] eqn:L; [|discriminate]. injection E as <-.
  pose proof (all_good q l L) as G. unfold line_good in G. unfold good. simpl look. unfold fixed_look.
  destruct (look g q) as [|first others] eqn:V; [discriminate|]. unfold counting in G. rewrite K in G.
  unfold chosen at 1. rewrite L. unfold named_move, moves. rewrite V.
  destruct (by_move l) as [w|], (player_eqb (turn g q) x); try discriminate G.
  - destruct (find _ (first :: others)) as [s|] eqn:F; [|discriminate]. rewrite sees_all_fixed.
    destruct (sees_all g entries q _); [|discriminate]. now apply andb_true_iff in G.
  - rewrite sees_all_fixed. destruct (sees_all g entries q _); [|discriminate]. now apply andb_true_iff in G.
Qed.

Lemma entries_bounded : forall q e m, entries q = Some e -> worth_of e = Margin m -> (Z.abs m <= highest)%Z.
Proof.
  intros q e m E. unfold entries in E. destruct (lines q) as [l|] eqn:L; [|discriminate]. injection E as <-.
  now apply bounded with q.
Qed.

(** What is known of a position: what is listed, or that it is over. *)
Notation known_here := (known g entries).

Lemma known_fixed : forall x (q : pos g), known (fixed g x chosen) entries q = known_here q.
Proof.
  intros x q. unfold known. cbn. unfold fixed_look. destruct (entries q); trivial.
  destruct (look g q); trivial.
  destruct (player_eqb (turn g q) x); [destruct (chosen q)|]; reflexivity.
Qed.

Lemma known_listed : forall q l, lines q = Some l -> known_here q = Some (says l).
Proof. intros q l L. unfold known, entries. now rewrite L. Qed.

(** In an accepted table every known value is the value of that position. *)
Theorem table_known : k = Table -> forall q e, known_here q = Some e -> value_is g q (worth_of e).
Proof. intros K q e. apply (known_value g entries parted (table_good K) highest entries_bounded). Qed.

(** In an accepted strategy it is the value in the section's game. *)
Theorem strategy_value : forall x, k = Strategy x -> forall q e, known_here q = Some e ->
  value_is (fixed g x chosen) q (worth_of e).
Proof.
  intros x K q e E. apply (known_value (fixed g x chosen) entries parted (strategy_good x K) highest entries_bounded).
  now rewrite known_fixed.
Qed.

(** The corollary: the player of the strategy is sure of it in the game by its rules. *)
Theorem strategy_known : forall x, k = Strategy x -> forall q e, known_here q = Some e ->
  sure g x (seen_by g x q (worth_of e)) q.
Proof.
  intros x K q e E. apply (fixed_sure g x chosen chosen_is_move).
  apply (known_sure (fixed g x chosen) entries parted (strategy_good x K) highest entries_bounded).
  now rewrite known_fixed.
Qed.

(** The same of listed positions. *)
Corollary table_sound : k = Table -> forall q l, lines q = Some l -> value_is g q (worth_of (says l)).
Proof. intros K q l L. now apply table_known, known_listed. Qed.

Corollary strategy_sound : forall x, k = Strategy x -> forall q l, lines q = Some l ->
  value_is (fixed g x chosen) q (worth_of (says l)) /\ sure g x (seen_by g x q (worth_of (says l))) q.
Proof.
  intros x K q l L. apply known_listed in L. split; [now apply strategy_value|now apply strategy_known].
Qed.

(** The ranks of points without parts are the most plies to the end, in the section's game. *)
Theorem table_ranks : k = Table -> unit g = Points -> parted = false -> forall q l, lines q = Some l ->
  can_last g q (N.to_nat (rank (says l))) /\ must_end g q (N.to_nat (rank (says l))).
Proof.
  intros K U P q l L. apply (rank_is_longest g entries U).
  - intros r e E. rewrite <- P. now apply table_good.
  - intros r e xs E S. unfold entries in E. destruct (lines r) as [m|] eqn:M; [|discriminate]. injection E as <-.
    pose proof (all_good r m M) as G. unfold line_good in G. unfold moves in S.
    destruct (look g r); [discriminate|]. unfold counting in G. rewrite K in G.
    destruct (by_move m); [discriminate|]. rewrite S, P in G. now apply andb_true_iff in G.
  - unfold entries. now rewrite L.
Qed.

Theorem strategy_ranks : forall x, k = Strategy x -> unit g = Points -> parted = false ->
  forall q l, lines q = Some l ->
  can_last (fixed g x chosen) q (N.to_nat (rank (says l))) /\
  must_end (fixed g x chosen) q (N.to_nat (rank (says l))).
Proof.
  intros x K U P q l L. apply (rank_is_longest (fixed g x chosen) entries U).
  - intros r e E. rewrite <- P. now apply strategy_good.
  - intros r e xs E S. unfold entries in E. destruct (lines r) as [m|] eqn:M; [|discriminate]. injection E as <-.
    pose proof (all_good r m M) as G. unfold line_good in G. rewrite sees_all_fixed in S. unfold moves in S.
    simpl in S. unfold fixed_look in S. destruct (look g r) as [|first others] eqn:V; [discriminate|].
    unfold counting in G. rewrite K in G. unfold chosen in S at 1. rewrite M in S. unfold named_move, moves in S.
    rewrite V in S. destruct (by_move m) as [w|], (player_eqb (turn g r) x); try discriminate G.
    + destruct (find _ (first :: others)) as [s|]; [|discriminate]. rewrite S, P in G.
      now apply andb_true_iff in G.
    + rewrite S, P in G. now apply andb_true_iff in G.
  - unfold entries. now rewrite L.
Qed.

End Listed.

(** Two strategies that meet: a value of which each player is sure is the value. *)
Theorem both_sure : forall g p v, sure g One (seen_by g One p v) p -> sure g Two (seen_by g Two p v) p ->
  value_is g p v.
Proof.
  intros g p v one two. unfold value_is, seen_by in *. destruct (turn g p); simpl in *; now split.
Qed.
