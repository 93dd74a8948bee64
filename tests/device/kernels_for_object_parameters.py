"""Kernels that call functions of objects with all kinds of parameters. Python runs each of them as it stands, too."""

import qd


class V:
    def __init__(self, x):
        self.x = x


class VCall(V):
    def __call__(self, a, b=2, *, c=3):
        return self.x + a * 10 + b * 100 + c * 1000


class Kw:
    def __init__(self, a, *, b, c=5):
        self.s = a + b * 10 + c * 100


class Star:
    def __init__(self, *args):
        self.s = args[0] + len(args)


class Def:
    def __init__(self, a=1, b=2):
        self.s = a * 10 + b

    def m(self, a, *, b=4):
        return a + b

    def st(self, *xs):
        return xs[0] + xs[1]


def call(n: qd.i32) -> qd.i32:
    return VCall(n)(1)


def call_kw(n: qd.i32) -> qd.i32:
    return VCall(n)(1, c=9)


def call_b(n: qd.i32) -> qd.i32:
    return VCall(n)(1, 5, c=9)


def kw_only(n: qd.i32) -> qd.i32:
    return Kw(n, b=2).s


def kw_only_all(n: qd.i32) -> qd.i32:
    return Kw(n, b=n, c=1).s


def star(n: qd.i32) -> qd.i32:
    return Star(n, 2, 3).s


def star_none(n: qd.i32) -> qd.i32:
    return Star(n).s


def defaults(n: qd.i32) -> qd.i32:
    return Def().s + Def(n).s + Def(b=n).s + Def(n, n).s


def method_kwonly(n: qd.i32) -> qd.i32:
    return Def().m(n) + Def().m(n, b=9)


def method_star(n: qd.i32) -> qd.i32:
    return Def().st(n, 2)
