# options: debug
import math
import qd
from qd import f32, i32 as int32

N = 16
DT = 1e-3
HALF = N // 2
FLAG = True
SIZES = (2, 3, 4)


@qd.func
def sq(x):
    return x * x


@qd.func
def clamp01(x: f32) -> f32:
    y = x
    if y < 0.0:
        y = 0.0
    elif y > 1.0:
        y = 1.0
    return y


@qd.func
def bump(x, n: qd.template()):
    n += 1
    x = x + 1
    return x


@qd.kernel
def scalars(a: int, b: float, c: bool, d: qd.u8, e: qd.f64) -> (int, float, f32):
    x = a + b
    y = a / 2
    z = a // 3 % 4
    w = -a ** 2
    u = d << 2
    v = ~a & 0xFF
    t = 0.1 * e
    big = 3000000000
    q = x if a > 3 else y
    r = 1.0 / b if b != 0 else e
    ok = 0 < a <= N and not c
    x += 1
    x *= 2.5
    a2 = bump(a, v)
    s, p = a2, v
    s, p = p, s
    m = max(a, b, 3)
    k = abs(-a) + round(b) + int(b) + pow(a, 2)
    return k, clamp01(x) + sq(t), math.pi * m


@qd.kernel
def reduce(x: qd.types.ndarray(dtype=f32, ndim=2)) -> f32:
    total = 0.0
    count = 0
    for i, j in x:
        if x[i, j] > DT:
            total += x[i, j]
            count += 1
        else:
            continue
    for i, j in qd.ndrange(x.shape[0], (1, x.shape[1] - 1)):
        total -= x[i, j]
    return total / count


@qd.kernel
def control(n: int32, field: qd.template(), y: qd.types.NDArray[qd.i32, 1]):
    for i in range(n):
        j = 0
        while j < 10 and y[j] != 0:
            if y[j] == 3:
                break
            j += 1
            if j == 5: continue
        for k in range(j, n):
            if k == i:
                break
            y[k] = k
        while True:
            j -= 1
            if j < 0:
                break
    qd.loop_config(serialize=True, name="ser")
    for i in range(n):
        if i > 4:
            break
    for i in qd.static(range(3)):
        if qd.static(i == 1):
            continue
        field[i, 0] = i
    for a, b in qd.static(zip(SIZES, (1.0, 2.0, 3.0))):
        y[a] = b
    old = qd.atomic_max(field[0, 1], 3)
    if qd.static(FLAG):
        for i in field:
            pass
    for i, j in field:
        field[i, j] = qd.random() + qd.cast(i, f32) * qd.sqrt(j)
    print("hello", old, n, f"{old:.3f} x {n}", sep=",")
# ---
# kernel scalars
# param 0 a i32
# param 1 b f32
# param 2 c u1
# param 3 d u8
# param 4 e f64
# result i32
# result f32
# result f32
#
# body {
#   %0 = arg i32 0
#   %1 = arg f32 1
#   %2 = cast f32 %0
#   %3 = add f32 %2, %1
#   %4 = alloca f32
#   store %4, %3
#   %6 = arg i32 0
#   %7 = cast f32 %6
#   %8 = const f32 2
#   %9 = div f32 %7, %8
#   %10 = alloca f32
#   store %10, %9
#   %12 = arg i32 0
#   %13 = const i32 3
#   %14 = floor_div i32 %12, %13
#   %15 = const i32 4
#   %16 = mod i32 %14, %15
#   %17 = alloca i32
#   store %17, %16
#   %19 = arg i32 0
#   %20 = const i32 2
#   %21 = pow i32 %19, %20
#   %22 = neg i32 %21
#   %23 = alloca i32
#   store %23, %22
#   %25 = arg u8 3
#   %26 = const u8 2
#   %27 = shl u8 %25, %26
#   %28 = alloca u8
#   store %28, %27
#   %30 = arg i32 0
#   %31 = bit_not i32 %30
#   %32 = const i32 255
#   %33 = bit_and i32 %31, %32
#   %34 = alloca i32
#   store %34, %33
#   %36 = arg f64 4
#   %37 = const f64 0.1
#   %38 = mul f64 %37, %36
#   %39 = alloca f64
#   store %39, %38
#   %41 = const i64 3000000000
#   %42 = alloca i64
#   store %42, %41
#   %44 = arg i32 0
#   %45 = const i32 3
#   %46 = gt u1 %44, %45
#   %47 = load f32 %4
#   %48 = load f32 %10
#   %49 = select f32 %46, %47, %48
#   %50 = alloca f32
#   store %50, %49
#   %52 = arg f32 1
#   %53 = const f32 0
#   %54 = ne u1 %52, %53
#   %55 = arg f32 1
#   %56 = const f32 1
#   %57 = div f32 %56, %55
#   %59 = cast f64 %57
#   %58 = arg f64 4
#   %60 = select f64 %54, %59, %58
#   %61 = alloca f64
#   store %61, %60
#   %63 = arg i32 0
#   %64 = const i32 0
#   %65 = lt u1 %64, %63
#   %66 = const i32 16
#   %67 = le u1 %63, %66
#   %68 = const u1 false
#   %69 = select u1 %65, %67, %68
#   %70 = arg u1 2
#   %71 = logical_not u1 %70
#   %72 = const u1 false
#   %73 = select u1 %69, %71, %72
#   %74 = alloca u1
#   store %74, %73
#   %76 = const f32 1
#   %77 = load f32 %4
#   %78 = add f32 %77, %76
#   store %4, %78
#   %80 = load f32 %4
#   %81 = const f32 2.5
#   %82 = mul f32 %80, %81
#   store %4, %82
#   %84 = arg i32 0
#   %85 = alloca i32
#   store %85, %84
#   %87 = const i32 1
#   %88 = load i32 %34
#   %89 = add i32 %88, %87
#   store %34, %89
#   %91 = load i32 %85
#   %92 = const i32 1
#   %93 = add i32 %91, %92
#   store %85, %93
#   %95 = load i32 %85
#   %96 = alloca i32
#   store %96, %95
#   %98 = load i32 %96
#   %99 = load i32 %34
#   %100 = alloca i32
#   store %100, %98
#   %102 = alloca i32
#   store %102, %99
#   %104 = load i32 %102
#   %105 = load i32 %100
#   store %100, %104
#   store %102, %105
#   %108 = arg i32 0
#   %109 = arg f32 1
#   %110 = cast f32 %108
#   %111 = max f32 %110, %109
#   %112 = const f32 3
#   %113 = max f32 %111, %112
#   %114 = alloca f32
#   store %114, %113
#   %116 = arg i32 0
#   %117 = neg i32 %116
#   %118 = abs i32 %117
#   %119 = arg f32 1
#   %120 = round f32 %119
#   %121 = cast f32 %118
#   %122 = add f32 %121, %120
#   %123 = arg f32 1
#   %124 = cast i32 %123
#   %125 = cast f32 %124
#   %126 = add f32 %122, %125
#   %127 = arg i32 0
#   %128 = const i32 2
#   %129 = pow i32 %127, %128
#   %130 = cast f32 %129
#   %131 = add f32 %126, %130
#   %132 = alloca f32
#   store %132, %131
#   %134 = load f32 %132
#   %135 = load f32 %4
#   %136 = alloca f32
#   store %136, %135
#   %138 = load f32 %136
#   %139 = const f32 0
#   %140 = lt u1 %138, %139
#   if %140 {
#     %142 = const f32 0
#     store %136, %142
#   } else {
#     %144 = load f32 %136
#     %145 = const f32 1
#     %146 = gt u1 %144, %145
#     if %146 {
#       %148 = const f32 1
#       store %136, %148
#     }
#   }
#   %150 = load f32 %136
#   %151 = load f64 %39
#   %152 = mul f64 %151, %151
#   %153 = cast f64 %150
#   %154 = add f64 %153, %152
#   %155 = load f32 %114
#   %156 = const f32 3.1415927
#   %157 = mul f32 %156, %155
#   %158 = cast i32 %134
#   %159 = cast f32 %154
#   return %158, %159, %157
# }
# warning: first_tour.py:55: an f32 is stored as i32: precision may be lost
# warning: first_tour.py:55: an f64 is stored as f32: precision may be lost
# kernel reduce
# array 0 x f32 rank 2 parameter
# result f32
# loop 0 parallel
# loop 1 parallel
#
# body {
#   %0 = const f32 0
#   %1 = alloca f32
#   store %1, %0
#   %3 = const i32 0
#   %4 = alloca i32
#   store %4, %3
#   %6 = shape i32 0 0
#   %7 = shape i32 0 1
#   %8 = const i32 0
#   %9 = const i32 0
#   %10 = for 0 [%8, %6) [%9, %7) {
#     %11 = loop_index i32 %10 0
#     %12 = loop_index i32 %10 1
#     %13 = element_ptr f32 0 [%11, %12]
#     %14 = load f32 %13
#     %15 = const f32 0.001
#     %16 = gt u1 %14, %15
#     if %16 {
#       %18 = loop_index i32 %10 0
#       %19 = loop_index i32 %10 1
#       %20 = element_ptr f32 0 [%18, %19]
#       %21 = load f32 %20
#       %22 = atomic add f32 %1, %21
#       %23 = const i32 1
#       %24 = atomic add i32 %4, %23
#     } else {
#       continue
#     }
#   }
#   %26 = shape i32 0 0
#   %27 = shape i32 0 1
#   %28 = const i32 1
#   %29 = sub i32 %27, %28
#   %30 = const i32 0
#   %31 = const i32 1
#   %32 = for 1 [%30, %26) [%31, %29) {
#     %33 = loop_index i32 %32 0
#     %34 = loop_index i32 %32 1
#     %35 = element_ptr f32 0 [%33, %34]
#     %36 = load f32 %35
#     %37 = atomic sub f32 %1, %36
#   }
#   %38 = load f32 %1
#   %39 = load i32 %4
#   %40 = cast f32 %39
#   %41 = div f32 %38, %40
#   return %41
# }
# kernel control
# param 0 n i32
# array 0 y i32 rank 1 parameter
# array 1 field f32 rank 2 field 7 shape [8, 4]
# loop 0 parallel
# loop 1 parallel
# loop 2 serial name ser
# loop 3 parallel
# loop 4 parallel
# format 0 "hello," {f32 ""} "," {i32 ""} "," {f32 ".3f"} " x " {i32 ""} "\x0a"
#
# body {
#   %0 = arg i32 0
#   %1 = const i32 0
#   %2 = for 0 [%1, %0) {
#     %3 = const i32 0
#     %4 = alloca i32
#     store %4, %3
#     loop {
#       %7 = load i32 %4
#       %8 = const i32 10
#       %9 = lt u1 %7, %8
#       %15 = alloca u1
#       store %15, %9
#       if %9 {
#         %10 = load i32 %4
#         %11 = element_ptr i32 0 [%10]
#         %12 = load i32 %11
#         %13 = const i32 0
#         %14 = ne u1 %12, %13
#         store %15, %14
#       }
#       %19 = load u1 %15
#       %20 = logical_not u1 %19
#       if %20 {
#         break
#       }
#       %23 = load i32 %4
#       %24 = element_ptr i32 0 [%23]
#       %25 = load i32 %24
#       %26 = const i32 3
#       %27 = eq u1 %25, %26
#       if %27 {
#         break
#       }
#       %30 = const i32 1
#       %31 = load i32 %4
#       %32 = add i32 %31, %30
#       store %4, %32
#       %34 = load i32 %4
#       %35 = const i32 5
#       %36 = eq u1 %34, %35
#       if %36 {
#         continue
#       }
#     }
#     %39 = load i32 %4
#     %40 = arg i32 0
#     %41 = for 1 [%39, %40) {
#       %42 = loop_index i32 %41 0
#       %43 = loop_index i32 %2 0
#       %44 = eq u1 %42, %43
#       if %44 {
#         break
#       }
#       %47 = loop_index i32 %41 0
#       %48 = loop_index i32 %41 0
#       %49 = element_ptr i32 0 [%48]
#       store %49, %47
#     }
#     loop {
#       %52 = const i32 1
#       %53 = load i32 %4
#       %54 = sub i32 %53, %52
#       store %4, %54
#       %56 = load i32 %4
#       %57 = const i32 0
#       %58 = lt u1 %56, %57
#       if %58 {
#         break
#       }
#     }
#   }
#   %61 = arg i32 0
#   %62 = const i32 0
#   %63 = for 2 [%62, %61) {
#     %64 = loop_index i32 %63 0
#     %65 = const i32 4
#     %66 = gt u1 %64, %65
#     if %66 {
#       break
#     }
#   }
#   %69 = const i32 0
#   %70 = const i32 0
#   %71 = element_ptr f32 1 [%69, %70]
#   %72 = const f32 0
#   store %71, %72
#   %74 = const i32 2
#   %75 = const i32 0
#   %76 = element_ptr f32 1 [%74, %75]
#   %77 = const f32 2
#   store %76, %77
#   %79 = const i32 2
#   %80 = element_ptr i32 0 [%79]
#   %81 = const i32 1
#   store %80, %81
#   %83 = const i32 3
#   %84 = element_ptr i32 0 [%83]
#   %85 = const i32 2
#   store %84, %85
#   %87 = const i32 4
#   %88 = element_ptr i32 0 [%87]
#   %89 = const i32 3
#   store %88, %89
#   %91 = const i32 0
#   %92 = const i32 1
#   %93 = element_ptr f32 1 [%91, %92]
#   %94 = const f32 3
#   %95 = atomic max f32 %93, %94
#   %96 = alloca f32
#   store %96, %95
#   %98 = const i32 0
#   %99 = const i32 8
#   %100 = const i32 0
#   %101 = const i32 4
#   %102 = for 3 [%98, %99) [%100, %101) {
#   }
#   %103 = const i32 0
#   %104 = const i32 8
#   %105 = const i32 0
#   %106 = const i32 4
#   %107 = for 4 [%103, %104) [%105, %106) {
#     %108 = random f32
#     %109 = loop_index i32 %107 0
#     %110 = cast f32 %109
#     %111 = loop_index i32 %107 1
#     %112 = cast f32 %111
#     %113 = sqrt f32 %112
#     %114 = mul f32 %110, %113
#     %115 = add f32 %108, %114
#     %116 = loop_index i32 %107 0
#     %117 = loop_index i32 %107 1
#     %118 = element_ptr f32 1 [%116, %117]
#     store %118, %115
#   }
#   %120 = load f32 %96
#   %121 = arg i32 0
#   %122 = load f32 %96
#   %123 = arg i32 0
#   print 0 %120, %121, %122, %123
# }
