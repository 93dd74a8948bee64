def f(a):
    assert ()
    b = 3
def f():
    try:
        a = 3
        raise ValueError
    except ValueError as e:
        a = 6
    except (TypeError,
            OSError):
        a = 9
    else:
        a = 11
    finally:
        a = 13
    return a
def f(a):
    try:
        return 3
    except ValueError:
        return 5
    finally:
        b = 7
    c = 8
def g(a):
    for i in a:
        try:
            if i:
                break
            continue
        finally:
            x = 16
    return 17
def f(a):
    while True:
        try:
            break
        finally:
            return 6
    b = 7
def g():
    try:
        a = 10
    finally:
        raise ValueError
    b = 13
def f():
    try:
        try:
            raise A
        except B:
            raise
        finally:
            x = 8
    except C:
        y = 10
try:
    a = 2
except* ValueError:
    b = 4
else:
    c = 6
with open('x') as f:
    a = 2
    b = 3
c = 4
def f(a):
    with a as b:
        with b as c:
            d = 4
        with c:
            if d:
                return 7
    return 8
