# options: debug
import qd

MODE = "fast"


@qd.kernel
def text(n: qd.i32, f: qd.f32, x: qd.types.ndarray(qd.f32, 1)):
    print(n, f)
    print("n =", n, end="")
    print(f"{n:>5d} {f:.2f} {MODE} {1 + 2} {{}} {f!r}", "%d and %5.1f%% %s" % (n, f, n))
    print("{} {}".format(n, f), "{1} {0:x} {{".format(n, f))
    print((n, (1, f)), True, None, 2.0)
    print()
    assert n > 0
    assert n > 1, "message"
    assert f > 1, f"f is {f}"
    assert f > 2, f"x is {x[n]}"
    assert f > 3, "%d of %d" % (n, 3)
# ---
# kernel text
# param 0 n i32
# param 1 f f32
# array 0 x f32 rank 1 parameter
# format 0 "" {i32 ""} " " {f32 ""} "\x0a"
# format 1 "n = " {i32 ""} ""
# format 2 "" {i32 ">5d"} " " {f32 ".2f"} " fast " {i32 ""} " {} " {f32 ""} " " {i32 "d"} " and " {f32 "5.1f"} "% " {i32 ""} "\x0a"
# format 3 "" {i32 ""} " " {f32 ""} " " {f32 ""} " " {i32 "x"} " {\x0a"
# format 4 "(" {i32 ""} ", (1, " {f32 ""} ")) True None 2.0\x0a"
# format 5 "\x0a"
# format 6 "assertion failed\x0atid=0"
# format 7 "message\x0atid=0"
# format 8 "f is " {f32 ""} "\x0atid=0"
# format 9 "x is " {f32 ""} "\x0atid=0"
# format 10 "" {i32 "d"} " of " {i32 "d"} "\x0atid=0"
#
# body {
#   %0 = arg i32 0
#   %1 = arg f32 1
#   print 0 %0, %1
#   %3 = arg i32 0
#   print 1 %3
#   %5 = arg i32 0
#   %6 = arg f32 1
#   %7 = const i32 1
#   %8 = const i32 2
#   %9 = add i32 %7, %8
#   %10 = arg f32 1
#   %11 = arg i32 0
#   %12 = arg f32 1
#   %13 = arg i32 0
#   print 2 %5, %6, %9, %10, %11, %12, %13
#   %15 = arg i32 0
#   %16 = arg f32 1
#   %17 = arg i32 0
#   %18 = arg f32 1
#   print 3 %15, %16, %18, %17
#   %20 = arg i32 0
#   %21 = arg f32 1
#   print 4 %20, %21
#   print 5
#   %24 = arg i32 0
#   %25 = const i32 0
#   %26 = gt u1 %24, %25
#   assert 6 %26
#   %28 = arg i32 0
#   %29 = const i32 1
#   %30 = gt u1 %28, %29
#   assert 7 %30
#   %32 = arg f32 1
#   %33 = const f32 1
#   %34 = gt u1 %32, %33
#   %35 = arg f32 1
#   assert 8 %34, %35
#   %37 = arg f32 1
#   %38 = const f32 2
#   %39 = gt u1 %37, %38
#   %45 = logical_not u1 %39
#   if %45 {
#     %40 = arg i32 0
#     %41 = element_ptr f32 0 [%40]
#     %42 = load f32 %41
#     %43 = const u1 false
#     assert 9 %43, %42
#   }
#   %47 = arg f32 1
#   %48 = const f32 3
#   %49 = gt u1 %47, %48
#   %50 = arg i32 0
#   %51 = const i32 3
#   assert 10 %49, %50, %51
# }
