" Fails where a character of a rules file is in no syntax group. Usage: vim -es -u NONE -c 'source check.vim' FILE..
set nocompatible
let s:here = expand("<sfile>:p:h")
execute "set runtimepath^=" . s:here . "/vim"
filetype on
syntax on
let s:faults = 0
for s:file in argv()
  execute "edit " . fnameescape(s:file)
  if &filetype !=# "rbg"
    let s:faults += 1
    verbose echo s:file . ": the file type is not recognised"
  endif
  for s:line in range(1, line("$"))
    let s:text = getline(s:line)
    for s:column in range(1, len(s:text))
      if s:text[s:column - 1] =~# '[A-Za-z0-9*+^=~<>-]' && synID(s:line, s:column, 1) == 0
        let s:faults += 1
        verbose echo s:file . ":" . s:line . ":" . s:column . ": in no syntax group"
      endif
    endfor
  endfor
endfor
verbose echo "Vim: " . argc() . " files, " . s:faults . " faults\n"
if s:faults
  cquit
endif
qall!
