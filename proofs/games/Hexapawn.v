(** Hexapawn: pawns go one cell straight forwards to a free cell, or take slanting forwards; player one's [X] go up.
    Who reaches the last row wins, and so does who leaves the other no move. *)

From Coq Require Import Bool List NArith ZArith Ascii String.
From Grundy Require Import Game Text.
From GrundyGames Require Import Grid Stones Mnk.
Import ListNotations.
Open Scope N_scope.

Section Hexapawn.
Variable g : grid.

Definition row (y : N) : N := set_of (map (fun x => cell_at g x y) (upto (columns g))).
Definition goal (x : player) : N := match x with One => row 0 | Two => row (rows g - 1) end.

Definition moved (p : stones) (away to : N) : stones :=
  let go set := with_ (N.lxor set (bit away)) to in
  let lose set := N.ldiff set (bit to) in
  match mover p with
  | One => {| xs := go (xs p); os := lose (os p); mover := Two |}
  | Two => {| xs := lose (xs p); os := go (os p); mover := One |}
  end.

Definition look (p : stones) : view stones (N * N) :=
  let mine := own p (mover p) in
  let theirs := own p (other (mover p)) in
  let ahead := match mover p with One => -1 | Two => 1 end%Z in
  let target away step := match way g 2 step away with Some [_; to] => [to] | _ => [] end in
  if meets theirs (goal (other (mover p))) then Over Lost
  else moves_or Lost
    (flat_map (fun away =>
      map (fun to => Step (away, to) 0%Z (moved p away to))
        (filter (fun to => negb (has (N.lor mine theirs) to)) (target away (0%Z, ahead))
         ++ filter (has theirs) (target away ((-1)%Z, ahead) ++ target away (1%Z, ahead))))
      (filter (has mine) (upto (cells g)))).

Definition hexapawn : game :=
  {| pos := stones; label := N * N; pos_eqb := stones_eqb; pos_eqb_spec := stones_eqb_spec; unit := Outcome;
     start := {| xs := row (rows g - 1); os := row 0; mover := One |}; turn := mover; Game.look := look |}.

Definition hexapawn_text : text hexapawn :=
  {| parts := None; write := write_stones g : pos hexapawn -> string;
     read := read_stones (fun p => negb (meets (own p (mover p)) (goal (mover p))));
     word := fun _ m => out (square g (fst m) ++ square g (snd m)); write_inj := Some (stones_inj g) |}.
End Hexapawn.

Definition named_hexapawn (columns rows : N) : named :=
  let g := {| columns := columns; rows := rows |} in {| rules := hexapawn g; words := hexapawn_text g |}.

Example hexapawn_perft : let g := rules (named_hexapawn 3 3) in
  map (fun d => perft g d (start g)) [1; 2; 3; 4]%nat = [3; 10; 28; 56].
Proof. vm_compute. reflexivity. Qed.
Example hexapawn_4x4_perft : let g := rules (named_hexapawn 4 4) in
  map (fun d => perft g d (start g)) [1; 2; 3; 4]%nat = [4; 16; 66; 280].
Proof. vm_compute. reflexivity. Qed.
