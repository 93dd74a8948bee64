# options: pipeline
import qd


@qd.func
def half(x):
    if x > 1:
        x /= 2
    return x


@qd.kernel
def reduce(x: qd.types.ndarray(qd.f32, 1)) -> qd.f32:
    total = 0.0
    for i in x:
        total += half(x[i])
    return total
# ---
# kernel reduce
# array 0 x f32 rank 1 parameter
# result f32
# loop 0 parallel
# temps 1
#
# task serial reduce_0_serial {
#   body {
#     %0 = const f32 0
#     %1 = global_temp f32 0
#     store %1, %0
#   }
# }
#
# task parallel reduce_1_range_for loop %5 [0, shape 0 0) {
#   prologue {
#     %23 = global_temp f32 0
#     %25 = alloca f32
#     %26 = const f32 -0
#     store %25, %26
#   }
#   body {
#     %6 = loop_index i32 %5 0
#     %7 = element_ptr f32 0 [%6]
#     %8 = load f32 %7
#     %9 = alloca f32
#     store %9, %8
#     %12 = const f32 1
#     %13 = gt u1 %8, %12
#     if %13 {
#       %16 = const f32 2
#       %17 = div f32 %8, %16
#       store %9, %17
#     }
#     %19 = load f32 %9
#     %20 = load f32 %25
#     %30 = add f32 %20, %19
#     store %25, %30
#   }
#   epilogue {
#     %28 = load f32 %25
#     %29 = atomic add f32 %23, %28
#   }
# }
#
# task serial reduce_2_serial {
#   body {
#     %24 = global_temp f32 0
#     %21 = load f32 %24
#     return %21
#   }
# }
