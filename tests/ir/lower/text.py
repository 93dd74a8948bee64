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
# format 2 "" {i32 ">5d"} " " {f32 ".2f"} " fast 3 {} " {f32 ""} " " {i32 "d"} " and " {f32 "5.1f"} "% " {i32 ""} "\x0a"
# format 3 "" {i32 ""} " " {f32 ""} " " {f32 ""} " " {i32 "x"} " {\x0a"
# format 4 "(" {i32 ""} ", (1, " {f32 ""} ")) True None 2.0\x0a"
# format 5 "\x0a"
# format 6 "assertion failed"
# format 7 "message"
# format 8 "f is " {f32 ""} ""
# format 9 "x is " {f32 ""} ""
# format 10 "" {i32 "d"} " of " {i32 "d"} ""
#
# body {
#   %0 = arg i32 0
#   %1 = arg f32 1
#   print 0 %0, %1
#   %3 = arg i32 0
#   print 1 %3
#   %5 = arg i32 0
#   %6 = arg f32 1
#   %7 = arg f32 1
#   %8 = arg i32 0
#   %9 = arg f32 1
#   %10 = arg i32 0
#   print 2 %5, %6, %7, %8, %9, %10
#   %12 = arg i32 0
#   %13 = arg f32 1
#   %14 = arg i32 0
#   %15 = arg f32 1
#   print 3 %12, %13, %15, %14
#   %17 = arg i32 0
#   %18 = arg f32 1
#   print 4 %17, %18
#   print 5
#   %21 = arg i32 0
#   %22 = const i32 0
#   %23 = gt u1 %21, %22
#   assert 6 %23
#   %25 = arg i32 0
#   %26 = const i32 1
#   %27 = gt u1 %25, %26
#   assert 7 %27
#   %29 = arg f32 1
#   %30 = const f32 1
#   %31 = gt u1 %29, %30
#   %32 = arg f32 1
#   assert 8 %31, %32
#   %34 = arg f32 1
#   %35 = const f32 2
#   %36 = gt u1 %34, %35
#   %42 = logical_not u1 %36
#   if %42 {
#     %37 = arg i32 0
#     %38 = element_ptr f32 0 [%37]
#     %39 = load f32 %38
#     %40 = const u1 false
#     assert 9 %40, %39
#   }
#   %44 = arg f32 1
#   %45 = const f32 3
#   %46 = gt u1 %44, %45
#   %47 = arg i32 0
#   %48 = const i32 3
#   assert 10 %46, %47, %48
# }
