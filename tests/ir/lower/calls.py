# options:
import qd

MODE = "fast"


@qd.func
def pair(x, y=2):
    return x + y, x * y


@qd.func
def add_to(a: qd.types.ndarray(qd.i32, 1), i: qd.i32, v=1) -> qd.i32:
    a[i] += v
    return a[i]


@qd.func
def apply(f: qd.template(), x: qd.f32):
    return f(x)


@qd.func
def twice(x):
    return 2 * x


@qd.func
def pick(x, mode):
    r = 0.0
    if qd.static(mode == "fast"):
        r = x
    else:
        r = x * x
    return r


@qd.func
def loop_inside(a):
    for i in range(a.shape[0]):
        a[i] = i


@qd.kernel
def calls(n: qd.i32, a: qd.types.ndarray(qd.i32, 1), field: qd.template()) -> (qd.i32, qd.f32):
    s, p = pair(n)
    q = pair(y=n, x=3)
    z = add_to(a, q[0], v=q[1])
    w = apply(twice, n) + pick(n, MODE)
    loop_inside(a)
    args = (n, 1)
    k, _ = pair(*args)
    return s + p + z + k, w
# ---
# kernel calls
# param 0 n i32
# array 0 a i32 rank 1 parameter
# result i32
# result f32
# loop 0 parallel
#
# body {
#   %0 = arg i32 0
#   %1 = const i32 2
#   %2 = add i32 %0, %1
#   %3 = const i32 2
#   %4 = mul i32 %0, %3
#   %5 = alloca i32
#   store %5, %2
#   %7 = alloca i32
#   store %7, %4
#   %9 = arg i32 0
#   %10 = const i32 3
#   %11 = add i32 %10, %9
#   %12 = const i32 3
#   %13 = mul i32 %12, %9
#   %14 = element_ptr i32 0 [%11]
#   %15 = atomic add i32 %14, %13
#   %16 = element_ptr i32 0 [%11]
#   %17 = load i32 %16
#   %18 = alloca i32
#   store %18, %17
#   %20 = arg i32 0
#   %21 = cast f32 %20
#   %22 = const f32 2
#   %23 = mul f32 %22, %21
#   %24 = arg i32 0
#   %25 = const f32 0
#   %26 = alloca f32
#   store %26, %25
#   %28 = cast f32 %24
#   store %26, %28
#   %30 = load f32 %26
#   %31 = add f32 %23, %30
#   %32 = alloca f32
#   store %32, %31
#   %34 = shape i32 0 0
#   %35 = const i32 0
#   %36 = for 0 [%35, %34) {
#     %37 = loop_index i32 %36 0
#     %38 = loop_index i32 %36 0
#     %39 = element_ptr i32 0 [%38]
#     store %39, %37
#   }
#   %41 = arg i32 0
#   %42 = const i32 1
#   %43 = add i32 %41, %42
#   %44 = const i32 1
#   %45 = mul i32 %41, %44
#   %46 = alloca i32
#   store %46, %43
#   %48 = alloca i32
#   store %48, %45
#   %50 = load i32 %5
#   %51 = load i32 %7
#   %52 = add i32 %50, %51
#   %53 = load i32 %18
#   %54 = add i32 %52, %53
#   %55 = load i32 %46
#   %56 = add i32 %54, %55
#   %57 = load f32 %32
#   return %56, %57
# }
