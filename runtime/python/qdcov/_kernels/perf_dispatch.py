"""Choice of the fastest among several implementations of one function: @qd.perf_dispatch."""

from __future__ import annotations

import functools
import inspect
import os
import time
from collections.abc import Callable, Hashable
from typing import Any

from qdcov import _log, _runtime
from qdcov._errors import KernelRuntimeError, KernelSyntaxError

REPEAT_AFTER_COUNT = 300
"""Number of calls after which implementations are timed again, if the program gives neither a number of calls nor a time."""


def _forced() -> dict[str, str]:
    """QD_PERFDISPATCH_FORCE="name:implementation,...": the implementation that is called, without timing."""
    found = {}
    for pair in filter(None, map(str.strip, os.environ.get("QD_PERFDISPATCH_FORCE", "").split(","))):
        name, colon, implementation = pair.partition(":")
        if not colon:
            raise ValueError(f"QD_PERFDISPATCH_FORCE: {pair!r} is not of the form name:implementation")
        found[name.strip()] = implementation.strip()
    return found


class Implementation:
    """One of the functions that do the same. Called, it is that function."""

    def __init__(self, function: Callable[..., Any], is_compatible: Callable[..., bool] | None) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.is_compatible = is_compatible

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)


class _Geometry:
    """Timings for one kind of arguments."""

    def __init__(self) -> None:
        self.calls: dict[Implementation, int] = {}
        self.seconds: dict[Implementation, float] = {}
        self.fastest: Implementation | None = None
        self.measured = False  # once, at least
        self.since = 0  # calls since it was
        self.at = 0.0


class PerformanceDispatcher:
    """Called like any of its implementations. For each geometry the first calls try all of those that are compatible, one a call; the others take the
    one that was fastest."""

    def __init__(
        self,
        function: Callable[..., Any],
        get_geometry_hash: Callable[..., Hashable],
        first_warmup: int,
        warmup: int,
        active: int,
        repeat_after_count: int | None,
        repeat_after_seconds: float | None,
    ) -> None:
        functools.update_wrapper(self, function)
        self._parameters = list(inspect.signature(function).parameters)
        self._geometry_hash = get_geometry_hash
        self._first_warmup, self._warmup, self._active = first_warmup, warmup, active
        if repeat_after_count is None and repeat_after_seconds is None:
            repeat_after_count = REPEAT_AFTER_COUNT
        self._count, self._seconds = repeat_after_count or 0, repeat_after_seconds or 0.0
        self._implementations: list[Implementation] = []
        self._geometries: dict[Hashable, _Geometry] = {}

    def register(self, implementation: Callable[..., Any] | None = None, *, is_compatible: Callable[..., bool] | None = None) -> Any:
        """Decorates an implementation, above ``@qd.kernel``: its parameters have the names of the dispatcher's. `is_compatible` is called with the
        arguments of a call, and says whether the implementation can take them."""
        if implementation is None:
            return functools.partial(self.register, is_compatible=is_compatible)
        names = list(inspect.signature(getattr(implementation, "_function", implementation)).parameters)
        if names != self._parameters:
            ours, theirs = ", ".join(self._parameters), ", ".join(names)
            message = f"{_name(implementation)}({theirs}) is registered with {_name(self)}({ours}): their parameters must have the same names"
            raise KernelSyntaxError(message)
        self._implementations.append(Implementation(implementation, is_compatible))
        return self._implementations[-1]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        forced = self._forced_one()
        if forced is not None:
            return forced(*args, **kwargs)
        # The speed depends on the arguments; the stream is for the implementation alone.
        stream = {"qd_stream": kwargs.pop("qd_stream")} if "qd_stream" in kwargs else {}
        geometry = self._geometries.setdefault(self._geometry_hash(*args, **kwargs), _Geometry())
        if geometry.fastest is not None and not self._is_old(geometry):
            return geometry.fastest(*args, **kwargs, **stream)
        compatible = [one for one in self._implementations if one.is_compatible is None or one.is_compatible(*args, **kwargs)]
        if not compatible:
            raise KernelRuntimeError("No suitable functions were found.")
        chosen = min(compatible, key=lambda one: geometry.calls.get(one, 0))
        warmup = self._warmup if geometry.measured else self._first_warmup
        calls = geometry.calls[chosen] = geometry.calls.get(chosen, 0) + 1
        if calls <= warmup:
            return chosen(*args, **kwargs, **stream)
        _runtime.sync()
        start = time.perf_counter()
        result = chosen(*args, **kwargs, **stream)
        _runtime.sync()
        geometry.seconds[chosen] = geometry.seconds.get(chosen, 0.0) + time.perf_counter() - start
        if all(geometry.calls.get(one, 0) >= warmup + self._active for one in compatible):
            geometry.fastest = min(compatible, key=lambda one: geometry.seconds.get(one, 0.0) / max(geometry.calls[one] - warmup, 1))
            geometry.measured, geometry.since, geometry.at = True, 0, time.monotonic()
            _log.log(f"perf_dispatch: {_name(self)} takes {_name(geometry.fastest)} of {len(compatible)} implementations", "debug")
        return result

    def _is_old(self, geometry: _Geometry) -> bool:
        """Whether implementations are to be timed again, which it then begins."""
        geometry.since += 1
        if not (0 < self._count <= geometry.since or 0 < self._seconds <= time.monotonic() - geometry.at):
            return False
        geometry.calls.clear()
        geometry.seconds.clear()
        geometry.fastest = None
        return True

    def _forced_one(self) -> Implementation | None:
        if "QD_PERFDISPATCH_FORCE" not in os.environ:
            return None
        wanted = _forced().get(_name(self))
        found = next((one for one in self._implementations if _name(one) == wanted), None)
        if wanted is not None and found is None:
            _log.log(f"QD_PERFDISPATCH_FORCE: {_name(self)} has no implementation {wanted!r}; it has {', '.join(map(_name, self._implementations))}")
        return found


def _name(function: Any) -> str:
    name: str = function.__name__
    return name


def perf_dispatch(
    *,
    get_geometry_hash: Callable[..., Hashable],
    first_warmup: int = 1,
    warmup: int = 0,
    active: int = 1,
    repeat_after_count: int | None = None,
    repeat_after_seconds: float | None = None,
) -> Callable[[Callable[..., Any]], PerformanceDispatcher]:
    """Decorates the name under which several implementations are called; the body of the function that it decorates never runs.

    Implementations are added with ``@name.register``; all of them must do the same, side effects included. `get_geometry_hash` gets the arguments
    of a call and gives a key for the speed, such as their shapes. For each such value, the implementations are called in turn: `first_warmup`
    times each (`warmup` when they are timed again), then `active` times with a clock running, then only the one that took the least time. They are
    timed again `repeat_after_count` calls or `repeat_after_seconds` later, after 300 calls where neither is given; 0 means never. The environment
    variable QD_PERFDISPATCH_FORCE=name:implementation,... chooses without a clock."""

    def decorate(function: Callable[..., Any]) -> PerformanceDispatcher:
        plain = getattr(function, "_function", function)
        return PerformanceDispatcher(plain, get_geometry_hash, first_warmup, warmup, active, repeat_after_count, repeat_after_seconds)

    return decorate
