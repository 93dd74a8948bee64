"""Messages for kernels that cannot be called, compiled or found: the errors that beginners meet."""

from __future__ import annotations

import re
import types
from typing import Any

import numpy as np
import pytest
import qd


@qd.kernel
def takes(x: qd.types.ndarray(dtype=qd.f32, ndim=1), n: qd.i32) -> qd.f32:
    return x[n]


@qd.kernel
def forgets(n: qd.i32) -> qd.i32:
    m = n + 1  # noqa: F841


@qd.kernel  # noqa: RET503
def sometimes(n: qd.template()) -> qd.i32:
    if qd.static(n > 1):
        return 5


def test_lists_are_called_lists(arch: str) -> None:
    for given, text in (([1.0], "list of 1"), ((1.0, 2.0), "tuple of 2")):
        with pytest.raises(qd.KernelRuntimeTypeError, match=f'Argument "x" of kernel takes: expected f32 ndarray of 1 dimension, got {text}$'):
            takes(given, 0)
    with pytest.raises(qd.KernelRuntimeTypeError, match='Argument "n" of kernel takes: expected i32, got list of 2'):
        takes(np.zeros(2, np.float32), [1, 2])


def test_a_missing_return(arch: str) -> None:
    with pytest.raises(qd.KernelSyntaxError, match="has a return type but does not have a return statement"):
        forgets(3)
    assert sometimes(2) == 5
    with pytest.raises(qd.KernelSyntaxError, match="has a return type"):
        sometimes(1)


def test_source_that_is_nowhere(arch: str) -> None:
    module: dict[str, Any] = {"qd": qd}
    exec("@qd.kernel\ndef made(n: qd.i32) -> qd.i32:\n    return n\n", module)
    advice = "A kernel is compiled from its text: write it into a file or a notebook cell; text that a program makes goes into a file"
    with pytest.raises(qd.KernelSyntaxError, match=re.escape(f"The source of made is not available: <string> cannot be read. {advice}")):
        module["made"](1)


def test_too_many_parameters(arch: str, tmp_path: Any) -> None:
    file = tmp_path / "many.py"
    file.write_text("import qd\n@qd.kernel\ndef many(" + ", ".join(f"a{i}: qd.i32" for i in range(513)) + "):\n    pass\n")
    module = types.ModuleType("many")
    exec(compile(file.read_text(), file, "exec"), vars(module))
    with pytest.raises(qd.KernelSyntaxError) as error:
        module.many(*range(513))
    assert re.search("at most 512 parameters, this one 513|has 513 parameters; at most 512 are supported", str(error.value))
    assert len(str(error.value)) < 600
    assert arch == "python" or str(error.value).endswith(" qd.i32, a15: q...\n    ^^^")


def test_annotations_name_locals_of_the_function_around(arch: str) -> None:
    def made(dt: Any, vector: Any, boundary: str) -> Any:
        @qd.func
        def own(a: dt) -> dt:  # type: ignore[valid-type]
            return a

        @qd.kernel
        def add(x: qd.types.ndarray(dtype=dt, ndim=1, boundary=boundary), v: vector) -> dt:  # type: ignore[valid-type]
            return own(x[9]) + v.x

        return add

    assert made(qd.i64, qd.types.vector(2, qd.i64), "clamp")(np.array([1 << 40]), [1, 2]) == (1 << 40) + 1
    assert made(qd.f32, qd.types.vector(2, qd.f32), "clamp")(np.array([1.5], np.float32), [1, 2]) == 2.5


def test_what_is_not_there_yet(arch: str) -> None:
    for name in ("quant", "sparse_matrix_builder"):
        with pytest.raises(AttributeError, match=f"^qd.types.{name} is not supported yet$"):
            getattr(qd.types, name)

    @qd.kernel
    def draws():
        qd.tools.imread()

    with pytest.raises((AttributeError, qd.KernelNameError), match="qd.tools is not supported yet"):
        draws()


def test_differentiation_in_a_kernel(arch: str) -> None:
    """Tapes and gradients are the host's."""

    @qd.kernel
    def tapes():
        with qd.ad.Tape():
            pass

    @qd.kernel
    def takes_gradient():
        takes.grad(1.0, 0)

    for kernel, name in ((tapes, "with"), (takes_gradient, "cannot call kernels|automatic differentiation")):
        with pytest.raises((qd.KernelCompilationError, qd.KernelRuntimeError), match=name):
            kernel()


def test_resuming_in_a_kernel(arch: str) -> None:
    @qd.kernel
    def resumes():
        takes.resume(1.0, 0, from_checkpoint=1)

    with pytest.raises(
        (qd.KernelCompilationError, RuntimeError), match="cannot call kernels|has no checkpoints" if arch == "python" else "cannot call kernels"
    ):
        resumes()


def test_extensions(arch: str) -> None:
    assert [e.name for e in qd.extension if qd.is_extension_supported(getattr(qd, arch, arch), e)] == ["data64", "assertion"]
