"""Fields and kernels at the end of a process: functions of atexit find them whenever they were registered, data of coverage is written, and nothing
crashes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

KERNELS = """\
import qd


@qd.kernel
def sign(n: qd.i32) -> qd.i32:
    r = 1
    if n < 0:
        r = -1
    return r


@qd.kernel
def double(x: qd.template()):
    for i in x:
        x[i] *= 2


@qd.kernel
def say(n: qd.i32):
    print("said", n)
"""

BEFORE = "import atexit, gc, os, sys, threading, weakref\nstate = {}\n"
START = "import qd, kernels\nqd.init(arch=sys.argv[1], log_level='error')\n"
START += "state['x'] = qd.field(qd.f32, shape=4)\nstate['x'].fill(1)\nkernels.sign(3)\n"
SAVE = "def save():\n    print('saving', state['x'].to_numpy().sum())\n"

PROGRAMS = {
    # Before the import, between it and qd.init, behind qd.init.
    "before": (BEFORE + SAVE + "atexit.register(save)\n" + START, "saving 4.0\n"),
    "between": (BEFORE + "import qd\n" + SAVE + "atexit.register(save)\n" + START, "saving 4.0\n"),
    "behind": (BEFORE + SAVE + START + "atexit.register(save)\n", "saving 4.0\n"),
    "all_in_order": (
        BEFORE + "atexit.register(lambda: print('last', state['x'][0]))\n" + START + "atexit.register(lambda: print('first', state['x'][0]))\n",
        "first 1.0\nlast 1.0\n",
    ),
    "sys_exit": (BEFORE + SAVE + "atexit.register(save)\n" + START + "sys.exit(3)\n", "saving 4.0\n"),
    "exception": (BEFORE + SAVE + "atexit.register(save)\n" + START + "raise ValueError('ends here')\n", "saving 4.0\n"),
    "os_exit": (BEFORE + SAVE + "atexit.register(save)\n" + START + "print('left', flush=True)\nos._exit(0)\n", "left\n"),
    "launches": (
        BEFORE + "@atexit.register\ndef last():\n    kernels.double(state['x'])\n    print('now', state['x'][3], kernels.sign(-4))\n" + START,
        "now 2.0 -1\n",
    ),
    "prints_of_a_launch": (BEFORE + "@atexit.register\ndef last():\n    kernels.say(7)\n" + START + "kernels.say(5)\n", "said 5\nsaid 7\n"),
    "a_launch_on_a_stream": (
        BEFORE + "@atexit.register\ndef last():\n    kernels.double(state['x'], qd_stream=state['s'])\n    kernels.say(8, qd_stream=state['s'])\n"
        + START + "state['s'] = qd.create_stream()\nkernels.double(state['x'], qd_stream=state['s'])\n"
        + "atexit.register(lambda: print('first', state['x'][1]))\n",
        "first 2.0\nsaid 8\n",
    ),
    "init_anew": (
        BEFORE + "@atexit.register\ndef last():\n    qd.init(arch=sys.argv[1], log_level='error')\n    y = qd.field(qd.i32, shape=2)\n"
        + "    kernels.double(y)\n    print('anew', y[0], kernels.sign(-1))\n    state['y'] = y\n" + START,
        "anew 0 -1\n",
    ),
    "reset": (BEFORE + "@atexit.register\ndef last():\n    qd.reset()\n    print('reset')\n" + START, "reset\n"),
    "finalize": (
        BEFORE + "class Thing: pass\nthing = Thing()\nweakref.finalize(thing, lambda: print('finalized', state['x'][2]))\n" + START,
        "finalized 1.0\n",
    ),
    "del": (
        BEFORE + "class Thing:\n    def __del__(self):\n        print('deleted', self.x[2])\n"
        + START + "thing = Thing()\nthing.x = state['x']\n",
        "deleted 1.0\n",
    ),
    "a_thread": (
        BEFORE + SAVE + "atexit.register(save)\n" + START
        + "def work():\n    import time\n    time.sleep(0.2)\n    state['x'].fill(2)\nthreading.Thread(target=work).start()\n",
        "saving 8.0\n",
    ),
    "a_daemon_thread": (
        BEFORE + SAVE + "atexit.register(save)\n" + START
        + "def work():\n    while True:\n        kernels.sign(2)\nthreading.Thread(target=work, daemon=True).start()\n",
        "saving 4.0\n",
    ),
    "a_fork": (
        BEFORE + "@atexit.register\ndef last():\n    print('parent', state['x'][0]) if os.getpid() == state['pid'] else print('child')\n"
        + "state['pid'] = os.getpid()\n" + START + "child = os.fork()\nif child:\n    os.waitpid(child, 0)\nelse:\n    sys.exit()\n",
        "child\nparent 1.0\n",
    ),
    "multiprocessing": (
        BEFORE + SAVE + "import multiprocessing\n"
        + "def work():\n    import qd, kernels\n    qd.init(arch=sys.argv[1], log_level='error')\n    print('child', kernels.sign(-2), flush=True)\n"
        + "if __name__ == '__main__':\n    atexit.register(save)\n"
        + "".join(f"    {line}\n" for line in START.splitlines())
        + "    child = multiprocessing.get_context('spawn').Process(target=work)\n"
        + "    child.start()\n    child.join()\n    assert child.exitcode == 0\n",
        "child -1\nsaving 4.0\n",
    ),
    "names_without_modules": (
        BEFORE + SAVE + "atexit.register(save)\n" + START + "for name in [n for n in sys.modules if n.startswith('qd')]:\n    del sys.modules[name]\n"
        + "gc.collect()\nkernels.double(state['x'])\n",
        "saving 8.0\n",
    ),
}  # fmt: skip


def run(folder: Path, arch: str, text: str, *command: str, **more: str) -> subprocess.CompletedProcess[str]:
    (folder / "kernels.py").write_text(KERNELS)
    (folder / "program.py").write_text(text)
    environment = {**os.environ, **more}
    return subprocess.run([*command, sys.executable, "program.py", arch], cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_functions_of_atexit_find(tmp_path: Path, back_end_name: str, name: str) -> None:
    text, want = PROGRAMS[name]
    done = run(tmp_path, back_end_name, text)
    assert done.returncode == {"sys_exit": 3, "exception": 1}.get(name, 0), done.stderr
    assert done.stdout == want
    wanted_error = "ValueError: ends here" if name == "exception" else ""
    assert done.stderr.strip().endswith(wanted_error) and ("Traceback" in done.stderr) == bool(wanted_error), done.stderr


@pytest.mark.parametrize("name", ["before", "exception", "launches", "init_anew", "del", "a_daemon_thread", "multiprocessing"])
def test_coverage_is_written(tmp_path: Path, back_end_name: str, name: str) -> None:
    """All executed code is in the data of `qd-cov run`: that of functions of atexit, too."""
    text, want = PROGRAMS[name]
    done = run(tmp_path, back_end_name, text, "qd-cov", "run", "--branch", "--")
    assert done.returncode == int(name == "exception"), done.stderr
    assert done.stdout == want
    assert not list(tmp_path.glob("_qd_kcov*")), "what was recorded is combined"
    import coverage

    data = coverage.CoverageData(str(tmp_path / ".coverage"))
    data.read()
    ran = set(data.lines(str(tmp_path / "kernels.py")) or ())
    assert {6, 7, 9} <= ran
    assert (8 in ran) == (name in ("launches", "init_anew", "multiprocessing"))
    assert (15 in ran) == (name in ("launches", "init_anew"))
