(** The L-Game: the mover lifts his L and puts it down on other cells; then he may move one neutral piece to a free
    cell, those the L has left included. Who cannot move his L loses. *)

From Coq Require Import Bool List NArith ZArith Ascii String.
From Grundy Require Import Game Text.
From GrundyGames Require Import Grid.
Import ListNotations.
Open Scope N_scope.

Definition board : grid := {| columns := 4; rows := 4 |}.
Definition all : list N := Eval compute in upto (cells board).

Record lpos := { la : N; lb : N; neutrals : N; mover : player }.

(** An L is three cells in a row, and one beside the first of them. *)
Definition l_at (corner : N) (long short : Z * Z) : list N :=
  match way board 3 long corner, way board 2 short corner with
  | Some arm, Some foot => [set_of (arm ++ foot)]
  | _, _ => []
  end.
Definition placements : list N := Eval compute in
  flat_map (fun corner =>
    flat_map (fun '(long, short) => l_at corner long short)
      [((1, 0), (0, 1)); ((1, 0), (0, -1)); ((-1, 0), (0, 1)); ((-1, 0), (0, -1));
       ((0, 1), (1, 0)); ((0, 1), (-1, 0)); ((0, -1), (1, 0)); ((0, -1), (-1, 0))]%Z) all.

Definition own (p : lpos) (x : player) : N := match x with One => la p | Two => lb p end.
Definition after (p : lpos) (l neutrals : N) : lpos :=
  match mover p with
  | One => {| la := l; lb := lb p; neutrals := neutrals; mover := Two |}
  | Two => {| la := la p; lb := l; neutrals := neutrals; mover := One |}
  end.

(** A move is where the L goes, and perhaps from where to where a neutral piece goes. *)
Definition look (p : lpos) : view lpos (N * option (N * N)) :=
  let taken := N.lor (own p (other (mover p))) (neutrals p) in
  moves_or Lost
    (flat_map (fun l =>
      Step (l, None) 0%Z (after p l (neutrals p)) ::
      flat_map (fun away =>
        map (fun to =>
          Step (l, Some (away, to)) 0%Z (after p l (N.lxor (neutrals p) (N.lor (bit away) (bit to)))))
          (filter (fun to => negb (has (N.lor taken l) to)) all))
        (filter (has (neutrals p)) all))
      (filter (fun l => negb (meets l taken) && negb (l =? own p (mover p))) placements)).

Definition lpos_eqb (p q : lpos) : bool :=
  (la p =? la q) && (lb p =? lb q) && (neutrals p =? neutrals q) && player_eqb (mover p) (mover q).
Lemma lpos_eqb_spec : forall p q, reflect (p = q) (lpos_eqb p q).
Proof.
  intros [a b n t] [a' b' n' t']; unfold lpos_eqb; cbn.
  destruct (N.eqb_spec a a'), (N.eqb_spec b b'), (N.eqb_spec n n'), (player_eqb_spec t t'); constructor; congruence.
Qed.

(** [oAA./.BA./.BA./.BBo 1] *)
Definition first : lpos :=
  {| la := set_of [1; 2; 6; 10]; lb := set_of [5; 9; 13; 14]; neutrals := set_of [0; 15]; mover := One |}.
Definition lgame : game :=
  {| pos := lpos; label := N * option (N * N); pos_eqb := lpos_eqb; pos_eqb_spec := lpos_eqb_spec; unit := Outcome;
     start := first; turn := mover; Game.look := look |}.

(** The cells in the order of their names: by letter, then by number. *)
Definition by_name : list N := Eval compute in
  flat_map (fun column => rev (map (cell_at board column) (upto 4))) (upto 4).

Definition write_l (p : lpos) : string :=
  out (board_text board (fun cell =>
         if has (la p) cell then "A" else if has (lb p) cell then "B"
         else if has (neutrals p) cell then "o" else ".")%char
       ++ [" "; write_turn (mover p)]%char).
Definition read_l (text : string) : option lpos :=
  match split " " (str text) with
  | [rows; t] =>
    let p mover :=
      {| la := read_set "A" rows; lb := read_set "B" rows; neutrals := read_set "o" rows; mover := mover |} in
    match read_turn t with
    | Some mover =>
      let p := p mover in
      if existsb (N.eqb (la p)) placements && existsb (N.eqb (lb p)) placements
         && (count all (neutrals p) =? 2) then Some p else None
    | None => None
    end
  | _ => None
  end.
Definition write_move (m : N * option (N * N)) : string :=
  out (flat_map (square board) (filter (has (fst m)) by_name)
       ++ match snd m with None => [] | Some (away, to) => ":"%char :: square board away ++ square board to end).

Definition named_lgame : named :=
  {| rules := lgame;
     words := {| parts := None; write := write_l : pos lgame -> string; read := read_l;
                 word := fun _ m => write_move m; write_inj := None |} |}.

(** 48 ways to lay an L; 18,368 positions for one mover; 65 first moves. *)
Example lgame_counts :
  let free a b := filter (fun cell => negb (has (N.lor a b) cell)) all in
  let pairs := list_prod placements placements in
  let apart := filter (fun '(a, b) => negb (meets a b)) pairs in
  let neutral_pairs n := n * (n - 1) / 2 in
  let positions := fold_left (fun sum '(a, b) => sum + neutral_pairs (N.of_nat (List.length (free a b)))) apart 0 in
  (N.of_nat (List.length placements), positions, perft lgame 1 (start lgame)) = (48, 18368, 65).
Proof. vm_compute. reflexivity. Qed.
