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
# format 0 overflow "Power overflow detected: " {i32 ""} " ** " {i32 ""} " (i32)"
# format 1 overflow "Shift left overflow detected: " {u8 ""} " << " {u8 ""} " (u8)"
# format 2 overflow "Addition overflow detected: " {i32 ""} " + " {i32 ""} " (i32)"
# format 3 overflow "Addition overflow detected: " {i32 ""} " + " {i32 ""} " (i32)"
# format 4 overflow "Power overflow detected: " {i32 ""} " ** " {i32 ""} " (i32)"
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
#   %39 = const u1 true
#   %40 = const u8 0
#   %41 = select u8 %39, %38, %40
#   %42 = shl u8 %37, %41
#   %43 = shr u8 %42, %41
#   %44 = eq u1 %43, %37
#   warn 1 %44, %37, %38
#   %46 = shl u8 %37, %38
#   %47 = alloca u8
#   store %47, %46
#   %49 = arg i32 0
#   %50 = bit_not i32 %49
#   %51 = const i32 255
#   %52 = bit_and i32 %50, %51
#   %53 = alloca i32
#   store %53, %52
#   %55 = arg f64 4
#   %56 = const f64 0.1
#   %57 = mul f64 %56, %55
#   %58 = alloca f64
#   store %58, %57
#   %60 = const i64 3000000000
#   %61 = alloca i64
#   store %61, %60
#   %63 = arg i32 0
#   %64 = const i32 3
#   %65 = gt u1 %63, %64
#   %66 = load f32 %4
#   %67 = load f32 %10
#   %68 = select f32 %65, %66, %67
#   %69 = alloca f32
#   store %69, %68
#   %71 = arg f32 1
#   %72 = const f32 0
#   %73 = ne u1 %71, %72
#   %74 = arg f32 1
#   %75 = const f32 1
#   %76 = div f32 %75, %74
#   %78 = cast f64 %76
#   %77 = arg f64 4
#   %79 = select f64 %73, %78, %77
#   %80 = alloca f64
#   store %80, %79
#   %82 = arg i32 0
#   %83 = const i32 0
#   %84 = lt u1 %83, %82
#   %85 = const i32 16
#   %86 = le u1 %82, %85
#   %87 = const u1 false
#   %88 = select u1 %84, %86, %87
#   %89 = arg u1 2
#   %90 = logical_not u1 %89
#   %91 = const u1 false
#   %92 = select u1 %88, %90, %91
#   %93 = alloca u1
#   store %93, %92
#   %95 = const f32 1
#   %96 = load f32 %4
#   %97 = add f32 %96, %95
#   store %4, %97
#   %99 = load f32 %4
#   %100 = const f32 2.5
#   %101 = mul f32 %99, %100
#   store %4, %101
#   %103 = arg i32 0
#   %104 = alloca i32
#   store %104, %103
#   %106 = const i32 1
#   %107 = load i32 %53
#   %108 = add_overflows u1 %107, %106
#   %109 = logical_not u1 %108
#   warn 2 %109, %107, %106
#   %111 = add i32 %107, %106
#   store %53, %111
#   %113 = load i32 %104
#   %114 = const i32 1
#   %115 = add_overflows u1 %113, %114
#   %116 = logical_not u1 %115
#   warn 3 %116, %113, %114
#   %118 = add i32 %113, %114
#   store %104, %118
#   %120 = load i32 %104
#   %121 = alloca i32
#   store %121, %120
#   %123 = load i32 %121
#   %124 = load i32 %53
#   %125 = alloca i32
#   store %125, %123
#   %127 = alloca i32
#   store %127, %124
#   %129 = load i32 %127
#   %130 = load i32 %125
#   store %125, %129
#   store %127, %130
#   %133 = arg i32 0
#   %134 = arg f32 1
#   %135 = cast f32 %133
#   %136 = max f32 %135, %134
#   %137 = const f32 3
#   %138 = max f32 %136, %137
#   %139 = alloca f32
#   store %139, %138
#   %141 = arg i32 0
#   %142 = neg i32 %141
#   %143 = abs i32 %142
#   %144 = arg f32 1
#   %145 = round f32 %144
#   %146 = cast f32 %143
#   %147 = add f32 %146, %145
#   %148 = arg f32 1
#   %149 = cast i32 %148
#   %150 = cast f32 %149
#   %151 = add f32 %147, %150
#   %152 = arg i32 0
#   %153 = const i32 2
#   %154 = cast f64 %152
#   %155 = cast f64 %153
#   %156 = pow f64 %154, %155
#   %157 = const f64 -2147483648
#   %158 = ge u1 %156, %157
#   %159 = const f64 2147483648
#   %160 = lt u1 %156, %159
#   %161 = const i32 2
#   %162 = lt u1 %153, %161
#   %163 = bit_and u1 %158, %160
#   %164 = bit_or u1 %162, %163
#   warn 4 %164, %152, %153
#   %166 = pow i32 %152, %153
#   %167 = cast f32 %166
#   %168 = add f32 %151, %167
#   %169 = alloca f32
#   store %169, %168
#   %171 = load f32 %169
#   %172 = load f32 %4
#   %173 = alloca f32
#   store %173, %172
#   %175 = load f32 %173
#   %176 = const f32 0
#   %177 = lt u1 %175, %176
#   if %177 {
#     %179 = const f32 0
#     store %173, %179
#   } else {
#     %181 = load f32 %173
#     %182 = const f32 1
#     %183 = gt u1 %181, %182
#     if %183 {
#       %185 = const f32 1
#       store %173, %185
#     }
#   }
#   %187 = load f32 %173
#   %188 = load f64 %58
#   %189 = mul f64 %188, %188
#   %190 = cast f64 %187
#   %191 = add f64 %190, %189
#   %192 = load f32 %139
#   %193 = const f32 3.1415927
#   %194 = mul f32 %193, %192
#   %195 = cast i32 %171
#   %196 = cast f32 %191
#   return %195, %196, %194
# }
# warning: first_tour.py:55: an f32 is stored as i32: precision may be lost
# warning: first_tour.py:55: an f64 is stored as f32: precision may be lost
# kernel reduce
# array 0 x f32 rank 2 parameter
# result f32
# loop 0 parallel
# loop 1 parallel
# format 0 overflow "Addition overflow detected: " {i32 ""} " + " {i32 ""} " (i32)\x0aat i=" {i32 ""} ", j=" {i32 ""} ""
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
#       %27 = loop_index i32 %10 0
#       %28 = loop_index i32 %10 1
#       warn 0 %26, %24, %23, %27, %28
#     } else {
#       continue
#     }
#   }
#   %31 = shape i32 0 0
#   %32 = shape i32 0 1
#   %33 = const i32 1
#   %34 = sub i32 %32, %33
#   %35 = const i32 0
#   %36 = const i32 1
#   %37 = for 1 [%35, %31) [%36, %34) {
#     %38 = loop_index i32 %37 0
#     %39 = loop_index i32 %37 1
#     %40 = element_ptr f32 0 [%38, %39]
#     %41 = load f32 %40
#     %42 = atomic sub f32 %1, %41
#   }
#   %43 = load f32 %1
#   %44 = load i32 %4
#   %45 = cast f32 %44
#   %46 = div f32 %43, %45
#   return %46
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
# format 0 overflow "Addition overflow detected: " {i32 ""} " + " {i32 ""} " (i32)\x0aat i=" {i32 ""} ""
# format 1 overflow "Subtraction overflow detected: " {i32 ""} " - " {i32 ""} " (i32)\x0aat i=" {i32 ""} ""
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
#       %34 = loop_index i32 %2 0
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
#       %60 = loop_index i32 %2 0
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
