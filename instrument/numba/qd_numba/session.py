"""Session of a process: the compiled libraries that it has, and the journal in which their hits are."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from types import CodeType
from typing import Any

from . import marks
from .journal import Journal, hit_line, record_line
from .native import Recorder, State, point_to
from .settings import Present, folder, measures_branches, relative_to, static_label
from .sources import Source

ARCH = "numba:cpu"


class Session:
    """Takes the hits of compiled code from its start on."""

    def __init__(self, present: Present, tell: Callable[[str], None]) -> None:
        self._present = present
        self._tell = tell
        self._gave_up = False
        self._recorder: Recorder | None = None
        self._journal: Journal | None = None
        self._states: list[State] = []
        self._records: list[bytes] = []
        """The records of all code, for the journal of a child process."""
        self._next = 0
        self._lock = threading.RLock()
        # A child has another lock, which is that of its own forks.
        os.register_at_fork(before=lambda: self._lock.acquire(), after_in_parent=lambda: self._lock.release(), after_in_child=self._after_fork)

    def add(self, engine: Any, symbol: str, names: list[str], main: str, arguments: str) -> None:
        """Takes in compiled code, before it runs: the marks that its bits stand for, and the function of which it is a variant."""
        with self._lock:
            first = self._next
            self._next += len(names)
            if not self._record(record_line(_code(first, names, main, arguments))):
                return  # nothing takes the bits of this code
            assert self._recorder is not None
            state = State(self._recorder, b"".join(hit_line(first + number) for number in range(len(names))), len(names))
            self._states.append(state)
            point_to(engine, symbol, state)

    def note_error(self, source: Source, code: CodeType, message: str) -> None:
        """Notes that a function does not compile for some types."""
        with self._lock:
            first_line = source.first_lines.get(code.co_firstlineno, code.co_firstlineno)
            entry = {"file": source.file, "first_line": first_line, "name": marks.name_of(code), "kernel": marks.is_kernel(code)}
            record = record_line({"kind": "error", "arch": ARCH, "function": entry, "message": message})
            if record not in self._records:
                self._record(record)

    def switch_context(self, label: str) -> None:
        """Counts later hits for another context."""
        with self._lock:
            if label == self._present.label:
                return
            self._present.label = label
            if self._journal is not None:
                try:
                    self._journal.write(self._context())
                except OSError as error:
                    self._give_up(error)
            for state in self._states:
                state.clear()

    def pause(self, paused: bool) -> None:
        """Records nothing, or goes on."""
        with self._lock:
            self._present.paused = paused
            self._direct()

    def close(self) -> str | None:
        """Ends the recording, and gives the path of the journal; None where there is none."""
        with self._lock:
            if self._journal is None:
                return None
            path, journal, self._journal = self._journal.path, self._journal, None
            self._direct()
            journal.close()
            return path

    def lost(self) -> int:
        """The number of hits that the journal does not have, because it could not be written."""
        return 0 if self._recorder is None else self._recorder.lost()

    def _record(self, record: bytes) -> bool:
        """Writes a record, which journals of child processes have, too; false where none can be written, which is told once."""
        if self._gave_up:
            return False
        try:
            journal = self._open()
            journal.write(record)
        except OSError as error:
            self._give_up(error)
            return False
        self._records.append(record)
        return True

    def _give_up(self, error: OSError) -> None:
        """Records nothing from now on: what the journal has counts, and the program goes on."""
        self._gave_up = True
        if self._journal is not None:
            self._journal.close()
            self._journal = None
        self._direct()
        self._tell(f"the journal of functions of Numba cannot be written: {error}. What they do from now on in process {os.getpid()} is not measured")

    def _open(self) -> Journal:
        if self._journal is None:
            self._recorder = self._recorder or Recorder()
            self._journal = Journal(folder(), measures_branches(), relative_to())
            self._journal.write(self._context() + b"".join(self._records))
            self._direct()
        return self._journal

    def _context(self) -> bytes:
        return record_line({"kind": "context", "label": "|".join(part for part in (static_label(), self._present.label) if part)})

    def _direct(self) -> None:
        if self._recorder is not None:
            self._recorder.write_to(-1 if self._present.paused or self._journal is None else self._journal.file)

    def _after_fork(self) -> None:
        """The child has a journal of its own: the numbers of code that it compiles would be those of its parent's."""
        self._lock = threading.RLock()
        if self._journal is None:
            return
        self._journal.close()
        self._journal = None
        self._direct()
        for state in self._states:
            state.clear()
        try:
            self._open()
        except OSError as error:
            self._give_up(error)


def _code(first: int, names: list[str], main: str, arguments: str) -> dict[str, Any]:
    """The record of code: the function of which it is a variant comes first."""
    found = [marks.arc_of(name) for name in names if not marks.is_way(name)]
    decided = list(dict.fromkeys(marks.decision_of(name) for name in names if marks.is_way(name)))
    keys = dict.fromkeys([*(function.key for function, _ in found), *(key for key, _ in decided)])
    order = [main, *(key for key in keys if key != main)] if main in keys else list(keys)
    number = {key: index for index, key in enumerate(order)}
    entries = [{"file": f.file, "first_line": f.first_line, "name": f.name, "kernel": f.is_kernel} for f in (marks.functions[key] for key in order)]
    arcs = [[number[function.key], *arc] for function, arc in found]
    decisions = [[number[key], *marks.functions[key].conditions.decisions[at]] for key, at in decided]
    more = {"decisions": decisions} if decisions else {}
    return {"kind": "code", "first": first, "arch": ARCH, "arguments": arguments, "functions": entries, "arcs": arcs, **more}
