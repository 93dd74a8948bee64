# options:
import qd

TABLE = [1, 2, 3]
PAIRS = ((1, 2.5), (3, 4.5))
MODE = "fast"


@qd.kernel
def statics(a: qd.types.ndarray(qd.i32, 1), field: qd.template(), count: qd.template(), none_arg: qd.template()):
    for i in qd.static(TABLE):
        a[i] = i
    for i, (x, y) in qd.static(enumerate(PAIRS)):
        a[i] = x + y
    for i, j in qd.static(qd.ndrange(2, (1, 3))):
        field[i, j] = i * j
    for f, k in qd.static(zip((a, field.shape), range(2))):
        a[k] = len(field.shape)
    for i in qd.static(range(10)):
        if qd.static(i > 2):
            break
        a[i] = 1
    if qd.static(none_arg is None and count == 3):
        a[0] = count
    if none_arg is not None:
        none_arg[0] = 1
    c = qd.static(count * 2 + len(TABLE))
    a[c] = qd.static(max(TABLE)) if qd.static(MODE != "fast") else 2
    for i in (range(3) if qd.static(count > 2) else range(4)):
        a[i] = i
    qd.static_assert(count == 3, "three")
    x = 0
    for i in qd.static(range(2)):
        x = x + i
        y = x
        x += y
# ---
# kernel statics
# array 0 a i32 rank 1 parameter
# array 1 field f32 rank 2 field 7 shape [8, 4]
# loop 0 parallel
#
# body {
#   %0 = const i32 1
#   %1 = element_ptr i32 0 [%0]
#   %2 = const i32 1
#   store %1, %2
#   %4 = const i32 2
#   %5 = element_ptr i32 0 [%4]
#   %6 = const i32 2
#   store %5, %6
#   %8 = const i32 3
#   %9 = element_ptr i32 0 [%8]
#   %10 = const i32 3
#   store %9, %10
#   %12 = const i32 0
#   %13 = element_ptr i32 0 [%12]
#   %14 = const i32 3
#   store %13, %14
#   %16 = const i32 1
#   %17 = element_ptr i32 0 [%16]
#   %18 = const i32 7
#   store %17, %18
#   %20 = const i32 0
#   %21 = const i32 1
#   %22 = element_ptr f32 1 [%20, %21]
#   %23 = const f32 0
#   store %22, %23
#   %25 = const i32 0
#   %26 = const i32 2
#   %27 = element_ptr f32 1 [%25, %26]
#   %28 = const f32 0
#   store %27, %28
#   %30 = const i32 1
#   %31 = const i32 1
#   %32 = element_ptr f32 1 [%30, %31]
#   %33 = const f32 1
#   store %32, %33
#   %35 = const i32 1
#   %36 = const i32 2
#   %37 = element_ptr f32 1 [%35, %36]
#   %38 = const f32 2
#   store %37, %38
#   %40 = const i32 0
#   %41 = element_ptr i32 0 [%40]
#   %42 = const i32 2
#   store %41, %42
#   %44 = const i32 1
#   %45 = element_ptr i32 0 [%44]
#   %46 = const i32 2
#   store %45, %46
#   %48 = const i32 0
#   %49 = element_ptr i32 0 [%48]
#   %50 = const i32 1
#   store %49, %50
#   %52 = const i32 1
#   %53 = element_ptr i32 0 [%52]
#   %54 = const i32 1
#   store %53, %54
#   %56 = const i32 2
#   %57 = element_ptr i32 0 [%56]
#   %58 = const i32 1
#   store %57, %58
#   %60 = const i32 0
#   %61 = element_ptr i32 0 [%60]
#   %62 = const i32 3
#   store %61, %62
#   %64 = const i32 9
#   %65 = element_ptr i32 0 [%64]
#   %66 = const i32 2
#   store %65, %66
#   %68 = const i32 0
#   %69 = const i32 3
#   %70 = for 0 [%68, %69) {
#     %71 = loop_index i32 %70 0
#     %72 = loop_index i32 %70 0
#     %73 = element_ptr i32 0 [%72]
#     store %73, %71
#   }
#   %75 = const i32 0
#   %76 = alloca i32
#   store %76, %75
#   %78 = load i32 %76
#   %79 = const i32 0
#   %80 = add i32 %78, %79
#   store %76, %80
#   %82 = load i32 %76
#   %83 = alloca i32
#   store %83, %82
#   %85 = load i32 %83
#   %86 = load i32 %76
#   %87 = add i32 %86, %85
#   store %76, %87
#   %89 = load i32 %76
#   %90 = const i32 1
#   %91 = add i32 %89, %90
#   store %76, %91
#   %93 = load i32 %76
#   store %83, %93
#   %95 = load i32 %83
#   %96 = load i32 %76
#   %97 = add i32 %96, %95
#   store %76, %97
# }
# warning: static.py:14: an f32 is stored as i32: precision may be lost
