(* grundy-verified FILE: checks a certificate by the checker that is proved in Coq. What is read here, and printed, is
   trusted; nothing else is done here. *)

let rec lines file so_far =
  match input_line file with
  | line -> lines file (line :: so_far)
  | exception End_of_file -> close_in file; List.rev so_far

(* A refusal shows what the file says: short, and nothing that a terminal would obey. *)
let refuse why =
  let cut = if String.length why > 400 then String.sub why 0 400 ^ ".." else why in
  prerr_endline (String.map (fun c -> if c < ' ' || c > '~' then '?' else c) cut);
  exit 1

let () =
  match Sys.argv with
  | [| _; path |] -> (
      match lines (open_in_bin path) [] with
      | exception Sys_error why -> prerr_endline why; exit 2
      | exception Out_of_memory -> refuse "refused: too large"
      | file -> (
          match Extracted.answer_to file with
          | Extracted.Yes words -> print_endline words
          | Extracted.No why -> refuse why
          | exception (Stack_overflow | Out_of_memory) -> refuse "refused: too large"))
  | _ -> prerr_endline "usage: grundy-verified FILE"; exit 2
