(** The lines of a certificate: reading them, and writing values.

    Nothing is proved about reading. What is read of a file is a claim, and the claim that was read is the claim that is
    checked and written. *)

From Coq Require Import Bool List ZArith Ascii String DecimalString.
From Grundy Require Import Game Play Certificate Sections.
Import ListNotations.
Open Scope string_scope.

Definition show_number (n : N) : string := NilZero.string_of_uint (N.to_uint n).

(** A margin with its sign and its denominator. *)
Definition show_margin (parts : option positive) (m : Z) : string :=
  match m with
  | Z0 => "+0" | Zpos p => "+" ++ show_number (Npos p) | Zneg p => "-" ++ show_number (Npos p)
  end ++ match parts with Some k => "/" ++ show_number (Npos k) | None => "" end.

Definition show_value (parts : option positive) (v : value) : string :=
  match v with
  | Win None => "win" | Win (Some d) => "win:" ++ show_number d
  | Loss None => "loss" | Loss (Some d) => "loss:" ++ show_number d
  | Draw => "draw"
  | Margin m => show_margin parts m
  end.

Definition digit (c : ascii) : option N :=
  match c with
  | "0" => Some 0 | "1" => Some 1 | "2" => Some 2 | "3" => Some 3 | "4" => Some 4
  | "5" => Some 5 | "6" => Some 6 | "7" => Some 7 | "8" => Some 8 | "9" => Some 9
  | _ => None
  end%char%N.

Fixpoint read_digits (so_far : N) (text : list ascii) : option N :=
  match text with
  | [] => Some so_far
  | c :: text => match digit c with Some d => read_digits (10 * so_far + d) text | None => None end
  end.

(** A number up to [most], of at most ten digits, without zeros before it. *)
Definition read_number (most : N) (text : list ascii) : option N :=
  match text with
  | [] => None
  | "0"%char :: _ :: _ => None
  | _ :: _ :: _ :: _ :: _ :: _ :: _ :: _ :: _ :: _ :: _ :: _ => None
  | _ => match read_digits 0 text with
         | Some n => if N.leb n most then Some n else None
         | None => None
         end
  end.

(** The text after a word at the beginning. *)
Fixpoint after_word (word : string) (text : list ascii) : option (list ascii) :=
  match word, text with
  | EmptyString, text => Some text
  | String c word, d :: text => if Ascii.eqb c d then after_word word text else None
  | _, [] => None
  end.

(** The ceilings, where the engine no longer distinguishes distances and margins: such a value is refused. *)
Definition most_plies : N := 805306366.
Definition most_points : N := 134217726.
Definition most_rank : N := 4294967295.

Definition plies (text : list ascii) : option (option N) :=
  match after_word ":" text with
  | Some number => match read_number most_plies number with Some d => Some (Some d) | None => None end
  | None => match text with [] => Some None | _ => None end
  end.

(** The digits of a margin, before its denominator. *)
Fixpoint before_slash (text : list ascii) : list ascii * list ascii :=
  match text with
  | [] => ([], [])
  | c :: rest => if Ascii.eqb c "/" then ([], text)
                 else let (number, parts) := before_slash rest in (c :: number, parts)
  end.

Definition read_margin (parts : option positive) (text : list ascii) : option N :=
  let (number, after) := before_slash text in
  let same := match parts with
              | None => match after with [] => true | _ => false end
              | Some k => String.eqb (string_of_list_ascii after) ("/" ++ show_number (Npos k))
              end in
  if same then read_number most_points number else None.

(** A value as the engine writes it, in a game of this kind. *)
Definition read_value (u : unit_of) (parts : option positive) (text : list ascii) : option value :=
  match u, text with
  | Points, "+"%char :: text => match read_margin parts text with Some m => Some (Margin (Z.of_N m)) | None => None end
  | Points, "-"%char :: text =>
      match read_margin parts text with
      | Some (Npos m) => Some (Margin (Zneg m))
      | _ => None
      end
  | Points, _ => None
  | Outcome, _ =>
      match after_word "win" text with
      | Some rest => match plies rest with Some d => Some (Win d) | None => None end
      | None =>
          match after_word "loss" text with
          | Some rest => match plies rest with Some d => Some (Loss d) | None => None end
          | None => match after_word "draw" text with Some [] => Some Draw | _ => None end
          end
      end
  end.

(** The fields of a line. *)
Fixpoint fields (text : list ascii) : list ascii * list (list ascii) :=
  match text with
  | [] => ([], [])
  | c :: text =>
      let (first, others) := fields text in
      if Ascii.eqb c "009" then ([], first :: others) else (c :: first, others)
  end.

(** A line of a section: the text of its position, and its entry. *)
Definition read_line (u : unit_of) (parts : option positive) (text : string) : option (string * line string) :=
  match fields (list_ascii_of_string text) with
  | (position, value :: word :: numbers) =>
      let by_move := match word with ["*"%char] => None | _ => Some (string_of_list_ascii word) end in
      let listed := fun v rank part => Some (string_of_list_ascii position, Line (Entry v rank part) by_move) in
      match read_value u parts value, numbers with
      | Some (Win (Some d) as v), [] | Some (Loss (Some d) as v), [] => listed v d None
      | Some Draw, [] => listed Draw 0%N None
      | Some (Win None as v), [rank] | Some (Loss None as v), [rank] | Some (Margin _ as v), [rank] =>
          match read_number most_rank rank with Some r => listed v r None | None => None end
      | Some (Margin _ as v), [rank; part] =>
          match read_number most_rank rank, read_number most_rank part with
          | Some r, Some k => listed v r (Some k)
          | _, _ => None
          end
      | _, _ => None
      end
  | _ => None
  end.

Definition read_kind (text : string) : option kind :=
  if String.eqb text "table" then Some Table
  else if String.eqb text "strategy 1" then Some (Strategy One)
  else if String.eqb text "strategy 2" then Some (Strategy Two)
  else None.
