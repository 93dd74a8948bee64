"""Fields whose indices do not begin at 0, in each layout: the library's functions on them, against numpy. Elements on both sides of a field's memory
are watched."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from typing import Any

import kernels_for_offsets as kernels
import numpy as np
import pytest
import qd
from pairs import pairs
from qd import algorithms

OFFSETS = [-300, -7, 0, 5, 100_000]
N = 120
OUTSIDE: type[Exception] = IndexError
"""The error of the host for an index that is out of range."""


class Guarded:
    """A field of numbers with one axis, and the arrays of its memory that must not change."""

    def __init__(self, field: Any, *guards: Any) -> None:
        self.field, self.guards = field, guards
        for guard in guards:
            guard.fill(77)

    def check(self) -> None:
        for guard in self.guards:
            np.testing.assert_array_equal(guard.to_numpy(), 77)


def plain(dtype: Any, n: int, offset: int) -> Guarded:
    return Guarded(qd.field(dtype, shape=n, offset=offset))


def between_components(dtype: Any, n: int, offset: int) -> Guarded:
    """The middle one of three blocks of memory, one behind the other."""
    whole = qd.Vector.field(3, dtype, shape=n, offset=offset, layout=qd.Layout.SOA)
    return Guarded(whole.get_scalar_field(1), whole.get_scalar_field(0), whole.get_scalar_field(2))


def component(dtype: Any, n: int, offset: int) -> Guarded:
    whole = qd.Vector.field(3, dtype, shape=n, offset=offset)
    return Guarded(whole.get_scalar_field(1), whole.get_scalar_field(0), whole.get_scalar_field(2))


def member(dtype: Any, n: int, offset: int) -> Guarded:
    whole = qd.types.struct(before=dtype, x=dtype, behind=dtype).field(shape=n, offset=offset)
    return Guarded(whole.x, whole.before, whole.behind)


def placed_together(dtype: Any, n: int, offset: int) -> Guarded:
    before, x, behind = (qd.field(dtype) for _ in range(3))
    qd.root.dense(qd.i, n).place(before, x, behind, offset=offset)
    return Guarded(x, before, behind)


def nested(dtype: Any, n: int, offset: int) -> Guarded:
    x, beside = qd.field(dtype), qd.field(dtype)
    builder = qd.FieldsBuilder()
    builder.dense(qd.i, n // 2).dense(qd.i, 2).place(x, beside, offset=offset)
    builder.finalize()
    return Guarded(x, beside)


LAYOUTS: list[Callable[..., Guarded]] = [plain, between_components, component, member, placed_together, nested]


def made(layout: Callable[..., Guarded], offset: int, numbers: Any, dtype: Any = qd.i32) -> Guarded:
    guarded = layout(dtype, len(numbers), offset)
    guarded.field.from_numpy(numbers)
    return guarded


def numbers(n: int = N, seed: int = 0) -> Any:
    return np.random.default_rng(seed).integers(-40, 40, n).astype(np.int32)


def slots(n: int) -> Any:
    return qd.field(qd.u32, shape=n)


def by_parallel_sort(layout: Any, offset: int) -> None:
    keys, values = numbers(), np.arange(N, dtype=np.int32)
    a, b = made(layout, offset, keys), made(layout, 3 - offset, values)
    algorithms.parallel_sort(a.field, b.field)
    order = np.argsort(keys, kind="stable")
    np.testing.assert_array_equal(a.field.to_numpy(), keys[order])
    np.testing.assert_array_equal(b.field.to_numpy(), values[order])
    a.check()
    b.check()


def by_parallel_sort_of_keys(layout: Any, offset: int) -> None:
    a = made(layout, offset, numbers())
    algorithms.parallel_sort(a.field)
    np.testing.assert_array_equal(a.field.to_numpy(), np.sort(numbers()))
    a.check()


def by_prefix_sum(layout: Any, offset: int) -> None:
    a = made(layout, offset, numbers())
    algorithms.PrefixSumExecutor(N).run(a.field)
    np.testing.assert_array_equal(a.field.to_numpy(), np.cumsum(numbers()))
    a.check()


def by_sort(layout: Any, offset: int) -> None:
    keys, values = numbers(), np.arange(N, dtype=np.int32)
    fields = [made(layout, at, what) for at, what in ((offset, keys), (-offset, keys), (offset + 1, values), (0, values))]
    count = qd.field(qd.i32, shape=())
    count[None] = N
    kernels.sort(*(one.field for one in fields), slots(algorithms.sort_scratch_slots(N)), count)
    order = np.argsort(keys, kind="stable")
    np.testing.assert_array_equal(fields[0].field.to_numpy(), keys[order])
    np.testing.assert_array_equal(fields[2].field.to_numpy(), values[order])
    for one in fields:
        one.check()


def by_reductions(layout: Any, offset: int) -> None:
    x = made(layout, offset, numbers())
    outs = [made(layout, offset, np.zeros(2, np.int32)) for _ in range(3)]
    kernels.reduce_all(x.field, *(out.field for out in outs), slots(9), N - 1)
    some = numbers()[: N - 1]
    assert [out.field[offset] for out in outs] == [some.sum(), some.min(), some.max()]
    assert [out.field[offset + 1] for out in outs] == [0, 0, 0]
    for one in (x, *outs):
        one.check()


def by_scans(layout: Any, offset: int) -> None:
    x = made(layout, offset, numbers())
    outs = [made(layout, at, np.full(N, 5, np.int32)) for at in (offset, -offset, 1)]
    kernels.scan_all(x.field, *(out.field for out in outs), slots(9), N - 2)
    some = numbers()[: N - 2].astype(np.int64)
    limits = np.iinfo(np.int32)
    for out, of, begin in zip(outs, (np.add, np.minimum, np.maximum), (0, limits.max, limits.min)):
        want = np.concatenate([of.accumulate(np.concatenate([[begin], some]))[:-1], [5, 5]])
        np.testing.assert_array_equal(out.field.to_numpy(), want)
    for one in (x, *outs):
        one.check()


def by_select(layout: Any, offset: int) -> None:
    x, flags = numbers(), (numbers(seed=1) > 0).astype(np.int32)
    fields = [made(layout, at, what) for at, what in ((offset, x), (-offset, flags), (offset + 2, np.zeros(N, np.int32)))]
    count = made(layout, offset, np.zeros(2, np.int32))
    kernels.select(*(one.field for one in fields), count.field, slots(algorithms.select_scratch_slots(N)), N)
    want = x[flags != 0]
    assert count.field[offset] == len(want)
    np.testing.assert_array_equal(fields[2].field.to_numpy()[: len(want)], want)
    for one in (*fields, count):
        one.check()


def by_sums_by_key(layout: Any, offset: int) -> None:
    keys, values = np.sort(numbers()), numbers(seed=1)
    fields = [made(layout, at, what) for at, what in ((offset, keys), (-offset, values), (offset + 2, 0 * keys), (1, 0 * keys))]
    count = made(layout, offset, np.zeros(2, np.int32))
    kernels.sums_by_key(*(one.field for one in fields), count.field, slots(algorithms.reduce_by_key_scratch_slots(N)), N)
    unique = np.unique(keys)
    assert count.field[offset] == len(unique)
    np.testing.assert_array_equal(fields[2].field.to_numpy()[: len(unique)], unique)
    np.testing.assert_array_equal(fields[3].field.to_numpy()[: len(unique)], [values[keys == key].sum() for key in unique])
    for one in (*fields, count):
        one.check()


def by_host_accesses(layout: Any, offset: int) -> None:
    a = made(layout, offset, numbers())
    x = a.field
    assert x.shape == (N,) and len(x) == N
    assert [x[offset + i] for i in range(N)] == list(numbers())
    x[offset], x[offset + N - 1] = 5, 6
    assert list(np.asarray(x)[[0, N - 1]]) == [5, 6]
    for outside in (offset - 1, offset + N):
        with pytest.raises(OUTSIDE):
            x[outside]
        with pytest.raises(OUTSIDE):
            x[outside] = 1
    a.check()


def by_copies(layout: Any, offset: int) -> None:
    a, b = made(layout, offset, numbers()), made(layout, 4, np.zeros(N, np.int32))
    b.field.copy_from(a.field)
    np.testing.assert_array_equal(b.field.to_numpy(dtype=np.float64), numbers())
    a.field.fill(-3)
    np.testing.assert_array_equal(a.field.to_numpy(), -3)
    np.testing.assert_array_equal(b.field.to_numpy(), numbers())
    with pytest.raises(ValueError, match="Mismatch shape"):
        b.field.copy_from(qd.field(qd.i32, shape=N + 1, offset=offset))
    same = pickle.loads(pickle.dumps(qd.Tensor(b.field)))
    np.testing.assert_array_equal(same.to_numpy(), numbers())
    assert same[4] == numbers()[0]
    a.check()
    b.check()


def by_loops(layout: Any, offset: int) -> None:
    a = made(layout, offset, numbers())
    kernels.add_line(a.field)
    np.testing.assert_array_equal(a.field.to_numpy(), numbers() + offset + np.arange(N))
    kernels.add_index(a.field, 3)
    np.testing.assert_array_equal(a.field.to_numpy(), numbers() + 2 * (offset + np.arange(N)))
    a.check()


USES = [
    by_parallel_sort, by_parallel_sort_of_keys, by_prefix_sum, by_sort, by_reductions, by_scans, by_select, by_sums_by_key, by_host_accesses,
    by_copies, by_loops,
]  # fmt: skip


@pytest.mark.parametrize("use", USES)
def test_one_axis(arch: str, use: Callable[[Any, int], None]) -> None:
    for other, layout, offset in pairs(USES, LAYOUTS, OFFSETS):
        if other is use:
            use(layout, offset)


@pytest.mark.parametrize(
    ("order", "offset", "element", "layout"),
    pairs([None, "ijk", "kji", "jki"], [(0, 0, 0), (-2, 7, 0), (1, -1, -40), (1000, 0, 3)], ["number", "vector", "matrix"], ["AOS", "SOA"]),
)
def test_several_axes(arch: str, order: str | None, offset: tuple[int, ...], element: str, layout: str) -> None:
    shape = (3, 4, 5)
    of, inside = {"number": (qd.i32, ()), "vector": (qd.types.vector(2, qd.i32), (2,)), "matrix": (qd.types.matrix(2, 3, qd.i32), (2, 3))}[element]
    x = qd.field(of, shape=shape, order=order, offset=offset, layout=qd.Layout[layout])
    want = np.arange(np.prod(shape + inside)).reshape(shape + inside).astype(np.int32)
    x.from_numpy(want)
    kernels.add_index(x, 10)
    at = np.zeros(shape, np.int32)
    for axis, first in enumerate(offset):
        at = at * 10 + (np.arange(shape[axis]) + first).reshape([-1 if a == axis else 1 for a in range(3)])
    want = want + at.reshape(shape + (1,) * len(inside))
    np.testing.assert_array_equal(x.to_numpy(), want)
    for place in np.ndindex(shape):
        index = tuple(i + o for i, o in zip(place, offset))
        np.testing.assert_array_equal(np.array(x[index].to_numpy() if inside else x[index]), want[place])
    y = qd.field(of, shape=shape, offset=tuple(-o for o in offset))
    y.copy_from(x)
    np.testing.assert_array_equal(y.to_numpy(), want)
    with pytest.raises(IndexError):
        x[offset[0] + 3, offset[1], offset[2]]


SHORT = [
    ("reduce_all", "arr", lambda f: kernels.reduce_all(f(3), f(1), f(1), f(1), slots(9), 4)),
    ("scan_all", "out", lambda f: kernels.scan_all(f(4), f(3), f(4), f(4), slots(9), 4)),
    ("scan_all", "scratch", lambda f: kernels.scan_all(f(4), f(4), f(4), f(4), slots(0), 4)),
    ("sort", "values", lambda f: kernels.sort(f(4), f(4), f(3), f(4), slots(600), counted(4))),
    ("sort", "tmp_keys", lambda f: kernels.sort(f(4), f(3), f(4), f(4), slots(600), counted(4))),
    ("sort", "scratch", lambda f: kernels.sort(f(4), f(4), f(4), f(4), slots(255), counted(4))),
    ("select", "flags", lambda f: kernels.select(f(4), f(3), f(4), f(1), slots(600), 4)),
    ("select", "out", lambda f: kernels.select(f(4), f(4), f(3), f(1), slots(600), 4)),
    ("sums_by_key", "values_in", lambda f: kernels.sums_by_key(f(4), f(3), f(4), f(4), f(1), slots(600), 4)),
    ("sums_by_key", "keys_out", lambda f: kernels.sums_by_key(f(4), f(4), f(3), f(4), f(1), slots(600), 4)),
]


def counted(n: int) -> Any:
    count = qd.field(qd.i32, shape=())
    count[None] = n
    return count


@pytest.mark.parametrize(("name", "what", "call"), SHORT, ids=[f"{name}-{what}" for name, what, _ in SHORT])
def test_arrays_that_are_too_short(arch: str, name: str, what: str, call: Callable[[Any], Any]) -> None:
    """Each is an error without debug mode, too, and nothing of others is written."""
    fields: list[Guarded] = []

    def field(n: int) -> Any:
        fields.append(made(between_components, 2, np.arange(n, 0, -1, dtype=np.int32)))
        return fields[-1].field

    with pytest.raises(qd.KernelAssertionError, match=f"{what} must have "):
        call(field)
        qd.sync()
    for one in fields:
        one.check()


def test_arrays_that_are_not_sorted(arch: str) -> None:
    flat, square = qd.field(qd.i32, shape=4, offset=-3), qd.field(qd.i32, shape=(4, 4), offset=(1, 2))
    with pytest.raises(ValueError, match="one axis"):
        algorithms.parallel_sort(square)
    with pytest.raises(ValueError, match="one axis"):
        algorithms.parallel_sort(flat, square)
    with pytest.raises(ValueError, match="4 keys and 3 values"):
        algorithms.parallel_sort(flat, qd.field(qd.i32, shape=3, offset=-3))
    with pytest.raises(TypeError, match="not qd.i8"):
        algorithms.parallel_sort(qd.field(qd.i8, shape=4))
    with pytest.raises(TypeError, match="fields and ndarrays of numbers"):
        algorithms.parallel_sort(qd.Vector.field(2, qd.i32, shape=4))
    with pytest.raises(ValueError, match="of 5 elements in a row"):
        algorithms.PrefixSumExecutor(5).run(flat)
    with pytest.raises(ValueError, match="of 4 elements in a row"):
        algorithms.PrefixSumExecutor(4).run(square)
    algorithms.parallel_sort(qd.field(qd.i32, shape=0))
    algorithms.PrefixSumExecutor(0).run(flat)
    values = qd.field(qd.i64, shape=7, offset=11)  # more than keys: the rest stays
    values.from_numpy(np.arange(7))
    flat.from_numpy(np.array([3, 1, 2, 0], np.int32))
    algorithms.parallel_sort(qd.Tensor(flat), values)
    assert list(values.to_numpy()) == [3, 1, 2, 0, 4, 5, 6] and list(flat.to_numpy()) == [0, 1, 2, 3]


def test_structs_and_vectors_along_with_keys(arch: str) -> None:
    """Values of any type, which are moved as a whole."""
    keys = [qd.field(qd.i32, shape=5, offset=offset) for offset in (-2, 9)]
    kind = qd.types.struct(a=qd.f32, v=qd.types.vector(2, qd.i32))
    values = [kind.field(shape=5, offset=offset) for offset in (100, -1)]
    order = np.array([4, 2, 0, 3, 1], np.int32)
    keys[0].from_numpy(order)
    values[0].a.from_numpy(order.astype(np.float32))
    values[0].v.from_numpy(np.stack([order, -order], axis=1))
    kernels.sort(*keys, *values, slots(600), counted(5))
    assert list(keys[0].to_numpy()) == [0, 1, 2, 3, 4]
    assert list(values[0].a.to_numpy()) == [0, 1, 2, 3, 4]
    assert values[0].v.to_numpy().tolist() == [[i, -i] for i in range(5)]


def test_many_chunks(back_end: str) -> None:
    """So many elements that threads sort parts of them."""
    n = 40_000
    want = np.random.default_rng(0).integers(-(2**31), 2**31 - 1, n, np.int32)
    for offset in (-12_345, 12_345):
        keys, values = made(between_components, offset, want), made(between_components, -offset, np.arange(n, dtype=np.int32))
        algorithms.parallel_sort(keys.field, values.field)
        order = np.argsort(want, kind="stable")
        np.testing.assert_array_equal(keys.field.to_numpy(), want[order])
        np.testing.assert_array_equal(values.field.to_numpy(), order)
        sums = made(between_components, offset, want)
        algorithms.PrefixSumExecutor(n).run(sums.field)
        np.testing.assert_array_equal(sums.field.to_numpy(), np.cumsum(want, dtype=np.int32))
        for one in (keys, values, sums):
            one.check()


@pytest.mark.parametrize("use", USES)
def test_with_checks_of_bounds(back_end_name: str, use: Callable[[Any, int], None]) -> None:
    """Debug mode finds no index outside of a field."""
    qd.init(arch=back_end_name, log_level="error", debug=True)
    with pytest.MonkeyPatch.context() as patch:
        if use is by_host_accesses:
            patch.setattr(sys.modules[__name__], "OUTSIDE", qd.KernelAssertionError)
        use(component, -7)
        qd.sync()
    qd.reset()


def test_other_arrays_that_are_too_short(arch: str) -> None:
    """Arrays of the host, ndarrays and views, whose sizes only the launch knows."""
    import kernels_for_algorithms as others

    whole = np.full(10, 7, np.int32)
    scratch, total = np.zeros(4, np.uint32), np.zeros(1, np.int32)
    with pytest.raises(qd.KernelAssertionError, match="arr must have 5 elements, not 4"):
        others.reduce_add(whole[:4], total, scratch, 5, 1)
        qd.sync()
    with pytest.raises(qd.KernelAssertionError, match="out must have 4 elements, not 3"):
        others.scan_add(whole[:4], whole[5:8], scratch, 4, 1)
        qd.sync()
    assert list(whole) == [7] * 10
    out = qd.ndarray(qd.i32, 3)
    with pytest.raises(qd.KernelAssertionError, match="out must have 4 elements, not 3"):
        others.scan_add(whole[:4], out, scratch, 4, 1)
        qd.sync()
    assert list(out.to_numpy()) == [0, 0, 0]
