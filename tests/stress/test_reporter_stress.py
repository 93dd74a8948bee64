"""Many processes of qd-cov and coverage.py on one data file, killed at random: acknowledged data is there.

A promise is made by a process that ends with code 0, and by an input that is gone: its lines are in the data file from then on. Each input has
a line of its own.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from coverage import CoverageData
from stress_run import Stress

PROGRAMS = 40
STOCK_PROGRAMS = 2000  # each is run once: two coverage.py that see a file for the first time lose each other's lines


def lines_in(path: Path, source: str) -> set[int]:
    data = CoverageData(str(path))
    data.read()
    return set(data.lines(source) or [])


class Project:
    """Inputs that were put, and the lines that have to be in the data file."""

    def __init__(self, folder: Path, stress: Stress) -> None:
        self.folder, self.stress = folder, stress
        self.data_file = folder / ".coverage"
        self.source = str(folder / "inputs.py")
        self.inputs: dict[Path, int] = {}  # those that may still be there
        self.promised: set[int] = set()
        self.ran: set[int] = set()
        Path(self.source).write_text("x = 1\n" * 400)
        # `coverage run --append` that begins without a data file deletes, in the end, the data that others have written.
        data = CoverageData(str(self.data_file))
        data.add_lines({str(folder / "first.py"): [1]})
        data.close()
        self.given_to_stock: set[int] = set()
        self.stock = 0  # programs that coverage.py ran
        for i in range(PROGRAMS):
            (folder / f"program{i}.py").write_text("x = 1\n")

    def put_input(self) -> Path:
        number = len(self.inputs) + 1
        path = self.folder / (f".coverage.part{number}" if self.stress.random.random() < 0.5 else f"named.part{number}")
        # Renamed when it is complete, so that no process takes it earlier.
        data = CoverageData(str(self.folder / "unfinished"))
        data.add_lines({self.source: [number]})
        data.close()
        (self.folder / "unfinished").rename(path)
        self.inputs[path] = number
        return path

    def command(self) -> tuple[list[str], int | None]:
        """Something that adds to the data file, or reads it; and the program that it runs."""
        chance = self.stress.random.random()
        named = [path for path in self.inputs if path.name.startswith("named.") and path.exists()]
        if chance < 0.05 and named:
            path = self.stress.random.choice(named)
            self.given_to_stock.add(self.inputs[path])
            return ["coverage", "combine", "--append", "-q", path.name], None
        if chance < 0.1 and self.stock < STOCK_PROGRAMS:
            self.stock += 1
            program = PROGRAMS + self.stock
            (self.folder / f"program{program}.py").write_text("x = 1\n")
            return ["coverage", "run", "--append", f"program{program}.py"], program
        if chance < 0.35 and named:
            return ["qd-cov", "combine", "--append", self.stress.random.choice(named).name], None
        if chance < 0.5:
            return ["qd-cov", "combine", "--append"], None
        if chance < 0.62:
            return ["qd-cov", "report", "-i"], None
        if chance < 0.7:
            return ["qd-cov", "html", "-i", "-q", "-d", f"page{self.stress.random.randrange(2)}"], None
        program = self.stress.random.randrange(PROGRAMS)
        if chance < 0.8:
            return ["qd-cov", "run", "-q", "--append", f"program{program}.py"], program
        if chance < 0.9:
            return ["qd-cov", "xml", "-i", "-o", f"out{self.stress.random.randrange(2)}.xml"], None
        return ["qd-cov", "json", "-i", "-q", "-o", f"out{self.stress.random.randrange(2)}.json"], None

    def note_promises(self) -> None:
        self.promised |= {number for path, number in self.inputs.items() if not path.exists()}

    def check(self) -> None:
        """Stock coverage.py reads the file, and all is there that was promised before."""
        promised, ran = set(self.promised), set(self.ran)
        if not promised and not ran:
            return
        missing = promised - lines_in(self.data_file, self.source), self.missing_programs(ran)
        if missing[0] <= self.given_to_stock and min(missing[1], default=PROGRAMS) >= PROGRAMS and any(missing):
            # Lines that coverage.py wrote to a file that has just been replaced are added by its replacer, or the next after its death.
            subprocess.run(["qd-cov", "combine", "--append", "-q"], cwd=self.folder, capture_output=True, check=False)
            missing = promised - lines_in(self.data_file, self.source), self.missing_programs(ran)
        assert missing == (set(), set()), f"lost inputs and programs: {missing}"

    def missing_programs(self, ran: set[int]) -> set[int]:
        data = CoverageData(str(self.data_file))
        data.read()
        return {program for program in ran if not data.lines(str(self.folder / f"program{program}.py"))}


def test_nothing_that_was_acknowledged_is_lost(tmp_path: Path, stress: Stress) -> None:
    project = Project(tmp_path.resolve(), stress)
    running: list[tuple[subprocess.Popen[str], list[str], int | None, float | None]] = []
    killed = done = 0
    while stress.goes_on():
        for _ in range(stress.random.randrange(4)):
            project.put_input()
        while len(running) < 6:
            command, program = project.command()
            # coverage.py writes without a journal: killed, it leaves half of a data file, whichever program writes to it then.
            dies = command[0] == "qd-cov" and stress.random.random() < 0.3
            die_at = time.monotonic() + stress.random.random() * 0.3 if dies else None
            running.append((stress.start(project.folder, *command), command, program, die_at))
        time.sleep(0.005)
        still = []
        for child, command, program, die_at in running:
            if die_at and time.monotonic() > die_at and child.poll() is None:
                stress.kill(child)
            if child.poll() is None:
                still.append((child, command, program, die_at))
                continue
            out, err = child.communicate()
            stress.children.remove(child)
            if child.returncode == -9:
                killed += 1
                continue
            done += 1
            # A report of an empty project, and an input that another process has combined meanwhile, are errors that lose nothing.
            known = ("No data to", "No usable data files", "Couldn't combine from non-existent path")
            # coverage.py gives up on a file that others write to for long.
            locked = command[0] == "coverage" and "database is locked" in out + err
            assert child.returncode == 0 or out.startswith(known) or locked, f"{command}: {child.returncode}\n{out}\n{err}"
            if child.returncode == 0 and program is not None:
                project.ran.add(program)
        running = still
        project.note_promises()
        if stress.random.random() < 0.2:
            project.check()
    for child, *_ in running:
        child.communicate(timeout=120)
    project.note_promises()
    project.check()
    # One more combine completes the rest, and nothing else lies about.
    named = [path.name for path in project.inputs if path.name.startswith("named.") and path.exists()]
    stress.start(project.folder, "qd-cov", "combine", "--append", *named).communicate(timeout=120)
    subprocess.run(["qd-cov", "combine", "--append", "-q"], cwd=project.folder, capture_output=True, check=False)
    assert lines_in(project.data_file, project.source) == set(project.inputs.values())
    assert [path.name for path in project.folder.glob(".coverage*")] == [".coverage"]
    assert list(project.folder.glob(".qd-cov*")) == [], "litter"
    print(f"{done} commands, {killed} killed, {len(project.inputs)} inputs, {len(project.ran)} programs", file=sys.stderr)
    assert done > 10 and killed > 0
