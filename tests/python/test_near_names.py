"""Messages on names that are not known: they ask whether a near one was meant, and begin with the exception as a program catches it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import qd
from qdcov._near_names import near

velocity = qd.types.vector(3, qd.f32)
SCALE = 2.0


class Settings:
    def __init__(self) -> None:
        self.gravity = 9.81


settings = Settings()


@qd.kernel
def mistyped_variable() -> qd.f32:
    total = 1.0
    return totl + total  # noqa: F821


@qd.kernel
def mistyped_global() -> qd.f32:
    return SCALLE  # noqa: F821


@qd.kernel
def mistyped_builtin(n: qd.i32) -> qd.i32:
    return mix(n, 3) + rnage(3)  # noqa: F821


@qd.kernel
def mistyped_function(x: qd.f32) -> qd.f32:
    return qd.sqrtt(x)


@qd.kernel
def mistyped_member() -> qd.f32:
    return settings.gravty


@qd.kernel
def mistyped_annotation(x: velocty) -> qd.f32:  # noqa: F821
    return x[0]


@qd.kernel
def nothing_is_near() -> qd.f32:
    return abracadabra  # noqa: F821


@qd.kernel
def of_field(x: qd.template()) -> qd.i32:
    return x.shpe[0]


@pytest.mark.parametrize(
    ("kernel", "message"),
    [
        (mistyped_variable, 'Name "totl" is not defined; did you mean `total`? (in'),
        (mistyped_global, 'Name "SCALLE" is not defined; did you mean `SCALE`? (in'),
        (mistyped_builtin, 'Name "rnage" is not defined; did you mean `range`? (in'),
        (mistyped_function, "module 'qd' has no attribute `sqrtt` in kernels; did you mean `sqrt`? (in"),
        (mistyped_member, "has no attribute `gravty` in kernels; did you mean `gravity`? (in"),
        (mistyped_annotation, 'Name "velocty" is not defined; did you mean `velocity`? (in'),
        (nothing_is_near, 'Name "abracadabra" is not defined (in'),
    ],
)
def test_names_in_kernels(kernel: Any, message: str) -> None:
    qd.init(arch=qd.cpu, log_level="error")
    with pytest.raises(qd.KernelNameError) as error:
        kernel(*([3] if kernel in (mistyped_builtin, mistyped_function) else [velocity(0)] if kernel is mistyped_annotation else []))
    assert message in str(error.value)


def test_attributes_of_fields() -> None:
    qd.init(arch=qd.cpu, log_level="error")
    with pytest.raises(qd.KernelNameError, match=r"has no attribute `shpe` in kernels; did you mean `shape`\?"):
        of_field(qd.field(qd.f32, 4))


@pytest.mark.parametrize(
    ("word", "names", "meant"),
    [
        ("debg", ["debug", "arch"], "debug"),
        ("cup", ["cuda", "cpu", "vulkan"], "cpu"),
        ("x", ["y", "xy"], ""),
        ("abc", [], ""),
        ("ab" * 40, ["ab" * 39], ""),
        ("shape", ["shape"], ""),
    ],
)
def test_near_names(word: str, names: list[str], meant: str) -> None:
    assert near(word, names) == meant


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: qd.kernel(grph=True), "kernel() got an unexpected keyword argument 'grph'. Did you mean 'graph'?"),
        (lambda: qd.kernel(nothing=True), "kernel() got an unexpected keyword argument 'nothing'"),
        (
            lambda: qd.func(requires_toplevel=True),
            "func() got an unexpected keyword argument 'requires_toplevel'. Did you mean 'requires_top_level'?",
        ),
        (lambda: qd.data_oriented(template_primitive=1), "data_oriented() got an unexpected keyword argument 'template_primitive'. Did"),
        (lambda: qd.field(qd.f32, shap=3), "field() got an unexpected keyword argument 'shap'. Did you mean 'shape'?"),
        (lambda: qd.ndarray(qd.f32, 3, need_grad=True), "ndarray() got an unexpected keyword argument 'need_grad'. Did you mean 'needs_grad'?"),
        (lambda: qd.types.ndarray(dtpe=qd.f32), "ndarray() got an unexpected keyword argument 'dtpe'. Did you mean 'dtype'?"),
        (lambda: qd.tensor(qd.f32, (3,), backnd=1), "tensor() got an unexpected keyword argument 'backnd'. Did you mean 'backend'?"),
    ],
)
def test_keyword_arguments(call: Callable[[], object], message: str) -> None:
    with pytest.raises(TypeError) as error:
        call()
    assert str(error.value).startswith(message)


def test_options(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(KeyError, match=r"qd.init: debg; did you mean 'debug'\?"):
        qd.init(debg=True)
    with pytest.raises(ValueError, match=r"Unknown arch 'cup'; did you mean 'cpu'\?; known are"):
        qd.init(arch="cup")
    qd.init(arch=qd.cpu, log_level="error")
    with pytest.raises(AttributeError, match=r"no option 'fast_mth'; did you mean 'fast_math'\?"):
        qd.cfg.fast_mth  # noqa: B018


@pytest.mark.parametrize("text", ["yes", "on", "True", "1", "no", "off", "False", "0"])
def test_truth_of_variables(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QD_DEBUG", text)
    qd.init(arch=qd.cpu, log_level="error")
    assert qd.cfg.debug is (text in ("yes", "on", "True", "1"))


PROGRAM = """import qd
qd.init(arch=qd.cpu, log_level="error")

@qd.kernel
def twice(x: qd.f32) -> qd.f32:
    return x * 2 + {end}

print(twice(3))
"""


@pytest.mark.parametrize("options", [["-c"], ["-Bc"], ["-X", "dev", "-c"]], ids=" ".join)
def test_programs_of_the_command_line(options: list[str], tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, *options, PROGRAM.format(end=1)], cwd=tmp_path, capture_output=True, text=True)
    assert (done.stdout, done.stderr, done.returncode) == ("7.0\n", "", 0)


def test_errors_begin_with_their_class(tmp_path: Path) -> None:
    """The class stands once, as programs write it; diagnostics of another kind say theirs."""
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.format(end="total + [1, 2].x"))
    done = subprocess.run([sys.executable, program], capture_output=True, text=True)
    lines = [line for line in done.stderr.splitlines() if "Error" in line]
    assert lines[0] == f'qd.KernelNameError: {program}:6:20: Name "total" is not defined (in twice)', done.stderr
    assert all(line.startswith(f"{program}:6:28: Kernel") for line in lines[1:])


def test_executed_text_in_a_program_of_the_command_line() -> None:
    """Text that a program makes has no source, even where its function's name stands on the command line."""
    program = f"exec({PROGRAM.format(end=1)!r})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "The source of twice is not available: <string> cannot be read." in done.stderr


def test_tracebacks_end_at_the_call(tmp_path: Path) -> None:
    """Frames of the package are left out; those of a program that a launch runs, as a class's methods, are not."""
    program = tmp_path / "program.py"
    head = PROGRAM.partition("@qd.kernel")[0]
    program.write_text(head + "@qd.kernel\ndef twice(x: qd.f32) -> qd.f32:\n    return y\n\n\ndef main():\n    twice(3)\n\n\nmain()\n")
    done = subprocess.run([sys.executable, program], capture_output=True, text=True)
    assert [line.strip() for line in done.stderr.splitlines() if line.startswith("  File")] == [
        f'File "{program}", line 13, in <module>',
        f'File "{program}", line 10, in main',
    ]
    exec_of_text = subprocess.run([sys.executable, "-c", f"exec({PROGRAM.format(end=1)!r})"], capture_output=True, text=True)
    assert exec_of_text.stderr.count("  File") == 2


def frames(program: Path, text: str, **environment: str) -> list[str]:
    """The frames of the traceback in which a program ends, as the name of its file and the function."""
    program.write_text(text)
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, env={**os.environ, **environment})
    assert done.stderr.count("Traceback") == 1, done.stderr
    return [f"{Path(file).name} {function}" for file, function in re.findall(r'  File "(.+)", line \d+, in (\S+)', done.stderr)]


FAILING = """import numpy as np
import qd
qd.init(debug=True, log_level="error")

@qd.func
def element(x, i):
    return x[i + 1]

@qd.kernel
def shift(x: qd.types.NDArray[qd.f32, 1]):
    for i in range(x.shape[0]):
        assert i < 2
        x[i] = element(x, i)

@qd.kernel(graph=True, checkpoints=True)
def steps(x: qd.types.NDArray[qd.f32, 1]):
    with qd.checkpoint(1):
        for i in range(x.shape[0]):
            x[i] = 1

x = np.zeros({size}, dtype=np.float32)
{call}
"""


@pytest.mark.parametrize(
    "call",
    [
        "shift(x)",
        "shift.grad(x.astype(int))",
        "shift.grad(by=x)",
        "shift.grad()",
        "steps.resume(x.astype(int), from_checkpoint=1)",
        "qd.reset(); shift(x)",
        "qd.reset(); shift.grad(x)",
        "qd.reset(); steps.resume(x, from_checkpoint=1)",
    ],
)
def test_tracebacks_of_launches_end_at_the_call(call: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    assert frames(program, FAILING.format(size=2, call=call), QD_ARCH="cpu") == ["program.py <module>"]


def test_tracebacks_of_plain_python_show_the_program(tmp_path: Path) -> None:
    """On arch=qd.python, where a kernel's code has frames: one frame of the package, between the call and the kernel."""
    program = tmp_path / "program.py"
    first = ["program.py <module>", "decorators.py __call__"]
    assert frames(program, FAILING.format(size=2, call="shift(x)"), QD_ARCH="python") == [*first, "program.py shift", "program.py element"]
    assert frames(program, FAILING.format(size=4, call="shift(x)"), QD_ARCH="python") == [*first, "program.py shift"]
    assert frames(program, FAILING.format(size=4, call="shift(3)"), QD_ARCH="python") == first
    mistyped = FAILING.replace("x[i] = element", "x[i] = elemnt")
    assert frames(program, mistyped.format(size=2, call="shift(x)"), QD_ARCH="python") == [*first, "program.py shift"]


def test_mistyped_environment_variables(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    for name in ("QD_DEBG", "QD_ARHC", "QD_KERNELS", "QD_COV_CACHE", "QD_ADVANCED_OPTIMISATION"):
        monkeypatch.setenv(name, "1")
    qd.init(arch=qd.cpu, log_level="warn")
    text = "[qd] the environment variable {} is no option; did you mean {}?"
    near = {"QD_ADVANCED_OPTIMISATION": "QD_ADVANCED_OPTIMIZATION", "QD_ARHC": "QD_ARCH", "QD_DEBG": "QD_DEBUG"}
    assert sorted(capfd.readouterr().err.splitlines()) == [text.format(*pair) for pair in near.items()]
    qd.init(arch=qd.cpu, log_level="error")
    assert capfd.readouterr().err == ""
