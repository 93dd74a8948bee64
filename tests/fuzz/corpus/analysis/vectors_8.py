with a:  # pragma: no cover
    b = 2
c = 3
with (
    a,  # pragma: no cover
    b,
):
    d = 8
def f(a):  # pragma: no cover
    if a:
        b = 3
    # comment

    return b
c = 7
def f(
    a,  # pragma: no cover
    b,
):
    c = 5
def g(
    a,
):  # pragma: no cover
    d = 9
def h(
    a
) -> (  # pragma: no cover
    int
):
    e = 15
@d  # pragma: no cover
def f():
    a = 3
@d
@e(  # pragma: no cover
    1
)
class C:
    b = 9
    def g(self):
        c = 11
d = 12
class C:  # pragma: no cover
    '''doc'''
    a = 3
    def f(self):
        b = 5
class D:
    def f(self):  # pragma: no cover
        c = 8
    def g(self):
        d = 10
def f():
    def g():  # pragma: no cover
        a = 3
        def h():
            b = 5
    return g
a = f(
    1,  # pragma: no cover
    2,
)
if (
    a  # pragma: no cover
):
    b = 8
else:
    c = 10
if a: b = 1  # pragma: no cover
else: c = 2
for i in a: b = 3  # pragma: no cover
def f(): pass  # pragma: no cover
d = 5
