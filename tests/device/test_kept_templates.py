"""Templates of repeated launches: each way to change what a kernel has read of them is seen by the next launch."""

from __future__ import annotations

import dataclasses
import enum
import gc
import threading
from typing import Any

import pytest
import qd

Numbers = qd.types.ndarray(dtype=qd.i32, ndim=1)


class Mode(enum.Enum):
    SLOW = 1
    FAST = 2


class Config:
    """An object that others hold."""

    size = 7

    def __init__(self, n: int) -> None:
        self.n = n


class Base:
    of_base = 2


class Computed:
    def __get__(self, instance: Any, owner: Any) -> int:
        return int(instance.hidden) if instance is not None else 0


@qd.data_oriented
class Solver(Base):
    of_class = 3
    computed = Computed()

    def __init__(self, n: int = 1) -> None:
        self.n = n
        self.config = Config(5)
        self.pair = (Config(1), 4)
        self.items = [1, 2]
        self.vector = qd.Vector([1, 2])
        self.mode = Mode.SLOW
        self.hidden = 6
        self.x = qd.ndarray(qd.i32, (1,))
        self.f = qd.field(qd.i32, (1,))
        self.x[0], self.f[0] = 1, 2

    @property
    def doubled(self) -> int:
        return 2 * self.hidden

    @qd.kernel
    def number(self) -> qd.i32:
        return self.n

    @qd.kernel
    def all(self) -> qd.i32:
        total = self.n + 10 * self.config.n + 100 * self.config.size + 1000 * self.of_class + 10000 * self.of_base
        total += 100000 * self.pair[0].n + 1000000 * self.x[0] + 10000000 * self.f[0]
        return total

    @qd.kernel
    def changing(self) -> qd.i32:
        total = self.items[0] + 10 * self.vector[0] + 100 * self.doubled + 100000 * self.computed
        if qd.static(self.mode == Mode.FAST):
            total += 1000000
        return total


pytestmark = pytest.mark.usefixtures("arch")


def ndarray(number: int) -> Any:
    array = qd.ndarray(qd.i32, (1,))
    array[0] = number
    return array


def field(number: int) -> Any:
    made = qd.field(qd.i32, (1,))
    made[0] = number
    return made


def set_number(s: Any) -> int:
    s.n = 4
    return 3


def set_through_dict(s: Any) -> int:
    s.__dict__["n"] = 5
    return 4


def update_dict(s: Any) -> int:
    vars(s).update(n=9)
    return 8


def replace_dict(s: Any) -> int:
    s.__dict__ = {**s.__dict__, "n": 8}
    return 7


def set_of_config(s: Any) -> int:
    s.config.n = 6
    return 10


def another_config(s: Any) -> int:
    s.config = Config(9)
    return 40


def in_turn(s: Any) -> int:
    """The new object may lie where the first one was."""
    del s.config
    gc.collect()
    s.config = Config(8)
    return 30


def shadow_of_class(s: Any) -> int:
    s.of_class = 4
    return 1000


def shadow_in_config(s: Any) -> int:
    s.config.size = 8
    return 100


def another_tuple(s: Any) -> int:
    s.pair = (Config(2), 4)
    return 100000


def in_tuple(s: Any) -> int:
    s.pair[0].n = 3
    return 200000


def another_array(s: Any) -> int:
    s.x = ndarray(5)
    return 4000000


def another_field(s: Any) -> int:
    s.f = field(4)
    return 20000000


def another_class(s: Any) -> int:
    class Other(Solver):
        of_class = 9

    s.__class__ = Other
    return 6000


@pytest.mark.parametrize(
    "change",
    [
        set_number, set_through_dict, update_dict, replace_dict, set_of_config, another_config, in_turn, shadow_of_class, shadow_in_config,
        another_tuple, in_tuple, another_array, another_field, another_class,
    ],
)  # fmt: skip
def test_changes(change: Any) -> None:
    solver = Solver()
    first = [solver.all() for _ in range(3)]
    added = change(solver)
    assert first == [first[0]] * 3
    assert [solver.all() - first[0] for _ in range(3)] == [added] * 3


@pytest.mark.parametrize("owner", [Solver, Base, Config])
def test_changes_of_classes(owner: Any) -> None:
    name, step = {Solver: ("of_class", 1000), Base: ("of_base", 10000), Config: ("size", 100)}[owner]
    solver = Solver()
    first = [solver.all(), solver.all()]
    before = getattr(owner, name)
    setattr(owner, name, before + 1)
    try:
        assert [solver.all(), solver.all()] == [first[0] + step] * 2
    finally:
        setattr(owner, name, before)
    assert solver.all() == first[1]


def test_class_gets_a_property() -> None:
    class Own(Solver):
        pass

    solver = Own()
    assert [solver.number(), solver.number()] == [1, 1]
    Own.n = property(lambda self: self.hidden)  # type: ignore[assignment,method-assign]
    assert solver.number() == 6
    solver.hidden = 8
    assert solver.number() == 8
    del Own.n
    assert solver.number() == 1


def test_class_gets_a_lookup_of_its_own() -> None:
    class Own(Solver):
        pass

    solver = Own()
    assert [solver.number(), solver.number()] == [1, 1]
    Own.__getattribute__ = lambda self, name: 11 if name == "n" else object.__getattribute__(self, name)  # type: ignore[method-assign]
    assert solver.number() == 11


def first_item(s: Any) -> int:
    s.items[0] = 2
    return 1


def component(s: Any) -> int:
    s.vector[0] = 3
    return 20


def hidden(s: Any) -> int:
    s.hidden = 7
    return 100200


def mode(s: Any) -> int:
    s.mode = Mode.FAST
    return 1000000


@pytest.mark.parametrize("change", [first_item, component, hidden, mode])
def test_changes_inside(change: Any) -> None:
    """Objects that change themselves, and what descriptors give."""
    solver = Solver()
    first = [solver.changing() for _ in range(3)]
    added = change(solver)
    assert first == [first[0]] * 3
    assert [solver.changing() - first[0] for _ in range(3)] == [added] * 3


def test_objects_in_turn() -> None:
    solvers = [Solver(n) for n in range(7)]
    for _ in range(3):
        assert [solver.number() for solver in solvers] == list(range(7))


def test_objects_one_after_the_other() -> None:
    for n in range(20):
        assert Solver(n).number() == n


@qd.data_oriented
class Slotted:
    __slots__ = ("n",)

    def __init__(self, n: int) -> None:
        self.n = n

    @qd.kernel
    def number(self) -> qd.i32:
        return self.n


def test_slots() -> None:
    slotted = Slotted(1)
    assert [slotted.number(), slotted.number()] == [1, 1]
    slotted.n = 2
    assert slotted.number() == 2


class Tool:
    """An object of which a kernel reads no attribute: its class alone counts."""

    @qd.func
    def value(self) -> qd.i32:
        return 1


class OtherTool(Tool):
    @qd.func
    def value(self) -> qd.i32:
        return 2


@qd.data_oriented
class Worker:
    def __init__(self) -> None:
        self.tool = Tool()

    @qd.kernel
    def work(self) -> qd.i32:
        return self.tool.value()


def test_classes_of_objects_without_attributes() -> None:
    worker = Worker()
    assert [worker.work(), worker.work()] == [1, 1]
    worker.tool.__class__ = OtherTool
    assert worker.work() == 2
    worker.tool = Tool()
    assert worker.work() == 1


@dataclasses.dataclass
class Mixed:
    x: Numbers  # type: ignore[valid-type]
    flag: qd.template()  # type: ignore[valid-type]
    config: qd.template()  # type: ignore[valid-type]


@qd.kernel
def mixed(m: Mixed, also: qd.template(), pair: qd.template(), f: qd.template(), flag: qd.template(), k: qd.i32) -> qd.i32:  # type: ignore[valid-type]
    total = m.x[0] + 10 * m.config.n + 100 * also.n + 1000 * pair[0].n + 10000 * f[0] + k
    if qd.static(flag):
        total += 100000
    if qd.static(m.flag):
        total += 1000000
    return total


def test_templates_beside_dataclasses() -> None:
    arguments: dict[str, Any] = {
        "m": Mixed(ndarray(1), False, Config(2)), "also": Config(3), "pair": (Config(4), 0), "f": field(5), "flag": False, "k": 0,
    }  # fmt: skip
    expected = 54321

    def check(added: int) -> None:
        nonlocal expected
        expected += added
        assert [mixed(**arguments) for _ in range(3)] == [expected] * 3

    check(0)
    arguments["k"] = 1
    check(1)
    arguments["also"].n = 4
    check(100)
    arguments["also"] = Config(5)
    check(100)
    arguments["pair"] = (Config(5), 0)
    check(1000)
    arguments["pair"][0].n = 6
    check(1000)
    arguments["f"] = field(6)
    check(10000)
    arguments["flag"] = True
    check(100000)
    arguments["m"].config.n = 3
    check(10)
    arguments["m"].config = Config(4)
    check(10)
    arguments["m"].x = ndarray(2)
    check(1)
    arguments["m"].flag = True
    check(1000000)
    arguments["flag"] = False
    check(-100000)


def test_template_ndarrays_beside_dataclasses() -> None:
    @dataclasses.dataclass
    class Arrays:
        x: qd.template()  # type: ignore[valid-type]
        y: qd.template()  # type: ignore[valid-type]

    @qd.kernel
    def read(a: Arrays, z: qd.template()) -> qd.i32:  # type: ignore[valid-type]
        return a.x[0] + 10 * a.y[0] + 100 * z[0]

    arrays, z = Arrays(ndarray(1), ndarray(2)), ndarray(3)
    assert [read(arrays, z) for _ in range(3)] == [321] * 3
    arrays.y = ndarray(4)
    assert [read(arrays, z) for _ in range(3)] == [341] * 3
    z = ndarray(5)
    gc.collect()
    assert [read(arrays, z) for _ in range(3)] == [541] * 3
    other = Arrays(ndarray(7), arrays.y)
    assert [read(a, z) for a in (other, arrays, other, arrays)] == [547, 541, 547, 541]


def test_members_of_a_property() -> None:
    class Maker(Solver):
        @property
        def made(self) -> Config:
            return Config(self.hidden)

        @qd.kernel
        def of_made(self) -> qd.i32:
            return self.made.n

    maker = Maker()
    assert [maker.of_made(), maker.of_made()] == [6, 6]
    maker.hidden = 9
    assert [maker.of_made(), maker.of_made()] == [9, 9]


def test_numbers_that_are_passed() -> None:
    @qd.data_oriented(template_primitives=False)
    class Passed:
        def __init__(self) -> None:
            self.n, self.held = 1, [2]

        @qd.kernel
        def sum(self) -> qd.i32:
            return self.n + 10 * self.held[0]

    passed = Passed()
    found = []
    for n in range(5):
        passed.n = n
        found.append(passed.sum())
        found.append(passed.sum())
    passed.held[0] = 3
    assert found == [20, 20, 21, 21, 22, 22, 23, 23, 24, 24]
    assert passed.sum() == 34


def test_gradient_of_a_field_comes_later() -> None:
    solver = Solver()
    solver.f = qd.field(qd.f32, (1,), needs_grad=False)

    @qd.kernel
    def read(s: qd.template()) -> qd.i32:  # type: ignore[valid-type]
        return qd.cast(s.f[0], qd.i32)

    solver.f[0] = 4
    assert [read(solver), read(solver)] == [4, 4]
    solver.f = qd.field(qd.f32, (1,), needs_grad=True)
    solver.f[0] = 5
    assert [read(solver), read(solver)] == [5, 5]


def test_threads_with_objects_of_their_own() -> None:
    found: dict[int, set[int]] = {n: set() for n in range(4)}

    def work(n: int) -> None:
        solver = Solver(n)
        for _ in range(30):
            found[n].add(solver.number())

    threads = [threading.Thread(target=work, args=(n,)) for n in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {n: {n} for n in range(4)}


@qd.func
def hundredfold(x):
    return x * 100


class Rule:
    @qd.func
    def of(self, x):
        return x + 1


@qd.data_oriented
class Model:
    def __init__(self) -> None:
        self.rule = Rule()

    @qd.func
    def step(self, x):
        return x + 2

    @qd.kernel
    def run(self) -> qd.i32:
        return self.step(1) + 10 * self.rule.of(1)


def test_methods_of_one_object(arch: str) -> None:
    model = Model()
    assert model.run() == 3 + 20
    model.step = hundredfold  # type: ignore[method-assign]
    assert model.run() == 100 + 20
    other = Model()
    other.rule.of = hundredfold  # type: ignore[method-assign]
    assert other.run() == 3 + 1000
    assert model.run() == 100 + 20
    del model.step
    assert model.run() == 3 + 20
    model.rule = other.rule
    assert model.run() == 3 + 1000


def test_methods_of_a_class(arch: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = Model()
    assert model.run() == 3 + 20
    monkeypatch.setattr(Model, "step", Rule.of)
    assert model.run() == 2 + 20
    monkeypatch.setattr(Rule, "of", Rule.__dict__["of"])
    assert model.run() == 2 + 20
    monkeypatch.undo()
    assert model.run() == 3 + 20


class Metal(enum.IntEnum):
    TIN = 1
    GOLD = 2


class Letter(enum.IntEnum):
    ALPHA = 1


@qd.real_func
def letters(member: qd.template()) -> qd.i32:
    return len(member.name)


@qd.data_oriented
class Named:
    def __init__(self, member: Any) -> None:
        self.member = member

    @qd.kernel
    def letters(self) -> qd.i32:
        return len(self.member.name) + 10 * self.member.value

    @qd.kernel
    def number(self) -> qd.i32:
        return self.member


@qd.kernel
def name_and_value(member: qd.template()) -> qd.i32:
    return letters(member) + 10 * member.value


@qd.kernel
def of_two_enumerations() -> qd.i32:
    return letters(Metal.TIN) + 10 * letters(Letter.ALPHA)


def test_members_of_enumerations_with_equal_numbers(arch: str) -> None:
    named = Named(1)
    assert named.number() == 1
    for member in (Metal.TIN, Letter.ALPHA, Metal.GOLD, Metal.TIN):
        named.member = member
        expected = len(member.name) + 10 * member.value
        assert [name_and_value(member), named.letters(), Named(member).letters(), named.number()] == [expected] * 3 + [member.value]
    assert of_two_enumerations() == 3 + 10 * 5


@dataclasses.dataclass
class Limits:
    low: int = 1


WIDE = Limits(1)


@qd.data_oriented
class Chooser:
    def __init__(self) -> None:
        self.limits = Limits(1)
        self.names: set[str] = set()

    @qd.kernel
    def choose(self) -> qd.i32:
        return qd.static(self.limits == WIDE) + 2 * qd.static(bool(self.names)) + (4 if qd.static(self.names) else 0)


def test_other_objects_are_compared_again(arch: str) -> None:
    chooser = Chooser()
    assert [chooser.choose(), chooser.choose()] == [1, 1]
    chooser.limits = Limits(2)
    assert [chooser.choose(), chooser.choose()] == [0, 0]
    chooser.limits, chooser.names = Limits(1), {"a"}
    assert [chooser.choose(), chooser.choose()] == [7, 7]
    chooser.names = set()
    assert chooser.choose() == 1
