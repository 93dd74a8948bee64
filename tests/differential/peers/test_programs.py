"""Small programs give the results of the language's other implementations.

QD_UPDATE_PEERS=1 asks these (`ci/setup --peers` installs them) and writes programs/answers.json; QD_PEERS=1 asks them, and compares with the answers
that stand there."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from implementations import PEERS_PYTHON, Implementation
from programs import ANSWERS, Program, load_answers, permitted, programs, recorded, same

PEERS = ("quadrants", "taichi")
PROGRAMS = programs()
ASK_PEERS = bool(os.environ.get("QD_PEERS") or os.environ.get("QD_UPDATE_PEERS"))


@pytest.fixture(scope="module")
def ours(back_end_name: str) -> Iterator[Implementation]:
    started = Implementation("qd", arch=back_end_name)
    yield started
    started.end()


@pytest.fixture(scope="module")
def interpreter() -> Iterator[Implementation]:
    started = Implementation("qd", arch="python")
    yield started
    started.end()


@pytest.fixture(scope="module")
def peers() -> Iterator[list[Implementation]]:
    started = [Implementation(name) for name in PEERS]
    yield started
    for peer in started:
        peer.end()


def wanted(answers: dict[str, Any]) -> Any:
    """The answer of the peers: the value that one of them gives, quadrants first; else that it is an error."""
    values = [answers[peer] for peer in PEERS if "value" in answers[peer]]
    return values[0] if values else {"error": answers[PEERS[0]]["error"]}


def agrees(got: dict[str, Any], expected: dict[str, Any]) -> bool:
    if "error" in expected or "error" in got:
        return ("error" in expected) == ("error" in got)
    return same(got["value"], expected["value"])


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_answer_is_that_of_the_peers(ours: Implementation, interpreter: Implementation, tmp_path: Path, program: Program) -> None:
    expected = wanted(load_answers()[program.name])
    path = program.write(tmp_path)
    outcomes = {"compiled": ours.run(path)}
    if not program.name.startswith("gradients: "):  # arch=qd.python differentiates nothing
        outcomes["arch=qd.python"] = interpreter.run(path)
    if "error" in expected:  # a program that the peers refuse may be allowed here, if its result is the same on all architectures
        expected = recorded(outcomes["compiled"])
    wrong = {name: str(outcome) for name, outcome in outcomes.items() if not agrees(recorded(outcome), expected)}
    if program.name in permitted():
        assert wrong, f"the difference that permitted.txt has for `{program.name}` is gone: take the line out"
        assert all(outcome.error not in ("crash", "timeout") for outcome in outcomes.values()), outcomes
    else:
        assert wrong == {}, f"expected {expected}"


def test_permitted_differences_have_a_program_and_a_reason() -> None:
    names = {program.name for program in PROGRAMS}
    assert [name for name, reason in permitted().items() if name not in names or not reason] == []


@pytest.mark.skipif(not ASK_PEERS, reason="asks quadrants and taichi: QD_PEERS=1, after ci/setup --peers")
def test_answers_are_what_the_peers_say(peers: list[Implementation], tmp_path: Path) -> None:
    assert PEERS_PYTHON.exists(), "ci/setup --peers makes the environment of the peers"
    now = {}
    for program in PROGRAMS:
        path = program.write(tmp_path)
        now[program.name] = {peer.name: recorded(peer.run(path)) for peer in peers}
    if os.environ.get("QD_UPDATE_PEERS"):
        ANSWERS.write_text("{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(now[name])}" for name in now) + "\n}\n")
    before = load_answers()
    assert [name for name in now if not all(same(now[name][peer], before.get(name, {}).get(peer)) for peer in PEERS)] == []
