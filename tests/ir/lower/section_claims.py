# options: debug
import qd

VEC = qd.types.ndarray(qd.i32, 1)


@qd.kernel
def blocks(x: VEC, y: qd.types.ndarray(qd.f32, 1), total: qd.types.ndarray(qd.i32, 0)):
    with qd.stream_parallel():
        for i in x:
            x[i] = i
    with qd.stream_parallel():
        for i in y:
            y[i] = total[None]
        for i in range(2):
            total[None] += 1
# ---
# kernel blocks
# array 0 x i32 rank 1 parameter
# array 1 y f32 rank 1 parameter
# array 2 total i32 rank 0 parameter
# loop 0 parallel
# loop 1 parallel
# loop 2 parallel
# format 0 overflow "Addition overflow detected: " {i32 ""} " + " {i32 ""} " (i32)\x0aat i=" {i32 ""} ""
# format 1 claim "x[" {i32 ""} "] is written here, and another block uses it, too: the blocks run side by side, in any order" {i32 ""} ""
# format 2 claim "total[None] is read here, and another block uses it, too: the blocks run side by side, in any order" {i32 ""} ""
# format 3 claim "total[None] is changed here, and another block uses it, too: the blocks run side by side, in any order" {i32 ""} ""
#
# body {
#   region 1 {
#     %1 = shape i32 0 0
#     %2 = const i32 0
#     %3 = for 0 [%2, %1) {
#       %4 = loop_index i32 %3 0
#       %5 = loop_index i32 %3 0
#       %6 = element_ptr i32 0 [%5]
#       %28 = claim i32 1 1 %6
#       %29 = const i32 0
#       %30 = eq u1 %28, %29
#       assert 1 %30, %5, %28
#       store %6, %4
#     }
#   }
#   region 1 {
#     %9 = shape i32 1 0
#     %10 = const i32 0
#     %11 = for 1 [%10, %9) {
#       %12 = element_ptr i32 2 []
#       %32 = claim i32 2 0 %12
#       %33 = const i32 0
#       %34 = eq u1 %32, %33
#       assert 2 %34, %32
#       %13 = load i32 %12
#       %14 = loop_index i32 %11 0
#       %15 = element_ptr f32 1 [%14]
#       %16 = cast f32 %13
#       store %15, %16
#     }
#     %18 = const i32 0
#     %19 = const i32 2
#     %20 = for 2 [%18, %19) {
#       %21 = element_ptr i32 2 []
#       %22 = const i32 1
#       %36 = claim i32 3 2 %21
#       %37 = const i32 0
#       %38 = eq u1 %36, %37
#       assert 3 %38, %36
#       %23 = atomic add i32 %21, %22
#       %24 = add_overflows u1 %23, %22
#       %25 = logical_not u1 %24
#       %26 = loop_index i32 %20 0
#       warn 0 %25, %23, %22, %26
#     }
#   }
# }
