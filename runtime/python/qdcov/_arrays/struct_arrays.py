"""Fields and ndarrays of structs: one array a member, which may lie in the memory of all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from qdcov import _execution, _runtime
from qdcov._arrays import making, memory, options
from qdcov._arrays.arrays import Array, Field, Ndarray
from qdcov._arrays.layout import Element, Layout
from qdcov._errors import KernelTypeError
from qdcov._scalars.value import Memory
from qdcov._values.struct import Struct, StructType


class StructElement(Struct):
    """An element of an array of structs: its members are those of the memory, so that changes of them change the array."""

    __slots__ = ("_index", "_owner")
    _owner: StructArray
    _index: Any

    def __init__(self, owner: StructArray, index: Any) -> None:
        for name, value in (("_type", owner._type), ("_owner", owner), ("_index", index)):
            object.__setattr__(self, name, value)

    def _get(self, name: str) -> Any:
        return self._owner.members[name]._place(self._index)

    def _set(self, name: str, value: Any) -> None:
        self._owner.members[name]._store(self._index, value)


_OF_THE_FIRST = ("layout", "parent", "snode")
"""Properties that are the same for all members, and so known of the whole."""


class StructArray(Memory):
    """The arrays of the members of a struct, by their names, as attributes too: ``s.pos`` is a field when `s` is one."""

    _kind = "array"

    def __init__(self, kind: StructType, shape: tuple[int, ...], members: dict[str, Any]) -> None:
        self._type = kind
        self.shape = shape
        self.members = members

    def __getattr__(self, name: str) -> Any:
        members = self.__dict__.get("members", {})
        if name not in members and name in _OF_THE_FIRST and members:
            return getattr(self._first(), name)  # unless a member is called so
        if name not in members:
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}; its members are {', '.join(members)}")
        return members[name]

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.members, *(name for name in _OF_THE_FIRST if hasattr(self._first(), name))})

    @property
    def keys(self) -> list[str]:
        """The names of the members, in their order."""
        return list(self.members)

    @property
    def dtype(self) -> StructType:
        """The type of the structs."""
        return self._type

    @property
    def grad(self) -> Any:
        """The gradients of the members, None when no member has one."""
        return self._companions("grad")

    @property
    def dual(self) -> Any:
        """The duals of the members, None when no member has one."""
        return self._companions("dual")

    def _companions(self, kind: str) -> Any:
        found = {name: getattr(member, kind, None) for name, member in self.members.items()}
        found = {name: companion for name, companion in found.items() if companion is not None}
        if not found:
            return None
        return type(self)(StructType({name: self._type.members[name] for name in found}, f"{self._type.name}.{kind}"), self.shape, found)

    def get_member_field(self, key: str) -> Any:
        """The array of the member called `key`; KeyError when there is none."""
        return self.members[key]

    def _first(self) -> Any:
        return next(iter(self.members.values()))

    # --- elements ---

    def __getitem__(self, key: Any) -> StructElement:
        self._first()[key]  # checks the index
        return StructElement(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        _execution.check_element()
        self._store(key, value)

    def _load(self, index: Any) -> Any:
        return self._place(index)._copy()

    def _place(self, index: Any) -> Any:
        leaves(self)[0]._index(index)  # checked once for all members, whether one is read or not
        return StructElement(self, index)

    def _store(self, index: Any, new: Any) -> None:
        value = self._type._cast(new)
        for name, member in self.members.items():
            member._store(index, value._members[name])

    def _element_like(self, indices: int) -> Any:
        return self._type()

    def _from_first(self) -> StructArray:
        return type(self)(self._type, self.shape, {name: member._from_first() for name, member in self.members.items()})

    def _ranges(self) -> list[range]:
        ranges: list[range] = self._first()._ranges()
        return ranges

    def __len__(self) -> int:
        return len(self._first())

    def __iter__(self) -> Iterator[Any]:
        raise TypeError(f"{self!r} is iterated in kernels only; on the host use to_numpy()")

    # --- all elements ---

    def fill(self, val: Any) -> None:
        """Sets every element to `val`: a struct, or a number for every member."""
        for name, member in self.members.items():
            member.fill(getattr(val, name) if isinstance(val, Struct) else val[name] if isinstance(val, dict) else val)

    def _check_names(self, parts: Any, needed: str) -> None:
        if not isinstance(parts, dict) or set(parts) != set(self.members):
            raise ValueError(f"{needed} for each of {', '.join(self.members)}")

    def to_numpy(self, *, copy: bool | None = True) -> dict[str, Any]:
        """The members by name, each as a numpy array of shape `shape + element_shape`; `copy` as of a field."""
        return {name: member.to_numpy(copy=copy) for name, member in self.members.items()}

    def from_numpy(self, array_dict: dict[str, Any]) -> None:
        """Sets every element from `array_dict`, a dict as `to_numpy` gives it."""
        self._check_names(array_dict, "from_numpy takes a dict with an array")
        for name, member in self.members.items():
            member.from_numpy(array_dict[name])

    def to_torch(self, device: Any = None, *, copy: bool | None = True) -> dict[str, Any]:
        """The members by name, each as a torch tensor on `device`, the CPU when it is None; `copy` as of a field."""
        return {name: member.to_torch(device, copy=copy) for name, member in self.members.items()}

    def from_torch(self, array_dict: dict[str, Any]) -> None:
        """Sets every element from `array_dict`, a dict as `to_torch` gives it."""
        self._check_names(array_dict, "from_torch takes a dict with a tensor")
        for name, member in self.members.items():
            member.from_torch(array_dict[name])

    def copy_from(self, other: StructArray) -> None:
        """Sets every element from `other`, an array of structs with the same members and shape."""
        for name, member in self.members.items():
            member.copy_from(other.members[name])

    def __repr__(self) -> str:
        return f"qd.{self._kind}({self._type.name}, shape={self.shape})"


class StructField(StructArray):
    """A field of structs."""

    _kind = "field"


class StructNdarray(StructArray):
    """An ndarray of structs."""

    _kind = "ndarray"


def leaves(array: StructArray) -> list[Array]:
    """The arrays of numbers, vectors and matrices that an array of structs consists of, in the order of the members."""
    found: list[Array] = []
    for member in array.members.values():
        found += leaves(member) if isinstance(member, StructArray) else [member]
    return found


def build(kind: StructType, shape: tuple[int, ...], make: Any, of: type[StructArray], path: str) -> Any:
    """An array of structs; `make` gives the array of each member that is no struct, from its element and its name."""
    if not kind.members:
        raise KernelTypeError(f"{kind.name} has no members")
    members: dict[str, Any] = {}
    for name, member in kind.members.items():
        called = f"{path}.{name}" if path else name
        members[name] = build(member, shape, make, of, called) if isinstance(member, StructType) else make(options.element_of(member), called)
    return of(kind, shape, members)


def _allocate(array: StructArray, layout: Layout) -> None:
    parts = leaves(array)
    if layout is Layout.SOA:
        for part in parts:
            part._allocate()
        return
    block, places = memory.allocate([part._element for part in parts], array.shape)
    for part, place in zip(parts, places):
        part._lie(block, place)


def struct_field(
    kind: StructType,
    shape: Any = None,
    *,
    layout: Layout = Layout.AOS,
    order: str | None = None,
    name: str = "",
    offset: Any = None,
    needs_grad: bool = False,
    needs_dual: bool = False,
) -> Any:
    """A field of structs. AOS: the members of an element stand together; SOA: each member has memory of its own."""
    _runtime.config()
    name = options.name_of(name)
    if shape is None:
        options.check_no_shape(order, offset)
        return build(kind, (), lambda element, called: making.unplaced(element, called, needs_grad, needs_dual), StructField, name)
    axes = options.shape_of(shape)
    ordered, begin = options.order_of(order, len(axes)), options.offset_of(offset, len(axes))
    created = build(kind, axes, lambda element, called: Field(element, axes, called, ordered, begin), StructField, name)
    _allocate(created, layout)
    for kind_of, wanted in (("grad", needs_grad), ("dual", needs_dual)):
        if wanted:
            _add_companions(created, kind_of, lambda element, called: Field(element, axes, called, ordered, begin))
    return created


def struct_ndarray(kind: StructType, shape: Any, *, layout: Layout = Layout.AOS, needs_grad: bool = False) -> Any:
    """An ndarray of structs."""
    _runtime.config()
    axes = options.shape_of(shape)
    created = build(kind, axes, lambda element, called: Ndarray(element, axes), StructNdarray, "")
    _allocate(created, layout)
    if needs_grad:
        _add_companions(created, "grad", lambda element, called: Ndarray(element, axes))
    return created


def _add_companions(array: StructArray, kind: str, make: Any) -> None:
    """A gradient or a dual for each member of floats."""
    parts = [part for part in leaves(array) if part.dtype.is_float]
    if not parts:
        raise KernelTypeError(f"needs_{kind}=True: {array._type.name} has no members of floats")
    for part in parts:
        companion = make(Element(part.dtype, part.element_shape), f"{getattr(part, 'name', '')}.{kind}")
        companion._allocate()
        if isinstance(part, Field):
            part._take(kind, companion)
        elif isinstance(part, Ndarray):
            part._take_grad(companion)


StructType._field, StructType._ndarray = struct_field, struct_ndarray
