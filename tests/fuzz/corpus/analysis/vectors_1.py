def f():
    1
    ...
    "x"
    None
    (1, 2)
def f():
    global a
    a = 3
    def g():
        nonlocal_ = 5
        return 6
    return g
def f():
    a = 2
    def g():
        nonlocal a
        a = 5
    return g
x: int
y: int = 2
def f():
    z: int
    (w): int
    f.a: int
    f[0]: int
    v: int = 8
class C:
    a: int
    b: int = 11
    (c): int
from __future__ import annotations
x: int
(y): int
class C:
    a: int
    (b): int
a = 1
del ()
del (a)
del [()]
a = 1; b = 1; c = (
2)
if a: b = 3; c = 3
d = 4
a = 1 + \
    2
if a and \
   a:
    b = 5
