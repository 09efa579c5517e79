(** Nim: take one or more counters from one heap, at most [max] of them where there is a limit; who takes the last
    counter wins (misere: loses). Emptied heaps stay. *)

From Coq Require Import Bool List NArith ZArith Ascii String.
From Grundy Require Import Game Text.
From GrundyGames Require Import Grid.
Import ListNotations.
Open Scope N_scope.

Record piles := { heaps : list N; mover : player }.

Fixpoint list_eqb (a b : list N) : bool :=
  match a, b with
  | [], [] => true
  | x :: a, y :: b => (x =? y) && list_eqb a b
  | _, _ => false
  end.
Lemma list_eqb_spec : forall a b, reflect (a = b) (list_eqb a b).
Proof.
  induction a as [|x a IH]; intros [|y b]; cbn; try (constructor; congruence).
  destruct (N.eqb_spec x y), (IH b); constructor; congruence.
Qed.
Definition piles_eqb (p q : piles) : bool := list_eqb (heaps p) (heaps q) && player_eqb (mover p) (mover q).
Lemma piles_eqb_spec : forall p q, reflect (p = q) (piles_eqb p q).
Proof.
  intros [h t] [h' t']; unfold piles_eqb; cbn.
  destruct (list_eqb_spec h h'), (player_eqb_spec t t'); constructor; congruence.
Qed.

Section Nim.
Variables (first : list N) (max : option N) (misere : bool).

(** A move is a heap, counted from 0, and how many counters are taken. *)
Fixpoint takes (before : list N) (heap : N) (left : list N) : list (N * N * list N) :=
  match left with
  | [] => []
  | h :: rest =>
    let most := match max with Some m => N.min m h | None => h end in
    map (fun take => (heap, take, rev_append before ((h - take) :: rest))) (from 1 (N.to_nat most))
    ++ takes (h :: before) (heap + 1) rest
  end.

Definition look (p : piles) : view piles (N * N) :=
  moves_or (if misere then Won else Lost)
    (map (fun '(heap, take, after) => Step (heap, take) 0%Z {| heaps := after; mover := other (mover p) |})
      (takes [] 0 (heaps p))).

Definition nim : game :=
  {| pos := piles; label := N * N; pos_eqb := piles_eqb; pos_eqb_spec := piles_eqb_spec; unit := Outcome;
     start := {| heaps := first; mover := One |}; turn := mover; Game.look := look |}.

Definition read_heaps : chars -> option (list N) := fun text => all_some read_number (split "," text).

Definition nim_text : text nim :=
  {| parts := None;
     write := fun p : pos nim =>
       out (join "," (map number (heaps p)) ++ [" "; write_turn (mover p)]%char);
     read := fun text =>
       match split " " (str text) with
       | [list; t] =>
         match read_heaps list, read_turn t with
         | Some heaps, Some mover => Some ({| heaps := heaps; mover := mover |} : pos nim)
         | _, _ => None
         end
       | _ => None
       end;
     word := fun _ (m : label nim) => out (number (fst m + 1) ++ ":"%char :: number (snd m));
     write_inj := None |}.
End Nim.

Definition named_nim (heaps : list N) (max : option N) (misere : bool) : named :=
  {| rules := nim heaps max misere; words := nim_text heaps max misere |}.
