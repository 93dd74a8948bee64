a = b = c, *d = e

a.b, c[d], [e, (f, *g)] = h

a += 1; b -= c; d *= e; f /= g; h //= i; j %= k; l **= m; n <<= o; p >>= q; r &= s; t ^= u; v |= w; x @= y

a: int; b: int = 1; (c): int; d.e: f = g, h; i[j]: k = yield

del a, b.c, d[e], (f, g), [h, (i,)], (j)

assert a, b

raise

raise a from b

global a, b

nonlocal c

import a, b.c as d, e . f

from . import a

from ... import b as c, d

from .a.b import (c, d as e,)

from a import *

if a: pass
elif b: pass; pass
else: x = 1

if a:
    b
elif c:
    d
else:
    if e:
        f

while a := b:
    break
else:
    continue

for a, *b in c, d: pass
else: pass

for (a), [b, c], d.e, f[g] in *h, i:
    pass

try: pass
except: pass

try:
    a
except (A, B) as c:
    b
except D:
    e
else:
    f
finally:
    g

try:
    a
except* A as b:
    c
except* (D, E):
    f

try:
    a
except A, B:
    c

try:
    a
finally:
    b

with a, b as c, d as (e, f), g as h.i, j as k[l]: pass

with (a as b, c as d,): pass

with (a, b): pass

with (a): pass

with (a), (b): pass

with (a, b) as c: pass

with (yield): pass

with (a for a in b): pass

with (lambda a, *b: 0, c): pass

with (a).b as c, (d)[e]: pass

with (a := b): pass

def f(): pass

def f(a, b: int = 1, /, c=2, *d: *e, f, g: h = 3, **i: j) -> k:
    """Docstring."""
    return 1, *a

def f(*, a): yield

def f(a, /): return

async def f():
    async for a in b: pass
    async with c as d, e: await f
    return [a async for a in b]

class A: pass

class A(): x: int = 1

@a
@b.c(d)
@e[f]
@(lambda x: x)
@g := h
class A(B, *C, metaclass=D, **E):
    @f
    async def g(self): pass

lambda: (yield)

match = case = type = _ = 1

match.a; match[b]; match(c); match * d; match -e; match, f

type(a); type: int = 1; type = a; type.b; type[c]

print(a, b)

if True:
	a
	if b:
	    c

a; b; c;

x = 1 \
  + 2

class B:

    # comment

    def f(self):

        pass
    # dedented comment
  # more
    x = 1
