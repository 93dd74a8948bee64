"""Types of structs, their values, and @qd.dataclass."""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any, ClassVar

import numpy as np

from qdcov import _annotated, _dtypes, _execution
from qdcov._errors import KernelSyntaxError, KernelTypeError, counted, counted_are
from qdcov._scalars import builtins, semantics
from qdcov._scalars.value import Callee, Compound, Reference
from qdcov._values.matrix import Matrix
from qdcov._values.matrix_type import MatrixType


class StructType:
    """The type of a struct: `members` by name, and `methods` that kernels may call, which may also stand among the members, as a dict named
    ``__struct_methods``. Calling it makes a value; members that are not given have their default, or are zero.

    `cls` is the class that @qd.dataclass has made it of, which classes that inherit from it inherit from. Programs may set attributes, which kernels
    read as those of a module."""

    # `_arrays.struct_arrays` sets them: how arrays of such elements are made.
    _field: ClassVar[Callable[..., Any]]
    _ndarray: ClassVar[Callable[..., Any]]

    def __init__(
        self,
        members: dict[str, Any],
        name: str = "Struct",
        methods: dict[str, Any] | None = None,
        defaults: dict[str, Any] | None = None,
        cls: type | None = None,
    ) -> None:
        members = dict(members)
        methods = members.pop("__struct_methods", methods)
        if not members and not methods and cls is None:
            raise KernelTypeError(f"{name} has no members")
        for member, kind in members.items():
            if not isinstance(kind, (MatrixType, StructType)) and _dtypes.resolve(kind) is None:
                raise KernelTypeError(f"{name}.{member}: {kind!r} is no type of a member; known are scalar types, vectors, matrices and structs")
        self.name = name
        self.members = members
        self.methods: dict[str, Any] = dict(methods or {})
        self.defaults = {member: element(members[member], value) for member, value in (defaults or {}).items()}
        self.cls = cls

    def __call__(self, *values: Any, **named: Any) -> Struct:
        given = self._bind(values, named)
        return Struct._of(self, {name: _given(kind, given[name]) if name in given else self._default(name) for name, kind in self.members.items()})

    def _default(self, member: str) -> Any:
        return semantics.value(self.defaults[member]) if member in self.defaults else zero(self.members[member])

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        """The bases of a class that names this among its bases."""
        if self.cls is None:
            raise TypeError(f"{self.name} is made by qd.types.struct or qd.Struct: only a @qd.dataclass can be inherited from")
        return (self.cls,)

    def _bind(self, values: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
        if len(values) > len(self.members):
            raise KernelTypeError(f"{self.name} has {counted(len(self.members), 'member')}, but {counted_are(len(values), 'value')} given")
        given = dict(zip(self.members, values))
        for name, value in named.items():
            if name not in self.members:
                raise KernelTypeError(f"{self.name} has no member {name!r}; it has {', '.join(self.members)}")
            if name in given:
                raise KernelTypeError(f"{self.name}: member {name!r} is given twice")
            given[name] = value
        return given

    def _cast(self, value: Any) -> Struct:
        """A value in this type, of a struct with the same members, of a dict of them, or of values in their order."""
        if isinstance(value, Struct):
            value = value._plain()
        if isinstance(value, (list, tuple)):
            return self(*value)
        if not isinstance(value, dict):
            raise KernelTypeError(f"{value!r} is no {self.name}")
        if set(value) - {"__struct_methods"} != set(self.members):
            raise KernelTypeError(f"{self.name} has the members {', '.join(self.members)}, not {', '.join(map(str, value))}")
        return self(**{name: value[name] for name in self.members})

    def field(self, shape: Any = None, **options: Any) -> Any:
        """A field of such structs; `shape` and the `options` are those of qd.field."""
        return type(self)._field(self, shape, **options)

    def ndarray(self, shape: Any, **options: Any) -> Any:
        """An ndarray of such structs; `shape` and the `options` are those of qd.ndarray."""
        return type(self)._ndarray(self, shape, **options)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StructType) and (self.name, self.methods) == (other.name, other.methods) and _resolved(self) == _resolved(other)

    def __hash__(self) -> int:
        return hash((self.name, *self.members))

    def __repr__(self) -> str:
        return f"<struct {self.name}: {', '.join(f'{name}: {kind!r}' for name, kind in self.members.items())}>"


class Struct(Compound):
    """Named members: numbers, vectors, matrices, structs. ``qd.Struct(a=1, b=qd.Vector([1, 2]))`` takes the types of its arguments."""

    __slots__ = ("_members", "_type")
    _type: StructType
    _members: dict[str, Any]

    def __init__(self, *members: Any, **named: Any) -> None:
        given = dict(members[0]) if len(members) == 1 and isinstance(members[0], dict) else {}
        given.update(named)
        methods = given.pop("__struct_methods", None)
        if not given or (members and not isinstance(members[0], dict)) or len(members) > 1:
            raise KernelTypeError("qd.Struct takes its members by name, or one dict of them")
        values = {name: _member(value) for name, value in given.items()}
        object.__setattr__(self, "_type", StructType({name: type_of(value) for name, value in values.items()}, methods=methods))
        object.__setattr__(self, "_members", values)

    @classmethod
    def _of(cls, kind: StructType, members: dict[str, Any]) -> Struct:
        made = object.__new__(Struct)
        object.__setattr__(made, "_type", kind)
        object.__setattr__(made, "_members", members)
        return made

    # --- members; an element of a field has others ---

    def _get(self, name: str) -> Any:
        return self._members[name]

    def _set(self, name: str, value: Any) -> None:
        self._members[name] = element(self._type.members[name], value)

    def __getattribute__(self, name: str) -> Any:
        """Members come first: they may have the name of a method."""
        if name[0] != "_" and name in object.__getattribute__(self, "_type").members:
            value = object.__getattribute__(self, "_get")(name)
            return _execution.outward(value) if isinstance(value, np.generic) else value
        return object.__getattribute__(self, name)

    def __getattr__(self, name: str) -> Any:
        method = self._type.methods.get(name)
        if method is not None:
            return functools.partial(method, Reference(self) if isinstance(method, Callee) and _execution.inside() else self)
        raise AttributeError(f"{self._type.name} has no member {name!r}; it has {', '.join(self._type.members)}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._type.members:
            raise AttributeError(f"{self._type.name} has no member {name!r}; it has {', '.join(self._type.members)}")
        self._set(name, value)

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def __setitem__(self, name: str, value: Any) -> None:
        setattr(self, name, value)

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *self._type.members, *self._type.methods]

    @staticmethod
    def field(members: dict[str, Any], shape: Any = None, *, methods: dict[str, Any] | None = None, **options: Any) -> Any:
        """A field of structs with these `members`, given by their types, and `methods` that kernels may call; `shape` and the `options` are those of
        qd.field."""
        return StructType(members, methods=methods).field(shape, **options)

    @staticmethod
    def ndarray(members: dict[str, Any], shape: Any, **options: Any) -> Any:
        """An ndarray of structs with these `members`, given by their types; `shape` and the `options` are those of qd.ndarray."""
        return StructType(members).ndarray(shape, **options)

    @property
    def keys(self) -> list[str]:
        """The names of the members, in their order."""
        return list(self._type.members)

    @property
    def items(self) -> Any:
        """The members as pairs of name and value, in their order."""
        return [(name, getattr(self, name)) for name in self._type.members]

    # --- as a value ---

    def copy(self) -> Struct:
        """A value of its own."""
        return Struct._of(self._type, {name: semantics.value(self._get(name)) for name in self._type.members})

    __copy__ = _copy = copy

    def __deepcopy__(self, memo: Any) -> Struct:
        return self._copy()

    def __reduce__(self) -> Any:
        return Struct, (dict(zip(self._type.members, self._parts())),)

    def _parts(self) -> list[Any]:
        """The members, in order."""
        return [semantics.value(self._get(name)) for name in self._type.members]

    def _like(self, new: Any) -> Any:
        return self._type._cast(new)

    def _map(self, function: Callable[..., Any], operands: tuple[Any, ...]) -> Any:
        raise KernelTypeError(f"{self._type.name} is a struct: an operation takes its members")

    def fill(self, val: Any) -> None:
        """Sets every member to `val`."""
        for name in self._type.members:
            member = self._get(name)
            if isinstance(member, Compound):
                type(member).fill(member, val)
            else:
                self._set(name, val)

    def to_dict(self, include_methods: bool = False, include_ndim: bool = False) -> dict[str, Any]:
        """The members by name: numbers, vectors and matrices, structs as dicts; with `include_methods` the struct's functions, too, under
        ``__struct_methods``. `include_ndim` has no effect."""
        return {**self._plain(), "__struct_methods": self._type.methods} if include_methods else self._plain()

    def _plain(self) -> dict[str, Any]:
        found = {name: getattr(self, name) for name in self._type.members}
        return {name: m._plain() if isinstance(m, Struct) else m.copy() if isinstance(m, Matrix) else m for name, m in found.items()}

    def _text(self) -> str:
        """The type, for messages."""
        return f"a struct {self._type.name}"

    def __str__(self) -> str:
        return format(self, "")

    def __format__(self, spec: str) -> str:
        """Formats each member."""
        return "{" + ", ".join(f"{name}: {builtins.written(self._get(name), spec)}" for name in self._type.members) + "}"

    def __repr__(self) -> str:
        return f"{self._type.name}({', '.join(f'{name}={getattr(self, name)!r}' for name in self._type.members)})"


def _member(value: Any) -> Any:
    if isinstance(value, dict):
        return Struct(value)
    if isinstance(value, (list, tuple, np.ndarray)):
        return Matrix(value)
    typed = semantics.value(value)
    if not isinstance(typed, (Compound, np.generic)):
        raise KernelTypeError(f"a member of a struct is a number, a vector, a matrix or a struct, not {value!r}")
    return typed


def _given(kind: Any, value: Any) -> Any:
    """A member from its value; of a number, a vector has it in each component, and a struct in its first member."""
    return kind(value) if isinstance(kind, (StructType, MatrixType)) and isinstance(value, (int, float, np.generic)) else element(kind, value)


def type_of(value: Any) -> Any:
    """The type of a number, a vector, a matrix or a struct."""
    if isinstance(value, Struct):
        return value._type
    if isinstance(value, Matrix):
        return MatrixType(value.n, value.m, value.ndim, value.dtype)
    return _dtypes.BY_NUMPY[type(value)]


def _resolved(kind: StructType) -> list[tuple[str, Any]]:
    return [(name, _dtypes.resolve(member) or member) for name, member in kind.members.items()]


def element(kind: Any, value: Any) -> Any:
    """A value of a scalar, vector, matrix or struct type."""
    if isinstance(kind, (MatrixType, StructType)):
        return kind._cast(value)
    if isinstance(value, (Compound, list, tuple, dict)):
        raise KernelTypeError(f"{value!r} is no number")
    return _dtypes.convert(value, _dtypes.require(kind))


def zero(kind: Any) -> Any:
    """The zero of a type."""
    if isinstance(kind, StructType):
        return kind()
    return kind(0) if isinstance(kind, MatrixType) else _dtypes.convert(0, _dtypes.require(kind))


def dataclass(cls: Any) -> StructType:
    """Makes a class with annotated members a struct type; its functions become methods that kernels may call.

    It may inherit from others: their members come first, in the order of Python's dataclasses, and members of the same name take the place of theirs.
    A member may have a default."""
    if not isinstance(cls, type):
        raise KernelSyntaxError(f"@qd.dataclass decorates a class, not {type(cls).__name__}")
    names = sys._getframe(1)
    known = {**names.f_globals, **names.f_locals}
    members: dict[str, Any] = {}
    methods: dict[str, Any] = {}
    defaults: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        if base is object:
            continue
        if base is cls:
            setattr(cls, _STRUCT, _own_members(cls, known))
        own = vars(base).get(_STRUCT, {})  # of a class that is not decorated, functions alone are inherited
        members.update(own)
        for name, thing in vars(base).items():
            if name in own:
                continue
            if name in members and not name.startswith("__"):
                raise KernelSyntaxError(f"@qd.dataclass {cls.__name__}: {name!r} is a member, and {base.__name__} has something else of that name")
            if isinstance(thing, (Callee, types.FunctionType)) and not name.startswith("__"):
                methods[name] = thing
        for name in own:
            methods.pop(name, None)
            defaults.pop(name, None)
            if name in vars(base):
                defaults[name] = vars(base)[name]
    try:
        return StructType(members, cls.__name__, methods, defaults, cls)
    except (KernelTypeError, TypeError, ValueError) as error:
        if not defaults:
            raise
        raise KernelSyntaxError(f"@qd.dataclass {cls.__name__}: {error}") from error


_STRUCT = "_qd_struct_members"


def _own_members(cls: type, known: dict[str, Any]) -> dict[str, Any]:
    """The members that a class itself annotates, with their types."""
    try:
        annotations = _annotated.of_class(cls)
    except NameError as error:
        raise KernelSyntaxError(f"@qd.dataclass {cls.__name__}: {error}") from error
    where = f"@qd.dataclass {cls.__name__}: annotation {{}}"
    return {name: _annotated.evaluated(kind, where, known) for name, kind in annotations.items()}
