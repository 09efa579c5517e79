autocmd BufNewFile,BufRead *.rbg setfiletype rbg
