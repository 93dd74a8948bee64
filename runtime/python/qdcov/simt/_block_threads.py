"""arch=qd.python: the threads of a block, which take turns.

A loop with blocks is a generator for each of its iterations, which is a thread of a block. A thread runs until it meets others, that is until it
yields a `Meeting`. When all threads that the meeting is for have come to it, each goes on with what the others brought. So locals are a thread's own,
and only one thread runs at any time."""

from __future__ import annotations

import enum
import functools
import sys
from collections.abc import Callable, Generator, Iterable, Sequence
from types import CodeType, FrameType, MethodType
from typing import Any, NamedTuple

from qdcov import _execution
from qdcov._errors import KernelAssertionError, KernelRuntimeError, KernelSyntaxError, KernelTypeError
from qdcov._options import MOST_THREADS
from qdcov._scalars import callstack, checks
from qdcov._scalars.loops import iterate
from qdcov._scalars.value import Callee


class Scope(enum.Enum):
    """The threads that meet."""

    BLOCK = "block"
    SUBGROUP = "subgroup"


of_block, of_subgroup = Scope.BLOCK, Scope.SUBGROUP


class Meeting(NamedTuple):
    """The meeting that a thread waits for. `what` is the name of the operation in messages, `brought` the value of this thread for the others."""

    scope: Scope
    what: str
    brought: Any = None


Steps = Generator[Meeting, "list[Any]", Any]
"""Generator of a thread: it yields meetings, and gets the values of all threads of the scope, in their order; `GONE` of one that has ended."""


class _Gone:
    def __repr__(self) -> str:
        return "GONE"


GONE = _Gone()


class Thread:
    """One iteration of a loop with blocks."""

    __slots__ = ("answer", "block", "index", "iteration", "meeting", "number", "steps", "unrolled")

    def __init__(self, block: Block, number: int, iteration: int | None, index: Any, steps: Steps) -> None:
        self.block = block
        self.number = number  # in its block
        self.index = index  # the value of the loop variables
        self.iteration = iteration  # None: the thread is alone, outside of a parallel loop
        self.steps = steps
        self.meeting: Meeting | None = None  # that it waits for; None: it has ended
        self.answer: list[Any] | None = None
        self.unrolled: list[int] = []  # the iterations of loops with qd.static around

    def proceed(self) -> None:
        """Runs the thread up to its next meeting, or to its end."""
        local = _execution.local
        local.thread, local.iteration, local.index = self, self.iteration, self.index
        try:
            self.meeting = self.steps.send(self.answer) if self.answer is not None else next(self.steps)
        except StopIteration:
            self.meeting = None
        local.thread = None  # after a failure it stays, for the message

    def frames(self) -> list[FrameType]:
        """The frames of a thread that waits, the loop's first."""
        found: list[FrameType] = []
        steps: Any = self.steps
        while getattr(steps, "gi_frame", None) is not None:
            found.append(steps.gi_frame)
            steps = steps.gi_yieldfrom
        return found

    def place(self) -> list[tuple[CodeType, int]]:
        """The place where a thread waits: two are at one place when it is the same call, by way of the same calls."""
        found: list[tuple[CodeType, int]] = []
        steps: Any = self.steps
        while (frame := getattr(steps, "gi_frame", None)) is not None:
            found.append((frame.f_code, frame.f_lasti))
            steps = steps.gi_yieldfrom
        return found

    def way(self) -> tuple[Any, ...]:
        """The calls that the thread, which is running, is in: the same for all threads that are at one place."""
        frame: FrameType | None = sys._getframe(1)
        found: list[Any] = [*self.unrolled]
        while frame is not None and frame.f_code is not Thread.proceed.__code__:
            found += frame.f_code, frame.f_lasti
            frame = frame.f_back
        return tuple(found)

    def text(self) -> str:
        """The operation and the place that a thread waits at, for messages."""
        assert self.meeting is not None
        lines = [frame for frame in self.frames() if frame.f_code in callstack.rewritten]
        where = f"{lines[-1].f_code.co_filename}:{lines[-1].f_lineno}" if lines else "?"
        return f"thread {self.number} is in {self.meeting.what} at {where}"


class Block:
    """The threads of one block, and the arrays that they share."""

    def __init__(self, make: Callable[[list[Any]], Steps], first: int, things: Sequence[Any], dim: int, whole: Callable[[], None]) -> None:
        self.dim = dim  # number of threads of each block; the last one may have fewer
        self.size = _execution.Options.subgroup_size
        self.whole = whole  # raises when not all blocks of the loop have all their threads
        self.shared: dict[Any, Any] = {}
        self.threads = [Thread(self, i, first + i, thing, make([thing])) for i, thing in enumerate(things)]

    def run(self) -> None:
        groups = [self.threads[i : i + self.size] for i in range(0, len(self.threads), self.size)]
        for thread in self.threads:
            thread.proceed()
            if thread.meeting is not None:
                self.whole()
        while True:
            for group in groups:
                self.advance(group)
            waiting = [thread for thread in self.threads if thread.meeting is not None]
            if not waiting:
                return
            self.meet(self.threads, waiting)

    def advance(self, group: list[Thread]) -> None:
        """Lets a subgroup go on until none of its threads waits for others of the subgroup."""
        while True:
            waiting = [thread for thread in group if thread.meeting is not None]
            if not any(thread.meeting is not None and thread.meeting.scope is Scope.SUBGROUP for thread in waiting):
                return
            self.meet(group, waiting)

    def meet(self, group: list[Thread], waiting: list[Thread]) -> None:
        """Completes a meeting: the threads of a group that have not ended go on to their next one."""
        first = waiting[0]
        place = first.place()
        apart = next((thread for thread in waiting if thread.place() != place), None)
        if apart is not None:
            raise _apart(*sorted((first, apart), key=lambda thread: thread.meeting is None or thread.meeting.scope is not Scope.SUBGROUP))
        brought = [GONE if thread.meeting is None else thread.meeting.brought for thread in group]
        for thread in waiting:
            thread.answer = brought
        for thread in waiting:
            thread.proceed()

    def close(self) -> None:
        """Ends the threads that have not ended, after a failure in one of them."""
        for thread in self.threads:
            thread.steps.close()


def _apart(first: Thread, other: Thread) -> KernelAssertionError:
    """The error of threads that have to meet, but are at different places."""
    assert first.meeting is not None
    local = _execution.local
    local.iteration, local.index = first.iteration, first.index
    what = f"{first.meeting.what} under a condition that differs between the threads of a {first.meeting.scope.value}"
    lines = [(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name) for frame in first.frames() if frame.f_code in callstack.rewritten]
    return KernelAssertionError(checks.named(f"{what}: {first.text()}, {other.text()}", lines))


def run_blocks(make: Callable[[list[Any]], Steps], things: Iterable[Any], what: str, meets: bool, variables: str | tuple[str, ...] | None) -> None:
    """Runs a loop with blocks. `make` gives the generator of a thread for the list of its one index. `what` is an operation of blocks in the loop;
    `meets`: its threads are known to meet. `variables`: the names of its loop variables."""
    local = _execution.local
    block_dim, local.block_dim = local.block_dim or _execution.Options.block_dim, None
    all_things = list(iterate(things))
    if local.thread is not None:  # a serial loop, of a func that does not wait
        for _ in make(all_things):
            raise AssertionError("a thread waits in a func that does not")
        return
    if local.serial or local.alone or local.iteration is not None:
        if what:
            raise outside(what)
        _run_alone(make, all_things)
        return
    if block_dim > MOST_THREADS:
        raise KernelTypeError(f"`block_dim` is {MOST_THREADS} at most, not {block_dim}: the iterations are threads of blocks")
    local.serial, local.variables, local.width = False, variables, block_dim

    def whole() -> None:
        if len(all_things) % block_dim:
            message = f"the loop runs {len(all_things)} iterations, which is not a multiple of its block_dim {block_dim}"
            raise KernelAssertionError(checks.named(message, callstack.lines()))

    if meets:
        whole()
    for first in range(0, len(all_things), block_dim):
        block = Block(make, first, all_things[first : first + block_dim], block_dim, whole)
        try:
            block.run()
        finally:
            block.close()
    local.iteration, local.serial = None, False


def _run_alone(make: Callable[[list[Any]], Steps], things: list[Any]) -> None:
    """Runs a serial loop on one thread, which is the only one of its subgroup."""
    local = _execution.local
    local.serial = False
    block = Block(lambda _: make(things), 0, [None], 1, lambda: None)
    (thread,) = block.threads
    thread.iteration, thread.index = local.iteration, local.index
    try:
        block.run()
    finally:
        block.close()


def current(what: str) -> Thread:
    """The thread of a block that is running. Raises KernelSyntaxError, or KernelRuntimeError on the host, where there is none."""
    thread: Thread | None = _execution.local.thread
    if thread is None:
        raise outside(what) if _execution.inside() else KernelRuntimeError(f"{what} works in kernels only")
    return thread


def outside(what: str) -> KernelSyntaxError:
    """The error of an operation of threads where there are none."""
    return KernelSyntaxError(f"{callstack.place()}{what} is used outside of a parallel loop")


def unrolled_in_thread(things: Iterable[Any]) -> Iterable[Any]:
    """The iterable of a loop with qd.static: arrays of the block that are made in it are others in each iteration."""
    return _execution.numbered(things, current("qd.static").unrolled)


def alike(what: str, scope: Scope, decision: Any) -> Steps:
    """The decision of a condition with meetings under it, which is the same for all threads that meet there."""
    thread = current(what)
    brought = yield Meeting(scope, what, decision)
    first = next(number for number, other in enumerate(brought) if other is not GONE)
    if decision == brought[first]:
        return decision
    base = thread.number - thread.number % thread.block.size if scope is Scope.SUBGROUP else 0
    message = f"{what} under a condition that differs between the threads of a {scope.value}"
    raise KernelAssertionError(checks.named(f"{message}: thread {base + first} and thread {thread.number}", callstack.lines()))


def as_often(what: str, scope: Scope, things: Iterable[Any]) -> Steps:
    """The iterable of a loop with meetings in it, which is as long for all threads that meet there."""
    found = list(things)
    yield from alike(what, scope, len(found))
    return found


def alone(function: Any) -> Callable[..., Any]:
    """A function that is called under a serial loop or a condition of a kernel: its own loops are serial."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        local = _execution.local
        before, local.alone = local.alone, True
        try:
            return function(*args, **kwargs)
        finally:
            local.alone = before

    return call


def in_turn(function: Any) -> Callable[..., Steps]:
    """The generator for a call of a function that may meet others, or may not."""
    if isinstance(function, Callee):
        return function._steps
    if isinstance(function, functools.partial):
        return functools.partial(in_turn(function.func), *function.args, **function.keywords)
    if isinstance(function, MethodType):
        return functools.partial(in_turn(function.__func__), function.__self__)
    return functools.partial(_called, function)


def _called(function: Any, *args: Any, **kwargs: Any) -> Steps:
    return function(*args, **kwargs)
    yield  # a generator, without a meeting
