# options:
import qd


@qd.kernel
def lazy(n: qd.i32, x: qd.types.ndarray(qd.f32, 1)):
    a = x[n] if n < 3 else 0.0
    b = n if n > 3 else n // 2
    c = n > 0 and x[n] > 0 or n < -3
    d = n > 0 and n < 4
    e = 0 < x[n] < x[n + 1] < 3
    f = 0 < n < 4 < n + 1
    g = (1 if n > 1 else 2.5) + (n / n if n != 0 else 1)
    while n > 1 and x[n] > 0:
        pass
# ---
# kernel lazy
# param 0 n i32
# array 0 x f32 rank 1 parameter
#
# body {
#   %0 = arg i32 0
#   %1 = const i32 3
#   %2 = lt u1 %0, %1
#   %7 = alloca f32
#   if %2 {
#     %3 = arg i32 0
#     %4 = element_ptr f32 0 [%3]
#     %5 = load f32 %4
#     store %7, %5
#   } else {
#     %6 = const f32 0
#     store %7, %6
#   }
#   %11 = load f32 %7
#   %12 = alloca f32
#   store %12, %11
#   %14 = arg i32 0
#   %15 = const i32 3
#   %16 = gt u1 %14, %15
#   %21 = alloca i32
#   if %16 {
#     %17 = arg i32 0
#     store %21, %17
#   } else {
#     %18 = arg i32 0
#     %19 = const i32 2
#     %20 = floor_div i32 %18, %19
#     store %21, %20
#   }
#   %25 = load i32 %21
#   %26 = alloca i32
#   store %26, %25
#   %28 = arg i32 0
#   %29 = const i32 0
#   %30 = gt u1 %28, %29
#   %36 = alloca u1
#   store %36, %30
#   if %30 {
#     %31 = arg i32 0
#     %32 = element_ptr f32 0 [%31]
#     %33 = load f32 %32
#     %34 = const f32 0
#     %35 = gt u1 %33, %34
#     store %36, %35
#   }
#   %40 = load u1 %36
#   %41 = arg i32 0
#   %42 = const i32 -3
#   %43 = lt u1 %41, %42
#   %44 = const u1 true
#   %45 = select u1 %40, %44, %43
#   %46 = alloca u1
#   store %46, %45
#   %48 = arg i32 0
#   %49 = const i32 0
#   %50 = gt u1 %48, %49
#   %51 = arg i32 0
#   %52 = const i32 4
#   %53 = lt u1 %51, %52
#   %54 = const u1 false
#   %55 = select u1 %50, %53, %54
#   %56 = alloca u1
#   store %56, %55
#   %58 = arg i32 0
#   %59 = element_ptr f32 0 [%58]
#   %60 = load f32 %59
#   %61 = const f32 0
#   %62 = lt u1 %61, %60
#   %73 = alloca u1
#   store %73, %62
#   if %62 {
#     %63 = arg i32 0
#     %64 = const i32 1
#     %65 = add i32 %63, %64
#     %66 = element_ptr f32 0 [%65]
#     %67 = load f32 %66
#     %68 = lt u1 %60, %67
#     %69 = const f32 3
#     %70 = lt u1 %67, %69
#     %71 = const u1 false
#     %72 = select u1 %68, %70, %71
#     store %73, %72
#   }
#   %77 = load u1 %73
#   %78 = alloca u1
#   store %78, %77
#   %80 = arg i32 0
#   %81 = const i32 0
#   %82 = lt u1 %81, %80
#   %83 = const i32 4
#   %84 = lt u1 %80, %83
#   %85 = arg i32 0
#   %86 = const i32 1
#   %87 = add i32 %85, %86
#   %88 = lt u1 %83, %87
#   %89 = const u1 false
#   %90 = select u1 %84, %88, %89
#   %91 = const u1 false
#   %92 = select u1 %82, %90, %91
#   %93 = alloca u1
#   store %93, %92
#   %95 = arg i32 0
#   %96 = const i32 1
#   %97 = gt u1 %95, %96
#   %98 = const f32 1
#   %99 = const f32 2.5
#   %100 = select f32 %97, %98, %99
#   %101 = arg i32 0
#   %102 = const i32 0
#   %103 = ne u1 %101, %102
#   %104 = arg i32 0
#   %105 = arg i32 0
#   %106 = cast f32 %104
#   %107 = cast f32 %105
#   %108 = div f32 %106, %107
#   %109 = const f32 1
#   %110 = select f32 %103, %108, %109
#   %111 = add f32 %100, %110
#   %112 = alloca f32
#   store %112, %111
#   loop {
#     %115 = arg i32 0
#     %116 = const i32 1
#     %117 = gt u1 %115, %116
#     %123 = alloca u1
#     store %123, %117
#     if %117 {
#       %118 = arg i32 0
#       %119 = element_ptr f32 0 [%118]
#       %120 = load f32 %119
#       %121 = const f32 0
#       %122 = gt u1 %120, %121
#       store %123, %122
#     }
#     %127 = load u1 %123
#     %128 = logical_not u1 %127
#     if %128 {
#       break
#     }
#   }
# }
