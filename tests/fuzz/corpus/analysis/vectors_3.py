while 0:
    a = 2
else:
    b = 4
while False:
    c = 6
    break
d = 8
while not True:
    e = 10
for i in range(2):
    if i:
        break
    continue
else:
    a = 6
b = 7
for j in []:
    pass
for i in (
    1,
    2,
):
    a = 5
for (j,
     k) in []:
    b = 8
import typing
if 0:
    a = 3
elif 1:
    a = 5
else:
    a = 7
if __debug__:
    b = 9
if not __debug__:
    b = 11
if None:
    c = 13
if 'x' and 1:
    c = 15
else:
    c = 17
if a and 0:
    d = 19
else:
    d = 21
if a or 1:
    e = 23
else:
    e = 25
if 1 if a else 0:
    f = 27
if 1 if a else 2:
    f = 29
else:
    f = 31
if ():
    g = 33
if (1,):
    g = 35
else:
    g = 37
if 1 - 1:
    h = 39
if -0.0:
    h = 41
if ~0:
    h = 43
else:
    h = 45
if f'':
    i = 47
if f'x':
    i = 49
else:
    i = 51
if ...:
    j = 53
else:
    j = 55
if 1 == 2:
    k = 57
if [1]:
    k = 59
if b'':
    k = 61
if 0j:
    k = 63
if 0x_0:
    k = 65
if 1_0 << 3:
    k = 67
else:
    k = 69
if 'a' * 0:
    k = 71
if 'a' + 'b':
    k = 73
else:
    k = 75
def f(a):
    return 1
    b = 3
    if b:
        c = 5
def g(a):
    for i in a:
        continue
        b = 9
    raise ValueError
    b = 11
while 1:
    break
    c = 14
if 0:
    def f(a):
        return a
    class C:
        x = 5
        def g(self):
            pass
    y = lambda: 8
    z = [i for i in
         y]
    w = 11
def h():
    return 13
    @h
    def k():
        '''doc'''
        return 17
    for q in (lambda: 18)():
        u = 19
class C:
    def __annotate__(self):
        a = 3
        def f():
            return 5
        g = lambda: 6
        h = [i for i in g]
        k = any(
            i for i in h)
        return f
def f(a):
    assert a
    assert True, 'x'
    assert 0, 'never'
    b = 5
