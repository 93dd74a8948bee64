"""`qd-cov debug probes`: every kernel with its probes, those that fired and those that did not, and why."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from coverage_commands import coverage_py
from kernel_project import KERNELS, measure, qd_cov, rename_arch

TABLE = """\
kernels.py
Line  Kind    Name         Arch  Probes  Fired
--------------------------------------------------------
   4  func    half         cpu        1      1  ████████
   9  func    unused_func  not compiled
  14  kernel  launched     cpu        9      7  ██████▏░
              not hit: 22
              not measured: 20: no compiled variant has it (static condition)
  26  kernel  never        not compiled
  31  kernel  sometimes    cpu        1      1  ████████
              another variant does not compile: kernels.py:33: int has no attribute `attribute` in kernels
  36  kernel  broken       cpu   does not compile
              kernels.py:38: Name "undefined_name" is not defined
--------------------------------------------------------
6 kernels and funcs: 3 compiled, 1 does not compile, 2 not compiled. 9 of 11 probes fired.
"""


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("measured")
    measure(folder)
    return folder


@pytest.fixture
def project(measured: Path, tmp_path: Path) -> Path:
    """A copy to change. Data files hold absolute paths, so the configuration maps them."""
    shutil.copytree(measured, tmp_path, dirs_exist_ok=True)
    (tmp_path / ".coveragerc").write_text(f"[paths]\nhere =\n    {tmp_path}\n    {measured}\n")
    return tmp_path


def line(text: str) -> int:
    (found,) = (i for i, source in enumerate(KERNELS.splitlines(), 1) if source.strip() == text)
    return found


def as_json(folder: Path, *arguments: str) -> dict[str, Any]:
    """The functions of kernels.py by name."""
    done = qd_cov(folder, "debug", "probes", "--json", *arguments)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["format"] == 1 and [file["path"] for file in report["files"]] == ["kernels.py"]
    return {function["name"]: function for function in report["files"][0]["functions"]}


def states(function: dict[str, Any]) -> dict[str, str]:
    probes = [(str(p["line"]), p) for p in function["lines"]] + [(f"{p['from']}->{p['to']}", p) for p in function["branches"]]
    return {place: " ".join(filter(None, (probe["state"], probe.get("reason")))) for place, probe in probes}


def test_the_table(measured: Path) -> None:
    for arguments in ([], ["kernels.py"], [str(measured / "kernels.py")]):
        done = qd_cov(measured, "debug", "probes", *arguments)
        assert (done.returncode, done.stdout, done.stderr) == (0, TABLE, "")


def test_json_has_every_probe(measured: Path) -> None:
    functions = as_json(measured)
    assert {name: (f["kind"], f["state"]) for name, f in functions.items()} == {
        "half": ("func", "compiled"),
        "unused_func": ("func", "not compiled"),
        "launched": ("kernel", "compiled"),
        "never": ("kernel", "not compiled"),
        "sometimes": ("kernel", "compiled"),
        "broken": ("kernel", "failed"),
    }
    launched = functions["launched"]
    assert (launched["first_line"], launched["def_line"], launched["last_line"]) == (14, 15, 23)
    assert launched["archs"] == {"cpu": {"state": "compiled", "probes": 9, "fired": 7, "left_out": 0, "errors": []}}
    assert states(launched) == {
        "16": "hit",
        "17": "hit",
        "18": "hit",
        "20": "not measured static",
        "21": "hit",
        "22": "not hit",
        "23": "hit",
        "17->18": "hit",
        "17->20": "not measured static",
        "21->22": "not hit",
        "21->23": "hit",
    }
    assert launched["lines"][0] == {"line": 16, "state": "hit", "archs": {"cpu": "hit"}, "contexts": ["qd:cpu"]}
    assert states(functions["never"]) == {"28": "not compiled"} and states(functions["broken"]) == {"38": "not measured error"}
    (error,) = functions["broken"]["archs"]["cpu"]["errors"]
    assert error == 'kernels.py:38: Name "undefined_name" is not defined'


def test_options_may_follow_the_files(measured: Path) -> None:
    assert qd_cov(measured, "debug", "probes", "kernels.py", "--json").stdout == qd_cov(measured, "debug", "probes", "--json", "kernels.py").stdout
    assert qd_cov(measured, "debug", "probes", "kernels.py", "--arch", "cpu").stdout == qd_cov(measured, "debug", "probes", "--arch=cpu").stdout


def test_contexts_are_tests(tmp_path: Path, plugin_path: str) -> None:
    (tmp_path / "kernels.py").write_text(
        "import qd\n\n\n@qd.kernel\ndef sign(x: qd.i32) -> qd.i32:\n    r = 1\n    if x < 0:\n        r = -1\n    return r\n"
    )
    (tmp_path / "test_k.py").write_text(
        "import kernels, qd\n\n\ndef test_n():\n    qd.init(log_level='error')\n    assert kernels.sign(-2) == -1\n\n\n"
        "def test_p():\n    qd.init(log_level='error')\n    assert kernels.sign(2) == 1\n"
    )
    path = os.pathsep.join([plugin_path, os.environ["PYTHONPATH"]])
    command = ["run", "--branch", "--context=test", "--source=.", "--", sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = qd_cov(tmp_path, *command, PYTHONPATH=path)
    assert done.returncode == 0, done.stdout + done.stderr
    sign = as_json(tmp_path)["sign"]
    probes = {p.get("line") or (p["from"], p["to"]): p["contexts"] for p in sign["lines"] + sign["branches"]}
    assert probes[8] == probes[7, 8] == ["test_k.py::test_n|run|qd:cpu"]
    assert probes[7, 9] == ["test_k.py::test_p|run|qd:cpu"]
    assert sorted(probes[6]) == ["test_k.py::test_n|run|qd:cpu", "test_k.py::test_p|run|qd:cpu"]
    table = qd_cov(tmp_path, "debug", "probes", "--contexts").stdout
    assert "in test_k.py::test_n|run|qd:cpu: 5 fired\n" in table and "in test_k.py::test_p|run|qd:cpu: 4 fired\n" in table


def test_two_processes_with_two_devices(project: Path) -> None:
    program = "import kernels, qd\nqd.init(log_level='error')\nkernels.launched(False, -3.0)\n"
    env = {**os.environ, "QD_KERNEL_COVERAGE": "1", "QD_KERNEL_COVERAGE_BRANCH": "1"}
    done = subprocess.run([sys.executable, "-c", program], cwd=project, env=env, check=False)
    assert done.returncode == 0
    (other,) = project.glob("_qd_kcov.*")
    rename_arch(other, "cuda")
    assert qd_cov(project, "combine", "--append", "-q").returncode == 0
    launched = as_json(project)["launched"]
    assert launched["archs"]["cuda"] == {"state": "compiled", "probes": 9, "fired": 8, "left_out": 0, "errors": []}
    (arm,) = (p for p in launched["lines"] if p["line"] == line("r = x * 0.5"))
    assert arm == {"line": 20, "state": "hit", "archs": {"cpu": "not measured", "cuda": "hit"}, "contexts": ["qd:cuda"]}
    table = qd_cov(project, "debug", "probes").stdout.splitlines()
    at = next(i for i, row in enumerate(table) if "launched" in row)
    assert table[at + 3].split() == ["cuda", "9", "8", "███████░"]
    assert table[at + 4].strip() == "not hit: 21->23" and "not measured: 18: no compiled variant" in table[at + 5]


def test_a_kernel_that_ran_as_python(project: Path) -> None:
    program = "import kernels, qd\nqd.init(arch=qd.python, log_level='error')\nkernels.never()\nkernels.launched(False, -3.0)\n"
    (project / "as_python.py").write_text(program)
    assert qd_cov(project, "run", "--append", "--branch", "--source=.", "--", "python", "as_python.py").returncode == 0
    functions = as_json(project)
    assert functions["never"]["state"] == "interpreted" and states(functions["never"]) == {"28": "hit"}
    assert functions["launched"]["archs"]["python"]["state"] == "interpreted"
    assert states(functions["launched"])["20"] == states(functions["launched"])["22"] == "hit"


def test_w19_the_cap_is_named(tmp_path: Path) -> None:
    measure(tmp_path, QD_COVERAGE_MAX_PROBES="4")
    functions = as_json(tmp_path)
    assert functions["launched"]["archs"]["cpu"] == {"state": "compiled", "probes": 4, "fired": 4, "left_out": 5, "errors": []}
    assert states(functions["launched"])["22"] == "not measured cap" and states(functions["half"]) == {"6": "not measured cap"}
    table = qd_cov(tmp_path, "debug", "probes").stdout
    assert "not measured: 21-23: QD_COVERAGE_MAX_PROBES left it out" in table


def test_line_data(tmp_path: Path) -> None:
    measure(tmp_path)
    (tmp_path / ".coverage").unlink()
    assert qd_cov(tmp_path, "run", "--source=.", "--", "python", "all.py").returncode == 0
    launched = as_json(tmp_path)["launched"]
    assert launched["branches"] == [] and launched["archs"]["cpu"]["probes"] == 6 and launched["archs"]["cpu"]["fired"] == 5


def test_a_source_that_has_changed_since(project: Path) -> None:
    (project / "kernels.py").write_text("# one more line\n" + KERNELS)
    table = qd_cov(project, "debug", "probes", "kernels.py").stdout
    assert "Note: 'launched' was compiled from a source that has changed since." in table
    report = json.loads(qd_cov(project, "debug", "probes", "--json", "kernels.py").stdout)
    assert report["files"][0]["stale"] == ["half", "launched", "sometimes", "broken"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing.py"], "No data for 'nothing.py'."),
        (["plain.py"], "No kernels in 'plain.py'."),
        (["--data-file=other"], "No data to report."),
        (["--nonsense"], "nonsense"),
    ],
)
def test_what_is_not_there_is_named(measured: Path, arguments: list[str], message: str) -> None:
    done = qd_cov(measured, "debug", "probes", *arguments)
    assert done.returncode == 1 and message in done.stdout + done.stderr and "Traceback" not in done.stderr


def test_sources_that_cannot_be_read(tmp_path: Path) -> None:
    measure(tmp_path)
    (tmp_path / "kernels.py").write_text("def f(:\n")
    done = qd_cov(tmp_path, "debug", "probes", "kernels.py")
    assert done.returncode == 1 and "Couldn't parse" in done.stdout + done.stderr
    (tmp_path / "kernels.py").unlink()
    done = qd_cov(tmp_path, "debug", "probes", "kernels.py")
    assert done.returncode == 1 and "No source for code" in done.stdout + done.stderr


def test_data_without_our_tables(project: Path) -> None:
    (project / "plain_run.py").write_text("x = 1\n")
    assert coverage_py(["run", "--data-file=host", "plain_run.py"], project).returncode == 0
    done = qd_cov(project, "debug", "probes", "--data-file=host")
    assert done.returncode == 1 and "No kernel was measured." in done.stdout + done.stderr
    # coverage.py copies the tables that it knows.
    command = [sys.executable, "-m", "coverage", "combine", "-q", "--data-file=stock", ".coverage"]
    assert subprocess.run(command, cwd=project, check=False).returncode == 0
    done = qd_cov(project, "debug", "probes", "--data-file=stock")
    assert done.returncode == 1 and "not combined by qd-cov" in done.stdout + done.stderr


@pytest.mark.parametrize(("env", "colored"), [({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_colours_only_on_a_terminal_that_wants_them(measured: Path, env: dict[str, str], colored: bool) -> None:
    parent, child = pty.openpty()
    clean = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")}
    with subprocess.Popen(["qd-cov", "debug", "probes"], cwd=measured, stdout=child, env={**clean, **env}) as process:
        os.close(child)
        text = b""
        try:
            while piece := os.read(parent, 4096):
                text += piece
        except OSError:
            pass
    os.close(parent)
    assert process.returncode == 0 and b"launched" in text and (b"\x1b[" in text) == colored
