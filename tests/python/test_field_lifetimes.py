"""Ends of fields: tree.destroy() and the garbage collector give their memory back, a later use is an error, and variants compiled for fields
that are gone neither stay nor serve others."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import qd

ROUNDS = """\
import gc, sys

import numpy as np
import qd

qd.init(arch=sys.argv[1], log_level="error", offline_cache=False)
N = 2_000_000


@qd.kernel
def on_template(x: qd.template(), n: qd.i32) -> qd.i32:
    for i in x:
        x[i] += n
    return x[n]


@qd.kernel
def without_result(x: qd.template(), n: qd.i32):
    for i in x:
        x[i] += n


@qd.data_oriented
class Solver:
    def __init__(self):
        self.x = qd.field(qd.i32, shape=N)

    @qd.kernel
    def step(self, n: qd.i32):
        for i in self.x:
            self.x[i] += n


def placed():
    x = qd.field(qd.i32)
    builder = qd.FieldsBuilder()
    builder.dense(qd.i, N).place(x)
    return x, builder.finalize()


def destroyed(n):
    x, tree = placed()
    x.fill(n)
    assert x[n] == n
    tree.destroy()
    return x


def destroyed_after_launch(n):
    x, tree = placed()
    assert on_template(x, n) == n
    tree.destroy()
    return x


def destroyed_in_flight(n):
    x, tree = placed()
    without_result(x, n)
    tree.destroy()


def let_go(n):
    x = qd.field(qd.i32, shape=N, offset=-4)
    x.fill(1)


def let_go_after_launch(n):
    x = qd.field(qd.i32, shape=N)
    assert on_template(x, n) == n


def let_go_of_placed(n):
    x = qd.field(qd.i32)
    qd.root.dense(qd.i, N).place(x)
    assert on_template(x, n) == n


def let_go_of_parts(n):
    x = qd.Vector.field(2, qd.i32, shape=N // 2)
    y = x.get_scalar_field(1)
    x = None
    without_result(y, n)
    assert y[3] == n


def let_go_of_structs(n):
    s = qd.types.struct(a=qd.f32, b=qd.f32).field(shape=N // 2, needs_grad=True)
    s.a.fill(n)
    assert s[3].a == n


def let_go_of_objects(n):
    solver = Solver()
    solver.step(n)
    assert solver.x[7] == n


def let_go_with_kernel(n):
    x = qd.field(qd.i32, shape=N)

    @qd.func
    def added(i):
        x[i] += n

    @qd.kernel
    def captures():
        for i in x:
            added(i)

    captures()
    assert x[7] == n


def destroyed_with_kernel(n):
    x, tree = placed()

    @qd.kernel
    def captures():
        for i in x:
            x[i] += 1

    captures()
    assert x[7] == 1
    tree.destroy()


def rss():
    return int(open("/proc/self/statm").read().split()[1]) * 4096 >> 20


for way in sys.argv[2:]:
    once = globals()[way]
    for n in range(5):
        once(n)
    gc.collect()
    before = rss()
    for n in range(25):
        kept = once(n)
    gc.collect()
    print(way, rss() - before)
"""

WAYS = [line[4:].partition("(")[0] for line in ROUNDS.splitlines() if line.startswith(("def destroyed", "def let_go"))]


def test_memory_comes_back(tmp_path: Path, back_end_name: str) -> None:
    """25 times 8 MB, of which a few may stay."""
    (tmp_path / "rounds.py").write_text(ROUNDS)
    done = subprocess.run([sys.executable, "rounds.py", back_end_name, *WAYS], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    left = dict(line.split() for line in done.stdout.splitlines())
    assert sorted(left) == sorted(WAYS) and all(int(megabytes) < 40 for megabytes in left.values()), left


def test_no_garbage_collector_is_needed(back_end: str) -> None:
    """A field goes with the last name that it has, and so do kernels and funcs."""

    def captured() -> list[Any]:
        x = qd.field(qd.i32, shape=4)

        @qd.func
        def more(i):
            x[i] += 1

        @qd.kernel
        def count():
            for i in x:
                more(i)

        count()
        return [x, count, more]

    def never_called() -> list[Any]:
        x = qd.field(qd.i32, shape=4)

        @qd.kernel
        def count():
            x[0] += 1

        return [x, count]

    def with_gradient() -> list[Any]:
        x = qd.field(qd.f32, shape=4, needs_grad=True, needs_dual=True)
        return [x, x.grad, x.dual]

    def by_hand() -> list[Any]:
        x = qd.field(qd.f32)
        qd.root.dense(qd.i, 4).place(x)
        return [x, x.snode and x]

    def structs() -> list[Any]:
        s = qd.types.struct(a=qd.f32, v=qd.types.vector(2, qd.f32)).field(shape=3)
        return [s.a, s.v, s.v.get_scalar_field(1)]

    gc.collect()
    gc.disable()
    try:
        for make in (captured, never_called, with_gradient, by_hand, structs):
            assert [ref() for ref in [weakref.ref(thing) for thing in make()]] == [None] * len(make()), make
    finally:
        gc.enable()


@qd.kernel
def added(x: qd.template(), n: qd.i32):
    for i in x:
        x[i] += n


@qd.kernel
def total(x: qd.template()) -> qd.i32:
    s = 0
    for i in x:
        s += x[i]
    return s


def placed(n: int = 4) -> tuple[Any, Any]:
    x = qd.field(qd.i32, name="x")
    builder = qd.FieldsBuilder()
    builder.dense(qd.i, n).place(x)
    return x, builder.finalize()


def test_use_after_destroy(arch: str) -> None:
    whole = qd.Vector.field(2, qd.i32, name="v")
    builder = qd.FieldsBuilder()
    builder.dense(qd.i, 4).place(whole)
    part = whole.get_scalar_field(1)
    s = qd.types.struct(a=qd.i32).field(name="s")
    builder.dense(qd.i, 4).place(s)
    x, tree = placed()
    builder.finalize().destroy()
    uses = [
        lambda f: f.fill(1), lambda f: f.to_numpy(), lambda f: f.copy_from(x), lambda f: x.copy_from(f), lambda f: f[0],
        lambda f: added(f, 1), lambda f: qd.algorithms.parallel_sort(f), lambda f: qd.algorithms.PrefixSumExecutor(4).run(f),
        lambda f: np.asarray(f), lambda f: f.__dlpack__(), lambda f: total(f),
    ]  # fmt: skip
    for field in (part, s.a):
        for use in uses:
            with pytest.raises(qd.KernelRuntimeError, match=r"is gone: tree.destroy\(\) has ended"):
                use(field)
    with pytest.raises(qd.KernelRuntimeError, match=r"is gone: tree.destroy\(\) has ended"):
        whole.get_scalar_field(0)
    with pytest.raises(qd.KernelRuntimeError, match=r"is gone: tree.destroy\(\) has ended"):
        s[0]
    x.fill(3)
    assert total(x) == 12  # another tree
    builder.destroy()  # does nothing more
    tree.destroy()


def test_a_kernel_that_has_captured_what_is_destroyed(back_end: str) -> None:
    x, tree = placed()
    y = qd.field(qd.i32, shape=4)

    @qd.kernel
    def captured():
        for i in x:
            x[i] += 1
            y[i] += 1

    captured()
    tree.destroy()
    for _ in range(2):
        with pytest.raises(qd.KernelRuntimeError, match="kernel captured has captured the field `x`, which is gone"):
            captured()
    qd.sync()
    assert list(y.to_numpy()) == [1, 1, 1, 1]


def test_a_kernel_keeps_what_it_has_captured(back_end: str) -> None:
    def make() -> tuple[Any, Any]:
        x = qd.field(qd.i32, shape=4)
        several = [x, qd.field(qd.i32, shape=4)]

        @qd.func
        def more(i):
            several[1][i] += 2 * x[i]

        @qd.kernel
        def count(n: qd.template()) -> qd.i32:
            for i in x:
                x[i] += n
                more(i)
            return several[1][3]

        return count, weakref.ref(x)

    count, x = make()
    assert count(1) == 2
    gc.collect()
    others = [qd.field(qd.i32, shape=4) for _ in range(50)]  # would get the memory
    for other in others:
        other.fill(9)
    assert count(1) == 2 + 4
    assert count(2) == 2 + 4 + 8  # another variant
    assert all(other[3] == 9 for other in others)
    del count
    gc.collect()
    assert x() is None


def test_fields_of_a_module_that_is_rebound(back_end: str) -> None:
    """A kernel that reads an attribute keeps the field that it found there."""
    import types

    module = types.SimpleNamespace(x=qd.field(qd.i32, shape=4))

    @qd.kernel
    def count() -> qd.i32:
        module.x[1] += 1
        return module.x[1]

    assert count() == 1
    module.x = qd.field(qd.i32, shape=4)
    gc.collect()
    others = [qd.field(qd.i32, shape=4) for _ in range(50)]
    assert count() == 2
    assert all(other[1] == 0 for other in others)


def test_no_variant_serves_another_field(back_end: str) -> None:
    """A new field, be it where another one was, is never taken for that: each shape and offset is its own."""
    for n in range(60):
        size, offset = 1 + n % 7, n % 5 - 2
        x = qd.field(qd.i32, shape=size, offset=offset)
        added(x, n)
        added(x, 1)
        assert total(x) == size * (n + 1), n
        assert list(x.to_numpy()) == [n + 1] * size
        del x


def test_no_variant_serves_another_object(back_end: str) -> None:
    """Code may depend on which object a template is; a new one may be at the address of one that is no more."""

    class Table:
        pass

    @qd.kernel
    def same(a: qd.template(), b: qd.template()) -> qd.i32:
        r = 0
        if qd.static(a == b):
            r = 1
        return r

    kept = Table()
    for n in range(40):
        a, b = Table(), Table()
        assert same(a, b) == 0, n
        assert same(a, a) == 1, n
        assert same(a, kept) == 0 and same(kept, kept) == 1, n
        if n % 2:
            del a, b
        else:
            del b, a


def test_variants_of_dead_fields_go(back_end: str) -> None:
    """A variant for a dead field goes when the next variant is compiled: the kernel's own objects show it."""

    class Marker:
        pass

    @qd.data_oriented
    class Sim:
        def __init__(self) -> None:
            self.x = qd.field(qd.i32, shape=8)
            self.marker = Marker()

        @qd.kernel
        def step(self):
            for i in self.x:
                self.x[i] += 1

    dead = []
    for _ in range(10):
        sim = Sim()
        sim.step()
        assert sim.x[3] == 1
        dead.append((weakref.ref(sim), weakref.ref(sim.x), weakref.ref(sim.marker)))
    del sim
    gc.collect()
    assert [ref() for refs in dead for ref in refs] == [None] * 30


def test_a_gradient_that_is_destroyed(back_end: str) -> None:
    x = qd.field(qd.f32, needs_grad=True)
    of_x, of_grad = qd.FieldsBuilder(), qd.FieldsBuilder()
    of_x.dense(qd.i, 4).place(x)

    @qd.kernel
    def to_grad(f: qd.template()):
        for i in f:
            f.grad[i] = f[i] + 1

    of_grad.dense(qd.i, 4).place(x.grad)
    to_grad(x)
    assert x.grad[2] == 1
    of_grad.destroy()
    with pytest.raises(qd.KernelCompilationError, match="grad"):
        to_grad(x)
    x.fill(2)
    assert x[1] == 2


def test_views_of_the_host_keep_the_memory(back_end: str) -> None:
    x, tree = placed(1000)
    x.fill(5)
    try:
        view = x.to_numpy(copy=False)
    except ValueError:
        pytest.skip("the memory is not the host's")
    exported = np.from_dlpack(x)
    tree.destroy()
    del x
    gc.collect()
    others = [qd.field(qd.i32, shape=1000) for _ in range(20)]
    for other in others:
        other.fill(9)
    assert (view == 5).all() and (exported == 5).all()
    view[:] = 6
    assert (exported == 6).all() and all((other.to_numpy() == 9).all() for other in others)


def test_launches_on_a_stream_outlive_the_field(back_end: str) -> None:
    n = 1 << 18
    out = qd.field(qd.i32, shape=n)

    @qd.kernel
    def slow(x: qd.template()):
        for i in x:
            for _j in range(200):
                x[i] = (x[i] * 1103515245 + 12345) % 1000003
            out[i] = x[i]

    try:
        stream = qd.create_stream()
    except qd.KernelRuntimeError:
        pytest.skip("no streams")
    want = np.arange(n, dtype=np.int32)
    with np.errstate(over="ignore"):
        for _ in range(200):
            want = np.mod(want * np.int32(1103515245) + np.int32(12345), np.int32(1000003)).astype(np.int32)
    for destroy in (True, False):
        x, tree = placed(n)
        x.from_numpy(np.arange(n, dtype=np.int32))
        slow(x, qd_stream=stream)
        if destroy:
            tree.destroy()
        del x, tree
        gc.collect()
        others = [qd.field(qd.i32, shape=n) for _ in range(4)]
        for other in others:
            other.fill(-1)
        stream.synchronize()
        np.testing.assert_array_equal(out.to_numpy(), want)
        assert all((other.to_numpy() == -1).all() for other in others)


def test_other_threads_go_on_with_what_is_let_go(back_end: str) -> None:
    """A thread that is in a launch when another one destroys the field."""
    import threading

    @qd.kernel
    def slow(x: qd.template()) -> qd.i32:
        s = 0
        for _i in range(1):
            for j in range(60_000):  # a length that every device can do
                x[j % 4] = x[j % 4] * 3 % 1001 + 1
            s = x[0]
        return s

    for _ in range(5):
        x, tree = placed()
        got: list[Any] = []

        def run(x: Any = x, got: list[Any] = got) -> None:
            try:
                got.append(slow(x))
            except qd.KernelRuntimeError as error:
                got.append(str(error))

        threads = [threading.Thread(target=run) for _ in range(2)]
        for thread in threads:
            thread.start()
        tree.destroy()
        others = [qd.field(qd.i32, shape=4) for _ in range(50)]
        for thread in threads:
            thread.join()
        assert len(got) == 2 and all(isinstance(one, int) or "gone" in one for one in got)
        assert all((other.to_numpy() == 0).all() for other in others)


def test_threads_that_compile_and_let_go(back_end: str) -> None:
    """Variants go while other threads launch the same kernel."""
    import threading

    wrong: list[Any] = []

    def run(thread: int) -> None:
        for n in range(40):
            size = 1 + (thread + n) % 5
            x = qd.field(qd.i32, shape=size, offset=n % 3)
            added(x, n)
            if total(x) != size * n:
                wrong.append((thread, n))
            del x

    threads = [threading.Thread(target=run, args=(thread,)) for thread in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


COVERED = """\
import gc, sys
import qd

qd.init(arch=sys.argv[1], log_level="error", offline_cache=False)


@qd.kernel
def sign(x: qd.template()):
    for i in x:
        if x[i] > 0:
            x[i] = 1
        elif x[i] < 0:
            x[i] = -1
        else:
            x[i] = 5


for n in (3, -3, 0, 0):
    x = qd.field(qd.i32, shape=2, offset=n)
    x.fill(n)
    sign(x)
    del x
    gc.collect()
"""


def test_coverage_of_variants_that_are_gone(tmp_path: Path, back_end_name: str) -> None:
    """A variant for a field that is no more keeps its counts."""
    import coverage

    (tmp_path / "program.py").write_text(COVERED)
    command = ["qd-cov", "run", "--branch", "--", sys.executable, "program.py", back_end_name]
    subprocess.run(command, cwd=tmp_path, check=True)
    data = coverage.CoverageData(str(tmp_path / ".coverage"))
    data.read()
    arcs = set(data.arcs(str(tmp_path / "program.py")) or ())
    assert {(9, 10), (10, 11), (10, 12), (12, 13), (12, 15), (9, -7)} <= arcs


@pytest.mark.parametrize("place", [(16,), (-1,), (15, 1)])
def test_a_write_outside_of_memory_is_told_without_debug_mode(place: tuple[int, ...], capfd: pytest.CaptureFixture[str]) -> None:
    """The memory of an array has margins, so that such a write does not harm the program's own; its end tells of it."""
    qd.init(arch=qd.cpu, log_level="error")
    x = qd.field(qd.f32, 16, name="speed")
    y = qd.ndarray(qd.i32, 16)

    @qd.kernel
    def write(first: qd.i32, a: qd.template(), b: qd.types.ndarray()):
        a[first] = 1
        b[first] = 1

    for index in place:
        write(index, x, y)
    outside = place != (15, 1)
    del y
    qd.reset()
    told = capfd.readouterr().err
    assert ("[qd] a kernel wrote outside of field `speed` of shape (16,), with an index out of range" in told) == outside
    assert ("[qd] a kernel wrote outside of an ndarray of i32, shape (16,)" in told) == outside


def test_a_stencil_that_reads_the_rows_around_its_field(tmp_path: Path) -> None:
    """Such indices are wrong, but many programs have them; they read zeros, without an access to pages of others."""
    program = """
import qd
qd.init(arch=qd.cpu, log_level="error")
fields = [qd.field(qd.f32, (1024, 16384)) for _ in range(3)]

@qd.kernel
def rows(x: qd.template(), first: qd.i32, last: qd.i32) -> qd.f32:
    total = 0.0
    for j in range(16384):
        total += x[first, j] + x[first + 63, j] + x[last - 63, j] + x[last, j]
    return total

for x in fields:
    x.fill(1)
print([rows(x, -64, 1087) for x in fields])
"""
    (tmp_path / "program.py").write_text(program)
    done = subprocess.run([sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "[0.0, 0.0, 0.0]\n"), done.stderr
