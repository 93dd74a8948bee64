def f(a):
    with a:
        if a:
            b = 4
for i in []:
    with i:
        a = 3
        if a:
            continue
        if i:
            break
        b = 8
else:
    c = 10
while a:
    with a:
        raise ValueError
with (
    open('x') as f,
    open('y') as g,
):
    a = 5
with open('x') as f, \
     open('y') as g:
    b = 8
c = 9
with a: b = 1
for i in a:
    with i: c = 3
d = 4
def f():
    try:
        return 3
    finally:
        with a:
            b = 6
def f():
    with a:
        return 3
    b = 4
async def f():
    async with a as b:
        await b
    async for i in b:
        yield i
    else:
        return
def f(x):
    match x:
        case 1:
            a = 4
        case [1, *_] | (2,
                          3):
            return 7
        case {'a': 1, **kw} if kw:
            a = 9
        case C(a=1):
            pass
        case _:
            a = 13
    return a
