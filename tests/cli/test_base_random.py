"""`qd-cov diff --base`: categories against files whose lines are known by construction."""

from __future__ import annotations

import json
import os
import random
from collections import defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from base_reports import against_base, keep_base
from diff_repository import Repository

THEN, NOW = "# then", "# now"  # the pattern of exclusion in the base, and the one of now


@dataclass(frozen=True)
class Piece:
    """Some lines that come and go together; a statement, or none."""

    lines: tuple[str, ...]
    is_statement: bool = True


@dataclass
class Version:
    """A file at one time."""

    pieces: list[Piece]
    executed: set[Piece] = field(default_factory=set)
    measured: bool = True

    def text(self) -> str:
        return "".join(line + "\n" for piece in self.pieces for line in piece.lines)

    def places(self) -> dict[Piece, int]:
        """First lines."""
        at, result = 1, {}
        for piece in self.pieces:
            result[piece] = at
            at += len(piece.lines)
        return result

    def statements(self, excluded: str) -> dict[Piece, int]:
        return {piece: at for piece, at in self.places().items() if piece.is_statement and excluded not in piece.lines[0]}


class Maker:
    """Random files of lines that are all different, so that there is one way only to follow them."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.n = 0

    def piece(self) -> Piece:
        self.n += 1
        n = self.n
        kinds = [
            Piece((f"v{n} = {n}",)),
            Piece((f"v{n} = [", *(f"    {n * 1000 + i}," for i in range(self.chance.randrange(1, 4))), f"]  # {n}")),
            Piece((f"# {n}",), False),
            Piece((f"v{n} = {n}  {THEN}",)),
            Piece((f"v{n} = {n}  {NOW}",)),
        ]
        return self.chance.choices(kinds, [6, 3, 2, 1, 1])[0]

    def version(self, n: int) -> Version:
        version = Version([self.piece() for _ in range(n)])
        return self.run(version)

    def run(self, version: Version) -> Version:
        version.executed = {piece for piece in version.pieces if piece.is_statement and self.chance.random() < 0.6}
        return version

    def edit(self, old: Version, n_edits: int) -> Version:
        pieces = list(old.pieces)
        for _ in range(n_edits):
            at = self.chance.randrange(len(pieces) + 1)
            what = self.chance.randrange(4)
            if what == 0 or at == len(pieces):
                pieces[at:at] = [self.piece() for _ in range(self.chance.randrange(1, 4))]
            elif what == 1:
                del pieces[at : at + self.chance.randrange(1, 4)]
            elif what == 2 or len(pieces[at].lines) == 1:
                pieces[at] = self.piece()
            else:
                # Any line of a statement is the statement.
                lines = list(pieces[at].lines)
                inner = self.chance.randrange(1, len(lines) - 1) if len(lines) > 2 else 1
                self.n += 1
                lines[inner : inner + self.chance.randrange(2)] = [f"    {self.n * 1000},"]
                pieces[at] = replace(pieces[at], lines=tuple(lines))
        return self.run(Version(pieces))


def expected(old: Version | None, new: Version | None) -> dict[str, list[int]]:
    """The categories, from genhtml's definitions."""
    result: dict[str, list[int]] = defaultdict(list)
    before = old.statements(THEN) if old and old.measured else {}
    now = new.statements(NOW) if new else {}
    for piece, line in now.items():
        covered = new is not None and new.measured and piece in new.executed
        if old is None or piece not in old.pieces:
            result["GNC" if covered else "UNC"].append(line)
        elif piece not in before:
            result["GIC" if covered else "UIC"].append(line)
        elif old.measured and piece in old.executed:
            result["CBC" if covered else "LBC"].append(line)
        else:
            result["GBC" if covered else "UBC"].append(line)
    places = new.places() if new else {}
    for piece, line in before.items():
        assert old is not None
        covered = piece in old.executed
        if piece in now:
            continue
        if piece in places:
            result["ECB" if covered else "EUB"].append(places[piece])
        else:
            result["DCB" if covered else "DUB"].append(line)
    return {category: sorted(lines) for category, lines in sorted(result.items())}


def measure(repo: Repository, files: dict[str, Version]) -> None:
    """Writes data with the executed lines of the measured files."""
    repo.measure({name: [version.places()[piece] for piece in version.executed] for name, version in files.items() if version.measured})


@pytest.mark.parametrize("seed", range(int(os.environ.get("QD_BASE_REPORTS", "3"))))
@pytest.mark.parametrize("how", ["coverage", "commit", "earlier commit"])
def test_categories_of_random_edits(tmp_path: Path, how: str, seed: int) -> None:
    make = Maker(seed)
    repo = Repository(tmp_path / "repo")
    repo.write("then.ini", f"[report]\nexclude_also = {THEN}\n")
    repo.write(".coveragerc", f"[report]\nexclude_also = {NOW}\n")
    old = {f"pkg/m{i}.py": make.version(make.chance.randrange(4, 30)) for i in range(5)} | {"gone.py": make.version(9), "was.py": make.version(30)}
    old["pkg/m3.py"].measured = False
    for name, version in old.items():
        repo.write(name, version.text())
    repo.commit()
    measure(repo, old)
    keep_base(repo, "--rcfile=then.ini", *([] if how == "coverage" else ["--record-commit"]), tool="coverage" if how == "coverage" else "qd-cov")
    if how == "earlier commit":
        # Main goes on after the base was measured: the change has another base than the comparison.
        for name in ("pkg/m0.py", "pkg/m1.py"):
            moved = make.edit(old[name], 2)
            repo.write(name, moved.text())
        repo.commit()
    repo.branch("work")
    new = {name: make.edit(version, make.chance.randrange(4)) for name, version in old.items() if name not in ("gone.py", "was.py")}
    new["pkg/m2.py"] = make.run(Version(list(old["pkg/m2.py"].pieces)))
    new["pkg/m4.py"].measured = seed % 2 == 0
    new["is.py"] = make.edit(old["was.py"], 1)
    new["new.py"] = make.version(6)
    repo.git("rm", "-q", "gone.py")
    repo.git("mv", "was.py", "is.py")
    for name, version in new.items():
        repo.write(name, version.text())
    if seed % 3 != 0:
        repo.commit()
    else:
        repo.git("add", "new.py")  # the rest is in the working tree alone
    measure(repo, new)

    report = against_base(repo)
    pairs = {name: (old.get({"is.py": "was.py"}.get(name, name)), new.get(name)) for name in [*new, "gone.py"]}
    wanted = {name: expected(*pair) for name, pair in pairs.items() if (pair[0] and pair[0].measured) or (pair[1] and pair[1].measured)}
    news = {name: lines for name, lines in wanted.items() if set(lines) - {"CBC", "UBC"} or name == "is.py"}
    shown_files = {name: dict(sorted(file["lines"].items())) for name, file in report["files"].items()}
    if "pkg/m4.py" not in news:
        shown_files.pop("pkg/m4.py", None)  # without data
    assert shown_files == news
    assert report["left_out"] == {}
    assert report["files"]["is.py"]["old_path"] == "was.py"
    for category, n in report["lines"].items():
        assert n == sum(len(file.get(category, [])) for file in wanted.values())
    # Nothing of the base is forgotten, and nothing of now.
    totals = json.loads((repo.folder.parent / "base.json").read_text())["totals"]
    assert sum(report["lines"][c] for c in ("LBC", "CBC", "ECB", "DCB")) == totals["covered_lines"] == report["before"]["covered"]
    assert sum(report["lines"][c] for c in ("UBC", "GBC", "EUB", "DUB")) == totals["missing_lines"]
    assert report["recorded"] is (how != "coverage")
