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
# format 0 whole "[kernel=indices] Out of bound access to ndarray at arg 1 with indices [" {i64 ""} ", " {i64 ""} "]\x0ax has size (" {i32 ""} ", " {i32 ""} ")\x0atid=" {i64 ""} "\x0achecks.py:14 in indices"
# format 1 whole "[kernel=indices] Out of bound access to ndarray at arg 1 with indices [" {i32 ""} ", " {i64 ""} "]\x0ax has size (" {i32 ""} ", " {i32 ""} ")\x0atid=" {i64 ""} "\x0achecks.py:16 in indices"
# format 2 whole "[kernel=indices] Out of bound access to ndarray at arg 1 with indices [" {i64 ""} ", " {i64 ""} "]\x0ax has size (" {i32 ""} ", " {i32 ""} ")\x0atid=" {i64 ""} "\x0achecks.py:8 in element\x0achecks.py:17 in indices"
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
#     %24 = const i32 8
#     %25 = const i32 4
#     %26 = element_ptr f32 1 [%22, %23]
#     store %26, %21
#   }
#   %28 = shape i32 0 0
#   %29 = const i32 0
#   %30 = for 1 [%29, %28) {
#     %31 = const i32 7
#     %32 = const i32 3
#     %33 = const i32 8
#     %34 = const i32 4
#     %35 = element_ptr f32 1 [%31, %32]
#     %36 = load f32 %35
#     %37 = loop_index i32 %30 0
#     %38 = arg i32 0
#     %39 = shape i32 0 0
#     %40 = shape i32 0 1
#     %41 = cast i64 %38
#     %42 = cast u64 %41
#     %43 = cast u64 %40
#     %44 = lt u1 %42, %43
#     %45 = iteration i64
#     assert 1 %44, %37, %41, %39, %40, %45
#     %47 = element_ptr f32 0 [%37, %41]
#     store %47, %36
#     %49 = loop_index i32 %30 0
#     %50 = const i32 1
#     %51 = add i32 %49, %50
#     %52 = const i32 0
#     %53 = shape i32 0 0
#     %54 = cast i64 %51
#     %55 = cast u64 %54
#     %56 = cast u64 %53
#     %57 = lt u1 %55, %56
#     %58 = shape i32 0 1
#     %59 = cast i64 %52
#     %60 = cast u64 %59
#     %61 = cast u64 %58
#     %62 = lt u1 %60, %61
#     %63 = bit_and u1 %57, %62
#     %64 = iteration i64
#     assert 2 %63, %54, %59, %53, %58, %64
#     %66 = element_ptr f32 0 [%54, %59]
#     %67 = load f32 %66
#   }
# }
# kernel integers
# param 0 n i32
# array 0 x i32 rank 1 parameter
# loop 0 parallel
# format 0 "Integer division by zero: " {i32 ""} " // " {i32 ""} " (i32)\x0atid=" {i64 ""} ""
# format 1 "Shift by more bits than there are: " {i32 ""} " << " {i32 ""} " (i32)\x0atid=" {i64 ""} ""
# format 2 "Integer overflow: " {i32 ""} " + " {i32 ""} " (i32)\x0atid=" {i64 ""} ""
# format 3 "Integer overflow: " {i32 ""} " * " {i32 ""} " (i32)\x0atid=" {i64 ""} ""
# format 4 "Integer overflow: " {i32 ""} " + " {i32 ""} " (i32)\x0atid=" {i64 ""} ""
#
# body {
#   %0 = shape i32 0 0
#   %1 = const i32 0
#   %2 = for 0 [%1, %0) {
#     %3 = loop_index i32 %2 0
#     %4 = shape i32 0 0
#     %5 = element_ptr i32 0 [%3]
#     %6 = load i32 %5
#     %7 = arg i32 0
#     %8 = const i32 0
#     %9 = ne u1 %7, %8
#     %10 = iteration i64
#     assert 0 %9, %6, %7, %10
#     %12 = floor_div i32 %6, %7
#     %13 = loop_index i32 %2 0
#     %14 = shape i32 0 0
#     %15 = element_ptr i32 0 [%13]
#     %16 = load i32 %15
#     %17 = arg i32 0
#     %18 = const i32 32
#     %19 = lt u1 %17, %18
#     %20 = const i32 0
#     %21 = ge u1 %17, %20
#     %22 = bit_and u1 %19, %21
#     %23 = iteration i64
#     warn 1 %22, %16, %17, %23
#     %25 = shl i32 %16, %17
#     %26 = add_overflows u1 %12, %25
#     %27 = logical_not u1 %26
#     %28 = iteration i64
#     warn 2 %27, %12, %25, %28
#     %30 = add i32 %12, %25
#     %31 = loop_index i32 %2 0
#     %32 = shape i32 0 0
#     %33 = element_ptr i32 0 [%31]
#     store %33, %30
#     %35 = loop_index i32 %2 0
#     %36 = const i32 1
#     %37 = add i32 %35, %36
#     %38 = const i32 2
#     %39 = floor_div i32 %37, %38
#     %40 = loop_index i32 %2 0
#     %41 = const i32 3
#     %42 = shr i32 %40, %41
#     %43 = const i32 2
#     %44 = mul_overflows u1 %43, %42
#     %45 = logical_not u1 %44
#     %46 = iteration i64
#     warn 3 %45, %43, %42, %46
#     %48 = mul i32 %43, %42
#     %49 = add_overflows u1 %39, %48
#     %50 = logical_not u1 %49
#     %51 = iteration i64
#     warn 4 %50, %39, %48, %51
#     %53 = add i32 %39, %48
#     %54 = loop_index i32 %2 0
#     %55 = shape i32 0 0
#     %56 = element_ptr i32 0 [%54]
#     store %56, %53
#   }
# }
