"""--strict-config takes no setting of a file that the base commit does not have, unless the command line names the file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from diff_repository import TEN, Repository

GATE = "[tool.qd-cov.diff]\nfail_under = 90\n"
LOOSE = "[tool.qd-cov.diff]\nfail_under = 10\n"
LOOSE_FILES = {
    "qd-cov.toml": "[diff]\nfail_under = 10\n",
    "pyproject.toml": LOOSE,
    "setup.cfg": "[qd-cov:diff]\nfail_under = 10\n",
    ".coveragerc": "[report]\nexclude_also = a12\n",
}


@pytest.fixture
def half(repo: Repository) -> Repository:
    """A change of two lines, of which one ran, and a gate of the base that it misses."""
    repo.write(".gitignore", ".coverage\nignored/\n")
    repo.write("pyproject.toml", GATE)
    repo.write("sub/keep.txt", "")
    repo.commit()
    repo.git("branch", "-f", "main", "HEAD")
    repo.write("a.py", TEN + "a11 = 11\na12 = 12\n")
    repo.measure({"a.py": range(1, 12)})
    return repo


def change_again(repo: Repository) -> None:
    """Everything becomes the base, and half of a new change runs."""
    repo.commit()
    repo.git("branch", "-f", "main", "HEAD")
    repo.write("a.py", TEN + "b11 = 11\nb12 = 12\n")


def strict(repo: Repository, *options: str, cwd: str = ".", **environment: str) -> tuple[int, str]:
    report = repo.diff("--strict-config", f"--data-file={repo.folder / '.coverage'}", *options, cwd=cwd, **environment)
    return report.code, report.out + report.err


def refused(answer: tuple[int, str], file: str) -> None:
    assert answer[0] == 1 and f"git does not track config file {file}: add it to the repository, or name it with --rcfile" in answer[1], answer[1]


def test_the_gate_of_the_base(half: Repository) -> None:
    assert strict(half)[0] == 2
    assert strict(half, cwd="sub")[0] == 2


@pytest.mark.parametrize(
    ("name", "format"),
    [*((name, "terminal") for name in LOOSE_FILES), *zip(LOOSE_FILES, ["json:-", "markdown:-", "html:-", "github-annotations:-"], strict=True)],
)
def test_a_file_in_the_current_folder(half: Repository, name: str, format: str) -> None:
    """Without the option it counts, as it does for who runs the tests at home."""
    for folder in ("sub", "ignored"):
        half.write(f"{folder}/{name}", LOOSE_FILES[name])
        assert half.diff(f"--data-file={half.folder / '.coverage'}", cwd=folder).code == 0
        refused(strict(half, "--format", format, cwd=folder), name)
    half.write("sub/" + name, "")  # it says nothing, but .coveragerc hides the others' settings
    if name != ".coveragerc":
        assert strict(half, cwd="sub")[0] == 2


def test_a_file_at_the_root(half: Repository) -> None:
    """In the place of the one that the change deletes, and above the current folder."""
    half.git("rm", "-q", "pyproject.toml")
    half.commit()
    half.write("setup.cfg", LOOSE_FILES["setup.cfg"])
    assert strict(half)[0] == 1
    (half.folder / "setup.cfg").unlink()
    change_again(half)
    half.write("setup.cfg", LOOSE_FILES["setup.cfg"])
    refused(strict(half, cwd="sub"), "../setup.cfg")
    half.git("add", "setup.cfg")
    assert strict(half)[0] == 0  # the base has no gate, and the change's do not count


def test_a_file_that_the_base_has_and_git_forgot(half: Repository) -> None:
    half.git("rm", "-q", "--cached", "pyproject.toml")
    half.write(".gitignore", ".coverage\npyproject.toml\n")
    half.write("pyproject.toml", LOOSE)
    assert strict(half)[0] == 2


@pytest.mark.parametrize("variable", ["COVERAGE_RCFILE", "COVERAGE_FORCE_CONFIG"])
def test_a_file_that_the_environment_names(half: Repository, tmp_path: Path, variable: str) -> None:
    """Of the working tree or not. One that the base has is as the base has it."""
    for path in (half.folder / "ignored/loose.toml", tmp_path / "loose.toml"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(LOOSE)
        assert half.diff(**{variable: str(path)}).code == 0
        refused(strict(half, **{variable: str(path)}), str(path))
        if variable == "COVERAGE_RCFILE":
            assert strict(half, f"--rcfile={path}")[0] == 0  # who types the command decides
    half.write("sub/tracked.toml", GATE)
    change_again(half)
    half.write("sub/tracked.toml", LOOSE)
    assert half.diff(**{variable: "sub/tracked.toml"}).code == 0
    assert strict(half, **{variable: "sub/tracked.toml"})[0] == 2


def test_a_link_of_the_base_to_what_it_does_not_have(half: Repository, tmp_path: Path) -> None:
    """Nobody knows what it said."""
    (tmp_path / "gates.toml").write_text(GATE)
    (half.folder / "pyproject.toml").unlink()
    (half.folder / "pyproject.toml").symlink_to(tmp_path / "gates.toml")
    change_again(half)
    assert half.diff().code == 2
    refused(strict(half), "pyproject.toml")
    (half.folder / "pyproject.toml").unlink()
    half.write("pyproject.toml", "")
    refused(strict(half), "pyproject.toml")


def test_settings_of_diff_cover(half: Repository) -> None:
    """The file of --config-file is the base's too."""
    half.write("cover.toml", "[tool.diff_cover]\nfail_under = 95\n")
    change_again(half)
    half.write("cover.toml", "[tool.diff_cover]\nfail_under = 5\n")
    report = half.diff("-c", "cover.toml")
    assert report.code == 0 and "lowers fail_under from 95 to 5" in report.out
    assert strict(half, "-c", "cover.toml")[0] == 2


# COVERAGE_FORCE_CONFIG


@pytest.mark.parametrize(
    ("name", "text"), [("force.toml", GATE), ("force.cfg", "[qd-cov:diff]\nfail_under = 90\n"), ("qd-cov.toml", "[diff]\nfail_under = 90\n")]
)
def test_our_settings_in_the_forced_file(half: Repository, tmp_path: Path, name: str, text: str) -> None:
    """It has the last word, as for coverage.py's settings."""
    half.write("pyproject.toml", LOOSE)
    (tmp_path / name).write_text(text)
    assert half.diff().code == 0
    assert half.diff(COVERAGE_FORCE_CONFIG=str(tmp_path / name)).code == 2
    assert half.diff("--rcfile=", COVERAGE_FORCE_CONFIG=str(tmp_path / name)).code == 2
    assert half.diff("--fail-under=1", COVERAGE_FORCE_CONFIG=str(tmp_path / name)).code == 0


def test_a_forced_file_that_is_not_understood(half: Repository, tmp_path: Path) -> None:
    (tmp_path / "force.toml").write_text("[tool.qd-cov.diff]\nfail_undr = 90\n")
    report = half.diff(COVERAGE_FORCE_CONFIG=str(tmp_path / "force.toml"))
    assert report.code == 1 and "did you mean 'fail_under'?" in report.out + report.err
    os.mkfifo(tmp_path / "pipe")
    report = half.diff(COVERAGE_FORCE_CONFIG=str(tmp_path / "pipe"))
    assert report.code == 1 and "it is a pipe" in report.out + report.err
