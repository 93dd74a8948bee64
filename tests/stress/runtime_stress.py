"""One process of test_runtime_stress.py: threads launch, reset, start again, make and drop arrays; the main thread forks and is interrupted.

Usage: runtime_stress.py SEED SECONDS. Every result is known beforehand; a wrong one ends the process with code 1. Arcs that finished launches
reached are printed, a line each.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import random
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from types import FrameType

import numpy as np
import qd

ARMS = 12


@qd.kernel
def arm(which: qd.i32) -> qd.i32:
    result = 0
    if which == 0:
        result = 100
    if which == 1:
        result = 101
    if which == 2:
        result = 102
    if which == 3:
        result = 103
    if which == 4:
        result = 104
    if which == 5:
        result = 105
    if which == 6:
        result = 106
    if which == 7:
        result = 107
    if which == 8:
        result = 108
    if which == 9:
        result = 109
    if which == 10:
        result = 110
    if which == 11:
        result = 111
    return result


@qd.kernel
def chain(x: qd.types.ndarray(), rounds: qd.i32) -> qd.i32:
    v = 0
    k = 0
    while k < rounds:
        v = v * 1664525 + 1013904223
        x[k % x.shape[0]] = v
        k += 1
    return v


@qd.kernel
def fill(x: qd.types.ndarray(), rounds: qd.i32):
    for i in range(x.shape[0]):
        v = 0
        for _ in range(rounds):
            v = v * 1664525 + 1013904223
        x[i] = v


@qd.kernel
def both(x: qd.types.ndarray(), y: qd.types.ndarray()):
    for i, j in x:
        x[i, j] = 10 * i + j
        y[j, i] += 100


@qd.kernel
def count(n: qd.i32) -> qd.i32:
    total = 0
    for i in range(n):
        total += i % 3
    return total


@qd.kernel
def of_view(view: qd.BufferView[qd.i32]) -> qd.i32:
    last = 0
    for i in range(view.size):
        view[i] = i
        last += view[i]
    return last


@qd.kernel
def forever(x: qd.types.ndarray()):
    for i in range(1000):
        while True:
            x[i % 8] += 1


@qd.data_oriented
class Holder:
    def __init__(self, n: int) -> None:
        self.array = qd.ndarray(qd.i32, n)
        self.field = qd.field(qd.i32, n)

    @qd.kernel
    def run(self, value: qd.i32) -> qd.i32:
        total = 0
        for i in range(self.array.shape[0]):
            self.array[i] = value
            self.field[i] = value + 1
            total += self.array[i] + self.field[i]
        return total


class Enough(BaseException):
    """An interrupt, and no Exception, as KeyboardInterrupt: no handler may take it for an error of the operation that was tried."""


class Different(Exception):
    """A wrong result."""


GONE = ("qd.init() has not been called", "is gone: ", "belongs to an earlier qd.init()", "of a program that has ended", "the program has ended")
"""Errors that a thread may get when another one has called qd.reset or qd.init."""


def lcg(rounds: int) -> int:
    v = 0
    for _ in range(rounds):
        v = (v * 1664525 + 1013904223) & 0xFFFFFFFF
    return v - (1 << 32) if v >> 31 else v


LCG = {rounds: lcg(rounds) for rounds in (1, 7, 1000, 20_000)}


def expect(got: object, want: object) -> None:
    if got != want:
        raise Different(f"got {got!r}, not {want!r}"[:2000])


class Run:
    def __init__(self, seed: int, seconds: float) -> None:
        self.seed = seed
        self.end = time.monotonic() + seconds
        self.failed: list[str] = []
        self.reached: set[int] = set()
        self.done = 0
        self.shared: list[Holder] = []

    def start(self, chance: random.Random) -> None:
        options = {"cpu_max_num_threads": chance.randrange(1, 5), "coverage_switch": chance.randrange(4), "offline_cache": chance.random() < 0.5}
        qd.init(log_level="error", **options)

    # --- actions of threads ---

    def arms(self, chance: random.Random) -> None:
        for _ in range(chance.choice((1, 10, 100))):
            which = chance.randrange(ARMS)
            expect(arm(which), 100 + which)
            self.reached.add(which)

    def chains(self, chance: random.Random) -> None:
        rounds = chance.choice([*LCG])
        x = qd.ndarray(qd.i32, 16) if chance.random() < 0.5 else np.zeros(16, np.int32)
        expect(chain(x, rounds), LCG[rounds])

    def fills(self, chance: random.Random) -> None:
        rounds, n = chance.choice([*LCG]), chance.choice((1, 1000, 100_000))
        x = np.zeros(n, np.int32)
        fill(x, min(rounds, 1000))
        expect(set(x.tolist()), {LCG[min(rounds, 1000)]})

    def drops(self, chance: random.Random) -> None:
        """Lets go of objects that others may be using."""
        holder = Holder(chance.choice((1, 1000, 50_000)))
        n, value = holder.array.shape[0], chance.randrange(10)
        expect(holder.run(value), n * (2 * value + 1))
        self.shared.append(holder)
        if chance.random() < 0.5:
            self.shared.clear()
            gc.collect()

    def uses(self, chance: random.Random) -> None:
        """Uses objects that another thread has made, and may let go of or change."""
        for holder in self.shared[-1:]:
            holder.run(chance.randrange(10))

    def memory(self, chance: random.Random) -> None:
        n = chance.randrange(1, 40)
        x = np.zeros((n, n), np.int32, order=chance.choice("CF"))
        both(x, x.T)
        expect(x.tolist(), [[100 + 10 * i + j for j in range(n)] for i in range(n)])

    def counts(self, chance: random.Random) -> None:
        n = chance.choice((0, 1, 1000, 3_000_000))
        expect(count(n), sum((i % 3) * ((n - i + 2) // 3) for i in range(3)))

    def views(self, chance: random.Random) -> None:
        size = chance.randrange(1, 50)
        expect(of_view(qd.ndarray(qd.i32, 100)[10 : 10 + size]), size * (size - 1) // 2)

    def context(self, chance: random.Random) -> None:
        coverage = sys.modules.get("qd_coverage")
        if coverage is not None:
            coverage.switch_context(f"test{chance.randrange(5)}")

    def restart(self, chance: random.Random) -> None:
        if chance.random() < 0.3:
            qd.reset()
        self.start(chance)

    def synchronize(self, chance: random.Random) -> None:
        qd.sync()

    def fork(self, chance: random.Random) -> None:
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                signal.setitimer(signal.ITIMER_REAL, 0)
                faulthandler.dump_traceback_later(100, exit=True)
                self.start(chance)
                for action in (self.arms, self.chains, self.fills, self.memory):
                    action(chance)
                code = 0
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(code)
        expect(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0)

    def step(self, chance: random.Random, actions: list[Callable[[random.Random], None]]) -> None:
        try:
            chance.choice(actions)(chance)
        except Different:
            raise
        except RuntimeError as error:
            if not any(text in str(error) for text in GONE):
                raise
        self.done += 1

    def work(self, number: int) -> None:
        chance = random.Random(self.seed * 100 + number)
        usual = [self.arms, self.chains, self.fills, self.drops, self.uses, self.memory, self.counts, self.views]
        try:
            while time.monotonic() < self.end and not self.failed:
                self.step(chance, [*usual * 5, self.context, self.restart, self.synchronize])
        except BaseException:
            self.failed.append(traceback.format_exc())

    def interrupted(self, chance: random.Random) -> None:
        """Interrupted work of the main thread: a kernel without end, or others for a while, until a handler raises."""
        x = np.zeros(8, np.int32)
        what = chance.choice([lambda: forever(x), lambda: self.step(chance, [self.fills, self.counts, self.arms, self.chains])])
        try:
            # Once only: a launch that misses it hangs.
            signal.setitimer(signal.ITIMER_REAL, chance.choice((0.001, 0.05, 0.3)))
            while True:
                what()
        except Enough:
            pass
        except RuntimeError as error:
            if not any(text in str(error) for text in GONE):
                raise
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def main(self) -> int:
        def enough(number: int, frame: FrameType | None) -> None:
            if time.monotonic() < self.end + 60:
                raise Enough

        def again(dropped: object) -> None:
            """Python drops and reports an exception of a handler while an object is being finalized: not a launch's fault."""
            if getattr(dropped, "exc_type", None) is not Enough:
                sys.__unraisablehook__(dropped)  # type: ignore[arg-type]
            signal.setitimer(signal.ITIMER_REAL, 0.1)  # not so soon that it comes while this function runs

        signal.signal(signal.SIGALRM, enough)
        sys.unraisablehook = again
        chance = random.Random(self.seed)
        self.start(chance)
        threads = [threading.Thread(target=self.work, args=(number,), daemon=True) for number in range(1, 4)]
        for thread in threads:
            thread.start()
        try:
            while time.monotonic() < self.end and not self.failed:
                try:
                    self.step(chance, [self.interrupted, self.interrupted, self.fork, self.arms, self.counts, self.drops, self.memory])
                except Enough:
                    pass
        except BaseException:
            self.failed.append(traceback.format_exc())
        how = chance.randrange(3)
        if how > 0 or self.failed:
            for thread in threads:
                thread.join(60)
                if thread.is_alive():
                    self.failed.append("a thread does not end")
        reached = sorted(self.reached)
        print("\n".join(f"reached {which}" for which in reached))
        print(f"done {self.done}", flush=True)
        for text in self.failed:
            print(text, file=sys.stderr, flush=True)
        if how == 2:
            os._exit(1 if self.failed else 0)  # the journal has it
        return 1 if self.failed else 0


if __name__ == "__main__":
    sys.exit(Run(int(sys.argv[1]), float(sys.argv[2])).main())
