(** The games by their names, as the engine's catalog spells them: [connect4:5x5], [dots:2x3], [nim:5,5,5]. Boards have
    at most 62 cells (of Dots-and-Boxes, lines). *)

From Coq Require Import Bool List NArith ZArith Ascii String.
From Grundy Require Import Game Text.
From GrundyGames Require Import Grid Mnk Nim Connect4 LGame Dots Euler Police Hexapawn Awari.
Import ListNotations.
Open Scope N_scope.

Definition is (text : chars) (word : string) : bool := if list_eq_dec ascii_dec text (str word) then true else false.

(** [7x6], of at least 1 and at most 26 columns and rows. *)
Definition size (text : chars) : option (N * N) :=
  match map read_number (split "x" text) with
  | [Some a; Some b] => if (0 <? a) && (0 <? b) && (a <=? 26) && (b <=? 26) then Some (a, b) else None
  | _ => None
  end.
(** [key=value] *)
Definition setting (key : string) (section : chars) : option chars :=
  match split "=" section with [k; value] => if is k key then Some value else None | _ => None end.
Definition flag (word : string) (sections : list chars) : bool := existsb (fun s => is s word) sections.
Fixpoint value_of (key : string) (sections : list chars) : option chars :=
  match sections with
  | [] => None
  | s :: rest => match setting key s with Some value => Some value | None => value_of key rest end
  end.
(** Tests that no two sections are the same word or have the same key. *)
Fixpoint distinct (sections : list chars) : bool :=
  match sections with
  | [] => true
  | s :: rest =>
    let same := fun t => match split "=" s, split "=" t with
                         | k :: _, l :: _ => if list_eq_dec ascii_dec k l then true else false
                         | _, _ => false
                         end in
    negb (existsb same rest) && distinct rest
  end.
(** Tests that every section is one of these words or has one of these keys, each at most once. *)
Definition known (words keys : list string) (sections : list chars) : bool :=
  distinct sections && forallb (fun s => existsb (is s) words
    || existsb (fun key => match setting key s with Some _ => true | None => false end) keys) sections.
Definition guard {A : Type} (condition : bool) (a : A) : option A := if condition then Some a else None.

(** Sections that may begin with a size or the like, and the rest. *)
Definition with_first {A : Type} (read : chars -> option A) (default : A) (sections : list chars) : A * list chars :=
  match sections with
  | s :: rest => match read s with Some a => (a, rest) | None => (default, sections) end
  | [] => (default, [])
  end.

Definition read_mnk (sections : list chars) : option named :=
  let '(sizes, rest) := with_first read_heaps [4; 4; 4] sections in
  match sizes with
  | [m; n; k] =>
    guard (known ["misere"%string] [] rest && (0 <? m) && (m <=? 19) && (0 <? n) && (n <=? 19) && (m * n <=? 62)
           && (0 <? k) && (k <=? N.max m n)) (named_mnk m n k (flag "misere" rest))
  | _ => None
  end.
Definition read_nim (sections : list chars) : option named :=
  let '(heaps, rest) := with_first read_heaps [3; 5; 7] sections in
  let most := option_map read_number (value_of "max" rest) in
  let good := match most with Some None | Some (Some 0) => false | _ => true end in
  guard (known ["misere"%string] ["max"%string] rest && good)
    (named_nim heaps (match most with Some most => most | None => None end) (flag "misere" rest)).
Definition read_connect4 (sections : list chars) : option named :=
  let '((c, r), rest) := with_first size (7, 6) sections in
  guard (known [] [] rest && (c * r <=? 62)) (named_connect4 c r).
Definition read_dots_name (sections : list chars) : option named :=
  let '((r, c), rest) := with_first size (3, 3) sections in
  let start := match value_of "start" rest with
    | None => Some Empty
    | Some s => if is s "empty" then Some Empty else if is s "icelandic" then Some Icelandic
                else if is s "swedish" then Some Swedish else None
    end in
  let penalty := match value_of "penalty" rest with
    | None => Some 0%Z
    | Some ("-"%char :: digits) => option_map (fun n => (- Z.of_N n)%Z) (read_number digits)
    | Some digits => option_map Z.of_N (read_number digits)
    end in
  match start, penalty with
  | Some start, Some penalty =>
    guard (known [] ["start"%string; "penalty"%string] rest && (r <=? 10) && (c <=? 10)
           && ((r + 1) * c + r * (c + 1) <=? 62) && (Z.abs penalty <=? 10000000)%Z) (named_dots r c start penalty)
  | _, _ => None
  end.
Definition read_euler (sections : list chars) : option named :=
  let '((r, c), rest) := with_first size (4, 4) sections in
  let longest := match value_of "maxlen" rest with None => Some 3 | Some k => read_number k end in
  let span := match value_of "span" rest with None => true | Some s => is s "short" end in
  match longest with
  | Some k =>
    guard (known ["normal"%string] ["maxlen"%string; "span"%string] rest && span && (r * c <=? 25)
           && (0 <? k) && (k <=? 25))
      (named_euler r c (flag "normal" rest) (match value_of "span" rest with Some _ => true | None => false end) k)
  | None => None
  end.
Definition read_hexapawn (sections : list chars) : option named :=
  let '((c, r), rest) := with_first size (3, 3) sections in
  guard (known [] [] rest && (2 <=? c) && (3 <=? r) && (c * r <=? 62)) (named_hexapawn c r).
Definition read_awari (sections : list chars) : option named :=
  match sections with
  | [] => Some (named_awari_of 48)
  | [s] =>
    match read_number s, map read_heaps (split "/" s) with
    | Some stones, _ => guard ((0 <? stones) && (stones <=? 48)) (named_awari_of stones)
    | None, [Some a; Some b] =>
      guard (six a && six b && (0 <? sum a + sum b) && (sum a + sum b <=? 48)) (named_awari a b)
    | _, _ => None
    end
  | _ => None
  end.

(** The game of a name; [of_file] knows the games of rules files. *)
Definition find_game (of_file : string -> option named) (name : string) : option named :=
  match split ":" (str name) with
  | [] => None
  | game :: sections =>
    if is game "tictactoe" then guard (known ["misere"%string] [] sections) (named_mnk 3 3 3 (flag "misere" sections))
    else if is game "mnk" then read_mnk sections
    else if is game "nim" then read_nim sections
    else if is game "connect4" then read_connect4 sections
    else if is game "lgame" then guard (known [] [] sections) named_lgame
    else if is game "dots" then read_dots_name sections
    else if is game "euler" then read_euler sections
    else if is game "police" then
      match sections with
      | [] => named_police "C..../.*.*./....T/E...."
      | [map] => named_police (out map)
      | _ => None
      end
    else if is game "hexapawn" then read_hexapawn sections
    else if is game "awari" then read_awari sections
    else if is game "rules" then
      match sections with
      | [] => of_file "tictactoe"%string
      | [file] => of_file (out file)
      | _ => None
      end
    else None
  end.

Example names : forallb (fun name => match find_game (fun _ => None) name with Some _ => true | None => false end)
  ["tictactoe"; "mnk:4,3,3"; "nim:5,5,5"; "nim:3,5,7:max=3:misere"; "connect4"; "connect4:6x5"; "lgame"; "dots:2x3";
   "dots:2x2:start=icelandic:penalty=2"; "dots:1x1:penalty=-3"; "euler:4x4"; "euler:3x3:span=short:normal"; "police";
   "police:C.../.*.E/..T."; "hexapawn:4x4"; "awari:6"; "awari:4,0,1,2,0,12/1,2,0,0,0,2"]%string = true.
Proof. vm_compute. reflexivity. Qed.
Example no_names : existsb (fun name => match find_game (fun _ => None) name with Some _ => true | None => false end)
  [""; "chess"; "tictactoe:3"; "mnk:4,3"; "mnk:9,9,5"; "nim:"; "nim:3,x"; "nim:3:max=0"; "connect4:0x4"; "connect4:9x9";
   "lgame:repeat=3"; "dots:2x3:start=x"; "euler:6x6"; "euler:4x4:maxlen=0"; "police:CC.T"; "police:C../T.";
   "hexapawn:1x3"; "awari:49"; "awari:0"; "dots:1x1:penalty=1:penalty=2"; "dots:2x2:start=icelandic:start=swedish";
   "nim:1,2:max=9:max=1"; "nim:1,2:misere:misere"; "euler:3x3:maxlen=2:maxlen=3"]%string = false.
Proof. vm_compute. reflexivity. Qed.
