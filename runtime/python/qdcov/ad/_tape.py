"""Tape: records launches, and runs their gradients in reverse order."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

from qdcov import _runtime
from qdcov._arrays.arrays import Array, Field
from qdcov._arrays.tensor import unwrapped
from qdcov._errors import KernelRuntimeError
from qdcov._kernels.decorators import Kernel
from qdcov._values.matrix import Matrix
from qdcov._values.struct import Struct
from qdcov.ad import _gradients, _recording
from qdcov.ad._grad_check import GradCheck

if TYPE_CHECKING:
    from qdcov._native import LaunchRecord


class Tape:
    """A ``with`` statement that computes the gradients of `loss`::

        with qd.ad.Tape(loss):
            simulate(1.0)
            measure()
        x.grad  # the derivative of loss by x

    `loss` is a field without axes, or an ndarray or a torch tensor with one element, and has a gradient. At the beginning it becomes 0, and with
    `clear_gradients` the gradients of all fields do. Each launch of this thread runs at once, and is recorded with its arguments: numbers and
    vectors by value, arrays by reference; and so is ``y.copy_from(x)``. At the end, the gradient of `loss` becomes 1, and ``kernel.grad`` runs for
    the launches in reverse order; after an exception it does not. Without a loss, the program sets gradients itself and calls `grad`. A tape is
    entered once. Launches of other threads are not recorded, and tapes are not nested.

    The tape keeps the old number of an element that a launch reads and overwrites, if the gradient needs it, in memory of the size of the array.
    With `validation`, a launch that overwrites an element of an array with a gradient which it or an earlier launch has read raises
    KernelAssertionError, with both lines: the gradient would take the new value for the old one. It needs ``qd.init(debug=True)``, and warns
    without.

    `grad_check` is a list of fields of f64: at the end, the derivatives by them are compared with finite differences, and KernelAssertionError is
    raised where one is off by more than a hundredth. For that, the launches run again, from the values that all arrays had at the beginning."""

    def __init__(self, loss: Any = None, clear_gradients: bool = True, validation: bool = False, grad_check: list[Any] | None = None) -> None:
        if validation and not _runtime.debug():
            warnings.warn(
                "Debug mode is disabled, autodiff valid check will not work. Please specify `qd.init(debug=True)` to enable the check.", stacklevel=2
            )
        self._loss = unwrapped(loss)
        self._clear_gradients = clear_gradients
        self._validation = validation
        self._grad_check = grad_check
        self._check: GradCheck | None = None
        self._calls: list[tuple[Any, tuple[Any, ...], dict[str, Any]]] = []
        self._reads: Any = None
        self._record: Any = None  # empty: that of the next launch
        self._entered = self._evaluated = False

    def __enter__(self) -> Tape:
        if self._entered:
            raise KernelRuntimeError("Tape can be entered only once.")
        if _runtime.running().native is None:
            raise KernelRuntimeError("qd.ad.Tape: automatic differentiation is for compiled kernels, and arch=qd.python compiles none")
        if self._loss is not None:
            _check_loss(self._loss)
        if self._grad_check is not None:
            self._check = GradCheck(self._loss, self._grad_check)
        if self._validation:
            self._reads = _runtime.program().tape_reads()
        self._record = _runtime.program().launch_record()
        _recording.open_recorder(self, "Tape")
        self._entered = True
        if self._clear_gradients:
            _gradients.clear_all_gradients()
        if self._loss is not None:
            _clear(self._loss)
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        _recording.close_recorder()
        self._reads = self._record = None
        if error is None and self._loss is not None:
            self.grad()

    def grad(self) -> None:
        """Runs the gradients of the recorded launches, the last one first. Called at the end of the ``with`` statement, if there is a loss."""
        if not self._entered:
            raise KernelRuntimeError("Before evaluating gradients tape must be entered.")
        if self._evaluated:
            raise KernelRuntimeError("Gradients of grad can be evaluated only once.")
        _recording.refuse_gradient("tape.grad", self)
        self._evaluated = True
        if self._loss is not None:
            _seed(self._loss)
        with _recording.Paused():
            for function, args, kwargs in reversed(self._calls):
                if function.grad is None:
                    raise KernelRuntimeError(f"{function.__name__} has no gradient: decorate one with qd.ad.grad_for({function.__name__})")
                if isinstance(function, Kernel):
                    function._run_gradient("recorded reverse", args, kwargs)
                else:
                    function.grad(*args, **kwargs)
        if self._check is not None:
            self._check.compare(self._calls)

    def _launch(self, kernel: Kernel, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        name = kernel._function.__qualname__
        if "qd_stream" in kwargs:
            raise KernelRuntimeError(
                f"kernel {name}: qd_stream is not compatible with autograd Tape. Launch the kernel outside the Tape context, or omit qd_stream."
            )
        if kernel._graph:
            raise KernelRuntimeError(f"kernel {name}: graph=True is not compatible with qd.ad.Tape: call it in a function with @qd.ad.no_grad")
        if kernel._checkpoints:
            result = _recording.plain(kernel, args, kwargs)
        else:
            launch = kernel._launch_of(args, kwargs)
            result = launch.in_mode("validation" if self._validation else "recorded", args, kwargs, self._reads, self._record)
        if _has_floats(result):
            raise KernelRuntimeError(
                f"kernel {name} returns a float, through which no gradient flows: write it into an array, or call the kernel in a function with "
                "@qd.ad.no_grad"
            )
        if self._record.empty():
            self._note(kernel, args, kwargs)
        else:
            self._note(_Recorded(kernel, self._record), args, kwargs)
            self._record = _runtime.program().launch_record()
        return result

    def _copied(self, to: Array, source: Array) -> None:
        self._calls.append((_Copy(to, source), (), {}))

    def _note(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Records a call. Its gradient is ``function.grad``."""
        self._calls.append((function, tuple(_by_value(arg) for arg in args), {name: _by_value(arg) for name, arg in kwargs.items()}))


class _Recorded:
    """A kernel, recorded with the old numbers of elements that a launch has overwritten: ``x[i] = x[i] ** 2``."""

    def __init__(self, kernel: Kernel, record: LaunchRecord) -> None:
        self._kernel = kernel
        self._record: LaunchRecord | None = record

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._kernel(*args, **kwargs)

    def grad(self, *args: Any, **kwargs: Any) -> None:
        record, self._record = self._record, None  # its memory is not wanted any more
        self._kernel._run_gradient("recorded reverse", args, kwargs, None, record)


class _Copy:
    """``to.copy_from(source)``, recorded: its gradient is that of ``to[i] = source[i]``."""

    def __init__(self, to: Array, source: Array) -> None:
        self._to, self._source = to, source

    def __call__(self) -> None:
        self._to.copy_from(self._source)

    def grad(self) -> None:
        if not self._to.has_grad():
            return
        if self._source.has_grad():
            self._source.grad.from_numpy(self._source.grad.to_numpy() + self._to.grad.to_numpy())
        self._to.grad.fill(0.0)


def _by_value(argument: Any) -> Any:
    return argument.copy() if isinstance(argument, Matrix) else argument


def _has_floats(result: Any) -> bool:
    if isinstance(result, (tuple, Struct)):
        return any(map(_has_floats, result if isinstance(result, tuple) else result.to_dict().values()))
    return result._values.dtype.kind == "f" if isinstance(result, Matrix) else isinstance(result, float)


def _check_loss(loss: Any) -> None:
    """Refuses what cannot be a loss."""
    if isinstance(loss, Field):
        loss._live(True)
        if loss.shape or loss.element_shape:
            raise KernelRuntimeError(f"The loss of `Tape` must be a 0-D field, i.e. scalar, not {loss!r}")
    elif isinstance(loss, Array):
        if math.prod(loss.shape + loss.element_shape) != 1:
            raise KernelRuntimeError(f"The loss of `Tape` must be an ndarray with only one element, not {loss!r}")
    elif hasattr(loss, "requires_grad"):
        if loss.numel() != 1:
            raise KernelRuntimeError(f"The loss of `Tape` must be a tensor only contains one element, not one of shape {tuple(loss.shape)}")
    else:
        raise KernelRuntimeError(f"The loss of `Tape` must be a field, an ndarray or a torch tensor, not {type(loss).__name__}")
    if isinstance(loss, Array) and not loss.dtype.is_float:
        raise KernelRuntimeError(f"The loss of `Tape` must be a float, not {loss.dtype}: integers have no gradient")
    if not (loss.has_grad() if isinstance(loss, Array) else loss.requires_grad):
        if isinstance(loss, Field):
            how = "use needs_grad=True for all fields"
        else:
            how = "set needs_grad=True for all ndarrays" if isinstance(loss, Array) else "set requires_grad=True for all tensors"
        raise KernelRuntimeError(f"Gradients of loss are not allocated, please {how} that are required by autodiff. The loss is {loss!r}")


def _clear(loss: Any) -> None:
    if isinstance(loss, Array):
        loss.fill(0.0)
    else:
        loss.detach().zero_()


def _seed(loss: Any) -> None:
    if isinstance(loss, Array):
        loss.grad.fill(1.0)
    else:
        loss.grad = loss.detach().clone().fill_(1.0)
