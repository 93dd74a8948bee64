"""Kernels that read attributes of objects of Python. Python runs each of them as it stands, too."""

import dataclasses
import enum
import sys
import types
import typing

import numpy as np
import qd


@dataclasses.dataclass
class D:
    a: int = 2
    b: int = 3

    @property
    def s(self):
        return self.a + self.b


@dataclasses.dataclass(frozen=True)
class FD:
    a: int = 2
    b: int = 3
    C: typing.ClassVar[int] = 9


class E(enum.Enum):
    X = 1
    Y = 2


class IE(enum.IntEnum):
    X = 10
    Y = 20

    @property
    def half(self):
        return self // 2

    def plus(self, k):
        return self + k


class Other(enum.IntEnum):
    LONG_NAME = 10


class SE(str, enum.Enum):
    AB = "ab"


class FE(float, enum.Enum):
    X = 2.5


class Names:
    @staticmethod
    def length(member):
        return len(member.name)

    @staticmethod
    def length_plus(member, k):
        return len(member.name) + k


class FL(enum.IntFlag):
    R = 1
    W = 2


class Slots:
    __slots__ = ("a", "b")

    def __init__(self):
        self.a = 6
        self.b = 7


class Props:
    K = 11

    def __init__(self):
        self._x = 5

    @property
    def x(self):
        return self._x * 2

    @staticmethod
    def st(v):
        return v + 1

    @classmethod
    def cm(cls):
        return cls.K


class Turn:
    """A sequence without an end: it is false, and Python's len() counts one turn."""

    def __len__(self):
        return 9

    def __getitem__(self, i):
        if i > 100:
            raise RuntimeError("no item is read")
        return i

    def __bool__(self):
        return False

    def __contains__(self, item):
        return item == 3

    def __eq__(self, other):
        return other == 4

    def __hash__(self):
        return 1

    def __add__(self, other):
        return 100 + other

    def __neg__(self):
        return 50


turn = Turn()
empty, pair, triple = set(), {1, 2}, frozenset((1, 2, 3))
d1 = D()
fd1 = FD(4, 5)
ns = types.SimpleNamespace(a=4, b=types.SimpleNamespace(c=9))
sl = Slots()
pr = Props()


def dc_made(n: qd.i32) -> qd.i32:
    d = D(1, 5)
    return d.b + n


def en_iter(n: qd.i32) -> qd.i32:
    s = 0
    for e in qd.static(E):
        s += e.value
    return s + n


def en_iter_int(n: qd.i32) -> qd.i32:
    s = 0
    for e in qd.static(IE):
        s += e + e.value
    return s + n


def en_of_equal_numbers(n: qd.i32) -> qd.i32:
    return 10 * Names.length_plus(IE.X, n) + Names.length_plus(Other.LONG_NAME, n)


def en_members(n: qd.i32) -> qd.i32:
    s = 0
    for value in qd.static([e.value * len(e.name) for e in IE]):
        s += value
    return s + n


def conditions_of_objects(n: qd.i32) -> qd.i32:
    s = 0
    if qd.static(turn):
        s += 1
    if qd.static(pair):
        s += 10
    if qd.static(empty):
        s += 100
    qd.static_assert(pair, "a set with items")
    return s + n


EXPRESSIONS = [
    "d1.a + n",
    "d1.s + n",
    "fd1.b + fd1.C + n",
    "E.Y.value + n",
    "len(E.Y.name) + n",
    "IE.Y + n",
    "IE.Y.value + IE.Y.half + IE.Y.plus(3) + n",
    "len(IE.Y.name) + IE(10).value + IE['Y'].value + n",
    "getattr(IE.Y, 'value', 1) + getattr(IE.Y, 'weight', 5) + n",
    "Names.length(IE.X) + n",
    "qd.static(isinstance(IE.X, IE) + isinstance(IE.X, Other)) + n",
    "IE.X + Other.LONG_NAME + (1 if IE.X == Other.LONG_NAME else 0) + n",
    "len(SE.AB.value) + len(SE.AB.name) + len(SE.AB) + n",
    "int(FE.X.value * 2) + int(FE.X * 2) + n",
    "(FL.R | FL.W) + FL.W.value + n",
    "d1.a.bit_length() + (2.0).is_integer() + d1.b.real + n",
    "qd.static(len(E)) + n",
    'E["Y"].value + n',
    "qd.static(1 if E.X == E.Y else 2) + n",
    "E(2).value + n",
    "qd.static(fd1 == FD(4, 5)) + 2 * qd.static(fd1 != FD(4, 6)) + n",
    "qd.static(d1 in [D(5, 5), D()]) + 2 * qd.static([d1] == [D()]) + n",
    "(1 if turn == 4 else 2) + (1 if 5 != turn else 2) + n",
    "qd.static(turn == 4) + 2 * qd.static(3 in turn) + n",
    "qd.static(len(turn)) + len(turn) + n",
    "qd.static(1 if turn else 2) + 10 * qd.static(not turn) + 100 * qd.static(bool(turn) or 7) + n",
    "qd.static(turn + 1) + qd.static(-turn) + n",
    "qd.static(not empty) + 2 * qd.static(bool(pair)) + 4 * qd.static(len(pair | triple)) + n",
    "qd.static(len([s for s in [empty, pair, triple] if s])) + n",
    "qd.static(pair < triple) + 2 * qd.static(pair >= triple) + 4 * qd.static(len(triple - pair)) + n",
    "(3 if qd.static(empty) else 4) + (5 if qd.static(any([empty, turn])) else 6) + n",
    "len(qd.static(f'{fd1}')) + len(qd.static(f'{fd1!r:>40}')) + len(qd.static(f'{10 * 1000:,}')) + n",
    "len(qd.static('%d of %s' % (3, 'four'))) + n",
    "ns.a + ns.b.c + n",
    "sl.a + sl.b + n",
    "pr.x + n",
    "Props.K + pr.K + n",
    "pr.st(3) + Props.st(4) + n",
    "pr.cm() + Props.cm() + n",
    "sys.maxsize // sys.maxsize + n",
    "int(np.pi) + n",
]
"""Expressions that further kernels of a number n return."""
