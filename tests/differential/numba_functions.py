"""Random modules with functions of Numba, of all kinds that coverage.py can measure when the JIT is off."""

from __future__ import annotations

import random
from collections.abc import Callable

from numba_statements import Place, Statements

HEAD = """\
import numpy as np
from numba import njit, objmode, prange
from numba.typed import Dict, List
"""
CALLS = """\


if __name__ == "__main__":
    for function in ({names}):
        for a, b in ({arguments}):
            try:
                function(a, b)
            except Exception:
                pass
"""
DECORATORS = ["@njit"] * 8 + ["@njit()", "@njit(nogil=True,\n      fastmath=True)", "@njit(boundscheck=True)"]
HEADERS = ["def {}(a, b):"] * 6 + ["def {}(a,\n       b=2):", "def {}(\n    a, b\n):"]

_MOST = 25
"""Lines behind which no further block begins."""


def plain(chance: random.Random, name: str) -> str:
    body = Statements(chance, "n", _MOST)
    body.block(Place(3, "    ", may_return=True))
    header = f"{chance.choice(DECORATORS)}\n{chance.choice(HEADERS).format(name)}\n"
    text = chance.choice(["", "", "", '    """Numbers."""\n'])
    end = chance.choice(["    return n\n", "    if n > 1:\n        return 1\n    return 0\n"])
    return f"{header}{text}    n = 0\n" + "\n".join(body.lines) + "\n" + end


def in_parallel(chance: random.Random, name: str) -> str:
    """A loop whose iterations run on threads, and add to a number."""
    body = Statements(chance, "m", _MOST // 2)
    body.block(Place(2, "        ", may_try=False))
    count = chance.choice(["6", "a", "2"])
    head = f"@njit(parallel=True)\ndef {name}(a, b):\n    n = 0\n    for i in prange({count}):\n        m = i * 2\n"
    choice = "        if m > 2:\n            n += m\n"
    end = chance.choice(["        n += m\n", choice, f"{choice}        else:\n            n += 1\n"])
    return head + "\n".join(body.lines) + "\n" + end + "    return n\n"


def generator(chance: random.Random, name: str) -> str:
    """A generator, and a function that takes its values, or some."""
    body = Statements(chance, "n", _MOST // 2)
    body.block(Place(2, "        ", in_loop=True, may_try=False))
    text = f"@njit\ndef {name}_values(a, b):\n    n = 0\n    for i in range(4):\n" + "\n".join(body.lines)
    text += f"\n        if {body.comparison()}:\n            yield n\n        yield i\n"
    leave = f"        if {body.comparison()}:\n            break\n" if chance.random() < 0.5 else ""
    return f"{text}\n\n@njit\ndef {name}(a, b):\n    n = 0\n    for v in {name}_values(a, b):\n        n += v\n{leave}    return n\n"


def with_object_mode(chance: random.Random, name: str) -> str:
    """A block that Python runs, amid compiled code."""
    body, rest = Statements(chance, "n", 4), Statements(chance, "n", 8)
    body.block(Place(1, "        ", may_try=False, may_define=False))
    rest.block(Place(2, "    ", may_return=True, may_try=False))
    lines = "\n".join(body.lines)
    return f'@njit\ndef {name}(a, b):\n    n = 0\n    with objmode(n="int64"):\n        n = 1\n{lines}\n' + "\n".join(rest.lines) + "\n    return n\n"


def with_containers(chance: random.Random, name: str) -> str:
    """Typed lists and dicts, and strings."""
    body = Statements(chance, "n", 8)
    body.block(Place(2, "        ", in_loop=True, may_try=False))
    lines = "\n".join(body.lines)
    text = f"@njit\ndef {name}(a, b):\n    n = 0\n    d = Dict()\n    t = List()\n    for k in range(3):\n        t.append(k)\n"
    text += f"    for k in t:\n        if k in d:\n            d[k] += 1\n        else:\n            d[k] = n\n{lines}\n"
    text += f'    s = "yes" if {body.comparison()} else "no"\n    if s == "yes" and len(d) > {chance.randrange(5)}:\n        return len(s)\n'
    return text + "    for key in d:\n        n += d[key]\n    return n\n"


def with_arrays(chance: random.Random, name: str) -> str:
    """Loops over an array, in the forms that LLVM vectorises."""
    body = Statements(chance, "n", 6)
    test, other = chance.choice(["v > n", "v < b", "x[i] > 0"]), chance.choice(["v < 0", "v != a", "i % 2"])
    text = f"@njit\ndef {name}(a, b):\n    n = 0\n    x = np.arange(a)\n    for i in range(x.size):\n        v = x[i]\n        if {test}:\n"
    text += f"            n += v\n        else:\n            x[i] = b\n        if {other}:\n            continue\n        n += 1\n    for v in x:\n"
    body.block(Place(1, "        ", in_loop=True))
    return text + "\n".join(body.lines) + "\n    return n\n"


RARE: list[Callable[[random.Random, str], str]] = [generator, generator, with_arrays, with_arrays, in_parallel, with_object_mode, with_containers]
KINDS = [plain] * 24 + RARE


def program(seed: int, count: int) -> str:
    """A module with functions, and calls of these."""
    chance = random.Random(seed)
    names = [f"f{number}" for number in range(count)]
    text = HEAD + "".join(f"\n\n{chance.choice(KINDS)(chance, name)}" for name in names)
    arguments = ", ".join(f"({chance.randint(-1, 5)}, {chance.randint(-1, 5)})" for _ in range(3))
    return text + CALLS.format(names="".join(f"{name}, " for name in names), arguments=arguments)
