"""Module."""
if a: assert a
for i in a:
    del a
    if not a:
        a = 1
    a = 1; b = 2
if 0:  # pragma: no cover
    try:
        with a: b = 1
        a = 1; b = 2
    except E:
        f(a)
        if 0:
            raise E

            match a:
                case d if d:
                    f(a)

                case [b, c]:
                    pass
                    import os
    except (A,
            B) as e:
        class C:
            """Doc
            more."""

            if 0:
                a = 1
            @deco

            def f(a) -> int:
                import os
                yield a
            a = 1; b = 2  # pragma: no cover
    finally:
        f(
          a)
    import os
elif a if b else 1:
    for i in a: 1

    with a: b = 1
else:
    match a:
        case C(x=1):

            for i in a:  # pragma: no cover
                continue
                pass
            else:

                raise E

            class C:
                import os
            if a if b else 1:
                pass
            else:
                a = 1
                a = [
                  1,
                ]
                assert a
    if a:  # pragma: no cover
        class C(a,
                b):
            try:
                pass
            except E:

                a = [
                  1,
                ]
                f(
                  a)
                raise E  # pragma: no cover
            finally:
                x: int
            match a:
                case {'k': 1}:
                    f(a)
                    a = 1; b = 2
                case (1 | _):
                    b = [i for i in a]

            b = [i for i in a]
a = 1; b = 2  # pragma: no cover
a = 1; b = 2
if a: del a
if f(b):
    while (
      a,
    ):
        with a: b = 1
