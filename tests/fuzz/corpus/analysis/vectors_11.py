a = 1  #pragma:no cover
b = 2  # PRAGMA NO COVER
c = 3  # pragma nocover
d = 4  # pragma:  no  cover because
e = 5  # Pragma: no cover
f = 6  # pragma no cover
