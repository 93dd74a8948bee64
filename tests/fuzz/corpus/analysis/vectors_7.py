# ünïcödé
å = 'ß'
if å:
    b = '日本語'  # pragma: no cover
c = 5
a = 1
b = 2  # pragma: no cover
c = 3
if a:  # pragma: no cover
    b = 2
    c = 3
else:
    d = 5
e = 6
if a:
    b = 2
elif c:  # pragma: no cover
    d = 4
else:  # pragma: no cover
    e = 6
f = 7
for i in a:  # pragma: no cover
    b = 2
else:
    c = 4
while a:
    d = 6
else:  # pragma: no cover
    e = 8
try:  # pragma: no cover
    a = 2
except A:
    b = 4
except B:  # pragma: no cover
    c = 6
else:
    d = 8
finally:  # pragma: no cover
    e = 10
f = 11
