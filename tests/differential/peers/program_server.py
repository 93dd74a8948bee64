"""Runs programs of the kernel language in one of its implementations, in a process of its own: python program_server.py IMPLEMENTATION

IMPLEMENTATION is qd, quadrants or taichi. Every line of standard input is the path of a module. The module says `import qd`, which is the
implementation here, and has a function `run()`. The answer, a line too, is a pickle in hexadecimal: ("value", the result of run(): numbers, lists
and numpy arrays), or ("error", name of the exception's class, names of its base classes, message). Prints of programs go to standard error."""

from __future__ import annotations

import importlib
import importlib.util
import os
import pickle
import sys
import traceback
from pathlib import Path
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """A value without objects of the implementation."""
    if value is None or isinstance(value, (bool, int, float, str, bytes, complex)):
        return value
    if isinstance(value, (np.generic, np.ndarray)):
        return np.asarray(value)
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, BaseException):
        return type(value).__name__
    for name in ("to_dict", "to_numpy", "to_list"):
        if callable(getattr(value, name, None)):
            return plain(getattr(value, name)())
    return str(value)


def answer(path: Path, number: int) -> tuple[Any, ...]:
    """The answer for a program: the value or the error."""
    spec = importlib.util.spec_from_file_location(f"program_{number}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
        return ("value", plain(module.run()))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # of any kind: it is the implementation's answer about the program
        if os.environ.get("QD_PEER_TRACEBACKS"):
            traceback.print_exc()
        return ("error", type(error).__name__, [base.__name__ for base in type(error).__mro__[1:-1]], str(error))
    finally:
        del sys.modules[spec.name]


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # kernels print to the file descriptor
    sys.modules["qd"] = importlib.import_module(sys.argv[1])
    for number, line in enumerate(sys.stdin):
        answers.write(pickle.dumps(answer(Path(line.rstrip("\n")), number)).hex() + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
