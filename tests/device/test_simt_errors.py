"""Errors of kernels that use qd.simt wrongly."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import blocks
import kernels_for_simt as right
import kernels_for_simt_errors as kernels
import numpy as np
import pytest
import qd


def lines(mark: str) -> list[int]:
    """The lines of the kernels' file with a mark."""
    assert kernels.__file__ is not None
    return [number for number, line in enumerate(Path(kernels.__file__).read_text().splitlines(), 1) if line.endswith(f"# {mark}")]


COMPILES = (qd.KernelCompilationError, qd.KernelTypeError, qd.KernelSyntaxError)


@pytest.fixture
def x(arch: str) -> Any:
    blocks.start(arch, debug=True)
    return np.zeros(2048, np.float32)


@pytest.mark.parametrize(
    ("name", "arguments", "what"),
    [
        ("outside", "", r"qd\.simt\.block\.sync\(\)"),
        ("array_outside", "x", "an array of the block"),
        ("under_an_if", "xn", r"qd\.simt\.block\.thread_idx\(\)"),
        ("func_outside", "x", r"qd\.simt\.block\.sync\(\)"),
        ("under_a_serial_loop", "x", r"qd\.simt\.block\.sync\(\)"),
    ],
)
def test_outside_of_parallel_loops(x: Any, name: str, arguments: str, what: str) -> None:
    with pytest.raises(COMPILES, match=f"{what} is used outside of a parallel loop"):
        getattr(kernels, name)(*({"x": x, "n": 1}[a] for a in arguments))


def test_real_funcs(x: Any) -> None:
    with pytest.raises(COMPILES, match=r"qd\.simt\.subgroup\.shuffle\(\) cannot be used in a @qd\.real_func"):
        kernels.in_a_real_func(x)


def test_blocks_that_are_not_whole(x: Any) -> None:
    kernels.not_whole(x, 16)
    assert x[:17].tolist() == [1] * 16 + [0]
    for n in (1, 17):
        with pytest.raises((qd.KernelAssertionError, *COMPILES), match=f"the loop runs {n} iterations, which is not a multiple of its block_dim 8"):
            kernels.not_whole(x, n)
    assert x[16] == 0
    with pytest.raises((qd.KernelAssertionError, *COMPILES), match="the loop runs 20 iterations, which is not a multiple of its block_dim 8"):
        kernels.never_whole(x)


def test_blocks_that_are_not_whole_and_do_not_wait(x: Any) -> None:
    kernels.waits_in_none(x, 16)
    assert x[:17].tolist() == [1] * 16 + [0]
    x[:] = 0
    with pytest.raises(qd.KernelAssertionError, match="the loop runs 17 iterations, which is not a multiple of its block_dim 8"):
        kernels.waits_in_none(x, 17)
    assert not x.any()


def test_conditions_that_differ(x: Any, arch: str) -> None:
    """The line is that of the barrier or of the condition around it."""
    blocks.tells_who_meets(arch)
    for kernel, mark in ((kernels.some_wait, "some"), (kernels.some_wait_longer, "longer")):
        for values in (np.zeros(16), np.full(16, 2)):
            x[:16] = values
            kernel(x)
        x[:16] = np.arange(16) % 3
        expected = r"qd\.simt\.block\.sync\(\) under a condition that differs between the threads of a block"
        with pytest.raises(qd.KernelAssertionError, match=expected) as error:
            kernel(x)
        found = re.search(r"kernels_for_simt_errors\.py:(\d+) in ", str(error.value))
        assert found is not None and int(found[1]) in lines(mark), str(error.value)
    x[:16] = 0
    kernels.some_wait(x)  # the next launch works


def test_sums_of_lanes_that_are_not_all_there(x: Any) -> None:
    """Sums of missing lanes would count some lanes twice, without an error where debug is off."""
    x[:128] = np.arange(128)
    size = qd.simt.subgroup.group_size()
    kernels.sums_of_some(x, size)
    assert x[:128].tolist() == np.repeat(np.arange(128).reshape(-1, size).sum(1), size).tolist()
    with pytest.raises(qd.KernelAssertionError, match="a sum of lanes that are not all there") as error:
        kernels.sums_of_few(x, 4)
    assert re.search(rf"kernels_for_simt_errors\.py:{lines('few')[0]} in ", str(error.value))
    # Plain Python compares the conditions before it adds.
    with pytest.raises(qd.KernelAssertionError, match="a sum of lanes that are not all there|under a condition that differs"):
        kernels.sums_of_some(x, size - 1)


def test_indices(x: Any) -> None:
    kernels.indexed(x, 0)
    for n in (-1, 1):
        with pytest.raises(qd.KernelAssertionError, match=r"Accessing SharedArray \(i32\) of size \(8,\) with indices \((-1|8),\)"):
            kernels.indexed(x, n)


def test_asserts(x: Any) -> None:
    kernels.asserts(x)
    x[:16] = 0
    x[9] = 3
    with pytest.raises(qd.KernelAssertionError, match=rf"a three[\s\S]*at i=9\n.*kernels_for_simt_errors\.py:{lines('asserts')[0]} in asserts$"):
        kernels.asserts(x)
    x[9] = 0
    kernels.asserts(x)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("shape_at_run_time", "the shape of a SharedArray is one positive integer or several, known at compile time, not "),
        ("no_type", "the dtype of a SharedArray is that of a number, a vector or a matrix, not"),
        ("large_array", "a SharedArray has 1048576 bytes at most, not 4194304"),
        ("empty", "the shape of a SharedArray is one positive integer or several, known at compile time"),
        ("shuffles_a_vector", r"qd\.simt\.subgroup\.shuffle\(\) takes a number, not a vector of 2"),
        ("tile_too_large", "reduce_add_tiled: log2_size is from 0 to . here, not 9"),
        ("wrong_radix", r"radix_rank_match_atomic_or: block_dim is 2\*\*radix_bits, 16, not 32"),
        ("no_such_operation", "module 'qd(cov)?.simt.block' has no attribute .synch"),
        ("too_many_arguments", "simt.block.sync.* takes 0 .*argument"),
        ("array_as_a_number", "array of the block is not a number|class 'SharedArray' to a number"),
        ("negative_block", "`block_dim` is a positive integer"),
        ("large_block", "`block_dim` is 1024 at most, not 2048: the iterations are threads of blocks"),
    ],
)
def test_arguments(x: Any, name: str, message: str) -> None:
    with pytest.raises((*COMPILES, TypeError, AttributeError, qd.KernelNameError), match=message):
        getattr(kernels, name)(x, *([4] if name == "shape_at_run_time" else []))


def test_options(arch: str) -> None:
    for size in (0, 7, 24, 128):
        with pytest.raises(ValueError, match=f"cpu_subgroup_size must be 8, 16, 32 or 64, not {size}"):
            qd.init(arch=arch, cpu_subgroup_size=size, log_level="error")
    with pytest.raises(ValueError, match="default_gpu_block_dim must be an integer from 1 to 1024, not 2000"):
        qd.init(arch=arch, default_gpu_block_dim=2000, log_level="error")


def test_on_the_host(arch: str) -> None:
    blocks.start(arch)
    with pytest.raises(qd.KernelRuntimeError, match=r"qd\.simt\.block\.sync\(\) works in kernels only"):
        qd.simt.block.sync()
    with pytest.raises(qd.KernelRuntimeError, match=r"qd\.simt\.block\.SharedArray works in kernels only"):
        qd.simt.block.SharedArray(4, qd.f32)
    with pytest.raises(qd.KernelSyntaxError, match="cannot be called from Python-scope"):
        qd.simt.subgroup.reduce_add(1)


def test_what_comes_after_an_error(arch: str) -> None:
    blocks.start(arch, debug=True)
    out = np.zeros(16, np.int32)
    with pytest.raises(qd.KernelAssertionError):
        kernels.not_whole(out, 3)
    x = blocks.numbers(np.int32, 32)
    right.some_end_early(x, np.zeros_like(x))
