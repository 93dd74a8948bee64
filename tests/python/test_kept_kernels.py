"""The front end's result for a kernel, kept from one run to the next: when it is taken, and that it is right for the process at hand."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from cache_programs import Run, entries, program, result, results, runner, together, values

SCALED = """\
import json
import sys

import numpy as np
import qd
from enum import Enum

SCALE = 2


class Mode(Enum):
    SLOW = 1


Pair = qd.types.struct(a=qd.i32, b=qd.i32)
qd.init(log_level="error")
Array = qd.types.ndarray(dtype=qd.i32, ndim=1)


@qd.func
def scaled(v):
    return SCALE * v + Pair(300, 1).a - 300


@qd.kernel
def change(x: Array, flag: qd.template()):
    for i in x:
        if qd.static(flag):
            x[i] = scaled(x[i])
        elif x[i] > 3:
            x[i] = -x[i] + Mode.SLOW.value


x = np.arange(6, dtype=np.int32)
change(x, len(sys.argv) > 1)
found = change._primal.src_ll_cache_observations
print(json.dumps([x.tolist(), [found.cache_key_generated, found.cache_validated, found.cache_loaded, found.cache_stored]]))
"""
PURE = SCALED.replace("@qd.kernel\n", "@qd.kernel(fastcache=True)\n")
STORED, LOADED, NOT_KEPT = [True, False, False, True], [True, True, True, False], [True, False, False, False]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs a program with a cache of its own."""
    return runner(tmp_path)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that SCALED and PURE have filled, with a word: to be copied."""
    folder = tmp_path_factory.mktemp("filled")
    for i, text in enumerate((SCALED, PURE)):
        runner(folder)(program(folder / str(i), text), "flag")
    return folder / "cache"


def test_the_front_end_is_skipped(run: Run, tmp_path: Path) -> None:
    paths = [program(tmp_path / str(i), text) for i, text in enumerate((SCALED, PURE))]
    with_flag, without = [(path, "flag") for path in paths], [(path,) for path in paths]
    first = together(run, *with_flag)
    assert values(first) == [[[0, 2, 4, 6, 8, 10], STORED]] * 2
    assert first.stderr.count("[PURE.VIOLATION] kernel `change` has fastcache=True, and reads `SCALE`") == 1
    second = together(run, *with_flag)
    assert values(second) == [[[0, 2, 4, 6, 8, 10], LOADED]] * 2
    assert second.stderr == first.stderr
    assert results(run, *without) == [[[0, 1, 2, 3, -3, -4], STORED]] * 2, "a template's value is part of the key"
    assert results(run, *without) == [[[0, 1, 2, 3, -3, -4], LOADED]] * 2


def test_kernels_elsewhere(run: Run, tmp_path: Path) -> None:
    first = run(program(tmp_path / "a", PURE), "flag")
    moved = run(program(tmp_path / "b", "#\n#\n" + PURE, "moved.py"), "flag")
    assert result(moved)[1] == LOADED
    assert moved.stderr == first.stderr.replace(f"{tmp_path}/a/program.py:22", f"{tmp_path}/b/moved.py:24") != first.stderr


CHANGES = [
    ("SCALE = 2", "SCALE = 3", [0, 3, 6, 9, 12, 15]),
    ("return SCALE * v", "return SCALE * v + 1", [1, 3, 5, 7, 9, 11]),
    ("struct(a=qd.i32, b=", "struct(a=qd.i8, b=", [-256, -254, -252, -250, -248, -246]),
    ("struct(a=qd.i32, b=", "struct(b=qd.i32, a=", [-299, -297, -295, -293, -291, -289]),
    ("scaled(x[i])", "scaled(x[i]) - 1", [-1, 1, 3, 5, 7, 9]),
]


def test_what_a_kernel_reads_is_looked_at_again(run: Run, tmp_path: Path, filled: Path) -> None:
    """Each change in the place of the original, and all of them with and without `fastcache`."""
    shutil.copytree(filled, tmp_path / "cache")
    texts = [(text, old, new, values) for text in (SCALED, PURE) for old, new, values in CHANGES]
    here = [(program(tmp_path / str(i), text.replace(old, new)), "flag") for i, (text, old, new, _) in enumerate(texts)]
    for state in (STORED, LOADED):
        assert results(run, *here) == [[values, state] for *_, values in texts]
    for i, (text, *_) in enumerate(texts):
        program(tmp_path / str(i), text)
    assert results(run, *here) == [[[0, 2, 4, 6, 8, 10], LOADED]] * len(texts), "what was kept before is still there"


def test_options(run: Run, tmp_path: Path) -> None:
    run(program(tmp_path / "a", PURE))
    options = ("default_ip=qd.i64", "debug=True")
    texts = [PURE.replace('"error"', f'"error", {option}') for option in options]
    assert [states for _, states in results(run, *((program(tmp_path / str(i), text),) for i, text in enumerate(texts)))] == [STORED] * 2
    off = run(program(tmp_path / "d", PURE.replace('"error"', '"error", src_ll_cache=False, print_non_pure=True')))
    assert result(off)[1] == [False] * 4
    assert "[NOT_PURE]" not in off.stderr
    named = run(program(tmp_path / "e", SCALED.replace('"error"', '"error", print_non_pure=True')))
    assert named.stderr.count("[NOT_PURE] kernel change is compiled without fastcache=True") == 1


@pytest.mark.parametrize("kind", ["kernel", "questions"])
def test_a_damaged_entry(run: Run, tmp_path: Path, kind: str) -> None:
    here = program(tmp_path / "a", SCALED)
    run(here)
    (entry,) = entries(tmp_path / "cache", kind)
    entry.write_bytes(entry.read_bytes()[:-1] + b"?")
    done = run(here)
    assert result(done)[1] == STORED
    assert "is damaged" in done.stderr
    assert result(run(here))[1] == LOADED


FUNCTIONS = """\
import json

import numpy as np
import qd

qd.init(log_level="error")
FACTOR = 3
both = lambda v: v + 1, lambda v: v * FACTOR


def made(k):
    return lambda v: v - k


def limited(v):
    return min(v, 7)


minus = made(2)


@qd.kernel
def change(x: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    for i in x:
        x[i] = limited(both[1](x[i])) * 10 + minus(i)


x = np.arange(4, dtype=np.int32)
change(x)
found = change._primal.src_ll_cache_observations
print(json.dumps([x.tolist(), [found.cache_key_generated, found.cache_validated, found.cache_loaded, found.cache_stored]]))
"""


FUNCTION_CHANGES = [
    ("v * FACTOR", "v * FACTOR + 1", [8, 39, 70, 71]),
    ("FACTOR = 3", "FACTOR = 2", [-2, 19, 40, 61]),
    ("made(2)", "made(1)", [-1, 30, 61, 72]),
    ("v - k", "v - 2 * k", [-4, 27, 58, 69]),
    ("min(v, 7)", "min(v, 6)", [-2, 29, 60, 61]),
    ("both[1]", "both[0]", [8, 19, 30, 41]),
    ("lambda v: v + 1, lambda v: v * FACTOR", "lambda v: v * FACTOR, lambda v: v + 1", [8, 19, 30, 41]),
]


def test_functions_that_are_code_of_kernels(run: Run, tmp_path: Path) -> None:
    here = [(program(tmp_path / str(i), FUNCTIONS),) for i in range(len(FUNCTION_CHANGES))]
    for state in (STORED, LOADED):
        assert results(run, here[0]) == [[[-2, 29, 60, 71], state]]
    for i, (old, new, _) in enumerate(FUNCTION_CHANGES):
        program(tmp_path / str(i), FUNCTIONS.replace(old, new))
    for state in (STORED, LOADED):
        assert results(run, *here) == [[values, state] for *_, values in FUNCTION_CHANGES]


FIELDS = """\
import json
import sys

import qd

qd.init(log_level="error")
names = sys.argv[1]
limits = [int(word) for word in sys.argv[2:]]
fields = {name: qd.field(qd.f32, shape=4, needs_grad=True) for name in sorted(set(names))}
for name, field in fields.items():
    field.fill(ord(name) - ord("a"))
left, right, given = (fields[name] for name in names)


def one():
    return 1


def kernel(limit):
    @qd.kernel
    def mix(x: qd.template()):
        for i in left:
            x[i] += 10 * left[i] + 100 * right[i]
            if qd.static(limit > 3):
                right.grad[i] += limit
                left.grad[i] += 2 * limit

    return mix


seen = []
for limit in limits:
    mix = kernel(limit)
    mix(given)
    found = mix._primal.src_ll_cache_observations
    seen.append([found.cache_key_generated, found.cache_validated, found.cache_loaded, found.cache_stored])
print(json.dumps([[[f[1], f.grad[1]] for f in fields.values()], seen]))
"""


def test_fields_are_those_of_the_process(run: Run, tmp_path: Path) -> None:
    here = program(tmp_path / "a", FIELDS)
    assert results(run, (here, "abc", "5")) == [[[[0, 10], [1, 5], [102, 0]], [STORED]]]
    # Two names of one field are other code than two fields; the shape of a field is in the code.
    other_shape = program(tmp_path / "b", FIELDS.replace("shape=4", "shape=5"))
    given = [(here, "cab", "5"), (here, "bca", "5"), (here, "aab", "5"), (other_shape, "abc", "5")]
    assert results(run, *given) == [
        [[[0, 5], [21, 0], [2, 10]], [LOADED]],
        [[[210, 0], [1, 10], [2, 5]], [LOADED]],
        [[[0, 15], [1, 0]], [STORED]],
        [[[0, 10], [1, 5], [102, 0]], [STORED]],
    ]
    (_, of_bba), (_, of_aba) = given = results(run, (here, "bba", "5"), (here, "aba", "5"))
    assert (given[0][0], of_bba, of_aba) == ([[110, 0], [1, 15]], [LOADED], [STORED])


def test_any_number_of_captured_values(run: Run, tmp_path: Path) -> None:
    here = program(tmp_path / "a", FIELDS)
    limits = [str(limit) for limit in range(20)]
    assert result(run(here, "abc", *limits))[1] == [STORED] * 20
    assert len(entries(tmp_path / "cache", "questions")) == 1
    assert result(run(here, "abc", *limits))[1] == [LOADED] * 20


def test_what_is_printed_at_compile_time_is_printed_each_time(run: Run, tmp_path: Path) -> None:
    here = program(tmp_path / "a", FIELDS.replace("        for i in left:\n", "        for i in left:\n            qd.static_print(limit)\n"))
    for _ in range(2):
        done = run(here, "abc", "5")
        done.stdout = done.stdout.replace("5\n", "", 1)
        assert result(done)[1] == [NOT_KEPT]


def test_what_a_function_of_the_host_gives_is_part_of_the_key(run: Run, tmp_path: Path) -> None:
    calls = ("one()", "qd.static(one())")
    texts = [FIELDS.replace("        for i in left:\n", f"        for i in left:\n            x[i] += {call}\n") for call in calls]
    here = [(program(tmp_path / str(i), text), "abc", "5") for i, text in enumerate(texts)]
    first = results(run, *here)
    assert [states for _, states in first] == [[STORED]] * 2
    assert results(run, *here) == [[values, [LOADED]] for values, _ in first]
    for i, text in enumerate(texts):
        program(tmp_path / str(i), text.replace("return 1\n", "return 2\n"))
    other = results(run, *here)
    assert [states for _, states in other] == [[STORED]] * 2
    assert all(values != before for (values, _), (before, _) in zip(other, first, strict=True))


UNSTEADY = """\
import json
import sys

import numpy as np
import qd


class Counting(type):
    reads = 0

    @property
    def READS(cls):
        Counting.reads += 1
        return Counting.reads


class Box(metaclass=Counting):
    pass


def level():
    return int(open("level").read())


qd.init(log_level="error")


@qd.kernel
def asks() -> qd.i32:
    return qd.static(level())


@qd.kernel
def counts() -> qd.i32:
    return qd.static(Box.READS) * 100 + qd.static(Box.READS)


kernel = globals()[sys.argv[1]]
value = kernel()
found = kernel._primal.src_ll_cache_observations
print(json.dumps([value, [found.cache_loaded, found.cache_stored]]))
"""


def test_what_may_be_another_the_next_time_is_not_kept(run: Run, tmp_path: Path) -> None:
    here = program(tmp_path / "a", UNSTEADY)
    for level in ("3", "5"):
        (tmp_path / "a" / "level").write_text(level)
        for again in (False, True):  # the function is called again, and its result decides
            asks, counts = results(run, (here, "asks"), (here, "counts"))
            assert (asks, counts[1]) == ([int(level), [again, not again]], [False, False])


CHOSEN = """\
import json
import sys

import qd

qd.init(log_level="error")
use = len(sys.argv) > 1
text = "@qd.func\\ndef helper(x):\\n    return x"
if use:

    @qd.func
    def helper(x):
        return x + 1

else:
    exec(text)


@qd.kernel
def k() -> qd.i32:
    x = 1
    if qd.static(use):
        x = helper(x)
    return x


print(json.dumps([k(), k._primal.src_ll_cache_observations.cache_loaded]))
"""


def test_a_question_that_nobody_asks_now(run: Run, tmp_path: Path) -> None:
    here = program(tmp_path / "a", CHOSEN)
    assert result(run(here, "use")) == [2, False]
    # There is no source of the other helper, which the kernel does not call.
    assert result(run(here)) == [1, False]
    assert result(run(here)) == [1, True]
    assert result(run(here, "use")) == [2, True]


CHECKED = """\
import json
import numpy as np
import qd

qd.init(log_level="error", debug=True)
Array = qd.types.ndarray(dtype=qd.i32, ndim=1)
HEAD

@qd.func
def FUNC(v, i):
    return v[i] << i


@qd.kernel
def array(x: Array, i: qd.i32) -> qd.i32:
    return FUNC(x, i) + (2147483647 + i)


@qd.kernel
def part(x: Array, i: qd.i32) -> qd.i32:
    v = qd.BufferView(x, 1, 3)
    return FUNC(v, i)


def said(kernel):
    kernel(x, 1)
    try:
        kernel(x, 40)
    except AssertionError as error:
        return str(error), kernel._primal.src_ll_cache_observations.cache_loaded


x = np.arange(33, dtype=np.int32)
print(json.dumps([said(array), said(part)]))
"""


def test_messages_of_kept_kernels_name_the_places_of_this_process(run: Run, tmp_path: Path) -> None:
    here, there = (CHECKED.replace("HEAD", head).replace("FUNC", "element") for head in ("", "#\n#"))
    first = run(program(tmp_path / "a", here))
    moved = run(program(tmp_path / "b", there, "moved.py"))
    (array, array_kept), (part, part_kept) = result(first)
    assert not array_kept and not part_kept
    a = tmp_path / "a" / "program.py"
    assert array.split(": out of bounds")[1] == f"\n{a}:11 in element\n{a}:16 in array"
    assert part.split("size=3).")[1] == f"\nCallstack:\npart ({a}:22)\n  element ({a}:11)"
    assert first.stderr.count("overflow detected") == 1
    b = tmp_path / "b" / "moved.py"

    def as_moved(text: str) -> str:
        for line in (11, 16, 22):
            text = text.replace(f"{a}:{line}", f"{b}:{line + 1}")
        return text

    assert result(moved) == [[as_moved(array), True], [as_moved(part), True]]
    assert moved.stderr == as_moved(first.stderr)


def test_a_warning_of_this_process_is_not_kept(run: Run, tmp_path: Path) -> None:
    """The length of a call stack depends on where the file is."""
    name = "an_element_whose_name_is_too_long_" * 40
    text = CHECKED.replace("HEAD", "").replace("FUNC", name)
    first, second = run(program(tmp_path / "a", text)), run(program(tmp_path / "another_folder", text))
    assert [kept for _, kept in result(second)] == [True, False]
    lengths = [int(done.stderr.split("debug message has ")[1].split()[0]) for done in (first, second)]
    assert lengths[1] == lengths[0] + 2 * len("nother_folder")
