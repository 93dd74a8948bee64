"""Sources that a report may show: a page leaves the machine, and the data that it is made of may come from elsewhere."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import zlib
from pathlib import Path

import pytest
from diff_repository import Repository

SECRET = "token-of-a-job"


def qd_cov(repo: Repository, *command: str, code: int = 0) -> str:
    done = subprocess.run(["qd-cov", *command], cwd=repo.folder, env=repo.environment, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def unpacked(page: str) -> str:
    """A page, and all that is packed into it or beside it."""
    texts = [page]
    for blob in re.findall(r"[A-Za-z0-9+/=]{40,}", page):
        for bits in (15, -15, 31):
            try:
                texts.append(zlib.decompress(base64.b64decode(blob + "=="), bits).decode(errors="replace"))
                break
            except (zlib.error, ValueError):
                continue
    return "\n".join(texts)


def shown(repo: Repository, *options: str) -> str:
    """All texts that reports with sources have, and the other reports, too."""
    texts = []
    for folder in ("page", "split", "copies"):
        shutil.rmtree(repo.folder / folder, ignore_errors=True)
    for command in (["html", "-q", "-d", "page"], ["html", "-q", "--split", "-d", "split"], ["annotate", "-d", "copies"]):
        texts.append(qd_cov(repo, *command, *options))
    for form in ("json", "xml", "lcov"):
        texts.append(qd_cov(repo, form, "-q", "-o", "-", *options))
    for folder in ("page", "split", "copies"):
        for file in sorted((repo.folder / folder).rglob("*")):
            if file.is_file():
                texts.append(unpacked(file.read_bytes().decode(errors="replace")))
    return "\n".join(texts)


def report_of(form: str, names: list[str]) -> str:
    if form == "lcov":
        return "".join(f"SF:{name}\nDA:1,1\nDA:2,0\nend_of_record\n" for name in names)
    if form == "gcov":
        files = [{"file": name, "functions": [], "lines": [{"line_number": n, "count": 2 - n, "branches": []} for n in (1, 2)]} for name in names]
        return json.dumps({"gcc_version": "12", "current_working_directory": ".", "files": files})
    lines = '<line number="1" hits="1"/><line number="2" hits="0"/>'
    classes = "".join(f'<class name="x" filename="{name}"><lines>{lines}</lines></class>' for name in names)
    return f"<coverage><sources><source>.</source></sources><packages><package><classes>{classes}</classes></package></packages></coverage>"


def fill(repo: Repository) -> list[str]:
    """Files that a report may name, and that no page may show; their second line is the secret."""
    text = f"# settings\nKEY = '{SECRET}'\n"
    repo.write("src/a.c", "int shown_code;\nint f(void);\n")
    repo.write(".gitignore", "*.local\n.env\nbuild/\npage/\nsplit/\ncopies/\nreport\n.coverage\n")
    repo.commit()
    for name in (".env", "settings.local", "build/generated.c", "untracked.c", "untracked.py"):
        repo.write(name, text)
    outside = repo.folder.parent / "outside.txt"
    outside.write_text(text)
    with (repo.folder / ".git/config").open("a") as config:
        config.write(f'[http "https://example.com/"]\n\textraheader = {SECRET}\n')
    repo.write(".git/hooks/hook.py", text)
    (repo.folder / "link.c").symlink_to("../outside.txt")
    (repo.folder / "link_to_git.c").symlink_to(".git/config")
    (repo.folder / "folder").symlink_to(".git")
    repo.git("add", "link.c", "link_to_git.c", "folder")
    repo.git("commit", "-qm", "links")
    return [
        ".env", "settings.local", "build/generated.c", "untracked.c", "untracked.py", ".git/config", ".git/hooks/hook.py", "src/../.git/config",
        "link.c", "link_to_git.c", "folder/config", str(repo.folder / ".git/config"), str(outside),
    ]  # fmt: skip


@pytest.mark.parametrize("form", ["lcov", "cobertura", "gcov"])
def test_imported_files_that_git_does_not_track(repo: Repository, form: str) -> None:
    names = fill(repo)
    repo.write("report", report_of(form, ["src/a.c", *names]))
    text = shown(repo, "--input=report", "--include=*")
    assert "int shown_code" in text and SECRET not in text
    for why in ("git does not track it", "it is in git's own folder", "it is outside of the working tree"):
        assert f"Source not shown: {why}." in text
    assert not (repo.folder / ".git/config,cover").exists()
    # The numbers are there.
    files = json.loads(qd_cov(repo, "json", "-q", "-o", "-", "--input=report"))["files"]
    assert {"src/a.c", "build/generated.c", ".env", ".git/config"} <= set(files)
    assert all(file["executed_lines"] == [1] and file["missing_lines"] == [2] for file in files.values())


def test_annotate_without_a_folder_writes_nothing_beside_them(repo: Repository) -> None:
    names = fill(repo)
    repo.write("report", report_of("lcov", ["src/a.c", *names]))
    said = qd_cov(repo, "annotate", "--input=report")
    assert "There is no annotated copy of 'build/generated.c': git does not track it" in said
    assert [str(file.relative_to(repo.folder)) for file in repo.folder.rglob("*,cover")] == ["src/a.c,cover"]


def test_a_combined_report_shows_no_more(repo: Repository) -> None:
    names = fill(repo)
    repo.write("report", report_of("lcov", ["src/a.c", *names]))
    qd_cov(repo, "combine", "-q", "report")
    text = shown(repo, "--include=*")
    assert "int shown_code" in text and SECRET not in text


def test_from_a_folder_below_the_top(repo: Repository) -> None:
    fill(repo)
    repo.write("src/report", report_of("lcov", ["a.c", "../untracked.c"]))
    page = repo.folder / "src/htmlcov/index.html"
    subprocess.run(["qd-cov", "html", "-q", "--input=report", "--include=*"], cwd=repo.folder / "src", env=repo.environment, check=True)
    assert "int shown_code" in unpacked(page.read_text()) and SECRET not in unpacked(page.read_text())


def test_a_submodule_tracks_its_files(repo: Repository, tmp_path: Path) -> None:
    other = Repository(tmp_path / "other")
    other.write("sub.c", "int of_the_submodule;\nint f(void);\n")
    other.commit()
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other.folder), "sub")
    repo.commit()
    repo.write("sub/new.c", f"int {SECRET.replace('-', '_')};\nint f(void);\n")
    repo.write("report", report_of("lcov", ["sub/sub.c", "sub/new.c"]))
    text = shown(repo, "--input=report")
    assert "int of_the_submodule" in text and SECRET.replace("-", "_") not in text


def test_measured_files(repo: Repository) -> None:
    """coverage.py's data: as coverage.py shows them, but nothing of git's own, and of files that are no Python nothing that is kept from others."""
    names = fill(repo)
    repo.write("untracked_but_measured.py", "x = 'shown'\ny = 2\n")
    repo.measure({name: [1] for name in names if name not in ("src/../.git/config", ".git/config", "folder/config", "link_to_git.c")})
    repo.measure({name: [2] for name in (".env", "settings.local", ".git/hooks/hook.py", "untracked_but_measured.py")})
    text = shown(repo, "--include=*")
    assert SECRET not in text and "'shown'" in text
    assert (
        qd_cov(repo, "report", "--format=total")
        == subprocess.run(
            ["coverage", "report", "--format=total"], cwd=repo.folder, env=repo.environment, capture_output=True, text=True, check=True
        ).stdout
    )


def test_outside_of_a_working_tree(tmp_path: Path) -> None:
    """Only files below the current folder are shown, without a dot at the beginning of a part of their path."""
    folder = tmp_path / "project"
    for name in ("src/a.c", ".env", ".hidden/b.c", "src/.c.c", "../outside.c"):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"int {'shown_code' if name == 'src/a.c' else 'secret'};\nint f(void);\n")
    (folder / "link.c").symlink_to("../outside.c")
    (folder / "report").write_text(report_of("lcov", ["src/a.c", ".env", ".hidden/b.c", "src/.c.c", "../outside.c", "link.c"]))
    subprocess.run(["qd-cov", "html", "-q", "--input=report", "--include=*"], cwd=folder, check=True)
    text = unpacked((folder / "htmlcov/index.html").read_text())
    assert "int shown_code" in text and "int secret" not in text
    assert "a part of its path begins with a dot" in text and "it is outside of the current folder" in text


def test_a_working_tree_of_which_git_says_nothing(repo: Repository) -> None:
    """A working tree of which git says nothing has no tracked files."""
    repo.write("a.c", f"int {SECRET.replace('-', '_')};\nint f(void);\n")
    repo.commit()
    repo.write("report", report_of("lcov", ["a.c"]))
    assert SECRET.replace("-", "_") in shown(repo, "--input=report")
    (repo.folder / ".git/HEAD").unlink()
    text = shown(repo, "--input=report")
    assert SECRET.replace("-", "_") not in text and "git can't check whether it tracks it" in text


def test_extra_css_is_of_the_project(repo: Repository, tmp_path: Path) -> None:
    repo.measure({"a.py": [1]})
    repo.write("style.css", "body { color: purple }")
    repo.commit()
    fill(repo)
    (tmp_path / "other.css").write_text(SECRET)
    (repo.folder / "linked.css").symlink_to("../other.css")
    repo.git("add", "linked.css")
    for path in (".env", ".git/config", "../other.css", str(tmp_path / "other.css"), "linked.css", "settings.local"):
        (repo.folder / ".coveragerc").write_text(f"[html]\nextra_css = {path}\n")
        assert f"[html] extra_css = '{path}' is not put into the page: " in qd_cov(repo, "html", "-q", code=1)
        assert not (repo.folder / "htmlcov/index.html").exists()
    (repo.folder / ".coveragerc").write_text("[html]\nextra_css = style.css\n")
    qd_cov(repo, "html", "-q")
    assert "color: purple" in (repo.folder / "htmlcov/index.html").read_text()


def test_a_diff_names_nothing_of_git(repo: Repository) -> None:
    repo.measure({"a.py": [1]})
    repo.write("d.diff", "--- a/.git/config\n+++ b/.git/config\n@@ -0,0 +1 @@\n+[core]\n")
    report = repo.diff_as_typed("--diff-file=d.diff")
    assert report.code == 1 and "The diff names '.git/config', which is not in this working tree." in report.out + report.err
