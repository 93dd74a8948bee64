# options:
import qd


def scaled(x, by=2, kind="linear"):
    if kind == "square":
        return x * x
    return x * by


@qd.func
def twice(f, x):
    return f(f(x))


@qd.kernel
def plain(n: qd.i32) -> qd.i32:
    return scaled(n) + scaled(n, kind="square") + scaled(by=n, x=3) + twice(scaled, n)
# ---
# kernel plain
# param 0 n i32
# result i32
#
# body {
#   %0 = arg i32 0
#   %1 = const i32 2
#   %2 = mul i32 %0, %1
#   %3 = arg i32 0
#   %4 = mul i32 %3, %3
#   %5 = add i32 %2, %4
#   %6 = arg i32 0
#   %7 = const i32 3
#   %8 = mul i32 %7, %6
#   %9 = add i32 %5, %8
#   %10 = arg i32 0
#   %11 = const i32 2
#   %12 = mul i32 %10, %11
#   %13 = const i32 2
#   %14 = mul i32 %12, %13
#   %15 = add i32 %9, %14
#   return %15
# }
