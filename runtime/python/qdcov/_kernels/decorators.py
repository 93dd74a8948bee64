"""@qd.kernel, @qd.func and @qd.data_oriented."""

from __future__ import annotations

import functools
import inspect
import sys
import threading
import types
import warnings
import weakref
from collections.abc import Callable
from typing import Any, TypeVar, overload

from qdcov import _annotated, _execution, _log, _runtime
from qdcov._errors import KernelRuntimeError, KernelSyntaxError, show_program_alone
from qdcov._kernels import graph_status, lambdas, observations, optional, source, source_text
from qdcov._kernels.bound import Binding
from qdcov._near_names import unknown_keyword
from qdcov._scalars.value import Callee


def _plain_function(thing: Any, decorator: str) -> types.FunctionType:
    if isinstance(thing, staticmethod):
        thing = thing.__func__
    if not isinstance(thing, types.FunctionType):
        raise KernelSyntaxError(f"@qd.{decorator} decorates a function, not {type(thing).__name__}")
    if thing.__name__ == lambdas.NAME and decorator in ("kernel", "real_func"):
        raise KernelSyntaxError(f"@qd.{decorator} cannot decorate a lambda: it needs the annotations of a function")
    frame = sys._getframe(2)
    source.remember_local_names(thing, frame)
    source_text.remember(thing, frame)
    return thing


class Kernel:
    """A function that runs on the device. It is compiled when it is called with types or template values that are new."""

    def __init__(
        self, function: types.FunctionType, *, static: bool = False, fastcache: bool = False, graph: bool = False, checkpoints: bool = False
    ) -> None:
        functools.update_wrapper(self, function)
        if "qd_stream" in function.__code__.co_varnames[: function.__code__.co_argcount]:
            raise KernelSyntaxError(f"kernel {function.__qualname__}: no parameter can be called qd_stream, which says on which stream a call runs")
        optional.check(function)
        self._function = function
        self._fastcache = fastcache
        self._graph = graph
        self._checkpoints = checkpoints
        self._method = not static and source.takes_object(function)
        # Nothing before the first call: a kernel that refers to itself, and the fields that it has captured, would wait for the garbage collector.
        self._launch: Callable[..., Any] | None = None
        self._owner: type | None = None

    def __set_name__(self, owner: type, name: str) -> None:
        if self._function.__qualname__.rpartition(".")[0] == owner.__qualname__:
            self._owner = owner

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None or self._owner is None or not self._method:
            return self
        if not getattr(type(instance), "_data_oriented", False):
            refuse: Any = functools.partial(self._refuse, type(instance))
            refuse.resume = refuse.grad = refuse
            return refuse
        return Binding.make(self, instance)

    def _refuse(self, cls: type, *args: Any, **kwargs: Any) -> Any:
        raise KernelSyntaxError(
            f"{self._function.__qualname__} is a kernel and a method: decorate its class with @qd.data_oriented "
            f"(class {cls.__name__} is not), or make it a @staticmethod"
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        # Native code takes the place of this method when the native module is loaded (`call_by`).
        try:
            launch = self._launch
            if launch is None:
                launch = self._made()
            return launch(*args, **kwargs)
        except Exception as error:
            show_program_alone(error)
            raise

    def _made(self) -> Any:
        """The launcher of the kernel, made for the program that runs now."""
        running = _runtime.running()

        def make(function: types.FunctionType) -> Any:
            return running.kernel(function, self._fastcache, self._graph, self._checkpoints)

        made = optional.with_arrays(self._function, source.annotations_with_none(self._function), make)
        launch = graph_status.Resumable(self._function, made) if self._checkpoints else made

        def take() -> None:
            self._launch = launch

        if not _runtime.own_made_for(self, running, take):  # another thread has called qd.init meanwhile
            return self._made()
        return launch

    def _launch_of(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The launcher for these arguments."""
        launch: Any = self._launch or self._made()
        return launch.of(args, kwargs) if isinstance(launch, optional.Launches) else launch

    def grad(self, *args: Any, **kwargs: Any) -> None:
        """Adds to the gradients of the arrays that the kernel reads, from the gradients of those that it writes. The arguments are those of the call
        whose gradient this is; the program sets the gradients of its results before."""
        self._run_gradient("reverse", args, kwargs)

    def _run_gradient(self, mode: str, args: tuple[Any, ...], kwargs: dict[str, Any], *kept: Any) -> None:
        self._in_mode(mode, args, kwargs, *kept)
        if _log.is_logging_effective(_log.DEBUG):
            size = self.launch_observations.gradient_stack_bytes
            if size:
                _log.log(f"kernel {self._function.__qualname__}: its gradient has {size} bytes for the stacks of its loops", _log.DEBUG)

    def _in_mode(self, mode: str, args: tuple[Any, ...], kwargs: dict[str, Any], *kept: Any) -> Any:
        """Launches in a mode of automatic differentiation: "forward", "reverse", "recorded", "recorded reverse" or "validation". `kept`: the
        `TapeReads` of a tape that validates; the `LaunchRecord` that the launch fills, or that of the launch whose gradient this is."""
        name = self._function.__qualname__
        if self._checkpoints:
            raise KernelRuntimeError(f"kernel {name}: a kernel with checkpoints has no derivative, since a launch of it may stop half-way")
        if "qd_stream" in kwargs:
            raise KernelRuntimeError(f"kernel {name}: qd_stream= is not compatible with automatic differentiation: launch it without")
        launch = self._launch_of(args, kwargs)
        if not hasattr(launch, "in_mode"):
            raise KernelRuntimeError(f"kernel {name}: automatic differentiation is for compiled kernels, and arch=qd.python compiles none")
        return launch.in_mode(mode, args, kwargs, *kept)

    def resume(self, *args: Any, from_checkpoint: Any, **kwargs: Any) -> graph_status.GraphStatus:
        """Launches a kernel with checkpoints from one of them on: `from_checkpoint` is a status that an earlier call gave, or a label, and then
        the variables are those of the last call. Code before it does not run, but for statements that are in no loop."""
        if not self._checkpoints:
            name = self._function.__qualname__
            raise RuntimeError(f"{name}.resume: the kernel has no checkpoints; it needs @qd.kernel(graph=True, checkpoints=True)")
        launch: Any = self._launch
        if not isinstance(launch, graph_status.Resumable):
            launch = self._made()
        return launch.resume(from_checkpoint, args, kwargs)  # type: ignore[no-any-return]

    @property
    def _bound_signature(self) -> inspect.Signature:
        """The parameters of a call of an object's method."""
        signature = inspect.signature(self._function)
        return signature.replace(parameters=list(signature.parameters.values())[1:])

    @property
    def _primal(self) -> Kernel:
        return self

    @property
    def src_ll_cache_observations(self) -> observations.SrcLlCacheObservations:
        """Observations of the kept kernels of ``fastcache=True`` at the last launch that asked for one."""
        found: observations.SrcLlCacheObservations = observations.of(self._launch, observations.SrcLlCacheObservations)
        return found

    @property
    def fe_ll_cache_observations(self) -> observations.FeLlCacheObservations:
        """Whether the last launch that had to compile found its kernel in the offline cache."""
        found: observations.FeLlCacheObservations = observations.of(self._launch, observations.FeLlCacheObservations)
        return found

    @property
    def launch_observations(self) -> observations.LaunchObservations:
        """Observations of the last launch: the parts that it found ready."""
        found: observations.LaunchObservations = observations.of(self._launch, observations.LaunchObservations)
        return found

    def __getattr__(self, name: str) -> Any:
        if name == "__annotations__":  # not copied where Python evaluates them late
            return _annotated.of_function(self._function)
        raise AttributeError(f"a kernel has no attribute {name!r}")

    def _release(self) -> None:
        self._launch = None

    def __repr__(self) -> str:
        return f"<qd.kernel {self._function.__qualname__}>"


_calls: list[Callable[..., Any]] = [Kernel.__call__]
_calls_lock = threading.Lock()


def call_by(call: Callable[..., Any]) -> None:
    """Makes calls of kernels those of native code, below all that `replace_calls` has put in their place."""
    with _calls_lock:
        _calls[0] = call
        Kernel.__call__ = _calls[-1]  # type: ignore[method-assign]


def replace_calls(call: Callable[..., Any]) -> None:
    """Makes calls of all kernels those of ``call(kernel, *args, **kwargs)``, until `restore_calls`: so a call asks for nothing while nobody records
    calls. The latest one is in force; it may go on with `below` it."""
    with _calls_lock:
        _calls.append(call)
        Kernel.__call__ = _calls[-1]  # type: ignore[method-assign]


def restore_calls(call: Callable[..., Any]) -> None:
    """Takes back `replace_calls`."""
    with _calls_lock:
        _calls.remove(call)
        Kernel.__call__ = _calls[-1]  # type: ignore[method-assign]


def below(call: Callable[..., Any]) -> Callable[..., Any]:
    """The call of kernels that `call` replaces."""
    with _calls_lock:
        return _calls[_calls.index(call) - 1] if call in _calls else _calls[-1]


_interpreted_func: Callable[[Func], Callable[..., Any]]
_steps_of_func: Callable[[Func], Callable[..., Any]]


def interpret_funcs_with(make: Callable[[Func], Callable[..., Any]], steps: Callable[[Func], Callable[..., Any]]) -> None:
    """Sets the maker of functions for funcs, for kernels of arch=qd.python, and of generators for threads.
    `_interpreter.interpreted` calls it, before any such kernel exists."""
    global _interpreted_func, _steps_of_func
    _interpreted_func, _steps_of_func = make, steps


_funcs: dict[str, list[weakref.ref[Func]]] = {}
"""Decorated funcs by name. Lists, not weak sets: one thread may define a func while another goes through those that there are."""


def funcs_named(name: str) -> list[Func]:
    """All decorated funcs of that name."""
    return [func for reference in tuple(_funcs.get(name, ())) if (func := reference()) is not None]


def all_funcs() -> list[Func]:
    return [func for name in tuple(_funcs) for func in funcs_named(name)]


class Func(Callee):
    """A function that kernels call; it becomes part of each kernel that calls it."""

    # Without annotations of its own, which would be those of each func: in 3.14 a class's stand before __getattr__.
    _real = False
    """Whether it may return from inside of ifs and loops."""
    _python = False
    """Whether Python calls it, too."""
    _plain = False
    """Whether it is a Python function that nobody has decorated."""

    def __init__(self, function: types.FunctionType, *, static: bool = False, top_level: bool = False) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self._top_level = top_level
        self._method = not static and (source.takes_object(function) or source.is_of_no_class(function))
        self._stepwise: Callable[..., Any] | None = None
        self._captured: dict[int, list[Any]] = {}  # by program, the objects that its compiler has found for names
        if not self._plain:
            named = _funcs.setdefault(function.__name__, [])
            named.append(weakref.ref(self, named.remove))

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None or not self._method else types.MethodType(self, instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._run(*args, **kwargs)

    def _run(self, *args: Any, **kwargs: Any) -> Any:
        """The first call. An attribute of the func is in the place of this method then."""
        if not _execution.inside():
            return self._outside(*args, **kwargs)
        run = _interpreted_func(self)

        def checked(*args: Any, **kwargs: Any) -> Any:
            return run(*args, **kwargs) if _execution.inside() else self._outside(*args, **kwargs)

        self.__dict__["_run"] = checked
        _runtime.own(self)
        return run(*args, **kwargs)

    def _steps(self, *args: Any, **kwargs: Any) -> Any:
        if self._stepwise is None:
            self._stepwise = _steps_of_func(self)
            _runtime.own(self)
        return self._stepwise(*args, **kwargs)

    def _outside(self, *args: Any, **kwargs: Any) -> Any:
        """A call that no kernel makes."""
        raise KernelSyntaxError(
            f"qd.func {self._function.__qualname__}: functions of kernels cannot be called from Python-scope. "
            "Call it from a kernel, or make it a @qd.pyfunc"
        )

    def _release(self) -> None:
        self.__dict__.pop("_run", None)
        self._stepwise = None

    def __getattr__(self, name: str) -> Any:
        if name == "__annotations__":
            return _annotated.of_function(self._function)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __repr__(self) -> str:
        return f"<qd.func {self._function.__qualname__}>"


class PyFunc(Func):
    """A func that Python calls too: there it is the plain function."""

    _python = True

    def _outside(self, *args: Any, **kwargs: Any) -> Any:
        return self._function(*args, **kwargs)


class PlainFunc(Func):
    """A Python function that kernels call with values of the run, without a decorator."""

    _plain = True


class RealFunc(Func):
    """A func that is called, not copied. It may return from inside of ifs and loops, and call itself."""

    _real = True


@overload
def kernel(function: Callable[..., Any], /) -> Kernel: ...
@overload
def kernel(*, fastcache: bool = ..., graph: bool = ..., checkpoints: bool = ..., pure: Any = ...) -> Callable[[Callable[..., Any]], Kernel]: ...
def kernel(
    function: Any = None, /, *, fastcache: bool = False, graph: bool = False, checkpoints: bool = False, pure: Any = None, **_unknown: Any
) -> Any:
    """Makes a function a kernel. Its source is compiled for the device; the function itself never runs.

    A later run takes it from the offline cache when the source and all that it reads from outside are the same. ``fastcache=True`` sees to it that
    they are: such a kernel may read nothing from outside but definitions, enums and constants, whose names are in UPPERCASE; the rest it gets as
    arguments.

    A kernel with ``graph=True`` is a schedule of loops, which is launched as a whole: it may have ``while qd.graph.do_while(flag)`` and
    ``with qd.graph.parallel_context()``, and returns nothing. With ``checkpoints=True``, too, it may yield at a ``with qd.checkpoint(...)`` and be
    resumed there: its calls give a `qd.GraphStatus`. `pure` is the older name of `fastcache`, with a DeprecationWarning."""
    for word in _unknown:
        raise unknown_keyword(kernel, word)
    if pure is not None:
        warnings.warn("@qd.kernel(pure=...) is now called fastcache=...", DeprecationWarning, stacklevel=2)
        fastcache = fastcache or bool(pure)
    if function is None:
        return functools.partial(kernel, fastcache=fastcache, graph=graph, checkpoints=checkpoints)
    plain = _plain_function(function, "kernel")
    graph_status.check_decorated(plain, graph, checkpoints)
    static = isinstance(function, staticmethod)
    return Kernel(plain, static=static, fastcache=fastcache, graph=graph, checkpoints=checkpoints)


def pure(kernel: Kernel) -> Kernel:
    """The older form of ``@qd.kernel(fastcache=True)``, which stands above ``@qd.kernel``. Warns that it is."""
    if not isinstance(kernel, Kernel):
        raise KernelSyntaxError(f"@qd.pure stands above @qd.kernel; it decorates a kernel, not {type(kernel).__name__}")
    warnings.warn("@qd.pure is now written @qd.kernel(fastcache=True)", DeprecationWarning, stacklevel=2)
    kernel._fastcache = True
    return kernel


@overload
def func(function: Callable[..., Any], /) -> Func: ...
@overload
def func(*, is_real_function: bool = ..., requires_top_level: bool = ...) -> Callable[[Callable[..., Any]], Func]: ...
def func(function: Any = None, /, *, is_real_function: bool = False, requires_top_level: bool = False, **_unknown: Any) -> Any:
    """Makes a function callable from kernels; with ``is_real_function=True`` as `real_func` does.

    With ``requires_top_level=True`` it is called at the top level of a kernel alone, not under a for, an if or a while that runs: its own loops are
    parallel loops one after the other, each complete before the next."""
    for word in _unknown:
        raise unknown_keyword(func, word)
    if function is None:
        return functools.partial(func, is_real_function=is_real_function, requires_top_level=requires_top_level)
    if is_real_function:
        return RealFunc(_plain_function(function, "func"), static=isinstance(function, staticmethod))
    return Func(_plain_function(function, "func"), static=isinstance(function, staticmethod), top_level=requires_top_level)


@overload
def pyfunc(function: Callable[..., Any], /) -> PyFunc: ...
@overload
def pyfunc() -> Callable[[Callable[..., Any]], PyFunc]: ...
def pyfunc(function: Any = None, /) -> Any:
    """Makes a function callable from kernels and from Python, where it runs as it stands."""
    if function is None:
        return pyfunc
    return PyFunc(_plain_function(function, "pyfunc"), static=isinstance(function, staticmethod))


@overload
def real_func(function: Callable[..., Any], /) -> RealFunc: ...
@overload
def real_func() -> Callable[[Callable[..., Any]], RealFunc]: ...
def real_func(function: Any = None, /) -> Any:
    """Makes a function that kernels really call: it is no part of them. It may return anywhere, also from inside of ifs and loops, and call itself.

    Its results need an annotation."""
    if function is None:
        return real_func
    return RealFunc(_plain_function(function, "real_func"), static=isinstance(function, staticmethod))


_Class = TypeVar("_Class", bound=type)


@overload
def data_oriented(cls: _Class, /) -> _Class: ...
@overload
def data_oriented(*, template_primitives: bool = ..., stable_members: bool = ...) -> Callable[[_Class], _Class]: ...
def data_oriented(cls: Any = None, /, *, template_primitives: bool = True, stable_members: bool = False, **_unknown: Any) -> Any:
    """Makes a class one whose methods may be kernels and funcs: the kernel is compiled for each of its objects.

    Members that are numbers are constants of the compiled kernel, which is compiled again when one that it reads has changed. With
    ``template_primitives=False`` they are passed at each launch instead. ``stable_members=True``, of Quadrants, promises that no ndarray among the
    members is replaced; it has no effect."""

    for word in _unknown:
        raise unknown_keyword(data_oriented, word)

    def decorate(cls: Any) -> Any:
        if not isinstance(cls, type):
            raise TypeError(f"@qd.data_oriented decorates a class, not {type(cls).__name__}")
        cls._data_oriented = True  # type: ignore[attr-defined]
        cls._qd_template_primitives = template_primitives  # type: ignore[attr-defined]
        return cls

    return decorate if cls is None else decorate(cls)
