(** Counts that are known from elsewhere, reproduced by the rules: half a minute together. *)

From Coq Require Import Bool List NArith ZArith String.
From GrundyGames Require Import Grid Mnk Nim Connect4 LGame Dots Euler Police Hexapawn Awari Catalog.
From Grundy Require Import Game Text.
Import ListNotations.
Open Scope N_scope.

(** Lines of play of at most [depth] plies that end: by a win, or otherwise. *)
Fixpoint ended (g : game) (depth : nat) (p : pos g) : N * N :=
  match look g p, depth with
  | Over Drawn, _ => (0, 1)
  | Over _, _ => (1, 0)
  | _, O => (0, 0)
  | Moves first others, S depth =>
    fold_left (fun sums s =>
      let (won, drawn) := ended g depth (next s) in (fst sums + won, snd sums + drawn)) (first :: others) (0, 0)
  end.

Definition counts (name : string) (depths : list nat) : list N :=
  match find_game (fun _ => None) name with
  | Some n => map (fun d => perft (rules n) d (start (rules n))) depths
  | None => []
  end.

(** 255,168 games of noughts and crosses, 46,080 of them drawn. *)
Example tictactoe_games : ended tictactoe 9 (start tictactoe) = (209088, 46080).
Proof. vm_compute. reflexivity. Qed.

(** Connect Four by six plies; on the smaller board games end in the seventh. *)
Example connect4_perft : counts "connect4" [6]%nat = [117649].
Proof. vm_compute. reflexivity. Qed.
Example connect4_small_perft : counts "connect4:5x4" [7; 8]%nat = [76300; 363308].
Proof. vm_compute. reflexivity. Qed.

(** The others against the engine's counts. *)
Example perfts : map (fun '(name, depths) => counts name depths)
  [("lgame", [2]); ("nim:5,5,5", [4]); ("nim:3,5,7:max=3:misere", [4]); ("mnk:4,3,3", [5]);
   ("tictactoe:misere", [6; 7]); ("dots:2x3", [4]); ("dots:1x3:start=swedish", [1; 2; 3]);
   ("euler:3x4:maxlen=2", [1; 2; 3]); ("euler:2x5:span=short:normal", [3; 4]); ("police", [5; 6; 7]);
   ("hexapawn:4x4", [6; 7]); ("awari:6", [6; 7; 8]); ("awari:5,4,3,2,1,0/1,0,2,0,0,14", [4; 5; 6])]%nat%string
  = [[7956]; [12015]; [3750]; [95040]; [54720; 148176]; [57120]; [2; 2; 0]; [26; 554; 9468]; [2712; 21240];
     [882; 3258; 16824]; [4548; 16684]; [23; 85; 116]; [277; 1327; 5085]].
Proof. vm_compute. reflexivity. Qed.

(** Tests that every position within a number of plies is read back as it was written, and that its moves have different
    names. *)
Fixpoint distinct (words : list string) : bool :=
  match words with [] => true | w :: rest => negb (existsb (String.eqb w) rest) && distinct rest end.
Fixpoint well_written (n : named) (depth : nat) (p : pos (rules n)) : bool :=
  let reads_back := match read (words n) (write (words n) p) with
    | Some q => pos_eqb (rules n) p q
    | None => match look (rules n) p with Over _ => true | _ => false end
    end in
  reads_back &&
  let moves := moves (rules n) p in
  distinct (map (fun s => word (words n) p (name s)) moves) &&
  match depth with O => true | S depth => forallb (fun s => well_written n depth (next s)) moves end.
Example texts : forallb (fun '(name, depth) =>
    match find_game (fun _ => None) name with
    | Some n => well_written n depth (start (rules n))
    | None => false
    end)
  [("tictactoe", 4); ("connect4:5x4", 4); ("lgame", 1); ("nim:3,4,12", 2); ("mnk:4,3,3", 2); ("dots:2x2", 3);
   ("dots:2x2:start=icelandic:penalty=2", 8); ("euler:3x3", 2); ("police", 4); ("hexapawn:4x4", 4);
   ("awari:5,4,3,2,1,0/1,0,2,0,0,14", 4)]%nat%string = true.
Proof. vm_compute. reflexivity. Qed.
