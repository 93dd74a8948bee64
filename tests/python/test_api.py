"""qd.init and its options, dtypes, fields and ndarrays, on every architecture."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest
import qd


@qd.kernel
def double(x: qd.types.ndarray()):
    for i in range(x.shape[0]):
        x[i] *= 2


@qd.kernel
def fill_field(x: qd.template(), value: qd.f32):
    for i in x:
        x[i] = value


@qd.func
def a_func(x):
    return x


@qd.kernel
def typed(i: qd.i32, f: qd.f32, u: qd.u8) -> qd.f32:
    return i + f + u


@qd.kernel
def wide(a: qd.u64, b: qd.i64) -> tuple[qd.u64, qd.i64]:
    return a, b


@qd.kernel
def two_axes(a: qd.types.NDArray[qd.f32, 2]):
    for i, j in a:
        a[i, j] = 10 * i + j


@qd.kernel
def checks(n: qd.i32):
    for i in range(n):
        assert i < 5, "too many"


@qd.kernel
def speaks(a: qd.i32):
    print("a is", a, end="!\n")


# --- qd.init ---


def test_init_prints_the_arch(capsys: pytest.CaptureFixture[str]) -> None:
    qd.init(arch=qd.python)
    assert capsys.readouterr().out == "[qd] Starting on arch=python\n"
    qd.init(arch=qd.python, log_level="warn")
    assert capsys.readouterr().out == ""
    qd.reset()


def test_unknown_options_are_key_errors() -> None:
    with pytest.raises(KeyError, match="Unrecognized keyword argument"):
        qd.init(arch=qd.python, default_up=qd.u32)


def test_cfg() -> None:
    qd.reset()
    assert qd.cfg is None
    qd.init(arch=qd.python, log_level="error")
    assert qd.cfg is None
    qd.init(arch=qd.cpu, log_level="error", debug=True)
    assert qd.cfg.debug and qd.cfg.check_out_of_bound and qd.cfg.default_fp is qd.f32
    qd.reset()


def test_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QD_LOG_LEVEL", "error")
    monkeypatch.setenv("QD_DEBUG", "1")
    monkeypatch.setenv("QD_DEFAULT_FP", "64")
    monkeypatch.setenv("QD_ARCH", "cpu")
    qd.init(arch=qd.python)
    assert qd.cfg.debug is True and qd.cfg.default_fp is qd.f64
    with pytest.warns(UserWarning, match="overrides the environment variable QD_DEBUG=1"):
        qd.init(debug=False)
    assert qd.cfg.debug is False
    monkeypatch.setenv("QD_DEFAULT_FP", "16")
    with pytest.raises(ValueError, match="QD_DEFAULT_FP must be 32 or 64"):
        qd.init()
    qd.reset()


def test_an_arch_that_is_not_there() -> None:
    with pytest.warns(UserWarning, match="Arch=metal is not supported yet; falling back to cpu"):
        qd.init(arch=qd.metal, log_level="error")
    assert qd.cfg.arch == qd.cpu
    with pytest.raises(RuntimeError, match="Arch=metal is not supported"):
        qd.init(arch="metal", enable_fallback=False)
    with pytest.raises(ValueError, match="Unknown arch"):
        qd.init(arch="abacus")
    qd.init(arch=[qd.metal, qd.python], log_level="error")
    qd.reset()


@pytest.mark.parametrize(("arch", "variable"), [("cuda", "QD_CUDA_DRIVER"), ("amdgpu", "QD_HIP_DRIVER")])
def test_a_gpu_without_a_driver(arch: str, variable: str) -> None:
    """A missing driver, in a process of its own, since drivers stay open."""
    program = f"""
import pytest, qd
why = r"^(Arch={arch} is not supported yet|{arch} not available: {variable} names a library that cannot be opened: libabacus.so: .+)"
for device in (None, 1, "RTX"):
    with pytest.raises(RuntimeError, match=why):
        qd.init(arch="{arch}", device=device, enable_fallback=False)
with pytest.warns(UserWarning, match=why + "; falling back to cpu"):
    qd.init(arch="{arch}", log_level="error")
assert qd.cfg.arch == qd.cpu and not any(device.arch == "{arch}" for device in qd.devices())
"""
    subprocess.run([sys.executable, "-c", program], env={**os.environ, variable: "libabacus.so"}, check=True)


def test_vulkan_without_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QD_VISIBLE_DEVICE", "abacus")
    with pytest.raises(RuntimeError, match="^(Arch=vulkan is not supported yet|vulkan not available: .+)$"):
        qd.init(arch=qd.vulkan, enable_fallback=False)
    with pytest.warns(UserWarning, match="^(Arch=vulkan is not supported yet|vulkan not available: .+); falling back to cpu"):
        qd.init(arch=qd.vulkan, log_level="error")
    assert qd.cfg.arch == qd.cpu
    qd.reset()


def test_programs_of_the_cpu_do_not_load_vulkan() -> None:
    program = "import qd; qd.init(arch=qd.cpu, log_level='error'); qd.field(qd.i32, 4)[0] = 1; print('libvulkan' in open('/proc/self/maps').read())"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "False\n"


def test_require_version() -> None:
    qd.init(arch=qd.python, require_version="0.1.0", log_level="error")
    with pytest.raises(RuntimeError, match="is required"):
        qd.init(arch=qd.python, require_version="0.9.0")
    qd.reset()


def test_nothing_works_before_init() -> None:
    qd.reset()
    with pytest.raises(RuntimeError, match=r"qd\.init\(\) has not been called"):
        qd.field(qd.f32, shape=3)
    with pytest.raises(RuntimeError, match=r"qd\.init\(\) has not been called"):
        double(np.zeros(3))


def test_fields_are_gone_after_reset(arch: Any) -> None:
    x = qd.field(qd.f32, shape=3)
    fill_field(x, 1.0)
    qd.init(arch=arch, log_level="error")
    with pytest.raises(qd.KernelRuntimeError, match="is gone"):
        x.to_numpy()
    y = qd.field(qd.f32, shape=3)
    fill_field(y, 2.0)  # the kernel is compiled again
    assert y.to_numpy().tolist() == [2, 2, 2]
    with pytest.raises(qd.KernelRuntimeError, match="is gone"):
        fill_field(x, 2.0)


# --- memory ---


@pytest.mark.parametrize("make", [qd.field, qd.ndarray])
def test_elements(arch: Any, make: Any) -> None:
    x = make(qd.i32, shape=(2, 3))
    assert x.shape == (2, 3) and x.dtype is qd.i32 and x.to_numpy().tolist() == [[0, 0, 0], [0, 0, 0]]
    x[1, 2] = 5.9
    assert x[1, 2] == 5 and type(x[1, 2]) is int
    x.fill(7)
    assert x.to_numpy().dtype == np.int32 and int(x.to_numpy().sum()) == 42
    x.from_numpy(np.arange(6).reshape(2, 3))
    assert x[1, 0] == 3
    with pytest.raises(ValueError, match=r"Mismatch shape: \(2, 3\) expected, but \(3, 2\) provided"):
        x.from_numpy(np.zeros((3, 2)))
    with pytest.raises(TypeError, match="takes a numpy array"):
        x.from_numpy([1, 2, 3])
    with pytest.raises(qd.KernelIndexError, match=r"2d (field|ndarray) indexed with 1d indices: .* has 2 axes, but 1 index is"):
        x[0]
    with pytest.raises(IndexError, match=r"with indices \(2, 0\)"):
        x[2, 0] = 1
    with pytest.raises(IndexError):
        x[-1, 0]
    assert x.to_numpy(dtype=np.float64).dtype == np.float64
    x.to_numpy(copy=False)[0, 0] = 77
    assert x[0, 0] == 77


def test_single_values(arch: Any) -> None:
    x = qd.field(qd.f32, shape=())
    x[None] = 0.1
    assert x[None] == pytest.approx(0.1) and x[()] == np.float32(0.1)
    x.from_numpy(x.to_numpy() + 1)
    assert x[None] == pytest.approx(1.1)


def test_out_of_range_in_debug_mode() -> None:
    qd.init(arch=qd.cpu, debug=True, log_level="error")
    x = qd.field(qd.f32, shape=3)
    with pytest.raises(AssertionError, match="Accessing field of size"):
        x[3]
    qd.reset()


def test_ndarrays_can_be_copied_and_pickled(arch: Any) -> None:
    x = qd.ndarray(qd.f32, shape=3)
    x.fill(4)
    y, z = copy.deepcopy(x), pickle.loads(pickle.dumps(x))
    x.fill(5)
    assert y.to_numpy().tolist() == z.to_numpy().tolist() == [4, 4, 4]
    y.copy_from(x)
    assert y[0] == 5


def test_what_is_not_there_yet_says_so(arch: Any) -> None:
    with pytest.raises(AttributeError, match="qd.aot is not supported yet"):
        qd.aot  # noqa: B018
    with pytest.raises(qd.KernelRuntimeError, match="qd.root.pointer.* is not supported: sparse fields are not implemented yet"):
        qd.root.pointer(qd.i, 3)
    with pytest.raises(ValueError, match="at most 12"):
        qd.field(qd.f32, shape=(1,) * 13)


def test_extensions() -> None:
    assert qd.is_extension_supported(qd.cpu, qd.extension.assertion)
    assert not qd.is_extension_supported(qd.metal, qd.extension.assertion) and not qd.is_extension_supported(qd.cpu, qd.extension.sparse)


def test_dtypes_convert_on_the_host() -> None:
    assert qd.i32(2.9) == 2 and qd.u8(300) == 44 and qd.i8(200) == -56 and bool(qd.u1(3)) is True
    assert qd.float32 is qd.f32 and pickle.loads(pickle.dumps(qd.f32)) is qd.f32


# --- arguments ---


def test_numpy_arrays_in_place(arch: Any) -> None:
    a = np.arange(4, dtype=np.float32)
    double(a)
    assert a.tolist() == [0, 2, 4, 6]
    for dtype in (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.float64):
        b = np.ones(3, dtype=dtype)
        double(b)
        assert b.tolist() == [2, 2, 2] and b.dtype == dtype


def test_fortran_order_is_copied_in_and_out(arch: Any) -> None:
    a = np.zeros((2, 3), dtype=np.float32, order="F")
    two_axes(a)
    assert a.tolist() == [[0, 1, 2], [10, 11, 12]]


def test_other_strides_are_errors(arch: Any) -> None:
    with pytest.raises(ValueError, match="not contiguous"):
        double(np.zeros(10, dtype=np.float32)[::2])
    frozen = np.zeros(3, dtype=np.float32)
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        double(frozen)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1.5, 1, 1), 'Argument "i" of kernel typed: expected i32, got float 1.5'),
        (("a", 1, 1), "Argument \"i\" of kernel typed: expected i32, got str 'a'"),
        ((1, None, 1), 'Argument "f" of kernel typed: expected f32, got None'),
        ((1, 1, 256), 'Argument "u" of kernel typed: expected u8, got 256, which is out of its range'),
        ((1 << 80, 1, 1), 'Argument "i" of kernel typed: expected i32, got 1208925819614629174706176, which is out of its range'),
        ((1, 10**400, 1), 'Argument "f" of kernel typed: expected f32, got an integer of 1329 bits, which is out of its range'),
        ((-(10**5000), 1, 1), 'Argument "i" of kernel typed: expected i32, got an integer of 16610 bits, which is out of its range'),
        ((1, 1), "Missing argument 'u': Kernel typed takes 3 arguments, got 2"),
        ((1, 1, 1, 1), "Too many arguments: Kernel typed takes 3 arguments, got 4"),
    ],
)
def test_wrong_scalars(arch: Any, arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(qd.KernelRuntimeTypeError) as error:
        typed(*arguments)
    assert str(error.value) == message


def test_wrong_arrays(arch: Any) -> None:
    with pytest.raises(
        qd.KernelRuntimeTypeError, match='Argument "a" of kernel two_axes: expected f32 ndarray of 2 dimensions, got f32 ndarray of 1 dimension'
    ):
        two_axes(np.zeros(3, dtype=np.float32))
    with pytest.raises(qd.KernelRuntimeTypeError, match="expected f32 ndarray of 2 dimensions, got f64 ndarray of 2 dimensions"):
        two_axes(np.zeros((3, 3)))
    with pytest.raises(qd.KernelRuntimeTypeError, match="expected f32 ndarray of 2 dimensions, got int 3"):
        two_axes(3)
    with pytest.raises(qd.KernelRuntimeTypeError, match="are not supported"):
        double(np.zeros(3, dtype=np.complex64))


def test_arguments_by_name(arch: Any) -> None:
    assert typed(u=3, i=1, f=2.5) == typed(1, 2.5, u=3) == 6.5
    with pytest.raises(qd.KernelRuntimeTypeError, match="Unexpected argument 'x' of kernel typed"):
        typed(1, 2, x=3)
    with pytest.raises(qd.KernelRuntimeTypeError, match="Multiple values for argument 'i' of kernel typed"):
        typed(1, 2, i=3)


def test_numpy_scalars_and_bools(arch: Any) -> None:
    assert typed(np.int64(1), np.float32(0.5), True) == 2.5
    assert typed(np.uint8(1), np.int16(2), np.bool_(True)) == 4.0


def test_64_bits(arch: Any) -> None:
    assert wide(2**64 - 1, -(2**63)) == (2**64 - 1, -(2**63))


def test_funcs_cannot_be_called_from_python(arch: Any) -> None:
    with pytest.raises(qd.KernelSyntaxError, match="cannot be called from Python-scope"):
        a_func(1)


def test_asserts_are_checked_in_debug_mode(arch: Any) -> None:
    checks(10)
    qd.init(arch=arch, log_level="error", debug=True)
    checks(5)
    with pytest.raises(AssertionError, match="too many") as error:
        checks(10)
    assert isinstance(error.value, qd.KernelAssertionError) and isinstance(error.value, RuntimeError)
    checks(5)


def test_print(arch: Any, capsys: pytest.CaptureFixture[str]) -> None:
    speaks(3)
    qd.sync()
    assert capsys.readouterr().out == "a is 3!\n"


def test_threads(arch: Any) -> None:
    arrays = [np.ones(1000, dtype=np.int64) for _ in range(4)]

    def work(a: Any) -> None:
        for _ in range(10):
            double(a)

    threads = [threading.Thread(target=work, args=(a,)) for a in arrays]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert all(a.tolist() == [1024] * 1000 for a in arrays)


# --- where kernels may stand ---


def test_kernels_in_closures_and_classes(arch: Any) -> None:
    def make(factor: float) -> Any:
        @qd.kernel
        def scaled(x: qd.f32) -> qd.f32:
            return x * factor

        return scaled

    class Holder:
        offset = 5

        @staticmethod
        @qd.kernel
        def plus(x: qd.i32) -> qd.i32:
            return x + 1

    assert make(2.0)(3) == 6.0 and make(0.5)(3) == 1.5
    assert Holder.plus(1) == 2 and Holder().plus(2) == 3


def test_kernel_of_a_snippet(arch: Any) -> None:
    import linecache

    name = "<snippet of a test>"
    text = "import qd\n\n@qd.kernel\ndef f(x: qd.i32) -> qd.i32:\n    return x + 2\n"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names: dict[str, Any] = {}
    exec(compile(text, name, "exec"), names)
    assert names["f"](3) == 5


def test_kernel_without_source(arch: Any) -> None:
    names: dict[str, Any] = {}
    exec("import qd\n@qd.kernel\ndef f(x: qd.i32) -> qd.i32:\n    return x\n", names)
    with pytest.raises(qd.KernelSyntaxError, match="source of f is not available"):
        names["f"](1)


def test_captured_numbers_are_those_of_the_first_compilation() -> None:
    qd.init(arch=qd.cpu, log_level="error")
    names: dict[str, Any] = {"n": 1}

    def make() -> Any:
        n = names["n"]

        @qd.kernel
        def get(x: qd.template()) -> qd.i32:
            return n + x

        def change() -> None:
            nonlocal n
            n = 100

        return get, change

    get, change = make()
    assert get(0) == 1
    change()
    assert get(0) == 1 and get(5) == 6
    qd.reset()


def test_coverage_modules_are_not_imported_when_off() -> None:
    script = "import sys, qd; qd.init(log_level='error'); print([m for m in sys.modules if 'coverage' in m.lower()])"
    done = subprocess.run([sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}; {script}"], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr
