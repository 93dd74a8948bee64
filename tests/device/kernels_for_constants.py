"""Kernels with functions and slices of constants. Python runs each of them as it stands, too."""

import collections

import numpy as np
import qd

P = collections.namedtuple("P", "a b")
n1 = P(3, 4)
lst = [1, 2, 3, 4]
tup = (1, 2, 3, 4)
arr = np.array([1, 2, 3, 4], dtype=np.int32)
arr2 = np.arange(6, dtype=np.int32).reshape(2, 3)
dct = {"a": 1, "b": 2}
txt = "hello"
wide = "é世😀"


class Ring:
    """A sequence without an end, of which Python's len() counts one turn."""

    def __len__(self):
        return 3

    def __getitem__(self, i):
        if i > 100:
            raise RuntimeError("len() reads no item")
        return i % 3


ring = Ring()


def s_arr_iter(n: qd.i32) -> qd.i32:
    s = 0
    for v in qd.static(arr[1:]):
        s += v
    return s + n


def s_list_iter(n: qd.i32) -> qd.i32:
    s = 0
    for v in qd.static(lst[1:]):
        s += v
    return s + n


def s_vec(n: qd.i32) -> qd.i32:
    v = qd.Vector(arr[1:3])
    return v[0] + v[1] + n


def s_vec2(n: qd.i32) -> qd.i32:
    v = qd.Vector(lst[1:3])
    return v[0] + v[1] + n


def enum_zip(n: qd.i32) -> qd.i32:
    s = 0
    for i, v in qd.static(enumerate(np.array([5, 6]))):
        s += i * v
    return s + n


EXPRESSIONS = [
    "int(round(2.567, 2) * 100) + n",
    "round(2.5) + n",
    "round(1234, -2) + n",
    "divmod(7, 2)[0] + n",
    "len(hex(255)) + n",
    'ord("a") + n',
    "len(chr(97)) + n",
    "len(str(12)) + n",
    "len(repr(12)) + n",
    "pow(2, 5, 7) + n",
    "pow(2, 5) + n",
    "(1 if qd.static(isinstance(lst, list)) else 0) + n",
    "int(isinstance(lst, list)) + n",
    '(1 if qd.static(hasattr(n1, "a")) else 0) + n',
    "(1 if qd.static(type(lst) is list) else 0) + n",
    "hash(5) + n",
    "len(bin(5)) + n",
    "len(lst) + len(tup) + len(arr) + len(dct) + len(txt) + n",
    "max(lst) + n",
    "min(tup) + n",
    "max(arr) + n",
    "sum(lst) + n",
    "sum(arr) + n",
    "sorted(lst)[0] + n",
    "abs(-3) + n",
    'int("12") + n',
    "int(any([0, 1])) + n",
    'len(format(3.14159, ".2f")) + n',
    "int(callable(len)) + n",
    "sum(map(abs, lst)) + n",
    "len(list(filter(None, lst))) + n",
    "len(set(lst)) + n",
    "len(frozenset(lst)) + n",
    "int(complex(3, 4).real) + n",
    "lst[slice(1, 3)][0] + n",
    "next(iter(lst)) + n",
    "len(bytes(3)) + n",
    "lst[1:][0] + n",
    "tup[1:3][1] + n",
    "arr[1:][0] + n",
    "arr[::2][1] + n",
    "arr[-2:][0] + n",
    "arr[::-1][0] + n",
    "arr2[1][2] + n",
    "arr2[1, 2] + n",
    "arr2[1:][0][2] + n",
    "arr2[:, 1][1] + n",
    "arr2[1, :][1] + n",
    "arr2[0:2, 1:3][1, 1] + n",
    "arr[-1] + n",
    "lst[-1] + n",
    "len(arr[1:]) + n",
    "sum(arr[1:]) + n",
    "qd.static(arr[1:][1]) + n",
    "qd.static(lst[1:][1]) + n",
    "len(txt[1:]) + n",
    "arr.sum() + n",
    "arr2.shape[1] + n",
    "sorted(np.array([3, 1, 2]))[0] + n",
    "sum(range(4)) + n",
    "len(wide) + n",
    'len("é世" * 2 + str(n1.a)) + n',
    "qd.static(len(wide)) + n",
    "ord(wide[1]) + ord(wide[-1]) + n",
    "len(wide[1:]) + ord(wide[::-1][0]) + n",
    'len("straße".upper()) + ord("É".lower()) + n',
    "len(ring) + n",
    "qd.static(len(ring)) + n",
    "sum([1] * 5000) + n",
    'len("ab" * 5000) + n',
    "len([n] * 5000) + n",
]
"""Expressions that further kernels of a number n return."""
