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
# format 0 bounds "[kernel=indices] Out of bound access to ndarray at arg 1 with indices [" {i64 ""} ", " {i64 ""} "]\x0ax has size (" {i32 ""} ", " {i32 ""} "): out of bounds\x0aat i=" {i32 ""} ", j=" {i32 ""} ""
# format 1 bounds "[kernel=indices] Out of bound access to ndarray at arg 1 with indices [" {i32 ""} ", " {i64 ""} "]\x0ax has size (" {i32 ""} ", " {i32 ""} "): out of bounds\x0aat i=" {i32 ""} ""
# format 2 bounds "[kernel=indices] Out of bound access to ndarray at arg 1 with indices [" {i64 ""} ", " {i64 ""} "]\x0ax has size (" {i32 ""} ", " {i32 ""} "): out of bounds\x0aat i=" {i32 ""} ""
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
#     %18 = loop_index i32 %4 0
#     %19 = loop_index i32 %4 1
#     assert 0 %17, %8, %13, %7, %12, %18, %19
#     %21 = element_ptr f32 0 [%8, %13]
#     %22 = load f32 %21
#     %23 = loop_index i32 %4 0
#     %24 = loop_index i32 %4 1
#     %25 = element_ptr f32 1 [%23, %24]
#     store %25, %22
#   }
#   %27 = shape i32 0 0
#   %28 = const i32 0
#   %29 = for 1 [%28, %27) {
#     %30 = const i32 7
#     %31 = const i32 3
#     %32 = element_ptr f32 1 [%30, %31]
#     %33 = load f32 %32
#     %34 = loop_index i32 %29 0
#     %35 = arg i32 0
#     %36 = shape i32 0 0
#     %37 = shape i32 0 1
#     %38 = cast i64 %35
#     %39 = cast u64 %38
#     %40 = cast u64 %37
#     %41 = lt u1 %39, %40
#     %42 = loop_index i32 %29 0
#     assert 1 %41, %34, %38, %36, %37, %42
#     %44 = element_ptr f32 0 [%34, %38]
#     store %44, %33
#     %46 = loop_index i32 %29 0
#     %47 = const i32 1
#     %48 = add i32 %46, %47
#     %49 = const i32 0
#     %50 = shape i32 0 0
#     %51 = cast i64 %48
#     %52 = cast u64 %51
#     %53 = cast u64 %50
#     %54 = lt u1 %52, %53
#     %55 = shape i32 0 1
#     %56 = cast i64 %49
#     %57 = cast u64 %56
#     %58 = cast u64 %55
#     %59 = lt u1 %57, %58
#     %60 = bit_and u1 %54, %59
#     %61 = loop_index i32 %29 0
#     assert 2 %60, %51, %56, %50, %55, %61
#     %63 = element_ptr f32 0 [%51, %56]
#     %64 = load f32 %63
#   }
# }
# kernel integers
# param 0 n i32
# array 0 x i32 rank 1 parameter
# loop 0 parallel
# format 0 "Integer division by zero: " {i32 ""} " // " {i32 ""} " (i32)\x0aat i=" {i32 ""} ""
# format 1 overflow "Division overflow detected: " {i32 ""} " // " {i32 ""} " (i32)\x0aat i=" {i32 ""} ""
# format 2 shift "Shift by more bits than there are: " {i32 ""} " << " {i32 ""} " (i32)\x0aat i=" {i32 ""} ""
# format 3 overflow "Shift left overflow detected: " {i32 ""} " << " {i32 ""} " (i32)\x0aat i=" {i32 ""} ""
# format 4 overflow "Addition overflow detected: " {i32 ""} " + " {i32 ""} " (i32)\x0aat i=" {i32 ""} ""
# format 5 overflow "Multiplication overflow detected: " {i32 ""} " * " {i32 ""} " (i32)\x0aat i=" {i32 ""} ""
# format 6 overflow "Addition overflow detected: " {i32 ""} " + " {i32 ""} " (i32)\x0aat i=" {i32 ""} ""
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
#     %9 = loop_index i32 %2 0
#     assert 0 %8, %5, %6, %9
#     %11 = const i32 -2147483648
#     %12 = ne u1 %5, %11
#     %13 = const i32 -1
#     %14 = ne u1 %6, %13
#     %15 = bit_or u1 %12, %14
#     %16 = loop_index i32 %2 0
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
#     %28 = loop_index i32 %2 0
#     warn 2 %27, %21, %22, %28
#     %30 = const i32 0
#     %31 = select i32 %27, %22, %30
#     %32 = shl i32 %21, %31
#     %33 = shr i32 %32, %31
#     %34 = eq u1 %33, %21
#     %35 = loop_index i32 %2 0
#     warn 3 %34, %21, %22, %35
#     %37 = shl i32 %21, %22
#     %38 = add_overflows u1 %18, %37
#     %39 = logical_not u1 %38
#     %40 = loop_index i32 %2 0
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
#     %58 = loop_index i32 %2 0
#     warn 5 %57, %55, %54, %58
#     %60 = mul i32 %55, %54
#     %61 = add_overflows u1 %50, %60
#     %62 = logical_not u1 %61
#     %63 = loop_index i32 %2 0
#     warn 6 %62, %50, %60, %63
#     %65 = add i32 %50, %60
#     %66 = loop_index i32 %2 0
#     %67 = element_ptr i32 0 [%66]
#     store %67, %65
#   }
# }
