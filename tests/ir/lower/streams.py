# options: pipeline
import qd


@qd.kernel
def blocks(x: qd.types.ndarray(qd.f32, 1), y: qd.types.ndarray(qd.f32, 1)):
    """Both at once."""
    with qd.stream_parallel():
        for i in x:
            x[i] = 1.0
        for i in range(x.shape[0]):
            x[i] += 1.0
    with qd.stream_parallel():
        for i in y:
            y[i] = 2.0
# ---
# kernel blocks
# array 0 x f32 rank 1 parameter
# array 1 y f32 rank 1 parameter
# loop 0 parallel
# loop 1 parallel
# loop 2 parallel
#
# schedule {
#   fork {
#     run 0
#     run 1
#   } {
#     run 2
#   }
# }
#
# task parallel blocks_0_range_for loop %3 [0, shape 0 0) {
#   prologue {
#   }
#   body {
#     %4 = loop_index i32 %3 0
#     %5 = element_ptr f32 0 [%4]
#     %6 = const f32 1
#     store %5, %6
#   }
# }
#
# task parallel blocks_1_range_for loop %10 [0, shape 0 0) {
#   prologue {
#   }
#   body {
#     %11 = loop_index i32 %10 0
#     %12 = element_ptr f32 0 [%11]
#     %13 = const f32 1
#     %14 = load f32 %12
#     %23 = add f32 %14, %13
#     store %12, %23
#   }
# }
#
# task parallel blocks_2_range_for loop %18 [0, shape 1 0) {
#   prologue {
#   }
#   body {
#     %19 = loop_index i32 %18 0
#     %20 = element_ptr f32 1 [%19]
#     %21 = const f32 2
#     store %20, %21
#   }
# }
