"""Errors of kernels that use tiles (qd.simt.Tile16x16) wrongly, and their lines."""

from __future__ import annotations

import inspect
import re
from typing import Any

import blocks
import kernels_for_tile_errors as kernels
import numpy as np
import pytest
import qd

COMPILES = (AttributeError, qd.KernelCompilationError, qd.KernelTypeError, qd.KernelSyntaxError, qd.KernelIndexError)
FORMS = "a tile takes the part `A[r0:r1, c0:c1]` of an array or `A[b, r0:r1, c0:c1]`, and a column is `A[r0:r1, c]`"
ROWS = "has a row for each of {0} threads: the loop needs qd.loop_config(block_dim={0}), not {1}"


def line(name: str) -> int:
    """The line of the kernel with the mark, or that of the func which the kernel calls."""
    functions = {"in_a_real_func": "really_called", "block_too_small": "made"}
    lines, first = inspect.getsourcelines(getattr(kernels, functions.get(name, name))._function)
    return first + next(i for i, text in enumerate(lines) if text.rstrip().endswith("# here"))


def argument(name: str) -> Any:
    if name == "of_vectors":
        return qd.Vector.ndarray(2, qd.f32, (16, 16))
    if name == "with_an_offset":
        return qd.field(qd.f32, (16, 16), offset=(0, 1))
    return np.zeros(64 if name == "column_of_a_vector" else (64, 64), np.float32)


MESSAGES = [
    ("outside", "a tile of qd.simt is used outside of a parallel loop"),
    ("in_a_serial_loop", "a tile of qd.simt is used outside of a parallel loop"),
    ("in_a_real_func", "a tile of qd.simt cannot be used in a @qd.real_func"),
    ("default_block", "a Tile16x16 " + ROWS.format(16, 128)),
    ("block_too_large", "a Tile16x16 " + ROWS.format(16, 32)),
    ("block_too_small", "a Tile32x32 " + ROWS.format(32, 16)),
    ("no_type", "the dtype of a Tile16x16 is that of integers or floats, not f32"),
    ("truth_values", "the dtype of a Tile16x16 is that of integers or floats, not "),
    ("factor_of_integers", "cholesky_ takes a tile of floats, not of "),
    ("solves_integers", "solve_triangular_ takes tiles of floats, not of "),
    ("solves_upper", "solve_triangular_ solves with a lower triangle alone: lower=False is not supported"),
    ("solves_for_a_number", "attribute "),
    ("solves_for_another_type", "solve_triangular_ takes tiles of one type, not of "),
    ("no_end", "a part of an array needs both bounds: write A[r0:r1, c0:c1]"),
    ("no_begin", "a part of an array needs both bounds: write A[r0:r1, c0:c1]"),
    ("with_a_step", "a part of an array has no step: write A[r0:r1, c0:c1]"),
    ("negative", "negative indices are not supported"),
    ("floats_as_bounds", "indices must be integers, not f"),
    ("columns_of_a_row", FORMS),
    ("three_slices", FORMS),
    ("loads_a_column", FORMS),
    ("too_many_axes", "the array has 2 axes, but 3 indices are given"),
    ("column_of_a_vector", "the array has 1 axis, but 2 indices are given"),
    ("of_vectors", "a tile has numbers, which "),
    ("with_an_offset", "parts of a field with an offset cannot be loaded into tiles or stored"),
    ("part_as_a_value", "a part of an array is no value: load it into a tile, tile[:] = A[r0:r1, c0:c1]"),
    ("loads_a_tile", "`tile[:] =` takes a part of an array, A[r0:r1, c0:c1], not a struct"),
    ("stores_a_number", "what a part of an array is assigned is a tile, not "),
    ("column_in_a_large_block", "the loop needs qd.loop_config(block_dim=...) with 16 or 32, not 64"),
    ("outer_as_a_value", "qd.outer(a, b) is no value: it stands behind `tile -=` or `tile +=` alone"),
    ("outer_of_a_number", "`+=` and `-=` with qd.outer(a, b) change a tile, not "),
    ("outer_times", "`+=` and `-=` with qd.outer(a, b) change a tile, not `"),
    ("subtracts_a_number", "Tile16x16"),
    ("outer_of_vectors", "vector of 2"),
]


@pytest.mark.parametrize(("debug", "name", "message"), [(number % 2 == 1, *case) for number, case in enumerate(MESSAGES)])
def test_messages(arch: str, debug: bool, name: str, message: str) -> None:
    blocks.start(arch, debug=debug)
    with pytest.raises(COMPILES, match=re.escape(message)) as error:
        getattr(kernels, name)(argument(name))
    places = {int(number) for number in re.findall(r"kernels_for_tile_errors\.py:(\d+)", str(error.value))}
    trace = {entry.lineno + 1 for entry in error.traceback if str(entry.path).endswith("kernels_for_tile_errors.py")}
    assert line(name) in places | trace, str(error.value)


def test_blocks_that_are_not_whole(arch: str) -> None:
    blocks.start(arch, debug=True)
    x = np.zeros((16, 16), np.float32)
    with pytest.raises(qd.KernelAssertionError, match="the loop runs 20 iterations, which is not a multiple of its block_dim 16"):
        kernels.not_whole(x, 20)
    kernels.not_whole(x, 32)
    np.testing.assert_array_equal(x, np.eye(16))


def test_conditions_that_differ(arch: str) -> None:
    blocks.tells_who_meets(arch)
    blocks.start(arch, debug=True)
    with pytest.raises(qd.KernelAssertionError, match="under a condition that differs between the threads of a block") as error:
        kernels.under_a_condition(argument(""))
    found = re.search(r"kernels_for_tile_errors\.py:(\d+) in ", str(error.value))
    assert found is not None and line("under_a_condition") - int(found[1]) in (0, 1)  # the line of the barrier, or of the condition around it


def test_columns_that_are_not_there(arch: str) -> None:
    blocks.start(arch, debug=True)
    with pytest.raises(qd.KernelAssertionError, match=r"Out of bound access to ndarray at arg 0 with indices \[\d+, 64\]") as error:
        kernels.no_such_column(argument(""), 64)
    assert f"kernels_for_tile_errors.py:{line('no_such_column')}" in str(error.value)


def test_on_the_host(arch: str) -> None:
    blocks.start(arch)
    with pytest.raises(qd.KernelSyntaxError, match="cannot be called from Python-scope"):
        qd.simt.Tile16x16.zeros(dtype=qd.f32)
    with pytest.raises(qd.KernelSyntaxError, match=r"qd\.outer\(a, b\) is no value"):
        qd.outer(1, 2)
