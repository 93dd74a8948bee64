match a:
    case 1:  # pragma: no cover
        b = 3
        c = 4
    case 2:
        d = 6  # pragma: no cover
match b:  # pragma: no cover
    case 3:
        e = 9
x: int = 1  # pragma: no cover
y = 2
class C:
    z: int  # pragma: no cover
    w: int
    def f(self):
        pass
f = lambda: 0  # pragma: no cover
g = 2
d = {
    'a': 1,  # pragma: no cover
}
s = a[1:2]  # pragma: no cover
t = 7
if a:
    if b:  # pragma: no cover
        c = 3
        if d:
            e = 5
    f = 6
g = 7
a = """
# pragma: no cover
"""
b = 4
def f():
    """doc"""  # pragma: no cover
    a = 3
a = 1
# pragma: no cover
b = 3
if a:
    # pragma: no cover
    c = 6
def f(a):
    if a:
        b = 3  # pragma: no cover
    else:
        c = 5
    for i in a:
        if i: continue  # pragma: no cover
        d = 8
    return d
