"""Random kernels whose iterations may run as lanes of vectors: nested divergent control flow with numbers of all types, arrays of vectors, fields of
structs and matrices in several layouts, arrays of an iteration's own, funcs, routines, atomics, random numbers.

An iteration changes only its own elements, and adds to integers of all; one iteration alone stores to places that all may see. So the order of
iterations does not matter."""

from __future__ import annotations

import random
from dataclasses import dataclass

SIGNED = ("i8", "i16", "i32", "i64")
UNSIGNED = ("u8", "u16", "u32", "u64")
INTEGERS = (*SIGNED, *UNSIGNED)
FLOATS = ("f16", "f32", "f64")

EXTENTS = (0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 53, 100)
"""Numbers of iterations around those of one vector and of two."""


@dataclass
class Shape:
    """The arguments that a kernel takes."""

    types: dict[str, str]  # of the arrays
    axes: int
    components: int  # of the vectors in `r`
    stride: int  # numbers of `p` for each iteration


class LaneGenerator:
    """Writes a kernel `kernel(a, r, p, g, h, bins, best, w, k, low, high)`; LANES is its choice of lanes, ROWS and COLUMNS the extents of `a`."""

    def __init__(self, seed: int, draws: bool = False) -> None:
        self.random = random.Random(seed)
        self.draws = draws
        self.lines: list[str] = []
        self.names = 0
        self.types = self.random.sample([*INTEGERS, *FLOATS], 3)
        if self.chance(2):
            self.types[0] = "i32"
        self.variables: list[tuple[str, str]] = []
        self.places: list[tuple[str, str]] = []  # in memory, of the iteration
        self.counters: list[str] = []
        self.vectors: list[tuple[str, str, int]] = []
        self.funcs: list[tuple[str, str]] = []
        self.reductions: list[tuple[str, str]] = []  # operation, of a variable of the kernel with its name, and type
        self.returns = ""  # the type of the routine that is being written
        self.lane = "i"
        self.writer = self.random.randrange(20)  # the iteration that stores to `w`
        self.reads = 0  # of shared arrays, that a statement may still have

    def chance(self, n: int) -> bool:
        return self.random.randrange(n) == 0

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def emit(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def name(self) -> str:
        self.names += 1
        return f"n{self.names}"

    # --- expressions -------------------------------------------------------------------------------------------------

    def constant(self, t: str) -> str:
        if t == "u1":
            return self.pick("True", "False")
        numbers = "0.0 0.5 1.25 -2.0 3.0 0.1 -0.75 7.0" if t in FLOATS else "0 1 2 3 5 7 100 255" if t in UNSIGNED else "0 1 2 3 7 100 127 -1 -3 -128"
        return f"qd.{t}({self.pick(*numbers.split())})"

    def index(self, extent: str) -> str:
        lane = self.lane
        return self.pick(
            f"{lane} % {extent}",
            f"({lane} + {self.random.randrange(4)}) % {extent}",
            f"(({self.expression('i32', 1)}) & 1023) % {extent}",
            str(self.random.randrange(3)),
            f"{extent} - 1 - {lane} % {extent}",
            f"qd.i64({self.expression('u16', 1)}) % {extent}",
        )

    def leaf(self, t: str) -> str:
        choices = [self.constant(t)]
        for names, weight in ((self.variables, 4), (self.places, 2)):
            same = [name for name, other in names if other == t]
            choices += [self.random.choice(same)] * weight if same else []
        if t == self.types[1] and not self.returns and self.reads > 0:
            self.reads -= 1
            choices.append(f"g[{self.index('g.shape[0]')}]")
        if t == "i32":
            choices += [self.lane, self.lane, *self.counters]
        if self.draws and self.chance(3):
            choices.append("(qd.random() < 0.5)" if t == "u1" else f"qd.random(qd.{t})")
        return self.random.choice(choices)

    def expression(self, t: str, depth: int = 2) -> str:
        if t == "u1":
            return self.condition(depth - 1)
        kind = self.random.randrange(12)
        if depth <= 0 or kind < 3:
            return self.leaf(t)

        def part() -> str:
            return self.expression(t, depth - 1)

        if kind < 6:
            return f"qd.{t}({part()} {self.pick('+', '-', '*')} {part()})"
        if kind == 6:
            return f"qd.{self.pick('min', 'max')}({part()}, {part()})"
        if kind == 7:
            return f"({part()} if {self.condition(depth - 1)} else {part()})"
        if kind == 8:
            return self.cast(t, depth - 1)
        if kind == 9 and t in FLOATS:
            root = f"qd.sqrt(qd.abs({part()}))"
            return self.pick(f"qd.{self.pick('abs', 'floor', 'ceil', 'round')}({part()})", root, f"(-{part()})", f"qd.{t}({part()} / {part()})")
        if kind == 9:
            return self.pick(f"(~{part()})", f"qd.{t}(-{part()})", f"qd.{t}({part()} {self.pick('<<', '>>')} ({part()} & qd.{t}(7)))")
        if kind == 10 and t in INTEGERS:
            op = self.pick("//", "%", "&", "|", "^")
            return f"qd.{t}({part()} {op} {f'({part()} | qd.{t}(1))' if op in ('//', '%') else part()})"
        same = [name for name, other in self.funcs if other == t]
        if kind == 11 and same:
            return f"{self.random.choice(same)}({part()}, {self.expression('i32', depth - 1)})"
        return f"qd.select({self.condition(depth - 1)}, {part()}, {part()})"

    def cast(self, t: str, depth: int) -> str:
        source = self.random.choice((*INTEGERS, *FLOATS, "u1"))
        x = self.expression(source, depth)
        if source in FLOATS and t in INTEGERS:  # of numbers that have no such integer, devices make what they like
            return f"qd.{t}(qd.floor(qd.{source}(qd.min(qd.abs({x}), qd.{source}(100.0)))))" if "/" not in x and "sqrt" not in x else self.leaf(t)
        if t == "f16" and source in INTEGERS:
            return f"qd.f16({x} & qd.{source}(63))"
        return f"qd.{t}({x})"

    def condition(self, depth: int = 1) -> str:
        kind = self.random.randrange(6)
        if kind == 0:
            return self.leaf("u1")
        if kind == 1 and depth > 0:
            return f"({self.condition(depth - 1)} {self.pick('and', 'or')} {self.condition(depth - 1)})"
        if kind == 2 and depth > 0:
            return f"(not {self.condition(depth - 1)})"
        if kind == 3:
            return f"({self.leaf('i32')} % {self.random.randrange(2, 5)} == {self.random.randrange(2)})"
        t = self.random.choice(self.types)
        return f"({self.expression(t, depth)} {self.pick('<', '>', '==', '!=', '<=', '>=')} {self.expression(t, depth)})"

    # --- statements --------------------------------------------------------------------------------------------------

    def block(self, depth: int, nesting: int, in_loop: bool, count: int = 0) -> None:
        variables, places = len(self.variables), len(self.places)
        for _ in range(count or self.random.randrange(1, 5)):
            self.statement(depth, nesting, in_loop)
        del self.variables[variables:]
        del self.places[places:]

    def statement(self, depth: int, nesting: int, in_loop: bool) -> None:
        self.reads = 2
        kind = self.random.randrange(15 if nesting > 0 else 9)
        if kind == 0:
            t, name = self.random.choice((*self.types, "u1")), self.name()
            self.emit(depth, f"{name} = qd.{t}({self.expression(t)})")
            self.variables.append((name, t))
        elif kind < 5:
            self.assignment(depth, self.variables if kind < 3 else self.places)
        elif kind == 5:
            self.vector_statement(depth)
        elif kind == 6 and self.chance(3):
            self.store_of_one(depth)
        elif kind == 6:
            self.atomic(depth)
        elif kind < 9:
            self.jump(depth, in_loop)
        elif kind < 12:
            self.emit(depth, f"if {self.condition(2)}:")
            self.block(depth + 1, nesting - 1, in_loop)
            if self.chance(3):
                self.emit(depth, f"elif {self.condition(2)}:")
                self.block(depth + 1, nesting - 1, in_loop)
            if self.chance(2):
                self.emit(depth, "else:")
                self.block(depth + 1, nesting - 1, in_loop)
        else:
            self.loop(depth, nesting, kind < 14)

    def assignment(self, depth: int, to: list[tuple[str, str]]) -> None:
        place, t = self.random.choice(to)
        op = "=" if t not in INTEGERS or self.chance(2) else self.pick("+=", "-=")  # sums of floats depend on the order
        self.emit(depth, f"{place} {op} {self.expression(t, 3)}")

    def loop(self, depth: int, nesting: int, counted: bool) -> None:
        counter, number = self.name(), self.leaf("i32")
        if counted:
            begin = self.pick("", "", "1, ", f"{self.leaf('i32')} & 3, ", "-2, ")
            self.emit(depth, f"for {counter} in range({begin}{self.pick('3', '7', f'{number} % 6', f'{self.lane} % 4', 'k % 5')}):")
        else:
            self.emit(depth, f"{counter} = {self.pick('5', f'{self.lane} % 7', f'{number} & 7', '9')}")
            self.emit(depth, f"while {counter} > 0{self.pick('', f' and {self.condition()}')}:")
            self.emit(depth + 1, f"{counter} -= {self.pick('1', '2')}")
        self.counters.append(counter)
        self.block(depth + 1, nesting - 1, True)
        self.counters.pop()

    def jump(self, depth: int, in_loop: bool) -> None:
        """The end of an iteration, a loop or a routine; of an iteration, rarely."""
        if not in_loop and (self.returns == "inlined" or (not self.returns and not self.chance(4))):
            self.assignment(depth, self.variables)
            return
        self.emit(depth, f"if {self.condition(2)}:")
        if self.chance(2):
            self.assignment(depth + 1, self.places)
        routine = self.returns not in ("", "inlined") and (not in_loop or self.chance(2))
        self.emit(depth + 1, f"return {self.expression(self.returns)}" if routine else self.pick("break", "continue") if in_loop else "continue")

    def vector_statement(self, depth: int) -> None:
        if not self.vectors:
            self.assignment(depth, self.variables)
            return
        name, t, length = self.random.choice(self.vectors)
        if self.chance(4):
            self.emit(depth, f"{name} = {name} + {self.expression(t, 1)}")
            return
        at = self.pick(str(self.random.randrange(length)), f"({self.expression('i32', 1)} & 1023) % {length}", f"{self.lane} % {length}")
        value = self.pick(self.expression(t), f"{name}[({self.expression('i32', 1)} & 1023) % {length}]", f"qd.{t}({name}[{at}] + {self.leaf(t)})")
        self.emit(depth, f"{name}[{at}] = {value}")

    def atomic(self, depth: int) -> None:
        if self.returns:
            self.assignment(depth, self.variables)
            return
        at = self.pick(f"({self.expression('i32')} & 1023) % 5", str(self.random.randrange(5)))
        self.emit(
            depth,
            self.pick(
                f"total += {self.expression('i32')}",
                *(f"qd.atomic_{op}({op}_of_all, {self.expression(t)})" for op, t in self.reductions),
                f"bins[{at}] += {self.expression(self.shape.types['bins'])}",
                f"qd.atomic_{self.combined}(best[{at}], {self.expression(self.shape.types['best'])})",
            ),
        )

    def store_of_one(self, depth: int) -> None:
        """A store by one iteration to a place that does not depend on it. All have the value in a variable, to go on with."""
        if self.returns:
            self.assignment(depth, self.variables)
            return
        name = self.name()
        self.emit(depth, f"{name} = {self.pick(self.lane, f'{self.lane} + 3', f'5 - 2 * {self.lane}', self.expression('i32'))}")
        self.emit(depth, f"if c == 0 and {self.lane} == {self.writer}:")
        self.emit(depth + 1, f"w[{self.random.randrange(3)}] = {name}")
        place, t = self.random.choice([*self.variables, *self.places])
        self.emit(depth, f"{place} = {name} % 2 == 0" if t == "u1" else f"{place} = qd.{t}({name} & 63)")
        self.variables.append((name, "i32"))

    # --- funcs and the kernel ----------------------------------------------------------------------------------------

    def func(self, name: str) -> None:
        t, routine = self.random.choice(self.types), self.chance(2)
        self.variables, self.places, self.lane = [("x", t)], [("x", t)], "b"
        self.returns = t if routine else "inlined"
        self.emit(0, "@qd.real_func" if routine else "@qd.func")
        self.emit(0, f"def {name}(start: qd.{t}, i: qd.i32) -> qd.{t}:")
        self.emit(1, "x = start")
        self.emit(1, "b = i % 100")
        self.emit(1, "k = 3")
        self.block(1, 2, False, 2)
        self.emit(1, "return x")
        self.returns, self.lane = "", "i"
        self.funcs.append((name, t))

    def fields(self) -> list[tuple[str, str]]:
        """Declares fields with an element for each iteration, and gives their numbers."""
        t, u, v = (self.random.choice(self.types) for _ in range(3))
        order = self.pick("", "", ', order="ji"', ", layout=qd.Layout.SOA")
        self.emit(0, f"s = qd.types.struct(u=qd.{t}, v=qd.types.vector(3, qd.{u}), w=qd.{v}).field(shape=(ROWS, COLUMNS))")
        self.emit(0, f"m = qd.Matrix.field(2, {self.pick('1', '2')}, qd.{u}, shape=(ROWS, COLUMNS){order})")
        return [("s[c, i].u", t), ("s[c, i].v.z", u), ("s[c, i].v.x", u), ("s[c, i].w", v), ("m[c, i][0, 0]", u), ("m[c, i][1, 0]", u)]

    def source(self) -> str:
        """The kernel, whose arguments `shape` tells then."""
        names = ("a", "r", "p", "g", "h")
        types = dict(zip(names, self.random.choices(self.types, k=5), strict=True)) | {"g": self.types[1]}
        types |= {name: self.pick("i32", "i64", "u32", "u64") for name in ("bins", "best")} | {"w": "i32"}
        self.combined = self.pick("min", "max", "or", "and", "xor", "add", "sub")
        form = self.random.randrange(7)
        self.shape = Shape(types, 2 if form < 3 else 1, self.random.choice((2, 3, 3, 4, 5, 7)), self.random.randrange(1, 5))
        draws, self.draws = self.draws, False
        fields = self.fields() if self.chance(2) else []
        for i in range(self.random.randrange(3)):
            self.func(f"f{i}")
        self.draws = draws
        dtypes = {name: f"qd.{t}" for name, t in types.items()}
        dtypes["r"] = f"qd.types.vector({self.shape.components}, {dtypes['r']})"
        dtypes["h"] = f"qd.types.vector(3, {dtypes['h']})"
        axes = {"a": self.shape.axes, "r": self.shape.axes}
        parameters = [f"{name}: qd.types.ndarray(dtype={dtype}, ndim={axes.get(name, 1)})" for name, dtype in dtypes.items()]
        self.emit(0, "@qd.kernel")
        self.emit(0, f"def kernel({', '.join(parameters)}, k: qd.i32, low: qd.i32, high: qd.i32) -> qd.i32:")
        self.emit(1, "total = 0")
        for op in self.random.sample(("min", "max", "and", "or", "xor"), 2):
            t = self.random.choice((*INTEGERS, *FLOATS) if op in ("min", "max") else INTEGERS)
            self.emit(1, f"{op}_of_all = {self.constant(t)}")
            self.reductions.append((op, t))
        self.emit(1, "qd.loop_config(vectorize=LANES)")
        at, flat = ("(c, i)" if form < 3 else "i"), ("(c * a.shape[1] + i)" if form < 3 else "i")
        headers = [
            ["for c, i in m:" if fields else "for c, i in a:"],
            ["for c, i in qd.ndrange((low, a.shape[0]), (low, high)):"],
            ["for I in qd.grouped(a):", "    c, i = I[0], I[1]"],
            ["for i in a:", "    c = 0"],
            ["for i in range(low, high):", "    c = 0"],
            ["for z in range(-high, -low):", "    i = z + high + low", "    c = 0"],
            ["for z in range(low, high):", "    i = high - 1 - z + low", "    c = 0"],
        ]
        for line in headers[form]:
            self.emit(1, line)
        at = "I" if form == 2 else at.strip("()")
        self.places = [(f"a[{at}]", types["a"])] * 2 + fields
        self.places += [(f"r[{at}][{j}]", types["r"]) for j in range(self.shape.components)]
        self.places += [(f"p[{self.shape.stride} * {flat} + {j}]", types["p"]) for j in range(self.shape.stride)]
        self.variables = []
        self.body()
        for op, _ in self.reductions:
            self.emit(1, f"total += qd.i32({op}_of_all)")
        self.emit(1, "return total")
        return "\n".join(self.lines) + "\n"

    def body(self) -> None:
        for i in range(self.random.randrange(3)):
            t, length = self.random.choice(self.types), self.random.randrange(2, 7)
            self.emit(2, f"v{i} = qd.Vector([{', '.join(self.leaf(t) for _ in range(length))}], dt=qd.{t})")
            self.vectors.append((f"v{i}", t, length))
        for i, t in enumerate(self.types):
            self.emit(2, f"m{i} = {self.leaf(t)}")
            self.variables.append((f"m{i}", t))
        self.emit(2, f"hv = h[({self.leaf('i32')} & 1023) % h.shape[0]]")
        self.emit(2, "flag = False")
        self.variables += [("hv.x", self.shape.types["h"]), ("hv.z", self.shape.types["h"]), ("flag", "u1")]
        self.block(2, 3, False, self.random.randrange(3, 7))
        results = [*self.variables, *((f"{name}[{self.random.randrange(length)}]", t) for name, t, length in self.vectors)]
        for place, t in self.random.sample(self.places, min(len(self.places), 6)):
            same = [name for name, other in results if other == t]
            if same:
                self.emit(2, f"{place} = {self.random.choice(same)}")
