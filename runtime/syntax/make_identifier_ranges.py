"""Prints identifier_ranges.inc: the code points above ASCII that this Python takes in identifiers."""

from __future__ import annotations

import sys
from collections.abc import Callable


def ranges(is_member: Callable[[str], bool]) -> list[tuple[int, int]]:
    """The runs of code points above ASCII for which `is_member` holds, as (first, last)."""
    runs: list[tuple[int, int]] = []
    for code in range(0x80, sys.maxunicode + 1):
        if is_member(chr(code)):
            if runs and runs[-1][1] == code - 1:
                runs[-1] = (runs[-1][0], code)
            else:
                runs.append((code, code))
    return runs


def main() -> None:
    """Write both tables."""
    print(f"// Made by make_identifier_ranges.py with Python {sys.version_info[0]}.{sys.version_info[1]}.")
    tables = {"kStart": ranges(str.isidentifier), "kContinue": ranges(lambda c: ("a" + c).isidentifier())}
    for name, runs in tables.items():
        print(f"constexpr Run {name}[] = {{")
        line = "   "
        for first, last in runs:
            item = f" {{0x{first:X}, 0x{last:X}}},"
            if len(line) + len(item) > 140:
                print(line)
                line = "   "
            line += item
        print(line)
        print("};")


main()
