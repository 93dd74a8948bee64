"""Random statements with vectors, matrices and structs, among those of numbers.

Bodies that have them have a vector `vec`, a matrix `mat` and a struct `body`; kernels may have an array `w` of such. All numbers are small
integers."""

from __future__ import annotations

from statement_generator import StatementGenerator

COMPOUND_HEADER = """
VEC = qd.types.vector(2, qd.i32)
VEC3 = qd.types.vector(3, qd.i32)
MAT = qd.types.matrix(2, 2, qd.i32)
STEP = qd.Vector([1, 2])


@qd.dataclass
class Body:
    pos: VEC
    mass: qd.i32

    @qd.func
    def weight(self, by):
        if by > 3:
            self.mass += 0
        return (self.mass + by) % 50

    @qd.func
    def move(self, by):
        self.pos = (self.pos + by) % 100
        for k in qd.static(range(2)):
            if self.pos[k] > 50:
                self.pos[k] = 0
"""

ELEMENT_TYPES = {1: "VEC3", 2: "MAT", 3: "Body"}
"""The type of `w`'s elements, by the kernel's number modulo 5."""

DRIVER = """
def array_of_compounds(k):
    if k % 5 == 3:
        return [qd.ndarray(generated.Body, 8)]
    shape = {1: (8, 3), 2: (8, 2, 2)}.get(k % 5)
    return [np.arange(np.prod(shape), dtype=np.int32).reshape(shape) % 11] if shape else []

def contents(arrays):
    plain = [array if isinstance(array, np.ndarray) else array.to_numpy() for array in arrays]
    return [{name: part.tolist() for name, part in one.items()} if isinstance(one, dict) else one.tolist() for one in plain]
"""
"""Functions of the program that launches kernels: the arguments for `w`, and their contents afterwards."""


class CompoundGenerator(StatementGenerator):
    """Writes lines of function bodies, with compounds in about every second of them."""

    real_funcs = True
    """Whether some of the funcs are qd.real_func."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.compounds = False
        self.element = ""
        """The type of `w`'s elements; empty: there is no `w`."""
        self.index = "0"
        """The index of `w` at which the statements read and write: other elements are those of other iterations."""
        self.vector_funcs: list[str] = []

    def prelude(self, depth: int) -> None:
        """The variables that the body's statements use."""
        self.compounds = self.chance(2)
        if not self.compounds:
            return
        self.emit(depth, self.pick("vec = qd.Vector([t, u])", "vec = VEC(t, u)", "vec = STEP + t % 50", "vec: VEC = [t, u]"))
        self.emit(depth, self.pick("mat = qd.Matrix([[1, u], [t % 7, 2]])", "mat = MAT(u)", "mat = qd.Matrix.identity(qd.i32, 2) * u"))
        self.emit(depth, self.pick("body = Body(vec % 50, 1)", "body = Body(pos=VEC(3))", "body = Body(mass=u)"))

    def total(self) -> str:
        """The result of a body."""
        return "(t + u + vec.sum() + mat.sum() + body.pos.x + body.mass) % 1000" if self.compounds else "t + u"

    # --- expressions -------------------------------------------------------------------------------------------------

    def comparison(self) -> str:
        if self.decidable or not self.compounds or not self.chance(3):
            return super().comparison()
        return self.pick(
            f"vec.x > {self.number(0, 20)}",
            f"(vec > {self.number(0, 5)}).all()",
            f"(vec % {self.number(2, 4)} == 1).any()",
            f"any(vec % {self.number(2, 4)} == 1)",
            "vec[u % 2] < mat[0, 1]",
            f"body.weight(u) % {self.number(2, 4)} == 0",
            "body.pos.y < vec.yx.x",
            f"mat.determinant() % {self.number(2, 5)} != 1",
        )

    def condition(self) -> str:
        if self.decidable or not self.compounds or not self.chance(6):
            return super().condition()
        return self.pick(f"({self.name()} := vec % 3).y == 1", f"({self.name()} := body.pos.x) > 20")

    def vector(self) -> str:
        """A vector of two numbers."""
        choices = [
            "vec.yx",
            "mat @ vec",
            "(vec if u > 2 else body.pos)",
            f"({self.name()} := vec + 1) * 2",
            "qd.Vector([t, u % 4])",
            "VEC(t % 7)",
            "qd.Vector([vec[k] % 9 for k in range(2)])",
            "sum([vec * k for k in range(3)])",
            "[vec, body.pos][1]",
            "{'a': STEP, 'b': vec}['b']",
            "abs(vec - 5)",
            "max(vec, 3)",
            "qd.select(vec > 3, vec, u)",
            "mat[u % 2, :]",
            "mat[:, 1]",
            "-vec",
            "STEP * u",
            "qd.Vector([u, 1, t % 5]).zx",
            "mat.transpose() @ [u, 1]",
            "VEC(t, 3)[:]",
        ]
        if self.vector_funcs:
            choices += [f"{name}({argument}, u)" for name in self.vector_funcs[-2:] for argument in ("vec", "body.pos", "vec.yx", "STEP")]
        return self.pick(*choices)

    # --- statements --------------------------------------------------------------------------------------------------

    def simple(self) -> str:
        if not self.compounds or not self.chance(2):
            return super().simple()
        choices = [
            f"vec = ({self.vector()} + {self.vector()}) % 100",
            f"vec = ({self.vector()} * {self.number(2, 4)} + {self.vector()}) % 1000",
            f"vec = {self.pick('vec.yx', 'mat @ vec', 'STEP * u')} % 100 if {self.comparison()} else body.pos",
            f"body.pos = {self.vector()} % 60",
            f"{self.pick('vec.yx', 'vec')} = {self.vector()} % 90",
            f"vec {self.pick('%', '//')}= {self.number(2, 60)}",
            "vec ^= 1",
            "vec += STEP; vec %= 77",
            f"vec.{self.pick('x', 'y')} = t % {self.number(2, 9)}",
            f"vec[{self.pick('0', '1', 'u % 2')}] += u",
            "vec.yx += [1, 2]",
            "vec, t = vec.yx % 50, vec.x % 9",
            f"{self.name()}, t = vec % 20",
            f"{self.name()} = vec; vec.x = 1",
            f"t = (t + ({self.vector()}).dot(vec % 10)) % 1000",
            f"t = (t + ({self.vector()}).sum()) % 1000",
            f"mat[u % 2, {self.pick('0', '1', 't % 2')}] = {self.number(0, 9)}",
            f"mat = mat @ {self.pick('mat', 'mat.transpose()', '[[1, u], [2, 1]]')} % 20",
            "mat = (vec % 10).outer_product(vec.yx % 10)",
            "mat = (mat * 3 - u) % 30; mat[0, 0] += 1",
            "t = (t + mat.trace() + mat[1, u % 2]) % 1000",
            "body.mass += 1; body.mass %= 40",
            "body.pos.x = t % 50",
            "body.pos[u % 2] ^= 3",
            f"body = Body({self.vector()} % 50, u)",
            f"body.move({self.pick('u', 'vec', '[1, 2]', '3')})",
            "u = body.weight(t) % 9",
            f"{self.name()} = body; body.mass = 3",
            "vec.fill(u)",
        ]
        choices += self.element_statements()
        return self.pick(*choices)

    def element_statements(self) -> list[str]:
        statements = {
            "VEC3": "# = [t % 9, u, 1]|#.zy = vec % 50|#[u % 3] = t % 9|# = (# + #.yzx) % 99|t = (t + #.sum()) % 1000|#.x += 1",
            "MAT": "# = mat|#[u % 2, 0] = 5|# = # @ mat % 50|mat = # + u|t = (t + #[u % 2, 1]) % 1000|# += 1",
            "Body": "# = body|body = #|#.pos.x = t % 9|#.mass += 1|#.move(u)|t = (t + #.weight(u)) % 1000|vec = #.pos",
        }
        return statements[self.element].replace("#", f"w[{self.index}]").split("|") if self.element else []

    def multi_line(self, depth: int) -> None:
        if not self.compounds or self.chance(2):
            super().multi_line(depth)
            return
        if self.chance(2):
            self.emit(depth, "vec = qd.Vector([")
            self.emit(depth + 1, self.pick("t,", "t % 5,  # the first", "(t if u > 2 else 1),"))
            self.emit(depth + 1, "u")
            self.emit(depth, "]) % 50")
            return
        self.emit(depth, "body = Body(")
        self.emit(depth + 1, f"pos={self.vector()} % 50,")
        self.emit(depth + 1, f"mass=body.weight(\n{'    ' * (depth + 2)}u\n{'    ' * (depth + 1)}),")
        self.emit(depth, ")")

    def static_for(self, depth: int, nesting: int) -> None:
        if not self.compounds or self.spine or self.chance(2):
            super().static_for(depth, nesting)
            return
        first, second = self.name(), self.name()
        header, line = self.random.choice(
            [
                (f"for {first} in qd.static(range(vec.n)):", f"vec[{first}] = (vec[{first}] + {first}) % 100"),
                (f"for {first}, {second} in qd.static(qd.ndrange(2, mat.m)):", f"mat[{first}, {second}] = (mat[{second}, {first}] + 1) % 10"),
                (f"for {first} in qd.static([0, 1]):", f"if vec[{first}] > 20: vec[1 - {first}] = 3"),
                (f"for {first} in qd.static((STEP, 3)):", f"vec = (vec + {first}) % 100"),
                (f"for {first}, {second} in qd.static(zip(range(2), (3, 4))):", f"vec[{first}] = {second}"),
            ]
        )
        self.emit(depth, header)
        self.emit(depth + 1, line)
        if self.chance(2):
            self.body(depth + 1, nesting - 1, False)

    # --- funcs -------------------------------------------------------------------------------------------------------

    def vector_func(self, name: str) -> None:
        """A func from a vector and a number to a vector. It changes its own copy of the vector."""
        real = self.chance(2) and self.real_funcs
        types = real or self.chance(2)
        self.emit(0, "@qd.real_func" if real else "@qd.func")
        self.emit(0, f"def {name}(vec: VEC, b: qd.i32) -> VEC:" if types else f"def {name}(vec, b):")
        self.emit(1, f"t = vec{self.pick('.x', '[0]')} if {'vec.y > 3' if types else 'b > 3'} else b")
        self.emit(1, "u = b % 7")
        self.emit(1, "mat = MAT(b % 5)")
        self.emit(1, "body = Body([1, 2], u)")
        self.compounds, self.returns = True, "(VEC(t, u) + 3) % 100" if real else ""
        self.body(1, self.random.choice([1, 2]), in_loop=False)
        self.returns = ""
        self.emit(1, "return (VEC(t, u) + body.pos) % 100")
        self.emit(0, "")
        self.vector_funcs.append(name)
