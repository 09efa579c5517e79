" Highlights rules files in the language of Regular Boardgames.
if exists("b:current_syntax")
  finish
endif

syntax case match
syntax match rbgName "\<\a\w*\>"
syntax match rbgCall "\<\a\w*\>\ze\s*("
syntax keyword rbgBoard rectangle hexagon cuboid
syntax match rbgMacro "#\s*\a\w*"
syntax match rbgSection "#\s*\(players\|pieces\|variables\|board\|rules\)\ze\s*="
syntax match rbgNumber "\<\d\+\>"
syntax match rbgOperator "[-*+^=~]\|==\|!=\|<=\|>=\|<\|>"
syntax match rbgSwitch "->>\?\s*\a\?\w*"
syntax match rbgCheck "{[?!$]\|\[\$"
syntax region rbgComment start="/\*" end="\*/"
syntax match rbgComment "//.*$"
syntax match rbgDirective "//@.*$" contains=rbgDirectiveWord
syntax match rbgDirectiveWord "//@\s*\(value\|symmetry\|letters\|move\|about\|title\|rules\|repeat\|rank\|places\|picture\)\>" contained

highlight default link rbgName Identifier
highlight default link rbgCall Function
highlight default link rbgBoard Type
highlight default link rbgMacro Macro
highlight default link rbgSection Statement
highlight default link rbgNumber Number
highlight default link rbgOperator Operator
highlight default link rbgSwitch Keyword
highlight default link rbgCheck Conditional
highlight default link rbgComment Comment
highlight default link rbgDirective SpecialComment
highlight default link rbgDirectiveWord PreProc

let b:current_syntax = "rbg"
