"""Small programs of the kernel language, and the answers of its other implementations.

A file in programs/ has many, one after the other:

    ### the name of a program
    @qd.kernel
    def k() -> qd.i32:
        return 7 // -2
    def run():
        return k()

`run()` is called, and its result is the answer; an exception is one, too. Each program begins with HEADER. answers.json has the answers of
quadrants and taichi, so that the test needs neither."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from implementations import Outcome

FOLDER = Path(__file__).with_name("programs")
ANSWERS = FOLDER / "answers.json"
PERMITTED = FOLDER / "permitted.txt"
HEADER = """import dataclasses
import enum

import numpy as np
import qd

qd.init(arch=qd.cpu, fast_math=False)


def attempt(f, *a):
    try:
        return f(*a)
    except Exception as error:
        return type(error).__name__ + ": " + str(error)


"""


@dataclass(frozen=True)
class Program:
    name: str  # "file: name"
    text: str

    def write(self, folder: Path) -> Path:
        path = folder / (re.sub(r"\W+", "_", self.name)[:80] + ".py")
        path.write_text(HEADER + self.text)
        return path


def programs() -> list[Program]:
    """All programs, in the order of the files."""
    found = []
    for path in sorted(FOLDER.glob("*.txt")):
        if path == PERMITTED:
            continue
        parts = re.split(r"^### *(.*)\n", path.read_text(), flags=re.MULTILINE)
        assert parts[0].strip() == "", path
        found += [Program(f"{path.stem}: {name.strip()}", text) for name, text in zip(parts[1::2], parts[2::2])]
    assert len({program.name for program in found}) == len(found), "two programs have one name"
    return found


def permitted() -> dict[str, str]:
    """Why programs may give something else than the peers, by name; the file has a line `file: name -- reason` each."""
    lines = [line for line in PERMITTED.read_text().splitlines() if line and not line.startswith("#")]
    return {name.strip(): reason.strip() for name, _, reason in (line.partition(" -- ") for line in lines)}


def encoded(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, np.ndarray):
        return {"dtype": str(value.dtype), "shape": list(value.shape), "data": [encoded(item) for item in value.ravel().tolist()]}
    if isinstance(value, dict):
        return {"dict": {key: encoded(item) for key, item in value.items()}}
    if isinstance(value, (list, tuple)):
        return [encoded(item) for item in value]
    if isinstance(value, complex):
        return {"complex": [value.real, value.imag]}
    return value


def recorded(outcome: Outcome) -> Any:
    """An answer as answers.json has it. Of an error there is no more than that it is one: messages are each implementation's own."""
    return {"error": outcome.error} if outcome.error else {"value": encoded(outcome.value)}


def load_answers() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(ANSWERS.read_text()) if ANSWERS.exists() else {}
    return found


def same(a: Any, b: Any) -> bool:
    """Whether two encoded values are equal; floats to 6 digits, arrays in their shapes, texts of errors in the class alone."""
    if isinstance(a, dict) and isinstance(b, dict) and "data" in a and "data" in b:
        return a["shape"] == b["shape"] and same(a["data"], b["data"])
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    for array, other in ((a, b), (b, a)):
        if isinstance(array, dict) and "data" in array and isinstance(other, list):  # a vector may come as a list
            return array["shape"] == list(np.shape(other)) and same(array["data"], np.ravel(other).tolist())
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    if isinstance(a, dict) and not a.get("shape", True):  # a 0-d array is the number that it holds
        return same(a["data"][0], b)
    if isinstance(b, dict) and not b.get("shape", True):
        return same(a, b["data"][0])
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return bool(np.isclose(a, b, rtol=1e-6, atol=1e-12, equal_nan=True))
    if isinstance(a, str) and isinstance(b, str) and _is_error(a) and _is_error(b):
        return True
    return bool(a == b)


def _is_error(text: str) -> bool:
    return re.match(r"\w*(Error|Exception): ", text) is not None
