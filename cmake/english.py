#!/usr/bin/env python3
"""Writes the errors' enumerators and names, and a table of English, from lang/en: english.py OUT ERRORS.toml PHRASES.toml

Of TOML it reads what these files use: comments, [tables], and keys with one-line basic strings."""
import json
import pathlib
import re
import sys


def entries(path):
    table = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if head := re.fullmatch(r"\[([a-z][\w.-]*)\]", line):
            table = head[1]
        elif row := re.fullmatch(r'([a-z][\w.-]*) = (".*")', line):
            yield f"{table}.{row[1]}", json.loads(row[2])
        else:
            sys.exit(f"{path}:{number}: this is neither a [table], a comment nor NAME = \"TEXT\" on one line")


def quoted(text):
    return json.dumps(text, ensure_ascii=False).replace("??", '?""?')


def write(path, lines):
    text = "".join(line + "\n" for line in lines)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


out = pathlib.Path(sys.argv[1])
errors = list(entries(pathlib.Path(sys.argv[2])))
names = [key.split(".")[1] for key, _ in errors if key.endswith((".long", ".long.one"))]
table = sorted(errors + list(entries(pathlib.Path(sys.argv[3]))))
write(out / "error_codes.inc", [f"{name}," for name in names])
write(out / "error_names.inc", [f"{quoted(name)}," for name in names])
write(out / "english_table.inc", [f"EnglishRow{{{quoted(key)}, {quoted(text)}}}," for key, text in table])
