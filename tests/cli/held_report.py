"""A project whose reports a test can hold in the middle: while its first source is opened."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from coverage import CoverageData

HELD = "a000.py"


def preloaded(folder: Path, name: str) -> Path:
    """The library that tests/cli/`name`.c makes, in `folder`."""
    library = folder / f"{name}.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, Path(__file__).parent / f"{name}.c", "-ldl"], check=True)
    return library


def make_project(folder: Path, n_files: int) -> Path:
    """A folder with `n_files` sources, a000.py and so on, and their data."""
    folder.mkdir(parents=True)
    files = [folder / f"a{i:03}.py" for i in range(n_files)]
    for file in files:
        file.write_text("a = 1\nif a:\n    b = 2\nelse:\n    c = 3\n")
    data = CoverageData(str(folder / ".coverage"))
    data.add_lines({str(file): [1, 2, 3] for file in files})
    data.close()
    return folder


class Hold:
    """A point at which a report waits. The pipe is named outside of the project."""

    def __init__(self, library: Path, pipe: Path) -> None:
        os.mkfifo(pipe)
        self.pipe = pipe
        self.environment = os.environ | {"LD_PRELOAD": str(library), "WAIT_AT": HELD, "WAIT_FOR": str(pipe)}

    @contextmanager
    def held(self) -> Iterator[None]:
        """The report is at its first source within the context, and goes on after it."""
        pipe = os.open(self.pipe, os.O_WRONLY)  # waits for the other end
        try:
            yield
        finally:
            os.close(pipe)
