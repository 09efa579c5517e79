(** How a game's positions and moves are written.

    [write] and [word] say which position and which move a text of a certificate means: a person who reads
    [XX./O../... 2] trusts [write]. [read] is only help: a text that it reads is always compared with what [write]
    makes of the position, and a text that it cannot read is refused.

    If two positions can be written the same, a certificate would speak of both at once. [write_inj] holds a test that
    is quick, and the proof that no two positions that pass it are written the same; for games without one the checker
    reads back each text it writes and compares positions, which takes longer.

    [string] is extracted to native strings, [ascii] to bytes. Taking a string apart costs its length at each
    character, so that long texts are taken apart by list_ascii_of_string, and put together by string_of_list_ascii. *)

From Coq Require Import Bool List ZArith String.
From Grundy Require Import Game.

(** [parts]: in what points are written, [+3], or [+3/4] where values count quarters. *)
Record text (g : game) := {
  parts : option positive;
  write : pos g -> string;
  read : string -> option (pos g);
  word : pos g -> label g -> string;
  write_inj : option {proper : pos g -> bool |
                       forall p q, proper p = true -> proper q = true -> write p = write q -> p = q};
}.
Arguments parts {g} _.
Arguments write {g} _ _.
Arguments read {g} _ _.
Arguments word {g} _ _ _.
Arguments write_inj {g} _.

(** A game with its text: what a name stands for. *)
Record named := { rules : game; words : text rules }.
