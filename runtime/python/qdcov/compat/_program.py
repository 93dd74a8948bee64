"""The running program as the peers' `lang.impl` shows it: `get_runtime().prog`, `PyQuadrants.materialize`."""

from __future__ import annotations

from typing import Any

import qdcov as qd
from qdcov import _dtypes
from qdcov._kernels.decorators import replace_calls, restore_calls
from qdcov._runtime import State
from qdcov.ad import FwdMode, Tape, _recording


class _Uses(type):
    """Lets a program replace `materialize`: from then on the new one runs before the first use of new fields, by kernels or the host.

    In the peers it places fields in their trees; programs add what has to wait for that. Calls cost nothing more where no program does so."""

    def __setattr__(cls, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if name == "materialize" and not hasattr(qd.Field._lie, "of_compat"):
            _run_before_use()


def _recorder(kind: type) -> Any:
    """The tape or the forward mode that is open on this thread; None when there is none."""
    recorder = _recording.local.recorder
    return recorder if isinstance(recorder, kind) else None


class PyProgram(metaclass=_Uses):
    """`lang.impl.PyQuadrants` and `PyTaichi`: the parts of it that programs use."""

    @property
    def prog(self) -> _Prog:
        if State.running is None:
            raise qd.KernelRuntimeError("qd.init has not been called")
        return _Prog()

    _prog = property(lambda _self: None if State.running is None else _Prog())
    default_fp = property(lambda _self: _dtypes.Defaults.float)
    default_ip = property(lambda _self: _dtypes.Defaults.int)
    target_tape = property(lambda _self: _recorder(Tape))
    fwd_mode_manager = property(lambda _self: _recorder(FwdMode))

    def materialize(self) -> None:
        """Nothing: fields have their memory once they are placed."""

    def sync(self) -> None:
        qd.sync()

    def clear(self) -> None:
        qd.reset()


class _Prog:
    """`get_runtime().prog`."""

    def synchronize(self) -> None:
        qd.sync()

    def config(self) -> Any:
        return qd.cfg


RUNNING = PyProgram()


def _run_before_use() -> None:
    lie, live = qd.Field._lie, qd.Field._live

    def placed(self: Any, *args: Any) -> None:
        lie(self, *args)
        if qd.Field._live is not used:
            qd.Field._live = used  # type: ignore[method-assign]
            replace_calls(called)

    def materialized() -> None:
        if qd.Field._live is used:
            qd.Field._live = live  # type: ignore[method-assign]
            restore_calls(called)
        PyProgram.materialize(RUNNING)

    def used(self: Any, *args: Any, **kwargs: Any) -> Any:
        materialized()
        return live(self, *args, **kwargs)

    def called(self: Any, *args: Any, **kwargs: Any) -> Any:
        materialized()
        return self(*args, **kwargs)

    placed.of_compat = True  # type: ignore[attr-defined]
    qd.Field._lie = placed  # type: ignore[assignment,method-assign]
