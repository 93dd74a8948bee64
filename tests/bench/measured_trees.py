"""Trees of sources with a data file each, to measure reporters on: a made-up project, and the standard library.

The data is like that of one run: of each file a share of the arcs that coverage.py thinks possible, drawn with a fixed seed."""

from __future__ import annotations

import random
import sys
import sysconfig
import warnings
from collections.abc import Iterable
from pathlib import Path

from coverage import CoverageData
from coverage.exceptions import CoverageException
from coverage.parser import PythonParser
from synthetic_tree import write_tree

SHARES = (0.0, 0.3, 0.7, 0.85, 0.95, 1.0)  # of a file's arcs that were taken
SHARE_OF_FILES = 0.06  # that ran in one of many contexts


def write_data(path: Path, files: Iterable[Path], seed: int = 1, n_contexts: int = 1) -> None:
    """Branch data for those of `files` that are Python."""
    warnings.simplefilter("ignore")
    rng = random.Random(seed)
    data = CoverageData(str(path))
    measured: dict[str, list[tuple[int, int]]] = {}
    for file in files:
        try:
            parser = PythonParser(filename=str(file))
            parser.parse_source()
            arcs = sorted(parser.arcs())
        except (CoverageException, SyntaxError, ValueError, RecursionError, UnicodeDecodeError):
            continue
        measured[str(file)] = arcs
    for n in range(n_contexts):
        data.set_context(f"tests/test_{n % 40}.py::test_case_{n}|run" if n_contexts > 1 else None)
        shares = {file: rng.choice(SHARES) for file in measured if n_contexts == 1 or rng.random() < SHARE_OF_FILES}
        data.add_arcs({file: [arc for arc in arcs if rng.random() < shares[file]] for file, arcs in measured.items() if file in shares})
    data.write()


def standard_library() -> list[Path]:
    stdlib = Path(sysconfig.get_path("stdlib"))
    return [file for file in sorted(stdlib.rglob("*.py")) if not {"site-packages", "dist-packages"} & set(file.parts)]


def measured_tree(folder: Path, name: str) -> Path:
    """The data file of "made-up", "stdlib" or "contexts" (the made-up one in 400 contexts); made in `folder` when it is not there yet."""
    data_file = folder / f"{name}.coverage"
    if data_file.exists():
        return data_file
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / f"{name}.unfinished"
    unfinished.unlink(missing_ok=True)
    if name == "stdlib":
        write_data(unfinished, standard_library())
    else:
        files = write_tree(folder / "made-up")
        write_data(unfinished, files, n_contexts=400 if name == "contexts" else 1)
    return unfinished.rename(data_file)


if __name__ == "__main__":
    print(measured_tree(Path(sys.argv[1]), sys.argv[2]))
