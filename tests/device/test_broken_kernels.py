"""Statements that are wrong: each is an error of the user's, with its place in the file, and never one of the compiler's.

broken_statements.txt has one in a line, mostly about vectors, matrices, structs, views and containers."""

from __future__ import annotations

import re
from pathlib import Path

import qd
from wrong_kernels import HEADER, PARAMETERS, arguments, load

STATEMENTS = Path(__file__).with_name("broken_statements.txt").read_text().splitlines()


def test_wrong_statements_are_errors_with_a_place(tmp_path: Path, back_end: str) -> None:
    lines = HEADER.splitlines()
    places = []
    for number, statement in enumerate(STATEMENTS):
        lines += ["@qd.kernel", f"def k{number}({PARAMETERS}):", "    " + statement]
        places.append(len(lines))
    file = tmp_path / "broken.py"
    qd.init(arch=back_end, log_level="error", offline_cache=False)
    module = load(file, "\n".join(lines) + "\n")
    values = arguments(module)
    wrong = []
    for number, (statement, line) in enumerate(zip(STATEMENTS, places)):
        try:
            getattr(module, f"k{number}")(*values)
            wrong.append(f"{statement}: no error")
        except qd.KernelCompilationError as error:
            head = rf"{re.escape(str(file))}:\d+:\d+: (Kernel\w*Error: )?.+ \(in \w+\)\n"
            here = re.search(rf"{re.escape(str(file))}:{line - 1}|{re.escape(str(file))}:{line}", str(error))
            if not (re.match(head, str(error)) and here) or "``" in str(error):  # a name that is not there
                wrong.append(f"{statement}: {error}")
        except Exception as error:
            wrong.append(f"{statement}: {type(error).__name__}: {error}")
    assert wrong == []
