"""Writes the files that are made from runtime/options/options.def: the options as Python knows them, and the list of the language guide.

Usage: option_table.py [--check]; with --check it writes nothing, and fails when something is not as it would be written."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "runtime" / "options" / "options.def"
PYTHON = ROOT / "runtime" / "python" / "qdcov" / "_option_table.py"
GUIDE = ROOT / "runtime" / "python" / "docs" / "options.md"
BEGIN, END = "<!-- options: made by ci/option_table.py -->\n\n", "\n<!-- end of options -->\n"
TEXTS = r'(?:"(?:[^"\\\n]|\\.)*"\s*)+'
ROW = re.compile(rf"^QD_(FRONT_END|CODE|LAUNCH|PYTHON|UNUSED)_OPTION\(([^,]+), (\w+), ([^,]+), (Anywhere|Init),\s+({TEXTS})\)$", re.MULTILINE)
CHOICES = re.compile(r"^QD_(WORDS|NUMBERS)\((\w+), ([^()]*)\)$", re.MULTILINE)
TYPES = {"ir::Type::F32": "f32", "ir::Type::I32": "i32"}

HEAD = '''"""The options of qd.init. Made by ci/option_table.py from runtime/options/options.def."""

from __future__ import annotations

from typing import Any, NamedTuple


class Option(NamedTuple):
    """One option: `kind` is its type in the table; `choices`: the values that it may have, where there are few; `native`: the native runtime is told;
    `anywhere`: it may come from the environment, too."""

    name: str
    kind: str
    default: Any
    choices: tuple[Any, ...]
    native: bool
    anywhere: bool


OPTIONS = (
'''


class Row(NamedTuple):
    """A row of the table. `default` is as users write it; `written` as the table has it."""

    use: str
    kind: str
    name: str
    default: object
    written: str
    choices: tuple[object, ...]
    anywhere: bool
    help: str


def rows(text: str) -> list[Row]:
    """The rows of the table. Raises ValueError when there are some that cannot be read."""
    choices: dict[str, tuple[list[str], tuple[object, ...]]] = {}
    for form, name, list_of_names in CHOICES.findall(text):
        names = list_of_names.split(", ")
        choices[name] = names, tuple(word.lower() for word in names) if form == "WORDS" else tuple(range(len(names)))
    found = []
    for use, kind, name, written, read, literals in ROW.findall(text):
        names, values = choices.get(kind, ([], ()))
        default = values[names.index(written.removeprefix(f"{kind}::"))] if values else _value(written)
        found.append(Row(use, kind, name, default, written, values, read == "Anywhere", ast.literal_eval(f"({literals})")))
    if len(found) != len(re.findall(r"^QD_\w+_OPTION\(", text, re.MULTILINE)):
        raise ValueError(f"{TABLE} has rows that cannot be read")
    return found


def _value(written: str) -> object:
    """A default that is no choice."""
    if written in ("true", "false"):
        return written == "true"
    if shifted := re.fullmatch(r"(\d+) << (\d+)", written):
        return int(shifted[1]) << int(shifted[2])
    return TYPES.get(written) or ast.literal_eval(written)


def python(table: list[Row]) -> str:
    """The module of the qd package."""
    text = HEAD
    for row in table:
        native = row.use in ("FRONT_END", "CODE", "LAUNCH")
        text += f"    Option({_quoted(row.name)}, {_quoted(row.kind)}, {_quoted(row.default)}, {_quoted(row.choices)}, {native}, {row.anywhere}),\n"
    return text + ")\n"


def _quoted(value: object) -> str:
    return repr(value).replace("'", '"')


def guide(table: list[Row]) -> str:
    """The list in the guide: a row for each option that does something, then the names of the others."""
    text = "| option | default | |\n|---|---|---|\n"
    for row in table:
        if row.use != "UNUSED":
            text += f"| `{row.name}` | {_shown(row)} | {row.help} |\n"
    unused = ", ".join(f"`{row.name}`" for row in table if row.use == "UNUSED")
    return text + f"\nAccepted without effect, for programs that set them: {unused}.\n"


def _shown(row: Row) -> str:
    """A default as a program would write it; nothing where it is computed."""
    if row.name == "arch" or row.kind == "ir::Type":
        return f"`qd.{row.default}`"
    if "<<" in row.written:
        return f"`{row.written}`"
    return f"`{_quoted(row.default)}`" if row.default != "" else ""


def main() -> int:
    """Write or check both files."""
    table = rows(TABLE.read_text(encoding="utf-8"))
    page = GUIDE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise ValueError(f"{GUIDE} has no place for the options")
    made = {PYTHON: python(table), GUIDE: before + BEGIN + guide(table) + END + after}
    old = [path for path, text in made.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in old:
        if "--check" in sys.argv[1:]:
            print(f"{path.relative_to(ROOT)} is not what the table of options makes: run ci/option_table.py")
        else:
            path.write_text(made[path], encoding="utf-8")
    return int(bool(old) and "--check" in sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
