"""A file that changes between its import and the first launch of its kernels: they are the imported ones, or the launch fails."""

from __future__ import annotations

import ast
import importlib
import linecache
import multiprocessing
import os
import py_compile
import shutil
import subprocess
import sys
import textwrap
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import coverage
import numpy as np
import pytest
import qd
from qd import KernelSyntaxError
from test_nothing_lost import environment

HEAD = "import qd\nA = qd.types.ndarray(dtype=qd.i32, ndim=1)\n"
KERNEL = "@qd.kernel\ndef {name}(x: A):\n    for i in x:\n        x[i] = {value}\n"
GOOD = KERNEL.format(name="good", value=1)
EVIL = KERNEL.format(name="evil", value=9)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of modules that can be imported."""
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def imported(file: Path, text: str) -> Any:
    file.write_text(text)
    importlib.invalidate_caches()
    return importlib.import_module(file.stem)


def ran(kernel: Any, *more: Any) -> int:
    x = np.zeros(2, np.int32)
    kernel(*more, x)
    return int(x[0])


def keeps_times(file: Path, change: Callable[[], Any]) -> None:
    times = os.stat(file)
    change()
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))


def replaced(file: Path, text: str) -> None:
    new = file.with_suffix(".new")
    new.write_text(text)
    os.replace(new, file)


def into_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


EDITS: dict[str, Callable[[Path], Any]] = {
    "another kernel at its line": lambda file: file.write_text(HEAD + EVIL + GOOD),
    "another kernel in its place": lambda file: file.write_text(HEAD + EVIL),
    "one line more": lambda file: file.write_text("\n" + HEAD + GOOD),
    "another body": lambda file: file.write_text(HEAD + GOOD.replace("= 1", "= 11")),
    "another body of the same size": lambda file: file.write_text(HEAD + GOOD.replace("= 1", "= 9")),
    "same size and time": lambda file: keeps_times(file, lambda: file.write_text(HEAD + GOOD.replace("= 1", "= 9"))),
    "an editor that renames": lambda file: replaced(file, HEAD + EVIL + GOOD),
    "a rename with the same time": lambda file: keeps_times(file, lambda: replaced(file, HEAD + GOOD.replace("= 1", "= 9"))),
    "gone": lambda file: file.unlink(),
    "empty": lambda file: file.write_text(""),
    "half of it": lambda file: file.write_text((HEAD + GOOD)[:-20]),
    "a folder": into_folder,
    "other bytes": lambda file: file.write_bytes(b"\xff\xfe\x00\x00"),
    "only a comment": lambda file: file.write_text(HEAD + GOOD + "# the end\n"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_before_the_first_launch(arch: str, folder: Path, edit: str) -> None:
    module = imported(folder / "edited.py", HEAD + GOOD)
    EDITS[edit](folder / "edited.py")
    assert ran(module.good) == 1


def test_an_edit_between_reading_and_defining(arch: str, folder: Path) -> None:
    """The module itself changes its file before it defines the kernel: the decorator sees the new text alone."""
    file = folder / "early.py"
    change = f"from pathlib import Path\nPath({str(file)!r}).write_text({HEAD + EVIL + EVIL!r})\n"
    module = imported(file, change + HEAD[:-1] + "\n" + GOOD)
    with pytest.raises(KernelSyntaxError, match=r"early.py:5: the source of good is not there any more; the file has changed"):
        ran(module.good)
    file.write_text(change + HEAD + GOOD)  # it is back
    assert ran(module.good) == 1


FORMS = {
    "func": (
        "@qd.func\ndef value():\n    return {value}\n@qd.kernel\ndef good(x: A):\n    for i in x:\n        x[i] = value()\n",
        lambda module: module.good,
    ),
    "real_func": (
        "@qd.real_func\ndef value() -> qd.i32:\n    return {value}\n@qd.kernel\ndef good(x: A):\n    for i in x:\n        x[i] = value()\n",
        lambda module: module.good,
    ),
    "plain function made a func": (
        "def value():\n    return {value}\nf = qd.func(value)\n@qd.kernel\ndef good(x: A):\n    for i in x:\n        x[i] = f()\n",
        lambda module: module.good,
    ),
    "plain function": (
        "def value(v):\n    return v + {value}\n@qd.kernel\ndef good(x: A):\n    for i in x:\n        x[i] = value(x[i])\n",
        lambda module: module.good,
    ),
    "lambda": (
        "value, other = lambda v: v + {value}, lambda v: v + 5\n@qd.kernel\ndef good(x: A):\n    for i in x:\n        x[i] = value(x[i])\n",
        lambda module: module.good,
    ),
    "method": (
        "@qd.data_oriented\nclass C:\n    @qd.kernel\n    def good(self, x: A):\n        for i in x:\n            x[i] = {value}\n",
        lambda module: module.C().good,
    ),
    "static method": (
        "class C:\n    @staticmethod\n    @qd.kernel\n    def good(x: A):\n        for i in x:\n            x[i] = {value}\n",
        lambda module: module.C.good,
    ),
    "nested": (
        "def make():\n    @qd.kernel\n    def good(x: A):\n        for i in x:\n            x[i] = {value}\n    return good\nmade = make()\n",
        lambda module: module.made,
    ),
    "decorated twice": (
        "def same(f):\n    return f\n@same\n@qd.kernel\n@same\ndef good(x: A):\n    for i in x:\n        x[i] = {value}\n",
        lambda module: module.good,
    ),
    "by a decorator of its own": (
        "def own(f):\n    return qd.kernel(f)\n@own\ndef good(x: A):\n    for i in x:\n        x[i] = {value}\n",
        lambda module: module.good,
    ),
    "type of a local variable": (
        "@qd.kernel\ndef good(x: A):\n    for i in x:\n        v: qd.{type} = 1.75\n        x[i] = qd.cast(v * 2, qd.i32) - 1\n",
        lambda module: module.good,
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_kernels(arch: str, folder: Path, form: str) -> None:
    text, kernel_of = FORMS[form]
    file = folder / "forms.py"
    module = imported(file, HEAD + text.format(value=1, type="i32"))
    kernel = kernel_of(module)
    file.write_text(HEAD + text.format(value=9, type="f32"))
    assert ran(kernel) == 1


def test_a_kernel_that_is_made_after_the_edit(arch: str, folder: Path) -> None:
    """Its function is of the text that was imported, which is still known where the module has another kernel."""
    factory = "def make():\n" + textwrap.indent(GOOD, "    ") + "    return good\n"
    file = folder / "factory.py"
    module = imported(file, HEAD + factory + EVIL)
    file.write_text(HEAD + factory.replace("= 1", "= 9") + EVIL)
    assert ran(module.make()) == 1
    alone = folder / "alone.py"
    module = imported(alone, HEAD + factory)
    alone.write_text(HEAD + factory.replace("= 1", "= 9"))
    with pytest.raises(KernelSyntaxError, match="the file has changed"):
        ran(module.make())
    alone.write_text(HEAD + factory)
    assert ran(module.make()) == 1


def test_a_plain_function_of_long_ago(back_end: str, folder: Path) -> None:
    """A plain function becomes a func when a kernel is compiled that calls qd.func(f)."""
    file = folder / "plain.py"
    module = imported(file, "import qd\ndef value():\n    return 1\n")
    user = imported(folder / "user.py", HEAD + "import plain\nf = qd.func(plain.value)\n" + GOOD.replace("= 1", "= f()"))
    assert ran(user.good) == 1
    file.write_text("import qd\ndef value():\n    return 9\n")
    late = imported(folder / "late.py", HEAD + "import plain\nf = qd.func(plain.value)\n" + GOOD.replace("= 1", "= f()"))
    assert late.plain is module
    assert ran(late.good) == 1  # the text of the first import is known


def test_reload(arch: str, folder: Path) -> None:
    """Each kernel is of the text that was imported when it was made."""
    file = folder / "again.py"
    module = imported(file, HEAD + GOOD)
    first = module.good
    for value in (9, 8):
        file.write_text(HEAD + GOOD.replace("= 1", f"= {value}"))
        os.utime(file, (value, value))
        importlib.reload(module)
        kept = module.good
        if value == 9:
            second = module.good
    file.write_text(HEAD + EVIL)
    assert [ran(kernel) for kernel in (first, second, kept)] == [1, 9, 8]
    assert [ran(kernel) for kernel in (first, second, kept)] == [1, 9, 8]


def test_code_that_is_older_than_its_file(arch: str, folder: Path) -> None:
    """Python takes a .pyc file for that of another text of the same size and second, as it does: it must not run as the new text."""
    file = folder / "stale.py"
    file.write_text(HEAD + GOOD)
    second = int(file.stat().st_mtime)
    os.utime(file, (second, second))
    py_compile.compile(str(file))
    file.write_text(HEAD + GOOD.replace("= 1", "= 9"))
    os.utime(file, (second, second))
    module = importlib.import_module("stale")
    with pytest.raises(KernelSyntaxError, match="the file has changed"):
        ran(module.good)


def define(text: str, name: str, registered: bool) -> types.FunctionType | Any:
    """The kernel of a text without a file."""
    lines = text.splitlines(True)
    if registered:
        linecache.cache[name] = (len(text), None, lines, name)
    found: dict[str, Any] = {"__name__": "cell"}
    exec(compile(text, name, "exec"), found)
    linecache.cache[name] = (len(text), None, lines, name)
    return found["good"]


@pytest.mark.parametrize("name", ["<cell 1>", "/tmp/ipykernel_1/123.py"])
@pytest.mark.parametrize("registered", [True, False])
def test_cells_of_one_name(arch: str, monkeypatch: pytest.MonkeyPatch, name: str, registered: bool) -> None:
    """Programs register the lines before they run the code or afterwards, and take a name again."""
    monkeypatch.setattr(linecache, "cache", dict(linecache.cache))
    first = define(HEAD + GOOD, name, registered)
    if not registered:
        assert ran(first) == 1
    second = define(HEAD + GOOD.replace("= 1", "= 9"), name, registered)
    third = define(HEAD + EVIL + GOOD.replace("= 1", "= 8"), name, registered)
    assert ran(first) == 1
    assert ran(third) == 8
    assert ran(second) == 9
    linecache.cache[name] = linecache.cache[name][:2] + ([],) + linecache.cache[name][3:]  # type: ignore[operator, assignment]
    lost = {"__name__": "cell"}
    exec(compile(HEAD + GOOD.replace("= 1", "= 7"), name, "exec"), lost)
    with pytest.raises(KernelSyntaxError, match="the file has changed"):
        ran(lost["good"])


def test_lines_that_python_keeps_by_code(arch: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As newer versions of Python keep those of the >>> prompt and of `python -c`."""
    kept: dict[tuple[str, int], list[str]] = {}
    monkeypatch.setattr(linecache, "_getlines_from_code", lambda code: kept.get((code.co_name, code.co_firstlineno), []), raising=False)
    found: dict[str, Any] = {"__name__": "__main__"}
    for name, number in (("<python-input-3>", 1), ("<python-input-4>", 2), ("<string>", 3)):
        text = HEAD + GOOD.replace("= 1", f"= {number}")
        exec(compile(text, name, "exec"), found)
        kernel = found["good"]
        kept[kernel.__name__, kernel.__wrapped__.__code__.co_firstlineno] = text.splitlines(True)
        assert ran(kernel) == number


def test_a_text_of_exec_beside_that_of_the_command_line(arch: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both have the name <string>."""
    monkeypatch.setitem(linecache.cache, "<string>", (1, None, ["exec(text)\n"], "<string>"))
    found: dict[str, Any] = {"__name__": "__main__"}
    exec(HEAD + GOOD, found)
    with pytest.raises(KernelSyntaxError, match="source of good is not available: <string> cannot be read"):
        ran(found["good"])


def test_statements_that_are_compiled_one_by_one(arch: str, tmp_path: Path) -> None:
    """Statements compiled one by one, as in notebooks: a call of qd.max is another instruction where the import of qd is not seen."""
    text = HEAD + GOOD.replace("= 1", "= qd.max(x[i], 1)") + "import math\n" + EVIL.replace("= 9", "= qd.floor(math.floor(9.0))")
    file = tmp_path / "statements.py"
    file.write_text(text)
    found: dict[str, Any] = {"__name__": "cell"}
    for statement in ast.parse(text).body:
        exec(compile(ast.Module([statement], []), str(file), "exec"), found)
    assert ran(found["good"]) == 1
    assert ran(found["evil"]) == 9


@pytest.mark.parametrize(
    "encode",
    [
        lambda text: ("# -*- coding: latin-1 -*-\n" + text).encode("latin-1"),
        lambda text: b"\xef\xbb\xbf" + text.encode(),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.replace("\n", "\r").encode(),
        lambda text: text.encode().rstrip(),
        lambda text: ("\f" + text).encode(),
    ],
)
def test_encodings(arch: str, folder: Path, encode: Callable[[str], bytes]) -> None:
    file = folder / "encoded.py"
    file.write_bytes(encode(HEAD + GOOD + '    a = "ä"\n'))
    kernel = importlib.import_module("encoded").good
    file.write_text(HEAD + EVIL + GOOD)
    assert ran(kernel) == 1


def test_tests_with_asserts(folder: Path) -> None:
    """pytest rewrites the asserts of a test: its kernels are found all the same, in a file that is new and in one that is not."""
    test = HEAD + GOOD + "    assert x[0] == 1, 'no'\n\ndef test_it():\n    import numpy as np\n    qd.init(log_level='error')\n"
    test += "    x = np.zeros(2, np.int32)\n    good(x)\n    assert x[0] == 1\n"
    (folder / "test_asserts.py").write_text(test)
    program = f"import pytest, sys, time; time.sleep(0.2); open({str(folder / 'test_new.py')!r}, 'w').write(open('test_asserts.py').read())\n"
    program += "sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', 'test_asserts.py', 'test_new.py']))"
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, env=environment(), capture_output=True, text=True)
    assert done.returncode == 0 and "2 passed" in done.stdout, done.stdout + done.stderr


def test_other_flags_of_python(folder: Path) -> None:
    """Code that another Python has compiled with columns, in a file that is new to this one."""
    program = f"open('flags.py', 'w').write({HEAD + GOOD!r})\nimport qd, flags, numpy\nqd.init(log_level='error')\n"
    program += "x = numpy.zeros(2, numpy.int32)\nflags.good(x)\nif x[0] != 1:\n    raise SystemExit(2)"
    for flags in ([], ["-X", "no_debug_ranges"], ["-OO"]):
        subprocess.run([sys.executable, *flags, "-c", program], cwd=folder, env=environment(), check=True)


CHANGES = """
import os, sys, numpy as np, qd
qd.init(log_level="error"{options})
import measured
{change}
x = np.zeros(2, np.int32)
try:
    measured.good(x)
except qd.KernelSyntaxError as error:
    print(error)
print(x[0])
"""


def program_with(folder: Path, change: str, options: str = "", *flags: str, **more: str) -> list[str]:
    (folder / "program.py").write_text(CHANGES.format(change=change, options=options))
    command = [sys.executable, *flags, "program.py"]
    return subprocess.run(command, cwd=folder, env=environment(**more), check=True, capture_output=True, text=True).stdout.splitlines()


def test_a_file_that_is_older_than_the_process(tmp_path: Path) -> None:
    """Nothing is compiled to compare, and an edit is none of the kernel's."""
    (tmp_path / "measured.py").write_text(HEAD + GOOD)
    old = "from qdcov._kernels import source_text\nassert source_text._latest[measured.__file__].is_certain(vars(measured))\n"
    assert program_with(tmp_path, "import time") == ["1"]  # the file ages meanwhile
    assert program_with(tmp_path, old) == ["1"]
    assert program_with(tmp_path, old + f"open(measured.__file__, 'w').write({HEAD + EVIL + GOOD!r})\n") == ["1"]


def test_code_with_a_hash_that_nobody_compares(tmp_path: Path) -> None:
    """PEP 552: Python runs such code for any contents of the file."""
    file = tmp_path / "measured.py"
    file.write_text(HEAD + GOOD)
    py_compile.compile(str(file), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    assert program_with(tmp_path, "import time") == ["1"]
    assert program_with(tmp_path, "import time") == ["1"]
    file.write_text(HEAD + GOOD.replace("= 1", "= 9"))
    subprocess.run(["sleep", "0.1"], check=True)
    assert "the source of good is not there any more" in program_with(tmp_path, "import time")[0]


@pytest.mark.parametrize("options", ["", ", src_ll_cache=False"])
def test_the_offline_cache_is_of_what_was_imported(tmp_path: Path, options: str) -> None:
    """The offline cache gives code of no other text, to the run that sees the edit and to the next one."""
    cache = {"QD_OFFLINE_CACHE_FILE_PATH": str(tmp_path / "cache")}
    file = tmp_path / "measured.py"
    for text, value in ((HEAD + GOOD, "1"), (HEAD + GOOD.replace("= 1", "= 7"), "7"), (HEAD + GOOD, "1")):
        file.write_text(text)
        shutil.rmtree(tmp_path / "__pycache__", ignore_errors=True)
        edit = f"open(measured.__file__, 'w').write({HEAD + EVIL + GOOD!r})\n"
        assert program_with(tmp_path, edit, options, **cache) == [value]
    shutil.rmtree(tmp_path / "__pycache__", ignore_errors=True)
    assert program_with(tmp_path, "", options, **cache) == ["1"]


def test_reports_say_what_ran(tmp_path: Path) -> None:
    """Lines of the data are those of the text that ran, and reports know that the file has another text now."""
    file = tmp_path / "measured.py"
    file.write_text(HEAD + GOOD)
    edit = f"open(measured.__file__, 'w').write({HEAD + EVIL + GOOD!r})\n"
    (tmp_path / "program.py").write_text(CHANGES.format(change=edit, options=""))
    run = subprocess.run(["qd-cov", "run", "-q", "program.py"], cwd=tmp_path, env=environment(), capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    data = coverage.CoverageData(str(tmp_path / ".coverage"))
    data.read()
    good = (HEAD + GOOD).splitlines()
    assert {good[line - 1].strip() for line in data.lines(str(file.resolve())) or [] if line > 4} == {"for i in x:", "x[i] = 1"}
    for command in ("report", "json -o -", "which-tests measured.py:6"):
        shown = subprocess.run(["qd-cov", *command.split()], cwd=tmp_path, env=environment(), capture_output=True, text=True)
        assert "The data of 'measured.py' is of another version of it: run the tests again." in shown.stderr


def child(name: str, queue: Any) -> None:
    qd.init(log_level="error")
    queue.put(ran(sys.modules[name].good))


def test_a_fork(folder: Path) -> None:
    """The child has the module of its parent, and an edit is none of its kernels."""
    module = imported(folder / "forked.py", HEAD + GOOD)
    (folder / "forked.py").write_text(HEAD + EVIL)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    process = context.Process(target=child, args=(module.__name__, queue))
    process.start()
    assert queue.get(timeout=60) == 1
    process.join()


LAZY = f"def make():\n    import qd\n    A = qd.types.ndarray(dtype=qd.i32, ndim=1)\n{textwrap.indent(GOOD, '    ')}    return qd, good\n"
FORKS = """
import lazy, os, sys, time, numpy
text = open("lazy.py").read()
open("lazy.py", "w").write(text.replace("= 1\\n", "= 9\\n"))
time.sleep(0.2)
if os.fork() == 0:
    qd, good = lazy.make()
    qd.init(log_level="error")
    try:
        good(numpy.zeros(1, numpy.int32))
    except qd.KernelSyntaxError as error:
        os._exit(7 if "has changed" in str(error) else 1)
    os._exit(2)
sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))
"""


def test_a_fork_that_imports_qd(tmp_path: Path) -> None:
    """A source that the parent has read long ago may have had another text then."""
    (tmp_path / "lazy.py").write_text(LAZY)
    assert subprocess.run([sys.executable, "-c", FORKS], cwd=tmp_path, env=environment()).returncode == 7
