"""Symbolic links in a change: the code that stands at a path by way of a link is looked at, as Python and compilers look at it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from coverage_commands import coverage_py
from diff_repository import TEN, Repository

GOOD = "def f(a):\n    return a\n"
BAD = "def f(a):\n    return a\n\n\ndef bad(a):\n    b = a\n    return b\n"


def link(repo: Repository, path: str, target: str) -> None:
    """Makes a link, in place of any file or folder there."""
    place = repo.folder / path
    if place.is_symlink() or place.is_file():
        place.unlink()
    elif place.is_dir():
        subprocess.run(["rm", "-r", str(place)], check=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(target)


def base(repo: Repository, files: dict[str, str], links: dict[str, str] | None = None) -> None:
    """Becomes a part of main; hidden/ is ignored."""
    repo.write(".gitignore", ".coverage\nhidden/\n*.info\n")
    for path, text in files.items():
        repo.write(path, text)
    for path, target in (links or {}).items():
        link(repo, path, target)
    repo.commit()
    repo.git("branch", "-f", "main", "HEAD")


def source_becomes_a_link(repo: Repository) -> str:
    base(repo, {"m.py": GOOD})
    repo.write("hidden/m.py", BAD)
    link(repo, "m.py", "hidden/m.py")
    return "m.py"


def outside_of_the_repository(repo: Repository) -> str:
    base(repo, {"m.py": GOOD})
    (repo.folder.parent / "elsewhere.py").write_text(BAD)
    link(repo, "m.py", "../elsewhere.py")
    return "m.py"


def link_leads_to_another_file(repo: Repository) -> str:
    repo.write("hidden/new.py", BAD)
    repo.write("hidden/old.py", GOOD)
    base(repo, {}, {"m.py": "hidden/old.py"})
    link(repo, "m.py", "hidden/new.py")
    return "m.py"


def link_in_the_repository(repo: Repository) -> str:
    base(repo, {"m.py": GOOD, "other/m.py": BAD})
    link(repo, "m.py", "other/m.py")
    return "m.py"


def folder_of_another_version(repo: Repository) -> str:
    base(repo, {"src/v1/m.py": GOOD, "src/v2/m.py": BAD}, {"src/now": "v1"})
    link(repo, "src/now", "v2")
    return "src/now/m.py"


def folder_becomes_a_link(repo: Repository) -> str:
    base(repo, {"src/deep/m.py": GOOD, "src/__init__.py": ""})
    repo.write("hidden/src/deep/m.py", BAD)
    repo.write("hidden/src/__init__.py", "")
    link(repo, "src", "hidden/src")
    return "src/deep/m.py"


def folder_outside_of_the_repository(repo: Repository) -> str:
    base(repo, {"src/m.py": GOOD})
    (repo.folder.parent / "far/deep").mkdir(parents=True)
    (repo.folder.parent / "far/deep/m.py").write_text(BAD)
    (repo.folder.parent / "far/again").symlink_to(".")  # a circle
    link(repo, "src", str(repo.folder.parent / "far"))
    return "src/deep/m.py"


def chain_of_links(repo: Repository) -> str:
    repo.write("hidden/old.py", GOOD)
    repo.write("hidden/new.py", BAD)
    base(repo, {}, {"one.py": "two.py", "two.py": "hidden/three.py", "hidden/three.py": "old.py"})
    link(repo, "two.py", "hidden/new.py")
    return "two.py"


def file_behind_a_link_of_a_linked_folder(repo: Repository) -> str:
    base(repo, {"src/m.py": GOOD})
    repo.write("hidden/code/m.py", BAD)
    link(repo, "hidden/pkg/m.py", "../code/m.py")
    link(repo, "src", "hidden/pkg")
    return "src/m.py"


def submodule_becomes_a_link(repo: Repository) -> str:
    other = Repository(repo.folder.parent / "other")
    other.write("m.py", GOOD)
    other.commit()
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other.folder), "sub")
    base(repo, {})
    repo.write("hidden/m.py", BAD)
    repo.git("rm", "-q", "-f", "sub")
    link(repo, "sub", "hidden")
    return "sub/m.py"


def moved_link(repo: Repository) -> str:
    repo.write("hidden/m.py", GOOD)
    repo.write("sub/hidden/m.py", BAD)
    base(repo, {"sub/keep.txt": ""}, {"m.py": "hidden/m.py"})
    repo.git("mv", "m.py", "sub/m.py")
    return "sub/m.py"


def link_to_nowhere(repo: Repository) -> str:
    base(repo, {"m.py": GOOD})
    link(repo, "m.py", "hidden/not-here.py")
    return "m.py"


def link_with_an_attribute(repo: Repository) -> str:
    base(repo, {"m.py": GOOD, ".gitattributes": "*.py -diff\n"})
    repo.write("hidden/m.py", BAD)
    link(repo, "m.py", "hidden/m.py")
    return "m.py"


BUILDERS: list[Callable[[Repository], str]] = [
    source_becomes_a_link,
    outside_of_the_repository,
    link_leads_to_another_file,
    link_in_the_repository,
    folder_of_another_version,
    folder_becomes_a_link,
    folder_outside_of_the_repository,
    chain_of_links,
    file_behind_a_link_of_a_linked_folder,
    submodule_becomes_a_link,
    moved_link,
    link_to_nowhere,
    link_with_an_attribute,
]


@pytest.mark.parametrize("committed", [True, False], ids=["committed", "in the working tree"])
@pytest.mark.parametrize("build", BUILDERS, ids=lambda build: build.__name__)
def test_code_behind_a_changed_link_without_data(repo: Repository, build: Callable[[Repository], str], committed: bool) -> None:
    """Code without data behind a changed link is listed, and fails a gate, whatever the way to it."""
    path = build(repo)
    if committed:
        repo.commit()
    repo.measure({"a.py": range(1, 11)})
    report = repo.diff("--fail-under=1")
    assert report.code == 2, report.out
    assert report.rows[path].missing is None
    assert repo.diff("--fail-under=1", "--include-untracked", "--ignore-whitespace").code == 2
    assert repo.diff("--fail-under=1", *(["--on-no-data=pass"] if committed else ["--exclude", path])).code == 0
    if committed:  # the same change, from a diff file
        (repo.folder.parent / "change.diff").write_text(repo.git("diff", "main...HEAD"))
        report = repo.diff_as_typed("--diff-file=../change.diff", "--fail-under=1")
        assert (report.code, report.rows[path].missing) == (2, None), report.out


@pytest.mark.parametrize("build", BUILDERS[:3] + BUILDERS[5:10], ids=lambda build: build.__name__)
def test_code_behind_a_changed_link_with_data(repo: Repository, build: Callable[[Repository], str]) -> None:
    """coverage.py has the real path. All lines are new at the path of the link."""
    path = build(repo)
    repo.commit()
    repo.measure({path: [1, 2, 5]})
    report = repo.diff("--fail-under=90")
    assert report.code == 2
    assert (report.rows[path].lines, report.rows[path].missing_lines) == (5, "6-7")
    repo.measure({path: [1, 2, 5, 6, 7]})
    assert repo.diff("--fail-under=100").code == 0


def test_data_of_a_real_run(repo: Repository) -> None:
    """The path in the data is coverage.py's."""
    source_becomes_a_link(repo)
    repo.commit()
    coverage_py(["run", "m.py"], repo.folder, repo.environment, check=True)
    report = repo.diff("--fail-under=90")
    assert (report.code, report.rows["m.py"].missing_lines) == (2, "2, 6-7")


def test_tracked_code_counts_by_its_own_name(repo: Repository) -> None:
    """A link adds a name to code that is measured already: no lines that would outweigh others."""
    base(repo, {"big.py": TEN, "m.py": GOOD, "v/x.py": TEN})
    link(repo, "m.py", "big.py")
    link(repo, "v2", "v")
    link(repo, "more.py", "big.py")
    repo.write("a.py", TEN + "new = 1\n")
    repo.commit()
    repo.measure({"a.py": range(1, 11), "big.py": range(1, 11), "v/x.py": []})
    report = repo.diff("--fail-under=50")
    assert (report.code, list(report.rows), report.total()) == (2, ["a.py"], (1, 1))
    repo.write("big.py", TEN + "new = 1\n")
    assert list(repo.diff().rows) == ["a.py", "big.py"]


def test_tracked_code_that_takes_the_place_of_other_code(repo: Repository) -> None:
    """Tracked code in another's place has to have run, as it is not known how much of it is enough: its lines are not new, and the path's are."""
    for build in (link_in_the_repository, folder_of_another_version):
        path = build(repo)
        real = "other/m.py" if path == "m.py" else "src/v2/m.py"
        for committed in (False, True):
            repo.measure({real: [1, 2, 5]})
            report = repo.diff("--fail-under=50")
            assert (report.code, report.rows[path].missing_lines) == (2, "it is a link now, to code of which 2 lines never ran"), report.out
            repo.measure({real: [1, 2, 5, 6, 7]})
            report = repo.diff("--fail-under=100")
            assert (report.code, report.rows) == (0, {})
            if not committed:
                repo.commit()
    # The same of a folder, and of one that a diff file tells of.
    base(repo, {"pkg/m.py": GOOD, "other/m.py": BAD})
    link(repo, "pkg", "other")
    repo.measure({"other/m.py": [1, 2, 5]})
    assert repo.diff("--fail-under=50").rows["pkg/m.py"].missing is None
    repo.commit()
    assert repo.diff("--fail-under=50").rows["pkg/m.py"].missing is None
    (repo.folder.parent / "change.diff").write_text(repo.git("diff", "main...HEAD"))
    assert repo.diff_as_typed("--diff-file=../change.diff").rows["pkg/m.py"].missing is None


def test_branches_of_tracked_code_that_takes_the_place_of_other_code(repo: Repository) -> None:
    """With --branch-coverage a line that never took one of its branches has not run enough."""
    base(repo, {"m.py": GOOD, "other/m.py": "def f(a):\n    if a:\n        a = 1\n    return a\n"})
    link(repo, "m.py", "other/m.py")
    repo.commit()
    arcs = [(-1, 1), (1, -1), (-1, 2), (2, 3), (3, 4), (4, -1)]
    repo.measure_arcs({"other/m.py": arcs})
    assert repo.diff("--fail-under=100").code == 0
    report = repo.diff("--fail-under=1", "--branch-coverage")
    why = "it is a link now, to code of which 1 line never ran or never took a branch"
    assert (report.code, report.rows["m.py"].missing_lines) == (2, why), report.out
    repo.measure_arcs({"other/m.py": [*arcs, (2, 4)]})
    assert repo.diff("--fail-under=100", "--branch-coverage").code == 0


def test_a_source_that_is_moved_and_linked(repo: Repository) -> None:
    """All of its lines are lines of the change, at the new place."""
    base(repo, {"m.py": BAD})
    repo.write("impl/m.py", BAD)
    link(repo, "m.py", "impl/m.py")
    repo.commit()
    repo.measure({"impl/m.py": [1, 2, 5]})
    report = repo.diff("--fail-under=50")
    assert (report.code, {path: row.missing_lines for path, row in report.rows.items()}) == (0, {"impl/m.py": "6-7"})


def test_a_file_behind_two_links_counts_once(repo: Repository) -> None:
    base(repo, {"m.py": GOOD, "n.py": GOOD})
    repo.write("hidden/m.py", BAD)
    repo.write("new/m.py", TEN)
    for path in ("m.py", "n.py"):
        link(repo, path, "hidden/m.py")
    link(repo, "alias", "new")
    repo.measure({"hidden/m.py": [1, 2, 5], "new/m.py": range(1, 11)})
    report = repo.diff("--include-untracked")
    assert {path: row.lines for path, row in report.rows.items()} == {"m.py": 5, "new/m.py": 10}


def test_a_link_that_becomes_a_file(repo: Repository) -> None:
    base(repo, {"other.py": GOOD}, {"m.py": "other.py"})
    (repo.folder / "m.py").unlink()
    repo.write("m.py", BAD)
    repo.commit()
    repo.measure({"m.py": [1, 2, 5], "other.py": [1, 2]})
    assert repo.diff().rows["m.py"].lines == 5


def test_stages_of_a_link(repo: Repository) -> None:
    """Options that ignore a stage ignore the change of the link."""
    source_becomes_a_link(repo)
    repo.measure({"a.py": range(1, 11)})
    assert repo.diff("--fail-under=1", "--ignore-unstaged").code == 0
    repo.git("add", "-A")
    assert repo.diff("--fail-under=1", "--ignore-unstaged").code == 2
    assert repo.diff("--fail-under=1", "--ignore-staged").code == 0
    repo.commit()
    assert repo.diff("--fail-under=1", "--ignore-staged", "--ignore-unstaged").code == 2


def test_untracked_links(repo: Repository) -> None:
    """Untracked links are a part of the change on request, as files are."""
    base(repo, {})
    repo.write("hidden/pkg/m.py", BAD)
    link(repo, "pkg", "hidden/pkg")
    link(repo, "n.py", "hidden/pkg/m.py")
    repo.measure({"a.py": range(1, 11)})
    assert repo.diff("--fail-under=1").code == 0
    report = repo.diff("--fail-under=1", "--include-untracked")
    assert (report.code, set(report.rows)) == (2, {"n.py"} if "n.py" in report.rows else {"pkg/m.py"})


def test_other_languages(repo: Repository) -> None:
    """A report that names the path by the link, one that names the real path, and one that names neither."""
    cpp = "int f(int a) {\n  return 1;\n}\n"
    base(repo, {"src/m.cpp": cpp, "src/n.cpp": cpp})
    repo.write("hidden/m.cpp", cpp + "int g(int a) {\n  return a;\n}\n")
    link(repo, "src/m.cpp", "../hidden/m.cpp")
    repo.commit()
    lines = "FN:1,f\nFNDA:1,f\nDA:1,1\nDA:2,1\nend_of_record\n"
    more = lines.replace("end", "DA:4,0\nDA:5,0\nend")
    repo.write("out.info", "SF:src/n.cpp\n" + lines)
    report = repo.diff("out.info", "--fail-under=1")
    assert (report.code, report.rows["src/m.cpp"].missing_lines) == (2, "no data")
    for name in ("src/m.cpp", "hidden/m.cpp"):
        repo.write("out.info", f"SF:src/n.cpp\n{lines}SF:{name}\n{more}")
        report = repo.diff("out.info", "--fail-under=90")
        assert (report.code, report.rows["src/m.cpp"].missing_lines) == (2, "4-5")


def test_a_report_that_is_older_than_the_link(repo: Repository) -> None:
    """An older report is of the file that the link led to then."""
    old, new = "int f(int a) {\n  return 1;\n}\n", "int g(int a) {\n  return 1;\n}\nint f(int a) {\n  return 2;\n}\n"
    repo.write("hidden/v1/m.cpp", old)
    repo.write("hidden/v2/m.cpp", new)
    base(repo, {}, {"src": "hidden/v1"})
    repo.write("out.info", "SF:src/m.cpp\nFN:1,f\nFNDA:1,f\nDA:1,1\nDA:2,1\nend_of_record\n")
    link(repo, "src", "hidden/v2")
    repo.commit()
    report = repo.diff("out.info", "--fail-under=1")
    assert (report.code, report.rows["src/m.cpp"].missing) == (2, None), report.out


def test_what_is_no_source(repo: Repository) -> None:
    """Links to data disturb nothing."""
    (repo.folder.parent / "data/deep").mkdir(parents=True)
    (repo.folder.parent / "data/deep/x.bin").write_bytes(b"\0\1")
    (repo.folder.parent / "data/huge.bin").touch()
    os.truncate(repo.folder.parent / "data/huge.bin", 1 << 36)  # never read
    link(repo, "data", "../data")
    link(repo, "x.bin", "../data/deep/x.bin")
    link(repo, "null", "/dev/null")
    link(repo, "loop", "loop")
    link(repo, "gone", "not-here")
    repo.commit()
    repo.measure({"a.py": range(1, 11)})
    report = repo.diff("--fail-under=100")
    assert (report.code, report.rows, report.err) == (0, {}, "")


def test_a_folder_that_is_too_large_to_be_looked_at(repo: Repository, tmp_path: Path) -> None:
    """The contents of such a folder count as not known."""
    (tmp_path / "many").mkdir()
    (tmp_path / "many/0.py").write_text(BAD)
    (tmp_path / "many/1").mkdir()
    for i in range(20_001):
        (tmp_path / f"many/1/{i}").touch()
    base(repo, {"src/m.py": GOOD})
    link(repo, "src", str(tmp_path / "many"))
    repo.measure({"a.py": range(1, 11)})
    report = repo.diff("--fail-under=1")
    assert list(report.rows) == ["src"]
    assert (report.code, report.rows["src"].missing_lines) == (2, "it is a link to a folder with more than 20000 files")


def test_a_diff_file_of_another_link(repo: Repository) -> None:
    """A diff of another link does not fit the files as they stand."""
    source_becomes_a_link(repo)
    repo.commit()
    (repo.folder.parent / "change.diff").write_text(repo.git("diff", "main...HEAD").replace("+hidden/m.py", "+hidden/n.py"))
    report = repo.diff_as_typed("--diff-file=../change.diff")
    assert report.code == 1
    assert "The diff is of another version of 'm.py': it is a link that does not lead where the diff says." in report.out
