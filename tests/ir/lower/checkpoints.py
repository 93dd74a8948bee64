# options: checkpoints pipeline
import qd

GROW = 7


@qd.kernel(graph=True, checkpoints=True)
def steps(x: qd.types.ndarray(qd.f32, 1), more: qd.types.ndarray(qd.i32, 0), full: qd.types.ndarray(qd.i32, 0)):
    while qd.graph.do_while(more):
        total = 0.0
        for i in x:
            total += x[i]
        with qd.checkpoint(GROW, yield_on=full):
            for i in x:
                x[i] = total
        more[()] -= 1
# ---
# kernel steps
# array 0 x f32 rank 1 parameter
# array 1 more i32 rank 0 parameter
# array 2 full i32 rank 0 parameter
# loop 0 parallel
# loop 1 parallel
# temps 10
# kept_temps 5
# checkpoint unlabelled
# checkpoint 7
#
# schedule {
#   do_while temp 7 {
#     run 0
#     if temp 5 {
#       run 1
#       run 2
#     } else {
#       run 3
#     }
#     run 4
#     if temp 6 {
#       run 5
#       run 6
#     } else {
#     }
#     run 7
#   }
# }
#
# task serial steps_0_serial {
#   body {
#     %2 = const f32 0
#     %3 = global_temp f32 9
#     store %3, %2
#     %7 = const i32 0
#     %8 = global_temp i32 0
#     %9 = load i32 %8
#     %10 = eq u1 %9, %7
#     %97 = global_temp u1 8
#     store %97, %10
#     %11 = const i32 1
#     %12 = global_temp i32 1
#     %13 = load i32 %12
#     %14 = le u1 %13, %11
#     %15 = bit_and u1 %10, %14
#     %87 = cast i32 %15
#     %88 = global_temp i32 5
#     store %88, %87
#   }
# }
#
# task parallel steps_1_range_for loop %18 [0, shape 0 0) {
#   prologue {
#     %99 = global_temp f32 9
#     %108 = alloca f32
#     %109 = const f32 -0
#     store %108, %109
#   }
#   body {
#     %19 = loop_index i32 %18 0
#     %20 = element_ptr f32 0 [%19]
#     %21 = load f32 %20
#     %22 = load f32 %108
#     %113 = add f32 %22, %21
#     store %108, %113
#   }
#   epilogue {
#     %111 = load f32 %108
#     %112 = atomic add f32 %99, %111
#   }
# }
#
# task serial steps_2_serial {
#   body {
#     %100 = global_temp f32 9
#     %23 = global_temp f32 3
#     %24 = load f32 %100
#     store %23, %24
#     %26 = const i32 1
#     %27 = global_temp i32 4
#     store %27, %26
#   }
# }
#
# task serial steps_3_serial {
#   body {
#     %101 = global_temp u1 8
#     %102 = load u1 %101
#     %103 = global_temp f32 9
#     %29 = const i32 0
#     %30 = global_temp i32 4
#     %31 = load i32 %30
#     %32 = ne u1 %31, %29
#     %33 = bit_and u1 %102, %32
#     if %33 {
#       %35 = global_temp f32 3
#       %36 = load f32 %35
#       store %103, %36
#     }
#   }
# }
#
# task serial steps_4_serial {
#   body {
#     %38 = const i32 0
#     %39 = global_temp i32 0
#     %40 = load i32 %39
#     %41 = eq u1 %40, %38
#     %42 = const i32 2
#     %43 = global_temp i32 1
#     %44 = load i32 %43
#     %45 = le u1 %44, %42
#     %46 = bit_and u1 %41, %45
#     %90 = cast i32 %46
#     %91 = global_temp i32 6
#     store %91, %90
#   }
# }
#
# task parallel steps_5_range_for loop %51 [0, shape 0 0) {
#   prologue {
#     %104 = global_temp f32 9
#     %105 = load f32 %104
#   }
#   body {
#     %53 = loop_index i32 %51 0
#     %54 = element_ptr f32 0 [%53]
#     store %54, %105
#   }
# }
#
# task serial steps_6_serial {
#   body {
#     %56 = const i32 0
#     %57 = global_temp i32 2
#     store %57, %56
#     %59 = element_ptr i32 2 []
#     %60 = load i32 %59
#     %61 = const i32 0
#     %62 = ne u1 %60, %61
#     if %62 {
#       %64 = const i32 2
#       %65 = global_temp i32 0
#       store %65, %64
#       %67 = global_temp i32 2
#       store %67, %60
#     }
#   }
# }
#
# task serial steps_7_serial {
#   body {
#     %69 = element_ptr i32 1 []
#     %70 = const i32 1
#     %71 = load i32 %69
#     %106 = sub i32 %71, %70
#     store %69, %106
#     %72 = const i32 0
#     %73 = element_ptr i32 1 []
#     %74 = load i32 %73
#     %75 = eq u1 %74, %72
#     %76 = const i32 0
#     %77 = global_temp i32 0
#     %78 = load i32 %77
#     %79 = ne u1 %78, %76
#     %80 = bit_or u1 %75, %79
#     %93 = logical_not u1 %80
#     %94 = cast i32 %93
#     %95 = global_temp i32 7
#     store %95, %94
#     if %80 {
#     } else {
#       %84 = const i32 0
#       %85 = global_temp i32 1
#       store %85, %84
#     }
#   }
# }
