"""Every number on the HTML report is computed from what the page says it is of: all tables, rows, heads and filters are read from the screen in a browser, and
held against coverage.py's numbers of the same files, functions, devices and contexts (number_project.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import number_project
import pytest
from browser import Opened, Page
from coverage.results import Numbers
from number_project import CONTEXTS, FILES, ORIGINS, Outcomes, Selection, decisions_by_line, lines_of_origins, outcomes

Both = tuple[Numbers, Outcomes]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("numbers")
    number_project.measure(folder)
    return folder


@pytest.fixture(scope="module")
def everything(project: Path) -> Selection:
    return Selection(project)


def percent(some: int, of: int) -> str:
    """As coverage.py rounds it."""
    return Numbers(precision=0, n_files=1, n_statements=of, n_missing=of - some).pc_covered_str + "%"


def plus(parts: Iterable[Both]) -> Both:
    numbers, conditions = Numbers(), Outcomes()
    for n, c in parts:
        numbers, conditions = numbers + n, conditions + c
    return numbers, conditions


def shown(of: Both) -> dict[str, str]:
    """What a row of a table says."""
    n, c = of
    return {
        "Statements": str(n.n_statements), "Missing": str(n.n_missing), "Excluded": str(n.n_excluded), "Ran": percent(n.n_executed, n.n_statements),
        "Branches": str(n.n_branches), "Partial": str(n.n_partial_branches), "Taken": percent(n.n_executed_branches, n.n_branches),
        "Conditions": f"{c.seen}/{c.all}", "MC/DC": f"{c.alone}/{c.decide}", "Coverage": n.pc_covered_str + "%",
    }  # fmt: skip


def is_covered(of: Both) -> bool:
    n, c = of
    return n.n_missing == 0 and n.n_partial_branches == 0 and c.seen == c.all and c.alone == c.decide


def table(page: Page) -> tuple[list[tuple[list[str], dict[str, str]]], dict[str, str]]:
    """The rows on the screen: their names, and their numbers by column; and the total."""
    page.driver.set_window_size(1600, 2000)
    page.wait(lambda: page.all("#rows tbody tr:not(.space)") or page.all(".empty"))
    text = "[...row.cells].slice(0, -1).map(cell => (cell.querySelector('a') ?? cell).innerText.trim())"
    heads = page.script("[...document.querySelectorAll('#rows thead th')].slice(0, -1).map(one => one.innerText.trim())")
    rows = page.script(f"[...document.querySelectorAll('#rows tbody tr:not(.space)')].map(row => {text})")
    total = page.script(f"[...document.querySelectorAll('#rows tfoot tr')].map(row => {text})[0]")
    names = 2 if heads[1] in ("Function", "Class") else 1
    bars = page.script("[...document.querySelectorAll('#rows .meter')].map(one => one.classList.contains('none') ? '' : one.firstChild.style.width)")
    coverage = heads.index("Coverage")
    for row, bar in zip([*rows, [""] * (names - 1) + total], bars, strict=True):
        if bar:
            assert abs(float(bar.removesuffix("%")) - float(row[coverage].removesuffix("%"))) <= 1
    result = [(row[:names], dict(zip(heads[names:], row[names:], strict=True))) for row in rows]
    return result, dict(zip(heads[names:], total[1:], strict=True))


def check_table(page: Page, wanted: dict[tuple[str, ...], Both], parts: Iterable[Both] | None = None) -> None:
    """Rows and total; `parts` are those of the total where rows hold each other."""
    rows, total = table(page)
    assert {tuple(names): numbers for names, numbers in rows} == {names: shown(n) for names, n in wanted.items()}
    assert len(rows) == len(wanted)
    assert total == shown(plus(wanted.values() if parts is None else parts))


def filters(page: Page, files: dict[tuple[str, ...], Both], check: Callable[[dict[tuple[str, ...], Both]], None]) -> None:
    """What the filters leave, with its total and its count."""

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


def test_head(project: Path, everything: Selection, opened: Opened) -> None:
    """The figure, the title, and the shares beside it."""
    page = opened(project / "htmlcov/index.html", "#files")
    n, c = plus(everything.numbers(name) for name in FILES)
    assert page.one(".figure").text == n.pc_covered_str + "%"
    assert page.driver.title.endswith(f"{n.pc_covered_str}%")
    shares = page.script("[...document.querySelectorAll('.shares > div')].map(one => [...one.children].map(part => part.textContent))")
    missing = n.n_missing_branches
    assert [[what, share, rest] for what, _, share, rest in shares] == [
        ["Statements", percent(n.n_executed, n.n_statements), f"ran; {n.n_missing} of {n.n_statements} missing, {n.n_excluded} excluded"],
        ["Branches", percent(n.n_executed_branches, n.n_branches), f"taken; {missing} of {n.n_branches} missing, {n.n_partial_branches} in lines that ran"],
        ["Conditions", percent(c.seen, c.all), f"seen; {c.seen} of {c.all} outcomes"],
        ["MC/DC", percent(c.alone, c.decide), f"decide alone; {c.alone} of {c.decide} conditions"],
    ]
    for width, share in zip(page.script("[...document.querySelectorAll('.shares rect:last-child')].map(one => one.getAttribute('width'))"), shares, strict=True):
        assert abs(float(width) - float(share[2].removesuffix("%"))) <= 1
    static = page.script("new DOMParser().parseFromString(document.querySelector('noscript').textContent, 'text/html').body.innerHTML")
    page.script("document.body.insertAdjacentHTML('beforeend', arguments[0])", static)
    rows = page.script("[...document.querySelectorAll('table.static tbody tr, table.static tfoot tr')].map(row => [...row.cells].map(cell => cell.textContent))")
    wanted = {name: shown(everything.numbers(name)) for name in FILES} | {"Total": shown((n, c))}
    columns = ("Statements", "Missing", "Excluded", "Branches", "Partial", "Coverage")
    assert {row[0]: row[1:] for row in rows} == {name: [numbers[column] for column in columns] for name, numbers in wanted.items()}


def test_files(project: Path, everything: Selection, opened: Opened) -> None:
    """The table of files, with every filter."""
    page = opened(project / "htmlcov/index.html", "#files")
    files = {(name,): everything.numbers(name) for name in FILES}
    filters(page, files, lambda rows: check_table(page, rows))
    page.screenshot("numbers-files")


def test_tree(project: Path, everything: Selection, opened: Opened) -> None:
    """Folders are the sums of what is in them, of a folder alone too."""
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
        if folder:  # folders with one folder in them are one row
            wanted = {("lib/deep/" if names == ("deep/",) else names[0],): n for names, n in wanted.items() if names != ("lib/",)}
        check_table(page, wanted, within.values())
    page.screenshot("numbers-tree")


@pytest.mark.parametrize(("kind", "view"), [("function", "functions"), ("class", "classes")])
def test_regions(project: Path, everything: Selection, opened: Opened, kind: str, view: str) -> None:
    """The tables of functions and classes, with what is outside of them, with every filter."""
    page = opened(project / "htmlcov/index.html", f"#{view}")
    wanted = {(name, region or f"(no {kind})"): everything.numbers(name, lines) for name in FILES for region, _, lines in everything.regions(name, kind)}
    whole = plus(everything.numbers(name) for name in FILES)
    sum_of_rows = plus(wanted.values())
    assert sum_of_rows[1] == whole[1] and sum_of_rows[0].n_statements == whole[0].n_statements
    filters(page, wanted, lambda rows: check_table(page, rows))
    page.screenshot(f"numbers-{view}")


def test_contexts(project: Path, opened: Opened) -> None:
    """How many statements of how many files each context ran, and of each of them."""
    page = opened(project / "htmlcov/index.html", "#contexts")
    page.wait(lambda: page.all("#contexts-table tbody tr:not(.space)"))
    wanted = number_project.context_counts(project)
    total = sum(Selection(project).numbers(name)[0].n_statements for name in FILES)
    rows = page.script(
        "[...document.querySelectorAll('#contexts-table tbody tr:not(.space)')].map(row => [...row.cells].map(cell => cell.innerText.trim() || cell.title))"
    )
    assert {row[0]: row[1:] for row in rows} == {
        context or "(empty)": [str(len(n)), str(n.total()), f"{percent(n.total(), total)} of all statements"] for context, n in wanted.items() if n
    }
    for context, counted in wanted.items():
        page.script("location.hash = '#contexts/' + encodeURIComponent(arguments[0])", context)
        page.wait(lambda counted=counted: len(page.all(".runs section")) == len(counted) and all(one.text for one in page.all(".runs section p")))  # type: ignore[misc]
        heads = [one.text.rsplit(" ", 2) for one in page.all(".runs h2")]
        assert {name: int(n) for name, n, _ in heads} == dict(counted)


def subsets(items: Iterable[str]) -> Iterator[tuple[str, ...]]:
    items = list(items)
    return chain.from_iterable(combinations(items, n) for n in range(len(items)))


SELECTIONS: list[Any] = [None, *[("origins", one) for one in subsets(ORIGINS)], *[("contexts", (one,)) for one in CONTEXTS], ("contexts", (CONTEXTS[1], CONTEXTS[3]))]


@pytest.mark.parametrize("name", ["kernels.py", "lib/host.py"])
def test_source_view(project: Path, everything: Selection, opened: Opened, name: str) -> None:
    """Head, list of functions, and the chips of lines: of all that ran, of some devices, of some contexts."""
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
            selection = Selection(project, chosen[1])
        if chosen is not None and not choose(page, *chosen):
            continue
        check_source_view(page, name, selection, everything, f"{name}, {chosen}")
        if chosen in (("origins", ("cpu",)), ("contexts", (CONTEXTS[3],))):
            page.screenshot(f"numbers-{name.replace('/', '-')}-{chosen[0]}")


def choose(page: Page, what: str, names: tuple[str, ...]) -> bool:
    """By the chips for devices, and by the list of contexts. False: the file has no such choice."""
    if what == "origins":
        chips = {chip.text: chip.get_attribute("aria-pressed") == "true" for chip in page.all(".origins button")}
        for origin, pressed in chips.items():
            if pressed != (origin in names):
                next(chip for chip in page.all(".origins button") if chip.text == origin).click()
        return bool(chips)
    wanted = [name or "(empty)" for name in names]
    page.script("document.querySelectorAll('.view-bar .chip.part').forEach(one => one.click())")
    if not page.all(".view-bar .choose"):
        page.one(".view-bar .tests").click()
        page.wait(lambda: page.all(".view-bar .choose"))
    found = True
    for name in wanted:
        page.one(".view-bar .choose").click()
        page.wait(lambda: page.all(".pop li input"))
        boxes = {item.text.strip(): item.find_element("css selector", "input") for item in page.all(".pop li")}
        found = found and name in boxes
        if name in boxes:
            boxes[name].click()
        page.script("document.getElementById('line-pop').hidePopover()")
        page.wait(lambda name=name: name not in boxes or any(one.text.startswith(name) for one in page.all(".view-bar .chip.part")))  # type: ignore[misc]
    return found


def check_source_view(page: Page, name: str, selection: Selection, everything: Selection, where: str) -> None:
    """Every number of the file view, as it is on the screen."""
    page.wait(lambda: page.all(".view-head h2"))
    n, c = selection.numbers(name)
    everybody, _ = everything.numbers(name) if selection.lines is None else Selection.numbers(with_lines(everything, selection), name)
    head = page.script("[...document.querySelectorAll('.view-head h2 .chip:not(.kernel), .view-head h2 .push')].map(one => one.textContent)")
    wanted = [n.pc_covered_str + "%" if n.n_statements or selection is everything else "–", f"{n.n_statements} statement" + ("" if n.n_statements == 1 else "s")]
    if c.all:
        wanted.insert(1, f"◇ {c.seen}/{c.all} outcomes")
    assert head == wanted, where
    bar = dict(page.script("[...document.querySelectorAll('.view-bar [data-key]')].map(one => [one.dataset.key, Number(one.querySelector('b').textContent)])"))
    bar.setdefault("p", 0)
    assert bar == {"r": n.n_executed, "m": everybody.n_missing, "x": n.n_excluded, "p": n.n_partial_branches}, where
    others = page.script("document.querySelector('.view-bar .others')?.textContent ?? '– 0 by others'")
    assert others == f"– {everybody.n_executed - n.n_executed} by others", where
    items = page.script("[...document.querySelectorAll('#outline li')].map(one => [one.title, one.querySelector('.chip').textContent])")
    regions = []
    for kind in ("function", "class"):
        for region, _, lines in selection.regions(name, kind):
            if region:
                r, _ = selection.numbers(name, lines)
                title = f"{region}: {r.n_executed} of {r.n_statements} statements ran"
                title += f", {r.n_executed_branches} of {r.n_branches} branches taken" if r.n_branches else ""
                regions.append([title, r.pc_covered_str + "%" if r.n_statements else "–"])
    assert sorted(items) == sorted(regions), where
    check_lines(page, name, selection, everybody, where)


def with_lines(everything: Selection, selection: Selection) -> Selection:
    """All that ran, in the lines of a selection."""
    result = object.__new__(Selection)
    result.__dict__.update(everything.__dict__, lines=selection.lines)
    return result


def check_lines(page: Page, name: str, selection: Selection, everybody: Numbers, where: str) -> None:
    """The chips of branches and conditions, their labels and pop-overs."""
    page.wait(lambda: page.script("[...document.querySelectorAll('.piece')].every(one => one.classList.contains('drawn'))"))
    own = None if selection.lines is None else selection.lines[name]
    labels = page.script("Object.fromEntries([...document.querySelectorAll('.line .ways, .line .partly')].map(one => [one.closest('.line').id.slice(1), one.title.split('\\n')[0]]))")
    stats = {line: numbers for line, numbers in selection.files[name][1].branch_stats().items() if own is None or line in own}
    assert labels == {str(line): f"Branches of line {line}: {taken} of {of} taken" for line, (of, taken) in stats.items()}, where
    chips = page.script(
        "Object.fromEntries([...document.querySelectorAll('.line .chip.cond')].map(one => [one.closest('.line').id.slice(1), [one.textContent, one.title]]))"
    )
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
    for line, decisions in decisions_by_line().items() if wanted else []:
        if str(line) not in wanted:
            continue
        page.script(f"document.querySelector('#L{line} .chip.cond').click()")
        page.wait(lambda: page.all(".pop h3"))
        heads = [one.text for one in page.all(".pop h3 span")]
        assert heads == [f"{c.seen} of {c.all} outcomes" for c in (outcomes(one, selection.contexts) for one in decisions)], where
        cells = page.script("[...document.querySelectorAll('.pop tbody tr')].filter(row => row.cells.length === 4 && /[✓✗]/.test(row.cells[1].textContent))"
                            ".map(row => [...row.cells].slice(1).map(cell => cell.textContent[0]))")  # fmt: skip
        flat = []
        for decision in decisions:
            for i in range(len(decision[3])):
                one = (*decision[:3], [decision[3][i]], {k: [w.split(":")[0][i] + ":" + w.split(":")[1] for w in ways] for k, ways in decision[4].items()})
                values = {w[0] for k, ways in one[4].items() if k in selection.contexts for w in ways}
                flat.append(["✓" if "T" in values else "✗", "✓" if "F" in values else "✗"])
        assert [row[:2] for row in cells] == flat, where
        assert sum(row[2] == "✓" for row in cells) == sum(outcomes(one, selection.contexts).alone for one in decisions), where
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
        assert sorted(one.text for one in page.all(".pop li")) == sorted(f"✗ {action} – not compiled: the kernel was not launched" for action in actions)
        page.screenshot(f"numbers-never-launched-{line - loop}")
        page.script("document.getElementById('line-pop').hidePopover()")


def test_host_lines_that_never_ran(project: Path, everything: Selection, opened: Opened) -> None:
    """The same for host code: no cause is given for a branch of a line that nobody came to."""
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
