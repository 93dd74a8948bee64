"""Every number of the HTML report's index is computed from the files, functions and contexts that the page says it is of.

All tables, rows, totals and filters are read from the screen, and held against coverage.py's numbers of the same files, functions and contexts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import number_project
import pytest
from browser import Opened, Page
from coverage.results import Numbers
from number_project import FILES, ORIGINS, Outcomes, Selection

Both = tuple[Numbers, Outcomes, tuple[Numbers, ...]]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("numbers")
    number_project.measure(folder)
    return folder


class Everything:
    """All executed lines, and those of each arch."""

    def __init__(self, project: Path) -> None:
        self.selection = Selection(project)
        self.archs = number_project.selections_of_archs(project)

    def numbers(self, name: str, lines: Iterable[int] | None = None) -> Both:
        """Numbers of a file, or of some of its lines."""
        lines = None if lines is None else set(lines)
        return *self.selection.numbers(name, lines), tuple(one.numbers(name, lines)[0] for one in self.archs.values())

    def regions(self, name: str, kind: str) -> list[tuple[str, int, set[int]]]:
        """Regions, as those of a selection."""
        return self.selection.regions(name, kind)


@pytest.fixture(scope="module")
def everything(project: Path) -> Everything:
    return Everything(project)


def percent(some: int, of: int) -> str:
    """A percentage as coverage.py rounds it."""
    return Numbers(precision=0, n_files=1, n_statements=of, n_missing=of - some).pc_covered_str + "%"


def plus(parts: Iterable[Both]) -> Both:
    numbers, conditions, archs = Numbers(), Outcomes(), tuple(Numbers() for _ in ORIGINS)
    for n, c, of_archs in parts:
        numbers, conditions = numbers + n, conditions + c
        archs = tuple(a + b for a, b in zip(archs, of_archs, strict=True))
    return numbers, conditions, archs


def shown(of: Both) -> dict[str, str]:
    """The cells of a row of a table."""
    n, c, archs = of
    return {
        "Statements": str(n.n_statements), "Missing": str(n.n_missing), "Excluded": str(n.n_excluded),
        "Ran": percent(n.n_executed, n.n_statements) if n.n_statements else "–",
        "Branches": str(n.n_branches), "Partial": str(n.n_partial_branches),
        "Taken": percent(n.n_executed_branches, n.n_branches) if n.n_branches else "–",
        "Conditions": f"{c.seen}/{c.all}" if c.all else "–", "MC/DC": f"{c.alone}/{c.decide}" if c.decide else "–",
        "Coverage": n.pc_covered_str + "%" if n.n_statements + n.n_branches else "–",
        **{arch: a.pc_covered_str + "%" if a.n_statements else "–" for arch, a in zip(ORIGINS, archs, strict=True)},
    }  # fmt: skip


def is_covered(of: Both) -> bool:
    n, c, _ = of
    return n.n_missing == 0 and n.n_partial_branches == 0 and c.seen == c.all and c.alone == c.decide


def table(page: Page) -> tuple[list[tuple[list[str], dict[str, str]]], dict[str, str]]:
    """The rows on the screen: their names, and their numbers by column; and the total."""
    page.driver.set_window_size(1800, 2000)
    page.wait(lambda: page.all("#rows tbody tr:not(.space)") or page.all(".empty"))
    text = "[...one.cells].slice(0, -1).map(cell => (cell.querySelector('a') ?? cell).innerText.trim())"
    heads = page.each("#rows thead th:not(:last-child)", "one.innerText.trim()")
    rows = page.each("#rows tbody tr:not(.space)", text)
    (total,) = page.each("#rows tfoot tr", text)
    names = 2 if heads[0] in ("Function", "Class", "Kernel") else 1
    bars = page.each("#rows .meter", "one.classList.contains('none') ? '' : one.firstChild?.style.width ?? '0%'")
    coverage = heads.index("Coverage")
    for row, bar in zip([*rows, [""] * (names - 1) + total], bars, strict=True):
        if bar:
            assert abs(float(bar.removesuffix("%")) - float(row[coverage].removesuffix("%"))) <= 1
    result = [(row[:names][::-1], dict(zip(heads[names:], row[names:], strict=True))) for row in rows]
    return result, dict(zip(heads[names:], total[1:], strict=True))


def check_table(page: Page, wanted: dict[tuple[str, ...], Both], parts: Iterable[Both] | None = None) -> None:
    """Rows and total; `parts` are those of the total where rows hold each other."""
    rows, total = table(page)
    assert {tuple(names): numbers for names, numbers in rows} == {names: shown(n) for names, n in wanted.items()}
    assert len(rows) == len(wanted)
    assert total == shown(plus(wanted.values() if parts is None else parts))


def filters(page: Page, files: dict[tuple[str, ...], Both], check: Callable[[dict[tuple[str, ...], Both]], None]) -> None:
    """The rows that the filters leave, with their total and their count."""

    def count(rows: dict[tuple[str, ...], Both]) -> None:
        check(rows)
        text = page.one("#filter-count").text
        assert text.split()[0] == str(len(rows)) and (len(rows) == len(files)) == (" of " not in text), text

    count(files)
    page.fill("#filter", "lib")
    count({names: n for names, n in files.items() if "lib" in names[0]})
    page.fill("#filter", "n")
    count({names: n for names, n in files.items() if "n" in " ".join(names).replace("(no function)", "").replace("(no class)", "").lower()})
    page.script("document.getElementById('filter').value = '', document.getElementById('filter').dispatchEvent(new Event('input'))")
    page.one("#kernels-only").click()
    count({names: n for names, n in files.items() if names[0].endswith("kernels.py")})
    page.one("#kernels-only").click()
    page.one("#hide-covered").click()
    count({names: n for names, n in files.items() if not is_covered(n)})
    page.one("#hide-covered").click()
    count(files)


def test_head(project: Path, everything: Everything, opened: Opened) -> None:
    """The figure, the title, and the shares beside it."""
    page = opened(project / "htmlcov/index.html", "#files")
    n, c, archs = plus(everything.numbers(name) for name in FILES)
    assert page.one(".figure").text == n.pc_covered_str + "%"
    assert page.driver.title.endswith(f"{n.pc_covered_str}%")
    shares = page.each(".shares > div", "[...one.children].map(part => part.textContent)")
    missing = f"{n.n_missing_branches} of {n.n_branches} missing"
    assert [[what, share, rest] for what, _, share, rest in shares] == [
        ["Statements", percent(n.n_executed, n.n_statements), f"ran; {n.n_missing} of {n.n_statements} missing, {n.n_excluded} excluded"],
        ["Branches", percent(n.n_executed_branches, n.n_branches), f"taken; {missing}, {n.n_partial_branches} in lines that ran"],
        *(
            [f"Kernels on {name}", percent(done, of), f"ran there: {done} of {of} statements and branches"]
            for name, done, of in (
                (name, a.n_executed + a.n_executed_branches, a.n_statements + a.n_branches) for name, a in zip(ORIGINS, archs, strict=True)
            )
            if name != "host"
        ),
        ["Conditions", percent(c.seen, c.all), f"seen; {c.seen} of {c.all} outcomes"],
        ["MC/DC", percent(c.alone, c.decide), f"decide alone; {c.alone} of {c.decide} conditions"],
    ]
    widths = page.each(".shares rect:last-child", "one.getAttribute('width')")
    for width, share in zip(widths, shares, strict=True):
        assert abs(float(width) - float(share[2].removesuffix("%"))) <= 1
    static = page.script("new DOMParser().parseFromString(document.querySelector('noscript').textContent, 'text/html').body.innerHTML")
    page.script("document.body.insertAdjacentHTML('beforeend', arguments[0])", static)
    rows = page.each("table.static tbody tr, table.static tfoot tr", "[...one.cells].map(cell => cell.textContent)")
    wanted = {name: shown(everything.numbers(name)) for name in FILES} | {"Total": shown((n, c, archs))}
    columns = ("Statements", "Missing", "Excluded", "Branches", "Partial", "Coverage", *ORIGINS)
    assert {row[0]: row[1:] for row in rows} == {name: [numbers[column] for column in columns] for name, numbers in wanted.items()}


def test_files(project: Path, everything: Everything, opened: Opened) -> None:
    """The table of files, with every filter."""
    page = opened(project / "htmlcov/index.html", "#files")
    files = {(name,): everything.numbers(name) for name in FILES}
    filters(page, files, lambda rows: check_table(page, rows))
    page.screenshot("numbers-files")


def test_tree(project: Path, everything: Everything, opened: Opened) -> None:
    """Folders are the sums of their files. A folder that is shown alone has no row: the line above the table names it."""
    page = opened(project / "htmlcov/index.html", "#tree")
    page.wait(lambda: page.all(".folding button"))
    page.all(".folding button")[0].click()
    files = {name: everything.numbers(name) for name in FILES}
    for folder in ("", "lib/deep/"):
        if folder:
            page.script(f"location.hash = '#/{folder}'")
            page.wait(lambda: page.all(".crumbs"))
        within = {name: n for name, n in files.items() if name.startswith(folder)}
        wanted = {(name.rsplit("/", 1)[-1],): n for name, n in within.items()}
        for path in {"/".join(name.split("/")[:i]) + "/" for name in within for i in range(1, len(name.split("/")))}:
            wanted[path.split("/")[-2] + "/",] = plus(n for name, n in within.items() if name.startswith(path))
        if folder:
            wanted = {names: n for names, n in wanted.items() if names not in {("lib/",), ("deep/",)}}
        check_table(page, wanted, within.values())
    page.screenshot("numbers-tree")


@pytest.mark.parametrize(("kind", "view"), [("function", "functions"), ("class", "classes")])
def test_regions(project: Path, everything: Everything, opened: Opened, kind: str, view: str) -> None:
    """The tables of functions and classes, with the code outside of them, with every filter."""
    page = opened(project / "htmlcov/index.html", f"#{view}")
    regions = [(name, region or f"(no {kind})", lines) for name in FILES for region, _, lines in everything.regions(name, kind)]
    wanted: dict[tuple[str, ...], Both] = {(name, region): everything.numbers(name, lines) for name, region, lines in regions}
    whole = plus(everything.numbers(name) for name in FILES)
    sum_of_rows = plus(wanted.values())
    assert sum_of_rows[1] == whole[1] and sum_of_rows[0].n_statements == whole[0].n_statements
    filters(page, wanted, lambda rows: check_table(page, rows))
    page.screenshot(f"numbers-{view}")


def test_tests(project: Path, opened: Opened) -> None:
    """The numbers of statements and of files that each test ran, in all of its contexts, and in each file."""
    page = opened(project / "htmlcov/index.html", "#contexts")
    page.wait(lambda: page.all("#contexts-table tbody tr:not(.space)"))
    wanted = number_project.test_counts(project)
    total = sum(Selection(project).numbers(name)[0].n_statements for name in FILES)
    text = "[...one.cells].map(cell => (cell.querySelector('a') ?? cell).innerText.trim() || cell.title)"
    rows = page.each("#contexts-table tbody tr:not(.space)", text)
    assert {row[0]: row[1:] for row in rows} == {
        test: [str(len(n)), str(n.total()), f"{percent(n.total(), total)} of all statements"] for test, n in wanted.items() if n
    }
    chips = page.each("#contexts-table tbody tr:not(.space)", "[...one.querySelectorAll('.chip')].map(chip => chip.textContent)")
    assert chips == [[], ["host", "cpu"], ["host", "cpu", "cuda"]]
    for test, counted in wanted.items():
        page.script("location.hash = '#contexts/' + encodeURIComponent(arguments[0])", test if "test_" in test else "")
        page.wait(lambda counted=counted: len(page.all(".runs section")) == len(counted) and all(one.text for one in page.all(".runs section p")))  # type: ignore[misc]
        heads = [one.text.rsplit(" ", 2) for one in page.all(".runs h2")]
        assert {name: int(n) for name, n, _ in heads} == dict(counted)
