#!/usr/bin/env python3
"""Packs the module of the board: board/web/pack.py grundy.wasm grundy.bin

Methods that are compiled for several games leave similar machine code, too far apart for the window of gzip. So bytes that
stand 16 KB or more before are copied from there first, and gzip packs the rest. `demo.js` unpacks it in the browser.

The unpacked file: the length of the module and the number of bytes of the copies (4 bytes each, the lowest first); the
copies; the bytes that are copied from nowhere. A copy is three numbers of 7 bits a byte, the lowest first: the bytes from
nowhere before it, its length, its distance.
"""

import gzip
import sys

LEAST = 44
STEP = 8
NEAR = 16 << 10


def pack(module):
    key = LEAST - STEP + 1
    places, new, copies = {}, bytearray(), bytearray()
    at = since = indexed = 0

    def write(*numbers):
        for number in numbers:
            while number > 127:
                copies.append(number & 127 | 128)
                number >>= 7
            copies.append(number)

    while at < len(module):
        while indexed <= at:
            places[module[indexed:indexed + key]] = indexed
            indexed += STEP
        found = places.get(module[at:at + key], at)
        length, before = 0, 0
        if at - found >= NEAR:
            most = min(len(module) - at, at - found)
            while length < most and module[found + length] == module[at + length]:
                length += 1
            while before < since and before < found and length + before < at - found and module[found - before - 1] == module[at - before - 1]:
                before += 1
        if length + before < LEAST:
            new.append(module[at])
            at, since = at + 1, since + 1
            continue
        del new[len(new) - before:]
        write(since - before, length + before, at - found)
        at, since = at + length, 0
    write(since, 0, 0)
    head = len(module).to_bytes(4, "little") + len(copies).to_bytes(4, "little")
    return gzip.compress(head + copies + new, 9, mtime=0)


def main():
    with open(sys.argv[1], "rb") as module, open(sys.argv[2], "wb") as packed:
        packed.write(pack(module.read()))


if __name__ == "__main__":
    main()
