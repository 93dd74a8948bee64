"""Kernels of graphs_test.cpp."""

import qd


@qd.kernel(graph=True)
def countdown(x: qd.types.ndarray(dtype=qd.i32, ndim=1), passes: qd.types.ndarray(dtype=qd.i32, ndim=0)):
    while qd.graph.do_while(passes):
        for i in x:
            x[i] += passes[None]
        passes[None] -= 1


@qd.kernel(graph=True, checkpoints=True)
def steps(x: qd.types.ndarray(dtype=qd.i32, ndim=1), full: qd.types.ndarray(dtype=qd.i32, ndim=0)):
    total = 0
    for i in x:
        total += x[i]
    with qd.checkpoint(7, yield_on=full):
        for i in x:
            x[i] += total
    for i in x:
        x[i] *= 10


@qd.kernel
def blocks(x: qd.types.ndarray(dtype=qd.i32, ndim=1), y: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    with qd.stream_parallel():
        for i in x:
            x[i] = 1
        for i in x:
            x[i] += i
    with qd.stream_parallel():
        for i in y:
            y[i] = 2
