"""Kernels with named tuples: captured, in containers, and made by the kernel. Python runs each of them as it stands, too."""

import collections
import typing

import qd

P = collections.namedtuple("P", "a b")
Q = collections.namedtuple("Q", "p k")


class T(typing.NamedTuple):
    a: int
    b: float = 2.5

    def total(self):
        return self.a + 1

    def plus(self, k):
        return self.a + k

    @property
    def half(self):
        return self.a * 2

    @staticmethod
    def st(x):
        return x + 1

    @classmethod
    def mk(cls, x):
        return x + 7


class Sub(P):
    K = 5

    def sum(self):
        return self.a + self.b


n1 = P(3, 4)
t1 = T(5)
s1 = Sub(1, 2)
q1 = Q(P(1, 2), 7)
lp = [P(1, 2), P(3, 4)]
dp = {"k": P(5, 6)}


def nt_unpack(n: qd.i32) -> qd.i32:
    x, y = n1
    return x * 10 + y + n


def nt_iter(n: qd.i32) -> qd.i32:
    s = 0
    for v in qd.static(n1):
        s += v
    return s + n


def nt_local(n: qd.i32) -> qd.i32:
    m = n1
    return m.a + m.b + n


def nt_made(n: qd.i32) -> qd.i32:
    m = P(n, n + 1)
    return m.a * 10 + m.b


def nt_made_kw(n: qd.i32) -> qd.i32:
    m = P(b=n, a=1)
    return m.a * 10 + m.b


def nt_made_const(n: qd.i32) -> qd.i32:
    m = P(1, 2)
    return m.a * 10 + m.b + n


def nt_made_typing(n: qd.i32) -> qd.i32:
    m = T(n)
    return m.a + int(m.b)


def nt_made_index(n: qd.i32) -> qd.i32:
    m = P(n, 4)
    return m[0] + m[1] + len(m)


def nt_made_unpack(n: qd.i32) -> qd.i32:
    x, y = P(n, 4)
    return x * y


def nt_made_iter(n: qd.i32) -> qd.i32:
    s = 0
    for v in qd.static(P(n, 4)):
        s += v
    return s


def nt_made_replace(n: qd.i32) -> qd.i32:
    m = P(n, 4)._replace(b=n * 2)
    return m.a + m.b


def nt_made_nested(n: qd.i32) -> qd.i32:
    m = Q(P(n, 2), 3)
    return m.p.a + m.p.b + m.k


@qd.pyfunc
def swap(p):
    return P(p.b, p.a)


@qd.pyfunc
def geta(p):
    return p.a


def local_made_iter(n: qd.i32) -> qd.i32:
    p = P(n, 5)
    s = 0
    for v in qd.static(p):
        s += v
    return s


def static_attr(n: qd.i32) -> qd.i32:
    p = P(n, 5)
    r = 0
    for i in qd.static(range(p.b)):
        r += n
    return r


def unpack_nested(n: qd.i32) -> qd.i32:
    (a, b), k = P(P(n, 1), 2)
    return a + b + k


EXPRESSIONS = [
    "n1.a + n",
    "n1[1] + n",
    "len(n1) + n",
    "q1.p.b + q1.k + n",
    "t1.a + n",
    "t1.total() + n",
    "n1._replace(a=9).a + n",
    "len(n1._fields) + n",
    'n1._asdict()["b"] + n',
    "qd.static(n1.a + n1.b) + n",
    "lp[1].a + n",
    'dp["k"].b + n',
    "sum([p.a for p in lp]) + n",
    "len(P._fields) + n",
    'getattr(n1, "b") + n',
    "len(n1[1:]) + n1[1:][0] + n",
    "n1.count(3) + n1.index(4) + n",
    "qd.static(1 if n1 == (3, 4) else 0) + n",
    "len(n1 + (1,)) + n",
    "swap(P(n, 4)).a * 10 + geta(P(n, 1))",
    "geta(n1) + n",
    "T(n).total() + T(n).plus(n)",
    "T(n).half + t1.half",
    "T(n).st(n) + T.st(2)",
    "T(n).mk(n) + T.mk(1)",
    "s1.sum() + s1.K + Sub(n, 1).sum()",
    "P(P(n, 1), 2)._replace(b=n).a.a",
    'P(n, 2)._asdict()["a"]',
    "sum([x for x in P(n, 2)])",
    "max(*P(n, 2))",
    "P(n, 2)[1:][0] + len(P(n, 2)[:1])",
    "(P(n, 2) + (5,))[2]",
    "qd.static(1 if P(1, 2) == (1, 2) else 0) + n",
]
"""Expressions that further kernels of a number n return."""
