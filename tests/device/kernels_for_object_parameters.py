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


EXPRESSIONS = [
    "VCall(n)(1)",
    "VCall(n)(1, c=9)",
    "VCall(n)(1, 5, c=9)",
    "Kw(n, b=2).s",
    "Kw(n, b=n, c=1).s",
    "Star(n, 2, 3).s",
    "Star(n).s",
    "Def().s + Def(n).s + Def(b=n).s + Def(n, n).s",
    "Def().m(n) + Def().m(n, b=9)",
    "Def().st(n, 2)",
]
"""Expressions that further kernels of a number n return."""
