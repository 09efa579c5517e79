(* grundy-verified FILE: checks a certificate by the checker that is proved in Coq. What is read here, and printed, is
   trusted; nothing else is done here. *)

let rec lines file so_far =
  match input_line file with
  | line -> lines file (line :: so_far)
  | exception End_of_file -> close_in file; List.rev so_far

let () =
  match Sys.argv with
  | [| _; path |] -> (
      match lines (open_in_bin path) [] with
      | exception Sys_error why -> prerr_endline ("refused: " ^ why); exit 1
      | file -> (
          match Extracted.answer_to file with
          | Extracted.Yes words -> print_endline words
          | Extracted.No why -> prerr_endline why; exit 1
          | exception (Stack_overflow | Out_of_memory) -> prerr_endline "refused: too large"; exit 1))
  | _ -> prerr_endline "usage: grundy-verified FILE"; exit 2
