"""Classes whose methods are kernels and funcs, and kernels that take objects as templates."""

import enum

import qd


class Mode(enum.Enum):
    ADD = 1
    MULTIPLY = 2


@qd.data_oriented
class Counter:
    step = 2

    def __init__(self, n, offset=0):
        self.x = qd.field(qd.i32, shape=n)
        self.n = n
        self.offset = offset
        self.mode = Mode.ADD

    @qd.kernel
    def run(self, factor: qd.i32) -> qd.i32:
        for i in range(self.n):
            self.x[i] += self.value(i, factor) + self.offset
        total = 0
        for i in self.x:
            total += self.x[i]
        return total

    @qd.func
    def value(self, i, factor: qd.i32):
        result = 0
        if qd.static(self.mode == Mode.ADD):
            result = self.add(i, factor)
        else:
            result = i * factor
        return result * self.step

    @staticmethod
    @qd.func
    def add(a, b):
        return a + b

    @qd.func
    @staticmethod
    def subtract(a, b):
        return a - b

    @property
    def double(self):
        return 2 * self.n

    @qd.kernel
    def of_property(self) -> qd.i32:
        return self.double + self.subtract(10, 3)

    @staticmethod
    @qd.kernel
    def static_kernel(a: qd.i32) -> qd.i32:
        return a + 1


class Doubling(Counter):
    step = 3

    @qd.func
    def value(self, i, factor: qd.i32):
        return 2 * i + self.step * factor

    @qd.kernel
    def own(self) -> qd.i32:
        return self.value(1, 2) + self.n


@qd.data_oriented
class Swapped:
    def __init__(self, n):
        self.a = qd.ndarray(qd.f32, shape=n)
        self.b = qd.ndarray(qd.f32, shape=n)
        self.parts = [Counter(2), Counter(3, 5)]
        self.table = {"scale": 3, "shift": 1}
        self.arrays = (self.a, self.b)

    @qd.kernel
    def move(self):
        for i in range(self.a.shape[0]):
            self.b[i] = self.a[i] + 1

    @qd.kernel
    def nested(self) -> qd.i32:
        total = 0
        for part in qd.static(self.parts):
            total += part.n * 10 + part.offset
        return total + self.parts[1].n

    @qd.kernel
    def of_table(self) -> qd.i32:
        return self.table["scale"] * 10 + qd.static(self.table["shift"])

    @qd.kernel
    def sizes(self) -> qd.i32:
        total = 0
        for array in qd.static(self.arrays):
            total += array.shape[0] * qd.static(array.ndim)
        return total


@qd.data_oriented(template_primitives=False)
class Lifted:
    def __init__(self):
        self.gain = 2
        self.bias = 0.5
        self.on = True
        self.unused = 1

    @qd.kernel
    def apply(self, x: qd.types.ndarray()) -> qd.f32:
        for i in x:
            x[i] = x[i] * self.gain + self.bias
        return self.bias if self.on else -1.0

    @qd.kernel
    def unrolled(self) -> qd.i32:
        n = 0
        for i in qd.static(range(self.gain)):
            n += i + 1
        return n * 100 + self.gain


@qd.kernel
def takes_object(o: qd.template(), pair: qd.template()) -> qd.i32:
    return o.n * 100 + pair[0].offset * 10 + pair[1]


@qd.kernel
def takes_array(x: qd.template(), y: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    for i in range(x.shape[0]):
        y[i] = x[i] * 2


class Plain:
    @qd.kernel
    def run(self, n: qd.i32) -> qd.i32:
        return n


@qd.data_oriented
class Calling:
    @qd.kernel
    def inner(self) -> qd.i32:
        return 1

    @qd.kernel
    def outer(self) -> qd.i32:
        return self.inner()


@qd.data_oriented
class Small:
    size = 1

    @qd.func
    def weight(self):
        return 2


@qd.data_oriented
class Large(Small):
    @qd.func
    def weight(self):
        return 30


@qd.data_oriented
class Holder:
    def __init__(self):
        self.part = Small()
        self.other = self.part
        self.numbers = qd.ndarray(qd.f32, shape=1 << 23)

    @property
    def copied(self):
        """Another array each time, without other references; so large that its pages are gone when it is."""
        array = qd.ndarray(qd.f32, shape=1 << 23)
        array.copy_from(self.numbers)
        return array

    @qd.kernel
    def weight(self) -> qd.i32:
        return self.part.weight() + self.part.size

    @qd.kernel
    def twice_the_same(self) -> qd.i32:
        return 1 if qd.static(self.part is self.other) else 0

    @qd.func
    def some_of(self, x):
        total = 0.0
        for i in range(16):
            total += x[i << 19]
        return total

    @qd.kernel
    def some_of_copy(self) -> qd.f32:
        return self.some_of(self.copied)


@qd.kernel
def are_the_same(a: qd.template(), b: qd.template()) -> qd.i32:
    return 1 if qd.static(a is b) else 0


class Named(dict):
    """A dict whose keys are attributes, too."""

    __getattr__ = dict.get
    __setattr__ = dict.__setitem__


@qd.data_oriented
class NamedStates:
    def __init__(self, states):
        self.states = states

    @qd.kernel
    def step(self, out: qd.types.ndarray(dtype=qd.i32, ndim=1)):
        for i in range(self.states.n):
            self.states.inner.speed[i] += self.states["n"] + len(self.states)
        if qd.static("n" in self.states and "m" not in self.states):
            for name in qd.static(self.states):
                out[0] += 1 if qd.static(name == "inner") else 10
        for i in out:
            out[i] += self.states.inner.speed[i]


@qd.data_oriented
class Scale:
    """An object that kernels call, index, compare and add to, by funcs of its class."""

    def __init__(self, values, factor):
        self.values = values
        self.factor = factor

    @qd.func
    def __call__(self, x):
        return x * self.factor

    @qd.func
    def __getitem__(self, i: qd.i32):
        return self.factor * self.values[i]

    @qd.func
    def __setitem__(self, i: qd.i32, x):
        self.values[i] = x + self.factor

    @qd.func
    def __add__(self, x):
        return self.factor + x

    @qd.func
    def __neg__(self):
        return -self.factor

    @qd.func
    def __lt__(self, x):
        return self.factor < x

    @qd.func
    def __eq__(self, x):
        return self.factor == x

    @qd.func
    def __len__(self):
        return self.values.shape[0]


class Shift:
    """An object that Python calls by a method that nobody has decorated."""

    def __init__(self, by):
        self.by = by

    def __call__(self, x):
        return x + self.by


@qd.kernel
def applies_objects(scale: qd.template(), scales: qd.template(), shift: qd.template(), out: qd.types.ndarray(dtype=qd.i32, ndim=2)):
    for i in range(out.shape[1]):
        out[0, i] = scale(i) + shift(i)
        out[1, i] = scale[i] + scale[2] + scales[1][i]
        out[2, i] = scale + i
        out[3, i] = -scale
        out[4, i] = 1 if scale < i else 10 if scale == i else 100 if scale != i + 1 else 1000
        out[5, i] = len(scale)


@qd.kernel
def stores_by_a_func(scale: qd.template()):
    for i in range(3):
        scale[i] = 10 * i
        scale[i] += 1
