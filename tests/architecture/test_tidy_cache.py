"""ci/tidy_cache.py: a unit is left out while nothing has changed that clang-tidy's outcome depends on."""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "ci/tidy_cache.py"

pytestmark = pytest.mark.skipif(shutil.which("clang-scan-deps-19") is None, reason="there is no clang-scan-deps-19")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, for the project `one` of two equal ones."""
    spec = importlib.util.spec_from_file_location("tidy_cache", SCRIPT)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "CACHE", tmp_path / "cache")
    for name in ("one", "two"):
        root = tmp_path / name
        (root / "build/release").mkdir(parents=True)
        (root / ".clang-tidy").write_text("Checks: '-*,bugprone-*'\n")
        (root / "a b.h").write_text("// a header\n")
        for unit in ("first", "second"):
            (root / f"{unit}.cpp").write_text('#include "a b.h"\n' if unit == "first" else "int second;\n")
        entries = [
            {"directory": str(root), "command": f"c++ -I{root} -o {unit}.o -c {root}/{unit}.cpp", "file": f"{root}/{unit}.cpp"}
            for unit in ("first", "second")
        ]
        (root / "build/release/compile_commands.json").write_text(json.dumps(entries))
    monkeypatch.setattr(module, "ROOT", tmp_path / "one")
    return module


def changed(cache: ModuleType, folder: Path, arguments: str = "", pattern: str = "cpp$") -> list[str]:
    """The names of the units that clang-tidy is to look at."""
    number = cache.changed(folder, arguments, [pattern])
    names = [Path(entry["file"]).stem for entry in json.loads((folder / "compile_commands.json").read_text())]
    assert number == len(names)
    return names


def test_what_changes_is_looked_at_again(cache: ModuleType, tmp_path: Path) -> None:
    one = tmp_path / "one"
    assert changed(cache, tmp_path) == ["first", "second"]
    assert changed(cache, tmp_path) == ["first", "second"]  # nobody has said that they are clean
    cache.clean(tmp_path, "")
    assert changed(cache, tmp_path) == []
    (one / "a b.h").write_text("// another comment\n")
    assert changed(cache, tmp_path) == ["first"]
    cache.clean(tmp_path, "")
    assert changed(cache, tmp_path) == []
    assert changed(cache, tmp_path, "-extra-arg=-DX") == ["first", "second"]
    (one / ".clang-tidy").write_text("Checks: '-*'\n")
    assert changed(cache, tmp_path) == ["first", "second"]


def test_what_changes_meanwhile_is_not_taken_for_clean(cache: ModuleType, tmp_path: Path) -> None:
    assert changed(cache, tmp_path) == ["first", "second"]
    header = tmp_path / "one/a b.h"
    before = header.read_text()
    header.write_text("// clang-tidy may have read this\n")
    cache.clean(tmp_path, "")
    assert changed(cache, tmp_path) == ["first"]
    header.write_text(before)
    assert changed(cache, tmp_path) == ["first"]


def test_a_header_that_comes_first_now(cache: ModuleType, tmp_path: Path) -> None:
    """A new file of the same name on the way to the old one."""
    one = tmp_path / "one"
    (one / "second.cpp").write_text("#include <stddef.h>\n")
    changed(cache, tmp_path)
    cache.clean(tmp_path, "")
    assert changed(cache, tmp_path) == []
    (one / "stddef.h").write_text("")
    assert changed(cache, tmp_path) == ["second"]


def test_another_clone_has_the_same_units(cache: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert changed(cache, tmp_path, pattern="first") == ["first"]
    cache.clean(tmp_path, "")
    monkeypatch.setattr(cache, "ROOT", tmp_path / "two")
    assert changed(cache, tmp_path) == ["second"]
