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


def c_round(n: qd.i32) -> qd.i32:
    return int(round(2.567, 2) * 100) + n


def c_round1(n: qd.i32) -> qd.i32:
    return round(2.5) + n


def c_round_neg(n: qd.i32) -> qd.i32:
    return round(1234, -2) + n


def c_divmod(n: qd.i32) -> qd.i32:
    return divmod(7, 2)[0] + n


def c_hex(n: qd.i32) -> qd.i32:
    return len(hex(255)) + n


def c_ord(n: qd.i32) -> qd.i32:
    return ord("a") + n


def c_chr(n: qd.i32) -> qd.i32:
    return len(chr(97)) + n


def c_str(n: qd.i32) -> qd.i32:
    return len(str(12)) + n


def c_repr(n: qd.i32) -> qd.i32:
    return len(repr(12)) + n


def c_pow3(n: qd.i32) -> qd.i32:
    return pow(2, 5, 7) + n


def c_pow(n: qd.i32) -> qd.i32:
    return pow(2, 5) + n


def c_isinst(n: qd.i32) -> qd.i32:
    return (1 if qd.static(isinstance(lst, list)) else 0) + n


def c_isinst2(n: qd.i32) -> qd.i32:
    return int(isinstance(lst, list)) + n


def c_hasattr(n: qd.i32) -> qd.i32:
    return (1 if qd.static(hasattr(n1, "a")) else 0) + n


def c_type(n: qd.i32) -> qd.i32:
    return (1 if qd.static(type(lst) is list) else 0) + n


def c_hash(n: qd.i32) -> qd.i32:
    return hash(5) + n


def c_bin(n: qd.i32) -> qd.i32:
    return len(bin(5)) + n


def c_len(n: qd.i32) -> qd.i32:
    return len(lst) + len(tup) + len(arr) + len(dct) + len(txt) + n


def c_max(n: qd.i32) -> qd.i32:
    return max(lst) + n


def c_min(n: qd.i32) -> qd.i32:
    return min(tup) + n


def c_maxarr(n: qd.i32) -> qd.i32:
    return max(arr) + n


def c_sum(n: qd.i32) -> qd.i32:
    return sum(lst) + n


def c_sumarr(n: qd.i32) -> qd.i32:
    return sum(arr) + n


def c_sorted(n: qd.i32) -> qd.i32:
    return sorted(lst)[0] + n


def c_abs(n: qd.i32) -> qd.i32:
    return abs(-3) + n


def c_int(n: qd.i32) -> qd.i32:
    return int("12") + n


def c_any(n: qd.i32) -> qd.i32:
    return int(any([0, 1])) + n


def c_format(n: qd.i32) -> qd.i32:
    return len(format(3.14159, ".2f")) + n


def c_callable(n: qd.i32) -> qd.i32:
    return int(callable(len)) + n


def c_map(n: qd.i32) -> qd.i32:
    return sum(map(abs, lst)) + n


def c_filter(n: qd.i32) -> qd.i32:
    return len(list(filter(None, lst))) + n


def c_set(n: qd.i32) -> qd.i32:
    return len(set(lst)) + n


def c_frozenset(n: qd.i32) -> qd.i32:
    return len(frozenset(lst)) + n


def c_complex(n: qd.i32) -> qd.i32:
    return int(complex(3, 4).real) + n


def c_slice(n: qd.i32) -> qd.i32:
    return lst[slice(1, 3)][0] + n


def c_iter(n: qd.i32) -> qd.i32:
    return next(iter(lst)) + n


def c_bytes(n: qd.i32) -> qd.i32:
    return len(bytes(3)) + n


def s_list(n: qd.i32) -> qd.i32:
    return lst[1:][0] + n


def s_tup(n: qd.i32) -> qd.i32:
    return tup[1:3][1] + n


def s_arr(n: qd.i32) -> qd.i32:
    return arr[1:][0] + n


def s_arr_step(n: qd.i32) -> qd.i32:
    return arr[::2][1] + n


def s_arr_neg(n: qd.i32) -> qd.i32:
    return arr[-2:][0] + n


def s_arr_rev(n: qd.i32) -> qd.i32:
    return arr[::-1][0] + n


def s_arr2(n: qd.i32) -> qd.i32:
    return arr2[1][2] + n


def s_arr2b(n: qd.i32) -> qd.i32:
    return arr2[1, 2] + n


def s_arr2c(n: qd.i32) -> qd.i32:
    return arr2[1:][0][2] + n


def s_arr2d(n: qd.i32) -> qd.i32:
    return arr2[:, 1][1] + n


def s_arr2e(n: qd.i32) -> qd.i32:
    return arr2[1, :][1] + n


def s_arr2f(n: qd.i32) -> qd.i32:
    return arr2[0:2, 1:3][1, 1] + n


def s_arr_neg1(n: qd.i32) -> qd.i32:
    return arr[-1] + n


def s_list_neg1(n: qd.i32) -> qd.i32:
    return lst[-1] + n


def s_arr_len(n: qd.i32) -> qd.i32:
    return len(arr[1:]) + n


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


def s_arr_sum(n: qd.i32) -> qd.i32:
    return sum(arr[1:]) + n


def s_static(n: qd.i32) -> qd.i32:
    return qd.static(arr[1:][1]) + n


def s_static2(n: qd.i32) -> qd.i32:
    return qd.static(lst[1:][1]) + n


def s_str(n: qd.i32) -> qd.i32:
    return len(txt[1:]) + n


def s_arr_method(n: qd.i32) -> qd.i32:
    return arr.sum() + n


def s_arr_shape(n: qd.i32) -> qd.i32:
    return arr2.shape[1] + n


def s_vec(n: qd.i32) -> qd.i32:
    v = qd.Vector(arr[1:3])
    return v[0] + v[1] + n


def s_vec2(n: qd.i32) -> qd.i32:
    v = qd.Vector(lst[1:3])
    return v[0] + v[1] + n


def arr_sorted(n: qd.i32) -> qd.i32:
    return sorted(np.array([3, 1, 2]))[0] + n


def rng(n: qd.i32) -> qd.i32:
    return sum(range(4)) + n


def enum_zip(n: qd.i32) -> qd.i32:
    s = 0
    for i, v in qd.static(enumerate(np.array([5, 6]))):
        s += i * v
    return s + n
