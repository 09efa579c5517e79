(** The program, from the definitions that the theorem [verified] speaks of.

    Strings are extracted to native strings, by the standard library's ExtrOcamlNativeString and by what follows. *)

From Coq Require Import List Extraction ExtrOcamlBasic ExtrOcamlNativeString String.
From Grundy Require Import Game Verify.
From GrundyGames Require Import Catalog.
From GrundyRbg Require Import Words Library.

Open Scope string_scope.

Extract Constant String.compare =>
  "fun a b -> let c = Stdlib.compare (a : string) b in if c = 0 then Eq else if c < 0 then Lt else Gt".

Definition games := find_game (find_file library).
(** By what certificates of [rules:NAME] name the file that the rules here are from. *)
Definition digest_of (game : string) : option string :=
  match List.find (fun known => String.eqb game ("rules:" ++ fst known)) digests with
  | Some (_, digest) => Some digest
  | None => None
  end.
Definition answer_to := answer_words games digest_of.
(** For forge.ml. *)
Definition is_for_points (g : game) : bool := match unit g with Points => true | Outcome => false end.

(** dev/check_proofs expects [Closed under the global context]: the games that the program knows rest on no more than the
    theorems do. *)
Print Assumptions answer_to.

Extraction "extracted.ml" answer_to is_for_points.
