"""Functions of the language that are written in it (v.norm(), qd.math.mix): compiled, they give the numbers of numpy and of arch=qd.python."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import qd

sys.path.insert(0, str(Path(__file__).parent))
import kernels_for_language_functions as k


def computed(kernel: Any, *arguments: Any) -> np.ndarray:
    out = np.zeros(16)
    kernel(out, *arguments)
    return out


@pytest.mark.parametrize(("name", "arguments"), [("types", (1, 0.25)), ("shapes", (0.75, -1.5)), ("places", (1.25, 1)), ("places", (-1.25, 2))])
def test_compiled_as_python(back_end: str, name: str, arguments: tuple[Any, ...]) -> None:
    found = []
    for arch in ("python", back_end):
        qd.init(arch=arch, log_level="error", fast_math=False)
        found.append(computed(getattr(k, name), *arguments))
    np.testing.assert_allclose(found[1], found[0], rtol=1e-6, atol=1e-12)


def test_types(arch: str) -> None:
    out = computed(k.types, 1, 0.25)
    assert np.allclose(out[:3], [50000 * 2**0.5, 25, 0.8])  # squares of integers do not wrap
    assert np.allclose(out[3:5], [5 / 3, float(np.float16(25.25) ** 0.5) / 3], rtol=1e-2)
    assert out[6:11].tolist() == [0.625, 1, 2, 1, 101]
    assert out[11:14].tolist() == [2, 0.5, 255]


def test_shapes(arch: str) -> None:
    x, y = 0.75, -1.5
    out = computed(k.shapes, x, y)
    squares = x * x + y * y + 1 + 4 + x * x + 9
    assert np.allclose(out[:5], [x + 10 / x + 100 * x, squares**0.5 + 2 * squares, 7, y * y, 5 * x])
    four = np.array([[x, y, 1, 2], [0.5, x, y, 1], [1, 2, x, 0], [0, y, 0.25, x]])
    assert out[9] < 1e-5 and np.isclose(out[10], np.linalg.det(four) + np.linalg.inv(four)[3, 0])


def test_arguments_are_evaluated_once(arch: str) -> None:
    count = np.zeros(1, np.int32)
    assert k.evaluated_once(count) == 1 + 1 + 2 + 3 and count[0] == 4


def test_overflow_in_debug_mode_is_in_the_line_of_the_call(arch: str, capfd: pytest.CaptureFixture[str]) -> None:
    qd.init(arch=arch, debug=True, log_level="error")
    line = next(n for n, text in enumerate(Path(k.__file__).read_text().splitlines(), 1) if "return v.norm_sqr()" in text)
    k.overflow(1 << 20)
    qd.sync()
    text = capfd.readouterr().err
    assert "Multiplication overflow detected: 1048576 * 1048576 (i32)" in text and f"kernels_for_language_functions.py:{line} in overflow" in text
    assert "_library" not in text


@qd.kernel
def refused(what: qd.template()) -> qd.f32:
    v, w = qd.Vector([1.0, 2.0]), qd.Vector([1.0, 2.0, 3.0])
    m = qd.Matrix([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    if qd.static(what == "number"):
        return qd.math.length(3.0)
    if qd.static(what == "other"):
        return v.dot(3.0)
    if qd.static(what == "shapes"):
        return v.cross(w)
    if qd.static(what == "sizes"):
        return qd.Vector([1.0, 2.0, 3.0, 4.0]).cross(qd.Vector([1.0, 2.0, 3.0, 4.0]))[0]
    if qd.static(what == "square"):
        return m.determinant()
    if qd.static(what == "large"):
        return qd.Matrix.identity(qd.f32, 5).inverse()[0, 0]
    if qd.static(what == "trace"):
        return v.trace()
    if qd.static(what == "eps"):
        return v.norm(v)
    if qd.static(what == "name"):
        return v.norm(epsilon=1.0)
    if qd.static(what == "count"):
        return v.norm(1.0, 2.0)
    if qd.static(what == "mix"):
        return qd.math.mix(v, w, 0.5)[0]
    if qd.static(what == "text"):
        return qd.math.mix("a", 1.0, 0.5)
    return 0.0


MESSAGES = {
    "number": "`length` takes a vector or a matrix, not ",
    "other": "`dot` takes a vector or a matrix, not ",
    "shapes": "shape",
    "sizes": "`cross` takes a vector of 2 or 3 components, not a",
    "square": "`determinant` takes a square matrix of at most 4 rows, not a",
    "large": "`inverse` takes a square matrix of at most 4 rows, not a",
    "trace": "`trace` takes a square matrix, not a",
    "eps": "number",
    "name": "epsilon",
    "count": "argument",
    "mix": "shape",
    "text": "not a number",
}


@pytest.mark.parametrize("what", MESSAGES)
def test_refused(arch: str, what: str) -> None:
    with pytest.raises((TypeError, qd.KernelSyntaxError), match=re.escape(MESSAGES[what])) as raised:
        refused(what)
    if arch != "python":
        assert "test_language_functions.py" in str(raised.value) and "_library" not in str(raised.value)


def test_on_the_host() -> None:
    v = qd.Vector([3.0, 4.0])
    assert (v.norm(), type(v.norm()), v.norm(11.0), v.norm_sqr(), qd.math.length([3, 4])) == (5.0, float, 6.0, 25.0, 5.0)
    assert qd.math.mix(0, 1, 0.5) == 0.5 and qd.math.clamp(v, 0, 3.5).to_list() == [3, 3.5]
    assert qd.Vector([1, 2]).dot([3, 4]) == 11 and type(qd.Vector([1, 2]).dot([3, 4])) is int
    assert qd.Matrix([[1, 2], [3, 4]]).determinant() == -2 and qd.math.inverse(qd.Matrix([[2, 0], [0, 4]])).to_list() == [[0.5, 0], [0, 0.25]]
    assert qd.Vector([50000, 50000]).norm() == pytest.approx(50000 * 2**0.5) and k.host_too(v) == 7.0
    assert not np.isfinite(qd.Matrix([[0.0]]).inverse()[0, 0])
