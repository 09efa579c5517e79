(** Positions of a section by their text: a search tree that keeps itself balanced (C. Okasaki, "Red-black trees in a
    functional setting", 1999).

    What is found in it was put into it: nothing else is proved, for nothing else is needed. Whatever the order of
    texts were, a search in a tree that is out of order finds less, and a certificate is refused for it. *)

From Coq Require Import Bool List String.
Import ListNotations.

Section Tree.
Variable A : Type.
Variable order : string -> string -> comparison.

Inductive color := Red | Black.
Inductive tree := Leaf | Node (c : color) (l : tree) (key : string) (a : A) (r : tree).

Fixpoint find (key : string) (t : tree) : option A :=
  match t with
  | Leaf => None
  | Node _ l k a r =>
      match order key k with
      | Lt => find key l
      | Gt => find key r
      | Eq => if String.eqb key k then Some a else None
      end
  end.

Definition balance_left (l : tree) (k : string) (a : A) (r : tree) : tree :=
  match l with
  | Node Red (Node Red ll lk la lr) k1 a1 r1 => Node Red (Node Black ll lk la lr) k1 a1 (Node Black r1 k a r)
  | Node Red l1 k1 a1 (Node Red rl rk ra rr) => Node Red (Node Black l1 k1 a1 rl) rk ra (Node Black rr k a r)
  | _ => Node Black l k a r
  end.

Definition balance_right (l : tree) (k : string) (a : A) (r : tree) : tree :=
  match r with
  | Node Red (Node Red ll lk la lr) k1 a1 r1 => Node Red (Node Black l k a ll) lk la (Node Black lr k1 a1 r1)
  | Node Red l1 k1 a1 (Node Red rl rk ra rr) => Node Red (Node Black l k a l1) k1 a1 (Node Black rl rk ra rr)
  | _ => Node Black l k a r
  end.

Fixpoint put (key : string) (a : A) (t : tree) : tree :=
  match t with
  | Leaf => Node Red Leaf key a Leaf
  | Node Red l k b r =>
      match order key k with
      | Lt => Node Red (put key a l) k b r
      | Gt => Node Red l k b (put key a r)
      | Eq => Node Red l key a r
      end
  | Node Black l k b r =>
      match order key k with
      | Lt => balance_left (put key a l) k b r
      | Gt => balance_right l k b (put key a r)
      | Eq => Node Black l key a r
      end
  end.

Definition insert (key : string) (a : A) (t : tree) : tree :=
  match put key a t with Node _ l k b r => Node Black l k b r | Leaf => Leaf end.

(** The elements of a tree. *)
Inductive within (key : string) (a : A) : tree -> Prop :=
| here c l r : within key a (Node c l key a r)
| on_left c l k b r : within key a l -> within key a (Node c l k b r)
| on_right c l k b r : within key a r -> within key a (Node c l k b r).

Lemma found_within : forall key t a, find key t = Some a -> within key a t.
Proof.
  intros key t a. induction t as [|c l IHl k b r IHr]; simpl; [discriminate|].
  destruct (order key k).
  - destruct (String.eqb_spec key k) as [<-|]; [|discriminate]. intros E. injection E as ->. apply here.
  - intros E. now apply on_left, IHl.
  - intros E. now apply on_right, IHr.
Qed.

(** Tests all elements of a tree; returns the first that fails. *)
Section All.
Variable B : Type.
Variable test : string -> A -> option B.

Fixpoint first_wrong (t : tree) : option B :=
  match t with
  | Leaf => None
  | Node _ l k a r =>
      match first_wrong l with
      | Some wrong => Some wrong
      | None => match test k a with Some wrong => Some wrong | None => first_wrong r end
      end
  end.

Lemma none_wrong : forall t, first_wrong t = None -> forall key a, within key a t -> test key a = None.
Proof.
  intros t. induction t as [|c l IHl k b r IHr]; simpl; intros E key a W; [inversion W|].
  destruct (first_wrong l); [discriminate|]. destruct (test k b) eqn:T; [discriminate|].
  inversion W; subst; auto.
Qed.
End All.

(** A bound of the elements of a tree. *)
Lemma bounded_within : forall (size : A -> nat) t, exists most, forall key a, within key a t -> size a <= most.
Proof.
  intros size t. induction t as [|c l [m Hl] k b r [n Hr]].
  - exists 0. intros key a W. inversion W.
  - exists (max (size b) (max m n)). intros key a W. inversion W; subst.
    + apply PeanoNat.Nat.le_max_l.
    + apply (PeanoNat.Nat.le_trans _ m); [now apply Hl with key|].
      apply (PeanoNat.Nat.le_trans _ (max m n)); [apply PeanoNat.Nat.le_max_l|apply PeanoNat.Nat.le_max_r].
    + apply (PeanoNat.Nat.le_trans _ n); [now apply Hr with key|].
      apply (PeanoNat.Nat.le_trans _ (max m n)); apply PeanoNat.Nat.le_max_r.
Qed.

End Tree.

Arguments Leaf {A}.
Arguments find {A} _ _ _.
Arguments insert {A} _ _ _ _.
Arguments within {A} _ _ _.
