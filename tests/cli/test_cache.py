"""The cache of analyses: reports are the same with and without it, whatever happened to its files."""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from coverage import CoverageData

SOURCE = '''"""Module {n}."""
def f(a, b):
    if a:
        with open(a) as c:
            return (c,
                    b)
    while True:  # pragma: no branch
        break
    if TYPE_CHECKING:
        import x
    return {n}


class C:
    def m(self):
        match self:
            case int(): return lambda: 1
        return [x for x in self if x]
'''


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files with branch data, and a cache of their own, which is not there yet."""
    for name in ("QD_COV_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("QD_COV_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    data = CoverageData(str(folder / ".coverage"))
    for n in range(12):
        path = folder / f"m{n}.py"
        path.write_text(SOURCE.format(n=n))
        data.add_arcs({str(path): [(-1, 2), (2, 14), (-2, 3), (3, 4), (4, 5)]})
    data.write()
    return folder


def qd_cov(*arguments: str, before: Callable[[], object] | None = None) -> str:
    done = subprocess.run(["qd-cov", *arguments], capture_output=True, text=True, check=False, preexec_fn=before)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def cache_files(project: Path) -> list[Path]:
    return sorted((project.parent / "cache").glob("*.analyses*"))


def test_reports_are_the_same(project: Path) -> None:
    expected = qd_cov("report", "-m", "--no-cache")
    assert not (project.parent / "cache").exists()
    assert [qd_cov("report", "-m") for _ in range(2)] == [expected] * 2
    assert len(cache_files(project)) == 1
    assert os.listdir(project) == sorted([".coverage", *(f"m{n}.py" for n in range(12))], key=os.listdir(project).index)


def test_a_changed_source_is_analysed_anew(project: Path) -> None:
    before = qd_cov("report", "m3.py")
    status = (project / "m3.py").stat()
    (project / "m3.py").write_text(SOURCE.format(n=3).replace("return 3", "b = 3; "))  # of the same size, at the same time
    os.utime(project / "m3.py", ns=(status.st_atime_ns, status.st_mtime_ns))
    (project / "m3.py").write_text((project / "m3.py").read_text().replace("    import x", "    x = 1\n    y = 2"))
    (project / ".coverage").touch()  # a source that is newer than the data would be noted
    assert qd_cov("report", "m3.py") == qd_cov("report", "--no-cache", "m3.py") != before


def test_patterns_and_versions_have_analyses_of_their_own(project: Path) -> None:
    before = qd_cov("report", "m3.py")
    (project / ".coveragerc").write_text("[report]\nexclude_also = while True\n")
    assert qd_cov("report", "m3.py") == qd_cov("report", "--no-cache", "m3.py") != before


def test_another_program_has_analyses_of_its_own(project: Path) -> None:
    """Programs are told apart by the build id that the linker wrote."""
    program = Path(shutil.which("qd-cov") or "").read_bytes()
    note = b"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0"
    assert program.count(note) == 1
    at = program.index(note) + len(note)
    other = project.parent / "other"
    other.write_bytes(program[:at] + bytes(byte ^ 0xFF for byte in program[at : at + 20]) + program[at + 20 :])
    other.chmod(0o755)
    qd_cov("report")
    (file,) = cache_files(project)
    one = file.stat().st_size
    qd_cov("report")
    assert file.stat().st_size == one
    subprocess.run([other, "report"], check=True, capture_output=True)
    assert file.stat().st_size > 1.8 * one


@pytest.mark.parametrize("switch", ["option", "environment", "configuration"])
def test_can_be_switched_off(project: Path, monkeypatch: pytest.MonkeyPatch, switch: str) -> None:
    if switch == "environment":
        monkeypatch.setenv("QD_COV_CACHE", "0")
    if switch == "configuration":
        (project / "pyproject.toml").write_text("[tool.qd-cov]\ncache = false\n")
    qd_cov("report", *(["--no-cache"] if switch == "option" else []))
    assert not (project.parent / "cache").exists()


def test_stands_where_caches_stand(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QD_COV_CACHE_DIR")
    monkeypatch.setenv("HOME", str(project.parent / "home"))
    qd_cov("report")
    assert list((project.parent / "home" / ".cache" / "qd-cov").glob("*.analyses"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(project.parent / "xdg"))
    qd_cov("report")
    assert list((project.parent / "xdg" / "qd-cov").glob("*.analyses"))
    assert (project.parent / "xdg" / "qd-cov" / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55\n")


def test_a_damaged_file_changes_nothing(project: Path) -> None:
    expected = qd_cov("report", "-m")
    (file,) = cache_files(project)
    good = file.read_bytes()
    rng = random.Random(1)
    for n in range(40):
        bad = bytearray(good)
        if n % 4 == 0:
            del bad[rng.randrange(len(bad)) :]
        else:
            start = rng.randrange(len(bad))
            bad[start : start + n] = rng.randbytes(n)
        file.write_bytes(bad)
        assert qd_cov("report", "-m") == expected
    for damage in (b"", b"\0" * 100, rng.randbytes(5000)):
        file.write_bytes(damage)
        assert qd_cov("report", "-m") == expected


def test_no_place_for_it(project: Path) -> None:
    expected = qd_cov("report", "--no-cache")
    # A full disk looks like this, too: a file that was begun goes.
    assert qd_cov("report", before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))) == expected
    assert cache_files(project) == []
    (project.parent / "cache" / "CACHEDIR.TAG").unlink()
    (project.parent / "cache").rmdir()
    (project.parent / "cache").write_text("no folder")
    assert qd_cov("report") == expected


def test_several_at_once(project: Path) -> None:
    expected = qd_cov("report", "--no-cache")
    for _ in range(3):
        processes = [subprocess.Popen(["qd-cov", "report"], stdout=subprocess.PIPE, text=True) for _ in range(6)]
        assert [process.communicate()[0] for process in processes] == [expected] * 6
        (file,) = cache_files(project)
        file.unlink()


def test_an_interrupt_leaves_nothing_unfinished(project: Path) -> None:
    expected = qd_cov("report", "--no-cache")
    rng = random.Random(1)
    for n in range(30):
        process = subprocess.Popen(["qd-cov", "report"], stdout=subprocess.DEVNULL)
        time.sleep(rng.random() * 0.02)
        process.send_signal(signal.SIGINT if n % 2 else signal.SIGTERM)
        assert process.wait() in (0, -signal.SIGINT, -signal.SIGTERM)
        files = cache_files(project)
        assert [file for file in files if file.suffix != ".analyses"] == []
        for file in files if n % 3 == 0 else []:
            file.unlink()
    assert qd_cov("report") == expected


@pytest.mark.parametrize("how", ["owner", "group", "others", "link"])
def test_what_somebody_else_could_have_written_is_not_believed(project: Path, how: str) -> None:
    """A cache that another user could have written counts as none: everything is analysed, and kept in a file of this user."""
    if how == "owner" and os.geteuid() != 0:
        pytest.skip("only root gives files away")
    expected = qd_cov("report")
    (file,) = cache_files(project)
    before = file.stat()
    qd_cov("report")
    assert file.stat().st_ino == before.st_ino, "what is found is not written again"
    if how == "owner":
        os.chown(file, 65534, -1)
    elif how == "link":
        file.rename(project.parent / "elsewhere")
        file.symlink_to(project.parent / "elsewhere")
    else:
        file.chmod(0o620 if how == "group" else 0o602)
    assert qd_cov("report") == expected
    after = file.lstat()
    assert (after.st_uid, after.st_mode) == (os.geteuid(), 0o100600) and after.st_ino != before.st_ino


def test_files_of_others_stay(project: Path) -> None:
    """A folder that is used for other things, too, loses nothing but files that this cache made, however old."""
    folder = project.parent / "cache"
    folder.mkdir()
    old = time.time() - 90 * 24 * 3600
    ours = ["0123456789abcdef.analyses", "0123456789abcdef.analyses.123.tmp"]
    others = ["a.tmp", ".tmp", "thesis.analyses", "0123456789ABCDEF.analyses"]
    others += [f"0123456789abcdef{rest}" for rest in (".tmp", ".analyses.tmp", ".analyses.1x.tmp")]
    for name in [*ours, *others]:
        (folder / name).write_text("x")
        os.utime(folder / name, (old, old))
    (folder / "precious").write_text("x")
    os.utime(folder / "precious", (old, old))
    (folder / "fedcba9876543210.analyses").symlink_to("precious")
    (folder / "fedcba9876543211.analyses").mkdir()
    if os.geteuid() == 0:
        (folder / "fedcba9876543212.analyses").write_text("x")
        os.utime(folder / "fedcba9876543212.analyses", (old, old))
        os.chown(folder / "fedcba9876543212.analyses", 65534, -1)
        others.append("fedcba9876543212.analyses")
    qd_cov("report")
    names = {path.name for path in folder.iterdir()}
    assert names >= {*others, "precious", "fedcba9876543210.analyses", "fedcba9876543211.analyses"}
    assert not names & set(ours)


def test_the_tag_is_written_to_no_other_place(project: Path) -> None:
    folder = project.parent / "cache"
    folder.mkdir()
    (folder / "CACHEDIR.TAG").symlink_to(project.parent / "elsewhere")
    qd_cov("report")
    assert not (project.parent / "elsewhere").exists()


@pytest.mark.parametrize("environment", [{}, {"HOME": ""}, {"HOME": "relative"}, {"XDG_CACHE_HOME": "relative"}, {"HOME": "/proc/none"}])
def test_no_home(project: Path, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]) -> None:
    for name in ("QD_COV_CACHE_DIR", "HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    before = set(project.iterdir())
    assert qd_cov("report") == qd_cov("report", "--no-cache")
    assert set(project.iterdir()) == before
