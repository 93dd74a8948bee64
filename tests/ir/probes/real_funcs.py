# options: probes
import qd


@qd.real_func
def digits(n: qd.i32, x: qd.template()) -> qd.i32:
    for i in range(3):
        if x[i] == n:
            return i
    if n < 10:
        return 1
    return digits(n // 10, x) + 1


@qd.kernel
def count(x: qd.types.ndarray(qd.i32, 1), y: qd.types.ndarray(qd.i32, 1)):
    for i in x:
        x[i] = digits(x[i], x)
        y[i] = digits(x[i], y)
# ---
# kernel count
# array 0 x i32 rank 1 parameter
# array 1 y i32 rank 1 parameter
# loop 0 parallel
# loop 1 parallel
# loop 2 parallel
# format 0 "`digits` calls itself too often: the stack is full. Is there an end to the recursion?"
# format 1 "`digits` calls itself too often: the stack is full. Is there an end to the recursion?"
# variant 0 "x=i32 ndarray of 1 dimension"
# probe 0 function 0 -15 -> 17
# probe 1 function 0 17 -> 18
# probe 2 function 0 -15 -> 18
# probe 3 function 1 -5 -> 7 variant 0
# probe 4 function 1 7 -> 8 variant 0
# probe 5 function 1 -5 -> 8 variant 0
# probe 6 function 1 8 -> 9 variant 0
# probe 7 function 1 -5 -> 9 variant 0
# probe 8 function 1 8 -> 7 variant 0
# probe 9 function 1 7 -> 10 variant 0
# probe 10 function 1 -5 -> 10 variant 0
# probe 11 function 1 10 -> 11 variant 0
# probe 12 function 1 -5 -> 11 variant 0
# probe 13 function 1 10 -> 12 variant 0
# probe 14 function 1 -5 -> 12 variant 0
# probe 15 function 0 -15 -> 19
# probe 16 function 0 17 -> -15
#
# routine 0 digits (i32) -> (i32) {
#   %128 = stack_left i64
#   %129 = const i64 0
#   %130 = gt u1 %128, %129
#   assert 0 %130
#   %9 = call_arg i32 0
#   %10 = const i32 0
#   %11 = alloca i32
#   store %11, %10
#   %13 = alloca u1
#   %14 = const u1 false
#   store %13, %14
#   loop {
#     probe 3
#     %18 = const i32 0
#     %19 = const i32 3
#     %20 = for 1 [%18, %19) {
#       probe 4
#       probe 5
#       %23 = loop_index i32 %20 0
#       %24 = element_ptr i32 0 [%23]
#       %25 = load i32 %24
#       %26 = eq u1 %25, %9
#       if %26 {
#         probe 6
#         probe 7
#         %30 = loop_index i32 %20 0
#         store %11, %30
#         %32 = const u1 true
#         store %13, %32
#         break
#       } else {
#         probe 8
#       }
#     } exhausted {
#       probe 9
#     }
#     %37 = load u1 %13
#     if %37 {
#       break
#     }
#     probe 10
#     %41 = const i32 10
#     %42 = lt u1 %9, %41
#     if %42 {
#       probe 11
#       probe 12
#       %46 = const i32 1
#       store %11, %46
#       break
#     } else {
#       probe 13
#     }
#     probe 14
#     %51 = const i32 10
#     %52 = floor_div i32 %9, %51
#     %53 = call 0 0 (%52)
#     %54 = call_result i32 %53 0
#     %55 = const i32 1
#     %56 = add i32 %54, %55
#     store %11, %56
#     break
#   }
#   %59 = load i32 %11
#   return %59
# }
#
# routine 1 digits (i32) -> (i32) {
#   %132 = stack_left i64
#   %133 = const i64 0
#   %134 = gt u1 %132, %133
#   assert 1 %134
#   %70 = call_arg i32 0
#   %71 = const i32 0
#   %72 = alloca i32
#   store %72, %71
#   %74 = alloca u1
#   %75 = const u1 false
#   store %74, %75
#   loop {
#     probe 3
#     %79 = const i32 0
#     %80 = const i32 3
#     %81 = for 2 [%79, %80) {
#       probe 4
#       probe 5
#       %84 = loop_index i32 %81 0
#       %85 = element_ptr i32 1 [%84]
#       %86 = load i32 %85
#       %87 = eq u1 %86, %70
#       if %87 {
#         probe 6
#         probe 7
#         %91 = loop_index i32 %81 0
#         store %72, %91
#         %93 = const u1 true
#         store %74, %93
#         break
#       } else {
#         probe 8
#       }
#     } exhausted {
#       probe 9
#     }
#     %98 = load u1 %74
#     if %98 {
#       break
#     }
#     probe 10
#     %102 = const i32 10
#     %103 = lt u1 %70, %102
#     if %103 {
#       probe 11
#       probe 12
#       %107 = const i32 1
#       store %72, %107
#       break
#     } else {
#       probe 13
#     }
#     probe 14
#     %112 = const i32 10
#     %113 = floor_div i32 %70, %112
#     %114 = call 1 2 (%113)
#     %115 = call_result i32 %114 0
#     %116 = const i32 1
#     %117 = add i32 %115, %116
#     store %72, %117
#     break
#   }
#   %120 = load i32 %72
#   return %120
# }
#
# body {
#   probe 0
#   %1 = shape i32 0 0
#   %2 = const i32 0
#   %3 = for 0 [%2, %1) {
#     probe 1
#     probe 2
#     %6 = loop_index i32 %3 0
#     %7 = element_ptr i32 0 [%6]
#     %8 = load i32 %7
#     %61 = call 0 1 (%8)
#     %62 = call_result i32 %61 0
#     %63 = loop_index i32 %3 0
#     %64 = element_ptr i32 0 [%63]
#     store %64, %62
#     probe 15
#     %67 = loop_index i32 %3 0
#     %68 = element_ptr i32 0 [%67]
#     %69 = load i32 %68
#     %122 = call 1 3 (%69)
#     %123 = call_result i32 %122 0
#     %124 = loop_index i32 %3 0
#     %125 = element_ptr i32 1 [%124]
#     store %125, %123
#   }
#   probe 16
# }
