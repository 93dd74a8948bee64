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
