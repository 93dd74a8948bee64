# options:
import qd


@qd.func
def func(n):
    return func(n - 1)


@qd.real_func
def unannotated(n: qd.i32):
    if n > 0:
        return unannotated(n - 1) + 1
    return 0


@qd.real_func
def by_reference(x: qd.template()) -> qd.i32:
    y = x - 1
    if y > 0:
        return by_reference(y)
    return 0


@qd.real_func
def copies(n: qd.template()) -> qd.i32:
    return copies(qd.static(n + 1))


@qd.kernel
def wrong(n: qd.i32):
    a = func(n)
    b = unannotated(n) + 1
    c = n
    d = by_reference(c)
    e = copies(1)
# ---
# recursion.py:7:12: KernelCompilationError: `func` calls itself: recursion is not supported in a @qd.func, but by a qd.template() that ends it while the kernel is compiled; a @qd.real_func may call itself (in func)
#         return func(n - 1)
#                ^^^^^^^^^^^
#   called from recursion.py:32 in wrong
# recursion.py:13:16: KernelTypeError: `unannotated` calls itself, so what it returns must be annotated: def unannotated(...) -> qd.i32, for example (in unannotated)
#             return unannotated(n - 1) + 1
#                    ^^^^^^^^^^^^^^^^^^
#   called from recursion.py:33 in wrong
# recursion.py:14:5: KernelTypeError: a qd.real_func with a return value must be annotated (-> dtype) (in unannotated)
#         return 0
#         ^^^^^^^^
#   called from recursion.py:33 in wrong
# recursion.py:21:16: KernelCompilationError: `by_reference` calls itself with a variable or an element as a qd.template(): that is possible by value only (in by_reference)
#             return by_reference(y)
#                    ^^^^^^^^^^^^^^^
#   called from recursion.py:35 in wrong
# recursion.py:27:12: KernelCompilationError: `copies` calls itself with other values or types of its arguments each time: every one is a copy of it, and there is no end to them (in copies)
#         return copies(qd.static(n + 1))
#                ^^^^^^^^^^^^^^^^^^^^^^^^
#   called from recursion.py:27 in copies (62 times)
#   called from recursion.py:36 in wrong
