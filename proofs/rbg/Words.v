(** How positions and moves of rules files are written, as the certificates have them.

    A position is the rows of the board; the scores and variables, unless they are the usual ones at this place in the
    rules; [@] with the place and, where it makes a difference, the cell, unless it is the usual place of the player; and
    the turn. What is usual is learned from the positions that come first. *)

From Coq Require Import Bool List NArith ZArith Ascii String FMapPositive.
From GrundyGames Require Import Grid Nim.
From Grundy Require Import Game Text.
From GrundyRbg Require Import Rbg.
Import ListNotations.
Open Scope N_scope.

Notation chars := (list ascii).
Definition word_eqb (a b : chars) : bool := if list_eq_dec ascii_dec a b then true else false.

Section Words.
Variable l : loaded.
Let p := of l.
Let g := made l.

(** * What is usual *)

(** About the first 200 positions, breadth first, at most 64 moves of each. *)
Fixpoint early (fuel : nat) (todo found seen : list Rbg.position) (count : N) : list Rbg.position :=
  match fuel, todo with
  | S fuel, now :: todo =>
    if 200 <=? count then rev found else
    let take := fix take (n : nat) (steps : list (step Rbg.position label)) (todo found seen : list Rbg.position)
        (count : N) := match n, steps with
      | S n, s :: steps =>
        if 200 <=? count then (todo, found, seen, count)
        else if existsb (position_eqb (next s)) seen then take n steps todo found seen count
        else take n steps (todo ++ [next s]) (next s :: found) (next s :: seen) (count + 1)
      | _, _ => (todo, found, seen, count)
      end in
    let '(todo, found, seen, count) := take 64%nat (Game.moves (rbg l) now) todo found seen count in
    early fuel todo found seen count
  | _, _ => rev found
  end.
Definition early_positions : list Rbg.position :=
  let first := first_position l in early 300 [first] [first] [] 1.

(** The variables of each place, and the place of each player, that come most often; of those that come as often the
    least; but the start is usual. *)
Fixpoint less (a b : list N) : bool :=
  match a, b with
  | x :: a, y :: b => (x <? y) || ((x =? y) && less a b)
  | [], _ :: _ => true
  | _, [] => false
  end.
Fixpoint counted (one : list N) (known : list (list N * N)) : list (list N * N) :=
  match known with
  | [] => [(one, 1)]
  | (other, n) :: rest => if list_eqb one other then (other, n + 1) :: rest else (other, n) :: counted one rest
  end.
Definition most_often (all : list (list N)) : option (list N) :=
  option_map fst (fold_left (fun (best : option (list N * N)) now => match best with
    | Some (other, n) =>
      if (n <? snd now) || ((n =? snd now) && less (fst now) other) then Some now else best
    | None => Some now
    end) (fold_left (fun known one => counted one known) all []) None).
Definition first_or_most (start : list (list N)) (all : list (list N)) : option (list N) :=
  match start with first :: _ => Some first | [] => most_often all end.

Definition usual_variables (early : list Rbg.position) (entry : N) : option (list N) :=
  let of position := match position with
    | At s (Some n) _ _ => if n =? entry then [vars s] else [] | _ => [] end in
  first_or_most (match early with [] => [] | start :: _ => of start end) (flat_map of early).
Definition usual_entry (early : list Rbg.position) (x : player) : option N :=
  let of position := match position with
    | At _ (Some n) _ y => if player_eqb x y then [[n]] else [] | _ => [] end in
  match first_or_most (match early with [] => [] | start :: _ => of start end) (flat_map of early) with
  | Some [n] => Some n
  | _ => None
  end.

(** All that is usual: the variables of each place, the places of both players. *)
Record usual := { variables_of : list (option (list N)); entry_of : player -> option N }.
Definition learned : usual :=
  let early := early_positions in
  let one := usual_entry early One in
  let two := usual_entry early Two in
  {| variables_of := map (usual_variables early) (upto (N.of_nat (List.length (entries l))));
     entry_of := fun x => match x with One => one | Two => two end |}.

(** * Positions *)

Definition letter_of (piece : N) : ascii := nth (N.to_nat piece) (letters p) "?"%char.
Definition square_of (cell : N) : chars := nth (N.to_nat cell) (squares p) [].
Definition board_text (cells : list N) : chars :=
  join "/" (map (map (fun cell => match cell with
    | Some cell => letter_of (nth (N.to_nat cell) cells 0)
    | None => "#"%char
    end)) (layout p)).
Definition is_free (entry : N) : bool := nth (N.to_nat entry) (free l) false.

Definition write_position (u : usual) (position : Rbg.position) : string :=
  match position with
  | Broken => "?"%string
  | At s entry cell x =>
    let usual_here := match entry with Some n => nth (N.to_nat n) (variables_of u) None | None => None end in
    let is_usual_place n := match entry_of u x with Some m => n =? m | None => false end in
    out (board_text (board s)
      ++ (if match usual_here with Some usual => list_eqb usual (vars s) | None => false end then []
          else " "%char :: join "," (map number (vars s)))
      ++ match entry with
         | None => str " @end"
         | Some n =>
           if is_free n && is_usual_place n then []
           else str " @" ++ number n ++ if is_free n then [] else square_of cell
         end
      ++ [" "; write_turn x]%char)
  end.

(** Where in a list something stands, counted from 0. *)
Definition piece_of (letter : ascii) : option N := index (Ascii.eqb letter) (letters p) 0.
Definition read_board (text : chars) : option (list N) :=
  all_some piece_of
    (filter (fun c => negb (Ascii.eqb c "/" || Ascii.eqb c "#"))%bool text).
Fixpoint digits_first (text : chars) (before : chars) : chars * chars :=
  match text with
  | c :: rest => match read_digit c with Some _ => digits_first rest (before ++ [c]) | None => (before, text) end
  | [] => (before, [])
  end.
(** The fields between the board and the turn. *)
Fixpoint read_fields (fields : list chars) (found : option (list N) * option (option N * N))
  : option (option (list N) * option (option N * N)) :=
  match fields with
  | [] => Some found
  | ("@"%char :: place) :: rest =>
    if word_eqb place (str "end") then read_fields rest (fst found, Some (None, 0))
    else
      let (digits, square) := digits_first place [] in
      match read_number digits, (if word_eqb square [] then Some 0 else index (word_eqb square) (squares p) 0) with
      | Some n, Some cell => read_fields rest (fst found, Some (Some n, cell))
      | _, _ => None
      end
  | values :: rest =>
    match all_some read_number (split "," values) with
    | Some values => read_fields rest (Some values, snd found)
    | None => None
    end
  end.
Fixpoint within_bounds (values bounds : list N) : bool :=
  match values, bounds with
  | [], [] => true
  | value :: values, bound :: bounds => (value <=? bound) && within_bounds values bounds
  | _, _ => false
  end.
Definition read_position (u : usual) (text : string) : option Rbg.position :=
  match split " " (str text) with
  | board :: rest =>
    match rev rest with
    | t :: fields =>
      match read_turn t, read_board board, read_fields (rev fields) (None, None) with
      | Some x, Some cells, Some (values, place) =>
        let '(entry, cell) := match place with
          | Some (entry, cell) => (entry, cell)
          | None => (entry_of u x, 0)
          end in
        let values := match values, entry with
          | Some values, _ => Some values
          | None, Some n => nth (N.to_nat n) (variables_of u) None
          | None, None => None
          end in
        let fits := match entry with
          | Some n => match nth_error (entries l) (N.to_nat n) with
            | Some (_, y) => player_eqb x y
            | None => false
            end
          | None => match place with Some _ => true | None => false end
          end in
        match values with
        | Some values =>
          if fits && within_bounds values (bounds p)
             && Nat.eqb (List.length cells) (List.length (first_board p))
          then Some (At {| board := cells; vars := values |} entry cell x) else None
        | None => None
        end
      | _, _, _ => None
      end
    | [] => None
    end
  | [] => None
  end.

(** * Moves *)

(** Places to which a walk may lead without a modifier between. *)
Fixpoint walked_to (fuel : nat) (open : list positive) (seen : PositiveMap.t Datatypes.unit)
  : PositiveMap.t Datatypes.unit :=
  match fuel, open with
  | S fuel, at_ :: open =>
    if PositiveMap.mem at_ seen then walked_to fuel open seen
    else
      let next := match does (at_place g at_) with
        | Fork one two => [one; two]
        | Put _ | Give _ _ | Turn _ | End => []
        | Go _ | Is _ | Holds _ _ _ | Look _ _ _ => [after (at_place g at_)]
        end in
      walked_to fuel (next ++ open) (PositiveMap.add at_ tt seen)
  | _, _ => seen
  end.
Definition walked : PositiveMap.t Datatypes.unit :=
  let walks := flat_map (fun '(at_, place) => match does place with Go _ => [after place] | _ => [] end)
    (PositiveMap.elements (places g)) in
  walked_to (4 * Pos.to_nat (fresh g)) walks (PositiveMap.empty _).

(** The squares that a move changes and the one where it ends, if it has walked there; the path's last modifier comes
    first. *)
Definition squares_of (walked : PositiveMap.t Datatypes.unit) (path : list (positive * N)) : list N :=
  fold_left (fun (known : list N) '(m, cell) =>
    let told := match does (at_place g m) with
      | Put _ => true
      | Turn _ => PositiveMap.mem m walked
      | _ => false
      end in
    if told && negb (match known with last :: _ => last =? cell | [] => false end) then cell :: known else known)
    (rev path) [].
Definition plain_word (walked : PositiveMap.t Datatypes.unit) (path : list (positive * N)) : chars :=
  let backwards := squares_of walked path in
  let told := match names_by p, backwards with
    | All, _ => rev backwards
    | To, last :: _ => [last]
    | FromTo, last :: (_ :: _) as all => [List.last all last; last]
    | _, _ => backwards
    end in
  match told with [] => str "pass" | _ => join "-" (map square_of told) end.
(** Letters of pieces that a move puts, and numbers that it gives to variables. *)
Definition details (path : list (positive * N)) : chars :=
  flat_map (fun m => match does (at_place g (fst m)) with
    | Put piece => if Ascii.eqb (letter_of piece) "." then [] else [letter_of piece]
    | Give _ (Num n) => integer n
    | _ => []
    end) (rev path).

Definition how_often (word : chars) (words : list chars) : nat := List.length (filter (word_eqb word) words).
(** The word of the [n]th of these moves: its squares; where another move has the same, with its details; and where that
    is not enough, with its number among them. *)
Definition word_of (walked : PositiveMap.t Datatypes.unit) (paths : list (list (positive * N))) (n : N) : chars :=
  let plain := map (plain_word walked) paths in
  let detailed := map (fun '(word, path) =>
    if Nat.ltb 1 (how_often word plain) then word ++ details path else word) (combine plain paths) in
  let n := N.to_nat n in
  let word := nth n detailed [] in
  if Nat.ltb 1 (how_often word detailed)
  then word ++ "."%char :: number (N.of_nat (how_often word (firstn (S n) detailed))) else word.

Definition rbg_text : text (rbg l) :=
  let u := learned in
  let walked := walked in
  {| parts := None;
     write := write_position u : pos (rbg l) -> string;
     read := read_position u : string -> option (pos (rbg l));
     word := fun _ (m : Game.label (rbg l)) => out (word_of walked (snd m) (fst m));
     write_inj := None |}.
End Words.

Definition named_rbg (p : program) : named :=
  let l := load p in {| rules := rbg l; words := rbg_text l |}.
(** The game of a rules file by its name. *)
Fixpoint find_file (library : list (string * program)) (name : string) : option named :=
  match library with
  | [] => None
  | (other, p) :: rest => if String.eqb name other then Some (named_rbg p) else find_file rest name
  end.
