"""Imports of Numba: the hooks are put in as soon as the program has imported it, and nothing of Numba is imported before."""

from __future__ import annotations

import atexit
import importlib.util
import os
import sys
import warnings
from typing import TYPE_CHECKING, Any

from .settings import Present

if TYPE_CHECKING:
    from .session import Session

_MODULE = "numba.core.dispatcher"
"""The module behind whose import functions may be compiled."""


class _State:
    session: Session | None = None
    present = Present()
    watching = False


def watch(label: str = "") -> None:
    """Measures the functions that Numba compiles from now on, if the environment asks for it."""
    _State.present.label = _State.present.label or label
    if _State.watching or not _is_on("QD_KERNEL_COVERAGE", "0") or not _is_on("QD_NUMBA_COVERAGE", "1") or _is_on("NUMBA_DISABLE_JIT", "0"):
        return
    _State.watching = True
    if _MODULE in sys.modules:
        _start()
    else:
        sys.meta_path.insert(0, _Finder())


def _is_on(variable: str, default: str) -> bool:
    return os.environ.get(variable, default) not in ("", "0")


def finish() -> str | None:
    """Ends the measurement, and gives the path of the journal; None where nothing was compiled."""
    return None if _State.session is None else _State.session.close()


def switch_context(label: str) -> None:
    """Counts later hits for the test, or another context of the host."""
    if _State.session is None:
        _State.present.label = label
    else:
        _State.session.switch_context(label)


def pause(paused: bool) -> None:
    """Records nothing, or goes on."""
    if _State.session is None:
        _State.present.paused = paused
    else:
        _State.session.pause(paused)


class _Finder:
    """Finds no module, but lets the one of Numba's compiler start the measurement once it is imported."""

    _found = False

    def find_spec(self, name: str, _path: Any = None, _target: Any = None) -> Any:
        if name != _MODULE or self._found:
            return None
        self._found = True
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None and hasattr(spec.loader, "exec_module"):
            execute = spec.loader.exec_module

            def exec_module(module: Any) -> None:
                execute(module)
                _start()

            spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


def _start() -> None:
    from . import entry_points

    try:
        why = entry_points.why_not()
        if not why:
            _State.session = _hook()
    except Exception as error:  # the program runs as without qd-cov
        why = f"{type(error).__name__}: {error}"
    if why:
        _tell(f"functions of Numba are not measured: {why}. The coverage of Python code goes on")


def _tell(message: str) -> None:
    """Warns the user; on standard error where warnings are errors, for no import and no compilation fails by this."""
    try:
        warnings.warn(f"qd-cov: {message}", stacklevel=3)
    except UserWarning as warning:
        print(warning, file=sys.stderr)


def _hook() -> Session:
    from . import caches, errors, libraries, lowering, mark_ir
    from .session import Session

    session = Session(_State.present, _tell)
    mark_ir.hook()
    lowering.hook()
    libraries.hook(session)
    caches.hook()
    errors.hook(session)
    atexit.register(_tell_losses, session)
    return session


def _tell_losses(session: Session) -> None:
    if lost := session.lost():
        _tell(f"hits of functions of Numba could not be written to the journal, and are lost: {lost}")
