match x:
    case 1:
        a = 3
    case y if y:
        a = 5
b = 6
def f(x):
    match x:
        case 1:
            return 4
        case (1 | _) as y:
            return 6
    a = 7
def g(x):
    match x:
        case y:
            return 11
    a = 12
def h(x):
    match x:
        case 1 | _ if True:
            return 16
    a = 17
def f(x):
    match x:
        case 1:
            a = 4
        case _:  # other
            raise ValueError  # pragma: no cover
    match x:
        case 1:
            a = 9
        case _:
            raise ValueError(  # pragma: no cover
                x,
            )
    match x:
        case _ if x:
            a = 16  # pragma: no cover
        case (
            _
        ):
            def g():  # pragma: no cover
                return 21
    match x:
        case 1: pass
        case _: pass  # pragma: no cover
def d(f):
    return f
@d
@d
def g():
    return 6
@d(
    1
)
class C:
    @d
    async def h(self,
                b):
        return 14
class A:
    '''doc'''
    x = 3
    def f(self):
        return 5
    class B(A):
        y = 7
        if y:
            z = 9
class C(
    A,
): x = 12
a = lambda x: (
    x
)
b = [
    i
    for i in a
    if i
]
c = sum(i
        for i in b)
d = {k: v for k, v in
     c}
def f():
    x = yield 1
    y = yield from x
    return y
if (a := 1):
    b = 2
while (c := a) and (
    a
):
    break
