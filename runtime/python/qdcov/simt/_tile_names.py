"""qd.simt.Tile16x16 and qd.simt.Tile32x32: the names for tiles (`_tiles`) of one size, in a module for each size."""

# mypy: disable-error-code="valid-type, no-untyped-def, no-untyped-call, no-any-return, no-redef"
from __future__ import annotations

import types

from qdcov._arrays.annotations import template
from qdcov._kernels.decorators import Func, func
from qdcov._library.funcs import own
from qdcov.simt._tiles import new_tile

_DOC = """qd.simt.Tile{n}x{n}: a tile of {n} rows and columns, of which each of the {n} threads of a block has a row.

In a loop with ``qd.loop_config(block_dim={n})``, with a tile ``t`` that `zeros` or `eye` has made, a 2-D array ``A`` (a field, an ndarray or a shared
array) and a vector of {n} numbers, of which each thread has one:

- ``t[:] = A[r0:r1, c0:c1]`` loads a part of the array, ``A[r0:r1, c0:c1] = t`` stores the tile there. Of a 3-D array it is ``A[b, r0:r1, c0:c1]``.
  Rows and columns that the part, the array or the tile has not are neither loaded nor stored.
- ``v = A[r0:r1, c]`` is a vector: in thread i ``A[r0 + i, c]``, or 0 where the part or the array has no such row.
- ``t -= qd.outer(v, w)`` and ``t += qd.outer(v, w)``: in row i and column j ``v * w``, with v of thread i and w of thread j.
- ``t.eye_()`` makes it the identity.
- ``t.cholesky_(eps)`` puts its Cholesky factor L, with ``L @ L.T == t``, in its lower triangle; above the diagonal it stays as it is. A pivot below
  `eps` is taken for `eps`.
- ``t.solve_triangular_(b)``, with such a factor in `t`, makes the tile `b`, of the same type, the X with ``X @ t.T == b``.

All threads of the block come to `qd.outer`, `cholesky_` and `solve_triangular_`; the last two take floats. A tile is a value like a vector: assigning
it copies it. A loop with blocks of another size and a part of another form raise KernelTypeError, KernelSyntaxError or KernelIndexError, with the
line; so does a tile outside of a parallel loop."""


class TileNames(types.ModuleType):
    """A module with the names for tiles of one size. The funcs of a size have the number in their text: kernels with fastcache=True read
    no variable of a function around them."""

    __all__ = ["SIZE", "eye", "zeros"]
    SIZE: int
    """Number of rows and columns of the tile, and of threads of the block."""
    zeros: Func
    eye: Func

    def __init__(self, size: int, zeros: Func, eye: Func) -> None:
        super().__init__(f"qd.simt.Tile{size}x{size}", _DOC.format(n=size))
        self.SIZE, self.zeros, self.eye = size, zeros, eye


@own
@func
def zeros(dtype: template() = None):
    """A tile of zeros. `dtype` is the type of its numbers, integers or floats, and the default float of qd.init where it is not given."""
    return new_tile(16, dtype)


@own
@func
def eye(dtype: template() = None):
    """A tile with 1 on its diagonal and 0 elsewhere. `dtype` is the type of its numbers, as that of `zeros`."""
    made = new_tile(16, dtype)
    made.eye_()
    return made


Tile16x16 = TileNames(16, zeros, eye)


@own
@func
def zeros(dtype: template() = None):
    """A tile of zeros. `dtype` is the type of its numbers, integers or floats, and the default float of qd.init where it is not given."""
    return new_tile(32, dtype)


@own
@func
def eye(dtype: template() = None):
    """A tile with 1 on its diagonal and 0 elsewhere. `dtype` is the type of its numbers, as that of `zeros`."""
    made = new_tile(32, dtype)
    made.eye_()
    return made


Tile32x32 = TileNames(32, zeros, eye)
