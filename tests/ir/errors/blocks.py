# options:
import qd


@qd.kernel
def outside(n: qd.i32):
    qd.simt.block.sync()
    for i in range(64):
        qd.simt.block.sync()


@qd.kernel
def in_serial_loop(x: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    qd.loop_config(serialize=True)
    for i in range(64):
        x[i] = qd.simt.block.thread_idx()


@qd.kernel
def not_whole():
    qd.loop_config(block_dim=48)
    for i in range(100):
        qd.simt.subgroup.sync()


@qd.kernel
def arrays(n: qd.i32):
    for i in range(256):
        a = qd.simt.block.SharedArray(n, qd.i32)
        b = qd.simt.block.SharedArray((4, 0), qd.f32)
        c = qd.simt.block.SharedArray(1 << 22, qd.f64)
        d = qd.simt.block.SharedArray(8)
        e = qd.simt.block.SharedArray(8, 3)
        f = qd.simt.block.SharedArray((2, 2), qd.f32)
        f[2, 0] = f[0]
        f = 3
        g = qd.simt.subgroup.shuffle(f, 0)
        h = qd.simt.subgroup.shuffle(1)


@qd.real_func
def really(x: qd.i32) -> qd.i32:
    return x + qd.simt.block.thread_idx()


@qd.kernel
def in_real_func(x: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    for i in range(64):
        x[i] = really(i)
# ---
# blocks.py:7:5: KernelSyntaxError: qd.simt.block.sync() is used outside of a parallel loop (in outside)
#         qd.simt.block.sync()
#         ^^^^^^^^^^^^^^^^^^^^
# blocks.py:8:5: KernelTypeError: the loop runs 64 iterations, which is not a multiple of its block_dim 128 (in outside)
#         for i in range(64):
#         ^^^^^^^^^^^^^^^^^^^
# blocks.py:16:16: KernelSyntaxError: qd.simt.block.thread_idx() is used outside of a parallel loop (in in_serial_loop)
#             x[i] = qd.simt.block.thread_idx()
#                    ^^^^^^^^^^^^^^^^^^^^^^^^^^
# blocks.py:22:5: KernelTypeError: the loop runs 100 iterations, which is not a multiple of its block_dim 48 (in not_whole)
#         for i in range(100):
#         ^^^^^^^^^^^^^^^^^^^^
# blocks.py:29:39: KernelTypeError: the shape of a SharedArray is one positive integer or several, known at compile time, not an i32 (in arrays)
#             a = qd.simt.block.SharedArray(n, qd.i32)
#                                           ^
# blocks.py:30:39: KernelTypeError: the shape of a SharedArray is one positive integer or several, known at compile time, not a tuple (in arrays)
#             b = qd.simt.block.SharedArray((4, 0), qd.f32)
#                                           ^^^^^^
# blocks.py:31:13: KernelTypeError: a SharedArray has 1048576 bytes at most, not 33554432 (in arrays)
#             c = qd.simt.block.SharedArray(1 << 22, qd.f64)
#                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# blocks.py:32:13: KernelTypeError: `SharedArray` takes a shape and a dtype (in arrays)
#             d = qd.simt.block.SharedArray(8)
#                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# blocks.py:33:42: KernelTypeError: the dtype of a SharedArray is that of a number, a vector or a matrix, not int (in arrays)
#             e = qd.simt.block.SharedArray(8, 3)
#                                              ^
# blocks.py:35:11: KernelIndexError: index 2 is out of range: axis 0 of the array has 2 elements (in arrays)
#             f[2, 0] = f[0]
#               ^
# blocks.py:35:19: KernelIndexError: the array has 2 axes, but 1 index is given (in arrays)
#             f[2, 0] = f[0]
#                       ^^^^
# blocks.py:36:9: KernelTypeError: `f` stands for an array of the block: int needs another name (in arrays)
#             f = 3
#             ^
# blocks.py:37:13: KernelTypeError: qd.simt.subgroup.shuffle() takes a number, not an array of the block (in arrays)
#             g = qd.simt.subgroup.shuffle(f, 0)
#                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# blocks.py:38:13: KernelTypeError: `simt.subgroup.shuffle` takes 2 arguments, 1 given (in arrays)
#             h = qd.simt.subgroup.shuffle(1)
#                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^
# blocks.py:43:16: KernelSyntaxError: qd.simt.block.thread_idx() cannot be used in a @qd.real_func (in really)
#         return x + qd.simt.block.thread_idx()
#                    ^^^^^^^^^^^^^^^^^^^^^^^^^^
#   called from blocks.py:49 in in_real_func
