"""Gradients of kernels are those of the language's other implementations.

The kernels are those of tests/device/test_reverse_mode.py, which compares them with finite differences. QD_PEERS=1 runs it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[2] / "device"))
from gradient_cases import CASES, FOLDER, Case
from implementations import PEERS_PYTHON, Implementation, Outcome

pytestmark = pytest.mark.skipif(not os.environ.get("QD_PEERS"), reason="asks quadrants and taichi: QD_PEERS=1, after ci/setup --peers")

PROGRAM = """import sys

sys.path.insert(0, {folder!r})
import importlib

import qd

options = {{"ad_stack_experimental_enabled": True}} if qd.__name__ == "quadrants" else {{}}


def differentiate(f):
    kernel = getattr(importlib.import_module({module!r}), {name!r})
    f.assign(f.random_numbers(1, 0.1, 0.9))
    kernel(*{arguments})
    f.assign(f.random_numbers(2, -0.5, 0.5), "grad")
    kernel.grad(*{arguments})
    return f.contents("grad")


def run():
    if "gradient_fields" not in sys.modules:  # the peers take seconds for fields: kernels share them
        qd.init(arch=qd.cpu, default_fp=qd.f64, fast_math=False, **options)
        importlib.import_module("gradient_fields").place(qd.f64)
    return differentiate(sys.modules["gradient_fields"])
"""

REFUSED = {
    "break_of_a_loop", "break_of_two_loops", "contact_with_a_search", "continue_in_a_loop", "continue_in_while", "endless_while",
    "functions_of_ours", "number_of_a_serial_loop", "real_funcs", "return_within", "rounded", "search_with_break", "serial_code_and_loops",
    "stopped", "while_in_for", "while_loop", "while_with_carried_numbers",
}  # fmt: skip
"""Kernels that no peer differentiates."""

WRONG = {
    "quadrants": {
        "complex_numbers", "local_array_that_is_read", "local_array_that_is_written", "many_bodies", "matrices_in_a_loop", "stencil_of_vectors",
        "steps_of_time", "structs_in_a_loop",
    },
    "taichi": {
        "complex_numbers", "local_array_that_is_read", "many_bodies", "softmax", "stencil_of_vectors", "steps_of_time", "structs_in_a_loop",
        "vectors_that_are_carried",
    },
}  # fmt: skip
"""Kernels whose gradients a peer gets wrong, without an error: for vectors that a loop carries, and numbers between two loops, it takes the values of
one iteration for all; it does not turn a serial outermost loop around. test_reverse_mode.py has the derivatives by finite differences."""


@pytest.fixture(scope="module")
def implementations(back_end_name: str) -> Iterator[list[Implementation]]:
    assert PEERS_PYTHON.exists(), "ci/setup --peers makes the environment of the peers"
    started = [Implementation("qd", arch=back_end_name), Implementation("quadrants"), Implementation("taichi")]
    yield started
    for one in started:
        one.end()


def gradients(implementation: Implementation, case: Case, folder: Path) -> Outcome:
    path = folder / f"{case.name}.py"
    path.write_text(PROGRAM.format(folder=str(FOLDER), module=case.module, name=case.name, arguments=case.arguments))
    return implementation.run(path)


def different(ours: Any, theirs: Any) -> list[str]:
    return [name for name in ours if not np.allclose(ours[name], theirs[name], rtol=1e-9, atol=1e-10)]


OLD_NUMBERS = "kernels_for_gradients_of_overwritten"
"""Kernels whose gradients need numbers that they overwrite. Peers take the new ones."""


@pytest.mark.parametrize("case", [case for case in CASES if case.module != OLD_NUMBERS], ids=lambda case: case.name)
def test_gradients_are_those_of_the_peers(implementations: list[Implementation], tmp_path: Path, case: Case) -> None:
    ours, *peers = (gradients(implementation, case, tmp_path) for implementation in implementations)
    assert not ours.error, ours
    answers = {implementation.name: peer for implementation, peer in zip(implementations[1:], peers) if not peer.error}
    assert bool(answers) != (case.name in REFUSED), [str(peer) for peer in peers]
    found = {name: different(ours.value, answer.value) for name, answer in answers.items()}
    assert {name for name in found if found[name]} == {name for name in found if case.name in WRONG[name]}, (found, ours, answers)


def test_listed_kernels_exist() -> None:
    assert {case.name for case in CASES} >= REFUSED.union(*WRONG.values())
