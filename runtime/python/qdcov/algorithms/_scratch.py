"""qd.algorithms: sizes of scratch, in slots. They are Quadrants' numbers, which are those of an algorithm in tiles of 256: so
programs bring scratch that is large enough for any device. The one in chunks that runs here needs a small part of it."""

# mypy: disable-error-code="valid-type, no-untyped-def, no-untyped-call, no-any-return"
from __future__ import annotations

from qdcov._arrays.annotations import template
from qdcov._kernels.decorators import pyfunc
from qdcov._values.functions import static, static_assert
from qdcov.algorithms._parts import TILE, own


@own
@pyfunc
def tiles_of(n):
    """The number of tiles of `n` elements."""
    return (n - 1) // TILE + 1


@own
@pyfunc
def staircase(n, log256_max_n: template()):
    """The number of tiles of `n` elements, and that of tiles of those, and so on: one less of these steps than `log256_max_n`; if that is None, until
    one tile is left."""
    slots = 0
    tiles = n
    for step in static(range(1, 4)):
        goes_on = tiles > TILE
        tiles = tiles_of(tiles)
        if static(log256_max_n is None):
            slots = slots + (tiles if goes_on else 0)
        elif static(step < log256_max_n):
            slots = slots + tiles
    return slots


@own
@pyfunc
def check_depth(log256_max_n: template()):
    static_assert(log256_max_n is None or 1 <= log256_max_n <= 4, f"log256_max_n is from 1 to 4, not {log256_max_n}")


@own
@pyfunc
def reduce_scratch_slots(n, log256_max_n: template() = None):
    """The number of slots in the scratch of `reduce_add`, `reduce_min` and `reduce_max` for `n` elements: 1 or more.

    Kernels may call it, too, with the `log256_max_n` that they give to the algorithm; the host may leave that out. Raises KernelCompilationError for
    a `log256_max_n` that is not from 1 to 4."""
    check_depth(log256_max_n)
    return max(staircase(n, log256_max_n), 1)


@own
@pyfunc
def exclusive_scan_scratch_slots(n, log256_max_n: template() = None):
    """The number of slots in the scratch of `exclusive_scan_add`, `_min` and `_max` for `n` elements: 1 or more. See
    `reduce_scratch_slots` for the arguments."""
    check_depth(log256_max_n)
    return max(staircase(n, log256_max_n), 1)


@own
@pyfunc
def select_scratch_slots(n):
    """The number of slots, of type u32, in the scratch of `select` for `n` elements: 1 or more. Kernels may call it, too."""
    return max(n + tiles_of(n) + staircase(tiles_of(n), None), 1)


@own
@pyfunc
def reduce_by_key_scratch_slots(n):
    """The number of slots, of type u32, in the scratch of `reduce_by_key_add` for `n` elements: 1 or more. Kernels may call it, too."""
    return max(n + (tiles_of(n) + staircase(tiles_of(n), None) if n > TILE else 0), 1)


@own
@pyfunc
def sort_scratch_slots(n, log256_max_n: template() = None):
    """The number of slots, of type u32, in the scratch of `sort` for `n` elements: 1 or more. See
    `reduce_scratch_slots` for the arguments."""
    check_depth(log256_max_n)
    digits = tiles_of(n) * TILE
    slots = digits
    tiles = digits
    for step in static(range(1, 4)):
        tiles = tiles_of(tiles)
        if static(log256_max_n is None):
            slots = slots + (tiles if n > TILE**step else 0)
        elif static(step < log256_max_n):
            slots = slots + tiles
    return max(slots, 1)
