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


def nt_attr(n: qd.i32) -> qd.i32:
    return n1.a + n


def nt_index(n: qd.i32) -> qd.i32:
    return n1[1] + n


def nt_unpack(n: qd.i32) -> qd.i32:
    x, y = n1
    return x * 10 + y + n


def nt_len(n: qd.i32) -> qd.i32:
    return len(n1) + n


def nt_iter(n: qd.i32) -> qd.i32:
    s = 0
    for v in qd.static(n1):
        s += v
    return s + n


def nt_nested(n: qd.i32) -> qd.i32:
    return q1.p.b + q1.k + n


def nt_typing(n: qd.i32) -> qd.i32:
    return t1.a + n


def nt_typing_method(n: qd.i32) -> qd.i32:
    return t1.total() + n


def nt_replace(n: qd.i32) -> qd.i32:
    return n1._replace(a=9).a + n


def nt_fields(n: qd.i32) -> qd.i32:
    return len(n1._fields) + n


def nt_asdict(n: qd.i32) -> qd.i32:
    return n1._asdict()["b"] + n


def nt_local(n: qd.i32) -> qd.i32:
    m = n1
    return m.a + m.b + n


def nt_static(n: qd.i32) -> qd.i32:
    return qd.static(n1.a + n1.b) + n


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


def nt_in_list(n: qd.i32) -> qd.i32:
    return lp[1].a + n


def nt_in_dict(n: qd.i32) -> qd.i32:
    return dp["k"].b + n


def nt_comp(n: qd.i32) -> qd.i32:
    return sum([p.a for p in lp]) + n


def nt_class_attr(n: qd.i32) -> qd.i32:
    return len(P._fields) + n


def nt_getattr(n: qd.i32) -> qd.i32:
    return getattr(n1, "b") + n


def nt_slice(n: qd.i32) -> qd.i32:
    return len(n1[1:]) + n1[1:][0] + n


def nt_count(n: qd.i32) -> qd.i32:
    return n1.count(3) + n1.index(4) + n


def nt_eq(n: qd.i32) -> qd.i32:
    return qd.static(1 if n1 == (3, 4) else 0) + n


def nt_add(n: qd.i32) -> qd.i32:
    return len(n1 + (1,)) + n


@qd.pyfunc
def swap(p):
    return P(p.b, p.a)


@qd.pyfunc
def geta(p):
    return p.a


def f_ret(n: qd.i32) -> qd.i32:
    return swap(P(n, 4)).a * 10 + geta(P(n, 1))


def f_arg(n: qd.i32) -> qd.i32:
    return geta(n1) + n


def m_run(n: qd.i32) -> qd.i32:
    return T(n).total() + T(n).plus(n)


def m_prop(n: qd.i32) -> qd.i32:
    return T(n).half + t1.half


def m_static(n: qd.i32) -> qd.i32:
    return T(n).st(n) + T.st(2)


def m_cls(n: qd.i32) -> qd.i32:
    return T(n).mk(n) + T.mk(1)


def m_sub(n: qd.i32) -> qd.i32:
    return s1.sum() + s1.K + Sub(n, 1).sum()


def nested_replace(n: qd.i32) -> qd.i32:
    return P(P(n, 1), 2)._replace(b=n).a.a


def asdict_run(n: qd.i32) -> qd.i32:
    return P(n, 2)._asdict()["a"]


def local_made_iter(n: qd.i32) -> qd.i32:
    p = P(n, 5)
    s = 0
    for v in qd.static(p):
        s += v
    return s


def comp(n: qd.i32) -> qd.i32:
    return sum([x for x in P(n, 2)])


def star(n: qd.i32) -> qd.i32:
    return max(*P(n, 2))


def static_attr(n: qd.i32) -> qd.i32:
    p = P(n, 5)
    r = 0
    for i in qd.static(range(p.b)):
        r += n
    return r


def unpack_nested(n: qd.i32) -> qd.i32:
    (a, b), k = P(P(n, 1), 2)
    return a + b + k


def slice_run(n: qd.i32) -> qd.i32:
    return P(n, 2)[1:][0] + len(P(n, 2)[:1])


def add_run(n: qd.i32) -> qd.i32:
    return (P(n, 2) + (5,))[2]


def eq_run(n: qd.i32) -> qd.i32:
    return qd.static(1 if P(1, 2) == (1, 2) else 0) + n
