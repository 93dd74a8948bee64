"""Files that plugins of coverage.py measured, in parts that only qd-cov has: diff reports, its page, checks, and the process with the plugins."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import coverage
import pytest
from coverage_commands import coverage_py
from diff_repository import Repository
from html_page_data import sources_of
from plugin_projects import RENDERED, RENDERER, TEMPLATES, write_template_project
from run_program import qd_cov

PAGE = "one\ntwo\nif three\nfour\nfive +\nsix\nseven\n"
CHANGED = "one\nnew two\nif new three\nfour\nfive +\nnew six\nskip new\nseven\n"


@pytest.fixture(name="pages")
def pages_fixture(repo: Repository) -> Repository:
    """A repository with a template that changed; lines 1, 2, 5 and 6 ran."""
    repo.write(".coveragerc", "[run]\nplugins = tmpl_plugin\n")
    repo.write("tmpl_plugin.py", TEMPLATES)
    repo.write("pages/a.tmpl", PAGE)
    repo.write("pages/b.tmpl", PAGE)
    repo.commit()
    repo.git("branch", "-f", "main")
    repo.write("pages/a.tmpl", CHANGED)
    repo.measure({"pages/a.tmpl": [1, 2, 5, 6], "pages/b.tmpl": [1]})
    trace(repo)
    return repo


def trace(repo: Repository, tracer: str = "tmpl_plugin.Plugin", data_file: str = ".coverage") -> None:
    """Say that a plugin measured the templates."""
    data = coverage.CoverageData(str(repo.folder / data_file))
    data.read()
    data.add_file_tracers({name: tracer for name in data.measured_files() if name.endswith(".tmpl")})
    data.write()


def test_changed_lines_of_a_template_count(pages: Repository) -> None:
    """Line 6 belongs to the statement in line 5, 7 is excluded; line 3 never ran."""
    report = pages.diff("--fail-under", "90")
    row = report.rows["pages/a.tmpl"]
    assert (row.lines, row.missing, row.missing_lines) == (3, 1, "3")
    assert report.code == 2
    assert pages.diff("--fail-under", "66").code == 0
    found = json.loads(pages.diff("--format", "json:-").out)
    assert found["src_stats"]["pages/a.tmpl"]["violation_lines"] == [3]


def test_branches_of_a_template_count(pages: Repository) -> None:
    """Its exits are those that the plugin names."""
    pages.measure_arcs({"pages/a.tmpl": [(-1, 1), (1, 2), (2, 3), (3, 5), (5, 8), (8, -1)]})
    trace(pages)
    report = pages.diff("--branch-coverage")
    row = report.rows["pages/a.tmpl"]
    assert row.missing_lines == "3->4"


def test_only_changed_templates_are_asked_for(pages: Repository) -> None:
    """A plugin that fails on another file does not matter; on a changed one it does."""
    pages.write(
        "tmpl_plugin.py", TEMPLATES.replace("    def lines(self):\n", "    def lines(self):\n        assert 'b.tmpl' not in self.filename, 'odd'\n")
    )
    assert pages.diff().rows["pages/a.tmpl"].missing == 1
    pages.write("pages/b.tmpl", CHANGED)
    report = pages.diff()
    assert report.code == 1
    assert "AssertionError: odd" in report.err
    assert pages.diff("--ignore-errors").rows["pages/a.tmpl"].missing == 1


def test_nobody_to_ask_about_a_changed_template(pages: Repository) -> None:
    """A changed template without its plugin is an error, not a file without lines."""
    pages.write(".coveragerc", "[run]\nbranch = true\n")
    report = pages.diff("--fail-under", "80")
    assert report.code == 1
    assert "pages/a.tmpl' was measured by the plugin 'tmpl_plugin.Plugin'" in report.out


def test_several_inputs(pages: Repository) -> None:
    """Each of them has its share of a template."""
    pages.measure({"pages/a.tmpl": [3]}, data_file="more.data")
    trace(pages, data_file="more.data")
    report = pages.diff("--input", "first=.coverage", "--input", "second=more.data")
    assert report.rows["pages/a.tmpl"].missing == 0
    assert "first" in report.out
    assert "second" in report.out


def test_base_report(pages: Repository) -> None:
    """Lines that a template lost against an earlier report are shown."""
    pages.write("pages/a.tmpl", PAGE)
    pages.measure({"pages/a.tmpl": range(1, 8), "pages/b.tmpl": range(1, 8)})
    trace(pages)
    environment = {**pages.environment}
    subprocess.run(["qd-cov", "json", "-q", "-o", "base.json"], cwd=pages.folder, env=environment, check=True)
    pages.write("pages/a.tmpl", CHANGED)
    pages.measure({"pages/a.tmpl": [1, 2, 5, 6], "pages/b.tmpl": [1, 2]})
    trace(pages)
    report = pages.diff("--base", "base.json", "--format", "json:-")
    lost = json.loads(report.out)
    assert "pages/b.tmpl" in json.dumps(lost)
    text = pages.diff("--base", "base.json").out
    assert "pages/b.tmpl" in text
    assert "left out" not in text


def test_lines_that_a_file_does_not_have(pages: Repository) -> None:
    """No report stumbles over them."""
    odd = """
    def lines(self):
        return {-3, 0, 1, 2, 50, 10**9}

    def arcs(self):
        return {(1, 2), (1, 50), (0, 1), (0, 2), (50, 10**6), (50, -50), (-3, 1), (-3, 2)}

    def excluded_lines(self):
        return {-9, 3, 77}
"""
    pages.write("tmpl_plugin.py", TEMPLATES.replace("\nclass Plugin", odd + "\nclass Plugin"))
    pages.measure_arcs({"pages/a.tmpl": [(1, 2), (50, 10**6)], "pages/b.tmpl": [(1, 60)]})
    trace(pages)
    assert pages.diff("--branch-coverage", "--format", "terminal", "--format", "html:d.html", "--format", "markdown:d.md").code == 0
    for command in ("report -m", "html -q --show-contexts", "json -q", "lcov -q", "xml -q", "annotate -d copies", "badge -q", "trend --append"):
        done = qd_cov(pages.folder, *command.split())
        assert done.returncode == 0, done.stderr


def test_page(tmp_path: Path) -> None:
    """The page has the template's states and the plugin's sentences, and is made anew when the plugin says something else."""
    folder = tmp_path.resolve()
    write_template_project(folder, True)
    done = qd_cov(folder, "html", "-q", "--show-contexts")
    assert done.returncode == 0, done.stderr
    page = (folder / "htmlcov/index.html").read_text()
    source = sources_of(page)["pages/one.tmpl"]
    assert source["language"] == "text"
    assert source["text"] == (folder / "pages/one.tmpl").read_text()
    expected = json.loads(qd_cov(folder, "json", "-o", "-").stdout)["files"]["pages/one.tmpl"]
    states = source["states"]
    assert [n for n, state in enumerate(states, 1) if state in "cp"] == expected["executed_lines"]
    assert [n for n, state in enumerate(states, 1) if state == "m"] == expected["missing_lines"]
    assert [n for n, state in enumerate(states, 1) if state == "x"] == expected["excluded_lines"]
    assert "was never followed by" in json.dumps(source["branches"])
    (folder / "tmpl_plugin.py").write_text(TEMPLATES.replace("was never followed by", "never led to"))
    assert qd_cov(folder, "html", "-q", "--show-contexts").returncode == 0
    assert "never led to" in json.dumps(sources_of((folder / "htmlcov/index.html").read_text())["pages/one.tmpl"])


def test_combine_keeps_tracers(tmp_path: Path) -> None:
    """The result is reported on as the parts are."""
    folder = tmp_path.resolve()
    write_template_project(folder, True)
    before = qd_cov(folder, "report").stdout
    (folder / ".coverage").rename(folder / ".coverage.part")
    assert qd_cov(folder, "combine", "-q").returncode == 0
    assert qd_cov(folder, "report").stdout == before
    assert "one.tmpl" in before


@pytest.mark.parametrize("runner", ["run", "pytest-cov", "stock"])
def test_template_of_another_version(tmp_path: Path, runner: str) -> None:
    """`qd-cov run` and pytest-cov leave hashes of templates as they do of Python; coverage.py alone leaves none."""
    folder = tmp_path.resolve()
    for name, text in {"tmpl_plugin.py": RENDERED, "renderer.py": RENDERER, "a.tmpl": "one\ntwo\n"}.items():
        (folder / name).write_text(text)
    (folder / ".coveragerc").write_text("[run]\nplugins = tmpl_plugin\n")
    (folder / "test_a.py").write_text("import renderer\ndef test():\n    renderer.render('a.tmpl')\ntest()\n")
    commands = {
        "run": ["qd-cov", "run", "-q", "test_a.py"],
        "pytest-cov": [sys.executable, "-m", "pytest", "-q", "--cov", "--cov-report="],
        "stock": [sys.executable, "-m", "coverage", "run", "test_a.py"],
    }
    subprocess.run(commands[runner], cwd=folder, env={**os.environ, "PYTHONPATH": str(folder)}, check=True, capture_output=True)
    measured = ("--include", "a.tmpl", "--fail-under=1", "--require-hashes")
    done = qd_cov(folder, "report", *measured)
    assert "a.tmpl           2      0   100%" in done.stdout or "a.tmpl       2      0   100%" in done.stdout
    assert done.returncode == (2 if runner == "stock" else 0), done.stdout + done.stderr
    (folder / "a.tmpl").write_text("zero\none\ntwo\n")
    done = qd_cov(folder, "report", *measured)
    assert done.returncode == 2, done.stdout + done.stderr
    assert ("of another version" in done.stderr) == (runner != "stock")


def test_debug_names_plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`debug sys` has the rows of coverage.py."""
    write_template_project(tmp_path.resolve(), True)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    theirs = coverage_py(["debug", "sys"], tmp_path, check=True).stdout
    rows = [line for line in theirs.splitlines() if " plugins." in line]
    assert len(rows) == 3
    ours = qd_cov(tmp_path, "debug", "sys").stdout.splitlines()
    assert [line for line in ours if " plugins." in line] == rows
    (tmp_path / ".coveragerc").rename(tmp_path / "other")
    ours = qd_cov(tmp_path, "debug", "--rcfile=other", "sys").stdout.splitlines()
    assert [line for line in ours if " plugins." in line] == rows


def test_run_prints_a_table_with_the_settings_of_plugins(tmp_path: Path) -> None:
    """covdefaults wants branches, and its exclusions; kernels are measured alike."""
    (tmp_path / "a.py").write_text("import os\nif os.name == 'nt':\n    raise AssertionError\ndef f(self):\n    raise NotImplementedError\n")
    (tmp_path / ".coveragerc").write_text("[run]\nplugins = covdefaults\n")
    done = qd_cov(tmp_path, "run", "a.py")
    assert done.returncode == 0, done.stderr
    data = coverage.CoverageData(str(tmp_path / ".coverage"))
    data.read()
    assert data.has_arcs()
    theirs = coverage_py(["report"], tmp_path).stdout
    assert done.stderr.splitlines() == [line for line in theirs.splitlines() if "failure" not in line]


def test_run_stops_before_the_program(tmp_path: Path) -> None:
    """A plugin that cannot be loaded is an error before anything runs."""
    (tmp_path / "a.py").write_text("open('ran', 'w')\n")
    (tmp_path / ".coveragerc").write_text("[run]\nplugins = no_such_plugin\n")
    done = qd_cov(tmp_path, "run", "a.py")
    assert done.returncode == 1
    assert "cannot import: No module named 'no_such_plugin'" in done.stdout
    assert not (tmp_path / "ran").exists()


HANGS = """\
import os, time
def coverage_init(registry, options):
    open("started", "w").write(str(os.getpid()))
    time.sleep(600)
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_plugin_that_hangs_ends_with_the_report(tmp_path: Path, how: signal.Signals) -> None:
    """The process with the plugins ends with qd-cov, whichever way that ends."""
    write_template_project(tmp_path.resolve(), True, plugin=HANGS)
    report = subprocess.Popen(["qd-cov", "report"], cwd=tmp_path, stderr=subprocess.PIPE)
    started = tmp_path / "started"
    wait_until(lambda: started.exists() and started.read_text() != "")
    report.send_signal(how)
    assert report.wait(timeout=20) != 0
    wait_until(lambda: not is_running(int(started.read_text())))


def test_no_process_stays(tmp_path: Path) -> None:
    """After a report, nothing of the plugins runs."""
    write_template_project(tmp_path.resolve(), True, plugin=TEMPLATES + "import os\nopen('started', 'w').write(str(os.getpid()))\n")
    assert qd_cov(tmp_path, "report").returncode == 0
    wait_until(lambda: not is_running(int((tmp_path / "started").read_text())))


def test_closed_streams(tmp_path: Path) -> None:
    """Plugins are asked where standard streams are closed, too."""
    write_template_project(tmp_path.resolve(), True, plugin=TEMPLATES.replace("def lines(self):\n", "def lines(self):\n        print('x')\n"))
    expected = subprocess.run(["qd-cov", "json", "-q", "-o", "a.json"], cwd=tmp_path, check=True, stderr=subprocess.DEVNULL)
    assert expected.returncode == 0
    subprocess.run(["sh", "-c", "qd-cov json -q -o b.json <&- >&- 2>&-"], cwd=tmp_path, check=True)
    a, b = (json.loads((tmp_path / name).read_text())["files"] for name in ("a.json", "b.json"))
    assert a == b


def test_python_without_coverage(tmp_path: Path) -> None:
    """The error names the Python that was asked, and a remedy."""
    write_template_project(tmp_path.resolve(), True)
    (tmp_path / "env/bin").mkdir(parents=True)
    base = os.path.realpath(sys.executable)
    (tmp_path / "env/bin/python3").write_text(f'#!/bin/sh\nexec {base} -S "$@"\n')
    (tmp_path / "env/bin/python3").chmod(0o755)
    program = subprocess.run(["which", "qd-cov"], capture_output=True, text=True, check=True).stdout.strip()
    environment = {name: value for name, value in os.environ.items() if name not in {"VIRTUAL_ENV", "PYTHONPATH"}}
    done = subprocess.run(
        [program, "report"], cwd=tmp_path, env={**environment, "PATH": str(tmp_path / "env/bin")}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert f"there is no coverage.py in {tmp_path}/env/bin/python3" in done.stdout
    assert "activate the virtual environment" in done.stdout


@pytest.mark.parametrize("command", (["report"], ["html"], ["run", "--", "python", "a.py"]), ids=lambda command: command[0])
def test_plugin_that_cannot_be_imported(command: list[str], tmp_path: Path) -> None:
    """One line on standard output: the plugin, the reason, and the Python that was asked, with the reason for the choice of that one."""
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "half.py").write_text("import nothing_there\n")
    coverage_py(["run", "a.py"], tmp_path, check=True)
    for plugin, missing in (("no_such_plugin", "no_such_plugin"), ("half", "nothing_there")):
        (tmp_path / ".coveragerc").write_text(f"[run]\nplugins = {plugin}\n")
        done = subprocess.run(["qd-cov", *command], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr, done.stdout.count("\n")) == (1, "", 1), done.stderr
        assert f"[run] plugins names '{plugin}', which {Path(sys.executable).parent}/python" in done.stdout
        assert f" cannot import: No module named '{missing}'. This is the " in done.stdout
        place = "the Python of the command" if command[0] == "run" else "the first Python on the PATH|the Python of the active virtual environment"
        assert re.search(f"This is ({place})", done.stdout), done.stdout


def test_plugin_that_raises_an_import_error_later(tmp_path: Path) -> None:
    """It was imported: the traceback shows where it goes on."""
    (tmp_path / "a.py").write_text("x = 1\n")
    coverage_py(["run", "a.py"], tmp_path, check=True)
    (tmp_path / "late.py").write_text("def coverage_init(reg, options):\n    import nothing_there\n")
    (tmp_path / ".coveragerc").write_text("[run]\nplugins = late\n")
    done = subprocess.run(["qd-cov", "report"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "late.py" in done.stderr and done.stderr.endswith("No module named 'nothing_there'\n")


def wait_until(done: object) -> None:
    """Ask again until it is so."""
    assert callable(done)
    end = time.monotonic() + 20
    while not done():
        assert time.monotonic() < end
        time.sleep(0.02)


def is_running(process: int) -> bool:
    """Whether a process lives."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


OLD = Path(__file__).resolve().parents[2] / ".venv-coverage74"


def test_old_coverage(tmp_path: Path) -> None:
    """Plugins are asked by the coverage.py of the active environment, one that knows no regions too."""
    folder = tmp_path.resolve()
    plugin = TEMPLATES.replace("from coverage.plugin import CodeRegion\n", "CodeRegion = None\n")
    write_template_project(folder, True, plugin=plugin)
    environment = {**os.environ, "VIRTUAL_ENV": str(OLD)}
    words = ["-m", "--include=*.tmpl,*.html"]
    theirs = subprocess.run([OLD / "bin/python", "-m", "coverage", "report", *words], cwd=folder, capture_output=True, text=True, check=True).stdout
    ours = subprocess.run(["qd-cov", "report", *words], cwd=folder, env=environment, capture_output=True, text=True, check=True).stdout
    assert ours == theirs
    for command in (["json", "-q"], ["lcov", "-q"], ["html", "-q"]):
        subprocess.run(["qd-cov", *command], cwd=folder, env=environment, check=True)
    (folder / "covdefaults_like.py").write_text(
        "import coverage\nclass P(coverage.CoveragePlugin):\n    def configure(self, config):\n        config.set_option('report:fail_under', 100)\n"
        "def coverage_init(registry, options):\n    registry.add_configurer(P())\n"
    )
    (folder / ".coveragerc").write_text("[run]\nplugins = tmpl_plugin, covdefaults_like\n")
    assert subprocess.run(["qd-cov", "report"], cwd=folder, env=environment, check=False).returncode == 2
