"""qd.simt.Tile16x16 and qd.simt.Tile32x32: square tiles of a matrix, which the threads of a block hold together, a row each.

A tile is a struct whose one member is the thread's row. Rows go from thread to thread through arrays of the block, so that a tile may be larger than
a subgroup is. `A[r0:r1, c0:c1]` and `qd.outer` are syntax, of which the compiler and arch=qd.python make calls of methods."""

# mypy: disable-error-code="valid-type, no-untyped-def, no-untyped-call, no-any-return"
from __future__ import annotations

import functools
from typing import Any

from qdcov import _dtypes
from qdcov._arrays.annotations import template
from qdcov._kernels.decorators import func
from qdcov._library.funcs import own
from qdcov._values.functions import cast, max, min, select, sqrt, static, static_assert
from qdcov._values.matrix_type import MatrixType
from qdcov._values.struct import Struct, StructType
from qdcov.simt._operations import SharedArray, block_sync, tile_row


def _resolved(dtype: Any) -> Any:
    """The type of a tile's numbers; None when it can have none of such."""
    found = _dtypes.Defaults.float if dtype is None else _dtypes.resolve(dtype)
    return None if found is _dtypes.u1 else found


def holds(dtype: Any) -> bool:
    """Whether tiles have numbers of a type, at compile time."""
    return _resolved(dtype) is not None


def is_float(dtype: Any) -> bool:
    """Whether a type is one of floats, at compile time."""
    return dtype in (_dtypes.f16, _dtypes.f32, _dtypes.f64)


def tile_type(size: int, dtype: Any) -> StructType:
    """The struct type of a tile, at compile time."""
    return _tile_type(size, _resolved(dtype))


@functools.cache
def _tile_type(size: int, dtype: Any) -> StructType:
    return StructType({"r": MatrixType(size, 1, 1, dtype)}, f"Tile{size}x{size}", {method._function.__name__: method for method in METHODS})


def is_tile(thing: Any) -> bool:
    """Whether something is a tile, for arch=qd.python."""
    return isinstance(thing, Struct) and thing._type.methods.get("_load") is _load


# --- public methods ---


@own
@func
def new_tile(size: template(), dtype: template()):
    """A tile whose numbers are all 0."""
    static_assert(holds(dtype), f"the dtype of a Tile{size}x{size} is that of integers or floats, not {dtype}")
    tile_row(size)
    return static(tile_type(size, dtype))()


@own
@func
def eye_(self):
    """Makes the tile the identity: 1 on its diagonal, 0 elsewhere."""
    row = tile_row(self.r.n)
    for j in range(self.r.n):
        self.r[j] = select(row == j, 1, 0)


@own
@func
def cholesky_(self, eps):
    """Puts the Cholesky factor L of the tile, for which ``L @ L.T`` is the tile, in its lower triangle with the diagonal. The part above the diagonal
    is neither read nor changed.

    A pivot below `eps` is taken for `eps`, so a matrix that is not positive definite gives numbers, too. The tile has floats. All threads of the
    block call it; where `eps` differs between them, each pivot has that of its row."""
    static_assert(is_float(self.r.dtype), f"cholesky_ takes a tile of floats, not of {self.r.dtype}")
    row = tile_row(self.r.n)
    least = cast(eps, self.r.dtype)
    pivot = SharedArray(1, static(self.r.dtype))
    column = SharedArray(static(self.r.n), static(self.r.dtype))
    for k in range(self.r.n):
        if row == k:
            self.r[k] = sqrt(max(self.r[k], least))
            pivot[0] = self.r[k]
        block_sync()
        if row > k:
            self.r[k] = self.r[k] / pivot[0]
            column[row] = self.r[k]
        block_sync()
        for j in range(k + 1, row + 1):
            self.r[j] -= self.r[k] * column[j]


@own
@func
def solve_triangular_(self, B: template(), lower: template() = True):
    """Solves ``X @ L.T = B`` for X, where L is this tile: X takes the place of the tile `B`.

    L is a result of `cholesky_`: the part above its diagonal is not read, and where its diagonal is 0 the result is infinite or no number. `lower` is
    True. Both tiles have the same size and the same type, floats. All threads of the block call it."""
    static_assert(lower, "solve_triangular_ solves with a lower triangle alone: lower=False is not supported")
    static_assert(is_float(self.r.dtype), f"solve_triangular_ takes tiles of floats, not of {self.r.dtype}")
    static_assert(B.r.dtype == self.r.dtype, f"solve_triangular_ takes tiles of one type, not of {self.r.dtype} and {B.r.dtype}")
    row = tile_row(self.r.n)
    factor = SharedArray(static((self.r.n, self.r.n)), static(self.r.dtype))
    for j in range(row + 1):
        factor[row, j] = self.r[j]
    block_sync()
    for k in range(self.r.n):
        known = cast(0, self.r.dtype)
        for j in range(k):
            known += B.r[j] * factor[k, j]
        B.r[k] = (B.r[k] - known) / factor[k, k]
    block_sync()  # before the next call stores another factor


# --- methods for syntax ---


@own
@func
def _add_outer(self, a, b):
    """Adds an outer product: ``tile += qd.outer(a, b)``."""
    row = tile_row(self.r.n)
    of_row = cast(a, self.r.dtype)
    of_columns = SharedArray(static(self.r.n), static(self.r.dtype))
    of_columns[row] = cast(b, self.r.dtype)
    block_sync()
    for j in range(self.r.n):
        self.r[j] += of_row * of_columns[j]
    block_sync()  # before the next call stores another vector


@own
@func
def _subtract_outer(self, a, b):
    """Subtracts an outer product: ``tile -= qd.outer(a, b)``."""
    row = tile_row(self.r.n)
    of_row = cast(a, self.r.dtype)
    of_columns = SharedArray(static(self.r.n), static(self.r.dtype))
    of_columns[row] = cast(b, self.r.dtype)
    block_sync()
    for j in range(self.r.n):
        self.r[j] -= of_row * of_columns[j]
    block_sync()


@own
@func
def _load(self, array: template(), row_begin, row_end, column_begin, column_end):
    """Loads ``tile[:] = array[row_begin:row_end, column_begin:column_end]``: elements that do not exist leave the tile as it is."""
    row = row_begin + tile_row(self.r.n)
    if row >= 0 and row < min(row_end, array.shape[0]):
        for j in range(self.r.n):
            column = column_begin + j
            if column >= 0 and column < min(column_end, array.shape[1]):
                self.r[j] = array[row, column]


@own
@func
def _load_of_batch(self, array: template(), batch, row_begin, row_end, column_begin, column_end):
    """Loads ``tile[:] = array[batch, row_begin:row_end, column_begin:column_end]``."""
    row = row_begin + tile_row(self.r.n)
    if row >= 0 and row < min(row_end, array.shape[1]):
        for j in range(self.r.n):
            column = column_begin + j
            if column >= 0 and column < min(column_end, array.shape[2]):
                self.r[j] = array[batch, row, column]


@own
@func
def _store(self, array: template(), row_begin, row_end, column_begin, column_end):
    """Stores ``array[row_begin:row_end, column_begin:column_end] = tile``: elements that do not exist are not stored."""
    row = row_begin + tile_row(self.r.n)
    if row >= 0 and row < min(row_end, array.shape[0]):
        for j in range(self.r.n):
            column = column_begin + j
            if column >= 0 and column < min(column_end, array.shape[1]):
                array[row, column] = self.r[j]


@own
@func
def _store_of_batch(self, array: template(), batch, row_begin, row_end, column_begin, column_end):
    """Stores ``array[batch, row_begin:row_end, column_begin:column_end] = tile``."""
    row = row_begin + tile_row(self.r.n)
    if row >= 0 and row < min(row_end, array.shape[1]):
        for j in range(self.r.n):
            column = column_begin + j
            if column >= 0 and column < min(column_end, array.shape[2]):
                array[batch, row, column] = self.r[j]


METHODS = (eye_, cholesky_, solve_triangular_, _add_outer, _subtract_outer, _load, _load_of_batch, _store, _store_of_batch)
