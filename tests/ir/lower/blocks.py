# options:
import qd

block, subgroup = qd.simt.block, qd.simt.subgroup


@qd.kernel
def sums(x: qd.types.ndarray(dtype=qd.i32, ndim=1), n: qd.i32):
    qd.loop_config(block_dim=64)
    for i in range(n):
        row = block.SharedArray((8, 8), qd.i32)
        t = block.thread_idx()
        row[t // 8, t % 8] = x[i]
        qd.simt.grid.mem_fence()
        block.sync()
        x[i] = subgroup.shuffle(row[t % 8, t // 8], 3) + qd.i32(subgroup.ballot(x[i] > 0)) + subgroup.group_size()


@qd.kernel
def first(x: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    for i in range(256):
        if subgroup.invocation_id() == 0:
            x[i] = block.thread_idx()
# ---
# kernel sums
# param 0 n i32
# array 0 x i32 rank 1 parameter
# loop 0 parallel block_dim 64
# format 0 "the loop runs " {i64 ""} " iterations, which is not a multiple of its block_dim 64"
#
# body {
#   %0 = arg i32 0
#   %1 = const i32 0
#   %50 = const i64 0
#   %51 = cast i64 %1
#   %52 = cast i64 %0
#   %53 = sub i64 %52, %51
#   %54 = max i64 %53, %50
#   %55 = const i64 64
#   %56 = mod i64 %54, %55
#   %57 = eq u1 %56, %50
#   assert 0 %57, %54
#   %2 = for 0 [%1, %0) {
#     %3 = shared i32 64
#     %4 = thread i32
#     %5 = alloca i32
#     store %5, %4
#     %7 = loop_index i32 %2 0
#     %8 = element_ptr i32 0 [%7]
#     %9 = load i32 %8
#     %10 = load i32 %5
#     %11 = const i32 8
#     %12 = floor_div i32 %10, %11
#     %13 = load i32 %5
#     %14 = const i32 8
#     %15 = mod i32 %13, %14
#     %16 = const i32 8
#     %17 = mul i32 %12, %16
#     %18 = add i32 %17, %15
#     %19 = local_ptr i32 %3, %18
#     store %19, %9
#     fence device
#     barrier block
#     %23 = load i32 %5
#     %24 = const i32 8
#     %25 = mod i32 %23, %24
#     %26 = load i32 %5
#     %27 = const i32 8
#     %28 = floor_div i32 %26, %27
#     %29 = const i32 8
#     %30 = mul i32 %25, %29
#     %31 = add i32 %30, %28
#     %32 = local_ptr i32 %3, %31
#     %33 = load i32 %32
#     %34 = const i32 3
#     %35 = shuffle i32 %33, %34
#     %36 = loop_index i32 %2 0
#     %37 = element_ptr i32 0 [%36]
#     %38 = load i32 %37
#     %39 = const i32 0
#     %40 = gt u1 %38, %39
#     %41 = ballot i64 %40
#     %42 = cast u64 %41
#     %43 = cast i32 %42
#     %44 = add i32 %35, %43
#     %45 = const i32 32
#     %46 = add i32 %44, %45
#     %47 = loop_index i32 %2 0
#     %48 = element_ptr i32 0 [%47]
#     store %48, %46
#   }
# }
# kernel first
# array 0 x i32 rank 1 parameter
# loop 0 parallel block_dim 128
#
# body {
#   %0 = const i32 0
#   %1 = const i32 256
#   %2 = for 0 [%0, %1) {
#     %3 = lane i32
#     %4 = const i32 0
#     %5 = eq u1 %3, %4
#     if %5 {
#       %7 = thread i32
#       %8 = loop_index i32 %2 0
#       %9 = element_ptr i32 0 [%8]
#       store %9, %7
#     }
#   }
# }
