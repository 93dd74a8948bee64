"""Module."""
if a if b else 1:
    for i in a:

        a = 1
        if (
          a,
        ):

            match a:
                case 1:
                    g = lambda: a
                case d if d:
                    a = 1; b = 2
                case [b, c]:
                    x: int
                    break
        else:
            def f(
                a,
            ):
                pass
                import os
            @deco(
                1,
            )
            def f(a):
                b = [i for i in a]
            try:
                b = [i for i in a]
            except E:
                f(a)
                continue
                continue
            except E:
                break
                import os
            else:
                f(a)
                pass
        1
    else:  # pragma: no branch
        try:
            del a
            f(a)
            match a:

                case C(x=1):
                    assert a
                case x:
                    x: int

                    f(
                      a)
                    f(
                      a)
        finally:
            f(a)
            if a: del a
    class C: pass
    x: int
try:

    while a:
        raise E
    class C:  # pragma: no branch

        """Doc."""
        with a as b, b as c:
            1
            raise E
            if 0:
                f(a)
                f(a)
                del a
            else:
                a = [
                  1,
                ]
        b = [i for i in a]  # pragma: no cover
    while not a:
        x: int
except (A,
        B) as e:
    f(
      a)

    def f(): return 1
except (A,
        B) as e:
    b = [i for i in a]
while True:
    1
else:
    del a  # pragma: no cover
try:
    a = 1
except E:

    b = [i for i in a]
finally:
    pass
f(a)
for i in a:
    class C:
        """Doc."""
        try:
            a = 1; b = 2
            f(
              a)
            g = lambda: a
        finally:
            raise E
            class C(a,
                    b):
                """Doc
                more."""
                g = lambda: a
        try:
            with a:
                del a
        except (A,
                B) as e:
            def f(): return 1
            a = [
              1,
            ]
            with a as b, b as c:
                1
        except E:
            if (
              a,
            ):
                b = [i for i in a]
                import os
                assert a
        else:
            def f(a):
                import os
        finally:
            while a if b else 1:
                raise E
            else:
                a = [
                  1,
                ]
            while a if b else 1:  # pragma: no branch
                a = 1; b = 2
                break
            1
        if a and 0:
            for i in a: break
while True:
    a = 1
