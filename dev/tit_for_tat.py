"""A strategy for `referee repeated`: tit for tat.

    referee repeated --strategy 'cmd:python3 dev/tit_for_tat.py' --strategy pavlov --strategy random:1/3
"""

import sys

last = "C"
for line in sys.stdin:
    word, *rest = line.split()
    if word == "new":
        last = "C"
    elif word == "play":
        print(last, flush=True)
    elif word == "saw":
        last = rest[0]
    elif word == "quit":
        break
