"""Kernels with objects as conditions, and with objects and attributes that conditions decide. Python runs each of them as it stands, too."""

import qd


class V:
    def __init__(self, x):
        self.x = x


class VBool(V):
    def __bool__(self):
        return self.x > 2


class VLen(V):
    def __len__(self):
        return 2


class VLen0(V):
    def __len__(self):
        return 0


class Branchy:
    def __init__(self, n):
        if n > 2:
            self.y = n
        else:
            self.y = -n


def boolean(n: qd.i32) -> qd.i32:
    r = 0
    if VBool(n):
        r += 1
    if VBool(1):
        r += 2
    if not VBool(1):
        r += 4
    if V(n):
        r += 8
    if VLen(n):
        r += 16
    if VLen0(n):
        r += 32
    return r


def boolean_and(n: qd.i32) -> qd.i32:
    r = 0
    if VBool(n) and n > 0:
        r += 1
    if VBool(1) or n > 10:
        r += 2
    return r


def boolean_while(n: qd.i32) -> qd.i32:
    a = VBool(n + 5)
    r = 0
    while a:
        a.x -= 1
        r += 1
    return r


def boolean_ifexp(n: qd.i32) -> qd.i32:
    return 1 if VBool(n) else 2


def boolean_bool(n: qd.i32) -> qd.i32:
    return int(bool(VBool(n))) + int(bool(V(n)))


def ifexp_attr(n: qd.i32) -> qd.i32:
    a = V(n)
    b = V(n + 5)
    return (a if n > 2 else b).x


def ifexp_attr2(n: qd.i32) -> qd.i32:
    a = V(n)
    b = V(n + 5)
    return (a if n > 20 else b).x


def ifexp_same(n: qd.i32) -> qd.i32:
    a = V(n)
    return (a if n > 2 else a).x


def ifexp_assign(n: qd.i32) -> qd.i32:
    a = V(n)
    b = V(n + 5)
    c = a if n > 20 else b
    return c.x


def ifexp_static(n: qd.i32) -> qd.i32:
    a = V(n)
    b = V(n + 5)
    return (a if qd.static(True) else b).x


def both_branches(n: qd.i32) -> qd.i32:
    a = V(n)
    if n > 2:
        a.y = 1
    else:
        a.y = 2
    return a.y


def both_branches2(n: qd.i32) -> qd.i32:
    a = V(n)
    if n > 20:
        a.y = 1
    else:
        a.y = 2
    return a.y


def both_branches_float(n: qd.i32) -> qd.i32:
    a = V(n)
    if n > 20:
        a.y = 1.5
    else:
        a.y = 2.5
    return int(a.y * 2)


def both_elif(n: qd.i32) -> qd.i32:
    a = V(n)
    if n > 20:
        a.y = 1
    elif n > 2:
        a.y = 2
    else:
        a.y = 3
    return a.y


def both_init(n: qd.i32) -> qd.i32:
    return Branchy(n).y


def attr_ifset(n: qd.i32) -> qd.i32:
    a = V(n)
    if n > 2:
        a.x = 9
    return a.x
