"""Kernels that run for a while, for programs that do something meanwhile."""

from __future__ import annotations

import qd


@qd.kernel
def busy(x: qd.types.ndarray(), rounds: qd.i32):
    for i in range(x.shape[0]):
        v = x[i]
        for _ in range(rounds):
            v = v * 1664525 + 1013904223
        x[i] = v


@qd.kernel
def serial(x: qd.types.ndarray(), rounds: qd.i32) -> qd.i32:
    v = 0
    k = 0
    while k < rounds:
        v = v * 1664525 + 1013904223
        x[k % x.shape[0]] = v
        k += 1
    return v


@qd.kernel
def of_template(arrays: qd.template(), rounds: qd.i32) -> qd.i32:
    v = 0
    k = 0
    while k < rounds:
        v = v * 1664525 + 1013904223
        arrays[0][k % 1000] = v
        k += 1
    return v


@qd.kernel
def of_view(view: qd.BufferView[qd.i32], rounds: qd.i32) -> qd.i32:
    v = 0
    k = 0
    while k < rounds:
        v = v * 1664525 + 1013904223
        view[k % 1000] = v
        k += 1
    return v


@qd.kernel
def speaks(x: qd.types.ndarray(), rounds: qd.i32):
    for _ in range(rounds):
        x[0] += 1
        print("round", x[0])


@qd.kernel
def finished(x: qd.i32) -> qd.i32:
    result = 0
    if x > 0:
        result = 1
    return result


@qd.data_oriented
class Holder:
    def __init__(self, n: int) -> None:
        self.x = qd.ndarray(qd.i32, n)
        self.f = qd.field(qd.i32, n)

    @qd.kernel
    def run(self, rounds: qd.i32) -> qd.i32:
        v = 0
        k = 0
        while k < rounds:
            v = v * 1664525 + 1013904223
            self.x[k % 1000] = v
            self.f[k % 1000] = v
            k += 1
        return v
