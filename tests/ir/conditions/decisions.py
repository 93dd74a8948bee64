# options: conditions
import qd

FLAG = True


@qd.func
def positive(a: qd.i32) -> qd.i32:
    return 1 if a > 0 else 0


@qd.kernel
def speculated(x: qd.types.ndarray(qd.i32, 1)):
    for i in range(8):
        a = x[i]
        if a > 1 and not a > 5:
            x[i] = (2 if a > 3 else 3) if a > 2 else 4


@qd.kernel
def in_blocks(x: qd.types.ndarray(qd.i32, 1)):
    for i in x:
        if x[i] > 0 and (positive(x[i]) or 0 < x[i] <= x[0]):
            x[i] = 1


@qd.kernel
def known(x: qd.types.ndarray(qd.i32, 1), none: qd.template()):
    for i in x:
        if FLAG and x[i] > 0:
            x[i] = 1 if none is None else 2
        x[i] += qd.static(1 if FLAG and not FLAG else 2)
# ---
# kernel speculated
# array 0 x i32 rank 1 parameter
# loop 0 parallel
# decision 0 function 0 if 16 11 16 30
# condition 0 16 11 16 16 -> 1 false
# condition 0 16 25 16 30 -> false true
# decision 1 function 0 ternary 17 42 17 47
# condition 1 17 42 17 47 -> true false
# decision 2 function 0 ternary 17 25 17 30
# condition 2 17 25 17 30 -> true false
#
# body {
#   %0 = const i32 0
#   %1 = const i32 8
#   %2 = for 0 [%0, %1) {
#     %3 = loop_index i32 %2 0
#     %4 = element_ptr i32 0 [%3]
#     %5 = load i32 %4
#     %6 = alloca i32
#     store %6, %5
#     %8 = load i32 %6
#     %9 = const i32 1
#     %10 = gt u1 %8, %9
#     condition 0 0 %10
#     %12 = load i32 %6
#     %13 = const i32 5
#     %14 = gt u1 %12, %13
#     condition 0 1 %14
#     %16 = logical_not u1 %14
#     %17 = const u1 false
#     %18 = select u1 %10, %16, %17
#     decide 0
#     if %18 {
#       %21 = load i32 %6
#       %22 = const i32 2
#       %23 = gt u1 %21, %22
#       condition 1 0 %23
#       decide 1
#       %26 = load i32 %6
#       %27 = const i32 3
#       %28 = gt u1 %26, %27
#       condition 2 0 %28
#       decide 2 where %23
#       %31 = const i32 2
#       %32 = const i32 3
#       %33 = select i32 %28, %31, %32
#       %34 = const i32 4
#       %35 = select i32 %23, %33, %34
#       %36 = loop_index i32 %2 0
#       %37 = element_ptr i32 0 [%36]
#       store %37, %35
#     }
#   }
# }
# kernel in_blocks
# array 0 x i32 rank 1 parameter
# loop 0 parallel
# decision 0 function 0 if 23 11 23 60
# condition 0 23 11 23 19 -> 1 false
# condition 0 23 25 23 39 -> true 2
# condition 0 23 43 23 51 -> 3 false
# condition 0 23 47 23 59 -> true false
# decision 1 function 1 ternary 9 16 9 21
# condition 1 9 16 9 21 -> true false
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
#     %42 = alloca u1
#     store %42, %7
#     if %7 {
#       %9 = loop_index i32 %2 0
#       %10 = element_ptr i32 0 [%9]
#       %11 = load i32 %10
#       %12 = const i32 0
#       %13 = gt u1 %11, %12
#       condition 1 0 %13
#       decide 1
#       %16 = const i32 1
#       %17 = const i32 0
#       %18 = select i32 %13, %16, %17
#       condition 0 1 %18
#       %20 = cast u1 %18
#       %37 = alloca u1
#       store %37, %20
#       if %20 {
#       } else {
#         %21 = loop_index i32 %2 0
#         %22 = element_ptr i32 0 [%21]
#         %23 = load i32 %22
#         %24 = const i32 0
#         %25 = lt u1 %24, %23
#         condition 0 2 %25
#         %32 = alloca u1
#         store %32, %25
#         if %25 {
#           %27 = const i32 0
#           %28 = element_ptr i32 0 [%27]
#           %29 = load i32 %28
#           %30 = le u1 %23, %29
#           condition 0 3 %30
#           store %32, %30
#         }
#         %36 = load u1 %32
#         store %37, %36
#       }
#       %41 = load u1 %37
#       store %42, %41
#     }
#     %46 = load u1 %42
#     decide 0
#     if %46 {
#       %49 = loop_index i32 %2 0
#       %50 = element_ptr i32 0 [%49]
#       %51 = const i32 1
#       store %50, %51
#     }
#   }
# }
# kernel known
# array 0 x i32 rank 1 parameter
# loop 0 parallel
# decision 0 function 0 if 30 11 30 28
# condition 0 30 11 30 15 -> 1 false
# condition 0 30 20 30 28 -> true false
# decision 1 function 0 ternary 31 24 31 36
# condition 1 31 24 31 36 -> true false
#
# body {
#   %0 = shape i32 0 0
#   %1 = const i32 0
#   %2 = for 0 [%1, %0) {
#     condition 0 0 true
#     %4 = const u1 true
#     %11 = alloca u1
#     store %11, %4
#     if %4 {
#       %5 = loop_index i32 %2 0
#       %6 = element_ptr i32 0 [%5]
#       %7 = load i32 %6
#       %8 = const i32 0
#       %9 = gt u1 %7, %8
#       condition 0 1 %9
#       store %11, %9
#     }
#     %15 = load u1 %11
#     decide 0
#     if %15 {
#       condition 1 0 true
#       decide 1
#       %20 = loop_index i32 %2 0
#       %21 = element_ptr i32 0 [%20]
#       %22 = const i32 1
#       store %21, %22
#     }
#     %24 = loop_index i32 %2 0
#     %25 = element_ptr i32 0 [%24]
#     %26 = const i32 2
#     %27 = atomic add i32 %25, %26
#   }
# }
