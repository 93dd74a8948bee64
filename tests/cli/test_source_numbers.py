"""Every number of the HTML report's file view, of all that ran and of every choice of devices and contexts, is coverage.py's of that choice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import number_project
import pytest
from browser import Opened, Page
from condition_project import Measured
from coverage.results import Numbers
from number_project import ORIGINS, TESTS, Outcomes, Selection, decisions_by_line, lines_of_origins, outcomes


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("numbers")
    number_project.measure(folder)
    return folder


@pytest.fixture(scope="module")
def everything(project: Path) -> Selection:
    return Selection(project)


def subsets(items: Iterable[str]) -> Iterator[tuple[str, ...]]:
    items = list(items)
    return chain.from_iterable(combinations(items, n) for n in range(len(items)))


SELECTIONS: list[Any] = [
    None,
    *[("origins", one) for one in subsets(ORIGINS)],
    *[("tests", (one,)) for one in TESTS],
    ("tests", ("test_a", "test_b")),
]


@pytest.mark.parametrize("name", ["kernels.py", "lib/host.py"])
def test_source_view(project: Path, everything: Selection, opened: Opened, name: str) -> None:
    """Head, list of functions, and the chips of lines: of all that ran, of some devices, of some tests."""
    page = opened(project / "htmlcov/index.html", f"#/{name}")
    page.wait(lambda: page.all(".view .line"))
    page.one(".outline-toggle").click()
    page.wait(lambda: page.all("#outline li"))
    for chosen in SELECTIONS:
        if chosen is None:
            selection = everything
        elif chosen[0] == "origins":
            selection = Selection(project, [context for origin in chosen[1] for context in ORIGINS[origin]], lines_of_origins(project, chosen[1]))
        else:
            selection = Selection(project, [context for test in chosen[1] for context in TESTS[test]])
        if chosen is not None and not choose(page, *chosen):
            continue
        check_source_view(page, name, selection, everything, f"{name}, {chosen}")
        if chosen in (("origins", ("cpu",)), ("tests", ("test_a",))):
            page.screenshot(f"numbers-{name.replace('/', '-')}-{chosen[0]}")


def choose(page: Page, what: str, names: tuple[str, ...]) -> bool:
    """Chooses by the chips for devices, and by the list of tests. False: the file has no such choice."""
    if what == "origins":
        chips = {chip.text: chip.get_attribute("aria-pressed") == "true" for chip in page.all(".origins button")}
        for origin, pressed in chips.items():
            if pressed != (origin in names):
                next(chip for chip in page.all(".origins button") if chip.text == origin).click()
        return bool(chips)
    page.script("document.querySelectorAll('.view-bar .chip.part').forEach(one => one.click())")
    if not page.all(".view-bar .choose"):
        page.one(".view-bar .tests").click()
        page.wait(lambda: page.all(".view-bar .choose"))
    found = True
    for name in names:
        page.one(".view-bar .choose").click()
        page.wait(lambda: page.all(".pop li input"))
        boxes = {item.text.strip(): item.find_element("css selector", "input") for item in page.all(".pop li")}
        found = found and name in boxes
        if name in boxes:
            boxes[name].click()
        page.script("document.getElementById('line-pop').hidePopover()")
        page.wait(lambda name=name, boxes=boxes: name not in boxes or any(one.text.startswith(name[:10]) for one in page.all(".view-bar .chip.part")))
    return found


def check_source_view(page: Page, name: str, selection: Selection, everything: Selection, where: str) -> None:
    """Every number of the file view, as it is on the screen."""
    page.wait(lambda: page.all(".view-head h2"))
    n, c = selection.numbers(name)
    everybody, _ = everything.numbers(name) if selection.lines is None else Selection.numbers(with_lines(everything, selection), name)
    head = page.each(".view-head h2 .chip:not(.kernel), .view-head h2 .push", "one.textContent")
    percent = n.pc_covered_str + "%" if n.n_statements or selection is everything else "–"
    wanted = [percent, f"{n.n_statements} statement" + ("" if n.n_statements == 1 else "s")]
    if c.all:
        wanted.insert(1, f"◇ {c.seen}/{c.all} outcomes")
    assert head == wanted, where
    bar = dict(page.each(".view-bar [data-key]", "[one.dataset.key, Number(one.querySelector('b').textContent)]"))
    for key in "mxp":  # what is zero is not shown
        bar.setdefault(key, 0)
    assert bar == {"r": n.n_executed, "m": everybody.n_missing, "x": n.n_excluded, "p": n.n_partial_branches}, where
    others = page.script("document.querySelector('.view-bar .others')?.textContent ?? '– 0 by others'")
    assert others == f"– {everybody.n_executed - n.n_executed} by others", where
    items = page.each("#outline li", "[one.title, one.querySelector('.chip').textContent]")
    regions = []
    for kind in ("function", "class"):
        for region, _, lines in selection.regions(name, kind):
            if region:
                r, _ = selection.numbers(name, lines)
                title = f"{region}: {r.n_executed} of {r.n_statements} statement{'' if r.n_statements == 1 else 's'} ran"
                title += f", {r.n_executed_branches} of {r.n_branches} branches taken" if r.n_branches else ""
                regions.append([title, r.pc_covered_str + "%" if r.n_statements else "–"])
    idle = {title for title, chip in items if chip[0] in "○?✗"}  # kernels whose state stands for their share
    assert sorted(items) == sorted([title, dict(items)[title] if title in idle else share] for title, share in regions), where
    assert all(": 0 of " in title for title in idle), where
    check_lines(page, name, selection, everybody, where)


def with_lines(everything: Selection, selection: Selection) -> Selection:
    """All executed lines, within the lines of a selection."""
    result = object.__new__(Selection)
    result.__dict__.update(everything.__dict__, lines=selection.lines)
    return result


def check_lines(page: Page, name: str, selection: Selection, everybody: Numbers, where: str) -> None:
    """The chips of branches and conditions, their labels and pop-overs."""
    page.wait(lambda: page.script("[...document.querySelectorAll('.piece')].every(one => one.classList.contains('drawn'))"))
    own = None if selection.lines is None else selection.lines[name]
    labels = dict(page.each(".line .ways, .line .partly", "[one.closest('.line').id.slice(1), one.title.split('\\n')[0]]"))
    stats = {line: numbers for line, numbers in selection.files[name][1].branch_stats().items() if own is None or line in own}
    assert labels == {str(line): f"Branches of line {line}: {taken} of {of} taken" for line, (of, taken) in stats.items()}, where
    chips = dict(page.each(".line .chip.cond", "[one.closest('.line').id.slice(1), [one.textContent, one.title]]"))
    wanted = {}
    for line, decisions in decisions_by_line().items() if name == "kernels.py" else []:
        if own is not None and line not in own:
            continue
        c = Outcomes()
        for decision in decisions:
            c += outcomes(decision, selection.contexts)
        sign = "◆" if c.seen == c.all and c.alone == c.decide else "◇"
        label = f"Conditions of line {line}: {c.seen} of {c.all} outcomes seen, {c.alone} of {c.decide} decide alone"
        wanted[str(line)] = [f"{sign} {c.seen}/{c.all}", label]
    assert chips == wanted, where
    for line, decisions in decisions_by_line().items():
        if str(line) in wanted:
            check_conditions(page, line, decisions, selection.contexts, where)


def check_conditions(page: Page, line: int, decisions: Sequence[Measured], contexts: Sequence[str], where: str) -> None:
    """The pop-over of a chip: which outcomes of each condition were seen, and how many conditions decide alone."""
    page.script(f"document.querySelector('#L{line} .chip.cond').click()")
    page.wait(lambda: page.all(".pop h3"))
    numbers = [outcomes(decision, contexts) for decision in decisions]
    assert [one.text for one in page.all(".pop h3 span")] == [f"{c.seen} of {c.all} outcomes" for c in numbers], where
    cells = page.each(".pop tbody tr", "[...one.cells].slice(1).map(cell => cell.textContent[0])")
    rows = [row for row in cells if row[0] in ("✓", "✗")]  # the others are of the ways
    wanted = []
    for _, _, _, conditions, measured in decisions:
        ways = [way for context, ways in measured.items() if context in contexts for way in ways]
        seen = [{way[i] for way in ways} for i in range(len(conditions))]
        wanted += [["✓" if value in values else "✗" for value in "TF"] for values in seen]
    assert [row[:2] for row in rows] == wanted, where
    assert sum(row[2] == "✓" for row in rows) == sum(c.alone for c in numbers), where
    page.script("document.getElementById('line-pop').hidePopover()")


def test_kernels_that_were_never_launched(project: Path, opened: Opened) -> None:
    """Their pop-overs claim nothing of a run that never was."""
    page = opened(project / "htmlcov/index.html", "#/kernels.py")
    page.wait(lambda: page.all(".view .line"))
    lines = number_project.KERNELS.splitlines()
    loop = lines.index("def never(x: qd.types.ndarray(dtype=qd.f32, ndim=1)):") + 2
    for line, actions in ((loop, [f"→ {loop + 1} jump to line {loop + 1}", "→ exit return from function 'never'"]),
                          (loop + 1, [f"→ {loop + 2} jump to line {loop + 2}", f"→ {loop + 4} jump to line {loop + 4}"])):  # fmt: skip
        page.script(f"document.querySelector('#L{line} .ways').click()")
        page.wait(lambda: page.all(".pop li"))
        wanted = sorted(f"✗ {action} – not compiled: the kernel was not launched" for action in actions)
        assert sorted(one.text for one in page.all(".pop li")) == wanted
        page.screenshot(f"numbers-never-launched-{line - loop}")
        page.script("document.getElementById('line-pop').hidePopover()")


def test_host_lines_that_never_ran(project: Path, everything: Selection, opened: Opened) -> None:
    """The same for host code: no cause is given for a branch of a line that did not run."""
    page = opened(project / "htmlcov/index.html", "#/lib/deep/other.py")
    page.wait(lambda: page.all(".view .line"))
    analysis = everything.files["lib/deep/other.py"][1]
    never = sorted(set(analysis.branch_stats()) & set(analysis.missing))
    ran = sorted(set(analysis.missing_branch_arcs()) - set(never))
    assert never and ran, "the lot gives both"
    for line in never + ran:
        page.script(f"document.querySelector('#L{line} .ways, #L{line} .partly').click()")
        page.wait(lambda: page.all(".pop li"))
        texts = [one.text for one in page.all(".pop li")]
        assert all(text.endswith("– the line never ran") and "because" not in text for text in texts) == (line in never), texts
        page.script("document.getElementById('line-pop').hidePopover()")
