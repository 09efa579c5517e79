(** The program, from the definitions that the theorem [verified] speaks of.

    Strings are extracted to native strings, by the standard library's ExtrOcamlNativeString and by what follows. *)

From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNativeString String.
From Grundy Require Import Game Verify.
From GrundyGames Require Import Catalog.
From GrundyRbg Require Import Words Library.

Extract Constant String.compare =>
  "fun a b -> let c = Stdlib.compare (a : string) b in if c = 0 then Eq else if c < 0 then Lt else Gt".

Definition games := find_game (find_file library).
Definition answer_to := answer_words games (fun _ => None).
(** For forge.ml. *)
Definition is_for_points (g : game) : bool := match unit g with Points => true | Outcome => false end.

Extraction "extracted.ml" answer_to is_for_points.
