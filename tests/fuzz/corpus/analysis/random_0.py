first = 0
try:
    for i in a: break
    class C:
        with a as b, b as c:
            def f(
                a,
            ):  # pragma: no branch
                b = [i for i in a]
        def f(
            a,
        ):
            for i in a:
                pass
                yield a
                a = [
                  1,
                ]
except E:
    a = [
      1,
    ]
    pass
except (A,
        B) as e:
    if a:
        try:
            match a:
                case 1 | 2:
                    a = 1; b = 2

                    del a
                case {'k': 1}:
                    f(a)
                case 1:
                    a = 1
        finally:
            a = 1
        for i in a:
            if (
              a,
            ):
                a = [
                  1,
                ]
            else:
                1
        for i in a:
            class C(a,
                    b):

                f(
                  a)
                del a
    elif __debug__:  # pragma: no cover
        with (
            a,
            b,
        ):
            match a:
                case [b, c]:
                    g = lambda: a
                    raise E  # pragma: no cover
                    a = [
                      1,
                    ]
                case {'k': 1}:  # pragma: no cover
                    g = lambda: a
                    assert a
                case 1 | 2:  # pragma: no cover

                    del a

                    a = 1; b = 2
                case _:
                    raise E
    elif a:

        a = [
          1,
        ]
    elif a:
        try:
            class C(a,
                    b):
                a = 1
        except (A,
                B) as e:
            def f(): return 1
        else:

            import os
        finally:

            a = [
              1,
            ]
        if True:
            a = 1; b = 2
        else:
            with a:
                a = 1
                pass
                raise E
            b = [i for i in a]
            a = 1
        assert a
    elif a:
        match a:
            case 1:
                raise E
                b = [i for i in a]
                x: int
            case d if d:
                pass
                raise E
                import os
            case C(x=1):
                a = 1
        @deco(
            1,
        )
        class C(a,
                b):
            """Doc."""
            a = 1
class C:
    for i in a:
        match a:
            case 1 | 2:
                break
                continue
            case (1 | _):
                del a
        f(a)
        if (
          a,
        ):
            continue
            del a  # pragma: no cover
        elif 0:
            continue
            with (
                a,
                b,
            ):
                del a
                a = [
                  1,
                ]
if f(b):
    if a if b else 1:
        class C:
            while a:
                x: int
            def f(
                a,
            ):  # pragma: no cover
                pass
                a = 1
            with a:
                x: int
elif __debug__:  # pragma: no cover
    f(a)
elif a:
    class C:
        pass
        x: int
    f(
      a)  # pragma: no cover
    f(a)
elif not a:
    import os
    1  # pragma: no cover
    g = lambda: a
pass
while __debug__:
    a = 1; b = 2
    while a or 1:
        try:  # pragma: no cover
            a = [
              1,
            ]
            continue
            def f(a):
                x: int
        finally:
            1
            if a: pass
            break
    a = [
      1,
    ]
f(a)
b = [i for i in a]
a = [
  1,
]
match a:
    case {'k': 1}:
        def f(a):
            return
        if a:
            a = 1

            f(
              a)
            b = [i for i in a]
        import os
    case 1 | 2:
        for i in a:
            continue
            raise E

            assert a
    case C(x=1):
        if (
          a,
        ):
            match a:
                case 1 | 2:
                    x: int

                    a = 1

                    f(
                      a)  # pragma: no cover
                case d if d:
                    1
                    import os
                    f(a)
                case C(x=1):
                    1  # pragma: no cover
                case _ if a:
                    del a
                    assert a
            1  # pragma: no branch
        else:
            f(a)
            for i in a:
                continue
                f(a)
                assert a
            raise E
