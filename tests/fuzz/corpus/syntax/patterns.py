match a:
    case 1 | -2 | 1.5 | -1 + 2j | 3 - 4j | "s" "t" | b"u" | None | True | False: pass
    case x if x > 1: pass
    case _: pass

match a, b:
    case c, *d: pass
    case [e, *_, f]: pass
    case (g, h) | [g, h]: pass
    case (i): pass
    case (j,): pass
    case (): pass
    case []: pass
    case *k,: pass

match *a, b:
    case {}: pass
    case {"a": b, 1: c, d.e: f, -1: g, None: h, **rest}: pass
    case {"a": (1 | 2) as b,}: pass

match(a):
    case A(): pass
    case A(b, c.d, e=f, g=H(i),): pass
    case a.b.C(d) as e: pass

match [a]:
    case str() | int() as x: pass

match {a}:
    case (1 as x) | (2 as x): pass

match -a:
    case match: pass

match lambda: a:
    case case: pass

match not a:
    case type: pass

match match:
    case [case]:
        match _:
            case _:
                x
