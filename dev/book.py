#!/usr/bin/env python3
"""Preprocessor of mdBook for this project's book (book.toml): fills in what has its home elsewhere.

`{{#page FILE}}` stands for a file outside docs/, `{{#commands PROGRAM}}` for the commands and options of a program, from its
`--help`, and `{{#games}}` for each game's entry, from `grundy games NAME`. Links between pages are made to work from where
they end up; a link to a file that is not a page becomes plain text, or leads to `repository` in book.toml if that is set.
The programs are those of GRUNDY_BIN, else target/release.
"""
import html
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
BIN = pathlib.Path(os.environ.get("GRUNDY_BIN", ROOT / "target/release"))
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def run(program, *arguments):
    """Returns what a program of the project writes to stdout."""
    command = [BIN / program, *arguments]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except FileNotFoundError:
        sys.exit(f"dev/book.py: no {command[0]}: run `cargo build --release --workspace` first, or set GRUNDY_BIN")
    except subprocess.CalledProcessError as fault:
        sys.exit(f"dev/book.py: {program} {' '.join(arguments)} failed: {fault.stderr.strip()}")


def outside_fences(text, change):
    """Applies `change` to the lines outside code blocks."""
    parts = re.split(r"(^```.*?^```[^\n]*$)", text, flags=re.M | re.S)
    return "".join(part if part.startswith("```") else change(part) for part in parts)


def moved_links(text, folder):
    """Rewrites the relative links of a page of `folder` for a page of docs/."""
    def link(match):
        kind, words, target = match.groups()
        if re.match(r"[a-z]+:|#", target):
            return match.group(0)
        return f"{kind}[{words}]({os.path.relpath(folder / target, DOCS)})"
    return outside_fences(text, lambda part: LINK.sub(link, part))


def options(text):
    """Returns the sections of a clap help text: each heading with its items, (words, meaning), or its plain text."""
    sections, heading, item = [("", [])], "", None
    for line in text.splitlines():
        plain = line.strip()
        new = re.match(r"(\S.*):$", line)
        usage = re.match(r"(Usage|Exit codes|Examples): (.*)", line)
        if new or usage:
            sections.append((new.group(1) if new else usage.group(1), [usage.group(2)] if usage else []))
            item = None
            continue
        heading, items = sections[-1]
        if heading in ("Commands", "Options", "Arguments") or heading.endswith("ptions"):
            indent = len(line) - len(line.lstrip())
            if plain and indent <= 6 and re.match(r"[-<\[a-z]", plain):
                words, _, meaning = plain.partition("  ")
                item = [words, meaning.strip()]
                items.append(item)
            elif plain and item:
                gap = "<br>" if plain.startswith(("- ", "Possible values")) else " "
                item[1] = (item[1] + gap + plain).strip()
        else:
            items.append(line)
    return sections


def table_of(items):
    """Returns a table in Markdown of (words, meaning)."""
    def cell(text):
        return re.sub(r"<(?!br>)", "&lt;", text).replace("|", "\\|").replace("*", "\\*")
    rows = (f"| `{words.replace('|', chr(92) + '|')}` | {cell(meaning)} |" for words, meaning in items)
    return "| | |\n|---|---|\n" + "\n".join(rows) + "\n"


def command_page(program, *path, level=2):
    """Returns the description of a command and of those below it, from their help."""
    sections = options(run(program, *path, "--help"))
    parts = [f"{'#' * level} {' '.join((program, *path))}\n"]
    below = []
    for heading, items in sections:
        rows = [item for item in items if isinstance(item, list)]
        words = "\n".join(item for item in items if isinstance(item, str)).strip()
        if heading == "Commands":
            below = [name for name, _ in rows if name != "help"]
            rows = [row for row in rows if row[0] != "help"]
            # Deeper headings are listed where they stand; a program's commands are worth a table.
            parts.append(table_of([[f"{program} {name}", meaning] for name, meaning in rows]) if level == 2 else "")
        elif heading == "Options":
            rows = [row for row in rows if row[0] not in ("-h, --help", "-V, --version")]
            parts.append(table_of(rows) if rows else "")
        elif rows:
            parts.append(table_of(rows))
        elif heading in ("Usage", "Examples"):
            parts.append("```text\n" + "\n".join(line.strip() for line in words.splitlines()) + "\n```\n")
        elif heading and words:
            parts.append(f"{heading}: {html.escape(words, quote=False)}\n")
        elif words:
            parts.append(html.escape(re.sub(r"(?<!\n)\n(?!\n)", " ", words), quote=False) + "\n")
    text = "\n".join(part for part in parts if part)
    return "\n".join([text, *(command_page(program, *path, name, level=min(level + 1, 4)) for name in below)])


def game_pages():
    """Returns an entry for every game of the catalog, from `grundy games NAME`."""
    names = re.findall(r"^\| `([^`:]+)", run("grundy", "games", "--markdown"), re.M)
    parts = []
    for name in names:
        title, *lines = run("grundy", "games", name).splitlines()
        # A long text continues on lines without a label.
        rows = [re.split(r" {2,}", line.strip(), maxsplit=1)
                for line in re.sub(r"\n {8,}", " ", "\n".join(lines)).splitlines()]
        about = dict(row for row in rows if len(row) == 2)
        what = about.pop("what it is", "")
        parts.append(f"## {title.strip()}\n\n{what[:1].upper()}{what[1:]}.\n")
        code = ("short for", "position", "moves", "in UCI")
        cells = [(key, f"`{value}`" if key in code else html.escape(value, quote=False)) for key, value in about.items()]
        parts.append("| | |\n|---|---|\n" + "\n".join(
            f"| {key.replace('|', chr(92) + '|')} | {value.replace('|', chr(92) + '|')} |" for key, value in cells) + "\n")
    return "\n".join(parts)


def filled(text, chapter):
    """Returns the text of a chapter with its directives replaced."""
    def directive(match):
        kind, argument = match.group(1), (match.group(2) or "").strip()
        if kind == "page":
            path = (DOCS / argument).resolve()
            return moved_links(path.read_text(), path.parent)
        return command_page(argument) if kind == "commands" else game_pages()
    text = re.sub(r"\{\{#(page|commands|games)( [^}]*)?\}\}", directive, text)
    return text


def pages(sections):
    """Yields the chapters of a book, depth first."""
    for section in sections:
        if chapter := section.get("Chapter"):
            yield chapter
            yield from pages(chapter["sub_items"])


def main():
    if len(sys.argv) > 2 and sys.argv[1] == "supports":
        sys.exit(0)
    context, book = json.load(sys.stdin)
    repository = context["config"].get("preprocessor", {}).get("grundy", {}).get("repository", "")
    chapters = [chapter for chapter in pages(book.get("items", book.get("sections", []))) if chapter["path"]]
    # The page of the book that shows a file.
    homes = {(DOCS / chapter["path"]).resolve(): chapter["path"] for chapter in chapters}
    for chapter in chapters:
        for file in re.findall(r"\{\{#page ([^}]*)\}\}", chapter["content"]):
            homes[(DOCS / file.strip()).resolve()] = chapter["path"]

    def link(match):
        kind, words, target = match.groups()
        if kind or re.match(r"[a-z]+:|#", target):
            return match.group(0)
        path, _, fragment = target.partition("#")
        file = (DOCS / path).resolve()
        if file == DOCS / "SUMMARY.md":
            return words
        if file in homes:
            return f"[{words}]({homes[file]}{'#' + fragment if fragment else ''})"
        if DOCS in file.parents:
            return match.group(0)
        place = file.relative_to(ROOT)
        return f"[{words}]({repository}/{place})" if repository else words
    for chapter in chapters:
        text = filled(chapter["content"], chapter)
        chapter["content"] = outside_fences(text, lambda part: LINK.sub(link, part))
    json.dump(book, sys.stdout)


if __name__ == "__main__":
    main()
