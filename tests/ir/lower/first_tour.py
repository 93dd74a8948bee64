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
# format 0 "Integer overflow: " {i32 ""} " + " {i32 ""} " (i32)\x0atid=0"
# format 1 "Integer overflow: " {i32 ""} " + " {i32 ""} " (i32)\x0atid=0"
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
#   %89 = add_overflows u1 %88, %87
#   %90 = logical_not u1 %89
#   warn 0 %90, %88, %87
#   %92 = add i32 %88, %87
#   store %34, %92
#   %94 = load i32 %85
#   %95 = const i32 1
#   %96 = add_overflows u1 %94, %95
#   %97 = logical_not u1 %96
#   warn 1 %97, %94, %95
#   %99 = add i32 %94, %95
#   store %85, %99
#   %101 = load i32 %85
#   %102 = alloca i32
#   store %102, %101
#   %104 = load i32 %102
#   %105 = load i32 %34
#   %106 = alloca i32
#   store %106, %104
#   %108 = alloca i32
#   store %108, %105
#   %110 = load i32 %108
#   %111 = load i32 %106
#   store %106, %110
#   store %108, %111
#   %114 = arg i32 0
#   %115 = arg f32 1
#   %116 = cast f32 %114
#   %117 = max f32 %116, %115
#   %118 = const f32 3
#   %119 = max f32 %117, %118
#   %120 = alloca f32
#   store %120, %119
#   %122 = arg i32 0
#   %123 = neg i32 %122
#   %124 = abs i32 %123
#   %125 = arg f32 1
#   %126 = round f32 %125
#   %127 = cast f32 %124
#   %128 = add f32 %127, %126
#   %129 = arg f32 1
#   %130 = cast i32 %129
#   %131 = cast f32 %130
#   %132 = add f32 %128, %131
#   %133 = arg i32 0
#   %134 = const i32 2
#   %135 = pow i32 %133, %134
#   %136 = cast f32 %135
#   %137 = add f32 %132, %136
#   %138 = alloca f32
#   store %138, %137
#   %140 = load f32 %138
#   %141 = load f32 %4
#   %142 = alloca f32
#   store %142, %141
#   %144 = load f32 %142
#   %145 = const f32 0
#   %146 = lt u1 %144, %145
#   if %146 {
#     %148 = const f32 0
#     store %142, %148
#   } else {
#     %150 = load f32 %142
#     %151 = const f32 1
#     %152 = gt u1 %150, %151
#     if %152 {
#       %154 = const f32 1
#       store %142, %154
#     }
#   }
#   %156 = load f32 %142
#   %157 = load f64 %39
#   %158 = mul f64 %157, %157
#   %159 = cast f64 %156
#   %160 = add f64 %159, %158
#   %161 = load f32 %120
#   %162 = const f32 3.1415927
#   %163 = mul f32 %162, %161
#   %164 = cast i32 %140
#   %165 = cast f32 %160
#   return %164, %165, %163
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
# format 0 "Integer overflow: " {i32 ""} " + " {i32 ""} " (i32)\x0atid=" {i64 ""} ""
# format 1 "Integer overflow: " {i32 ""} " - " {i32 ""} " (i32)\x0atid=" {i64 ""} ""
# format 2 "hello," {f32 ""} "," {i32 ""} "," {f32 ".3f"} " x " {i32 ""} "\x0a"
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
#       %32 = add_overflows u1 %31, %30
#       %33 = logical_not u1 %32
#       %34 = iteration i64
#       warn 0 %33, %31, %30, %34
#       %36 = add i32 %31, %30
#       store %4, %36
#       %38 = load i32 %4
#       %39 = const i32 5
#       %40 = eq u1 %38, %39
#       if %40 {
#         continue
#       }
#     }
#     %43 = load i32 %4
#     %44 = arg i32 0
#     %45 = for 1 [%43, %44) {
#       %46 = loop_index i32 %45 0
#       %47 = loop_index i32 %2 0
#       %48 = eq u1 %46, %47
#       if %48 {
#         break
#       }
#       %51 = loop_index i32 %45 0
#       %52 = loop_index i32 %45 0
#       %53 = element_ptr i32 0 [%52]
#       store %53, %51
#     }
#     loop {
#       %56 = const i32 1
#       %57 = load i32 %4
#       %58 = sub_overflows u1 %57, %56
#       %59 = logical_not u1 %58
#       %60 = iteration i64
#       warn 1 %59, %57, %56, %60
#       %62 = sub i32 %57, %56
#       store %4, %62
#       %64 = load i32 %4
#       %65 = const i32 0
#       %66 = lt u1 %64, %65
#       if %66 {
#         break
#       }
#     }
#   }
#   %69 = arg i32 0
#   %70 = const i32 0
#   %71 = for 2 [%70, %69) {
#     %72 = loop_index i32 %71 0
#     %73 = const i32 4
#     %74 = gt u1 %72, %73
#     if %74 {
#       break
#     }
#   }
#   %77 = const i32 0
#   %78 = const i32 0
#   %79 = element_ptr f32 1 [%77, %78]
#   %80 = const f32 0
#   store %79, %80
#   %82 = const i32 2
#   %83 = const i32 0
#   %84 = element_ptr f32 1 [%82, %83]
#   %85 = const f32 2
#   store %84, %85
#   %87 = const i32 2
#   %88 = element_ptr i32 0 [%87]
#   %89 = const i32 1
#   store %88, %89
#   %91 = const i32 3
#   %92 = element_ptr i32 0 [%91]
#   %93 = const i32 2
#   store %92, %93
#   %95 = const i32 4
#   %96 = element_ptr i32 0 [%95]
#   %97 = const i32 3
#   store %96, %97
#   %99 = const i32 0
#   %100 = const i32 1
#   %101 = element_ptr f32 1 [%99, %100]
#   %102 = const f32 3
#   %103 = atomic max f32 %101, %102
#   %104 = alloca f32
#   store %104, %103
#   %106 = const i32 0
#   %107 = const i32 8
#   %108 = const i32 0
#   %109 = const i32 4
#   %110 = for 3 [%106, %107) [%108, %109) {
#   }
#   %111 = const i32 0
#   %112 = const i32 8
#   %113 = const i32 0
#   %114 = const i32 4
#   %115 = for 4 [%111, %112) [%113, %114) {
#     %116 = random f32
#     %117 = loop_index i32 %115 0
#     %118 = cast f32 %117
#     %119 = loop_index i32 %115 1
#     %120 = cast f32 %119
#     %121 = sqrt f32 %120
#     %122 = mul f32 %118, %121
#     %123 = add f32 %116, %122
#     %124 = loop_index i32 %115 0
#     %125 = loop_index i32 %115 1
#     %126 = element_ptr f32 1 [%124, %125]
#     store %126, %123
#   }
#   %128 = load f32 %104
#   %129 = arg i32 0
#   %130 = load f32 %104
#   %131 = arg i32 0
#   print 2 %128, %129, %130, %131
# }
