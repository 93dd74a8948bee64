# options: checkpoints
import qd


@qd.func
def helper(flag):
    while qd.graph.do_while(flag):
        pass


@qd.kernel
def do_whiles(
    x: qd.types.ndarray(qd.f32, 1), flag: qd.types.ndarray(qd.i32, 0), wide: qd.types.ndarray(qd.i64, 0), field: qd.template()
):
    while qd.graph.do_while(x):
        pass
    while qd.graph.do_while(wide):
        pass
    while qd.graph.do_while(field):
        pass
    while qd.graph.do_while():
        pass
    if x.shape[0] > 1:
        while qd.graph.do_while(flag):
            pass
    for i in x:
        while qd.graph.do_while(flag):
            pass
    while qd.graph.do_while(flag):
        break
    while qd.graph.do_while(flag):
        for i in x:
            pass
        return
    while qd.graph.do_while(flag) and x.shape[0] > 2:
        pass
    helper(flag)


@qd.kernel
def checkpoints(x: qd.types.ndarray(qd.f32, 1), flag: qd.types.ndarray(qd.i32, 0), n: qd.i32):
    with qd.checkpoint(1):
        for i in x:
            pass
    with qd.checkpoint(1, yield_on=flag):
        x[0] = 1.0
    with qd.checkpoint(n):
        with qd.checkpoint(2):
            pass
    with qd.checkpoint(3, yield_on=x, other=1):
        while n > 0:
            pass
    with qd.checkpoint():
        if n > 0:
            for i in x:
                pass
    with qd.checkpoint(2.5), qd.checkpoint(True):
        pass
    with qd.checkpoint(True) as c:
        print(c)
    with qd.checkpoint(False):
        pass
    with qd.graph.parallel_context():
        with qd.graph.parallel():
            pass
    for i in x:
        with qd.checkpoint(9):
            pass


@qd.kernel
def sections(x: qd.types.ndarray(qd.f32, 1), n: qd.i32):
    with qd.stream_parallel():
        for i in x:
            pass
    with qd.graph.parallel():
        pass
    with n:
        pass
    with open("x"):
        pass
    qd.checkpoint(1)
# ---
# graph.py:15:29: KernelTypeError: `x`, the flag of qd.graph.do_while: expected i32 ndarray of 0 dimensions, got f32 ndarray of 1 dimension (in do_whiles)
#         while qd.graph.do_while(x):
#                                 ^
# graph.py:17:29: KernelTypeError: `wide`, the flag of qd.graph.do_while: expected i32 ndarray of 0 dimensions, got i64 ndarray of 0 dimensions (in do_whiles)
#         while qd.graph.do_while(wide):
#                                 ^^^^
# graph.py:19:29: KernelTypeError: `field`, the flag of qd.graph.do_while: expected i32 ndarray of 0 dimensions, got field `field` (in do_whiles)
#         while qd.graph.do_while(field):
#                                 ^^^^^
# graph.py:21:11: KernelSyntaxError: qd.graph.do_while takes one argument, its flag (in do_whiles)
#         while qd.graph.do_while():
#               ^^^^^^^^^^^^^^^^^
# graph.py:24:15: KernelSyntaxError: qd.graph.do_while stands at the top level of a kernel or directly in another `while qd.graph.do_while(...)`, not under an `if`, `for` or `while`, nor in a `with` (in do_whiles)
#             while qd.graph.do_while(flag):
#                   ^^^^^^^^^^^^^^^^^
# graph.py:27:15: KernelSyntaxError: qd.graph.do_while stands at the top level of a kernel or directly in another `while qd.graph.do_while(...)`, not under an `if`, `for` or `while`, nor in a `with` (in do_whiles)
#             while qd.graph.do_while(flag):
#                   ^^^^^^^^^^^^^^^^^
# graph.py:30:9: KernelSyntaxError: `break` of a `while qd.graph.do_while(...)` is not supported: set the flag to 0 (in do_whiles)
#             break
#             ^^^^^
# graph.py:34:9: KernelSyntaxError: `return` cannot stand in a `while qd.graph.do_while(...)` or in a `with` (in do_whiles)
#             return
#             ^^^^^^
# graph.py:35:11: KernelSyntaxError: qd.graph.do_while(...) is the condition of a `while`: write `while qd.graph.do_while(flag):` (in do_whiles)
#         while qd.graph.do_while(flag) and x.shape[0] > 2:
#               ^^^^^^^^^^^^^^^^^^^^^^^
# graph.py:7:11: KernelSyntaxError: qd.graph.do_while stands in a @qd.kernel, not in a func (in helper)
#         while qd.graph.do_while(flag):
#               ^^^^^^^^^^^^^^^^^
#   called from graph.py:37 in do_whiles
# graph.py:45:24: KernelSyntaxError: the label 1 of qd.checkpoint is there twice: each checkpoint of a kernel has its own (in checkpoints)
#         with qd.checkpoint(1, yield_on=flag):
#                            ^
# graph.py:46:9: KernelSyntaxError: a `with qd.checkpoint(...):` holds `for` loops alone: write `for _ in range(1):` around this statement (in checkpoints)
#             x[0] = 1.0
#             ^^^^^^^^^^
# graph.py:47:24: KernelSyntaxError: the label of qd.checkpoint is an integer that is known: a number, a member of an IntEnum, or an integer of the module, not `n` (in checkpoints)
#         with qd.checkpoint(n):
#                            ^
# graph.py:48:14: KernelSyntaxError: qd.checkpoint cannot stand in another checkpoint: write them one after the other (in checkpoints)
#             with qd.checkpoint(2):
#                  ^^^^^^^^^^^^^
# graph.py:50:10: KernelSyntaxError: qd.checkpoint takes a label and the flag to yield on: `qd.checkpoint(cp_id, yield_on=flag)` (in checkpoints)
#         with qd.checkpoint(3, yield_on=x, other=1):
#              ^^^^^^^^^^^^^
# graph.py:51:9: KernelSyntaxError: a `with qd.checkpoint(...):` holds `for` loops alone: write the `while` in a loop (in checkpoints)
#             while n > 0:
#             ^^^^^^^^^^^^
# graph.py:53:10: KernelSyntaxError: qd.checkpoint takes a label and the flag to yield on: `qd.checkpoint(cp_id, yield_on=flag)` (in checkpoints)
#         with qd.checkpoint():
#              ^^^^^^^^^^^^^
# graph.py:54:9: KernelSyntaxError: a `with qd.checkpoint(...):` holds `for` loops alone: write the `if` in a loop (in checkpoints)
#             if n > 0:
#             ^^^^^^^^^
# graph.py:57:30: KernelSyntaxError: `with` in a kernel takes one context: write one `with` for each (in checkpoints)
#         with qd.checkpoint(2.5), qd.checkpoint(True):
#                                  ^^^^^^^^^^^^^^^^^^^
# graph.py:59:33: KernelSyntaxError: `with ... as` is not supported in kernels: their contexts have no value (in checkpoints)
#         with qd.checkpoint(True) as c:
#                                     ^
# graph.py:61:24: KernelSyntaxError: the label of qd.checkpoint is an integer that is known: a number, a member of an IntEnum, or an integer of the module, not `False` (in checkpoints)
#         with qd.checkpoint(False):
#                            ^^^^^
# graph.py:63:10: KernelSyntaxError: qd.graph.parallel_context is not supported in a kernel with checkpoints=True: its sections would run whatever a launch has yielded or resumed (in checkpoints)
#         with qd.graph.parallel_context():
#              ^^^^^^^^^^^^^^^^^^^^^^^^^
# graph.py:64:14: KernelSyntaxError: qd.graph.parallel is not supported in a kernel with checkpoints=True: its sections would run whatever a launch has yielded or resumed (in checkpoints)
#             with qd.graph.parallel():
#                  ^^^^^^^^^^^^^^^^^
# graph.py:67:14: KernelSyntaxError: qd.checkpoint stands at the top level of a kernel or directly in a `while qd.graph.do_while(...)`, not under an `if`, `for` or `while`, nor in another `with` (in checkpoints)
#             with qd.checkpoint(9):
#                  ^^^^^^^^^^^^^
# graph.py:73:10: KernelSyntaxError: qd.stream_parallel is not compatible with graph=True: write the blocks as `with qd.graph.parallel():` in a `with qd.graph.parallel_context():` (in sections)
#         with qd.stream_parallel():
#              ^^^^^^^^^^^^^^^^^^
# graph.py:76:5: KernelSyntaxError: all statements at the top level of a kernel with qd.stream_parallel are such blocks: what runs before or behind them belongs into another kernel (in sections)
#         with qd.graph.parallel():
#         ^^^^^^^^^^^^^^^^^^^^^^^^^
# graph.py:76:10: KernelSyntaxError: qd.graph.parallel is not supported in a kernel with checkpoints=True: its sections would run whatever a launch has yielded or resumed (in sections)
#         with qd.graph.parallel():
#              ^^^^^^^^^^^^^^^^^
# graph.py:76:10: KernelSyntaxError: qd.graph.parallel stands directly in a `with qd.graph.parallel_context():` (in sections)
#         with qd.graph.parallel():
#              ^^^^^^^^^^^^^^^^^
# graph.py:78:10: KernelSyntaxError: `with` in a kernel takes a call: qd.stream_parallel(), qd.graph.parallel_context(), qd.graph.parallel() or qd.checkpoint(...) (in sections)
#         with n:
#              ^
# graph.py:80:10: KernelSyntaxError: `with` in a kernel takes qd.stream_parallel(), qd.graph.parallel_context(), qd.graph.parallel() or qd.checkpoint(...), not `open("x")` (in sections)
#         with open("x"):
#              ^^^^^^^^^
# graph.py:82:5: KernelSyntaxError: qd.checkpoint(...) stands in a `with`: write `with qd.checkpoint(...):` (in sections)
#         qd.checkpoint(1)
#         ^^^^^^^^^^^^^^^^
