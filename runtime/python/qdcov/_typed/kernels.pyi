"""Kernels and funcs as type checkers and editors are to see them: with the parameters of their source, `limit(x: NDArray, top: f32) -> i32`."""

from collections.abc import Callable, Hashable
from typing import Any, Concatenate, Generic, Literal, ParamSpec, Protocol, TypeVar, overload

from qdcov._kernels.graph_status import GraphStatus
from qdcov._kernels.observations import FeLlCacheObservations, LaunchObservations, SrcLlCacheObservations
from qdcov._kernels.streams import Stream

_P = ParamSpec("_P")
_Q = ParamSpec("_Q")
_R = TypeVar("_R")
_R_co = TypeVar("_R_co", covariant=True)
_Self = TypeVar("_Self")

class Kernel(Generic[_P, _R_co]):
    """A function that runs on the device. It is compiled when it is called with types or template values that are new."""

    __name__: str
    __qualname__: str
    @overload
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R_co: ...
    @overload
    def __call__(self, *args: Any, qd_stream: Stream, **kwargs: Any) -> _R_co: ...
    @overload
    def __get__(self, instance: None, owner: type, /) -> Kernel[_P, _R_co]: ...
    @overload
    def __get__(self: Kernel[Concatenate[_Self, _Q], _R_co], instance: _Self, owner: type | None = None, /) -> Kernel[_Q, _R_co]: ...
    def grad(self, *args: _P.args, **kwargs: _P.kwargs) -> None:
        """Adds to the gradients of the arrays that the kernel reads, from the gradients of those that it writes. The arguments are those of the call
        whose gradient this is; the program sets the gradients of its results before."""
    def resume(self, *args: Any, from_checkpoint: Any, **kwargs: Any) -> GraphStatus:
        """Launches a kernel with checkpoints from one of them on: the checkpoint of a status that an earlier call gave, or one by its label, and then
        with the variables of the last call. Code before it does not run, but for statements that are in no loop."""
    @property
    def src_ll_cache_observations(self) -> SrcLlCacheObservations: ...
    @property
    def fe_ll_cache_observations(self) -> FeLlCacheObservations: ...
    @property
    def launch_observations(self) -> LaunchObservations: ...

class Func(Generic[_P, _R_co]):
    """A function that kernels call."""

    __name__: str
    __qualname__: str
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R_co: ...
    @overload
    def __get__(self, instance: None, owner: type, /) -> Func[_P, _R_co]: ...
    @overload
    def __get__(self: Func[Concatenate[_Self, _Q], _R_co], instance: _Self, owner: type | None = None, /) -> Func[_Q, _R_co]: ...

@overload
def kernel(function: Callable[_P, _R], /) -> Kernel[_P, _R]: ...
@overload
def kernel(  # type: ignore[overload-overlap]
    *, graph: Literal[True], checkpoints: Literal[True], fastcache: bool = ...
) -> Callable[[Callable[_P, Any]], Kernel[_P, GraphStatus]]: ...
@overload
def kernel(*, fastcache: bool = ..., graph: bool = ..., checkpoints: bool = ..., pure: Any = ...) -> Callable[[Callable[_P, _R]], Kernel[_P, _R]]: ...
def pure(kernel: Kernel[_P, _R]) -> Kernel[_P, _R]: ...
@overload
def func(function: Callable[_P, _R], /) -> Func[_P, _R]: ...
@overload
def func(*, requires_top_level: bool = ...) -> Callable[[Callable[_P, _R]], Func[_P, _R]]: ...
@overload
def pyfunc(function: Callable[_P, _R], /) -> Func[_P, _R]: ...
@overload
def pyfunc() -> Callable[[Callable[_P, _R]], Func[_P, _R]]: ...
@overload
def real_func(function: Callable[_P, _R], /) -> Func[_P, _R]: ...
@overload
def real_func() -> Callable[[Callable[_P, _R]], Func[_P, _R]]: ...

class _Dispatcher(Generic[_P, _R_co]):
    """Called like any of its implementations, of which it takes the fastest."""

    __name__: str
    @overload
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R_co: ...
    @overload
    def __call__(self, *args: Any, qd_stream: Stream, **kwargs: Any) -> _R_co: ...
    @overload
    def register(self, implementation: Callable[_P, Any], /) -> Callable[_P, _R_co]: ...
    @overload
    def register(self, *, is_compatible: Callable[_P, bool] | None = ...) -> Callable[[Callable[_P, Any]], Callable[_P, _R_co]]: ...

class _Dispatch(Protocol):
    def __call__(self, function: Callable[_P, _R], /) -> _Dispatcher[_P, _R]: ...

def perf_dispatch(
    *,
    get_geometry_hash: Callable[..., Hashable],
    first_warmup: int = ...,
    warmup: int = ...,
    active: int = ...,
    repeat_after_count: int | None = ...,
    repeat_after_seconds: float | None = ...,
) -> _Dispatch:
    """Decorates the name under which several implementations are called; the body of the function that it decorates never runs. Implementations are
    added with ``@name.register``. `get_geometry_hash` gets the arguments of a call and gives a key for the speed, such as their shapes."""
