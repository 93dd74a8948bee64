type A = int

type B[T] = list[T]

type C[T: int, *Ts, **P] = dict[T, Callable[P, tuple[*Ts]]]

type D[T: (int, str) = int, *Ts = *tuple[int], **P = [int]] = T

def f[T](a: T) -> T: return a

def f[T: int, *Ts, **P,](a: T, *b: *Ts): pass

class E[T]: pass

class F[T = int](G[T], metaclass=H): pass

async def g[T](): pass
