x = a or b and not c

y = not a in b, a not in b, a is not b, a is b, a < b <= c != d == e >= f > g

z = a | b ^ c & d << 1 >> 2 + 3 - 4 * 5 / 6 // 7 % 8 @ m ** -n ** ~p

w = (yield), (yield x), (yield from y), [(yield)]

f(a, *b, c=1, *d, **e, f=2)

f(x for x in y if z if w for v in u)

f(x := 1, (y := 2), a=(z := 3))

g = [x async for x in y], {x for x in y}, {k: v for k, v in y}, (x for x in y)

h = [1, *a, 2,], (1,), (), [], {}, {1, *b}, {**a, 'k': 1, **b,}, (*a, *b)

i = a[1], a[1:2], a[:], a[::], a[1:2:3, ...], a[::2, None], a[x := 1], a[1:2,], a[*b], a[*b, 1:2]

j = lambda: 0, lambda x, /, y=1, *z, k, l=2, **m: (x, y), lambda *, a: a, lambda *a, **k: a

k = a if b else c if d else lambda: e if f else g

l = a.b.c(d)(e)[f].g, (a).b, (a, b)[0], "s".join(t), 1 .real, 1.5.hex(), await_

async def m():
    return await x ** 2, -await y, [await z for z in w], (await a)(b)

n = 0, 1_000, 0x_ff, 0XFF, 0o17, 0b1_0, 1., .5, 1e10, 1E-5, 1_0.0_1e+1_0, 1j, 1.5J, 0_0, 00, 1if x else 2, 0xfor y

o = 'a' "b" u'c' r'\d' '' if c else 'multi' \
    'line' """triple
'quoted' \
"""

p = b'a' B"b" rb'\c' Rb"d" bR'e' br'''f
g'''

q = '\a\b\f\n\r\t\v\\\'\"\x41\u0041\U0001F600\101\0\N{DASH}\q'

r = (a
     # comment
     + b
     - c)

s = x if y else (z := 3)

t = {**a, b: c, **d}, {'a': 1, 'b': [2, {3: 4}]}

u = a.b[c](d, e=f).g[h:i, j:k:l](*m)[n]

print(not -+~x, end='')

v = (((((1)))))

ä, µ, ｗ, 变量 = 1, 2, 3, 4
