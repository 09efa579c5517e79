#!/usr/bin/env python3
"""Counts the code of commits: lines without tests, comments and blanks, lines of tests, traits, public items.

    dev/lines.py [COMMIT..]      totals of each commit, HEAD by default, and of one commit by crate
"""
import re
import subprocess
import sys
from collections import Counter

TESTS = {"tests", "tests.rs", "benches", "fuzz", "examples", "contract"}
UNIT_TESTS = re.compile(r"^#\[cfg\(test\)\]\nmod \w+ \{", re.M)
TRAIT = re.compile(r"^\s*(?:pub(?:\([a-z]+\))? )?trait \w", re.M)
PUBLIC = re.compile(r"^\s*pub (?:const |async )*(?:fn|struct|enum|trait|type|const|static|mod) ", re.M)


def git(*args, text=""):
    return subprocess.run(("git", *args), input=text, capture_output=True, text=True, check=True).stdout


def lines(text):
    return sum(1 for line in text.split("\n") if line.strip() and not line.lstrip().startswith("//"))


def count(commit):
    """Returns the counts of each crate: lines, lines of tests, traits, public items."""
    crates = {}
    for path in git("ls-tree", "-r", "--name-only", commit).split("\n"):
        if not path.endswith(".rs"):
            continue
        text = git("show", f"{commit}:{path}")
        parts = path.split("/")
        crate = crates.setdefault(parts[1] if parts[0] == "crates" else parts[0], Counter())
        unit = UNIT_TESTS.search(text)
        cut = 0 if TESTS & set(parts) else unit.start() if unit else len(text)
        code = text[:cut]
        crate["tests"] += lines(text[cut:])
        crate["lines"] += lines(code)
        crate["traits"] += len(TRAIT.findall(code))
        crate["public"] += len(PUBLIC.findall(code))
    return crates


def main():
    commits = sys.argv[1:] or ["HEAD"]
    print("commit or crate\tlines\ttests\ttraits\tpublic items")
    columns = ("lines", "tests", "traits", "public")
    for commit in commits:
        crates = count(commit)
        print(commit, *(sum(crate[column] for crate in crates.values()) for column in columns), sep="\t")
    if len(commits) == 1:
        for name, crate in sorted(crates.items(), key=lambda item: -item[1]["lines"]):
            print(name, *(crate[column] for column in columns), sep="\t")


if __name__ == "__main__":
    main()
