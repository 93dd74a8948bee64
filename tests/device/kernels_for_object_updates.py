"""Kernels with `+=` and its like on objects that they make. Python runs each of them as it stands, too."""

import qd
from kernels_for_object_operators import VR, V


class VAdd(V):
    def __add__(self, o):
        return VAdd(self.x + o)


class VIAdd(V):
    def __iadd__(self, o):
        self.x += 2 * o
        return self


class VBoth(V):
    def __add__(self, o):
        return VBoth(self.x + o)

    def __iadd__(self, o):
        self.x += 10 * o
        return self


class MyIAdd(V):
    def __isub__(self, o):
        self.x -= o
        return self

    def __imul__(self, o):
        self.x *= o
        return self

    def __itruediv__(self, o):
        self.x = 50
        return self

    def __ifloordiv__(self, o):
        self.x = 60
        return self

    def __imod__(self, o):
        self.x = 70
        return self

    def __ipow__(self, o):
        self.x = 80
        return self

    def __ilshift__(self, o):
        self.x = 90
        return self

    def __irshift__(self, o):
        self.x = 91
        return self

    def __iand__(self, o):
        self.x = 92
        return self

    def __ior__(self, o):
        self.x = 93
        return self

    def __ixor__(self, o):
        self.x = 94
        return self

    def __imatmul__(self, o):
        self.x = 95
        return self


def aug_add(n: qd.i32) -> qd.i32:
    a = VAdd(n)
    a += 5
    return a.x


def aug_add_alias(n: qd.i32) -> qd.i32:
    a = VAdd(n)
    b = a
    a += 5
    return a.x * 100 + b.x


def aug_iadd(n: qd.i32) -> qd.i32:
    a = VIAdd(n)
    b = a
    a += 5
    return a.x * 100 + b.x


def aug_both(n: qd.i32) -> qd.i32:
    a = VBoth(n)
    a += 5
    return a.x


def aug_attr_obj(n: qd.i32) -> qd.i32:
    a = V(n)
    a.o = VIAdd(n)
    a.o += 4
    return a.o.x


def aug_attr_add(n: qd.i32) -> qd.i32:
    a = V(n)
    a.o = VAdd(n)
    a.o += 4
    return a.o.x


def aug_all(n: qd.i32) -> qd.i32:
    a = MyIAdd(n)
    a -= 1
    r = a.x
    a *= 3
    r = r * 10 + a.x
    a /= 2
    r += a.x
    a //= 2
    r += a.x
    a %= 2
    r += a.x
    a **= 2
    r += a.x
    a <<= 2
    r += a.x
    a >>= 2
    r += a.x
    a &= 2
    r += a.x
    a |= 2
    r += a.x
    a ^= 2
    r += a.x
    a @= 2
    return r + a.x


def aug_num_radd(n: qd.i32) -> qd.i32:
    m = n * 1
    m += VR(n)
    return m
