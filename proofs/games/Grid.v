(** Boards of rows and columns, sets of cells, and their text.

    Cells are numbered row by row from the top left, squares are named from the bottom left, and a set of cells is a
    number with a bit for each. *)

From Coq Require Import Bool List NArith ZArith Ascii String.
From Grundy Require Import Game.
Import ListNotations.
Open Scope N_scope.

(** * Text *)

Notation chars := (list ascii).

Definition str (s : string) : chars := list_ascii_of_string s.
Definition out (text : chars) : string := string_of_list_ascii text.

Definition alphabet : chars := Eval compute in str "abcdefghijklmnopqrstuvwxyz".
Definition letter (column : N) : ascii := nth (N.to_nat column) alphabet "?"%char.

Definition digit (n : N) : ascii :=
  nth (N.to_nat n) ["0"; "1"; "2"; "3"; "4"; "5"; "6"; "7"; "8"; "9"]%char "?"%char.

(** A number in decimal digits; numbers of up to 19 digits are written whole. *)
Fixpoint digits (fuel : nat) (n : N) (rest : chars) : chars :=
  match fuel with
  | O => rest
  | S fuel => if n <? 10 then digit n :: rest else digits fuel (n / 10) (digit (n mod 10) :: rest)
  end.
Definition number (n : N) : chars := digits 19 n [].
Definition integer (z : Z) : chars :=
  match z with Z0 => number 0 | Zpos p => number (Npos p) | Zneg p => "-"%char :: number (Npos p) end.

(** The value of a digit, as a position among the digits. *)
Definition read_digit (c : ascii) : option N :=
  match c with
  | "0" => Some 0 | "1" => Some 1 | "2" => Some 2 | "3" => Some 3 | "4" => Some 4
  | "5" => Some 5 | "6" => Some 6 | "7" => Some 7 | "8" => Some 8 | "9" => Some 9
  | _ => None
  end%char.
Definition read_number (text : chars) : option N :=
  match text with
  | [] => None
  | _ =>
    if (18 <? N.of_nat (List.length text)) then None else
    fold_left (fun so_far c =>
      match so_far, read_digit c with Some n, Some d => Some (10 * n + d) | _, _ => None end) text (Some 0)
  end.

(** Parts of a text between marks. *)
Fixpoint split (mark : ascii) (text : chars) : list chars :=
  match text with
  | [] => [[]]
  | c :: rest =>
    let parts := split mark rest in
    if Ascii.eqb c mark then [] :: parts
    else match parts with [] => [[c]] | part :: others => (c :: part) :: others end
  end.
Fixpoint join (mark : ascii) (parts : list chars) : chars :=
  match parts with
  | [] => []
  | [part] => part
  | part :: others => part ++ mark :: join mark others
  end.

Definition write_turn (x : player) : ascii := match x with One => "1" | Two => "2" end%char.
Definition read_turn (text : chars) : option player :=
  match text with ["1"%char] => Some One | ["2"%char] => Some Two | _ => None end.

(** All parts of a list that can be read, or nothing. *)
Fixpoint all_some {A B : Type} (f : A -> option B) (list : list A) : option (List.list B) :=
  match list with
  | [] => Some []
  | a :: rest => match f a, all_some f rest with Some b, Some others => Some (b :: others) | _, _ => None end
  end.

(** * Sets of cells *)

(** The numbers from [first] on, [count] of them. *)
Fixpoint from (first : N) (count : nat) : list N :=
  match count with O => [] | S count => first :: from (first + 1) count end.
Definition upto (count : N) : list N := from 0 (N.to_nat count).

Definition bit (cell : N) : N := N.shiftl 1 cell.
Definition has (set cell : N) : bool := negb (N.land set (bit cell) =? 0).
Definition with_ (set cell : N) : N := N.lor set (bit cell).
Definition meets (a b : N) : bool := negb (N.land a b =? 0).
(** Tests that the first set is a subset of the second. *)
Fixpoint part_of (a b : positive) : bool :=
  match a, b with
  | xH, xH | xH, xI _ => true
  | xI a, xI b | xO a, xI b | xO a, xO b => part_of a b
  | _, _ => false
  end.
Definition within (a b : N) : bool :=
  match a, b with N0, _ => true | Npos a, Npos b => part_of a b | Npos _, N0 => false end.
Lemma within_land : forall a b, within a b = (N.land a b =? a).
Proof.
  assert (pos : forall a b, part_of a b = (Pos.land a b =? Npos a)).
  { induction a as [a IH|a IH|]; intros [b|b|]; cbn; trivial; rewrite ?IH; now destruct (Pos.land a b). }
  intros [|a] [|b]; cbn; trivial.
Qed.
Definition set_of (cells : list N) : N := fold_left with_ cells 0.
Definition full (cells : N) : N := N.pred (bit cells).
(** How many cells are in a set. *)
Fixpoint ones (a : positive) : N :=
  match a with xH => 1 | xO a => ones a | xI a => N.succ (ones a) end.
Definition size (set : N) : N := match set with N0 => 0 | Npos a => ones a end.
(** How many of the first [cells] cells are in a set. *)
Definition count (cells : list N) (set : N) : N :=
  fold_left (fun n cell => if has set cell then n + 1 else n) cells 0.

(** * Boards *)

Record grid := { columns : N; rows : N }.
Definition cells (g : grid) : N := columns g * rows g.
Definition cell_at (g : grid) (column row : N) : N := row * columns g + column.
Definition column_of (g : grid) (cell : N) : N := cell mod columns g.
Definition row_of (g : grid) (cell : N) : N := cell / columns g.
Definition square (g : grid) (cell : N) : chars :=
  letter (column_of g cell) :: number (rows g - row_of g cell).

(** The [length] cells in a straight line from a cell on, each [step] (columns right, rows down) from the one before;
    [None] if the line leaves the board. *)
Definition way (g : grid) (length : N) (step : Z * Z) (cell : N) : option (list N) :=
  let place i := (Z.of_N (column_of g cell) + Z.of_N i * fst step, Z.of_N (row_of g cell) + Z.of_N i * snd step)%Z in
  let there (place : Z * Z) :=
    let (x, y) := place in
    if ((0 <=? x) && (x <? Z.of_N (columns g)) && (0 <=? y) && (y <? Z.of_N (rows g)))%Z
    then Some (cell_at g (Z.to_N x) (Z.to_N y)) else None in
  all_some (fun i => there (place i)) (upto length).

(** Every line of [length] cells, horizontal, vertical and diagonal, as a set. *)
Definition lines (g : grid) (length : N) : list N :=
  flat_map (fun cell =>
    flat_map (fun step => match way g length step cell with Some line => [set_of line] | None => [] end)
      [(1, 0); (0, 1); (1, 1); (-1, 1)]%Z) (upto (cells g)).
Definition has_line (lines : list N) (set : N) : bool := existsb (fun line => within line set) lines.

(** Rows from the top joined by [/], a letter a cell. The cells that the row has room for are counted down. *)
Fixpoint rows_text (width : nat) (room : nat) (letters : chars) : chars :=
  match letters with
  | [] => []
  | c :: rest =>
    match room with
    | O => "/"%char :: c :: rows_text width (pred width) rest
    | S room => c :: rows_text width room rest
    end
  end.
Definition board_text (g : grid) (letter_of : N -> ascii) : chars :=
  let width := N.to_nat (columns g) in
  rows_text width width (map letter_of (upto (cells g))).
(** The set of cells with this letter in the text of a board. What else stands there is not looked at: what is read is
    always written again and compared. *)
Fixpoint read_cells (wanted : ascii) (text : chars) (cell set : N) : N :=
  match text with
  | [] => set
  | c :: rest =>
    if Ascii.eqb c "/" then read_cells wanted rest cell set
    else read_cells wanted rest (cell + 1) (if Ascii.eqb c wanted then with_ set cell else set)
  end.
Definition read_set (wanted : ascii) (text : chars) : N := read_cells wanted text 0 0.

(** Stones of the two players, and whose turn it is: [X.O/.../... 1]. *)
Record stones := { xs : N; os : N; mover : player }.
Definition stones_eqb (p q : stones) : bool :=
  (xs p =? xs q) && (os p =? os q) && player_eqb (mover p) (mover q).
Lemma stones_eqb_spec : forall p q, reflect (p = q) (stones_eqb p q).
Proof.
  intros [x o t] [x' o' t']; unfold stones_eqb; cbn.
  destruct (N.eqb_spec x x'), (N.eqb_spec o o'), (player_eqb_spec t t'); constructor; congruence.
Qed.

(** The letters of [cells] cells, from the lowest bits of both sets on. *)
Fixpoint letters (cells : nat) (xs os : N) : chars :=
  match cells with
  | O => []
  | S cells =>
    (if N.odd xs then "X" else if N.odd os then "O" else ".")%char :: letters cells (N.div2 xs) (N.div2 os)
  end.
Definition write_stones (g : grid) (p : stones) : string :=
  let width := N.to_nat (columns g) in
  out (rows_text width width (letters (N.to_nat (cells g)) (xs p) (os p)) ++ [" "; write_turn (mover p)]%char).
Definition read_stones (good : stones -> bool) (text : string) : option stones :=
  match split " " (str text) with
  | [board; t] =>
    match read_turn t with
    | Some mover =>
      let p := {| xs := read_set "X" board; os := read_set "O" board; mover := mover |} in
      if good p then Some p else None
    | None => None
    end
  | _ => None
  end.
(** Tests that the players have placed their stones in turn, the first player first. *)
Definition in_turn (p : stones) : bool :=
  size (xs p) =? size (os p) + match mover p with One => 0 | Two => 1 end.
