# options:
import qd

VEC = qd.types.vector(2, qd.f32)


@qd.real_func
def power(x: qd.f32, n: qd.i32) -> qd.f32:
    if n == 0:
        return 1
    return x * power(x, n - 1)


@qd.real_func
def find(a: qd.template(), wanted) -> tuple[qd.i32, VEC]:
    for i in range(a.shape[0]):
        if a[i] == wanted:
            return i, VEC(a[i], wanted)
    return -1, VEC(0)


@qd.real_func
def clear(a: qd.template(), i: qd.i32, step: qd.template()):
    if qd.static(step == 0):
        return
    a[i] = 0


@qd.kernel
def calls(a: qd.types.ndarray(qd.f32, 1), b: qd.types.ndarray(qd.f32, 1), n: qd.i32) -> qd.f32:
    for i in range(n):
        clear(a, i, 1)
        clear(b, i + 1, 1)
        clear(a, i, 0)
        clear(a, n, 1)
    at, v = find(b, power(a[0], 3))
    at += find(b, 2.5)[0]
    return at + v[0]
# ---
# kernel calls
# param 0 n i32
# array 0 a f32 rank 1 parameter
# array 1 b f32 rank 1 parameter
# result f32
# loop 0 parallel
# loop 1 parallel
# format 0 "`power` calls itself too often: the stack is full. Is there an end to the recursion?"
#
# routine 0 clear (i32) -> () {
#   %4 = call_arg i32 0
#   %5 = alloca u1
#   %6 = const u1 false
#   store %5, %6
#   loop {
#     %9 = element_ptr f32 0 [%4]
#     %10 = const f32 0
#     store %9, %10
#     break
#   }
# }
#
# routine 1 clear (i32) -> () {
#   %17 = call_arg i32 0
#   %18 = alloca u1
#   %19 = const u1 false
#   store %18, %19
#   loop {
#     %22 = element_ptr f32 1 [%17]
#     %23 = const f32 0
#     store %22, %23
#     break
#   }
# }
#
# routine 2 clear (i32) -> () {
#   %28 = call_arg i32 0
#   %29 = alloca u1
#   %30 = const u1 false
#   store %29, %30
#   loop {
#     break
#   }
# }
#
# routine 3 power (f32, i32) -> (f32) {
#   %155 = stack_left i64
#   %156 = const i64 0
#   %157 = gt u1 %155, %156
#   assert 0 %157
#   %41 = call_arg f32 0
#   %42 = call_arg i32 1
#   %43 = const f32 0
#   %44 = alloca f32
#   store %44, %43
#   %46 = alloca u1
#   %47 = const u1 false
#   store %46, %47
#   loop {
#     %50 = const i32 0
#     %51 = eq u1 %42, %50
#     if %51 {
#       %53 = const f32 1
#       store %44, %53
#       break
#     }
#     %56 = const i32 1
#     %57 = sub i32 %42, %56
#     %58 = call 3 4 (%41, %57)
#     %59 = call_result f32 %58 0
#     %60 = mul f32 %41, %59
#     store %44, %60
#     break
#   }
#   %63 = load f32 %44
#   return %63
# }
#
# routine 4 find (f32) -> (i32, f32, f32) {
#   %67 = call_arg f32 0
#   %68 = const i32 0
#   %69 = alloca i32
#   store %69, %68
#   %71 = const f32 0
#   %72 = alloca f32 2
#   %73 = const i32 0
#   %74 = local_ptr f32 %72, %73
#   store %74, %71
#   %76 = const i32 1
#   %77 = local_ptr f32 %72, %76
#   store %77, %71
#   %79 = alloca u1
#   %80 = const u1 false
#   store %79, %80
#   loop {
#     %83 = shape i32 1 0
#     %84 = const i32 0
#     %85 = for 1 [%84, %83) {
#       %86 = loop_index i32 %85 0
#       %87 = element_ptr f32 1 [%86]
#       %88 = load f32 %87
#       %89 = eq u1 %88, %67
#       if %89 {
#         %91 = loop_index i32 %85 0
#         %92 = loop_index i32 %85 0
#         %93 = element_ptr f32 1 [%92]
#         %94 = load f32 %93
#         store %69, %91
#         %96 = const i32 0
#         %97 = local_ptr f32 %72, %96
#         store %97, %94
#         %99 = const i32 1
#         %100 = local_ptr f32 %72, %99
#         store %100, %67
#         %102 = const u1 true
#         store %79, %102
#         break
#       }
#     }
#     %105 = load u1 %79
#     if %105 {
#       break
#     }
#     %108 = const f32 0
#     %109 = const f32 0
#     %110 = const i32 -1
#     store %69, %110
#     %112 = const i32 0
#     %113 = local_ptr f32 %72, %112
#     store %113, %108
#     %115 = const i32 1
#     %116 = local_ptr f32 %72, %115
#     store %116, %109
#     break
#   }
#   %119 = load i32 %69
#   %120 = const i32 0
#   %121 = local_ptr f32 %72, %120
#   %122 = load f32 %121
#   %123 = const i32 1
#   %124 = local_ptr f32 %72, %123
#   %125 = load f32 %124
#   return %119, %122, %125
# }
#
# body {
#   %0 = arg i32 0
#   %1 = const i32 0
#   %2 = for 0 [%1, %0) {
#     %3 = loop_index i32 %2 0
#     %13 = call 0 0 (%3)
#     %14 = loop_index i32 %2 0
#     %15 = const i32 1
#     %16 = add i32 %14, %15
#     %26 = call 1 1 (%16)
#     %27 = loop_index i32 %2 0
#     %34 = call 2 2 (%27)
#     %35 = arg i32 0
#     %36 = call 0 3 (%35)
#   }
#   %37 = const i32 0
#   %38 = element_ptr f32 0 [%37]
#   %39 = load f32 %38
#   %40 = const i32 3
#   %65 = call 3 5 (%39, %40)
#   %66 = call_result f32 %65 0
#   %127 = call 4 6 (%66)
#   %128 = call_result i32 %127 0
#   %129 = call_result f32 %127 1
#   %130 = call_result f32 %127 2
#   %131 = alloca i32
#   store %131, %128
#   %133 = alloca f32 2
#   %134 = const i32 0
#   %135 = local_ptr f32 %133, %134
#   store %135, %129
#   %137 = const i32 1
#   %138 = local_ptr f32 %133, %137
#   store %138, %130
#   %140 = const f32 2.5
#   %141 = call 4 7 (%140)
#   %142 = call_result i32 %141 0
#   %143 = call_result f32 %141 1
#   %144 = call_result f32 %141 2
#   %145 = load i32 %131
#   %146 = add i32 %145, %142
#   store %131, %146
#   %148 = load i32 %131
#   %149 = const i32 0
#   %150 = local_ptr f32 %133, %149
#   %151 = load f32 %150
#   %152 = cast f32 %148
#   %153 = add f32 %152, %151
#   return %153
# }
