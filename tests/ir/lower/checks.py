# options: debug bounds
# Debug mode: what is checked, and what is surely right and is not.
import qd


@qd.func
def element(x, i):
    return x[i, 0]


@qd.kernel
def indices(field_a: qd.template(), x: qd.types.ndarray(dtype=qd.f32, ndim=2), n: int):
    for i, j in field_a:
        field_a[i, j] = x[i, j]
    for i in range(x.shape[0]):
        x[i, n] = field_a[7, 3]
        element(x, i + 1)


@qd.kernel
def integers(x: qd.types.ndarray(dtype=qd.i32, ndim=1), n: int):
    for i in x:
        x[i] = x[i] // n + (x[i] << n)
        x[i] = (i + 1) // 2 + 2 * (i >> 3)
# ---
# kernel indices
# param 0 n i32
# array 0 x f32 rank 2 parameter
# array 1 field_a f32 rank 2 field 7 shape [8, 4]
# loop 0 parallel
# loop 1 parallel
# format 0 bounds "[kernel=indices] Out of bound access to ndarray at arg 1 with indices [" {i64 ""} ", " {i64 ""} "]\x0ax has size (" {i32 ""} ", " {i32 ""} ")\x0atid=" {i64 ""} ""
# format 1 bounds "[kernel=indices] Out of bound access to ndarray at arg 1 with indices [" {i32 ""} ", " {i64 ""} "]\x0ax has size (" {i32 ""} ", " {i32 ""} ")\x0atid=" {i64 ""} ""
# format 2 bounds "[kernel=indices] Out of bound access to ndarray at arg 1 with indices [" {i64 ""} ", " {i64 ""} "]\x0ax has size (" {i32 ""} ", " {i32 ""} ")\x0atid=" {i64 ""} ""
#
# body {
#   %0 = const i32 0
#   %1 = const i32 8
#   %2 = const i32 0
#   %3 = const i32 4
#   %4 = for 0 [%0, %1) [%2, %3) {
#     %5 = loop_index i32 %4 0
#     %6 = loop_index i32 %4 1
#     %7 = shape i32 0 0
#     %8 = cast i64 %5
#     %9 = cast u64 %8
#     %10 = cast u64 %7
#     %11 = lt u1 %9, %10
#     %12 = shape i32 0 1
#     %13 = cast i64 %6
#     %14 = cast u64 %13
#     %15 = cast u64 %12
#     %16 = lt u1 %14, %15
#     %17 = bit_and u1 %11, %16
#     %18 = iteration i64
#     assert 0 %17, %8, %13, %7, %12, %18
#     %20 = element_ptr f32 0 [%8, %13]
#     %21 = load f32 %20
#     %22 = loop_index i32 %4 0
#     %23 = loop_index i32 %4 1
#     %24 = element_ptr f32 1 [%22, %23]
#     store %24, %21
#   }
#   %26 = shape i32 0 0
#   %27 = const i32 0
#   %28 = for 1 [%27, %26) {
#     %29 = const i32 7
#     %30 = const i32 3
#     %31 = element_ptr f32 1 [%29, %30]
#     %32 = load f32 %31
#     %33 = loop_index i32 %28 0
#     %34 = arg i32 0
#     %35 = shape i32 0 0
#     %36 = shape i32 0 1
#     %37 = cast i64 %34
#     %38 = cast u64 %37
#     %39 = cast u64 %36
#     %40 = lt u1 %38, %39
#     %41 = iteration i64
#     assert 1 %40, %33, %37, %35, %36, %41
#     %43 = element_ptr f32 0 [%33, %37]
#     store %43, %32
#     %45 = loop_index i32 %28 0
#     %46 = const i32 1
#     %47 = add i32 %45, %46
#     %48 = const i32 0
#     %49 = shape i32 0 0
#     %50 = cast i64 %47
#     %51 = cast u64 %50
#     %52 = cast u64 %49
#     %53 = lt u1 %51, %52
#     %54 = shape i32 0 1
#     %55 = cast i64 %48
#     %56 = cast u64 %55
#     %57 = cast u64 %54
#     %58 = lt u1 %56, %57
#     %59 = bit_and u1 %53, %58
#     %60 = iteration i64
#     assert 2 %59, %50, %55, %49, %54, %60
#     %62 = element_ptr f32 0 [%50, %55]
#     %63 = load f32 %62
#   }
# }
# kernel integers
# param 0 n i32
# array 0 x i32 rank 1 parameter
# loop 0 parallel
# format 0 "Integer division by zero: " {i32 ""} " // " {i32 ""} " (i32)\x0atid=" {i64 ""} ""
# format 1 overflow "Division overflow detected: " {i32 ""} " // " {i32 ""} " (i32)\x0atid=" {i64 ""} ""
# format 2 shift "Shift by more bits than there are: " {i32 ""} " << " {i32 ""} " (i32)\x0atid=" {i64 ""} ""
# format 3 overflow "Shift left overflow detected: " {i32 ""} " << " {i32 ""} " (i32)\x0atid=" {i64 ""} ""
# format 4 overflow "Addition overflow detected: " {i32 ""} " + " {i32 ""} " (i32)\x0atid=" {i64 ""} ""
# format 5 overflow "Multiplication overflow detected: " {i32 ""} " * " {i32 ""} " (i32)\x0atid=" {i64 ""} ""
# format 6 overflow "Addition overflow detected: " {i32 ""} " + " {i32 ""} " (i32)\x0atid=" {i64 ""} ""
#
# body {
#   %0 = shape i32 0 0
#   %1 = const i32 0
#   %2 = for 0 [%1, %0) {
#     %3 = loop_index i32 %2 0
#     %4 = element_ptr i32 0 [%3]
#     %5 = load i32 %4
#     %6 = arg i32 0
#     %7 = const i32 0
#     %8 = ne u1 %6, %7
#     %9 = iteration i64
#     assert 0 %8, %5, %6, %9
#     %11 = const i32 -2147483648
#     %12 = ne u1 %5, %11
#     %13 = const i32 -1
#     %14 = ne u1 %6, %13
#     %15 = bit_or u1 %12, %14
#     %16 = iteration i64
#     warn 1 %15, %5, %6, %16
#     %18 = floor_div i32 %5, %6
#     %19 = loop_index i32 %2 0
#     %20 = element_ptr i32 0 [%19]
#     %21 = load i32 %20
#     %22 = arg i32 0
#     %23 = const i32 32
#     %24 = lt u1 %22, %23
#     %25 = const i32 0
#     %26 = ge u1 %22, %25
#     %27 = bit_and u1 %24, %26
#     %28 = iteration i64
#     warn 2 %27, %21, %22, %28
#     %30 = const i32 0
#     %31 = select i32 %27, %22, %30
#     %32 = shl i32 %21, %31
#     %33 = shr i32 %32, %31
#     %34 = eq u1 %33, %21
#     %35 = iteration i64
#     warn 3 %34, %21, %22, %35
#     %37 = shl i32 %21, %22
#     %38 = add_overflows u1 %18, %37
#     %39 = logical_not u1 %38
#     %40 = iteration i64
#     warn 4 %39, %18, %37, %40
#     %42 = add i32 %18, %37
#     %43 = loop_index i32 %2 0
#     %44 = element_ptr i32 0 [%43]
#     store %44, %42
#     %46 = loop_index i32 %2 0
#     %47 = const i32 1
#     %48 = add i32 %46, %47
#     %49 = const i32 2
#     %50 = floor_div i32 %48, %49
#     %51 = loop_index i32 %2 0
#     %52 = const i32 3
#     %53 = const u1 true
#     %54 = shr i32 %51, %52
#     %55 = const i32 2
#     %56 = mul_overflows u1 %55, %54
#     %57 = logical_not u1 %56
#     %58 = iteration i64
#     warn 5 %57, %55, %54, %58
#     %60 = mul i32 %55, %54
#     %61 = add_overflows u1 %50, %60
#     %62 = logical_not u1 %61
#     %63 = iteration i64
#     warn 6 %62, %50, %60, %63
#     %65 = add i32 %50, %60
#     %66 = loop_index i32 %2 0
#     %67 = element_ptr i32 0 [%66]
#     store %67, %65
#   }
# }
