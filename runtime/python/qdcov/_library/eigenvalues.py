"""Eigenvalues of small matrices: kernel code, which the compiler has as text and arch=qd.python runs."""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from qdcov._dtypes import f64
from qdcov._library.funcs import func
from qdcov._library.linear_algebra import rotation, scaled
from qdcov._values.functions import abs, cast, max, min, select, sqrt, static
from qdcov._values.matrix import Matrix
from qdcov._values.vector import Vector


@func
def sweep(S, V):
    """A rotation for each entry below the diagonal, which it makes zero; and the largest of these entries as it was then."""
    off = S[0, 0] * 0
    for p in static(range(S.n)):
        for q in static(range(p + 1, S.n)):
            across = S[q, p]
            off = max(off, abs(across))
            c, s, t = rotation(S[q, q] - S[p, p], across)
            S[p, p] -= t * across
            S[q, q] += t * across
            S[q, p] = across * 0
            for i in static(range(S.n)):
                if static(i != p and i != q):
                    x, y = S[max(i, p), min(i, p)], S[max(i, q), min(i, q)]
                    S[max(i, p), min(i, p)] = c * x - s * y
                    S[max(i, q), min(i, q)] = s * x + c * y
                x, y = V[i, p], V[i, q]
                V[i, p] = c * x - s * y
                V[i, q] = s * x + c * y
    return S, V, off


@func("square", rows=(2, 6))
def sym_eig(A, dt=None):
    """The eigenvalues of a symmetric matrix of 2 to 6 rows, the smallest first, and the matrix whose columns are the eigenvectors, both of the type
    `dt`: ``values, vectors``.

    The matrix of eigenvectors is a rotation. The entries above the diagonal of A are not read. `dt` is qd.f32 or qd.f64, the default float when it is
    not given; another size or type is a compile error.

    Cyclic Jacobi (Golub and Van Loan, Matrix Computations, section 8.5): the error is a few roundings of the value that is largest in magnitude."""
    S, largest, down = scaled(A, dt)
    V = Matrix.identity(dt, A.n)
    if static(A.n <= 3):
        # As many sweeps as the worst matrices need: without a test for the end, loops over matrices are compiled to vector instructions.
        for _number in static(range(2 if A.n == 2 else 6 if dt == f64 else 5)):
            S, V, off = sweep(S, V)
    else:
        off = cast(1, dt)
        sweeps = 0
        while off > static(2.0**-57 if dt == f64 else 2.0**-28) and sweeps < 14:
            S, V, off = sweep(S, V)
            sweeps += 1
    values = Vector([S[i, i] for i in range(A.n)])
    for p in static(range(A.n)):
        for q in static(range(p + 1, A.n)):
            swap = values[q] < values[p]
            x, y = values[p], values[q]
            values[p] = select(swap, y, x)
            values[q] = select(swap, x, y)
            for i in static(range(A.n)):
                x, y = V[i, p], V[i, q]
                V[i, p] = select(swap, y, x)
                V[i, q] = select(swap, -x, y)
    return values * largest * down, V


@func("square", rows=(2, 6))
def make_spd(A, dt=None):
    """The symmetric matrix without negative eigenvalues that is nearest to a symmetric one, in the Frobenius norm: negative eigenvalues become 0.

    A is as for `qd.sym_eig`, and so is `dt` (N. Higham, Linear Algebra and its Applications 103, 1988)."""
    values, V = sym_eig(A, dt)
    W = V
    for i in static(range(A.n)):
        for k in static(range(A.n)):
            W[i, k] = V[i, k] * max(values[k], cast(0, dt))
    P = W @ V.transpose()
    return (P + P.transpose()) / 2


@func("square", rows=(2, 2))
def eig(A, dt=None):
    """The eigenvalues and eigenvectors of a 2x2 matrix, complex numbers as their real and imaginary parts, of the type `dt`: ``values, vectors``.

    `values` is a 2x2 matrix with an eigenvalue a row: the larger of two real ones first, of two that are not real the one with the positive imaginary
    part. `vectors` is a 4x2 matrix; its columns are the eigenvectors, each of length 1: the parts of the first component, then those of the second. A
    matrix that has but one eigenvector gives it twice. `dt` is as for `qd.sym_eig`.

    The quadratic formula without cancellation, as in LAPACK's dlanv2."""
    B, largest, down = scaled(A, dt)
    zero = cast(0, dt)
    one = cast(1, dt)
    half = (B[0, 0] - B[1, 1]) / 2
    product = B[0, 1] * B[1, 0]
    under = half * half + product
    root = sqrt(abs(under))
    real = under >= 0
    middle = B[1, 1] + half
    # Real: distances of both values from the last diagonal entry, whose product is -B[0, 1] * B[1, 0].
    far = half + select(half < 0, -root, root)
    near = -product / select(far != 0, far, one)
    near = select(far != 0, near, zero)
    high = select(half < 0, near, far)
    low = select(half < 0, far, near)
    imaginary = select(real, zero, root)
    first = Vector([select(real, B[1, 1] + high, middle), imaginary])
    second = Vector([select(real, B[1, 1] + low, middle), -imaginary])
    # (A - value) v = 0. Both rows say so; the one with the larger numbers is taken. Real parts of A[0, 0] - value and of A[1, 1] - value:
    columns = Matrix.zero(dt, 4, 2)
    for k in static(range(2)):
        distance = select(real, high if static(k == 0) else low, half)
        lower = -distance
        upper = 2 * half - distance
        across = imaginary if static(k == 0) else -imaginary
        take = abs(B[1, 0]) + abs(lower) > abs(B[0, 1]) + abs(upper)
        # Row 2: A10 x + (A11 - value) y = 0, so (x, y) = (value - A11, A10). Row 1: (x, y) = (A01, value - A00).
        v = Vector([
            select(take, -lower, B[0, 1]), select(take, across, zero), select(take, B[1, 0], -upper), select(take, zero, across),
        ])  # fmt: skip
        size = abs(v).max()
        v = v / select(size > 0, size, one)  # squares of the rest might vanish
        length = v.norm()
        some = length > 0
        for i in static(range(4)):
            # A multiple of the identity: every vector is one.
            columns[i, k] = select(some, v[i] / select(some, length, one), one if static(i == 2 * k) else zero)
    return Matrix.rows([first, second]) * largest * down, columns
