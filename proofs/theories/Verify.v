(** Everything that a file proves, and the line that says so. *)

From Coq Require Import Bool List ZArith String.
From Grundy Require Import Game Play Certificate Sections Text Format Check.
Import ListNotations.
Open Scope string_scope.

(** That a position has a value, or that a player is sure of one; values are as the player to move sees them. *)
Inductive claim :=
| Is_worth (game start : string) (to_move : player) (v : value)
| Is_sure (game start : string) (x : player) (to_move : player) (v : value).

(** The meaning of a claim: it is about the game of that name, and about the position that its text is read as and that
    is written as this text. *)
Definition is_true (games : string -> option named) (c : claim) : Prop :=
  let of game start to_move (says : forall g, pos g -> Prop) :=
    exists n p, games game = Some n /\ read (words n) start = Some p /\ write (words n) p = start /\
                turn (rules n) p = to_move /\ says (rules n) p in
  match c with
  | Is_worth game start to_move v => of game start to_move (fun g p => value_is g p v)
  | Is_sure game start x to_move v => of game start to_move (fun g p => sure g x (seen_by g x p v) p)
  end.

(** * Two strategies that meet *)

(** The value that both prove: exactly if they are sure of the same, else the outcome. *)
Definition meeting (one two : value) : option value :=
  if value_eqb one two then Some one
  else match one, two with
       | Win _, Win _ => Some (Win None)
       | Loss _, Loss _ => Some (Loss None)
       | _, _ => None
       end.

Lemma sure_less : forall g x v w p, (forall f, at_least g x v p f -> at_least g x w p f) ->
  sure g x v p -> sure g x w p.
Proof. intros g x v w p less (plan & P & H). exists plan. split; auto. Qed.

Lemma win_is_win : forall g x d p, sure g x (Win d) p -> sure g x (Win None) p.
Proof. intros g x [d|] p; trivial. apply sure_less. simpl. eauto. Qed.

Lemma nothing_is_sure : forall g x v p, sure g x v p -> sure g x (Loss None) p.
Proof. intros g x v p. apply sure_less. simpl. trivial. Qed.

Theorem meeting_is_value : forall g p one two v, meeting one two = Some v ->
  sure g One (seen_by g One p one) p -> sure g Two (seen_by g Two p two) p -> value_is g p v.
Proof.
  intros g p one two v M A B. unfold meeting in M. destruct (value_eqb one two) eqn:E.
  - apply value_eqb_true in E. injection M as <-. subst two. now apply both_sure.
  - unfold value_is, seen_by in *.
    destruct one as [d| |d|], two as [k| |k|]; try discriminate; injection M as <-;
      destruct (turn g p); simpl in *; split;
      eauto using win_is_win, nothing_is_sure.
Qed.

Definition same_start (a b : proved) : bool :=
  String.eqb (in_game a) (in_game b) && String.eqb (from a) (from b).

(** The claim that a strategy for player one and one for player two prove together. *)
Definition meet (a b : proved) : option claim :=
  match of_kind a, of_kind b, same_start a b, meeting (worth_there a) (worth_there b) with
  | Strategy One, Strategy Two, true, Some v => Some (Is_worth (in_game a) (from a) (to_move a) v)
  | _, _, _, _ => None
  end.

Definition some_list {A : Type} (o : option A) : list A := match o with Some a => [a] | None => [] end.

Definition meetings (sections : list proved) (a : proved) : list claim :=
  flat_map (fun b => some_list (meet a b)) sections.

(** The claim of a section alone, if no other one meets it. *)
Definition alone (sections : list proved) (c : proved) : list claim :=
  match of_kind c with
  | Table => [Is_worth (in_game c) (from c) (to_move c) (worth_there c)]
  | Strategy x =>
      let here := filter (same_start c) sections in
      match flat_map (meetings here) here with
      | [] => [Is_sure (in_game c) (from c) x (to_move c) (worth_there c)]
      | _ => []
      end
  end.

Definition claims (sections : list proved) : list claim :=
  flat_map (meetings sections) sections ++ flat_map (alone sections) sections.

Lemma meet_true : forall games a b c, holds_true games a -> holds_true games b -> meet a b = Some c -> is_true games c.
Proof.
  intros games a b c (n & p & G & R & W & T & K) (m & q & H & S & X & U & L) M.
  unfold meet in M. destruct (of_kind a) as [|[]], (of_kind b) as [|[]]; try discriminate.
  destruct (same_start a b) eqn:same; [|discriminate].
  destruct (meeting (worth_there a) (worth_there b)) as [v|] eqn:V; [|discriminate]. injection M as <-.
  apply andb_true_iff in same. destruct same as [A B]. apply String.eqb_eq in A. apply String.eqb_eq in B.
  rewrite <- A, G in H. injection H as <-. rewrite <- B, R in S. injection S as <-.
  exists n, p. repeat split; trivial; now apply (meeting_is_value _ _ _ _ v V K L).
Qed.

Theorem claims_true : forall games sections, (forall c, In c sections -> holds_true games c) ->
  forall c, In c (claims sections) -> is_true games c.
Proof.
  intros games sections all c I. unfold claims in I. rewrite in_app_iff, !in_flat_map in I.
  destruct I as [(a & Ia & I)|(a & Ia & I)].
  - unfold meetings in I. rewrite in_flat_map in I. destruct I as (b & Ib & I).
    destruct (meet a b) as [d|] eqn:M; simpl in I; [|destruct I].
    destruct I as [<-|[]]. now apply (meet_true games a b d (all a Ia) (all b Ib)).
  - unfold alone in I. destruct (all a Ia) as (n & p & G & R & W & T & K).
    destruct (of_kind a) as [|x].
    + destruct I as [<-|[]]. now exists n, p.
    + destruct (flat_map _ _); [|destruct I]. destruct I as [<-|[]]. now exists n, p.
Qed.

(** * The program *)

(** The maximum number of sections in a file. *)
Definition most_sections : nat := 1000.

(** The claims that a file proves. *)
Definition verify (games : string -> option named) (digests : string -> option string) (file : list string)
  : answer (list claim) :=
  match check_sections most_sections games digests file with
  | No why => No why
  | Yes [] => No "the file is empty"
  | Yes sections => Yes (claims sections)
  end.

(** Every claim that is verified is true. *)
Theorem verified : forall games digests file list, verify games digests file = Yes list ->
  forall c, In c list -> is_true games c.
Proof.
  intros games digests file list V c I. unfold verify in V.
  destruct (check_sections most_sections games digests file) as [sections|] eqn:C; [|discriminate].
  apply (claims_true games sections); [now apply (check_sections_true most_sections games digests file)|].
  destruct sections; [discriminate|]. injection V as <-. exact I.
Qed.

(** ** In words *)

Definition player_words (x : player) : string := match x with One => "player 1" | Two => "player 2" end.
Definition plies_words (d : N) : string := show_number d ++ (if N.eqb d 1 then " ply" else " plies").
Definition won_words (x : player) (d : option N) : string :=
  "a win for " ++ player_words x ++ match d with Some d => " in " ++ plies_words d | None => "" end.

Definition worth_words (parts : option positive) (to_move : player) (v : value) : string :=
  match v with
  | Win d => won_words to_move d
  | Loss d => won_words (other to_move) d
  | Draw => "a draw"
  | Margin m => "worth " ++ show_margin parts m ++ " to " ++ player_words to_move
  end.

Definition sure_words (parts : option positive) (v : value) : string :=
  match v with
  | Win (Some d) => "a win in at most " ++ plies_words d
  | Win None => "a win"
  | Draw => "at least a draw"
  | Loss (Some d) => "no loss in fewer than " ++ plies_words d
  | Loss None => "nothing"
  | Margin m => "at least " ++ show_margin parts m
  end.

Definition claim_words (games : string -> option named) (c : claim) : string :=
  let '(game, from) := match c with Is_worth game from _ _ | Is_sure game from _ _ _ => (game, from) end in
  match games game with
  | None => ""
  | Some n =>
      let place := if String.eqb from (write (words n) (start (rules n))) then game else game ++ " from " ++ from in
      match c with
      | Is_worth _ _ to_move v => place ++ " is " ++ worth_words (parts (words n)) to_move v
      | Is_sure _ _ x to_move v =>
          "in " ++ place ++ " " ++ player_words x ++ " is sure of " ++
          sure_words (parts (words n)) (if player_eqb to_move x then v else flip v)
      end
  end.

(** The one line: [verified: connect4:5x5 is a draw]. *)
Definition answer_words (games : string -> option named) (digests : string -> option string) (file : list string)
  : answer string :=
  match verify games digests file with
  | No why => No ("refused: " ++ why)
  | Yes claims => Yes ("verified: " ++ String.concat "; " (map (claim_words games) claims))
  end.
