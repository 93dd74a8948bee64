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
#   %35 = const i32 0
#   %36 = cast i32 %34
#   %37 = for 2 [%35, %36) {
#     %38 = loop_index i32 %37 0
#     %39 = alloca i32
#     store %39, %38
#     %41 = const i32 1
#     %42 = load i32 %39
#     %43 = add i32 %42, %41
#     store %39, %43
#     %45 = load i32 %39
#     %46 = load i32 %39
#     %47 = const i32 0
#     %48 = const i32 0
#     %49 = element_ptr f32 0 [%46, %47, %48]
#     %50 = cast f32 %45
#     store %49, %50
#   }
#   %52 = const i32 0
#   %53 = const i32 3
#   %54 = for 3 [%52, %53) {
#     %55 = loop_index i32 %54 0
#     %56 = alloca i32
#     store %56, %55
#     %58 = const i32 0
#     %59 = const i32 2
#     %60 = for 4 [%58, %59) {
#       %61 = const i32 0
#       %62 = const i32 0
#       %63 = const i32 0
#       %64 = element_ptr f32 0 [%61, %62, %63]
#       %65 = const f32 1
#       %66 = atomic add f32 %64, %65
#     }
#   }
#   %67 = const i32 0
#   %68 = const i32 5
#   %69 = for 5 [%67, %68) {
#   }
#   %70 = const i32 0
#   %71 = const i32 2
#   %72 = for 6 [%70, %71) {
#   }
#   %73 = const i32 0
#   %74 = const i32 8
#   %75 = const i32 0
#   %76 = const i32 4
#   %77 = for 7 [%73, %74) [%75, %76) {
#     %78 = loop_index i32 %77 0
#     %79 = const i32 0
#     %80 = for 8 [%79, %78) {
#       loop {
#         %82 = loop_index i32 %80 0
#         %83 = const i32 3
#         %84 = lt u1 %82, %83
#         %85 = logical_not u1 %84
#         if %85 {
#           break
#         }
#         %88 = loop_index i32 %77 0
#         %89 = loop_index i32 %77 1
#         %90 = loop_index i32 %80 0
#         %91 = element_ptr f32 0 [%88, %89, %90]
#         %92 = load f32 %91
#         %93 = alloca f32
#         store %93, %92
#         %95 = load f32 %93
#         %96 = const f32 0.5
#         %97 = gt u1 %95, %96
#         %98 = load f32 %93
#         %99 = const f32 -1
#         %100 = lt u1 %98, %99
#         %101 = const u1 true
#         %102 = select u1 %97, %101, %100
#         if %102 {
#           continue
#         }
#         break
#       }
#     }
#   }
#   %106 = arg i32 0
#   %107 = const i32 2
#   %108 = gt u1 %106, %107
#   if %108 {
#     %110 = arg i32 0
#     %111 = const i32 0
#     %112 = for 9 [%111, %110) {
#       %113 = loop_index i32 %112 0
#       %114 = alloca i32
#       store %114, %113
#     }
#   }
# }
# warning: loops.py:19: the bound of a loop is an f32: it is truncated to i32
# warning: loops.py:24: only a loop at the top level of a kernel can have a name
