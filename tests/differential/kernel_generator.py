"""Random kernels and funcs, and the program that launches them.

The programs are deterministic in parallel too: an iteration reads the input and writes its own element only."""

from __future__ import annotations

import re

from compound_generator import COMPOUND_HEADER, DRIVER, ELEMENT_TYPES, CompoundGenerator
from statement_generator import SPINES

HEADER = '''"""Generated kernels."""

import qd
from qd import kernel

LIMIT = {limit}
FLAG = {flag}


def kept(function):
    return function

'''

ARRAY = "qd.types.ndarray(dtype=qd.i32, ndim=1)"


class KernelGenerator(CompoundGenerator):
    """Writes one source file with some funcs and kernels. The same seed writes the same file; files of following seeds have all nestings in turn.

    Every fifth kernel is small, and all of it may well run: then it changes to clean code."""

    lanes = True  # iterations of some loops are lanes of vectors

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.seed = seed
        self.nesting = 0

    def source(self, kernels: int) -> str:
        """A file with `kernels` kernels, named k0, k1, ...; those whose number is a multiple of 5 take a template too."""
        self.lines = (HEADER.format(limit=self.number(1, 5), flag=self.pick("True", "False")) + COMPOUND_HEADER + "\n").split("\n")
        for number in range(max(1, kernels // 3)):
            self.func(f"f{number}")
            if number % 3 == 1:
                self.vector_func(f"g{number}")
        funcs = self.funcs
        for number in range(kernels):
            name, first = f"k{number}", len(self.lines)
            templated, self.funcs = number % 5 == 0, list(funcs)
            self.element = ELEMENT_TYPES.get(number % 5, "")
            self.decidable = number % 5 == 4
            self.nesting = 1 if self.decidable else self.random.choice([0, 0, 1, 2, 3])
            before = self.seed * kernels + number
            self.spine = [] if self.decidable else list(SPINES[(before - before // 5) % len(SPINES)])
            outer = self.static_conditions, self.static_counts
            if templated:
                self.static_conditions = [*self.static_conditions, "m == 3", "m == 0", "m is None"]
                self.static_counts = [*self.static_counts, "0 if m is None else m"]
            self.kernel(name, templated)
            self.static_conditions, self.static_counts = outer
            if self.chance(4):
                self.wrap(name, first)
        return "\n".join(self.lines).rstrip("\n") + "\n"

    # --- funcs -------------------------------------------------------------------------------------------------------

    def func(self, name: str) -> None:
        if self.chance(8):
            self.emit(0, self.pick("@qd.func", "@kept\n@qd.func"))
            if self.chance(3):
                self.emit(0, f"def {name}(\n    a,\n    b\n): a += b; return a % 1000")
            else:
                self.emit(0, f"def {name}(a, b): return (a + b) % 1000")
            self.emit(0, "")
            self.funcs.append(name)
            return
        if self.chance(3) and self.real_funcs:
            self.real_func(name)
            return
        self.decorators("qd.func")
        types = self.pick("", ": qd.i32")
        self.emit(0, f"def {name}(a{types}, b{types})" + (" -> qd.i32:" if types else ":"))
        if self.chance(3):
            self.emit(1, '"""A func."""')
        self.emit(1, "t = a")
        self.emit(1, "u = b % 7")
        self.prelude(1)
        if self.chance(4):
            # Statements behind a static If, compiled or not.
            self.emit(1, f"if qd.static({self.pick(*self.static_conditions)}):")
            self.body(2, 1, in_loop=False)
            self.emit(2, "return (t + u) % 1000")
        self.body(1, 1, in_loop=False)
        self.emit(1, "return (t + u) % 1000")
        if self.chance(6):
            self.emit(1, "t = 3")
        self.emit(0, "")
        self.funcs.append(name)

    def real_func(self, name: str) -> None:
        """A func that returns from anywhere."""
        self.decorators("qd.real_func")
        self.emit(0, f"def {name}(a: qd.i32, b) -> qd.i32:")
        self.emit(1, "t = a")
        self.emit(1, "u = b % 7")
        self.prelude(1)
        again = self.chance(2)
        if again and self.chance(2):
            self.calls_itself(name)
            again = False
        self.returns = "(t * 3 + u) % 1000"
        self.body(1, self.random.choice([1, 2, 3]), in_loop=False)
        self.returns = ""
        if again:
            self.calls_itself(name)
        self.emit(1, "return (t + u) % 1000")
        self.emit(0, "")
        self.funcs.append(name)

    def calls_itself(self, name: str) -> None:
        """Calls itself with an argument that is at most half as large, so that it comes to an end."""
        smaller = f"{name}({self.pick('a // 2', 'a // 3 - 1', 'abs(a) // 2 - 1', 'b=u, a=a // 2')}{{}}"
        call = smaller.format(")" if "b=" in smaller else self.pick(", u)", ", t % 3)", ", b)"))
        limit = self.pick("5 < a < 60", "a > 9 and b % 3 > 0", "20 <= a <= 99")
        kind = self.number(0, 2)
        if kind == 0:
            self.emit(1, f"if {limit}:")
            self.emit(2, f"t += {call}")
        elif kind == 1:
            self.emit(1, f"if {limit}:")
            self.emit(2, f"return {call} % 100" if self.chance(2) else f"return ({call} + u) % 500")
        else:
            self.emit(1, f"u += {call} if {limit} else 1")

    # --- kernels -----------------------------------------------------------------------------------------------------

    def wrap(self, name: str, first: int) -> None:
        """Puts the kernel that begins at a line into a function or a class."""
        lines = "\n".join(self.lines[first:]).split("\n")
        inside = ["    " + line if line else "" for line in lines]
        if self.chance(2):
            inside = [line.replace("qd.static(LIMIT)", "qd.static(captured)") for line in inside]
            head, tail = [f"def make_{name}(captured):"], [f"    return {name}", "", "", f"{name} = make_{name}(LIMIT + 1)"]
        else:
            inside.insert(next(i for i, line in enumerate(inside) if line), "    @staticmethod")
            head, tail = [f"class Class_{name}:"], ["", f"{name} = Class_{name}.{name}"]
            if self.chance(3):
                inside = ["    class Inner:", *["    " + line if line else "" for line in inside]]
                tail = ["", f"{name} = Class_{name}.Inner.{name}"]
        self.lines[first:] = [*head, *inside, *tail, "", ""]

    def decorators(self, decorator: str) -> None:
        for _ in range(self.number(0, 2)):
            self.emit(0, "")
        choices = [f"@{decorator}", f"@{decorator}", f"@{decorator}()", f"@{decorator}  # a comment", f"@{decorator}(\n)", f"@(\n    {decorator}\n)"]
        choices += [f"@kept\n@{decorator}", f"@{decorator}\n@kept", f"@kept\n\n@{decorator}\n# a comment", f"@{decorator}\n\n"]
        if decorator == "qd.kernel":
            choices.append("@kernel")
        self.emit(0, self.pick(*choices))

    def kernel(self, name: str, templated: bool) -> None:
        self.decorators("qd.kernel")
        parameters = [f"x: {ARRAY}", f"y: {ARRAY}", "n: qd.i32"]
        parameters += [f"w: qd.types.ndarray(dtype={self.element}, ndim=1)"] if self.element else []
        parameters += ["m: qd.template()"] if templated else []
        returns = self.chance(4)
        arrow = " -> qd.i32:" if returns else ":"
        if self.chance(3):
            self.emit(0, f"def {name}(")
            for parameter in parameters:
                self.emit(1, f"{parameter},")
            self.emit(0, f"){arrow}")
        else:
            self.emit(0, f"def {name}({', '.join(parameters)}){arrow}")
        if self.chance(3):
            self.emit(1, '"""A kernel')
            self.emit(1, 'with a docstring."""')
        if self.chance(4):
            self.serial_kernel()
        else:
            for _ in range(self.number(1, 3)):
                self.top_level()
        if returns:
            self.kernel_return(templated)
        self.emit(0, "")

    def kernel_return(self, templated: bool) -> None:
        if templated and self.chance(2):
            self.emit(1, "if qd.static(m == 0):")
            self.emit(2, "return n + 1")
        if self.chance(2):
            self.emit(1, "return n % 5")
        else:
            self.emit(1, "return (")
            self.emit(2, "n")
            self.emit(2, "+ y[0]")
            self.emit(1, ")")
        if self.chance(4):
            self.emit(1, "y[0] = 5")

    def serial_kernel(self) -> None:
        """One thread does all of it, so that asserts may fail."""
        self.asserts = "may fail"
        if self.chance(2):
            self.emit(1, "t = n")
            self.emit(1, "u = n % 3")
            self.index = "0"
            self.prelude(1)
            self.emit(1, f"if t >= {self.number(0, 1)}:")
            self.body(2, self.nesting, in_loop=False)
            self.emit(1, f"y[0] = ({self.total()}) % 1000")
        else:
            self.emit(1, "qd.loop_config(serialize=True)")
            self.emit(1, self.pick("for i in range(n):", "for i in x:"))
            self.emit(2, "t = x[i]")
            self.emit(2, "u = i % 5")
            self.index, can_break = "i", self.lines[-3].endswith("range(n):")
            self.prelude(2)
            self.body(2, self.nesting, in_loop=True, can_break=can_break)
            if self.lines[-1] not in ("        continue", "        break"):
                self.emit(2, f"y[i] = {self.total()}")
        self.asserts = "never fail"

    def top_level(self) -> None:
        kind = self.number(0, 7)
        if kind == 0:
            # Its variables have names of their own: a kernel's variable that a parallel loop assigns would be a race.
            first = len(self.lines)
            self.emit(1, "t = n")
            self.emit(1, "u = n % 3")
            self.emit(1, f"if n > {self.number(0, 3)}: u = 2")
            self.index = "0"
            self.prelude(1)
            # Inside an `if` loops are serial, those of funcs too.
            self.emit(1, f"if t >= {self.number(0, 3)}:")
            self.body(2, self.nesting, in_loop=False)
            self.emit(1, f"y[0] = ({self.total()}) % 1000")
            self.lines[first:] = [re.sub(r"(?<!\.)\b(t|u|vec|mat|body)\b", r"\1_serial", line) for line in self.lines[first:]]
            return
        if self.chance(6):
            self.emit(1, "qd.loop_config(serialize=True)")
        elif self.lanes and self.chance(2):
            self.emit(1, "qd.loop_config(vectorize=True)")
        simple = ["for i in range(n):", "for i in x:", "for i in range(LIMIT - 3):", "for i in range(1, n):", "for i in qd.ndrange(n):"]
        if kind <= len(simple):
            self.emit(1, simple[kind - 1])
        elif kind == 6:
            self.emit(1, "for i, one in qd.ndrange(n, (1, 2)):")
        else:
            self.emit(1, "for I in qd.grouped(x):")
            self.emit(2, "i = I[0]")
        self.emit(2, "t = x[i]")
        self.emit(2, "u = i % 5")
        self.index = "i"
        self.prelude(2)
        self.body(2, self.nesting, in_loop=True, can_break=False)
        if self.lines[-1] != "        continue":
            self.emit(2, f"y[i] = {self.total()}")


def driver(kernels: int, arch: str, debug: bool = False, *, threads: int = 1, repeats: int = 1) -> str:
    """A program that launches every kernel of `generated.py` on a few inputs and prints the results.

    More than once: kernels of which all is covered change their code. With threads, each launches all of it."""
    return f'''import threading
import numpy as np
import qd
qd.init(arch="{arch}", debug={debug})
import generated
{DRIVER}
def launch(k, size, m):
    x = np.array([(i * 37 + k * 11) % 101 for i in range(8)], dtype=np.int32)
    y = np.zeros(8, dtype=np.int32)
    w = array_of_compounds(k)
    try:
        result = getattr(generated, f"k{{k}}")(x, y, size, *w, *([m] if k % 5 == 0 else []))
    except qd.KernelAssertionError:
        result = "failed"
    return k, size, m, result, y.tolist(), contents(w)

def launches():
    return [launch(k, size, m) for size, m in ((0, 1), (1, 3), (7, 0), (7, None), (0, 2), (7, 1), (1, 0)) for k in range({kernels})]

results = []
threads = [threading.Thread(target=lambda: results.append([launches() for _ in range({repeats})][-1])) for _ in range({threads})]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert all(result == results[0] for result in results) and len(results) == {threads}
print(*results[0], sep="\\n")
'''
