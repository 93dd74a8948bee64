"""qd.simt.subgroup: scans over the lanes of a subgroup, or of each of its tiles."""

# mypy: disable-error-code="valid-type, no-untyped-def, no-untyped-call, no-any-return"
from __future__ import annotations

from qdcov._arrays.annotations import template
from qdcov._kernels.decorators import func
from qdcov._library.funcs import own
from qdcov._values.functions import select, static
from qdcov.simt._lanes import check_tile, in_tile, shuffle_up
from qdcov.simt._operations import log2_group_size
from qdcov.simt._operators import ADD, AND, MAX, MIN, MUL, OR, XOR, joined, neutral


@own
@func
def scanned(value, log2_size: template(), op: template()):
    """Joins each lane of a tile with all lanes before it."""
    result = value
    for k in static(range(log2_size)):
        before = shuffle_up(result, static(1 << k))
        result = select(in_tile(log2_size) >= static(1 << k), joined(before, result, op), result)
    return result


@own
@func
def scanned_before(value, log2_size: template(), op: template()):
    """Joins the lanes before each lane of a tile."""
    before = shuffle_up(scanned(value, log2_size, op), 1)
    return select(in_tile(log2_size) == 0, neutral(value, op), before)


@own
@func
def inclusive_add_tiled(value, log2_size: template()):
    """The sum of `value` of the lanes up to the thread's own, and with it, of the thread's tile of ``2**log2_size`` lanes."""
    check_tile("inclusive_add_tiled", log2_size)
    return scanned(value, log2_size, ADD)


@own
@func
def inclusive_add(value):
    """The sum of `value` of the lanes of the subgroup up to the thread's own, and with it."""
    return scanned(value, log2_group_size(), ADD)


@own
@func
def exclusive_add_tiled(value, log2_size: template()):
    """The sum of `value` of the lanes before the thread's own of the thread's tile of ``2**log2_size`` lanes: 0 in the first."""
    check_tile("exclusive_add_tiled", log2_size)
    return scanned_before(value, log2_size, ADD)


@own
@func
def exclusive_add(value):
    """The sum of `value` of the lanes of the subgroup before the thread's own: 0 in lane 0."""
    return scanned_before(value, log2_group_size(), ADD)


@own
@func
def inclusive_mul_tiled(value, log2_size: template()):
    """The product of `value` of the lanes up to the thread's own, and with it, of the thread's tile of ``2**log2_size`` lanes."""
    check_tile("inclusive_mul_tiled", log2_size)
    return scanned(value, log2_size, MUL)


@own
@func
def inclusive_mul(value):
    """The product of `value` of the lanes of the subgroup up to the thread's own, and with it."""
    return scanned(value, log2_group_size(), MUL)


@own
@func
def exclusive_mul_tiled(value, log2_size: template()):
    """The product of `value` of the lanes before the thread's own of the thread's tile of ``2**log2_size`` lanes: 1 in the first."""
    check_tile("exclusive_mul_tiled", log2_size)
    return scanned_before(value, log2_size, MUL)


@own
@func
def exclusive_mul(value):
    """The product of `value` of the lanes of the subgroup before the thread's own: 1 in lane 0."""
    return scanned_before(value, log2_group_size(), MUL)


@own
@func
def inclusive_min_tiled(value, log2_size: template()):
    """The least `value` of the lanes up to the thread's own, and with it, of the thread's tile of ``2**log2_size`` lanes."""
    check_tile("inclusive_min_tiled", log2_size)
    return scanned(value, log2_size, MIN)


@own
@func
def inclusive_min(value):
    """The least `value` of the lanes of the subgroup up to the thread's own, and with it."""
    return scanned(value, log2_group_size(), MIN)


@own
@func
def exclusive_min_tiled(value, log2_size: template()):
    """The least `value` of the lanes before the thread's own of the thread's tile of ``2**log2_size`` lanes: the greatest number of the type, of
    floats infinity in the first."""
    check_tile("exclusive_min_tiled", log2_size)
    return scanned_before(value, log2_size, MIN)


@own
@func
def exclusive_min(value):
    """The least `value` of the lanes of the subgroup before the thread's own: the greatest number of the type, of floats infinity in lane 0."""
    return scanned_before(value, log2_group_size(), MIN)


@own
@func
def inclusive_max_tiled(value, log2_size: template()):
    """The greatest `value` of the lanes up to the thread's own, and with it, of the thread's tile of ``2**log2_size`` lanes."""
    check_tile("inclusive_max_tiled", log2_size)
    return scanned(value, log2_size, MAX)


@own
@func
def inclusive_max(value):
    """The greatest `value` of the lanes of the subgroup up to the thread's own, and with it."""
    return scanned(value, log2_group_size(), MAX)


@own
@func
def exclusive_max_tiled(value, log2_size: template()):
    """The greatest `value` of the lanes before the thread's own of the thread's tile of ``2**log2_size`` lanes: the least number of the type, of
    floats -infinity in the first."""
    check_tile("exclusive_max_tiled", log2_size)
    return scanned_before(value, log2_size, MAX)


@own
@func
def exclusive_max(value):
    """The greatest `value` of the lanes of the subgroup before the thread's own: the least number of the type, of floats -infinity in lane 0."""
    return scanned_before(value, log2_group_size(), MAX)


@own
@func
def inclusive_and_tiled(value, log2_size: template()):
    """Bitwise and of `value` of the lanes up to the thread's own, and with it, of the thread's tile of ``2**log2_size`` lanes. `value` is an
    integer."""
    check_tile("inclusive_and_tiled", log2_size)
    return scanned(value, log2_size, AND)


@own
@func
def inclusive_and(value):
    """Bitwise and of `value` of the lanes of the subgroup up to the thread's own, and with it. `value` is an integer."""
    return scanned(value, log2_group_size(), AND)


@own
@func
def exclusive_and_tiled(value, log2_size: template()):
    """Bitwise and of `value` of the lanes before the thread's own of the thread's tile of ``2**log2_size`` lanes: all bits in the first. `value` is
    an integer."""
    check_tile("exclusive_and_tiled", log2_size)
    return scanned_before(value, log2_size, AND)


@own
@func
def exclusive_and(value):
    """Bitwise and of `value` of the lanes of the subgroup before the thread's own: all bits in lane 0. `value` is an integer."""
    return scanned_before(value, log2_group_size(), AND)


@own
@func
def inclusive_or_tiled(value, log2_size: template()):
    """Bitwise or of `value` of the lanes up to the thread's own, and with it, of the thread's tile of ``2**log2_size`` lanes. `value` is an
    integer."""
    check_tile("inclusive_or_tiled", log2_size)
    return scanned(value, log2_size, OR)


@own
@func
def inclusive_or(value):
    """Bitwise or of `value` of the lanes of the subgroup up to the thread's own, and with it. `value` is an integer."""
    return scanned(value, log2_group_size(), OR)


@own
@func
def exclusive_or_tiled(value, log2_size: template()):
    """Bitwise or of `value` of the lanes before the thread's own of the thread's tile of ``2**log2_size`` lanes: 0 in the first. `value` is an
    integer."""
    check_tile("exclusive_or_tiled", log2_size)
    return scanned_before(value, log2_size, OR)


@own
@func
def exclusive_or(value):
    """Bitwise or of `value` of the lanes of the subgroup before the thread's own: 0 in lane 0. `value` is an integer."""
    return scanned_before(value, log2_group_size(), OR)


@own
@func
def inclusive_xor_tiled(value, log2_size: template()):
    """Bitwise exclusive or of `value` of the lanes up to the thread's own, and with it, of the thread's tile of ``2**log2_size`` lanes. `value` is an
    integer."""
    check_tile("inclusive_xor_tiled", log2_size)
    return scanned(value, log2_size, XOR)


@own
@func
def inclusive_xor(value):
    """Bitwise exclusive or of `value` of the lanes of the subgroup up to the thread's own, and with it. `value` is an integer."""
    return scanned(value, log2_group_size(), XOR)


@own
@func
def exclusive_xor_tiled(value, log2_size: template()):
    """Bitwise exclusive or of `value` of the lanes before the thread's own of the thread's tile of ``2**log2_size`` lanes: 0 in the first. `value` is
    an integer."""
    check_tile("exclusive_xor_tiled", log2_size)
    return scanned_before(value, log2_size, XOR)


@own
@func
def exclusive_xor(value):
    """Bitwise exclusive or of `value` of the lanes of the subgroup before the thread's own: 0 in lane 0. `value` is an integer."""
    return scanned_before(value, log2_group_size(), XOR)
