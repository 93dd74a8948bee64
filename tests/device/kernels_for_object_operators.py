"""Kernels with operators and functions that a class defines. Python runs each of them as it stands, too."""

import qd


class V:
    def __init__(self, x):
        self.x = x


class VEq(V):
    def __eq__(self, o):
        return self.x == o.x


class VNe(V):
    def __ne__(self, o):
        return self.x > o.x


class VUn(V):
    def __abs__(self):
        return self.x + 100

    def __neg__(self):
        return self.x + 200

    def __pos__(self):
        return self.x + 300

    def __invert__(self):
        return self.x + 400


class VConv(V):
    def __int__(self):
        return self.x + 1

    def __float__(self):
        return self.x + 0.5

    def __round__(self):
        return self.x + 7

    def __index__(self):
        return 1


class VCmp(V):
    def __lt__(self, o):
        return self.x < o.x

    def __le__(self, o):
        return self.x <= o.x

    def __gt__(self, o):
        return self.x > o.x

    def __ge__(self, o):
        return self.x >= o.x


class VLt(V):
    def __lt__(self, o):
        return self.x < o.x


class VOps(V):
    def __add__(self, o):
        return self.x + o * 10

    def __sub__(self, o):
        return self.x + o * 20

    def __mul__(self, o):
        return self.x + o * 30

    def __truediv__(self, o):
        return self.x + o * 40

    def __floordiv__(self, o):
        return self.x + o * 50

    def __mod__(self, o):
        return self.x + o * 60

    def __pow__(self, o):
        return self.x + o * 70

    def __lshift__(self, o):
        return self.x + o * 80

    def __rshift__(self, o):
        return self.x + o * 90

    def __and__(self, o):
        return self.x + o * 11

    def __or__(self, o):
        return self.x + o * 12

    def __xor__(self, o):
        return self.x + o * 13

    def __matmul__(self, o):
        return self.x + o * 14


class VR(V):
    __radd__ = VOps.__add__
    __rsub__ = VOps.__sub__
    __rmul__ = VOps.__mul__
    __rtruediv__ = VOps.__truediv__
    __rfloordiv__ = VOps.__floordiv__
    __rmod__ = VOps.__mod__
    __rpow__ = VOps.__pow__
    __rlshift__ = VOps.__lshift__
    __rrshift__ = VOps.__rshift__
    __rand__ = VOps.__and__
    __ror__ = VOps.__or__
    __rxor__ = VOps.__xor__


class Sub(VOps):
    def __radd__(self, o):
        return 777


def ne_identity(n: qd.i32) -> qd.i32:
    a = V(n)
    b = V(n)
    c = a
    r = 0
    if a != b:
        r += 1
    if a != c:
        r += 2
    if a == b:
        r += 4
    if a == c:
        r += 8
    return r


def ne_of_eq(n: qd.i32) -> qd.i32:
    a = VEq(n)
    b = VEq(n)
    c = VEq(n + 1)
    r = 0
    if a != b:
        r += 1
    if a != c:
        r += 2
    if a == b:
        r += 4
    return r


def ne_own(n: qd.i32) -> qd.i32:
    r = 0
    if VNe(n) != VNe(1):
        r += 1
    if VNe(n) == VNe(n):
        r += 2
    return r


def eq_other_kind(n: qd.i32) -> qd.i32:
    a = V(n)
    r = 0
    if a == 3:
        r += 1
    if a != 3:
        r += 2
    return r


def cmp(n: qd.i32) -> qd.i32:
    a = VCmp(n)
    b = VCmp(n + 1)
    r = 0
    if a < b:
        r += 1
    if a <= b:
        r += 2
    if a > b:
        r += 4
    if a >= b:
        r += 8
    return r


def cmp_reflected(n: qd.i32) -> qd.i32:
    a = VLt(n)
    b = VLt(n + 1)
    r = 0
    if a < b:
        r += 1
    if b > a:
        r += 2
    return r


def cmp_chain(n: qd.i32) -> qd.i32:
    a = VCmp(n)
    b = VCmp(n + 1)
    c = VCmp(n + 2)
    return 1 if a < b < c else 0


def refl(n: qd.i32) -> qd.i32:
    a = VR(n)
    return (n + a) + (n - a) + (n * a) + (n / a) + (n // a) + (n % a) + (n**a) + (n << a) + (n >> a) + (n & a) + (n | a) + (n ^ a)


def refl_const(n: qd.i32) -> qd.i32:
    a = VR(n)
    return (2 + a) + (2 - a) + (2 * a) + (2 / a) + (2 // a) + (2 % a) + (2**a) + (2 << a) + (2 >> a) + (2 & a) + (2 | a) + (2 ^ a)


def ops(n: qd.i32) -> qd.i32:
    a = VOps(n)
    return (a + n) + (a - n) + (a * n) + (a / n) + (a // n) + (a % n) + (a**n) + (a << n) + (a >> n) + (a & n) + (a | n) + (a ^ n) + (a @ n)


EXPRESSIONS = [
    "abs(VUn(n))",
    "-VUn(n)",
    "+VUn(n)",
    "~VUn(n)",
    "int(not VUn(n))",
    "int(VConv(n))",
    "int(float(VConv(n)) * 2)",
    "round(VConv(n))",
    "VOps(n) + Sub(2)",
]
"""Expressions that further kernels of a number n return."""
