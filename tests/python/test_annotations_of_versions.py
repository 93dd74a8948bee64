"""Annotations mean the same on every Python: evaluated at once (to 3.13), when they are asked for (3.14), or kept as text (the __future__ import)."""

from __future__ import annotations

import importlib.util
import inspect
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import qd

FUTURE = "from __future__ import annotations\n"


@pytest.fixture(params=["", FUTURE], ids=["evaluated", "text"])
def made(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    """Makes a module of a source, with the __future__ import and without."""
    names: list[str] = []

    def make(source: str) -> ModuleType:
        names.append(f"annotated_{len(names)}_{tmp_path.name}")
        file = tmp_path / f"{names[-1]}.py"
        file.write_text(request.param + textwrap.dedent(source))
        spec = importlib.util.spec_from_file_location(names[-1], file)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[names[-1]] = module
        spec.loader.exec_module(module)
        return module

    yield make
    for name in names:
        del sys.modules[name]


def test_members_of_a_struct(made: Any, arch: str) -> None:
    module = made("""
        import qd

        vec3 = qd.types.vector(3, qd.f32)

        @qd.dataclass
        class Inner:
            weight: qd.f64

        @qd.dataclass
        class Body:
            mass: qd.f32
            place: vec3
            inner: Inner
            if True:
                count: qd.i32

            @qd.func
            def heavier(self, by: qd.f32) -> qd.f32:
                return self.mass + by

        @qd.kernel
        def run(body: Body) -> qd.f32:
            return body.heavier(1.5) + body.place[2] + qd.cast(body.inner.weight, qd.f32) + body.count
    """)
    assert list(module.Body.members) == ["mass", "place", "inner", "count"]
    assert module.run(module.Body(mass=1.0, place=[0, 0, 4], inner=module.Inner(weight=8.0), count=16)) == 30.5


def test_members_with_local_types(made: Any, arch: str) -> None:
    """Local names in annotations that are text are found in the frame of the decorator."""
    module = made("""
        import qd

        def make(kind):
            pair = qd.types.vector(2, kind)

            @qd.dataclass
            class Body:
                both: pair
                one: kind

            return Body
    """)
    wide, narrow = module.make(qd.f64), module.make(qd.f32)
    assert (wide.members["one"], narrow.members["one"]) == (qd.f64, qd.f32)
    assert (wide.members["both"].dtype, narrow.members["both"].dtype) == (qd.f64, qd.f32)


def test_inherited_annotations_are_no_members(made: Any) -> None:
    module = made("""
        class Base:
            hidden: int

        class Derived(Base):
            pass
    """)
    assert not qd.dataclass(module.Derived).members


@pytest.mark.parametrize("body", ["x: Unknown", "x: qd.f32\n    y: qd.types.vector(3, Unknown)"])
def test_a_member_of_an_unknown_type(made: Any, body: str) -> None:
    """Before 3.14 Python itself refuses the class, unless annotations are kept as text."""
    with pytest.raises((qd.KernelSyntaxError, NameError), match="name 'Unknown' is not defined"):
        made(f"import qd\n\n@qd.dataclass\nclass Body:\n    {body}\n")


def test_parameters(made: Any, arch: str) -> None:
    module = made("""
        import qd

        vec2 = qd.types.vector(2, qd.f32)

        @qd.func
        def scaled(v: vec2, by: qd.f32) -> vec2:
            return v * by

        @qd.kernel
        def run(x: qd.types.ndarray(dtype=qd.f32, ndim=1), by: qd.f64, again: qd.template()) -> qd.f32:
            for i in x:
                x[i] = scaled(vec2(i, 1), by)[0]
                if qd.static(again):
                    x[i] += 1.0
            return x[2]
    """)
    x = qd.ndarray(qd.f32, 4)
    assert [module.run(x, 3.0, False), module.run(x, 3.0, True)] == [6.0, 7.0]


def test_parameters_of_local_types(made: Any, arch: str) -> None:
    module = made("""
        import qd

        def make(kind, n):
            vector = qd.types.vector(n, kind)

            @qd.kernel
            def run(v: vector, one: kind) -> kind:
                return v[n - 1] * one

            return run
    """)
    assert module.make(qd.i32, 2)([3, 4], 2) == 8
    assert module.make(qd.f64, 3)([1.0, 2.0, 2.5], 2.0) == 5.0


def test_methods(made: Any, arch: str) -> None:
    module = made("""
        import qd

        @qd.data_oriented
        class Solver:
            kind = qd.f32
            rate: float

            def __init__(self) -> None:
                self.x = qd.field(qd.f32, shape=3)
                self.rate = 0.5

            @qd.kernel
            def step(self, by: qd.f32) -> qd.f32:
                for i in self.x:
                    self.x[i] += self.one(by)
                return self.x[1]

            @qd.func
            def one(self, by: qd.f32) -> qd.f32:
                return by * self.rate

            @staticmethod
            @qd.kernel
            def alone(a: qd.i32) -> qd.i32:
                return a + 1
    """)
    solver = module.Solver()
    assert [solver.step(2.0), solver.step(4.0), solver.alone(1)] == [1.0, 3.0, 2]


def test_methods_that_name_their_own_class(made: Any, arch: str) -> None:
    """The class is not there yet when its methods are decorated."""
    source = """
        import qd

        @qd.data_oriented
        class Solver:
            def __init__(self) -> None:
                self.n = 3

            @qd.kernel
            def step(self: Solver, by: qd.i32) -> qd.i32:
                return self.n + by
    """
    try:
        module = made(source)
    except NameError:
        assert sys.version_info < (3, 14)
        pytest.skip("this Python evaluates annotations at once")
    with pytest.raises((qd.KernelSyntaxError, qd.KernelTypeError), match="Solver"):
        module.Solver().step(1)


def test_a_kernel_whose_types_come_later(made: Any, arch: str) -> None:
    source = """
        import qd

        @qd.kernel
        def run(v: Later) -> qd.f32:
            return v[1]

        Later = qd.types.vector(2, qd.f32)
    """
    try:
        module = made(source)
    except NameError:
        assert sys.version_info < (3, 14)
        pytest.skip("this Python evaluates annotations at once")
    assert module.run([1.0, 2.5]) == 2.5


def test_a_kernel_with_an_unknown_type(made: Any, arch: str) -> None:
    source = """
        import qd

        @qd.kernel
        def run(v: Unknown) -> qd.f32:
            return 1.0
    """
    try:
        module = made(source)
    except NameError:
        assert sys.version_info < (3, 14)
        pytest.skip("this Python evaluates annotations at once")
    with pytest.raises(qd.KernelCompilationError, match="Unknown"):
        module.run(1.0)


def test_argument_dataclasses(made: Any, arch: str) -> None:
    module = made("""
        import dataclasses

        import qd

        @dataclasses.dataclass
        class Settings:
            by: qd.f32
            x: qd.types.ndarray(dtype=qd.f32, ndim=1)

        @qd.kernel
        def run(settings: Settings) -> qd.f32:
            for i in settings.x:
                settings.x[i] = settings.by * i
            return settings.x[2]
    """)
    assert module.run(module.Settings(1.5, qd.ndarray(qd.f32, 3))) == 3.0


def test_argument_dataclasses_whose_types_come_later(made: Any, arch: str) -> None:
    source = """
        import dataclasses

        import qd

        @dataclasses.dataclass
        class Settings:
            v: Later
            inner: Inner

        @dataclasses.dataclass
        class Inner:
            w: qd.f32

        Later = qd.types.vector(2, qd.f32)

        @qd.kernel
        def run(settings: Settings) -> qd.f32:
            return settings.v[1] + settings.inner.w
    """
    try:
        module = made(source)
    except NameError:
        assert sys.version_info < (3, 14)
        pytest.skip("this Python evaluates annotations at once")
    assert module.run(module.Settings(module.Later([1.0, 2.5]), module.Inner(4.0))) == 6.5


def test_what_a_kernel_says_of_its_annotations(made: Any) -> None:
    module = made("""
        import qd

        @qd.kernel
        def run(a: qd.f32) -> qd.i32:
            return one(a)

        @qd.func
        def one(a: qd.f32) -> qd.i32:
            return 1
    """)
    for thing in (module.run, module.one):
        assert thing.__annotations__ in ({"a": qd.f32, "return": qd.i32}, {"a": "qd.f32", "return": "qd.i32"})
        assert list(inspect.signature(thing).parameters) == ["a"]


@pytest.mark.parametrize(
    "parameters, said",
    [
        ("a: qd.i32 = 1", "a default for parameter 'a' is"),
        ("a: qd.i32, b: qd.i32 = 1, *c", "a default for parameter 'b' is"),
        ("a: qd.i32, *c, d: qd.i32", "*c is"),
        ("a: qd.i32, *, d: qd.i32, **e", "keyword-only parameters ('d') are"),
        ("a: qd.i32, **e", "**e is"),
    ],
)
def test_parameters_that_a_kernel_cannot_have(made: Any, parameters: str, said: str) -> None:
    """The compiler has texts of its own."""
    module = made(f"import qd\n\n@qd.kernel\ndef run({parameters}):\n    pass\n")
    qd.init(arch=qd.python, log_level="error")
    with pytest.raises(qd.KernelSyntaxError) as refused:
        module.run(1)
    assert f"Kernel run: {said} not supported" in str(refused.value)
