"""Programs for Taichi and Quadrants, unchanged: ``import taichi`` and ``import quadrants`` give this package's names.

For example, ``python -m qd.compat quadrants simulation.py --steps 100`` runs a program, ``pytest -p qd.compat.quadrants`` its tests, and ``qd-cov run
--as quadrants -- pytest`` measures them, in all Python processes. A package of that name that is installed as well is neither imported nor changed.

The names are those of the peer's own package (`_peer.Peer`): functions, types and classes are the objects of `qd`; so a program may import both. What
this version declines raises NotImplementedError where it is used, with the reason."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
import types
from collections.abc import Sequence

from qdcov.compat import _output, _values
from qdcov.compat._peer import PEERS, Peer

__all__ = ["PEERS", "install"]


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the modules of one peer; all of them exist from the first import on."""

    def __init__(self, peer: Peer) -> None:
        self.peer = peer

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None = None, _target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.peer.name and not fullname.startswith(f"{self.peer.name}."):
            return None
        if fullname not in self.peer.modules:
            raise ModuleNotFoundError(f"No module named {fullname!r} in qd.compat, which stands for {self.peer.name}", name=fullname)
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return self.peer.modules[spec.name]

    def exec_module(self, module: types.ModuleType) -> None:
        """Nothing: names are looked up when they are used."""


def install(name: str) -> None:
    """Lets ``import NAME`` give this package; `name` is "quadrants" or "taichi". A second call does nothing. ValueError for other names; RuntimeError
    when the program has imported the real package already."""
    if name not in PEERS:
        raise ValueError(f"there is no package {name!r} that this one stands for: {' or '.join(PEERS)}")
    if any(isinstance(finder, _Finder) and finder.peer.name == name for finder in sys.meta_path):
        return
    if name in sys.modules:
        raise RuntimeError(f"{name} is imported already: call qd.compat.install({name!r}) before the first import of it")
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        _values.install()
        _output.install()
    sys.meta_path.insert(0, _Finder(Peer(name)))
