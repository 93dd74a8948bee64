"""Kernels with attributes, items and properties of objects that they make. Python runs each of them as it stands, too."""

import qd


class V:
    def __init__(self, x):
        self.x = x


class VProp(V):
    @property
    def p(self):
        return self.x * 2

    @p.setter
    def p(self, v):
        self.x = v + 1


class VItem(V):
    def __getitem__(self, i):
        return self.x + i

    def __setitem__(self, i, v):
        self.x = i * 100 + v


class VLen(V):
    def __len__(self):
        return 2


class VIn(V):
    def __contains__(self, n):
        return n > self.x


class Attr:
    z = 5

    def __init__(self):
        self.k = 1


class Deco:
    total = 3

    def up(self):
        return self.total


def prop_aug(n: qd.i32) -> qd.i32:
    a = VProp(n)
    a.p += 5
    return a.x


def prop_aug_mul(n: qd.i32) -> qd.i32:
    a = VProp(n)
    a.p *= 5
    return a.x


def item_get(n: qd.i32) -> qd.i32:
    return VItem(n)[4]


def item_set(n: qd.i32) -> qd.i32:
    a = VItem(n)
    a[2] = 7
    return a.x


def item_aug(n: qd.i32) -> qd.i32:
    a = VItem(n)
    a[2] += 7
    return a.x


def item_run(n: qd.i32) -> qd.i32:
    a = VItem(n)
    a[n] = n
    return a[n]


def item_tuple(n: qd.i32) -> qd.i32:
    class_ = VItem(n)
    return class_[n]


def length(n: qd.i32) -> qd.i32:
    return len(VLen(n)) + n


def attr_class(n: qd.i32) -> qd.i32:
    return Attr().z + Attr().k + n


def attr_class_set(n: qd.i32) -> qd.i32:
    a = Attr()
    a.z = n
    return a.z + Attr.z


def attr_class_aug(n: qd.i32) -> qd.i32:
    a = Attr()
    a.z += n
    return a.z * 10 + Attr.z


def deco_attr(n: qd.i32) -> qd.i32:
    return Deco().up() + n


def getattr_made(n: qd.i32) -> qd.i32:
    return getattr(V(n), "x")


def getattr_default(n: qd.i32) -> qd.i32:
    v = V(n)
    return getattr(v, "nope", 5)


def swap(n: qd.i32) -> qd.i32:
    a = V(n)
    b = V(n + 1)
    a, b = b, a
    return a.x * 10 + b.x


def in_list(n: qd.i32) -> qd.i32:
    l = [V(n), V(n + 1)]
    return l[0].x + l[1].x


def list_static(n: qd.i32) -> qd.i32:
    s = 0
    for v in qd.static([V(n), V(n + 1)]):
        s += v.x
    return s


def attr_none(n: qd.i32) -> qd.i32:
    a = V(None)
    a.x = n
    return a.x


def attr_set_class(n: qd.i32) -> qd.i32:
    a = V(n)
    a.t = (1, n)
    return a.t[1]


def chain_assign(n: qd.i32) -> qd.i32:
    a = V(n)
    a.x = a.y = n + 1
    return a.x + a.y


def contains(n: qd.i32) -> qd.i32:
    a = VIn(n)
    r = 0
    if n in a:
        r += 1
    if n + 1 in a:
        r += 10
    if n not in a and not (n - 1 in a):
        r += 100
    return r
