"""The kernels that tests differentiate, by file and name."""

from __future__ import annotations

import ast
import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
ARGUMENTS = {"parameters": (1.5, 5), "one_step_of_time": (1,)}


@dataclass(frozen=True)
class Case:
    module: str
    name: str
    arguments: tuple[Any, ...]

    @property
    def kernel(self) -> Any:
        return getattr(importlib.import_module(self.module), self.name)


def of_file(path: Path) -> list[Case]:
    functions = [node for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)]
    names = [node.name for node in functions if any(ast.unparse(decorator) == "qd.kernel" for decorator in node.decorator_list)]
    return [Case(path.stem, name, ARGUMENTS.get(name, ())) for name in names]


CASES = [case for path in sorted(FOLDER.glob("kernels_for_gradients*.py")) for case in of_file(path)]
assert len({case.name for case in CASES}) == len(CASES), "two kernels have one name"
