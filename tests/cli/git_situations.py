"""Situations of git repositories, each built from nothing: the list of them, and what several of them begin with.

A line of source that is part of the change has "new" in it, one that is not has "old":
the expected answer of a tool is in the files themselves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from diff_repository import Repository

OLD = "".join(f"old{i} = {i}\n" for i in range(1, 13))


@dataclass
class Situation:
    """A change: `build` makes it; `options` are those of the tool, `cwd` is its current folder, `note` is part of a note in the report, and
    `environment` is the tool's ("@" stands for the repository)."""

    name: str
    build: Callable[[Repository], None]
    options: tuple[str, ...] = ()
    cwd: str = "."
    note: str = ""
    environment: dict[str, str] = field(default_factory=dict)


SITUATIONS: list[Situation] = []


def situation(
    *options: str, cwd: str = ".", note: str = "", **environment: str
) -> Callable[[Callable[[Repository], None]], Callable[[Repository], None]]:
    """Adds a situation; its name is that of the function."""

    def add(build: Callable[[Repository], None]) -> Callable[[Repository], None]:
        SITUATIONS.append(Situation(build.__name__.replace("_", " "), build, options, cwd, note, environment))
        return build

    return add


def situations(build: Callable[..., None], rows: dict[str, tuple[Any, ...]]) -> None:
    """Adds situations that differ in arguments: their names, and what `build` has behind the repository."""
    SITUATIONS.extend(Situation(name, lambda repo, more=more: build(repo, *more)) for name, more in rows.items())


def with_line(at: int, text: str = "new = 1\n", *, instead: bool = True, source: str = OLD) -> str:
    """The source with a line in place of, or before, line `at`."""
    lines = source.splitlines(keepends=True)
    lines[at - 1 : at if instead else at - 1] = [text]
    return "".join(lines)


def base_has(repo: Repository, files: dict[str, str | bytes]) -> None:
    """More files in the base."""
    repo.git("checkout", "-q", "main")
    for path, text in files.items():
        repo.write(path, text)
    repo.commit()
    repo.git("checkout", "-q", "-B", "work")


def on_main(repo: Repository, path: str, text: str) -> None:
    """Main goes on."""
    repo.git("checkout", "-q", "main")
    repo.write(path, text)
    repo.commit()
    repo.git("checkout", "-q", "work")
