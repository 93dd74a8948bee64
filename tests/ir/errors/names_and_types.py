# options:
import math

import numpy as np

import qd
import qd as ti
from qd import f32, func

TABLE = np.zeros(3)
N = 4


@func
def bad(x, y):
    return x + undefined


@func
def outer(x):
    return bad(x, 1) + bad(x, y=2) + bad(x)


@ti.func
def recursive(x):
    return recursive(x)

@np.vectorize
def plain(x):
    return x


@qd.kernel
def names(n: qd.i32, x: qd.types.ndarray(f32, 2), field: qd.template()):
    a = unknown + 1
    b = a + 1
    if n > 1:
        c = 1
        d: f32 = 2
    e = c + d
    n = 3
    n += 1
    N += 1
    f = g
    g = 1
    outer(n)
    recursive(1)
    plain(2)
    names(3)
    TABLE[0]
    np.sin(1)
    qd.no_such_thing(1)
    math.gamma(2.0)
    qd.init()
    for n in range(3):
        pass
    for q in range(3):
        for q in range(2):
            pass


@qd.kernel
def types(n: qd.i32, v: f32, x: qd.types.ndarray(f32, 2), field: qd.template(), none_arg: qd.template()):
    x[0] = 1
    x[0, 1, 2] += 1
    x[v, 0] = 1
    x[-1, 0] = 1
    field[8, 0] = 1
    x + 1
    y = x
    y[0] = 2
    n << v
    v & 1
    ~v
    v |= 1
    x[0, 0] ^= 1
    "a" + 1
    z = 1
    z = "text"
    z = x
    a, b = 1, 2, 3
    a, b = n
    qd.sqrt()
    qd.sqrt(1, 2)
    qd.min(1)
    qd.cast(1, 2)
    qd.bit_cast(v, qd.i64)
    qd.atomic_add(n, 1)
    qd.atomic_add(1, 1)
    qd.atomic_or(x[0, 0], 1)
    qd.atomic_add(x, 1)
    v if x else n
    n < x
    n is 3
    n in (1, 2)
    none_arg + 1
    none_arg[0]
    x.shape[2]
    (1, 2)[3]
    x.data
    math.pi = 3
    qd.static(n)
    qd.static(n + 1)
    qd.static(1 / 0)
    if qd.static(x.shape[0] > 1):
        pass
    qd.static_assert(N > 5, f"N is {N}")
    123456789012345678901234567890
    qd.u64(123456789012345678901234567890)
    1j
    b"bytes"
    f"{n}"
    range(3)
    zip(x, x)
    print(x, file=3)
    print(f"{x}", "%d %d" % n, "{} {}".format(n), "{n}".format(n=n))
    w: f32
    u: "text" = 1
    qd.loop_config(block_dim=-1, nonsense=2)
    if (p := n) > 1 and (r := n) > 2:
        pass
    x(3)
    k: qd.i64 = 1
    k: qd.i32 = 1
# ---
# names_and_types.py:35:9: KernelNameError: Name "unknown" is not defined (in names)
#         a = unknown + 1
#             ^^^^^^^
# names_and_types.py:40:9: KernelNameError: `c` is gone: it was first assigned inside the block of line 37, and lives only there; assign it before that block (in names)
#         e = c + d
#             ^
# names_and_types.py:40:13: KernelNameError: `d` is gone: it was first assigned inside the block of line 37, and lives only there; assign it before that block (in names)
#         e = c + d
#                 ^
# names_and_types.py:41:5: KernelSyntaxError: Kernel argument "n" is immutable in the kernel (in names)
#         n = 3
#         ^
# names_and_types.py:42:5: KernelSyntaxError: Kernel argument "n" is immutable in the kernel (in names)
#         n += 1
#         ^
# names_and_types.py:43:5: KernelNameError: `N` is used before it is assigned (in names)
#         N += 1
#         ^
# names_and_types.py:44:9: KernelNameError: `g` is used before it is assigned (in names)
#         f = g
#             ^
# names_and_types.py:16:16: KernelNameError: Name "undefined" is not defined (in bad)
#         return x + undefined
#                    ^^^^^^^^^
#   called from names_and_types.py:21 in outer
#   called from names_and_types.py:46 in names
# names_and_types.py:21:38: KernelSyntaxError: Missing argument 'y' of `bad` (in outer)
#         return bad(x, 1) + bad(x, y=2) + bad(x)
#                                          ^^^^^^
#   called from names_and_types.py:46 in names
# names_and_types.py:26:12: KernelCompilationError: `recursive` calls itself: recursion is not supported in a @qd.func, but by a qd.template() that ends it while the kernel is compiled; a @qd.real_func may call itself (in recursive)
#         return recursive(x)
#                ^^^^^^^^^^^^
#   called from names_and_types.py:47 in names
# names_and_types.py:48:5: KernelTypeError: function `plain` is not a qd.func: it cannot be called in a kernel with values of the run (in names)
#         plain(2)
#         ^^^^^^^^
# names_and_types.py:49:5: KernelCompilationError: kernel `names` is called in a kernel: kernels cannot call kernels; what both need belongs into a @qd.func (in names)
#         names(3)
#         ^^^^^^^^
# names_and_types.py:50:5: KernelTypeError: `TABLE` (line 10), which only Python can compute, cannot be indexed in kernels (in names)
#         TABLE[0]
#         ^^^^^^^^
# names_and_types.py:51:5: KernelNameError: module 'numpy' has no attribute `sin` in kernels (in names)
#         np.sin(1)
#         ^^^^^^
# names_and_types.py:52:5: KernelNameError: module 'qd' has no attribute `no_such_thing` in kernels (in names)
#         qd.no_such_thing(1)
#         ^^^^^^^^^^^^^^^^
# names_and_types.py:53:5: KernelNameError: module 'math' has no attribute `gamma` in kernels (in names)
#         math.gamma(2.0)
#         ^^^^^^^^^^
# names_and_types.py:54:5: KernelNameError: module 'qd' has no attribute `init` in kernels (in names)
#         qd.init()
#         ^^^^^^^
# names_and_types.py:55:9: KernelSyntaxError: `n` is already a variable here; a loop needs a name of its own (in names)
#         for n in range(3):
#             ^
# names_and_types.py:58:13: KernelSyntaxError: `q` is already a variable here; a loop needs a name of its own (in names)
#             for q in range(2):
#                 ^
# names_and_types.py:64:5: KernelIndexError: `x` has 2 axes, but 1 index is given (in types)
#         x[0] = 1
#         ^^^^
# names_and_types.py:65:5: KernelIndexError: `x` has 2 axes, but 3 indices are given (in types)
#         x[0, 1, 2] += 1
#         ^^^^^^^^^^
# names_and_types.py:66:7: KernelTypeError: indices must be integers, not f32 (in types)
#         x[v, 0] = 1
#           ^
# names_and_types.py:67:7: KernelIndexError: negative indices are not supported (in types)
#         x[-1, 0] = 1
#           ^^
# names_and_types.py:68:11: KernelIndexError: index 8 is out of range: axis 0 of `field` has 8 elements (in types)
#         field[8, 0] = 1
#               ^
# names_and_types.py:69:5: KernelTypeError: array `x` is not a number here (unsupported operand type): give it an index (in types)
#         x + 1
#         ^
# names_and_types.py:71:5: KernelIndexError: `x` has 2 axes, but 1 index is given (in types)
#         y[0] = 2
#         ^^^^
# names_and_types.py:72:5: KernelTypeError: unsupported operand type(s) for '<<': it needs integers, not i32 and f32 (in types)
#         n << v
#         ^^^^^^
# names_and_types.py:73:5: KernelTypeError: unsupported operand type(s) for '&': it needs integers, not f32 and i32 (in types)
#         v & 1
#         ^^^^^
# names_and_types.py:74:5: KernelTypeError: `~` needs an integer, not f32 (in types)
#         ~v
#         ^^
# names_and_types.py:75:5: KernelSyntaxError: Kernel argument "v" is immutable in the kernel (in types)
#         v |= 1
#         ^
# names_and_types.py:76:5: KernelTypeError: unsupported operand type(s) for '^=': it needs integers, not f32 and i32 (in types)
#         x[0, 0] ^= 1
#         ^^^^^^^^^^^^
# names_and_types.py:77:5: KernelTypeError: str is not a number (in types)
#         "a" + 1
#         ^^^
# names_and_types.py:79:9: KernelTypeError: `z` is an i32 variable: str cannot be assigned to it (in types)
#         z = "text"
#             ^^^^^^
# names_and_types.py:81:12: KernelSyntaxError: The number of targets is not equal to value length: 3 values cannot be unpacked into 2 targets (in types)
#         a, b = 1, 2, 3
#                ^^^^^^^
# names_and_types.py:82:12: KernelTypeError: an i32 cannot be unpacked (in types)
#         a, b = n
#                ^
# names_and_types.py:83:5: KernelTypeError: `sqrt` takes 1 argument, 0 given (in types)
#         qd.sqrt()
#         ^^^^^^^^^
# names_and_types.py:84:5: KernelTypeError: `sqrt` takes 1 argument, 2 given (in types)
#         qd.sqrt(1, 2)
#         ^^^^^^^^^^^^^
# names_and_types.py:85:5: KernelTypeError: `min` takes two or more numbers, or a list of them (in types)
#         qd.min(1)
#         ^^^^^^^^^
# names_and_types.py:86:5: KernelTypeError: a dtype is expected, not int (in types)
#         qd.cast(1, 2)
#         ^^^^^^^^^^^^^
# names_and_types.py:87:5: KernelTypeError: `bit_cast` needs types of one width, not f32 and i64 (in types)
#         qd.bit_cast(v, qd.i64)
#         ^^^^^^^^^^^^^^^^^^^^^^
# names_and_types.py:88:19: KernelSyntaxError: Kernel argument "n" is immutable in the kernel (in types)
#         qd.atomic_add(n, 1)
#                       ^
# names_and_types.py:89:19: KernelSyntaxError: a constant cannot be assigned in kernels (in types)
#         qd.atomic_add(1, 1)
#                       ^
# names_and_types.py:90:5: KernelTypeError: `atomic_or` needs integers, not f32 (in types)
#         qd.atomic_or(x[0, 0], 1)
#         ^^^^^^^^^^^^^^^^^^^^^^^^
# names_and_types.py:91:19: KernelSyntaxError: Kernel argument "x" is immutable in the kernel (in types)
#         qd.atomic_add(x, 1)
#                       ^
# names_and_types.py:92:10: KernelTypeError: array `x` is not a number here (unsupported operand type): give it an index (in types)
#         v if x else n
#              ^
# names_and_types.py:93:5: KernelTypeError: array `x` is not a number here (unsupported operand type): give it an index (in types)
#         n < x
#         ^^^^^
# names_and_types.py:94:5: KernelSyntaxError: `is` is only supported under qd.static; values of the run are compared by `==` (in types)
#         n is 3
#         ^^^^^^
# names_and_types.py:95:5: KernelSyntaxError: `in` is only supported under qd.static; values of the run are compared by `==`, one by one (in types)
#         n in (1, 2)
#         ^^^^^^^^^^^
# names_and_types.py:96:5: KernelTypeError: None is not a number (in types)
#         none_arg + 1
#         ^^^^^^^^
# names_and_types.py:97:5: KernelTypeError: None cannot be indexed (in types)
#         none_arg[0]
#         ^^^^^^^^^^^
# names_and_types.py:98:13: KernelIndexError: array `x` has 2 axes (in types)
#         x.shape[2]
#                 ^
# names_and_types.py:99:5: KernelIndexError: index 3 is out of range: there are 2 items (in types)
#         (1, 2)[3]
#         ^^^^^^^^^
# names_and_types.py:100:5: KernelTypeError: array `x` has no attribute `data` in kernels (in types)
#         x.data
#         ^^^^^^
# names_and_types.py:101:5: KernelTypeError: `pi` cannot be assigned in kernels (in types)
#         math.pi = 3
#         ^^^^^^^
# names_and_types.py:102:15: KernelTypeError: `n` is known only at run time: values here must be compile-time constants (in types)
#         qd.static(n)
#                   ^
# names_and_types.py:103:15: KernelTypeError: `n` is known only at run time: values here must be compile-time constants (in types)
#         qd.static(n + 1)
#                   ^
# names_and_types.py:104:15: KernelTypeError: division by zero (in types)
#         qd.static(1 / 0)
#                   ^^^^^
# names_and_types.py:105:18: KernelTypeError: `>` cannot compare a size that is known only at run time with int (in types)
#         if qd.static(x.shape[0] > 1):
#                      ^^^^^^^^^^^^^^
# names_and_types.py:107:5: KernelCompilationError: static assertion failed: N is 4 (in types)
#         qd.static_assert(N > 5, f"N is {N}")
#         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# names_and_types.py:109:12: KernelTypeError: the constant 123456789012345678901234567890 exceeded the range of specified dtype u64: another type has room for it, and qd.cast(..., qd.u64) keeps its lowest 64 bits (in types)
#         qd.u64(123456789012345678901234567890)
#                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# names_and_types.py:110:5: KernelTypeError: complex numbers are not supported in kernels (in types)
#         1j
#         ^^
# names_and_types.py:111:5: KernelTypeError: bytes are not supported in kernels (in types)
#         b"bytes"
#         ^^^^^^^^
# names_and_types.py:112:8: KernelTypeError: `n` is known only at run time: values here must be compile-time constants (in types)
#         f"{n}"
#            ^
# names_and_types.py:113:5: KernelSyntaxError: `range` is only supported as what a `for` iterates over (in types)
#         range(3)
#         ^^^^^^^^
# names_and_types.py:114:5: KernelSyntaxError: `zip` is only supported under qd.static (in types)
#         zip(x, x)
#         ^^^^^^^^^
# names_and_types.py:115:11: KernelTypeError: array `x` cannot be printed in a kernel (in types)
#         print(x, file=3)
#               ^
# names_and_types.py:115:14: KernelSyntaxError: `print` takes no keyword argument `file` in kernels (in types)
#         print(x, file=3)
#                  ^^^^^^
# names_and_types.py:116:14: KernelTypeError: array `x` cannot be printed in a kernel (in types)
#         print(f"{x}", "%d %d" % n, "{} {}".format(n), "{n}".format(n=n))
#                  ^
# names_and_types.py:116:19: KernelTypeError: not enough arguments for the format (in types)
#         print(f"{x}", "%d %d" % n, "{} {}".format(n), "{n}".format(n=n))
#                       ^^^^^^^^^^^
# names_and_types.py:116:32: KernelSyntaxError: Expected 2 positional argument(s), but received 1 instead (in types)
#         print(f"{x}", "%d %d" % n, "{} {}".format(n), "{n}".format(n=n))
#                                    ^^^^^^^^^^^^^^^^^
# names_and_types.py:117:5: KernelSyntaxError: `w` needs a value: a variable of a kernel is declared by its first assignment (in types)
#         w: f32
#         ^^^^^^
# names_and_types.py:118:8: KernelNameError: Name "text" is not defined (in types)
#         u: "text" = 1
#            ^^^^^^
# names_and_types.py:119:20: KernelTypeError: `block_dim` is a positive integer (in types)
#         qd.loop_config(block_dim=-1, nonsense=2)
#                        ^^^^^^^^^^^^
# names_and_types.py:119:34: KernelSyntaxError: `loop_config` takes no keyword argument `nonsense` (in types)
#         qd.loop_config(block_dim=-1, nonsense=2)
#                                      ^^^^^^^^^^
# names_and_types.py:120:26: KernelSyntaxError: `r` is first assigned where evaluation may not come; assign it before (in types)
#         if (p := n) > 1 and (r := n) > 2:
#                              ^^^^^^
# names_and_types.py:122:5: KernelTypeError: array `x` is not a qd.func: it cannot be called in a kernel (in types)
#         x(3)
#         ^^^^
# names_and_types.py:124:8: KernelTypeError: `k` is already an i64 variable (in types)
#         k: qd.i32 = 1
#            ^^^^^^
