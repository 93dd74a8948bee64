"""Kernels that Python would run as they stand, and that every architecture refuses."""

import numpy as np
import qd

lst = [1, 2, 3, 4]
tup = (1, 2, 3, 4)
arr = np.array([1, 2, 3, 4], dtype=np.int32)


class V:
    def __init__(self, x):
        self.x = x


class Keywords:
    def __init__(self, **kw):
        self.s = kw["a"]


def index_of_list(n: qd.i32) -> qd.i32:
    return lst[n - 1]


def index_of_tuple(n: qd.i32) -> qd.i32:
    return tup[n - 1]


def index_of_array(n: qd.i32) -> qd.i32:
    return arr[n - 1]


def index_of_slice(n: qd.i32) -> qd.i32:
    return arr[1:][n - 1]


def keywords(n: qd.i32) -> qd.i32:
    return Keywords(a=n).s


def annotated_attribute(n: qd.i32) -> qd.i32:
    a = V(n)
    a.x: int = 5
    return a.x


def is_the_same(n: qd.i32) -> qd.i32:
    a = V(n)
    b = a
    return 1 if a is b else 0


def class_of_made(n: qd.i32) -> qd.i32:
    return int(isinstance(V(n), V))


def digits_of_the_run(n: qd.i32) -> qd.i32:
    return int(round(1.25, n))
