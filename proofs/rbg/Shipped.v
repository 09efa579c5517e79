(** Counts of the shipped rules files, as the engine counts them, by these definitions; and their texts read back. *)

From Coq Require Import Bool List NArith ZArith String.
From GrundyGames Require Import Counts.
From GrundyRbg Require Import Rbg Words Library.
From Grundy Require Import Game Text.
Import ListNotations.
Open Scope N_scope.

Definition counts (p : program) (depths : list nat) : list N :=
  let g := rbg (load p) in map (fun d => perft g d (start g)) depths.

Example perfts :
  [counts tictactoe [2; 3]; counts hexapawn [4; 5; 6; 7]; counts three_mens_morris [2]; counts pong_hau_ki [8; 9; 10];
   counts mu_torere [6; 7]; counts col [2; 3]; counts snort [3; 4]; counts dodgem [5; 6]; counts konane [5; 6];
   counts notakto [3]; counts shisima [2; 3]; counts domineering [2]; counts nim [1; 2]; counts reversi [1; 2];
   counts fox_and_hounds [1; 2]]%nat
  = [[72; 504]; [56; 70; 64; 20]; [72]; [12; 14; 26]; [12; 28]; [72; 336]; [212; 464]; [279; 757]; [92; 296];
     [504]; [14; 60]; [108]; [15; 176]; [4; 12]; [4; 28]].
Proof. vm_compute. reflexivity. Qed.

Example texts : forallb (fun '(p, depth) =>
    let n := named_rbg p in well_written n depth (start (rules n)))
  [(tictactoe, 2); (hexapawn, 3); (pong_hau_ki, 4); (konane, 3); (dodgem, 3); (reversi, 2)]%nat = true.
Proof. vm_compute. reflexivity. Qed.
