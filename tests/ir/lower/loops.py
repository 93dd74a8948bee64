# options:
import qd


@qd.kernel
def loops(n: qd.i32, m: qd.i64, field: qd.template(), x: qd.types.ndarray(qd.f32, 3)):
    for I in qd.grouped(x):
        x[I] = I[0] + I[2]
    for I in qd.grouped(qd.ndrange(2, n)):
        field[I] = x[I, 0]
    for i in range(m):
        i += 1
        x[i, 0, 0] = i
    for _ in range(3):
        for _ in range(2):
            x[0, 0, 0] += 1
    for i in range(5):
        pass
    for i in range(2.5):
        pass
    qd.loop_config(block_dim=64, name="named", parallelize=4)
    for i, j in field:
        qd.loop_config(name="inner")
        for k in range(i):
            while k < 3:
                if (w := x[i, j, k]) > 0.5 or w < -1:
                    continue
                break
    if n > 2:
        for i in range(n):
            n2 = i
# ---
# kernel loops
# param 0 n i32
# param 1 m i64
# array 0 x f32 rank 3 parameter
# array 1 field f32 rank 2 field 7 shape [8, 4]
# loop 0 parallel
# loop 1 parallel
# loop 2 parallel
# loop 3 parallel
# loop 4 parallel
# loop 5 parallel
# loop 6 parallel
# loop 7 parallel block_dim 64 name named
# loop 8 parallel
# loop 9 parallel
#
# body {
#   %0 = shape i32 0 0
#   %1 = shape i32 0 1
#   %2 = shape i32 0 2
#   %3 = const i32 0
#   %4 = const i32 0
#   %5 = const i32 0
#   %6 = for 0 [%3, %0) [%4, %1) [%5, %2) {
#     %7 = loop_index i32 %6 0
#     %8 = loop_index i32 %6 1
#     %9 = loop_index i32 %6 2
#     %10 = loop_index i32 %6 0
#     %11 = loop_index i32 %6 1
#     %12 = loop_index i32 %6 2
#     %13 = add i32 %7, %12
#     %14 = loop_index i32 %6 0
#     %15 = loop_index i32 %6 1
#     %16 = loop_index i32 %6 2
#     %17 = element_ptr f32 0 [%14, %15, %16]
#     %18 = cast f32 %13
#     store %17, %18
#   }
#   %20 = arg i32 0
#   %21 = const i32 0
#   %22 = const i32 2
#   %23 = const i32 0
#   %24 = for 1 [%21, %22) [%23, %20) {
#     %25 = loop_index i32 %24 0
#     %26 = loop_index i32 %24 1
#     %27 = const i32 0
#     %28 = element_ptr f32 0 [%25, %26, %27]
#     %29 = load f32 %28
#     %30 = loop_index i32 %24 0
#     %31 = loop_index i32 %24 1
#     %32 = element_ptr f32 1 [%30, %31]
#     store %32, %29
#   }
#   %34 = arg i64 1
#   %35 = const i64 0
#   %36 = for 2 [%35, %34) {
#     %37 = loop_index i64 %36 0
#     %38 = alloca i64
#     store %38, %37
#     %40 = const i64 1
#     %41 = load i64 %38
#     %42 = add i64 %41, %40
#     store %38, %42
#     %44 = load i64 %38
#     %45 = load i64 %38
#     %46 = const i32 0
#     %47 = const i32 0
#     %48 = element_ptr f32 0 [%45, %46, %47]
#     %49 = cast f32 %44
#     store %48, %49
#   }
#   %51 = const i32 0
#   %52 = const i32 3
#   %53 = for 3 [%51, %52) {
#     %54 = loop_index i32 %53 0
#     %55 = alloca i32
#     store %55, %54
#     %57 = const i32 0
#     %58 = const i32 2
#     %59 = for 4 [%57, %58) {
#       %60 = const i32 0
#       %61 = const i32 0
#       %62 = const i32 0
#       %63 = element_ptr f32 0 [%60, %61, %62]
#       %64 = const f32 1
#       %65 = atomic add f32 %63, %64
#     }
#   }
#   %66 = const i32 0
#   %67 = const i32 5
#   %68 = for 5 [%66, %67) {
#   }
#   %69 = const i32 0
#   %70 = const i32 2
#   %71 = for 6 [%69, %70) {
#   }
#   %72 = const i32 0
#   %73 = const i32 8
#   %74 = const i32 0
#   %75 = const i32 4
#   %76 = for 7 [%72, %73) [%74, %75) {
#     %77 = loop_index i32 %76 0
#     %78 = const i32 0
#     %79 = for 8 [%78, %77) {
#       loop {
#         %81 = loop_index i32 %79 0
#         %82 = const i32 3
#         %83 = lt u1 %81, %82
#         %84 = logical_not u1 %83
#         if %84 {
#           break
#         }
#         %87 = loop_index i32 %76 0
#         %88 = loop_index i32 %76 1
#         %89 = loop_index i32 %79 0
#         %90 = element_ptr f32 0 [%87, %88, %89]
#         %91 = load f32 %90
#         %92 = alloca f32
#         store %92, %91
#         %94 = load f32 %92
#         %95 = const f32 0.5
#         %96 = gt u1 %94, %95
#         %97 = load f32 %92
#         %98 = const f32 -1
#         %99 = lt u1 %97, %98
#         %100 = const u1 true
#         %101 = select u1 %96, %100, %99
#         if %101 {
#           continue
#         }
#         break
#       }
#     }
#   }
#   %105 = arg i32 0
#   %106 = const i32 2
#   %107 = gt u1 %105, %106
#   if %107 {
#     %109 = arg i32 0
#     %110 = const i32 0
#     %111 = for 9 [%110, %109) {
#       %112 = loop_index i32 %111 0
#       %113 = alloca i32
#       store %113, %112
#     }
#   }
# }
# warning: loops.py:19: the bound of a loop is an f32: it is truncated to i32
# warning: loops.py:24: only a loop at the top level of a kernel can have a name
