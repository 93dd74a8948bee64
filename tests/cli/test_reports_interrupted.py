"""Reports that are interrupted: the old report stays or the new one is there, never a half, and no other file is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from held_report import HELD, Hold, make_project, preloaded

SIGNALS = [signal.SIGINT, signal.SIGTERM]
OLD = "the report of yesterday\n"
OUTPUTS = {
    "report": (["report"], None),
    "html": (["html", "-d", "out"], "out/index.html"),
    "xml": (["xml", "-o", "out/report"], "out/report"),
    "json": (["json", "-o", "out/report"], "out/report"),
    "lcov": (["lcov", "-o", "out/report"], "out/report"),
    "annotate": (["annotate", "-d", "out"], f"out/{HELD},cover"),
}


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("preload")
    return {name: preloaded(folder, name) for name in ("wait_at_source", "end_at_call")}


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def put_old_report(folder: Path, command: str) -> None:
    output = OUTPUTS[command][1]
    if output:
        (folder / output).parent.mkdir(exist_ok=True)
        (folder / output).write_text(OLD)


@pytest.mark.parametrize("how", SIGNALS, ids=lambda s: s.name)
@pytest.mark.parametrize("command", OUTPUTS)
def test_interrupted_at_a_source(tmp_path: Path, libraries: dict[str, Path], command: str, how: signal.Signals) -> None:
    folder = make_project(tmp_path / "project", 3)
    put_old_report(folder, command)
    before = files_in(folder)
    hold = Hold(libraries["wait_at_source"], tmp_path / "pipe")
    process = subprocess.Popen(["qd-cov", *OUTPUTS[command][0]], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=hold.environment)
    with hold.held():
        process.send_signal(how)
        out, _ = process.communicate(timeout=60)
    assert (process.returncode, out) == (-how, b"")
    assert files_in(folder) == before


@pytest.mark.parametrize("how", SIGNALS, ids=lambda s: s.name)
def test_coverage_ends_the_same_way(tmp_path: Path, how: signal.Signals) -> None:
    folder = make_project(tmp_path / "project", 1)
    (folder / HELD).unlink()
    os.mkfifo(folder / HELD)
    process = subprocess.Popen([sys.executable, "-m", "coverage", "xml"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    pipe = os.open(folder / HELD, os.O_WRONLY)
    process.send_signal(how)
    code = process.wait(60)
    os.close(pipe)
    assert code == -how


@pytest.mark.parametrize("command", ["xml", "html", "html --split"])
def test_interrupted_at_any_change_of_the_file_system(tmp_path: Path, libraries: dict[str, Path], command: str) -> None:
    name, *more = command.split()
    output = OUTPUTS[name][1]
    assert output
    environment = os.environ | {"LD_PRELOAD": str(libraries["end_at_call"]), "QD_COV_CACHE": "0"}

    def run(folder: Path, **variables: str) -> int:
        words = ["qd-cov", *OUTPUTS[name][0], *more]
        return subprocess.run(words, cwd=folder, env=environment | variables, capture_output=True, check=False).returncode

    folder = make_project(tmp_path / "project", 3)
    put_old_report(folder, name)
    old = files_in(folder)
    counts = tmp_path / "counts"
    assert run(folder, END_COUNTS=str(counts)) == 0
    new = files_in(folder)
    n = int(counts.read_text())
    assert n >= 2
    for call in range(1, n + 1):
        for path in set(files_in(folder)) - set(old):
            (folder / path).unlink()
        put_old_report(folder, name)
        code = run(folder, END_AT=str(call), END_WITH=str(int(signal.SIGTERM)))
        assert code in (-signal.SIGTERM, 0)
        after = files_in(folder)
        assert set(after) <= set(new), "something lies about"
        text = after[output].decode()
        assert text == OLD or (len(text) == len(new[output]) if name != "html" else text.endswith("</html>\n"))
