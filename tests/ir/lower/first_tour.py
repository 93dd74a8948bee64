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
# format 0 overflow "Integer overflow: " {i32 ""} " ** " {i32 ""} " (i32)\x0atid=0"
# format 1 overflow "Integer overflow: " {i32 ""} " + " {i32 ""} " (i32)\x0atid=0"
# format 2 overflow "Integer overflow: " {i32 ""} " + " {i32 ""} " (i32)\x0atid=0"
# format 3 overflow "Integer overflow: " {i32 ""} " ** " {i32 ""} " (i32)\x0atid=0"
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
#   %21 = cast f64 %19
#   %22 = cast f64 %20
#   %23 = pow f64 %21, %22
#   %24 = const f64 -2147483648
#   %25 = ge u1 %23, %24
#   %26 = const f64 2147483648
#   %27 = lt u1 %23, %26
#   %28 = const i32 2
#   %29 = lt u1 %20, %28
#   %30 = bit_and u1 %25, %27
#   %31 = bit_or u1 %29, %30
#   warn 0 %31, %19, %20
#   %33 = pow i32 %19, %20
#   %34 = neg i32 %33
#   %35 = alloca i32
#   store %35, %34
#   %37 = arg u8 3
#   %38 = const u8 2
#   %39 = shl u8 %37, %38
#   %40 = alloca u8
#   store %40, %39
#   %42 = arg i32 0
#   %43 = bit_not i32 %42
#   %44 = const i32 255
#   %45 = bit_and i32 %43, %44
#   %46 = alloca i32
#   store %46, %45
#   %48 = arg f64 4
#   %49 = const f64 0.1
#   %50 = mul f64 %49, %48
#   %51 = alloca f64
#   store %51, %50
#   %53 = const i64 3000000000
#   %54 = alloca i64
#   store %54, %53
#   %56 = arg i32 0
#   %57 = const i32 3
#   %58 = gt u1 %56, %57
#   %59 = load f32 %4
#   %60 = load f32 %10
#   %61 = select f32 %58, %59, %60
#   %62 = alloca f32
#   store %62, %61
#   %64 = arg f32 1
#   %65 = const f32 0
#   %66 = ne u1 %64, %65
#   %67 = arg f32 1
#   %68 = const f32 1
#   %69 = div f32 %68, %67
#   %71 = cast f64 %69
#   %70 = arg f64 4
#   %72 = select f64 %66, %71, %70
#   %73 = alloca f64
#   store %73, %72
#   %75 = arg i32 0
#   %76 = const i32 0
#   %77 = lt u1 %76, %75
#   %78 = const i32 16
#   %79 = le u1 %75, %78
#   %80 = const u1 false
#   %81 = select u1 %77, %79, %80
#   %82 = arg u1 2
#   %83 = logical_not u1 %82
#   %84 = const u1 false
#   %85 = select u1 %81, %83, %84
#   %86 = alloca u1
#   store %86, %85
#   %88 = const f32 1
#   %89 = load f32 %4
#   %90 = add f32 %89, %88
#   store %4, %90
#   %92 = load f32 %4
#   %93 = const f32 2.5
#   %94 = mul f32 %92, %93
#   store %4, %94
#   %96 = arg i32 0
#   %97 = alloca i32
#   store %97, %96
#   %99 = const i32 1
#   %100 = load i32 %46
#   %101 = add_overflows u1 %100, %99
#   %102 = logical_not u1 %101
#   warn 1 %102, %100, %99
#   %104 = add i32 %100, %99
#   store %46, %104
#   %106 = load i32 %97
#   %107 = const i32 1
#   %108 = add_overflows u1 %106, %107
#   %109 = logical_not u1 %108
#   warn 2 %109, %106, %107
#   %111 = add i32 %106, %107
#   store %97, %111
#   %113 = load i32 %97
#   %114 = alloca i32
#   store %114, %113
#   %116 = load i32 %114
#   %117 = load i32 %46
#   %118 = alloca i32
#   store %118, %116
#   %120 = alloca i32
#   store %120, %117
#   %122 = load i32 %120
#   %123 = load i32 %118
#   store %118, %122
#   store %120, %123
#   %126 = arg i32 0
#   %127 = arg f32 1
#   %128 = cast f32 %126
#   %129 = max f32 %128, %127
#   %130 = const f32 3
#   %131 = max f32 %129, %130
#   %132 = alloca f32
#   store %132, %131
#   %134 = arg i32 0
#   %135 = neg i32 %134
#   %136 = abs i32 %135
#   %137 = arg f32 1
#   %138 = round f32 %137
#   %139 = cast f32 %136
#   %140 = add f32 %139, %138
#   %141 = arg f32 1
#   %142 = cast i32 %141
#   %143 = cast f32 %142
#   %144 = add f32 %140, %143
#   %145 = arg i32 0
#   %146 = const i32 2
#   %147 = cast f64 %145
#   %148 = cast f64 %146
#   %149 = pow f64 %147, %148
#   %150 = const f64 -2147483648
#   %151 = ge u1 %149, %150
#   %152 = const f64 2147483648
#   %153 = lt u1 %149, %152
#   %154 = const i32 2
#   %155 = lt u1 %146, %154
#   %156 = bit_and u1 %151, %153
#   %157 = bit_or u1 %155, %156
#   warn 3 %157, %145, %146
#   %159 = pow i32 %145, %146
#   %160 = cast f32 %159
#   %161 = add f32 %144, %160
#   %162 = alloca f32
#   store %162, %161
#   %164 = load f32 %162
#   %165 = load f32 %4
#   %166 = alloca f32
#   store %166, %165
#   %168 = load f32 %166
#   %169 = const f32 0
#   %170 = lt u1 %168, %169
#   if %170 {
#     %172 = const f32 0
#     store %166, %172
#   } else {
#     %174 = load f32 %166
#     %175 = const f32 1
#     %176 = gt u1 %174, %175
#     if %176 {
#       %178 = const f32 1
#       store %166, %178
#     }
#   }
#   %180 = load f32 %166
#   %181 = load f64 %51
#   %182 = mul f64 %181, %181
#   %183 = cast f64 %180
#   %184 = add f64 %183, %182
#   %185 = load f32 %132
#   %186 = const f32 3.1415927
#   %187 = mul f32 %186, %185
#   %188 = cast i32 %164
#   %189 = cast f32 %184
#   return %188, %189, %187
# }
# warning: first_tour.py:55: an f32 is stored as i32: precision may be lost
# warning: first_tour.py:55: an f64 is stored as f32: precision may be lost
# kernel reduce
# array 0 x f32 rank 2 parameter
# result f32
# loop 0 parallel
# loop 1 parallel
# format 0 overflow "Integer overflow: " {i32 ""} " + " {i32 ""} " (i32)\x0atid=" {i64 ""} ""
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
#       %25 = add_overflows u1 %24, %23
#       %26 = logical_not u1 %25
#       %27 = iteration i64
#       warn 0 %26, %24, %23, %27
#     } else {
#       continue
#     }
#   }
#   %30 = shape i32 0 0
#   %31 = shape i32 0 1
#   %32 = const i32 1
#   %33 = sub i32 %31, %32
#   %34 = const i32 0
#   %35 = const i32 1
#   %36 = for 1 [%34, %30) [%35, %33) {
#     %37 = loop_index i32 %36 0
#     %38 = loop_index i32 %36 1
#     %39 = element_ptr f32 0 [%37, %38]
#     %40 = load f32 %39
#     %41 = atomic sub f32 %1, %40
#   }
#   %42 = load f32 %1
#   %43 = load i32 %4
#   %44 = cast f32 %43
#   %45 = div f32 %42, %44
#   return %45
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
# format 0 overflow "Integer overflow: " {i32 ""} " + " {i32 ""} " (i32)\x0atid=" {i64 ""} ""
# format 1 overflow "Integer overflow: " {i32 ""} " - " {i32 ""} " (i32)\x0atid=" {i64 ""} ""
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
