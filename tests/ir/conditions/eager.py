# options: conditions eager
import qd


@qd.kernel
def in_blocks(x: qd.types.ndarray(qd.i32, 1)):
    for i in x:
        if x[i] > 0 and 0 < x[i] <= x[0]:
            x[i] = 1
# ---
# kernel in_blocks
# array 0 x i32 rank 1 parameter
# loop 0 parallel
# decision 0 function 0 if 8 11 8 40
# condition 0 8 11 8 19 -> 1 false
# condition 0 8 24 8 32 -> 2 false
# condition 0 8 28 8 40 -> true false
#
# body {
#   %0 = shape i32 0 0
#   %1 = const i32 0
#   %2 = for 0 [%1, %0) {
#     %3 = loop_index i32 %2 0
#     %4 = element_ptr i32 0 [%3]
#     %5 = load i32 %4
#     %6 = const i32 0
#     %7 = gt u1 %5, %6
#     condition 0 0 %7
#     %9 = loop_index i32 %2 0
#     %10 = element_ptr i32 0 [%9]
#     %11 = load i32 %10
#     %12 = const i32 0
#     %13 = lt u1 %12, %11
#     condition 0 1 %13
#     %15 = const i32 0
#     %16 = element_ptr i32 0 [%15]
#     %17 = load i32 %16
#     %18 = le u1 %11, %17
#     condition 0 2 %18
#     %20 = bit_and u1 %13, %18
#     %21 = bit_and u1 %7, %20
#     decide 0
#     if %21 {
#       %24 = loop_index i32 %2 0
#       %25 = element_ptr i32 0 [%24]
#       %26 = const i32 1
#       store %25, %26
#     }
#   }
# }
