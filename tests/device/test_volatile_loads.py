"""`qd.volatile_load` reads an element each time the program comes there, as Quadrants' does: loops that wait for another thread end."""

from __future__ import annotations

import numpy as np
import pytest
import qd

i32s, halves = qd.types.ndarray(dtype=qd.i32, ndim=1), qd.types.ndarray(dtype=qd.f16, ndim=1)
table, vectors = qd.types.ndarray(dtype=qd.i64, ndim=2), qd.types.ndarray(dtype=qd.math.vec3, ndim=1)
BLOCK = 32


@qd.kernel
def chain(x: i32s):
    """The first thread of each block waits for the block before."""
    qd.loop_config(block_dim=BLOCK)
    for i in range(x.shape[0]):
        if i % BLOCK == 0:
            if i == 0:
                qd.atomic_exchange(x[i], 1)
            else:
                before = 0
                while before == 0:
                    before = qd.volatile_load(x[i - BLOCK])
                qd.atomic_exchange(x[i], before + 1)


@qd.kernel
def values(half: halves, wide: table, v: vectors) -> qd.f32:
    s = 0.0
    for i in half:
        s += qd.volatile_load(half[i]) * qd.volatile_load(wide[i, 1])
    for i in v:
        w = qd.volatile_load(v[i])
        s += w.x + 10 * w.y + 100 * qd.volatile_load(v[i].z)
    return s


def test_a_block_waits_for_the_one_before(back_end: str) -> None:
    qd.init(arch=back_end, log_level="error")
    x = qd.ndarray(qd.i32, 50 * BLOCK)
    chain(x)
    assert x.to_numpy()[::BLOCK].tolist() == list(range(1, 51))


def test_elements_of_every_type(back_end: str) -> None:
    qd.init(arch=back_end, log_level="error")
    half = np.array([1.5, 2.0], np.float16)
    wide = np.array([[0, 2], [0, 4]], np.int64)
    v = qd.Vector.ndarray(3, qd.f32, 2)
    v.from_numpy(np.array([[1, 2, 3], [4, 5, 6]], np.float32))
    assert values(half, wide, v) == 3 + 8 + (1 + 20 + 300) + (4 + 50 + 600)


def test_only_elements_are_read_so(back_end: str) -> None:
    qd.init(arch=back_end, log_level="error")

    @qd.kernel
    def local(x: i32s):
        n = 0
        x[0] = qd.volatile_load(n)

    @qd.kernel
    def whole(x: i32s):
        x[0] = qd.volatile_load(x)

    @qd.kernel
    def value(x: i32s):
        x[0] = qd.volatile_load(x[0] + 1)

    x = qd.ndarray(qd.i32, 1)
    for kernel, what in ((local, "a value of the thread's own"), (whole, "array `x`"), (value, "a value")):
        with pytest.raises(qd.KernelTypeError, match=f"`volatile_load` takes an element of a field or an ndarray, such as .*, not {what}"):
            kernel(x)
