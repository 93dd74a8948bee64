"""Decompositions of small matrices and linear systems: kernel code, which the compiler has as text and arch=qd.python runs.

Matrices are scaled to a largest entry of 1 first, so that squares neither overflow nor vanish. Everything but the sweeps is without branches."""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from qdcov._dtypes import f64
from qdcov._library.funcs import func
from qdcov._values.functions import abs, cast, max, min, select, sqrt, static
from qdcov._values.matrix import Matrix
from qdcov._values.vector import Vector


@func
def scaled(A, dt):
    """A over its largest entry, that entry times a power of 2, and the power's inverse: `x * largest * down` takes a number back."""
    largest = cast(0, dt)
    for i in static(range(A.n)):
        for j in static(range(A.m)):
            largest = max(largest, abs(A[i, j]))
    # The reciprocal of a denormal number would overflow.
    small = largest < static(1e-290 if dt == f64 else 1e-30)
    up = select(small, cast(static(2.0**512 if dt == f64 else 2.0**64), dt), cast(1, dt))
    down = select(small, cast(static(2.0**-512 if dt == f64 else 2.0**-64), dt), cast(1, dt))
    largest = largest * up
    largest = select(largest > 0, largest, cast(1, dt))
    return (A * up) / largest, largest, down


@func
def rotation(gap, product):
    """Cosine, sine and tangent of the smaller rotation that makes `product` zero, an off-diagonal entry. `gap`: the second diagonal entry less the
    first.

    Rutishauser's formula (Golub and Van Loan, Matrix Computations, section 8.5), without a division by the product. The tangent is at most 1, also
    where squares vanish."""
    root = max(sqrt(gap * gap + 4 * product * product), 2 * abs(product))
    below = abs(gap) + root
    tangent = 2 * product / select(below > 0, below, below + 1)
    tangent = select(gap < 0, -tangent, tangent)
    cosine = 1 / sqrt(1 + tangent * tangent)
    return cosine, cosine * tangent, tangent


@func
def perpendicular(u):
    """A unit vector at a right angle to a unit vector of 3 (Duff et al., Building an Orthonormal Basis, Revisited, JCGT 6(1), 2017)."""
    sign = select(u[2] < 0, u[2] * 0 - 1, u[2] * 0 + 1)
    a = -1 / (sign + u[2])
    return Vector([1 + sign * u[0] * u[0] * a, sign * u[0] * u[1] * a, -sign * u[0]])


@func
def svd2(A, dt):
    B, largest, down = scaled(A, dt)
    alpha = B[0, 0] * B[0, 0] + B[1, 0] * B[1, 0]
    beta = B[0, 1] * B[0, 1] + B[1, 1] * B[1, 1]
    gamma = B[0, 0] * B[0, 1] + B[1, 0] * B[1, 1]
    c, s, t = rotation(beta - alpha, gamma)
    # The columns of A V, the longer one first; a swap turns by a right angle.
    p = Vector([c * B[0, 0] - s * B[0, 1], c * B[1, 0] - s * B[1, 1]])
    q = Vector([s * B[0, 0] + c * B[0, 1], s * B[1, 0] + c * B[1, 1]])
    swap = p.norm_sqr() < q.norm_sqr()
    first = select(swap, q, p)
    second = select(swap, -p, q)
    x, y = select(swap, s, c), select(swap, c, -s)
    length = first.norm()
    some = length > 0
    u = first / select(some, length, length + 1)
    u[0] = select(some, u[0], cast(1, dt))
    short = u[0] * second[1] - u[1] * second[0]
    turn = select(short < 0, cast(-1, dt), cast(1, dt))
    # Rounding must not make it the longer one.
    U = Matrix([[u[0], -u[1] * turn], [u[1], u[0] * turn]])
    S = Matrix([[length * largest * down, cast(0, dt)], [cast(0, dt), min(abs(short), length) * largest * down]])
    V = Matrix([[x, -y], [y, x]])
    return U, S, V


@func
def svd3(A, dt):
    B, largest, down = scaled(A, dt)
    V = Matrix.identity(dt, 3)
    # One-sided Jacobi: rotations of pairs of columns until all are at right angles. As many sweeps as the worst matrices need: without a test for
    # the end, loops over matrices are compiled to vector instructions.
    for _number in static(range(6 if dt == f64 else 5)):
        for p in static(range(2)):
            for q in static(range(p + 1, 3)):
                alpha = B[0, p] * B[0, p] + B[1, p] * B[1, p] + B[2, p] * B[2, p]
                beta = B[0, q] * B[0, q] + B[1, q] * B[1, q] + B[2, q] * B[2, q]
                gamma = B[0, p] * B[0, q] + B[1, p] * B[1, q] + B[2, p] * B[2, q]
                c, s, t = rotation(beta - alpha, gamma)
                for i in static(range(3)):
                    x, y = B[i, p], B[i, q]
                    B[i, p] = c * x - s * y
                    B[i, q] = s * x + c * y
                    x, y = V[i, p], V[i, q]
                    V[i, p] = c * x - s * y
                    V[i, q] = s * x + c * y
    n = Vector([B[0, i] * B[0, i] + B[1, i] * B[1, i] + B[2, i] * B[2, i] for i in range(3)])
    # The longest column first; a swap turns by a right angle, so that V stays a rotation.
    for p in static(range(2)):
        for q in static(range(p + 1, 3)):
            swap = n[p] < n[q]
            x, y = n[p], n[q]
            n[p] = select(swap, y, x)
            n[q] = select(swap, x, y)
            for i in static(range(3)):
                x, y = B[i, p], B[i, q]
                B[i, p] = select(swap, y, x)
                B[i, q] = select(swap, -x, y)
                x, y = V[i, p], V[i, q]
                V[i, p] = select(swap, y, x)
                V[i, q] = select(swap, -x, y)
    first = Vector([B[0, 0], B[1, 0], B[2, 0]])
    second = Vector([B[0, 1], B[1, 1], B[2, 1]])
    third = Vector([B[0, 2], B[1, 2], B[2, 2]])
    length = sqrt(n[0])
    some = length > 0
    u = select(some, first / select(some, length, length + 1), Vector([cast(1, dt), cast(0, dt), cast(0, dt)]))
    # The rest of the second column; a column that is but rounding says nothing, any direction will do.
    w = second - u.dot(second) * u
    rest = w.norm()
    some = rest > static(2.0**-51 if dt == f64 else 2.0**-22) * length
    v = select(some, w / select(some, rest, rest * 0 + 1), perpendicular(u))
    w = u.cross(v)
    last = sqrt(n[2])
    last = select(w.dot(third) < 0, -last, last)
    zero = cast(0, dt)
    U = Matrix.cols([u, v, w])
    S = Matrix([
        [length * largest * down, zero, zero], [zero, sqrt(n[1]) * largest * down, zero], [zero, zero, last * largest * down],
    ])  # fmt: skip
    return U, S, V


@func("square", rows=(2, 3))
def svd(A, dt=None):
    """The singular value decomposition of a 2x2 or 3x3 matrix: ``U, S, V`` with ``A = U @ S @ V.transpose()``, matrices of the type `dt`.

    U and V are orthogonal, S is diagonal with its largest value first. V is a rotation (its determinant is 1). Of a 2x2 matrix the values are not
    negative, and the determinant of U has the sign of that of A; of a 3x3 matrix U is a rotation, too, and the last value has that sign. `dt` is
    qd.f32 or qd.f64, the default float when it is not given. Another size or type is a compile error.

    One-sided Jacobi (Hestenes 1958; Golub and Van Loan, Matrix Computations, section 8.6): the error is a few roundings of the largest value."""
    return svd2(A, dt) if static(A.n == 2) else svd3(A, dt)


@func
def polar2(A, dt):
    """The polar decomposition of a 2x2 matrix: the rotation or reflection next to A is known in closed form; P is the remaining factor."""
    B, largest, down = scaled(A, dt)
    turned = B[0, 0] * B[1, 1] - B[0, 1] * B[1, 0] < 0
    sign = select(turned, cast(-1, dt), cast(1, dt))
    x = B[0, 0] + sign * B[1, 1]
    y = B[1, 0] - sign * B[0, 1]
    length = sqrt(x * x + y * y)
    some = length > 0
    x = select(some, x / select(some, length, length + 1), cast(1, dt))
    y = y / select(some, length, length + 1)
    U = Matrix([[x, -sign * y], [y, sign * x]])
    P = U.transpose() @ B
    across = (P[0, 1] + P[1, 0]) / 2
    S = Matrix([[P[0, 0], across], [across, P[1, 1]]])
    return U, S * largest * down


@func
def polar3(A, dt):
    U, S, V = svd3(A, dt)
    R = U @ V.transpose()
    P = V @ S @ V.transpose()
    return R, (P + P.transpose()) / 2


@func("square", rows=(2, 3))
def polar_decompose(A, dt=None):
    """The polar decomposition of a 2x2 or 3x3 matrix: ``U, P`` with ``A = U @ P``, U orthogonal and P symmetric, matrices of the type `dt`.

    Of a 2x2 matrix the determinant of U has the sign of that of A, and P has no negative eigenvalue. Of a 3x3 matrix U is a rotation, and P has a
    negative eigenvalue where the determinant of A is negative. `dt` is as for `qd.svd`, which finds the factors of 3x3 matrices."""
    return polar2(A, dt) if static(A.n == 2) else polar3(A, dt)


@func("square", "column", rows=(2, 3))
def solve(A, b, dt=None):
    """The solution x of ``A @ x = b``, a vector of the type `dt`, for a 2x2 or 3x3 matrix and a vector of as many components.

    Gaussian elimination with partial pivoting (Golub and Van Loan, Matrix Computations, section 3.4). A singular matrix fails an assertion with
    ``debug=True``; else x is not finite, or without meaning. `dt` is as for `qd.svd`."""
    x = b
    for i in static(range(A.n)):
        for j in static(range(i + 1, A.n)):
            swap = abs(A[j, i]) > abs(A[i, i])
            for k in static(range(A.n)):
                u, v = A[i, k], A[j, k]
                A[i, k] = select(swap, v, u)
                A[j, k] = select(swap, u, v)
            u, v = x[i], x[j]
            x[i] = select(swap, v, u)
            x[j] = select(swap, u, v)
        assert A[i, i] != 0, "qd.solve: the matrix is singular"
        for j in static(range(i + 1, A.n)):
            factor = A[j, i] / A[i, i]
            for k in static(range(i + 1, A.n)):
                A[j, k] -= factor * A[i, k]
            x[j] -= factor * x[i]
    for m in static(range(A.n)):
        i = static(A.n - 1 - m)
        for k in static(range(i + 1, A.n)):
            x[i] -= A[i, k] * x[k]
        x[i] = x[i] / A[i, i]
    return x
