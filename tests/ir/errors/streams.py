# options:
import qd


@qd.func
def helper(x):
    with qd.stream_parallel():
        for i in x:
            x[i] = 1.0


@qd.kernel
def mixed(x: qd.types.ndarray(qd.f32, 1)):
    with qd.stream_parallel():
        for i in x:
            x[i] = 1.0
    n = 3
    with qd.stream_parallel():
        for i in x:
            x[i] = n


@qd.kernel
def inside(x: qd.types.ndarray(qd.f32, 1), n: qd.i32):
    with qd.stream_parallel(3):
        for i in x:
            x[i] = 1.0
        x[0] = 2.0
    with qd.stream_parallel():
        with qd.stream_parallel():
            for i in x:
                x[i] = 1.0
    with qd.stream_parallel():
        qd.loop_config(serialize=True)
        for i in x:
            x[i] = 1.0
        if n > 0:
            for i in x:
                x[i] = 1.0
        while n > 0:
            for i in x:
                x[i] = 1.0


@qd.kernel
def no_graph(x: qd.types.ndarray(qd.f32, 1), flag: qd.types.ndarray(qd.i32, 0)):
    while qd.graph.do_while(flag):
        helper(x)
    with qd.graph.parallel_context():
        with qd.graph.parallel():
            pass
    with qd.checkpoint(1):
        pass
# ---
# streams.py:17:5: KernelSyntaxError: all statements at the top level of a kernel with qd.stream_parallel are such blocks: what runs before or behind them belongs into another kernel (in mixed)
#         n = 3
#         ^^^^^
# streams.py:25:29: KernelSyntaxError: qd.stream_parallel takes no arguments (in inside)
#         with qd.stream_parallel(3):
#                                 ^
# streams.py:28:9: KernelSyntaxError: a `with qd.stream_parallel():` holds `for` loops and calls of funcs alone: write `for _ in range(1):` around this statement (in inside)
#             x[0] = 2.0
#             ^^^^^^^^^^
# streams.py:30:14: KernelSyntaxError: qd.stream_parallel stands at the top level of a kernel, not under an `if`, `for` or `while`, nor in another `with` (in inside)
#             with qd.stream_parallel():
#                  ^^^^^^^^^^^^^^^^^^
# streams.py:34:24: KernelSyntaxError: a loop directly in a `with qd.stream_parallel():` runs in parallel: it cannot have qd.loop_config(serialize=True) (in inside)
#             qd.loop_config(serialize=True)
#                            ^^^^^^^^^^^^^^
# streams.py:37:9: KernelSyntaxError: a `with qd.stream_parallel():` holds `for` loops and calls of funcs alone: write the `if` in a loop (in inside)
#             if n > 0:
#             ^^^^^^^^^
# streams.py:40:9: KernelSyntaxError: a `with qd.stream_parallel():` holds `for` loops and calls of funcs alone: write the `while` in a loop (in inside)
#             while n > 0:
#             ^^^^^^^^^^^^
# streams.py:47:11: KernelSyntaxError: qd.graph.do_while requires @qd.kernel(graph=True) (in no_graph)
#         while qd.graph.do_while(flag):
#               ^^^^^^^^^^^^^^^^^
# streams.py:7:10: KernelSyntaxError: qd.stream_parallel stands in a @qd.kernel, not in a func (in helper)
#         with qd.stream_parallel():
#              ^^^^^^^^^^^^^^^^^^
#   called from streams.py:48 in no_graph
# streams.py:49:10: KernelSyntaxError: qd.graph.parallel_context requires @qd.kernel(graph=True) (in no_graph)
#         with qd.graph.parallel_context():
#              ^^^^^^^^^^^^^^^^^^^^^^^^^
# streams.py:50:14: KernelSyntaxError: qd.graph.parallel requires @qd.kernel(graph=True) (in no_graph)
#             with qd.graph.parallel():
#                  ^^^^^^^^^^^^^^^^^
# streams.py:52:10: KernelSyntaxError: qd.checkpoint needs @qd.kernel(graph=True, checkpoints=True) (in no_graph)
#         with qd.checkpoint(1):
#              ^^^^^^^^^^^^^
