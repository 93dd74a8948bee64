"""MC/DC of every shape of decision with up to four conditions, against its definition, by brute force over Python's own evaluations."""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Any

BUILD = Path(os.environ.get("QD_BUILD") or Path(__file__).resolve().parents[2] / "build" / "release")
DUMP = BUILD / "tests" / "differential" / "dump_conditions"
MOST = 6
"""Evaluations in a set: odd numbers of them for every other shape, and even numbers for the others."""

Evaluation = tuple[str, str]  # a letter for each condition, the result


class Condition:
    """An operand that notes when Python asks for its truth."""

    def __init__(self, number: int, value: bool, seen: list[str]) -> None:
        self.number, self.value, self.seen = number, value, seen

    def __bool__(self) -> bool:
        self.seen[self.number] = "T" if self.value else "F"
        return self.value


def shapes(first: int, n: int) -> Iterator[str]:
    """Every expression of the conditions c<first>.. with and, or, and not in front of any part."""
    if n == 1:
        yield f"c{first}"
        yield f"not c{first}"
        return
    for left in range(1, n):
        for a, b in itertools.product(shapes(first, left), shapes(first + left, n - left)):
            for op in ("and", "or"):
                yield f"({a}) {op} ({b})"
                yield f"not (({a}) {op} ({b}))"


def evaluate(expression: CodeType, values: tuple[bool, ...]) -> Evaluation:
    """The evaluation of an expression by Python: its conditions, and the result."""
    seen = ["-"] * len(values)
    names = {f"c{i}": Condition(i, value, seen) for i, value in enumerate(values)}
    return bool(eval(expression, names)) and ("".join(seen), "T") or ("".join(seen), "F")


def is_pair(a: Evaluation, b: Evaluation, condition: int) -> bool:
    """The definition: both differ in the condition and in the result, all others are equal or were not evaluated in one of the two."""
    if a[1] == b[1] or {a[0][condition], b[0][condition]} != {"T", "F"}:
        return False
    return all(x == y or "-" in (x, y) for i, (x, y) in enumerate(zip(a[0], b[0], strict=True)) if i != condition)


def has_pair(evaluations: list[Evaluation], condition: int) -> bool:
    """Whether two of them are a pair."""
    return any(is_pair(a, b, condition) for a, b in itertools.combinations(evaluations, 2))


def dump(inputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Our answers."""
    text = "".join(json.dumps(one) + "\n" for one in inputs)
    done = subprocess.run([DUMP], input=text, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def source(expression: str, n: int) -> str:
    """A kernel with the decision."""
    names = ", ".join(f"c{i}: qd.i32" for i in range(n))
    return f"import qd\n\n@qd.kernel\ndef k({names}) -> qd.i32:\n    y = 0\n    if {expression}:\n        y = 1\n    return y\n"


def check(expression: str, n: int, seen: list[Evaluation], possible: list[Evaluation], conditions: list[dict[str, Any]]) -> None:
    """One decision, one set of evaluations."""
    for i, condition in enumerate(conditions):
        about = (expression, seen, condition)
        assert condition["text"] == f"c{i}", about
        assert condition["true"] == any(e[0][i] == "T" for e in seen), about
        assert condition["false"] == any(e[0][i] == "F" for e in seen), about
        wanted = [(text[:n], text[-1]) for text in condition["wanted"]]
        if condition["pair"]:
            a, b = ((text[:n], text[-1]) for text in condition["pair"])
            assert a in seen and b in seen and is_pair(a, b, i) and a[0][i] == "T", about
            assert not wanted, about
            continue
        assert not has_pair(seen, i), about
        assert set(wanted) <= set(possible), about
        single = any(has_pair([*seen, e], i) for e in possible)
        assert len(wanted) == (1 if single else 2), about
        assert has_pair([*seen, *wanted], i), about


def test_every_shape() -> None:
    """The pairs that are found, and the conditions that are reported as lacking."""
    draw = random.Random(1)
    decisions = [(expression, n) for n in range(2, 5) for expression in shapes(0, n)]
    found = dump([{"source": source(expression, n), "measured": []} for expression, n in decisions])
    cases, inputs = [], []
    for number, ((expression, n), answer) in enumerate(zip(decisions, found, strict=True)):
        (decision,) = answer["decisions"]
        compiled = compile(expression, "decision", "eval")
        possible = sorted({evaluate(compiled, values) for values in itertools.product((False, True), repeat=n)})
        assert decision["mcdc"] and len(decision["conditions"]) == n
        check(expression, n, [], possible, decision["conditions"])
        ranges = [condition["range"] for condition in decision["conditions"]]
        for size in range(1 + number % 2, MOST + 1, 2):
            seen = draw.sample(possible, min(size, len(possible)))
            evaluations = [f"{letters}:{result}" for letters, result in seen]
            measured = {"range": decision["range"], "conditions": ranges, "evaluations": evaluations}
            inputs.append({"source": source(expression, n), "measured": [measured]})
            cases.append((expression, n, seen, possible))
    answers = dump(inputs)
    for (expression, n, seen, possible), answer in zip(cases, answers, strict=True):
        (decision,) = answer["decisions"]
        assert answer["stale"] == 0
        assert decision["true"] == any(result == "T" for _, result in seen)
        assert decision["false"] == any(result == "F" for _, result in seen)
        check(expression, n, seen, possible, decision["conditions"])
        missing = sum(not condition[outcome] for condition in decision["conditions"] for outcome in ("true", "false"))
        assert answer["numbers"] == [1, 2 * n, missing, n, sum(condition["pair"] is None for condition in decision["conditions"])]
    assert len(cases) > 15000
