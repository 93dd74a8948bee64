# options: graph
import qd


@qd.kernel(graph=True)
def nested(x: qd.types.ndarray(qd.f32, 1), outer: qd.types.ndarray(qd.i32, 0), inner: qd.types.ndarray(qd.i32, 0)):
    passes = 0
    while qd.graph.do_while(outer):
        inner[()] = 3
        while qd.graph.do_while(inner):
            for i in x:
                x[i] += 1.0
            inner[()] -= 1
        passes += 1
        if passes > 4:
            outer[()] = 0


@qd.kernel(graph=True)
def sections(x: qd.types.ndarray(qd.f32, 1), y: qd.types.ndarray(qd.f32, 1)):
    with qd.graph.parallel_context():
        with qd.graph.parallel():
            for i in x:
                x[i] = 1.0
        if qd.static(True):
            with qd.graph.parallel():
                for i in y:
                    y[i] = 2.0
# ---
# kernel nested
# array 0 x f32 rank 1 parameter
# array 1 outer i32 rank 0 parameter
# array 2 inner i32 rank 0 parameter
# loop 0 parallel
#
# body {
#   %0 = const i32 0
#   %1 = alloca i32
#   store %1, %0
#   region {
#     loop {
#       %5 = element_ptr i32 2 []
#       %6 = const i32 3
#       store %5, %6
#       region {
#         loop {
#           %10 = shape i32 0 0
#           %11 = const i32 0
#           %12 = for 0 [%11, %10) {
#             %13 = loop_index i32 %12 0
#             %14 = element_ptr f32 0 [%13]
#             %15 = const f32 1
#             %16 = atomic add f32 %14, %15
#           }
#           %17 = element_ptr i32 2 []
#           %18 = const i32 1
#           %19 = atomic sub i32 %17, %18
#           %20 = const i32 0
#           %21 = element_ptr i32 2 []
#           %22 = load i32 %21
#           %23 = eq u1 %22, %20
#           %24 = logical_not u1 %23
#           if %23 {
#             break
#           }
#         }
#       }
#       %27 = const i32 1
#       %28 = load i32 %1
#       %29 = add i32 %28, %27
#       store %1, %29
#       %31 = load i32 %1
#       %32 = const i32 4
#       %33 = gt u1 %31, %32
#       if %33 {
#         %35 = element_ptr i32 1 []
#         %36 = const i32 0
#         store %35, %36
#       }
#       %38 = const i32 0
#       %39 = element_ptr i32 1 []
#       %40 = load i32 %39
#       %41 = eq u1 %40, %38
#       %42 = logical_not u1 %41
#       if %41 {
#         break
#       }
#     }
#   }
# }
# kernel sections
# array 0 x f32 rank 1 parameter
# array 1 y f32 rank 1 parameter
# loop 0 parallel
# loop 1 parallel
#
# body {
#   region 2 {
#     %1 = shape i32 0 0
#     %2 = const i32 0
#     %3 = for 0 [%2, %1) {
#       %4 = loop_index i32 %3 0
#       %5 = element_ptr f32 0 [%4]
#       %6 = const f32 1
#       store %5, %6
#     }
#   }
#   region 2 {
#     %9 = shape i32 1 0
#     %10 = const i32 0
#     %11 = for 1 [%10, %9) {
#       %12 = loop_index i32 %11 0
#       %13 = element_ptr f32 1 [%12]
#       %14 = const f32 2
#       store %13, %14
#     }
#   }
# }
