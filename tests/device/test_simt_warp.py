"""qd.simt.warp against numpy, with subgroups of 32 lanes and fewer."""

from __future__ import annotations

from typing import Any

import blocks
import kernels_for_simt as kernels
import numpy as np
import pytest
import qd

warp = qd.simt.warp


@pytest.fixture(params=[8, 32])
def size(arch: str, request: pytest.FixtureRequest) -> int:
    return blocks.start(arch, request.param)


def bits(flags: Any) -> int:
    return sum(1 << i for i, flag in enumerate(flags) if flag)


def test_votes(size: int) -> None:
    random = np.random.default_rng(0)
    for x in (np.zeros(2 * size), np.ones(2 * size), random.integers(0, 2, 2 * size)):
        x = x.astype(np.int32)
        for mask in (0xFFFFFFFF, 0b1010_0110, 1, 0):
            lanes = np.array([mask >> i & 1 for i in range(size)], bool)
            rows = [row[lanes] != 0 for row in blocks.tiles(x, size)]
            for name, want in (("all_nonzero", np.all), ("any_nonzero", np.any), ("unique", lambda row: row.all() or not row.any())):
                out = np.full(2 * size, -1, np.int32)
                kernels.of_warp(getattr(warp, name))(mask, x, out)
                np.testing.assert_array_equal(blocks.tiles(out, size), [[int(want(row))] * size for row in rows], err_msg=name)


def test_masks(size: int) -> None:
    x = np.random.default_rng(1).integers(0, 2, 2 * size).astype(np.int32)
    ballots, active = np.zeros(2 * size, np.uint32), np.zeros(2 * size, np.uint32)
    kernels.warp_masks(x, ballots, active)
    np.testing.assert_array_equal(blocks.tiles(ballots, size), [[bits(row)] * size for row in blocks.tiles(x, size)])
    np.testing.assert_array_equal(active, (1 << size) - 1)


def test_matches(size: int) -> None:
    for x in (np.arange(2 * size) % 3, np.full(2 * size, 5)):
        x = x.astype(np.int32)
        for mask in ((1 << size) - 1, 0b1101_1011):
            lanes = np.array([mask >> i & 1 for i in range(size)], bool)
            out = np.zeros(2 * size, np.uint32)
            kernels.of_warp(warp.match_any)(mask, x, out)
            want = [[bits((row == value) & lanes) for value in row] for row in blocks.tiles(x, size)]
            np.testing.assert_array_equal(blocks.tiles(out, size)[:, lanes], np.array(want)[:, lanes])
            kernels.of_warp(warp.match_all)(mask, x, out)
            want = [[bits(lanes) if len(set(row[lanes])) == 1 else 0] * size for row in blocks.tiles(x, size)]
            np.testing.assert_array_equal(blocks.tiles(out, size)[:, lanes], np.array(want)[:, lanes])


@pytest.mark.parametrize("kind", ["i32", "f32"])
def test_shuffles(size: int, kind: str) -> None:
    x = np.random.default_rng(2).integers(-100, 100, 2 * size).astype({"i32": np.int32, "f32": np.float32}[kind])
    lane = np.arange(size)
    for offset in (0, 1, 5):
        for name, source in (("sync", np.full(size, offset)), ("up", lane - offset), ("down", lane + offset), ("xor", lane ^ offset)):
            if (name, kind) == ("xor", "f32"):
                continue
            out = np.zeros_like(x)
            kernels.of_warp_shift(getattr(warp, f"shfl_{name}_{kind}"))(offset, x, out)
            want = np.where((source >= 0) & (source < size), source, lane)
            np.testing.assert_array_equal(blocks.tiles(out, size), blocks.tiles(x, size)[:, want], err_msg=name)
