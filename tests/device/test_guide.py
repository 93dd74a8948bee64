"""The language guide, runtime/python/docs: every example prints on each architecture the text of its page.

A section (`## ...`) is one program: its ```python blocks run one after the other, from a file of their own, because kernels are read from files. A
```text block right behind a ```python block is its output; without one it prints nothing. `<!-- compiled -->` before a block: it does not run
on arch=python. QD_UPDATE_GOLD=1 writes the output into the pages."""

from __future__ import annotations

import ast
import contextlib
import io
import os
import re
import sys
import types
from pathlib import Path

import claims
import in_place
import pytest
import qd

FOLDER = Path(__file__).resolve().parents[2] / "runtime" / "python" / "docs"
PAGES = {path: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.md"))}
SECTION = re.compile(r"^## (.+)\n((?:(?!## ).*\n)*)", re.MULTILINE)
EXAMPLE = re.compile(r"(<!-- compiled -->\n)?^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
PLACES = {title: path for path, page in PAGES.items() for title, body in SECTION.findall(page) if EXAMPLE.search(body)}
SECTIONS = {title: dict(SECTION.findall(PAGES[path]))[title] for title, path in PLACES.items()}


def run(title: str, arch: str, folder: Path) -> list[tuple[str, str, str]]:
    """Each example of a section that runs on `arch`: its code, its output by the page, and its real output."""
    name = "_".join(re.findall(r"[a-z]+", title.lower())[:2])
    examples = EXAMPLE.findall(SECTIONS[title])
    path = folder / f"{name}.py"
    path.write_text("\n".join(code for _, code, _ in examples), encoding="utf-8")
    module = types.ModuleType(f"guide_{name}_{arch}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    results, line = [], 0
    for only_compiled, code, text in examples:
        if not only_compiled or arch != "python":
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                # As a notebook does: of one text with another one's imports Python makes other instructions than of the whole file.
                for statement in ast.parse("\n" * line + code, str(path)).body:
                    exec(compile(ast.Module([statement], []), str(path), "exec"), module.__dict__)
                qd.sync()
            results.append((code, text, printed.getvalue().replace(f"{folder}{os.sep}", "")))
        line += code.count("\n") + 1
    return results


@pytest.mark.parametrize("title", SECTIONS)
def test_examples(title: str, arch: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if title in ("Debug mode", "Threads, signals, the end"):  # their launches raise at once
        in_place.needed()
    if title == "Blocks side by side":
        claims.needed()
    monkeypatch.setenv("QD_ARCH", arch)
    monkeypatch.setenv("QD_LOG_LEVEL", "error")
    try:
        results = run(title, arch, tmp_path)
    finally:
        qd.reset()
        sys.modules.pop(f"guide_{'_'.join(re.findall(r'[a-z]+', title.lower())[:2])}_{arch}", None)
    if os.environ.get("QD_UPDATE_GOLD") and arch != "python":
        page = PLACES[title].read_text(encoding="utf-8")
        for code, text, printed in results:
            old = f"```python\n{code}```\n" + (f"\n```text\n{text}```\n" if text else "")
            assert page.count(old) == 1, old
            page = page.replace(old, f"```python\n{code}```\n" + (f"\n```text\n{printed}```\n" if printed else ""))
        PLACES[title].write_text(page, encoding="utf-8")
        return
    for code, text, printed in results:
        assert printed == text, f"on arch={arch}, example of section {title!r}:\n{code}"


def test_every_example_is_in_a_section_of_its_own_title() -> None:
    for form, number in (("```python\n", sum(len(EXAMPLE.findall(body)) for body in SECTIONS.values())), ("```text\n", len(texts()))):
        assert sum(page.count(form) for page in PAGES.values()) == number, form


def texts() -> list[str]:
    return [text for body in SECTIONS.values() for _, _, text in EXAMPLE.findall(body) if text]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_contents_list_every_section(path: Path) -> None:
    contents = PAGES[path].partition("\n## ")[0]
    anchors = [re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-") for title, _ in SECTION.findall(PAGES[path])]
    assert re.findall(r"\]\(#([^)]+)\)", contents) == anchors
