"""Operators, functions and conversions of all pairs of types give the results of Quadrants.

One program for each pair (or each type, for operations on one operand), with the values of the edges in all combinations. QD_PEERS=1 runs it.
Permitted differences stand in `operators_permitted.txt`, each with its reason; a line that permits nothing fails."""

from __future__ import annotations

import fnmatch
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
from implementations import PEERS_PYTHON, Implementation

pytestmark = pytest.mark.skipif(not os.environ.get("QD_PEERS"), reason="asks quadrants: QD_PEERS=1, after ci/setup --peers")

FOLDER = Path(__file__).parent
TYPES = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64")
INTEGERS = TYPES[:8]
BITS = {name: int(name[1:]) for name in TYPES}

# Names of the second operand: b is any value; c one that an integer can take, e a factor after which it
# can; d no divisor that integers do not have; s a number of bits; p a small
# power. The conversion of a float out of an integer's range has no meaning in the peers.
BINARY = {
    "add": "a + b", "sub": "a - b", "mul": "a * b", "truediv": "a / d", "floordiv": "a // d", "mod": "a % d", "pow": "a ** p",
    "lt": "a < b", "le": "a <= b", "gt": "a > b", "ge": "a >= b", "eq": "a == b", "ne": "a != b",
    "and": "a and b", "or": "a or b", "min": "qd.min(a, b)", "max": "qd.max(a, b)", "atan2": "qd.atan2(a, b)",
    "select": "qd.select(a > b, a, b)", "ifexp": "a if a > b else b",
}  # fmt: skip
OF_INTEGERS = {"bitand": "a & b", "bitor": "a | b", "bitxor": "a ^ b", "shl": "a << s", "shr": "a >> s"}
AUGMENTED = {
    "iadd": "{name} += c", "isub": "{name} -= c", "imul": "{name} *= e", "imin": "qd.atomic_min({name}, c)", "imax": "qd.atomic_max({name}, c)",
}  # fmt: skip
UNARY = {
    "neg": "-a", "pos": "+a", "not": "not a", "abs": "abs(a)", "floor": "qd.floor(a)", "ceil": "qd.ceil(a)", "sqrt": "qd.sqrt(abs(a))",
    "exp": "qd.exp(a)", "log": "qd.log(abs(a) + 1)", "sin": "qd.sin(a)", "tanh": "qd.tanh(a)", "float": "float(a)", "bool": "bool(a)",
    "add_int": "a + 1", "add_float": "a + 0.5", "mul_float": "a * 2.0", "div_int": "a / 2", "floordiv_int": "a // 2", "mod_int": "a % 3",
    "square": "a ** 2", "half_power": "abs(a) ** 0.5", "min_int": "qd.min(a, 1)", "lt_int": "a < 1",
}  # fmt: skip
UNARY_OF_INTEGERS = {"invert": "~a", "shl_one": "a << 1", "shr_one": "a >> 1", "and_int": "a & 6", "int": "int(a)"}

FLOATS = (
    "truediv", "atan2", "sqrt", "exp", "log", "sin", "tanh", "float", "add_float", "mul_float", "div_int", "half_power", "cast_f32", "cast_f64",
    "call_f32", "call_f64", "bit_cast_f32", "bit_cast_f64",
)  # fmt: skip
"""Operations that give floats of integers."""

PROGRAM = """import numpy as np
import qd

qd.init(arch=qd.cpu, fast_math=False)


@qd.kernel
def sweep({parameters}, integers: qd.types.ndarray(dtype=qd.i64, ndim=2), floats: qd.types.ndarray(dtype=qd.f64, ndim=2)):
    for k in range({n}):
{body}


def run():
    integers, floats = np.zeros(({rows}, {n}), dtype=np.int64), np.zeros(({rows}, {n}), dtype=np.float64)
    sweep({arguments}, integers, floats)
    return [integers, floats]
"""


def numpy_type(name: str) -> Any:
    return np.dtype({"i": "int", "u": "uint", "f": "float"}[name[0]] + name[1:])


def edges(name: str) -> Any:
    """The values that are tried of a type."""
    dtype = numpy_type(name)
    if name[0] == "f":
        return np.array([-1e18, -300.75, -2.5, -1.5, -1, -0.5, 0, 0.25, 1, 1.5, 2.5, 3, 7, 100.25, 70000, 1e18], dtype=dtype)
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    small = [-7, -3, -2, -1] if name[0] == "i" else [4, 100, 101, most // 2 + 1]
    return np.array([least, least + 1, *small, 0, 1, 2, 3, 7, most // 2, most - 1, most], dtype=dtype)


def second_operands(b: Any, other: str, name: str) -> dict[str, Any]:
    """The arrays b, c, d, s and p; see BINARY. `name` is the type of the first operand."""
    taken = b if other in INTEGERS or name not in INTEGERS else np.clip(b, 0 if name[0] == "u" else -100, 100)
    divisors = np.where((b == 0) | (b == -1), np.array(2, b.dtype), b)
    bits = np.abs(b.astype(np.float64)) % min(BITS[name], BITS[other])
    factors = b if other in INTEGERS or name not in INTEGERS else np.clip(b, 0 if name[0] == "u" else -0.5, 1)
    return {"b": b, "c": taken, "e": factors, "d": divisors, "s": bits.astype(b.dtype), "p": (np.abs(b.astype(np.float64)) % 4).astype(b.dtype)}


def program(results: dict[str, str], operands: dict[str, tuple[str, Any]], path: Path) -> None:
    """Writes a program that computes the results from the operands, which have a type and values each."""
    lines = [f"{name} = array_{name}[k]" for name in operands]
    for row, (name, text) in enumerate(results.items()):
        lines += text.format(name=f"r_{name}").split("\n") if "{name}" in text else [f"r_{name} = {text}"]
        lines += [f"integers[{row}, k] = qd.cast(r_{name}, qd.i64)", f"floats[{row}, k] = qd.cast(r_{name}, qd.f64)"]
    path.write_text(
        PROGRAM.format(
            parameters=", ".join(f"array_{name}: qd.types.ndarray(dtype=qd.{kind}, ndim=1)" for name, (kind, _) in operands.items()),
            body="\n".join(f"        {line}" for line in lines),
            n=len(next(iter(operands.values()))[1]),
            rows=len(results),
            arguments=", ".join(f"np.array({values.tolist()}, dtype=np.{values.dtype})" for _, values in operands.values()),
        )
    )


def differences(ours: list[Any], theirs: list[Any], results: dict[str, str], kinds: str, exact: float) -> list[str]:
    """Differences, as lines `types operator: operand number, ours, theirs`, one for each operator. Integers are compared as such where no float is
    about: the peers leave out the conversion to a float that is converted back."""
    found = []
    floats = "f" in kinds
    for row, name in enumerate(results):
        (i, f), (j, g) = (ours[0][row], ours[1][row]), (theirs[0][row], theirs[1][row])
        same = np.isclose(f, g, rtol=exact, atol=1e-30, equal_nan=True)
        wrong = np.flatnonzero(~same | ((i != j) & (not floats and name not in FLOATS)))
        if len(wrong):
            k = wrong[0]
            found.append(f"{kinds} {name}: {len(wrong)} of {len(f)}; {k}: {i[k]}, {f[k]} / {j[k]}, {g[k]}")
    return found


def permitted() -> dict[str, str]:
    lines = (FOLDER / "operators_permitted.txt").read_text().splitlines()
    return dict(tuple(part.strip() for part in line.split(" -- ")) for line in lines if line and not line.startswith("#"))  # type: ignore[misc]


class Sweep:
    def __init__(self, arch: str, folder: Path) -> None:
        assert PEERS_PYTHON.exists(), "ci/setup --peers makes the environment of the peers"
        self.ours, self.peer = Implementation("qd", arch=arch), Implementation("quadrants")
        self.folder = folder

    def compare(self, kinds: str, results: dict[str, str], operands: dict[str, tuple[str, Any]]) -> list[str]:
        path = self.folder / f"{kinds.replace(' ', '_')}.py"
        program(results, operands, path)
        ours, theirs = self.ours.run(path), self.peer.run(path)
        if theirs.error and len(results) > 1:  # one operator that the peer refuses; the others are compared alone
            return [line for name in results for line in self.compare(kinds, {name: results[name]}, operands)]
        if theirs.error or ours.error:
            return [] if theirs.error else [f"{kinds} {' '.join(results)}: {ours}"]
        exact = 1e-5 if "f64" not in kinds else 1e-6
        return differences(ours.value, theirs.value, results, kinds, exact)

    def end(self) -> None:
        self.ours.end()
        self.peer.end()


USED: set[str] = set()


def check(found: list[str]) -> None:
    """Fails for differences that are not permitted."""
    for line in list(found):
        patterns = [pattern for pattern in permitted() if fnmatch.fnmatchcase(line.split(":")[0], pattern)]
        USED.update(patterns)
        if patterns:
            found.remove(line)
    assert found == []


@pytest.mark.parametrize("left", TYPES)
def test_operators_of_two(left: str, back_end_name: str, tmp_path: Path) -> None:
    sweep = Sweep(back_end_name, tmp_path)
    found = []
    for right in TYPES:
        a, b = (grid.ravel() for grid in np.meshgrid(edges(left), edges(right)))
        results = dict(BINARY)
        if left in INTEGERS and right in INTEGERS:
            results |= OF_INTEGERS
        results |= {name: f"{{name}} = a\n{change}" for name, change in AUGMENTED.items()}
        operands = {"a": (left, a)} | {name: (right, values) for name, values in second_operands(b, right, left).items()}
        found += sweep.compare(f"{left} {right}", results, operands)
    sweep.end()
    check(found)


@pytest.mark.parametrize("kind", TYPES)
def test_operators_of_one(kind: str, back_end_name: str, tmp_path: Path) -> None:
    sweep = Sweep(back_end_name, tmp_path)
    results = UNARY | (UNARY_OF_INTEGERS if kind in INTEGERS else {})
    found = sweep.compare(kind, results, {"a": (kind, edges(kind))})
    for other in TYPES:
        a = edges(kind)
        if kind[0] == "f" and other[0] != "f":  # a float out of range has no meaning in the peers
            range_of = np.iinfo(numpy_type(other))
            a = a[(a > float(range_of.min) - 0.9) & (a < float(range_of.max) * 0.999)]
        conversions = {f"cast_{other}": f"qd.cast(a, qd.{other})", f"call_{other}": f"qd.{other}(a)"}
        if BITS[kind] == BITS[other]:
            conversions[f"bit_cast_{other}"] = f"qd.bit_cast(a, qd.{other})"
        found += sweep.compare(kind, conversions, {"a": (kind, a)})
    sweep.end()
    check(found)


def test_permitted_differences_are_there(request: pytest.FixtureRequest) -> None:
    here = [item for item in request.session.items if item.path == Path(__file__)]
    if len(here) < 2 * len(TYPES) + 1 or hasattr(request.config, "workerinput"):
        pytest.skip("not all of them were tried in this process")
    assert set(permitted()) - USED == set()
