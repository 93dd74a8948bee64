"""Debug mode: the checks of a running kernel, their messages, and that the next launch works."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import qd

sys.path.insert(0, str(Path(__file__).parent))
import kernels_for_debug as k

FILE = k.__file__
LINES = Path(FILE).read_text().splitlines()


@pytest.fixture
def debug(arch: str) -> str:
    qd.init(arch=arch, log_level="error", debug=True, fast_math=False, cpu_max_num_threads=2)
    return arch


def at(line: str, function: str) -> str:
    """A frame of a message."""
    return f"\n{FILE}:{LINES.index('    ' + line) + 1} in {function}"


def failure(call: Callable[[], Any]) -> str:
    with pytest.raises(qd.KernelAssertionError) as caught:
        call()
        qd.sync()
    assert isinstance(caught.value, AssertionError)
    assert isinstance(caught.value, RuntimeError)
    return str(caught.value)


def integers(*values: int) -> Any:
    return np.array(values, dtype=np.int32)


def test_fields(debug: str) -> None:
    x = qd.field(qd.f32, shape=(8, 16), name="x")
    where = at("x[i, j] = 1", "write")
    for i, j in ((3, 16), (8, 0), (-1, 2), (2, -2000000000)):
        text = f"(kernel=write) Accessing field (f32 x) of size (8, 16) with indices ({i}, {j}): out of bounds"
        assert failure(functools.partial(k.write, x, i, j)) == text + where
    k.write(x, 7, 15)
    assert x[7, 15] == 1
    message = failure(lambda: k.write_in_a_loop(x, 9, 3))
    text = "(kernel=write_in_a_loop) Accessing field (f32 x) of size (8, 16) with indices (8, 3): out of bounds\nat i=8"
    assert message == text + at("    x[i, j] += 1", "write_in_a_loop")


def test_the_iteration_of_the_parallel_loop_by_its_variables(debug: str) -> None:
    x = qd.field(qd.i32, shape=(3, 5), name="x")
    assert "with indices (1, 5): out of bounds\nat i=1, j=5\n" in failure(lambda: k.write_two_axes(x, 6))
    assert "with indices (3, 0): out of bounds\n/" in failure(lambda: k.write_in_series(x, 4))


def test_ndarrays_and_frames(debug: str) -> None:
    x = np.ones((3, 4), dtype=np.float32)
    text = "[kernel=read_in_funcs] Out of bound access to ndarray at arg 0 with indices [1, 4]\nx has size (3, 4): out of bounds\nat j=4"
    frames = at("return x[i, j]", "element") + at("    total += element(x, i, j)", "sum_of_row") + at("return sum_of_row(x, i, m)", "read_in_funcs")
    assert failure(lambda: k.read_in_funcs(x, 1, 5)) == text + frames
    assert k.read_in_funcs(x, 1, 4) == 4


def test_atomics(debug: str) -> None:
    x, y = integers(1, 2, 3), integers(0, 0, 0, 0)
    message = failure(lambda: k.of_the_second(x, y, 2))
    assert message.startswith(
        "[kernel=of_the_second] Out of bound access to ndarray at arg 1 with indices [4]\ny has size (4,): out of bounds\nat i=2\n"
    )
    k.of_the_second(x, y, 1)
    assert y.tolist() == [0, 1, 2, 3]
    assert "with indices [4294967296]" in failure(lambda: k.exchange(x, 1 << 32))


def test_arrays_of_qd(debug: str) -> None:
    x = qd.ndarray(qd.i32, shape=3)
    assert "ndarray at arg 0 with indices [-1]\nx has size (3,)" in failure(lambda: k.exchange(x, -1))


def test_what_is_not_evaluated_is_not_checked(debug: str) -> None:
    x = integers(4, 5)
    assert [k.only_when_asked(x, i) for i in (0, 1, 2, 9)] == [5, 6, -1, -1]
    assert "with indices [-1]" in failure(lambda: k.only_when_asked(x, -1))


def test_what_is_right_stays_right(debug: str) -> None:
    x, y = qd.field(qd.i32, shape=(4, 3)), integers(1, 2, 3, 4)
    k.own_indices(x, y)
    assert x.to_numpy()[:, 2].tolist() == [0, 1, 2, 3]
    single = qd.field(qd.i32, shape=())
    k.single(single)
    assert single[None] == 2
    assert k.divide_floats(1, 0) == float("inf")


def test_divisions_by_zero(debug: str) -> None:
    y = integers(1, 2, 0, 4)
    message = failure(lambda: k.divide(integers(0, 0, 0, 0), y))
    assert message == "(kernel=divide) Integer division by zero: 7 // 0 (i32)\nat i=2" + at("    x[i] = 7 // y[i]", "divide")
    assert failure(lambda: k.remainder(5, 0)).startswith("(kernel=remainder) Integer modulo by zero: 5 % 0 (i32)\n/")
    assert failure(lambda: k.divide_as_c(-5, 0)).startswith("(kernel=divide_as_c) Integer division by zero: -5 // 0 (i32)\n")
    assert failure(lambda: k.remainder_as_c(5, 0)).startswith("(kernel=remainder_as_c) Integer modulo by zero: 5 % 0 (i32)\n")
    assert failure(lambda: k.divide_in_place(y, 0)).startswith("(kernel=divide_in_place) Integer division by zero: 1 // 0 (i32)\n")
    assert (k.remainder(-7, 3), k.divide_as_c(-7, 2), k.remainder_as_c(-7, 2)) == (2, -3, -1)


def test_each_kind_of_warning_is_told_once_for_a_line(debug: str, capfd: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        k.two_kinds_on_a_line(2**31 - 1, 40)
    said = [line for line in capfd.readouterr().err.split("\n") if line.startswith("[qd]")]
    assert said == [
        "[qd] (kernel=two_kinds_on_a_line) Addition overflow detected: 2147483647 + 40 (i32)",
        "[qd] (kernel=two_kinds_on_a_line) Shift by more bits than there are: -2147483609 << 40 (i32)",
    ]


def test_powers(debug: str) -> None:
    assert failure(lambda: k.power(2, -1)).startswith("(kernel=power) Negative exponent of an integer: 2 ** -1 (i32)\n/")
    assert k.power(3, 4) == 81


def test_overflow_is_told_once_and_goes_on(debug: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert k.overflow(5) == 6
    assert capfd.readouterr().err == ""
    for _ in range(2):
        assert k.overflow(2**31 - 1) == -(2**31)
    assert capfd.readouterr().err == "[qd] (kernel=overflow) Addition overflow detected: 2147483647 + 1 (i32)" + at("return a + 1", "overflow") + "\n"
    assert k.shift(1, 30) == 2**30
    assert k.shift(1, 32) == 0
    assert capfd.readouterr().err.startswith("[qd] (kernel=shift) Shift by more bits than there are: 1 << 32 (i32)\n")
    assert k.hash_of(12345) != 0
    assert capfd.readouterr().err.startswith("[qd] (kernel=hash_of) Multiplication overflow detected: 12345 * 747796405 (u32)\n")


def told(call: Callable[[], Any], capfd: pytest.CaptureFixture[str]) -> str:
    """The warning of a call on stderr, without the place: a line of a program warns once, however many operations stand in it."""
    capfd.readouterr()
    call()
    text = capfd.readouterr().err
    assert text.count("[qd]") <= 1
    return text.split("\n")[0]


LOW, HIGH = -(2**31), 2**31 - 1


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("quotient", (LOW, -1), f"quotient) Division overflow detected: {LOW} // -1 (i32)"),
        ("quotient", (LOW, 2), ""),
        ("quotient", (7, -1), ""),
        ("quotient_as_c", (-(2**63), -1), f"quotient_as_c) Division overflow detected: {-(2**63)} // -1 (i64)"),
        ("power", (2, 31), "power) Power overflow detected: 2 ** 31 (i32)"),
        ("power", (-2, 31), ""),
        ("power", (46341, 2), "power) Power overflow detected: 46341 ** 2 (i32)"),
        ("power", (46340, 2), ""),
        ("power", (HIGH, 1), ""),
        ("power", (LOW, 1), ""),
        ("power", (-1, 1001), ""),
        ("power", (3, 1000000), "power) Power overflow detected: 3 ** 1000000 (i32)"),
        ("power_of_64", (3037000499, 2), ""),
        ("power_of_64", (3037000500, 2), "power_of_64) Power overflow detected: 3037000500 ** 2 (i64)"),
        ("power_of_64", (-2, 63), ""),
        ("power_of_64", (2, 63), "power_of_64) Power overflow detected: 2 ** 63 (i64)"),
        ("power_of_64", (2**63 - 1, 1), ""),
        ("square", (46341,), "square) Power overflow detected: 46341 ** 2 (i32)"),
        ("shift", (1, 30), ""),
        ("shift", (1, 31), "shift) Shift left overflow detected: 1 << 31 (i32)"),
        ("shift", (-1, 31), ""),
        ("shift_of_u8", (3, 6), ""),
        ("shift_of_u8", (3, 7), "shift_of_u8) Shift left overflow detected: 3 << 7 (u8)"),
        ("sum_of_i8", (100, 27), ""),
        ("sum_of_i8", (100, 28), "sum_of_i8) Addition overflow detected: 100 + 28 (i8)"),
        ("product_of_i16", (-256, 128), ""),
        ("product_of_i16", (256, 128), "product_of_i16) Multiplication overflow detected: 256 * 128 (i16)"),
        ("difference_of_u64", (2**63, 2**63), ""),
        (
            "difference_of_u64",
            (2**63, 2**63 + 1),
            "difference_of_u64) Subtraction overflow detected: 9223372036854775808 - 9223372036854775809 (u64)",
        ),
        ("quotient_of_i8", (-128, -1), "quotient_of_i8) Division overflow detected: -128 // -1 (i8)"),
        ("power_of_u32", (2, 31), ""),
        ("power_of_u32", (2, 32), "power_of_u32) Power overflow detected: 2 ** 32 (u32)"),
        ("two_on_a_line", (HIGH, HIGH), f"two_on_a_line) Addition overflow detected: {HIGH} + 1 (i32)"),
        ("vector_sum", ([1, HIGH, HIGH],), f"vector_sum) Addition overflow detected: {HIGH} + 1 (i32)"),
        ("dot_product", ([1, 50000, 60000],), "dot_product) Multiplication overflow detected: 50000 * 50000 (i32)"),
        ("matrix_product", ([[1, 60000], [70000, 1]],), "matrix_product) Multiplication overflow detected: 60000 * 70000 (i32)"),
    ],
)
def test_overflow(debug: str, name: str, arguments: tuple[Any, ...], text: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert told(lambda: getattr(k, name)(*arguments), capfd) == (f"[qd] (kernel={text}" if text else "")


@pytest.mark.parametrize(
    ("name", "old", "operand", "text"),
    [
        ("add_in_memory", HIGH, 1, f"Addition overflow detected: {HIGH} + 1"),
        ("add_in_memory", HIGH, 0, ""),
        ("subtract_in_memory", LOW, 2, f"Subtraction overflow detected: {LOW} - 2"),
        ("multiply_in_memory", 65536, 32768, "Multiplication overflow detected: 65536 * 32768"),
    ],
)
def test_overflow_in_memory(debug: str, name: str, old: int, operand: int, text: str, capfd: pytest.CaptureFixture[str]) -> None:
    x = integers(old)
    said = told(lambda: getattr(k, name)(x, operand), capfd)
    assert said == (f"[qd] (kernel={name}) {text} (i32)" if text else "")


def test_vectors_divided_by_zero(debug: str) -> None:
    assert failure(lambda: k.vector_quotient([4, 5, 6], [1, 0, 2])).startswith("(kernel=vector_quotient) Integer division by zero: 5 // 0 (i32)\n")


def test_an_element_of_an_array_of_structs_is_one_access(debug: str) -> None:
    s, field = k.Body.ndarray(3), k.Body.field(3, name="s")
    text = "[kernel=element_of_structs] Out of bound access to ndarray at arg 0 with indices [3]\ns.pos has size (3,): out of bounds"
    assert failure(lambda: k.element_of_structs(s, 3)) == text + at("return s[i].mass", "element_of_structs")
    text = "(kernel=member_of_a_field) Accessing field (f32 s.pos) of size (3,) with indices (-1,): out of bounds"
    assert failure(lambda: k.member_of_a_field(field, -1)) == text + at("s[i].spin += 1", "member_of_a_field")
    k.member_of_a_field(field, 2)
    assert field.spin.to_numpy().tolist() == [0, 0, 1]


@pytest.mark.parametrize("kernel", [k.element_of_structs, k.member_of_a_field])
def test_an_array_of_structs_is_checked_once(back_end: str, kernel: Any, capfd: pytest.CaptureFixture[str]) -> None:
    qd.init(arch=back_end, log_level="error", check_out_of_bound=True, print_ir=True)
    kernel(k.Body.ndarray(3) if kernel is k.element_of_structs else k.Body.field(3), 0)
    text = capfd.readouterr().err
    assert text[text.rindex("kernel ") :].count(" assert ") + text[text.rindex("kernel ") :].count("\nassert ") == 1


@pytest.mark.parametrize(
    ("which", "text"), [(0, "assertion failed"), (1, "plain"), (2, "7 is 007, 0.10 0.1"), (3, "7 of   0.1"), (4, "0.1 then 11"), (5, "both")]
)
def test_asserts(debug: str, which: int, text: str) -> None:
    lines = [i for i, line in enumerate(LINES, 1) if line.startswith("            assert ")]
    assert failure(lambda: k.asserts(7, 0.1, which)) == f"(kernel=asserts) {text}\nat i=7\n{FILE}:{lines[which]} in asserts"


def test_what_was_written_stays_and_the_next_launch_works(debug: str) -> None:
    x = qd.field(qd.i32, shape=(4, 3), name="x")
    failure(lambda: k.half_way(x, 3))
    assert x.to_numpy().tolist() == [[5, 6, 0], [0, 6, 0], [0, 6, 0], [0, 6, 0]]
    k.half_way(x, 2)
    assert x.to_numpy()[:, 2].tolist() == [8, 7, 7, 7]


def test_host_access(debug: str) -> None:
    x = qd.field(qd.i32, shape=(4, 3))
    for index in ((4, 0), (0, 3), (-1, 0)):
        with pytest.raises(AssertionError, match=r"of size \(4, 3\) with indices"):
            x[index]
        with pytest.raises(AssertionError, match=r"of size \(4, 3\) with indices"):
            x[index] = 1


def test_bounds_alone(arch: str) -> None:
    qd.init(arch=arch, log_level="error", check_out_of_bound=True)
    x = qd.field(qd.i32, shape=(4, 3), name="x")
    assert failure(lambda: k.write(x, 4, 0)).startswith("(kernel=write) Accessing field (i32 x) of size (4, 3) with indices (4, 0): out of bounds\n")
    k.asserts(7, 0.1, 1)
    assert k.remainder(5, 0) == 0


def test_off(back_end: str) -> None:
    k.asserts(7, 0.1, 1)
    assert k.remainder(5, 0) == 0
    assert k.power(2, -1) == 0


@pytest.mark.parametrize("debug", [False, True])
def test_asserts_are_understood_with_and_without_debug(back_end: str, debug: bool) -> None:
    qd.init(arch=back_end, log_level="error", debug=debug)
    with pytest.raises(qd.KernelTypeError, match="a vector of 3 i32 is not a number: take a component of it"):
        k.asserts_what_is_no_condition([1, 2, 3])
    with pytest.raises(qd.KernelNameError, match='Name "w" is not defined'):
        k.asserts_what_is_not_there([1, 2, 3])


def test_loops_over_something_else(debug: str) -> None:
    """A loop over an array's own extent needs no check, one over another's does."""
    x, y = integers(1, 2, 3), integers(0, 0)
    message = failure(lambda: k.as_long_as_the_other(x, y))
    assert message.startswith(
        "[kernel=as_long_as_the_other] Out of bound access to ndarray at arg 1 with indices [2]\ny has size (2,): out of bounds\nat i=2\n"
    )
    k.as_long_as_the_other(y, x)
    wide, tall = np.zeros((2, 3), dtype=np.float32), np.zeros((3, 2), dtype=np.float32)
    k.along_the_other_axis(wide)
    assert "with indices [0, 2]\nx has size (3, 2): out of bounds\nat i=2\n" in failure(lambda: k.along_the_other_axis(tall))
    assert "with indices [-1]\nx has size (3,): out of bounds\nat i=-1\n" in failure(lambda: k.from_before_the_beginning(x))


def test_components_of_loops(debug: str) -> None:
    assert k.components_from(0, 3) == 1 + 3 + 5
    assert "a [3, 2] matrix with index [3, 0]\n" in failure(lambda: k.components_from(1, 4))
    assert "a [3, 2] matrix with index [-1, 0]\n" in failure(lambda: k.components_from(-1, 2))


def test_what_is_known_to_be_wrong(debug: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert failure(lambda: k.divide_by_nothing(3)).startswith("(kernel=divide_by_nothing) Integer division by zero: 3 // 0 (i32)\n")
    assert k.shift_far(1) == 0
    assert capfd.readouterr().err.startswith("[qd] (kernel=shift_far) Shift by more bits than there are: 1 << 32 (i32)\n")
    assert k.wide_overflow(1 << 62) == -(1 << 62)
    assert capfd.readouterr().err.startswith("[qd] (kernel=wide_overflow) Multiplication overflow detected: 4611686018427387904 * 3 (i64)\n")
    out = integers(0, 0, 0)
    k.difference_overflows(out)
    assert out.tolist() == [-2147483647, -2147483648, 2147483647]
    assert capfd.readouterr().err.startswith("[qd] (kernel=difference_overflows) Subtraction overflow detected: -2147483647 - 2 (i32)\nat i=2\n")


def test_an_array_in_a_dataclass_is_named_by_its_argument(debug: str) -> None:
    both = k.Both(integers(1, 2, 3), integers(1, 2))
    message = failure(lambda: k.of_a_dataclass(5, both, 2))
    assert message.startswith(
        "[kernel=of_a_dataclass] Out of bound access to ndarray at arg 1 with indices [2]\nboth.second has size (2,): out of bounds\n/"
    )


def test_nothing_of_an_assert_is_left_without_debug(back_end: str, capfd: pytest.CaptureFixture[str]) -> None:
    qd.init(arch=back_end, log_level="error", print_ir=True)
    x, field = integers(1, 2), qd.field(qd.i32, 2)
    k.asserts_of_a_field(x, field)
    text = capfd.readouterr().err
    assert x.tolist() == [2, 3]
    for word in ("field", "is_positive", "assert", " gt "):
        assert word not in text.replace(k.asserts_of_a_field.__name__, "")
    assert " atomic add " in text


def test_what_a_kernel_is_compiled_to_can_be_read(back_end: str, capfd: pytest.CaptureFixture[str]) -> None:
    qd.init(arch=back_end, log_level="error", print_kernel_asm=True)
    k.asserts_of_a_field(integers(1, 2), qd.field(qd.i32, 2))
    text = capfd.readouterr().err
    assert text.startswith("# assembly of asserts_of_a_field\n")
    assert text.count("asserts_of_a_field") > 1
