"""Placing of fields: they are declared first, and then placed in dense nodes, by qd.root and qd.FieldsBuilder."""

from __future__ import annotations

import operator
import weakref
from typing import Any

from qdcov import _runtime
from qdcov._arrays import memory, options
from qdcov._arrays.arrays import Field
from qdcov._arrays.struct_arrays import StructField, leaves
from qdcov._errors import KernelRuntimeError, counted

SPARSE = ("pointer", "bitmasked", "dynamic", "hash", "quant_array", "bit_struct", "bit_array", "quant_struct")


class Axes(tuple[int, ...]):
    """Axes of a dense node: ``qd.ij`` is (0, 1)."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"qd.{''.join(options.AXES[axis] for axis in self)}"


def axes(*numbers: int) -> Axes:
    """The axes with these numbers; ``qd.axes(0, 1)`` is ``qd.ij``."""
    if len(set(numbers)) != len(numbers) or not all(0 <= n < options.MAX_RANK for n in numbers):
        raise ValueError(f"axes{numbers}: each axis occurs once and is one of 0 to {options.MAX_RANK - 1}")
    return Axes(numbers)


class Node:
    """A dense node of a tree: the axes so far, outermost first, and the extent of each."""

    def __init__(self, builder: FieldsBuilder, levels: tuple[tuple[int, int], ...] = (), above: Node | None = None) -> None:
        self._builder = builder
        self._levels = levels
        self._above = above

    def parent(self, n: int = 1) -> Node | None:
        """The node `n` levels above; None above the root of the tree."""
        node: Node | None = self
        for _ in range(operator.index(n)):
            if node is None:
                return None
            node = node._above
        return node

    def dense(self, axes: Any, dimensions: Any) -> Node:
        """A dense node inside of this one: `dimensions` cells along each of the `axes`, a number for all of them or one for each.
        An axis that occurs again is subdivided. ValueError for a number below 1, or another number of numbers."""
        numbers = (axes,) if isinstance(axes, int) else tuple(axes)
        extents = tuple(dimensions) if isinstance(dimensions, (tuple, list)) else (dimensions,)
        if len(extents) == 1:
            extents *= len(numbers)
        if len(extents) != len(numbers):
            raise ValueError(f"dense({Axes(numbers)!r}, {dimensions}): {counted(len(numbers), 'axis')}, but {counted(len(extents), 'extent')}")
        levels = tuple((axis, operator.index(n)) for axis, n in zip(numbers, extents))
        if any(n < 1 for _, n in levels):
            raise ValueError(f"dense({Axes(numbers)!r}, {dimensions}): each extent is at least 1")
        return Node(self._builder, self._levels + levels, self)

    def __getattr__(self, name: str) -> Any:
        if name in SPARSE:
            what = "quantised types are" if name.startswith(("quant_", "bit_")) else "sparse fields are"
            raise KernelRuntimeError(
                f"qd.root.{name}(...) is not supported: {what} not implemented yet. "
                "Fields are dense here: qd.root.dense(qd.ij, (n, m)).place(x), or qd.field(dtype, shape=...)"
            )
        raise AttributeError(f"a node of qd.root has no attribute {name!r}")

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of a field that is placed here. It has the axes that occur, in their order: ``dense(qd.k, 8)`` has one axis, of 8."""
        extents: dict[int, int] = {}
        for axis, n in self._levels:
            extents[axis] = extents.get(axis, 1) * n
        return tuple(extents[axis] for axis in sorted(extents))

    def place(self, *fields: Any, offset: Any = None) -> Node:
        """Gives fields that were made without a shape their memory: one element of each in every cell, side by side. `offset` is the first index
        of each axis."""
        shape = self.shape
        outermost_first = tuple(dict(self._levels))
        order = tuple(sorted(outermost_first).index(axis) for axis in outermost_first)
        begin = options.offset_of(offset, len(shape))
        parts: list[Field] = []
        for field in fields:
            parts += _parts(field)
        if not parts:
            raise TypeError("place() takes fields that were made without a shape")
        for part in parts:
            if part._placed:
                raise KernelRuntimeError(f"{part!r} has its place already")
        block, places = memory.allocate([part._element for part in parts], shape)
        for part, where in zip(parts, places):
            part.shape, part._order, part._offset = shape, order, begin
            part._node = self
            part._lie(block, where)
            self._add(part, offset)
        for field in fields:
            _set_shape(field, shape)
        return self

    def _add(self, field: Field, offset: Any) -> None:
        """Notes a field that is placed here."""
        placed = self._builder._placed
        if len(placed) >= 2 * self._builder._alive + 16:
            placed[:] = [entry for entry in placed if (one := entry[1]()) is not None and one._data is not None]
            self._builder._alive = len(placed)
        placed.append((self, weakref.ref(field), offset))

    def lazy_grad(self) -> None:
        """Places the gradients of all fields of floats that were placed in this tree and have none yet. Fields that were made with a shape are in the
        tree of qd.root."""
        self._place_companions("grad")

    def lazy_dual(self) -> None:
        """Places the duals, as `lazy_grad` does gradients."""
        self._place_companions("dual")

    def _place_companions(self, kind: str) -> None:
        for node, reference, offset in list(self._builder._placed):
            field = reference()
            companion = getattr(field, kind, None)
            if field is not None and field._data is not None and companion is not None and not companion._placed:
                node.place(companion, offset=offset)
        for thing in list(_runtime.State.owned) if self._builder is root else ():
            if isinstance(thing, Field) and thing._data is not None and not (thing._node or thing._companion_of or thing._whole is not None):
                _make_companion(thing, kind)


def _make_companion(field: Field, kind: str) -> None:
    """Makes the gradient or the dual of a field that was made with a shape, unless it has one or has no floats."""
    if field.dtype.is_float and getattr(field, kind) is None:
        companion = Field(field._element, field.shape, f"{field.name}.{kind}" if field.name else "", field._order, field._offset)
        companion._allocate()
        field._take(kind, companion)


def _parts(field: Any) -> list[Field]:
    if isinstance(field, StructField):
        return [part for part in leaves(field) if isinstance(part, Field)]
    if isinstance(field, (tuple, list)):
        return [part for one in field for part in _parts(one)]
    if not isinstance(field, Field):
        raise TypeError(f"place() takes fields that were made without a shape, not {type(field).__name__}")
    return [field]


def _set_shape(field: Any, shape: tuple[int, ...]) -> None:
    if isinstance(field, StructField):
        field.shape = shape
        for member in field.members.values():
            _set_shape(member, shape)
    elif isinstance(field, (tuple, list)):
        for one in field:
            _set_shape(one, shape)


class FieldsBuilder(Node):
    """The root of a tree of its own. Its fields have their memory as soon as they are placed."""

    def __init__(self) -> None:
        super().__init__(self)
        self._placed: list[tuple[Node, weakref.ref[Field], Any]] = []
        self._alive = 0
        """Number of them that were alive at the last look."""

    def dense(self, indices: Any, dimensions: Any) -> Node:
        """A dense node of the root: `dimensions` cells along each of the axes `indices`, as in `dense` of a node."""
        return super().dense(indices, dimensions)

    def finalize(self, raise_warning: bool = True) -> FieldsBuilder:
        """Returns the tree, which can be destroyed. `raise_warning` has no effect; Taichi has it."""
        return self

    def destroy(self) -> None:
        """Ends the fields of the tree and gives their memory back: using one of them raises, and so does a kernel that has captured one.
        Launches that have begun go on."""
        placed, self._placed = self._placed, []
        self._alive = 0
        for _, reference, _ in placed:
            field = reference()
            if field is not None:
                field._destroy()


class Leaf(Node):
    """A field as a node of its tree: two of one field are equal."""

    def __init__(self, field: Field, above: Node) -> None:
        super().__init__(above._builder, above._levels, above)
        self._field = field

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Leaf) and self._field is other._field

    def __hash__(self) -> int:
        return hash(id(self._field))

    @property
    def _name(self) -> str:  # as programs for Taichi and Quadrants read it
        return self._field.name


def _leaf(field: Field) -> Leaf:
    if not field._placed:
        field._live()  # raises
    if field._node is None:  # made with a shape: a tree of its own
        tree = FieldsBuilder()
        field._node = tree.dense(field._order, tuple(field.shape[axis] for axis in field._order)) if field.shape else tree
    return Leaf(field, field._node)


Field._leaf = _leaf

root = FieldsBuilder()
"""The tree that fields are placed in."""
