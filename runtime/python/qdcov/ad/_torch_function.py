"""Kernels as functions of torch's autograd."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from qdcov._arrays.exchange import torch_module
from qdcov._errors import KernelRuntimeError
from qdcov.ad import _recording


def torch_function(kernel: Any, outputs: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel as a differentiable function of torch tensors, made of ``torch.autograd.Function``::

        @qd.kernel
        def scale(x: Array, by: qd.f32, y: Array):
            for i in x:
                y[i] = by * x[i]

        scaled = qd.ad.torch_function(scale, outputs=lambda x, by: torch.empty_like(x))
        scaled(x, 2.0).sum().backward()  # fills x.grad

    The last arguments of `kernel` are the tensors that it writes. The function takes the arguments before them, by position, and gives them to
    `outputs`, which makes these tensors: one, or a tuple. They are zeros for a kernel that adds to them. The function returns them.

    Tensors with ``requires_grad`` get gradients; all other arguments are constants. Tensors that are not contiguous are copied for the kernel. It
    must not write its inputs. The gradient reads inputs and outputs again: torch raises RuntimeError where the program has changed them meanwhile.
    Gradients of fields add up as in ``kernel.grad``. A `Tape` does not record the call. A gradient of the gradient raises KernelRuntimeError."""
    torch = torch_module("qd.ad.torch_function", "")
    name = getattr(kernel, "__qualname__", repr(kernel))
    if not callable(getattr(kernel, "grad", None)):
        raise KernelRuntimeError(f"qd.ad.torch_function: {name} is no kernel, and has no gradient")
    if not callable(outputs):
        raise KernelRuntimeError(
            f"qd.ad.torch_function: outputs is {outputs!r}, and not a function that makes the tensors which the kernel writes, as in "
            "outputs=lambda x: torch.empty_like(x)"
        )

    class Gradient(torch.autograd.Function):  # type: ignore[misc, name-defined, unused-ignore]
        """Lets gradients through that were made of other tensors, and refuses to be differentiated."""

        @staticmethod
        def forward(_ctx: Any, count: int, *tensors: Any) -> Any:
            return tuple(tensor.view_as(tensor) for tensor in tensors[:count])

        @staticmethod
        def backward(_ctx: Any, *_gradients: Any) -> Any:
            raise KernelRuntimeError(f"kernel {name}: the gradient of a kernel has no gradient itself, so that no second derivative can be computed")

    class Launch(torch.autograd.Function):  # type: ignore[misc, name-defined, unused-ignore]
        """A launch of the kernel, whose gradient is ``kernel.grad``."""

        @staticmethod
        def forward(ctx: Any, *inputs: Any) -> Any:
            made = outputs(*inputs)
            written = made if isinstance(made, tuple) else (made,)
            tensors = [arg for arg in inputs if isinstance(arg, torch.Tensor)]
            _check_outputs(torch, name, tensors, written)
            with _recording.Paused():
                result = kernel(*(_values(torch, arg) for arg in inputs), *written)
            if result is not None:
                raise KernelRuntimeError(f"kernel {name} returns a value, and torch gets none: write it into a tensor")
            ctx.constants = [None if isinstance(arg, torch.Tensor) else (arg,) for arg in inputs]
            ctx.save_for_backward(*tensors, *written)
            return made

        @staticmethod
        def backward(ctx: Any, *gradients: Any) -> Any:
            saved = iter(ctx.saved_tensors)
            inputs = [_values(torch, next(saved)) if constant is None else constant[0] for constant in ctx.constants]
            needed = [arg.requires_grad_() for arg, needs in zip(inputs, ctx.needs_input_grad) if needs]
            written = [tensor.detach() for tensor in saved]
            for tensor, gradient in zip(written, gradients):
                if tensor.is_floating_point():
                    # A copy, since the gradient of what a kernel overwrites becomes zero.
                    tensor.requires_grad_().grad = gradient.detach().clone(memory_format=torch.contiguous_format)
            kernel.grad(*inputs, *written)
            found = [tensor.grad for tensor in needed]
            if torch.is_grad_enabled():  # as with create_graph=True
                found = list(Gradient.apply(len(found), *found, *ctx.saved_tensors, *gradients))
            each = iter(found)
            return tuple(next(each) if needs else None for needs in ctx.needs_input_grad)

    def function(*inputs: Any) -> Any:
        return Launch.apply(*inputs)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"The kernel {name} as a function of torch tensors."
    return function


def _values(torch: Any, argument: Any) -> Any:
    """An argument for a kernel: of a tensor, its values alone."""
    return argument.detach().contiguous() if isinstance(argument, torch.Tensor) else argument


def _check_outputs(torch: Any, name: str, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
    """Refuses what a kernel cannot write as a result of a function."""
    for tensor in outputs:
        if not isinstance(tensor, torch.Tensor):
            raise KernelRuntimeError(f"kernel {name}: outputs returned {type(tensor).__name__}, and not a tensor or a tuple of tensors")
        if any(tensor.untyped_storage().data_ptr() == other.untyped_storage().data_ptr() for other in inputs if tensor.numel()):
            raise KernelRuntimeError(f"kernel {name}: outputs returned the memory of an input; it returns new tensors, which the kernel writes")
        if tensor.requires_grad:
            raise KernelRuntimeError(f"kernel {name}: outputs returned a tensor that requires a gradient; it returns new tensors without")
