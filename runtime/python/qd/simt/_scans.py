"""qd.simt.subgroup: scans over the lanes of a subgroup, or of each of its tiles."""

# mypy: disable-error-code="valid-type, no-untyped-def, no-untyped-call, no-any-return"
from __future__ import annotations

from qd._arrays.annotations import template
from qd._kernels.decorators import func
from qd._library.funcs import own
from qd._values.functions import select, static
from qd.simt._lanes import check_tile, in_tile, shuffle_up
from qd.simt._operations import log2_group_size
from qd.simt._operators import ADD, AND, GREATEST, GREATEST_NUMBER, LEAST, LEAST_NUMBER, MAX, MIN, MUL, OR, SUM, XOR, joined, named, neutral


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


OF_INTEGERS = " `value` is an integer."


def scans(name: str, op: int, joint: str, first: str, last: str = ""):
    """The four scans with an operator. Their docstrings say the `joint` value of lanes and what it is without any lane, `first`."""
    inclusive_name, exclusive_name = f"inclusive_{name}_tiled", f"exclusive_{name}_tiled"

    @own
    @func
    def inclusive_tiled(value, log2_size: template()):
        check_tile(inclusive_name, log2_size)
        return scanned(value, log2_size, op)

    @own
    @func
    def inclusive(value):
        return scanned(value, log2_group_size(), op)

    @own
    @func
    def exclusive_tiled(value, log2_size: template()):
        check_tile(exclusive_name, log2_size)
        return scanned_before(value, log2_size, op)

    @own
    @func
    def exclusive(value):
        return scanned_before(value, log2_group_size(), op)

    return (
        named(
            inclusive_tiled,
            inclusive_name,
            f"{joint} of the lanes up to the thread's own, and with it, of the thread's tile of ``2**log2_size`` lanes.{last}",
        ),
        named(inclusive, f"inclusive_{name}", f"{joint} of the lanes of the subgroup up to the thread's own, and with it.{last}"),
        named(
            exclusive_tiled,
            exclusive_name,
            f"{joint} of the lanes before the thread's own of the thread's tile of ``2**log2_size`` lanes: {first} in the first.{last}",
        ),
        named(exclusive, f"exclusive_{name}", f"{joint} of the lanes of the subgroup before the thread's own: {first} in lane 0.{last}"),
    )


inclusive_add_tiled, inclusive_add, exclusive_add_tiled, exclusive_add = scans("add", ADD, SUM, "0")
inclusive_mul_tiled, inclusive_mul, exclusive_mul_tiled, exclusive_mul = scans("mul", MUL, "The product of `value`", "1")
inclusive_min_tiled, inclusive_min, exclusive_min_tiled, exclusive_min = scans("min", MIN, LEAST, GREATEST_NUMBER)
inclusive_max_tiled, inclusive_max, exclusive_max_tiled, exclusive_max = scans("max", MAX, GREATEST, LEAST_NUMBER)
inclusive_and_tiled, inclusive_and, exclusive_and_tiled, exclusive_and = scans("and", AND, "Bitwise and of `value`", "all bits", OF_INTEGERS)
inclusive_or_tiled, inclusive_or, exclusive_or_tiled, exclusive_or = scans("or", OR, "Bitwise or of `value`", "0", OF_INTEGERS)
inclusive_xor_tiled, inclusive_xor, exclusive_xor_tiled, exclusive_xor = scans("xor", XOR, "Bitwise exclusive or of `value`", "0", OF_INTEGERS)
