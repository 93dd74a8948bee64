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
#   %12 = const f32 1
#   %13 = const f32 2.5
#   %14 = add f32 %12, %13
#   %15 = const i32 0
#   %16 = element_ptr i32 0 [%15]
#   %17 = cast i32 %14
#   store %16, %17
#   %19 = const f32 3
#   %20 = const f32 4.5
#   %21 = add f32 %19, %20
#   %22 = const i32 1
#   %23 = element_ptr i32 0 [%22]
#   %24 = cast i32 %21
#   store %23, %24
#   %26 = const i32 0
#   %27 = const i32 1
#   %28 = mul i32 %26, %27
#   %29 = const i32 0
#   %30 = const i32 1
#   %31 = element_ptr f32 1 [%29, %30]
#   %32 = cast f32 %28
#   store %31, %32
#   %34 = const i32 0
#   %35 = const i32 2
#   %36 = mul i32 %34, %35
#   %37 = const i32 0
#   %38 = const i32 2
#   %39 = element_ptr f32 1 [%37, %38]
#   %40 = cast f32 %36
#   store %39, %40
#   %42 = const i32 1
#   %43 = const i32 1
#   %44 = mul i32 %42, %43
#   %45 = const i32 1
#   %46 = const i32 1
#   %47 = element_ptr f32 1 [%45, %46]
#   %48 = cast f32 %44
#   store %47, %48
#   %50 = const i32 1
#   %51 = const i32 2
#   %52 = mul i32 %50, %51
#   %53 = const i32 1
#   %54 = const i32 2
#   %55 = element_ptr f32 1 [%53, %54]
#   %56 = cast f32 %52
#   store %55, %56
#   %58 = const i32 0
#   %59 = element_ptr i32 0 [%58]
#   %60 = const i32 2
#   store %59, %60
#   %62 = const i32 1
#   %63 = element_ptr i32 0 [%62]
#   %64 = const i32 2
#   store %63, %64
#   %66 = const i32 0
#   %67 = element_ptr i32 0 [%66]
#   %68 = const i32 1
#   store %67, %68
#   %70 = const i32 1
#   %71 = element_ptr i32 0 [%70]
#   %72 = const i32 1
#   store %71, %72
#   %74 = const i32 2
#   %75 = element_ptr i32 0 [%74]
#   %76 = const i32 1
#   store %75, %76
#   %78 = const i32 0
#   %79 = element_ptr i32 0 [%78]
#   %80 = const i32 3
#   store %79, %80
#   %82 = const i32 9
#   %83 = element_ptr i32 0 [%82]
#   %84 = const i32 2
#   store %83, %84
#   %86 = const i32 0
#   %87 = const i32 3
#   %88 = for 0 [%86, %87) {
#     %89 = loop_index i32 %88 0
#     %90 = loop_index i32 %88 0
#     %91 = element_ptr i32 0 [%90]
#     store %91, %89
#   }
#   %93 = const i32 0
#   %94 = alloca i32
#   store %94, %93
#   %96 = load i32 %94
#   %97 = const i32 0
#   %98 = add i32 %96, %97
#   store %94, %98
#   %100 = load i32 %94
#   %101 = alloca i32
#   store %101, %100
#   %103 = load i32 %101
#   %104 = load i32 %94
#   %105 = add i32 %104, %103
#   store %94, %105
#   %107 = load i32 %94
#   %108 = const i32 1
#   %109 = add i32 %107, %108
#   store %94, %109
#   %111 = load i32 %94
#   store %101, %111
#   %113 = load i32 %101
#   %114 = load i32 %94
#   %115 = add i32 %114, %113
#   store %94, %115
# }
# warning: static.py:14: an f32 is stored as i32: precision may be lost
