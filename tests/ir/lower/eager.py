# options: eager f64 i64
import qd


@qd.kernel
def eager(n: qd.i32, x: qd.types.ndarray(qd.f32, 1)):
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
# kernel eager
# param 0 n i32
# array 0 x f32 rank 1 parameter
#
# body {
#   %0 = arg i32 0
#   %1 = cast i64 %0
#   %2 = const i64 3
#   %3 = lt u1 %1, %2
#   %9 = alloca f64
#   if %3 {
#     %4 = arg i32 0
#     %5 = element_ptr f32 0 [%4]
#     %6 = load f32 %5
#     %7 = cast f64 %6
#     store %9, %7
#   } else {
#     %8 = const f64 0
#     store %9, %8
#   }
#   %13 = load f64 %9
#   %14 = alloca f64
#   store %14, %13
#   %16 = arg i32 0
#   %17 = cast i64 %16
#   %18 = const i64 3
#   %19 = gt u1 %17, %18
#   %26 = alloca i64
#   if %19 {
#     %20 = arg i32 0
#     %25 = cast i64 %20
#     store %26, %25
#   } else {
#     %21 = arg i32 0
#     %22 = cast i64 %21
#     %23 = const i64 2
#     %24 = floor_div i64 %22, %23
#     store %26, %24
#   }
#   %30 = load i64 %26
#   %31 = alloca i64
#   store %31, %30
#   %33 = arg i32 0
#   %34 = cast i64 %33
#   %35 = const i64 0
#   %36 = gt u1 %34, %35
#   %37 = arg i32 0
#   %38 = element_ptr f32 0 [%37]
#   %39 = load f32 %38
#   %40 = const f32 0
#   %41 = gt u1 %39, %40
#   %42 = bit_and u1 %36, %41
#   %43 = arg i32 0
#   %44 = cast i64 %43
#   %45 = const i64 -3
#   %46 = lt u1 %44, %45
#   %47 = bit_or u1 %42, %46
#   %48 = alloca u1
#   store %48, %47
#   %50 = arg i32 0
#   %51 = cast i64 %50
#   %52 = const i64 0
#   %53 = gt u1 %51, %52
#   %54 = arg i32 0
#   %55 = cast i64 %54
#   %56 = const i64 4
#   %57 = lt u1 %55, %56
#   %58 = bit_and u1 %53, %57
#   %59 = alloca u1
#   store %59, %58
#   %61 = arg i32 0
#   %62 = element_ptr f32 0 [%61]
#   %63 = load f32 %62
#   %64 = const f32 0
#   %65 = lt u1 %64, %63
#   %66 = arg i32 0
#   %67 = cast i64 %66
#   %68 = const i64 1
#   %69 = add i64 %67, %68
#   %70 = element_ptr f32 0 [%69]
#   %71 = load f32 %70
#   %72 = lt u1 %63, %71
#   %73 = const f32 3
#   %74 = lt u1 %71, %73
#   %75 = bit_and u1 %72, %74
#   %76 = bit_and u1 %65, %75
#   %77 = alloca u1
#   store %77, %76
#   %79 = arg i32 0
#   %80 = const i64 0
#   %81 = cast i64 %79
#   %82 = lt u1 %80, %81
#   %83 = const i64 4
#   %84 = cast i64 %79
#   %85 = lt u1 %84, %83
#   %86 = arg i32 0
#   %87 = cast i64 %86
#   %88 = const i64 1
#   %89 = add i64 %87, %88
#   %90 = lt u1 %83, %89
#   %91 = bit_and u1 %85, %90
#   %92 = bit_and u1 %82, %91
#   %93 = alloca u1
#   store %93, %92
#   %95 = arg i32 0
#   %96 = cast i64 %95
#   %97 = const i64 1
#   %98 = gt u1 %96, %97
#   %99 = const f64 1
#   %100 = const f64 2.5
#   %101 = select f64 %98, %99, %100
#   %102 = arg i32 0
#   %103 = cast i64 %102
#   %104 = const i64 0
#   %105 = ne u1 %103, %104
#   %106 = arg i32 0
#   %107 = arg i32 0
#   %108 = cast f64 %106
#   %109 = cast f64 %107
#   %110 = div f64 %108, %109
#   %111 = const f64 1
#   %112 = select f64 %105, %110, %111
#   %113 = add f64 %101, %112
#   %114 = alloca f64
#   store %114, %113
#   loop {
#     %117 = arg i32 0
#     %118 = cast i64 %117
#     %119 = const i64 1
#     %120 = gt u1 %118, %119
#     %121 = arg i32 0
#     %122 = element_ptr f32 0 [%121]
#     %123 = load f32 %122
#     %124 = const f32 0
#     %125 = gt u1 %123, %124
#     %126 = bit_and u1 %120, %125
#     %127 = logical_not u1 %126
#     if %127 {
#       break
#     }
#   }
# }
