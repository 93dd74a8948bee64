"""Random kernels with schedules: blocks of streams, do-whiles, parallel sections and checkpoints; and the program that launches and resumes them.

The results do not depend on the order of blocks, sections and iterations: each has arrays and variables of its own, and loops change
variables by sums and maxima alone."""

from __future__ import annotations

import re
from dataclasses import dataclass

from compound_generator import COMPOUND_HEADER
from kernel_generator import HEADER, KernelGenerator

SCHEDULE_HEADER = """
import enum

LABEL = 30


class Stage(enum.IntEnum):
    COUNT = 10
    GROW = 20


@qd.func
def add_to_all(a: qd.template(), by: qd.i32) -> qd.i32:
    for i in a:
        a[i] = (a[i] + by) % 500
    return by + 1
"""

ARRAYS = ["x", "y", "z"]
COUNTERS = ["c0", "c1", "c2"]
FLAGS = ["r0", "r1", "r2"]
KINDS = ["streams", "graph", "checkpoints"]
"""Kinds of kernels, in turn."""


@dataclass(frozen=True)
class Kind:
    """Variables of one type. `#` is the variable; all values are small integers or halves of such."""

    declared: str
    adds: tuple[str, ...]  # statements of parallel loops
    sets: tuple[str, ...]  # statements of one thread
    bounded: tuple[str, ...]
    read: str


VARIABLES = [
    Kind("# = n", ("# += t", "qd.atomic_add(#, u)", "qd.atomic_max(#, t)"), ("# = t", "# = # * 2 + u", "# ^= 1"), ("# %= 1000",), "#"),
    Kind("# = n % 3", ("# += u", "qd.atomic_min(#, u - 3)"), ("# = u", "# -= t"), ("# = # % 100",), "#"),
    Kind("#: qd.i64 = 7", ("# += t",), ("# = t", "# += 5"), ("# %= 300",), "qd.i32(# % 1000)"),
    Kind("#: qd.f64 = 0.5", ("# += t * 0.5",), ("# = t * 0.5", "# -= u"), ("if # > 500.0: # = 1.5", "# = min(#, 200.0)"), "qd.i32(# * 2)"),
    Kind("# = n > 2", (), ("# = t > 30", "# = not #", "# = u > 2 and t > 5"), ("pass",), "qd.i32(#)"),
    Kind("# = qd.Vector([n, 1])", ("#[0] += t", "# += [u, 1]", "#[u % 2] += t", "#.y += u"), ("# = [t, u]", "#.x = t", "# += u"), ("# %= 100",),
         "#.sum()"),
    Kind("# = MAT(n % 4)", ("#[0, 1] += u", "#[u % 2, 1] += t", "# += 1"), ("# = MAT(u)", "#[1, 0] = t", "# = # @ [[0, 1], [1, 0]]"), ("# %= 50",),
         "#.sum()"),
    Kind("# = Body(mass=n)", ("#.mass += u", "#.pos.x += t", "#.pos[u % 2] += 1"), ("#.mass = t", "# = Body([t, u], 1)", "#.move(u)"),
         ("#.move(1); #.mass %= 40",), "(#.mass + #.pos.x)"),
]  # fmt: skip


class ScheduleGenerator(KernelGenerator):
    """Writes one source file with funcs, and kernels k0, k1, ... of each kind in turn; the checkpoints of one are in LABELS_k2."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.variables: list[tuple[str, Kind]] = []
        """Variables of the kernel; those of the innermost scope last."""
        self.arrays = ARRAYS
        """Arrays that statements here may use."""
        self.suffix = "_k"
        """Suffix of the names of serial code's variables."""
        self.serial_compounds = False
        self.no_while = False
        self.checkpoints = False
        self.labels: list[str] = []
        self.free_labels: list[str] = []
        self.under_static = False

    def source(self, kernels: int) -> str:
        header = HEADER.format(limit=self.number(1, 5), flag=self.pick("True", "False"))
        self.lines = (header + SCHEDULE_HEADER + COMPOUND_HEADER + "\n").split("\n")
        for number in range(2):
            self.func(f"f{number}")
        self.vector_func("g0")
        for number in range(kernels):
            kind = KINDS[number % len(KINDS)]
            self.schedule(f"k{number}", kind)
        return "\n".join(self.lines).rstrip("\n") + "\n"

    def schedule(self, name: str, kind: str) -> None:
        self.variables, self.arrays, self.suffix, self.labels = [], ARRAYS, "_k", []
        self.free_labels = ["1", "2", "-3", "Stage.COUNT", "Stage.GROW", "LABEL"]
        self.checkpoints, self.no_while, self.under_static = kind == "checkpoints", False, False
        options = {"streams": "", "graph": "graph=True", "checkpoints": "graph=True, checkpoints=True"}[kind]
        self.emit(0, f"@qd.kernel({options})")
        arrays = [f"{array}: qd.types.ndarray(qd.i32, 1)" for array in ARRAYS]
        flags = [f"{flag}: qd.types.ndarray(qd.i32, 0)" for flag in [*COUNTERS, *FLAGS]]
        self.emit(0, f"def {name}({', '.join([*arrays, *flags, 'n: qd.i32'])}):")
        if self.chance(4):
            self.emit(1, '"""A kernel with a schedule."""')
        if kind == "streams":
            for array in self.random.sample(ARRAYS, self.number(1, 3)):
                self.section("qd.stream_parallel()", array, 1, self.loops_of_block)
        else:
            self.serial_variables(1)
            self.region(1, 0, self.number(3, 6) if self.checkpoints else self.number(2, 5))
            self.emit(1, f"z[{self.number(0, 7)}] = ({self.read()} + t_k + u_k) % 1000")
        self.emit(0, "")
        self.emit(0, f"LABELS_{name} = [{', '.join(self.labels)}]")
        self.emit(0, "")

    # --- variables ---------------------------------------------------------------------------------------------------

    def serial_variables(self, depth: int) -> None:
        """Serial variables: those of the bare statements, and some others, of all types."""
        first = len(self.lines)
        self.emit(depth, "t = n")
        self.emit(depth, "u = n % 3")
        self.prelude(depth)
        self.serial_compounds = self.compounds
        self.rename(first)
        for _ in range(self.number(1, 3)):
            self.declare(depth)

    def declare(self, depth: int) -> None:
        name, kind = self.name(), self.random.choice(VARIABLES)
        self.emit(depth, kind.declared.replace("#", name))
        self.variables.append((name, kind))

    def read(self) -> str:
        name, kind = self.random.choice(self.variables) if self.variables else ("n", VARIABLES[0])
        return kind.read.replace("#", name)

    def rename(self, first: int) -> None:
        """Serial code from a line on has variables of its own: one that a parallel loop assigns would be a race."""
        self.lines[first:] = [re.sub(r"(?<![.\w])(t|u|vec|mat|body)\b", rf"\1{self.suffix}", line) for line in self.lines[first:]]

    # --- contents of a kernel, of a do-while's body or of a section ----------------------------------------------------

    def region(self, depth: int, passes: int, statements: int, in_section: bool = False) -> None:
        """`passes`: how many do-whiles are around."""
        kept = len(self.variables)
        for _ in range(statements):
            self.part(depth, passes, in_section)
        del self.variables[kept:]

    def part(self, depth: int, passes: int, in_section: bool) -> None:
        kind = self.number(4, 18) if self.checkpoints and not in_section else self.number(0, 15)
        if kind <= 3:
            self.loop(depth)
        elif kind <= 5:
            self.single(depth)
        elif kind <= 7:
            self.bare(depth)
        elif kind == 8:
            self.declare(depth)
        elif kind == 9:
            self.static(depth, lambda: self.part(depth + 1, passes, True))
        elif in_section:
            self.bare(depth)
        elif kind <= 15 and self.checkpoints:
            self.checkpoint(depth)
        elif kind <= 12 and passes < 3 and not in_section:
            self.context(depth)
        elif passes < 3:
            self.do_while(depth, passes)
        else:
            self.loop(depth)

    def static(self, depth: int, inside: object) -> None:
        """Something under an `if` or `for` of the compiler's."""
        assert callable(inside)
        outer, self.under_static = self.under_static, True
        kept = len(self.variables)
        if self.chance(2):
            self.emit(depth, f"if qd.static({self.pick(*self.static_conditions)}):")
            inside()
            if self.chance(2):
                del self.variables[kept:]
                self.emit(depth, "else:")
                inside()
        else:
            self.emit(depth, f"for {self.name()} in qd.static(range({self.pick(*self.static_counts)})):")
            inside()
        del self.variables[kept:]
        self.under_static = outer

    def bare(self, depth: int) -> None:
        """Serial code, which runs at every launch and is in no checkpoint."""
        first = len(self.lines)
        self.compounds, self.index = self.serial_compounds, "0"
        kind = self.number(0, 6)
        outer, self.no_while = self.no_while, True
        if kind == 0:
            self.emit(depth, f"t = add_to_all({self.pick(*self.arrays)}, t % 9)")
        elif kind == 1:
            self.conditional(depth, self.number(1, 2), False, False, "if")
        elif kind == 2:
            self.emit(depth, f"{self.pick(*self.arrays)}[{self.number(0, 7)}] = ({self.total()} + {self.read()}) % 1000")
        elif kind == 3 and self.variables:
            self.change(depth, bounded=True)
        elif kind == 4:
            self.emit(depth, f"t = ({self.pick(*self.arrays)}[u % 5] + {self.read()}) % 1000")
        elif kind == 5 and self.checkpoints:
            self.emit(depth, self.raised(self.pick(*FLAGS), "t"))
        else:
            self.emit(depth, self.simple())
        self.no_while = outer
        self.rename(first)

    def change(self, depth: int, bounded: bool = False) -> None:
        """A variable, by one thread."""
        name, kind = self.random.choice(self.variables)
        self.emit(depth, self.random.choice(kind.bounded if bounded else [*kind.sets, *kind.adds]).replace("#", name))

    def while_loop(self, depth: int, nesting: int) -> None:
        (self.for_loop if self.no_while else super().while_loop)(depth, nesting)

    def one_line(self, depth: int, in_loop: bool, can_break: bool) -> None:
        first = len(self.lines)
        super().one_line(depth, in_loop, can_break)
        while self.no_while and any(line.lstrip().startswith("while ") for line in self.lines[first:]):
            del self.lines[first:]
            super().one_line(depth, in_loop, can_break)

    # --- loops -------------------------------------------------------------------------------------------------------

    def loop(self, depth: int, flag: str = "", streams: bool = False) -> None:
        """A parallel loop, or one that is serialized; `flag` is the flag that it may raise."""
        serial = not streams and self.chance(8)
        if serial:
            self.emit(depth, "qd.loop_config(serialize=True)")
        first, last = self.pick(*self.arrays), self.pick(*self.arrays)
        ranges = ["for i in range(n):", f"for i in {first}:", f"for i in range({self.number(0, 8)}):", "for i in range(1, n):"]
        header = self.pick(*ranges, f"for i in qd.ndrange({first}.shape[0]):", f"for I in qd.grouped({last}):")
        self.emit(depth, header)
        if "I in" in header:
            self.emit(depth + 1, "i = I[0]")
        outer, self.no_while = self.no_while, False
        self.emit(depth + 1, f"t = {last}[i]" if self.chance(2) else f"t = ({last}[i] + {self.read()}) % 1000")
        self.emit(depth + 1, "u = i % 5")
        self.index = "i"
        self.prelude(depth + 1)
        adds: list[str] = []
        if self.variables and self.chance(2):
            name, kind = self.random.choice(self.variables)
            # A variable that a loop changes is not read in it.
            if kind.adds and not re.search(rf"\b{name}\b", "\n".join(self.lines[-6:]).split(header)[-1]):
                adds.append(self.random.choice(kind.adds).replace("#", name))
        if flag:
            adds.append(self.raised(flag, "t"))
        early = self.chance(2)
        for line in adds if early else []:
            self.addition(depth + 1, line)
        self.body(depth + 1, self.random.choice([0, 0, 1, 2]), in_loop=True, can_break=serial and "range(" in header)
        if self.lines[-1] not in ("    " * (depth + 1) + jump for jump in ("continue", "break")):
            for line in adds if not early else []:
                self.addition(depth + 1, line)
            self.emit(depth + 1, f"{last}[i] = ({self.total()}) % 1000")
        self.no_while = outer

    def addition(self, depth: int, line: str) -> None:
        if self.chance(3):
            self.emit(depth, f"if {self.comparison()}:")
            self.emit(depth + 1, line)
        else:
            self.emit(depth, line)

    def raised(self, flag: str, of: str) -> str:
        """A statement that raises a flag now and then."""
        return f"if {of} % {self.number(2, 5)} == {self.number(0, 1)}: {flag}[()] = {self.pick('1', '1', '-7', '5')}"

    def single(self, depth: int, flag: str = "") -> None:
        """A loop of one iteration, which may do as it likes."""
        self.emit(depth, self.pick("for i in range(1):", "for i in range(1, 2):", "for i, _ in qd.ndrange(1, 1):"))
        outer, self.no_while = self.no_while, False
        array = self.pick(*self.arrays)
        self.emit(depth + 1, f"t = ({array}[{self.number(0, 7)}] + {self.read()}) % 1000")
        self.emit(depth + 1, "u = (t + i) % 5")
        self.index = "i"
        self.prelude(depth + 1)
        for _ in range(self.number(0, 2) if self.variables else 0):
            self.change(depth + 1)
        self.body(depth + 1, self.random.choice([0, 0, 1]), in_loop=False)
        if flag:
            self.emit(depth + 1, self.pick(self.raised(flag, "t"), f"{flag}[()] = qd.i32(t % 3 == 1)", f"{flag}[()] = qd.i32({array}[0] % 2)"))
        self.emit(depth + 1, f"{array}[{self.number(0, 7)}] = ({self.total()}) % 1000")
        self.no_while = outer

    # --- schedules ---------------------------------------------------------------------------------------------------

    def do_while(self, depth: int, passes: int) -> None:
        counter = COUNTERS[passes]
        if self.chance(2):
            start = f"{counter}[()] = {self.pick('1', '2', '3', 'n % 3', 'u_k % 3')}".replace("_k", self.suffix)
            if self.chance(3):
                self.emit(depth, "for _ in range(1):")
                start = "    " + start
            self.emit(depth, start)
        self.emit(depth, f"while qd.graph.do_while({counter}):")
        kept = len(self.variables)
        statements = self.number(1, 4) if passes == 0 else self.number(1, 2)
        at = self.number(0, statements)
        for number in range(statements + 1):
            if number == at:
                self.count_down(depth + 1, counter)
            else:
                self.part(depth + 1, passes + 1, False)
        del self.variables[kept:]

    def count_down(self, depth: int, counter: str) -> None:
        """The counter is never below 0: a resumed launch may do this again."""
        of = self.pick(*self.arrays)
        kind = self.number(0, 4)
        if self.chance(2):
            self.emit(depth, "for _ in range(1):")
            depth += 1
        if kind == 0:
            self.emit(depth, f"if {counter}[()] > 0:")
            self.emit(depth + 1, f"{counter}[()] -= 1")
        elif kind == 1:
            self.emit(depth, f"{counter}[()] //= 2")
        elif kind == 2:
            self.emit(depth, f"{counter}[()] = 0 if {of}[1] % 3 == 0 else max({counter}[()] - 1, 0)")
        else:
            self.emit(depth, self.pick(f"{counter}[()] = max({counter}[()] - 1, 0)", f"{counter}[()] -= qd.i32({counter}[()] > 0)"))

    def checkpoint(self, depth: int) -> None:
        if not self.free_labels or (self.under_static and self.lines[-1].lstrip().startswith("for ")):
            self.loop(depth)
            return
        label = self.free_labels.pop(self.number(0, len(self.free_labels) - 1))
        if not self.under_static:
            self.labels.append(label)
        flag = self.pick(*FLAGS, "")
        form = self.pick("{}, yield_on={}", "{}, {}", "cp_id={}, yield_on={}") if flag else self.pick("{}", "cp_id={}")
        self.emit(depth, f"with qd.checkpoint({form.format(label, flag)}):")
        for number in range(self.number(1, 2)):
            inside = self.random.choice([self.loop, self.single])
            if number == 1 and self.chance(4):
                self.static(depth + 1, lambda: self.loop(depth + 2))
            else:
                inside(depth + 1, "" if self.chance(3) else flag)

    def context(self, depth: int) -> None:
        """Sections side by side, each with an array of its own and variables that no other one assigns."""
        self.emit(depth, "with qd.graph.parallel_context():")
        arrays = self.random.sample(ARRAYS, self.number(1, 3))
        shared = list(self.variables)
        for number, array in enumerate(arrays):
            self.variables = shared[number :: len(arrays)]
            self.section("qd.graph.parallel()", array, depth + 1, self.statements_of_section)
        self.variables = shared

    def section(self, call: str, array: str, depth: int, inside: object) -> None:
        assert callable(inside)
        outer = self.arrays, self.suffix, self.no_while, self.serial_compounds
        self.arrays, self.suffix, self.no_while = [array], f"_{array}", True
        self.emit(depth, f"with {call}:")
        inside(depth + 1)
        self.arrays, self.suffix, self.no_while, self.serial_compounds = outer

    def loops_of_block(self, depth: int) -> None:
        for _ in range(self.number(1, 3)):
            if self.chance(4):
                self.static(depth, lambda: self.loop(depth + 1, streams=True))
            elif self.chance(5):
                self.emit(depth, f"add_to_all({self.arrays[0]}, {self.number(0, 9)})")
            else:
                self.loop(depth, streams=True) if self.chance(3) else self.single(depth)

    def statements_of_section(self, depth: int) -> None:
        kept = len(self.variables)
        self.serial_variables(depth)
        self.region(depth, 3, self.number(1, 3), in_section=True)
        del self.variables[kept:]


def schedule_driver(kernels: int, arch: str, debug: bool = False, *, threads: int = 1, by_label: bool = True, repeats: int = 1, seed: int = 0) -> str:
    """A program that launches every kernel of `generated.py` a few times, resumes yielded ones, and prints arrays and statuses after each launch.

    A resume by label goes on from the last launch of the kernel, by whichever thread: `by_label` is whether the program does that."""
    return f'''import pickle
import random
import threading
import numpy as np
import qd
qd.init(arch="{arch}", debug={debug}, random_seed={seed})
import generated

KINDS = {KINDS}

class Session:
    def __init__(self, k, size, seed):
        self.random = random.Random(f"{{k}} {{size}} {{seed}}")
        self.name, self.size, self.kind = f"k{{k}}", size, KINDS[k % len(KINDS)]
        self.kernel = getattr(generated, self.name)
        self.labels = getattr(generated, "LABELS_" + self.name)
        self.native = self.random.random() < 0.5
        arrays = [np.array([(i * 37 + k * 11 + j * 5) % 101 for i in range(8)], dtype=np.int32) for j in range(3)]
        flags = [np.array(value, dtype=np.int32) for value in (self.random.randrange(4), 0, self.random.randrange(2), 0, 0, self.random.randrange(2))]
        self.arguments = [self.owned(array) for array in [*arrays, *flags]]
        self.found = [(self.name, size, seed)]
        self.statuses = []

    def owned(self, array):
        if not self.native:
            return array
        made = qd.ndarray(qd.i32, array.shape)
        made.from_numpy(array)
        return made

    def contents(self):
        return [(array if isinstance(array, np.ndarray) else array.to_numpy()).tolist() for array in self.arguments]

    def saw(self, status):
        if status is not None:
            label = status.checkpoint
            self.found.append((status.yielded, label, type(label).__name__, status.why))
            if status.yielded:
                self.statuses.append(status)
        self.found.append(self.contents())
        return status

    def run(self):
        status = self.saw(self.kernel(*self.arguments, self.size))
        if self.kind != "checkpoints":
            self.saw(self.kernel(*self.arguments, self.size))
            return self.found
        for _ in range(6):
            if not status.yielded and self.random.random() < 0.6:
                break
            self.meddle(status)
            start = self.start(status)
            if start is None:
                status = self.saw(self.kernel(*self.arguments, self.size))
            else:
                status = self.saw(self.kernel.resume(*self.arguments, self.size, from_checkpoint=start))
        return self.found

    def meddle(self, status):
        """Sets flags back, most times, and changes arrays at others."""
        if status.yielded and self.random.random() < 0.8:
            self.arguments[6 + int(status.why[0][1:])][()] = 0
        if self.random.random() < 0.3:
            self.arguments[self.random.randrange(3)][self.random.randrange(8)] = self.random.randrange(50)
        if self.random.random() < 0.2:
            self.arguments[3 + self.random.randrange(3)][()] = self.random.randrange(4)
        if self.random.random() < 0.1:
            self.arguments[6 + self.random.randrange(3)][()] = self.random.randrange(2)

    def start(self, status):
        """The status or label to resume from; None to launch anew."""
        choices = [] if status.yielded else [None]
        if status.yielded:
            choices += [status, status, pickle.loads(pickle.dumps(status))]
        if self.statuses:
            choices.append(self.random.choice(self.statuses))
        if {by_label}:
            choices += [self.random.choice(self.labels)] if self.labels else []
            choices += [status.checkpoint, int(status.checkpoint)] if status.yielded else []
        return self.random.choice(choices)

def launches():
    return [line for size, seed in ((0, 1), (7, 0), (3, 2), (8, 3)) for k in range({kernels}) for line in Session(k, size, seed).run()]

results = []
threads = [threading.Thread(target=lambda: results.append([launches() for _ in range({repeats})][-1])) for _ in range({threads})]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert all(result == results[0] for result in results) and len(results) == {threads}
print(*results[0], sep="\\n")
with open("tasks.txt", "w") as file:
    for k in range({kernels}):
        print(k, getattr(generated, f"k{{k}}").launch_observations.num_offloaded_tasks, file=file)
'''
