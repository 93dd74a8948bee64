"""Random kernels of floats, to be differentiated.

The integers `t` and `u` decide on control flow; `s`, `r` and the vector `vec` carry numbers, which stay small. No element is read and then
overwritten in one kernel: the fields that a loop reads are written by no loop, or by loops before it."""

from __future__ import annotations

from statement_generator import SPINES, StatementGenerator

HEADER = """import gradient_fields as f
import qd
from gradient_fields import STEPS, N

LIMIT = {limit}
FLAG = {flag}

"""


class GradientGenerator(StatementGenerator):
    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.seed = seed
        self.functions: list[str] = []
        self.inputs: list[str] = []
        """Elements that may be read, and numbers of the whole kernel."""
        self.outputs: list[str] = []
        """Statements with `{}` for a number that is stored."""
        self.rows = 0
        """Columns of f.image that are written, one by each loop that has some."""

    def source(self, kernels: int) -> str:
        """A file with `kernels` kernels, named k0, k1, ..."""
        self.lines = HEADER.format(limit=self.number(1, 5), flag=self.pick("True", "False")).split("\n")
        for number in range(max(1, kernels // 3)):
            self.func(f"g{number}")
        for number in range(kernels):
            self.spine = list(SPINES[(self.seed * kernels + number) % len(SPINES)]) if self.chance(3) else []
            self.kernel(f"k{number}")
        return "\n".join(self.lines).rstrip("\n") + "\n"

    def func(self, name: str) -> None:
        self.inputs, self.outputs = ["f.a[0]", "f.b[abs(u) % N]"], []
        self.emit(0, "@qd.func")
        self.emit(0, f"def {name}(s, r, t, u):")
        self.emit(1, "vec = qd.Vector([s, r, s * r])")
        self.body(1, self.number(0, 2), in_loop=False)
        self.emit(1, f"return {self.number_of_floats()}")
        self.emit(0, "\n")
        self.functions.append(name)

    def kernel(self, name: str) -> None:
        self.inputs = [
            "f.a[i]",
            "f.a[(i + u) % N]",
            "f.b[f.order[i]]",
            "f.grid[i, t % N]",
            "f.grid[u % N, i % N]",
            "f.vectors[i][1]",
            "f.matrices[i][0, 1]",
        ]
        self.rows = 0
        self.emit(0, "@qd.kernel")
        self.emit(0, f"def {name}():")
        carried = self.chance(3)
        if self.chance(3):
            self.emit(1, "scale = f.a[0] * f.b[1] + 0.5")
            self.inputs.append("scale")
        if carried:
            self.emit(1, "q = 0.0")
        nesting = self.number(1, 3)
        loops = self.random.sample(["out", "many", "steps"], self.random.choice([1, 1, 2, 3]))
        for target in loops:
            self.loop(target, nesting, carried)
        if carried:
            self.emit(1, "f.total[None] += q * q")
        self.emit(0, "\n")

    def loop(self, target: str, nesting: int, carried: bool) -> None:
        if target == "steps":  # each iteration reads what the one before has written
            self.emit(1, "qd.loop_config(serialize=True)")
            self.emit(1, "for i in range(STEPS):")
            self.emit(2, f"s, r = f.steps[i, {self.number(0, 2)}], f.steps[i, {self.number(3, 5)}]")
            self.outputs, read_later = [], []
        else:
            if self.chance(4):
                self.emit(1, "qd.loop_config(serialize=True)")
            self.emit(1, self.pick("for i in range(N):", "for i in f.out:", "for i in qd.ndrange(N):", "for i in range(1, N):"))
            self.emit(2, f"s, r = f.a[i], {self.pick('f.b[i]', 'f.grid[i, 2]', *self.inputs[7:])}")
            of_target = {"out": ["f.out[i]", "f.forces[i][2]"], "many": ["f.many[i]", "f.many[i + N]"]}[target]
            self.outputs = [f"{element} {operator} {{}}" for element in of_target for operator in ("=", "+=", "-=")]
            read_later = [element.replace("[i", "[(i + 1) % N", 1) if "+ N" not in element else "f.many[N + i]" for element in of_target]
        # Sums of all iterations, which nothing reads.
        self.outputs += ["f.total[None] += {}", "qd.atomic_sub(f.results[t % 7], {})", "f.results[f.order[i] + 8] += {}"]
        self.outputs += ["q += {} * 0.1"] if carried else []
        before = list(self.inputs)
        self.emit(2, "t = f.counts[i] + i")
        self.emit(2, f"u = f.order[i] % {self.number(3, 5)}")
        self.emit(2, "vec = qd.Vector([s, r, s * r])")
        if self.chance(2) and target != "steps":
            column = self.rows
            self.rows += 1
            self.body(2, nesting - 1, in_loop=False)
            self.emit(2, f"f.image[i, {column}] = {self.number_of_floats()}")
            self.inputs.append(f"f.image[i, {column}]")
            read_later.append(f"f.image[(i + {self.number(0, 2)}) % N, {column}]")
        self.body(2, nesting, in_loop=True, can_break=False)
        if self.lines[-1].strip() not in ("continue", "break"):
            if target == "steps":
                for column in range(6):
                    self.emit(2, f"f.steps[i + 1, {column}] = {self.number_of_floats()}")
            else:
                self.emit(2, self.pick(*self.outputs[:6]).format(self.number_of_floats()))
        self.inputs = before + read_later

    # --- expressions and simple statements -------------------------------------------------------------------------------

    def comparison(self) -> str:
        if self.chance(3):
            return self.pick("s > 0.3", "r < s", "vec[0] < 0.4", "s * r > 0.1", "0.1 < r < 0.6")
        return super().comparison()

    def number_of_floats(self) -> str:
        """A float between -2 and 2, if s, r and vec are."""
        return self.pick("s", "r", "s * 0.5 + r * 0.5", "vec[u % 3]", "qd.sin(s * r)", "s * r * 0.5", "vec[1] * 0.7 + s * 0.3", "qd.sin(s)", "0.25")

    def input(self) -> str:
        return self.pick(*self.inputs, "0.5")

    def simple(self) -> str:
        of_integers = [f"t = (t * {self.number(2, 5)} + u) % 1000", f"u = (u + {self.number(1, 4)}) % 9", "t += u", "u ^= 1"]
        choices = [
            f"s = qd.sin(s + {self.input()})",
            f"r = 0.4 * r + 0.5 * s * {self.input()}",
            f"s, r = r, 0.6 * s + 0.4 * qd.cos({self.input()})",
            f"s = qd.exp(-s * s) * {self.input()}",
            f"r = qd.tanh(s * r + {self.input()})",
            "s = s / (1.5 + r * r)",
            "r = qd.sqrt(1.0 + s * s) - 0.5",
            f"s = s if u > 2 else r * {self.input()}",
            "r = qd.max(s, r * 0.9)",
            "s = qd.select(t % 2 == 0, s, r * r * 0.5)",
            "s = qd.min(abs(s), 1.0)",
            f"vec[t % 3] = {self.number_of_floats()}",
            f"vec[{self.number(0, 2)}] = 0.5 * vec[u % 3] + 0.5 * {self.input()}",
            "vec = vec * 0.5 + qd.Vector([r, s, 0.1]) * 0.5",
            "s += 0.3 * vec[u % 3] - 0.2 * s",
            "r = vec.dot(qd.Vector([s, r, 0.5])) * 0.3",
            "s *= 0.9",
            "s = 0.3",
            f"{self.name()} = s * r",
        ]
        if self.functions:
            choices += [f"s = {self.pick(*self.functions)}(s, r, t, u)", f"r = 0.5 * {self.pick(*self.functions)}(r, {self.input()}, u, t % 5)"]
        stores = [self.pick(*self.outputs).format(self.number_of_floats()) for _ in range(3)] if self.outputs else []
        return self.pick(*choices, *of_integers, *stores)

    def on_header_line(self) -> str:
        return self.pick("t += 1", "u = 1", "s = r", "r *= 0.8; u = 2", "s = qd.sin(s); pass")
