# options:
import qd


@qd.kernel
def literals(x: qd.types.ndarray(qd.u64, 1)):
    x[0] = qd.u64(0x9E37_79B9_7F4A_7C15)
    x[1] = qd.u64(18446744073709551615)
    x[2] = qd.u64(0b1)
    x[3] = 0xFFFFFFFF
    a = -2147483648
    b = 2147483648
    c = 1e10
    d: qd.f64 = 1e-300
    e = -1.5e3
    f: qd.i64 = 1 << 4
    g = True
    h = 1_000
# ---
# kernel literals
# array 0 x u64 rank 1 parameter
#
# body {
#   %0 = const u64 11400714819323198485
#   %1 = const i32 0
#   %2 = element_ptr u64 0 [%1]
#   store %2, %0
#   %4 = const u64 18446744073709551615
#   %5 = const i32 1
#   %6 = element_ptr u64 0 [%5]
#   store %6, %4
#   %8 = const u64 1
#   %9 = const i32 2
#   %10 = element_ptr u64 0 [%9]
#   store %10, %8
#   %12 = const i32 3
#   %13 = element_ptr u64 0 [%12]
#   %14 = const u64 4294967295
#   store %13, %14
#   %16 = const i32 -2147483648
#   %17 = alloca i32
#   store %17, %16
#   %19 = const i64 2147483648
#   %20 = alloca i64
#   store %20, %19
#   %22 = const f32 10000000000
#   %23 = alloca f32
#   store %23, %22
#   %25 = const f64 1e-300
#   %26 = alloca f64
#   store %26, %25
#   %28 = const f32 -1500
#   %29 = alloca f32
#   store %29, %28
#   %31 = const i64 16
#   %32 = alloca i64
#   store %32, %31
#   %34 = const u1 true
#   %35 = alloca u1
#   store %35, %34
#   %37 = const i32 1000
#   %38 = alloca i32
#   store %38, %37
# }
