"""Module."""
raise E
1
class C(a,
        b):
    """Doc."""
    del a
    if 0:
        for i in a:
            a = [
              1,
            ]
            for i in a:
                break
                f(a)
                1
        else:
            try:
                f(
                  a)
                f(a)
            except E:
                assert a  # pragma: no cover
                f(a)
        del a
        if (
          a,
        ):
            del a
            a = 1
            b = [i for i in a]
        elif f(b):
            g = lambda: a
        elif a:
            class C(a,
                    b):
                """Doc
                more."""

                assert a
                a = 1; b = 2
                a = 1
            x: int
    else:
        match a:
            case {'k': 1}:
                a = 1; b = 2
                b = [i for i in a]
try:
    a = [
      1,
    ]
except E:
    match a:
        case [b, c]:

            b = [i for i in a]
            a = 1
    1
    if a:  # pragma: no cover
        if a: b = [i for i in a]
        try:
            match a:
                case [b, c]:
                    f(a)
                case C(x=1):
                    a = 1; b = 2
                    f(
                      a)
                    del a
                case x:
                    import os
        except E:

            f(a)
            class C(a,
                    b):
                f(
                  a)  # pragma: no cover
        except (A,
                B) as e:
            match a:
                case 1 | 2:
                    f(
                      a)
                case {'k': 1}:
                    f(
                      a)
                    raise E
                case _ if a:
                    a = [
                      1,
                    ]  # pragma: no cover
            with a:
                f(
                  a)
                b = [i for i in a]
                pass
            try:
                assert a
            finally:
                b = [i for i in a]
                a = 1; b = 2
                a = [
                  1,
                ]  # pragma: no cover
        match a:
            case d if d:  # pragma: no branch
                a = [
                  1,
                ]
                b = [i for i in a]
except E:
    match a:
        case 1 | 2:  # pragma: no cover
            import os
        case d if d:
            match a:
                case 1:
                    1
                case d if d:
                    pass
                    1
                    a = 1; b = 2
                case {'k': 1}:  # pragma: no branch
                    f(
                      a)  # pragma: no cover
                    pass
        case {'k': 1}:  # pragma: no cover
            @deco(
                1,
            )
            class C(a,
                    b):
                f(a)
        case (1 | _):

            a = 1; b = 2
if a if b else 1:
    if __debug__:
        if a:
            f(
              a)  # pragma: no branch
        a = 1; b = 2
    elif f(b):
        if a:
            g = lambda: a
            raise E
        elif a and 0:
            for i in a:
                raise E  # pragma: no cover
            b = [i for i in a]
    else:
        del a
        if 0:
            for i in a:
                f(
                  a)  # pragma: no cover
            else:
                f(a)
        g = lambda: a  # pragma: no branch
elif __debug__:
    if True:
        while a:

            if not 0:
                x: int
                b = [i for i in a]
                continue
            else:
                assert a
                raise E
        for i in a:
            x: int
elif True:
    raise E
elif __debug__:

    import os
    while a and 0:
        if a: continue
    while a:
        while 0:
            f(
              a)

            break
        continue
elif a:
    for i in a: continue
