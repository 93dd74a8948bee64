# options:
import qd


@qd.kernel
def saxpy(n: qd.i32, a: qd.f32, x: qd.types.ndarray(qd.f32, 1), y: qd.types.ndarray(qd.f32, 1)):
    """y = a x + y"""
    for i in range(n):
        if x[i] > 0.5:
            y[i] = a * x[i] + y[i]
        else:
            y[i] += 2
# ---
# kernel saxpy
# param 0 n i32
# param 1 a f32
# array 0 x f32 rank 1 parameter
# array 1 y f32 rank 1 parameter
# loop 0 parallel
#
# body {
#   %0 = arg i32 0
#   %1 = const i32 0
#   %2 = for 0 [%1, %0) {
#     %3 = loop_index i32 %2 0
#     %4 = element_ptr f32 0 [%3]
#     %5 = load f32 %4
#     %6 = const f32 0.5
#     %7 = gt u1 %5, %6
#     if %7 {
#       %9 = arg f32 1
#       %10 = loop_index i32 %2 0
#       %11 = element_ptr f32 0 [%10]
#       %12 = load f32 %11
#       %13 = mul f32 %9, %12
#       %14 = loop_index i32 %2 0
#       %15 = element_ptr f32 1 [%14]
#       %16 = load f32 %15
#       %17 = add f32 %13, %16
#       %18 = loop_index i32 %2 0
#       %19 = element_ptr f32 1 [%18]
#       store %19, %17
#     } else {
#       %21 = loop_index i32 %2 0
#       %22 = element_ptr f32 1 [%21]
#       %23 = const f32 2
#       %24 = atomic add f32 %22, %23
#     }
#   }
# }
