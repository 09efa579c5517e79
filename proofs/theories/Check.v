(** The checker: from the lines of a file to the claims that they prove.

    [check_sections] computes. [check_sections_true] says that its answers are true of the games by their rules. *)

From Coq Require Import Bool List ZArith Ascii String Lia.
From Grundy Require Import Game Play Certificate Sections Text Format Listing.
Import ListNotations.
Open Scope string_scope.

(** An answer, or the reason why there is none, in one line. *)
Inductive answer (A : Type) := Yes (a : A) | No (why : string).
Arguments Yes {A} _.
Arguments No {A} _.

(** * One section *)

Section One_section.
Variable n : named.
Variable k : kind.
Variable parted : bool.
Variable tree : Listing.tree (line string).

Notation g := (rules n).
Notation game_text := (words n).

(** A position is the one that its text denotes: by proof, or because the text is read back as this position. *)
Definition stands_for (text : string) (q : pos g) : bool :=
  match write_inj game_text with
  | Some (exist _ proper _) => proper q
  | None => match read game_text text with Some p => pos_eqb g p q | None => false end
  end.

(** The entry of a position. *)
Definition lines (q : pos g) : option (line string) :=
  let text := write game_text q in
  match find String.compare text tree with
  | Some l => if stands_for text q then Some l else None
  | None => None
  end.

Definition names (q : pos g) (w : string) (m : label g) : bool := String.eqb (word game_text q m) w.

(** The reason why a line is refused; for people only. *)
Definition why_not (q : pos g) (l : line string) : string :=
  match look g q with
  | Over _ => "the game is over there"
  | Moves first others =>
      match counting g string names k q l (first :: others) with
      | None => "its move is not one that must stand there"
      | Some steps =>
          match List.find (fun s => match sees g (entries g string lines) q s with None => true | _ => false end)
                  steps with
          | Some s => "after " ++ word game_text q (name s) ++ " comes what is not listed: "
                        ++ write game_text (next s)
          | None => "its value, rank or part is not what its moves make it"
          end
      end
  end.

(** Condition 1, and the others by [line_good]. *)
Definition test (text : string) (l : line string) : option string :=
  match read game_text text with
  | None => Some (text ++ ": no position of the game")
  | Some p =>
      if negb (String.eqb (write game_text p) text)
      then Some (text ++ ": it is not written as " ++ write game_text p)
      else if negb (stands_for text p)
      then Some (text ++ ": it is not the only position that is written so")
      else if line_good g string names k lines parted p l then None
      else Some (text ++ ": " ++ why_not p l)
  end.

Hypothesis all_pass : first_wrong _ _ test tree = None.

Lemma lines_good : forall q l, lines q = Some l -> line_good g string names k lines parted q l = true.
Proof.
  intros q l L. pose proof L as found. unfold lines in found.
  destruct (find String.compare (write game_text q) tree) as [m|] eqn:F; [|discriminate].
  destruct (stands_for (write game_text q) q) eqn:S; [|discriminate]. injection found as ->.
  apply found_within in F. pose proof (none_wrong _ _ test tree all_pass _ _ F) as T. unfold test in T.
  destruct (read game_text (write game_text q)) as [p|] eqn:R; [|discriminate].
  destruct (String.eqb_spec (write game_text p) (write game_text q)) as [same|]; [|discriminate].
  destruct (stands_for (write game_text q) p) eqn:P; [|discriminate]. simpl in T.
  assert (p = q) as ->.
  { unfold stands_for in S, P. destruct (write_inj game_text) as [[proper inj]|]; [now apply inj|].
    rewrite R in S. destruct (pos_eqb_spec g p q); [trivial|discriminate]. }
  destruct line_good; [trivial|discriminate].
Qed.

Definition size_of (l : line string) : nat :=
  match worth_of (says l) with Margin m => Z.to_nat (Z.abs m) | _ => 0 end.

Lemma lines_bounded : exists highest, forall q l m, lines q = Some l -> worth_of (says l) = Margin m ->
  (Z.abs m <= highest)%Z.
Proof.
  destruct (bounded_within _ size_of tree) as [most bound]. exists (Z.of_nat most). intros q l m L V.
  unfold lines in L. destruct (find String.compare (write game_text q) tree) as [l'|] eqn:F; [|discriminate].
  destruct stands_for; [|discriminate]. injection L as ->. apply found_within in F.
  specialize (bound _ _ F). unfold size_of in bound. rewrite V in bound. lia.
Qed.
End One_section.

(** * Proved claims *)

(** The claim that a section proves about its start. *)
Record proved := Proved {
  in_game : string;
  of_kind : kind;
  from : string;
  to_move : player;
  worth_there : value;  (* as the player to move sees it *)
}.

(** That the player is sure of it, or that it is the value. *)
Definition kind_says (g : game) (k : kind) (p : pos g) (v : value) : Prop :=
  match k with Table => value_is g p v | Strategy x => sure g x (seen_by g x p v) p end.

Definition holds_true (games : string -> option named) (c : proved) : Prop :=
  exists n p, games (in_game c) = Some n /\ read (words n) (from c) = Some p /\ write (words n) p = from c /\
    turn (rules n) p = to_move c /\ kind_says (rules n) (of_kind c) p (worth_there c).

(** The next [left] lines as a tree, and the lines after them. *)
Fixpoint load (n : named) (parted : bool) (left : N) (tree : Listing.tree (line string)) (rest : list string)
  : answer (Listing.tree (line string) * list string) :=
  if N.eqb left 0 then Yes (tree, rest)
  else match rest with
  | [] => No "fewer positions than there should be"
  | text :: rest =>
      match read_line (unit (rules n)) (parts (words n)) text with
      | None => No ("bad line """ ++ text ++ """")
      | Some (position, l) =>
          match find String.compare position tree with
          | Some _ => No (position ++ ": it stands there twice")
          | None =>
              if Bool.eqb parted (match part (says l) with Some _ => true | None => false end)
              then load n parted (N.pred left) (insert String.compare position l tree) rest
              else No (position ++ ": expected a part on every line or on none")
          end
      end
  end.

(** Tells whether positions have parts, by the first one. *)
Definition are_parted (n : named) (rest : list string) : bool :=
  match rest with
  | text :: _ =>
      match read_line (unit (rules n)) (parts (words n)) text with
      | Some (_, l) => match part (says l) with Some _ => true | None => false end
      | None => false
      end
  | [] => false
  end.

(** The value of the start: the listed one, or the result if the game is over there. *)
Definition at_start (n : named) (tree : Listing.tree (line string)) (p : pos (rules n)) : option value :=
  match known (rules n) (entries (rules n) string (lines n tree)) p with
  | Some e => Some (worth_of e)
  | None => None
  end.

(** The checksum detects accidents and proves nothing: it must be present, and is not computed. *)
Definition check_body (name : string) (n : named) (k : kind) (start : string) (v : value) (count : N)
  (rest : list string) : answer (proved * list string) :=
  let parted := are_parted n rest in
  match load n parted count Leaf rest with
  | No why => No why
  | Yes (tree, []) => No "no checksum at the end"
  | Yes (tree, last :: rest) =>
      if negb (prefix "checksum " last)
      then No ("more than " ++ show_number count ++ " positions, or no checksum behind them")
      else match first_wrong _ _ (test n k parted tree) tree with
      | Some why => No why
      | None =>
          match read (words n) start with
          | None => No (start ++ ": no position of the game")
          | Some p =>
              if negb (String.eqb (write (words n) p) start)
              then No (start ++ ": the start is not written as " ++ write (words n) p)
              else match at_start n tree p with
              | None => No (start ++ ": the start is not listed")
              | Some w =>
                  if value_eqb w v then Yes (Proved name k start (turn (rules n) p) v, rest)
                  else No (start ++ ": the start is worth " ++ show_value (parts (words n)) w)
              end
          end
      end
  end.

Lemma value_eqb_true : forall v w, value_eqb v w = true -> v = w.
Proof.
  intros [[a|]| |[a|]|a] [[b|]| |[b|]|b]; simpl; try discriminate; trivial; intros E;
    (apply N.eqb_eq in E || apply Z.eqb_eq in E); congruence.
Qed.

Lemma check_body_true : forall games name n k start v count rest c left, games name = Some n ->
  check_body name n k start v count rest = Yes (c, left) -> holds_true games c.
Proof.
  intros games name n k start v count rest c left G C. unfold check_body in C.
  destruct (load n (are_parted n rest) count Leaf rest) as [[tree [|last remaining]]|]; try discriminate.
  destruct (negb (prefix "checksum " last)); [discriminate|].
  destruct (first_wrong _ _ _ tree) eqn:T; [discriminate|].
  destruct (read (words n) start) as [p|] eqn:R; [|discriminate].
  destruct (String.eqb_spec (write (words n) p) start) as [W|]; [|discriminate]. simpl in C.
  destruct (at_start n tree p) as [w|] eqn:A; [|discriminate].
  destruct (value_eqb w v) eqn:V; [|discriminate]. apply value_eqb_true in V. injection C as <- _. subst w.
  exists n, p. repeat split; trivial. simpl.
  pose proof (lines_good n k (are_parted n rest) tree T) as good.
  destruct (lines_bounded n tree) as [highest bounded].
  unfold at_start in A. destruct (known _ _ p) as [e|] eqn:K; [|discriminate]. injection A as <-.
  unfold kind_says. destruct k as [|x].
  - exact (table_known (rules n) string (names n) Table (lines n tree) _ good highest bounded eq_refl p e K).
  - exact (strategy_known (rules n) string (names n) (Strategy x) (lines n tree) _ good highest bounded x eq_refl p e K).
Qed.

(** The value of a header line. *)
Definition field (key text : string) : option string :=
  match after_word (key ++ " ") (list_ascii_of_string text) with
  | Some rest => Some (string_of_list_ascii rest)
  | None => None
  end.

(** If the game comes from a file or has a map, a line may contain the digest of its meaning. The file whose rules are known
    here must have the same digest: no proof rests on it, but otherwise the certificate is about another game. *)
Definition same_digest (known : option string) (said : string) : bool :=
  Nat.eqb (String.length said) 64 && match known with Some digest => String.eqb digest said | None => true end.

Definition split_digest (file : list string) : option string * list string :=
  match file with
  | magic :: game :: digest :: rest =>
      match field "digest" digest with Some said => (Some said, magic :: game :: rest) | None => (None, file) end
  | _ => (None, file)
  end.

Definition check_section (games : string -> option named) (digests : string -> option string) (file : list string)
  : answer (proved * list string) :=
  let (said, file) := split_digest file in
  match file with
  | magic :: game :: kind :: start :: value :: positions :: rest =>
      match String.eqb magic "grundy-certificate 1", field "game" game, field "kind" kind, field "start" start,
            field "value" value, field "positions" positions with
      | true, Some game, Some kind, Some start, Some value, Some positions =>
          match games game, match said with Some said => same_digest (digests game) said | None => true end with
          | None, _ => No (game ++ ": no game that is known here")
          | Some _, false => No (game ++ ": the certificate is of another file")
          | Some n, true =>
              match read_kind kind, read_value (unit (rules n)) (parts (words n)) (list_ascii_of_string value),
                    read_number most_rank (list_ascii_of_string positions) with
              | Some k, Some v, Some count => check_body game n k start v count rest
              | _, _, _ => No "bad kind, value or number of positions"
              end
          end
      | _, _, _, _, _, _ => No "expected the lines grundy-certificate 1, game, kind, start, value, positions"
      end
  | _ => No "the file ends before its positions"
  end.

(** The sections of a file, of which there are at most [most]. *)
Fixpoint check_sections (most : nat) (games : string -> option named) (digests : string -> option string)
  (file : list string) : answer (list proved) :=
  match file, most with
  | [], _ => Yes []
  | _, O => No "too many sections"
  | _, S most =>
      match check_section games digests file with
      | No why => No why
      | Yes (c, rest) =>
          match check_sections most games digests rest with No why => No why | Yes others => Yes (c :: others) end
      end
  end.

Lemma check_section_true : forall games digests file c rest,
  check_section games digests file = Yes (c, rest) -> holds_true games c.
Proof.
  intros games digests whole c rest C. unfold check_section in C. destruct (split_digest whole) as [said file].
  destruct file as [|magic [|game [|kind [|start [|value [|positions body]]]]]]; try discriminate.
  destruct (String.eqb magic _), (field "game" game) as [name|], (field "kind" kind), (field "start" start),
    (field "value" value), (field "positions" positions); try discriminate.
  destruct (games name) as [n|] eqn:G; [|discriminate].
  destruct (match said with Some _ => _ | None => _ end); [|discriminate].
  destruct (read_kind _) as [k|]; [|discriminate].
  destruct (read_value _ _ _) as [v|]; [|discriminate].
  destruct (read_number _ _) as [count|]; [|discriminate].
  now apply (check_body_true games) in C.
Qed.

Theorem check_sections_true : forall most games digests file list, check_sections most games digests file = Yes list ->
  forall c, In c list -> holds_true games c.
Proof.
  intros most games digests. induction most as [|most IH]; intros file list C c I.
  - destruct file; [|discriminate]. injection C as <-. destruct I.
  - destruct file as [|first others]; [injection C as <-; destruct I|].
    cbn - [check_section] in C.
    destruct (check_section games digests (first :: others)) as [[d rest]|] eqn:S; [|discriminate].
    destruct (check_sections most games digests rest) as [more|] eqn:M; [|discriminate]. injection C as <-.
    destruct I as [<-|I].
    + now apply check_section_true in S.
    + now apply (IH rest more M).
Qed.
