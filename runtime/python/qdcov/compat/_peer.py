"""The modules of a peer's package, by the names that its programs import: "quadrants", "quadrants.lang.impl", "quadrants.types" and others."""

from __future__ import annotations

import builtins
import types
from typing import Any

import qdcov as qd
from qdcov._declined import DECLINED, Declined
from qdcov.compat import _names

PEERS = ("quadrants", "taichi")

_SAME = ("ad", "types", "math", "algorithms", "graph", "profiler", "simt")
"""Modules of both packages that have the same names."""

_PARTS = """
aot experimental interop linalg sparse tools ui examples examples.patterns _lib _lib.core _lib.utils _logging _test_tools _test_tools.textwrap2
_test_tools.warnings_helper _test_tools.load_kernel_string _snode _snode.fields_builder _snode.snode_tree _tensor _tensor_wrapper _kernels _funcs
lang lang.any_array lang.ast lang.buffer_view lang.common_ops lang.enums lang.exception lang.expr lang.field lang.func lang.graph lang.impl
lang.kernel lang.kernel_arguments lang.kernel_impl lang.matrix lang.matrix_ops lang.mesh lang.misc lang.ops lang.runtime_ops lang.shell lang.simt
lang.simt.block lang.simt.grid lang.simt.subgroup lang.simt.warp lang.snode lang.source_builder lang.stream lang.struct lang.util lang._ndarray
lang._ndrange lang._template_mapper lang._texture lang._wrap_inspect lang._fast_caching lang._perf_dispatch lang._kernel_coverage
lang._kernel_types lang.simt.reductions lang.simt.tile16 lang.simt._tile16 lang.ast.ast_transformer lang.ast.symbol_resolver lang.argpack
lang._fast_caching.args_hasher lang._fast_caching.config_hasher lang._fast_caching.function_hasher lang._fast_caching.src_hasher
types.annotations types.compound_types types.enums types.ndarray_type types.primitive_types types.utils types.quant types.texture_type
types.buffer_view_type ad._ad tools.np2ply tools.video tools.image tools.diagnose tools.vtk simt.block simt.grid simt.subgroup simt.warp
algorithms._algorithms
""".split()
"""Other modules of the peers that programs import."""

_INSIDES = ("lang", "_lib", "_snode", "_kernels", "_funcs")
"""Modules, with those below, of the peers' compilers. So are those below `types`."""

_INSIDE = "it is of the insides of that compiler; what is public is in the package itself"


class PeerModule(types.ModuleType):
    """A module of a peer. A name is looked up when it is used first."""

    def __init__(self, peer: Peer, path: str) -> None:
        super().__init__(f"{peer.name}.{path}" if path else peer.name, f"{peer.name}'s names, which are those of qd")
        self.__dict__["_find"] = lambda name: peer.find(path, name)
        self.__path__: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":
            return [other for other in dir(self) if not other.startswith("_")]
        if name == "__builtins__":  # as in modules of Python; programs set __debug__ there
            return self.__dict__.setdefault(name, dict(vars(builtins)))
        if name.startswith("__") and name not in ("__version__", "__version_str__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        if name == "cfg":  # another object after each `init`
            return qd.cfg
        thing = self._find(name)
        self.__dict__[name] = thing
        return thing

    def __dir__(self) -> list[str]:
        return sorted({*self.__dict__, *(self._find("__dir__"))} - {"_find"})


class Peer:
    """A package that this one stands for, with all its modules."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.own: dict[str, dict[str, Any]] = _names.own_names(name)
        paths = ["", *_SAME, *_PARTS, f"_lib.core.{name}_python"]
        self.modules: dict[str, types.ModuleType] = {f"{name}.{path}" if path else name: PeerModule(self, path) for path in paths}

    def find(self, path: str, name: str) -> Any:
        """A name of the module `path`: that of the table, a module below it, that of qd, or a placeholder for a declined name and for one of a
        compiler's insides. AttributeError for another one that the peer does not have."""
        homes = self._homes(path)
        if name == "__dir__":
            return {*self.own.get(path, ()), *(public for home in homes for public in vars(home) if not public.startswith("_"))}
        if name in self.own.get(path, ()):
            return self.own[path][name]
        below = self.modules.get(f"{self.name}.{path}.{name}" if path else f"{self.name}.{name}")
        if below is not None:
            return below
        for home in homes:
            if name in vars(home):
                return vars(home)[name]
        if name in self.own[""] and not name.startswith("__"):  # lang.field.ScalarField
            return self.own[""][name]
        shown = f"{self.name}.{path}.{name}" if path else f"{self.name}.{name}"
        reason = (
            _names.DECLINED_MODULES.get(path.partition(".")[0])
            or DECLINED.get(name)
            or (path == "types" and name in qd.types.NOT_YET and "not yet")
            or (path.startswith("types.") and DECLINED.get(path.removeprefix("types.")))
        )
        if reason or path.partition(".")[0] in _INSIDES or path.startswith("types."):
            return Declined(shown, reason or _INSIDE)
        raise AttributeError(f"module {self.modules[f'{self.name}.{path}' if path else self.name].__name__!r} has no attribute {name!r} in qd.compat")

    @staticmethod
    def _homes(path: str) -> list[types.ModuleType]:
        """The modules of qd that have the names of a peer's module."""
        parts = path.split(".") if path else []
        if parts[:1] == ["lang"] and parts[1:2] in (["simt"], ["graph"]):
            parts = parts[1:]
        if parts and parts[0] in _SAME:
            home = getattr(qd, parts[0])
            inner = getattr(home, parts[1], None) if len(parts) > 1 else None
            return [inner] if isinstance(inner, types.ModuleType) else [home]
        if parts and (parts[0] in _names.DECLINED_MODULES or parts[0] == "_lib"):
            return []
        return [qd, qd.types, qd.math] if parts else [qd]
