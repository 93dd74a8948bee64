"""python -m qd.compat PEER [-m MODULE | PROGRAM] [arguments]: runs a program for Taichi or Quadrants on this runtime."""

from __future__ import annotations

import os
import runpy
import sys

from qdcov import compat

USAGE = f"usage: python -m qd.compat {{{','.join(compat.PEERS)}}} [-m MODULE | PROGRAM] [arguments]"


def main(arguments: list[str]) -> None:
    """Runs the program as `python PROGRAM` or `python -m MODULE` would."""
    if arguments[:1] in (["-h"], ["--help"]):
        print(USAGE)
        return
    as_module = arguments[1:2] == ["-m"]
    rest = arguments[2 if as_module else 1 :]
    if not arguments or arguments[0] not in compat.PEERS or not rest:
        sys.exit(USAGE)
    compat.install(arguments[0])
    sys.argv[:] = rest
    if as_module:
        sys.path[0] = os.getcwd()
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
        return
    if not os.path.exists(rest[0]):
        print(f"python: can't open file {os.path.abspath(rest[0])!r}: [Errno 2] No such file or directory", file=sys.stderr)
        sys.exit(2)
    sys.path[0] = os.path.dirname(os.path.realpath(rest[0]))
    runpy.run_path(rest[0], run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
