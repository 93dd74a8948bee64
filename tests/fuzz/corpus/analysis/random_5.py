first = 0
g = lambda: a
def f(a):
    """Doc
    more."""
    for i in a:
        continue  # pragma: no branch
        del a  # pragma: no cover
        raise E
    else:
        raise E
import os
import os
f(
  a)
del a
while __debug__:  # pragma: no cover
    match a:  # pragma: no cover
        case C(x=1):
            if f(b):
                g = lambda: a
                1
                g = lambda: a

            else:
                f(
                  a)
        case d if d:
            pass
            continue

x: int
