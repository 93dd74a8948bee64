# options: probes
import qd


@qd.func
def sum_of(a, b): return a + b


@qd.kernel
def add(
    x: qd.types.ndarray(qd.i32, 1),
    n: qd.i32
): x[0] = sum_of(x[0], n); x[1] = n


@qd.kernel
def header_of_several_lines(x: qd.types.ndarray(qd.i32, 1), n: qd.i32):
    if (
        n > 1
    ): x[0] = 1
    else: x[0] = 2
# ---
# kernel add
# param 0 n i32
# array 0 x i32 rank 1 parameter
# variant 0 "a=i32, b=i32"
# probe 0 function 0 -9 -> 13
# probe 1 function 1 -5 -> 6 variant 0
# probe 2 function 1 6 -> -5 variant 0
# probe 3 function 0 13 -> -9
#
# body {
#   probe 0
#   %1 = const i32 0
#   %2 = element_ptr i32 0 [%1]
#   %3 = load i32 %2
#   %4 = arg i32 0
#   probe 1
#   %6 = add i32 %3, %4
#   probe 2
#   %8 = const i32 0
#   %9 = element_ptr i32 0 [%8]
#   store %9, %6
#   probe 0
#   %12 = arg i32 0
#   %13 = const i32 1
#   %14 = element_ptr i32 0 [%13]
#   store %14, %12
#   probe 3
# }
# kernel header_of_several_lines
# param 0 n i32
# array 0 x i32 rank 1 parameter
# probe 0 function 0 -16 -> 18
# probe 1 function 0 18 -> 20
# probe 2 function 0 -16 -> 20
# probe 3 function 0 20 -> -16
# probe 4 function 0 18 -> 21
# probe 5 function 0 -16 -> 21
#
# body {
#   probe 0
#   %1 = arg i32 0
#   %2 = const i32 1
#   %3 = gt u1 %1, %2
#   if %3 {
#     probe 1
#     probe 2
#     %7 = const i32 0
#     %8 = element_ptr i32 0 [%7]
#     %9 = const i32 1
#     store %8, %9
#     probe 3
#   } else {
#     probe 4
#     probe 5
#     %14 = const i32 0
#     %15 = element_ptr i32 0 [%14]
#     %16 = const i32 2
#     store %15, %16
#   }
# }
