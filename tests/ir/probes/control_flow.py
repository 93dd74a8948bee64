# options: probes
import qd

FLAG = True


@qd.func
def sign(x):
    """Line 9 is no statement."""
    s = 0
    if x > 0: s = 1
    elif x < 0:
        s = -1
    return s


@qd.kernel
def branches(
    n: qd.i32,
    x: qd.types.ndarray(qd.f32, 1),
):
    """No statement either."""
    "but this one is"
    if n > 1:
        x[0] = (
            n
            + 1
        )
    elif n < -1:
        pass
    else: x[1] = 2
    if n: x[2] = sign(n); x[3] = 1
    if (n > 3
            and n < 5):
        x[4] = 1
    if True:
        x[5] = 1
    if n > 6:
        x[6] = 1
        if n > 7:
            x[7] = 1


@qd.kernel
def loops(n: qd.i32, x: qd.types.ndarray(qd.f32, 1)):
    for i in range(n):
        for j in range(i):
            if j > 3:
                break
            x[j] += 1
        for j in range(i): x[j] = 2
        for j in range(i):
            if j == 2: continue
            if j == 3: break
        k = i
        while k > 0:
            k -= 1
            if k == 5:
                continue
        while k < 9: k += 1
        while True:
            k -= 1
            if k < 0: break
    qd.loop_config(serialize=True)
    for i in range(n):
        if x[i] > 0:
            break
    for s in qd.static(range(2)):
        if qd.static(s == 1):
            x[s] = s
        x[s] += 1
    if qd.static(FLAG):
        x[9] = 1
    else:
        x[9] = 2


@qd.kernel
def ends(n: qd.i32) -> qd.i32:
    r = sign(n) + sign(n + 1)
    r = sign(n) if n > 3 else 2
    if n > 2:
        r = 1
    return r
# ---
# kernel branches
# param 0 n i32
# array 0 x f32 rank 1 parameter
# variant 0 "x=i32"
# probe 0 function 0 -17 -> 23
# probe 1 function 0 -17 -> 24
# probe 2 function 0 24 -> 25
# probe 3 function 0 -17 -> 25
# probe 4 function 0 24 -> 29
# probe 5 function 0 -17 -> 29
# probe 6 function 0 29 -> 30
# probe 7 function 0 -17 -> 30
# probe 8 function 0 29 -> 31
# probe 9 function 0 -17 -> 31
# probe 10 function 0 -17 -> 32
# probe 11 function 1 -7 -> 10 variant 0
# probe 12 function 1 -7 -> 11 variant 0
# probe 13 function 1 11 -> 14 variant 0
# probe 14 function 1 11 -> 12 variant 0
# probe 15 function 1 -7 -> 12 variant 0
# probe 16 function 1 12 -> 13 variant 0
# probe 17 function 1 -7 -> 13 variant 0
# probe 18 function 1 12 -> 14 variant 0
# probe 19 function 1 -7 -> 14 variant 0
# probe 20 function 0 32 -> 33
# probe 21 function 0 -17 -> 33
# probe 22 function 0 33 -> 35
# probe 23 function 0 -17 -> 35
# probe 24 function 0 33 -> 36
# probe 25 function 0 -17 -> 36
# probe 26 function 0 -17 -> 37
# probe 27 function 0 -17 -> 38
# probe 28 function 0 38 -> 39
# probe 29 function 0 -17 -> 39
# probe 30 function 0 -17 -> 40
# probe 31 function 0 40 -> 41
# probe 32 function 0 -17 -> 41
# probe 33 function 0 40 -> -17
# probe 34 function 0 38 -> -17
#
# body {
#   probe 0
#   probe 1
#   %2 = arg i32 0
#   %3 = const i32 1
#   %4 = gt u1 %2, %3
#   if %4 {
#     probe 2
#     probe 3
#     %8 = arg i32 0
#     %9 = const i32 1
#     %10 = add i32 %8, %9
#     %11 = const i32 0
#     %12 = element_ptr f32 0 [%11]
#     %13 = cast f32 %10
#     store %12, %13
#   } else {
#     probe 4
#     probe 5
#     %17 = arg i32 0
#     %18 = const i32 -1
#     %19 = lt u1 %17, %18
#     if %19 {
#       probe 6
#       probe 7
#     } else {
#       probe 8
#       probe 9
#       %25 = const i32 1
#       %26 = element_ptr f32 0 [%25]
#       %27 = const f32 2
#       store %26, %27
#     }
#   }
#   probe 10
#   %30 = arg i32 0
#   %31 = cast u1 %30
#   if %31 {
#     %33 = arg i32 0
#     probe 11
#     %35 = const i32 0
#     %36 = alloca i32
#     store %36, %35
#     probe 12
#     %39 = const i32 0
#     %40 = gt u1 %33, %39
#     if %40 {
#       %42 = const i32 1
#       store %36, %42
#       probe 13
#     } else {
#       probe 14
#       probe 15
#       %47 = const i32 0
#       %48 = lt u1 %33, %47
#       if %48 {
#         probe 16
#         probe 17
#         %52 = const i32 -1
#         store %36, %52
#       } else {
#         probe 18
#       }
#     }
#     probe 19
#     %56 = load i32 %36
#     %57 = const i32 2
#     %58 = element_ptr f32 0 [%57]
#     %59 = cast f32 %56
#     store %58, %59
#     probe 10
#     %62 = const i32 3
#     %63 = element_ptr f32 0 [%62]
#     %64 = const f32 1
#     store %63, %64
#     probe 20
#   } else {
#     probe 20
#   }
#   probe 21
#   %69 = arg i32 0
#   %70 = const i32 3
#   %71 = gt u1 %69, %70
#   %72 = arg i32 0
#   %73 = const i32 5
#   %74 = lt u1 %72, %73
#   %75 = const u1 false
#   %76 = select u1 %71, %74, %75
#   if %76 {
#     probe 22
#     probe 23
#     %80 = const i32 4
#     %81 = element_ptr f32 0 [%80]
#     %82 = const f32 1
#     store %81, %82
#   } else {
#     probe 24
#   }
#   probe 25
#   %86 = const u1 true
#   if %86 {
#     probe 26
#     %89 = const i32 5
#     %90 = element_ptr f32 0 [%89]
#     %91 = const f32 1
#     store %90, %91
#   }
#   probe 27
#   %94 = arg i32 0
#   %95 = const i32 6
#   %96 = gt u1 %94, %95
#   if %96 {
#     probe 28
#     probe 29
#     %100 = const i32 6
#     %101 = element_ptr f32 0 [%100]
#     %102 = const f32 1
#     store %101, %102
#     probe 30
#     %105 = arg i32 0
#     %106 = const i32 7
#     %107 = gt u1 %105, %106
#     if %107 {
#       probe 31
#       probe 32
#       %111 = const i32 7
#       %112 = element_ptr f32 0 [%111]
#       %113 = const f32 1
#       store %112, %113
#     } else {
#       probe 33
#     }
#   } else {
#     probe 34
#   }
# }
# kernel loops
# param 0 n i32
# array 0 x f32 rank 1 parameter
# loop 0 parallel
# loop 1 parallel
# loop 2 parallel
# loop 3 parallel
# loop 4 serial
# probe 0 function 0 -44 -> 46
# probe 1 function 0 46 -> 47
# probe 2 function 0 -44 -> 47
# probe 3 function 0 47 -> 48
# probe 4 function 0 -44 -> 48
# probe 5 function 0 48 -> 49
# probe 6 function 0 -44 -> 49
# probe 7 function 0 48 -> 50
# probe 8 function 0 -44 -> 50
# probe 9 function 0 47 -> 51
# probe 10 function 0 -44 -> 51
# probe 11 function 0 51 -> 52
# probe 12 function 0 -44 -> 52
# probe 13 function 0 52 -> 53
# probe 14 function 0 -44 -> 53
# probe 15 function 0 53 -> 52
# probe 16 function 0 53 -> 54
# probe 17 function 0 -44 -> 54
# probe 18 function 0 54 -> 55
# probe 19 function 0 54 -> 52
# probe 20 function 0 52 -> 55
# probe 21 function 0 -44 -> 55
# probe 22 function 0 -44 -> 56
# probe 23 function 0 56 -> 60
# probe 24 function 0 56 -> 57
# probe 25 function 0 -44 -> 57
# probe 26 function 0 -44 -> 58
# probe 27 function 0 58 -> 59
# probe 28 function 0 -44 -> 59
# probe 29 function 0 58 -> 56
# probe 30 function 0 -44 -> 60
# probe 31 function 0 60 -> 61
# probe 32 function 0 -44 -> 61
# probe 33 function 0 -44 -> 62
# probe 34 function 0 -44 -> 63
# probe 35 function 0 63 -> 46
# probe 36 function 0 63 -> 61
# probe 37 function 0 46 -> 64
# probe 38 function 0 -44 -> 64
# probe 39 function 0 -44 -> 65
# probe 40 function 0 65 -> 66
# probe 41 function 0 -44 -> 66
# probe 42 function 0 66 -> 67
# probe 43 function 0 -44 -> 67
# probe 44 function 0 66 -> 65
# probe 45 function 0 65 -> 68
# probe 46 function 0 -44 -> 68
# probe 47 function 0 68 -> 69
# probe 48 function 0 -44 -> 69
# probe 49 function 0 69 -> 71
# probe 50 function 0 -44 -> 71
# probe 51 function 0 69 -> 70
# probe 52 function 0 -44 -> 70
# probe 53 function 0 68 -> 72
# probe 54 function 0 -44 -> 72
# probe 55 function 0 72 -> 73
# probe 56 function 0 -44 -> 73
#
# body {
#   probe 0
#   %1 = arg i32 0
#   %2 = const i32 0
#   %3 = for 0 [%2, %1) {
#     probe 1
#     probe 2
#     %6 = loop_index i32 %3 0
#     %7 = const i32 0
#     %8 = for 1 [%7, %6) {
#       probe 3
#       probe 4
#       %11 = loop_index i32 %8 0
#       %12 = const i32 3
#       %13 = gt u1 %11, %12
#       if %13 {
#         probe 5
#         probe 6
#         break
#       } else {
#         probe 7
#       }
#       probe 8
#       %20 = loop_index i32 %8 0
#       %21 = element_ptr f32 0 [%20]
#       %22 = const f32 1
#       %23 = atomic add f32 %21, %22
#     } exhausted {
#       probe 9
#     }
#     probe 10
#     %26 = loop_index i32 %3 0
#     %27 = const i32 0
#     %28 = for 2 [%27, %26) {
#       %29 = loop_index i32 %28 0
#       %30 = element_ptr f32 0 [%29]
#       %31 = const f32 2
#       store %30, %31
#     }
#     probe 11
#     probe 12
#     %35 = loop_index i32 %3 0
#     %36 = const i32 0
#     %37 = for 3 [%36, %35) {
#       probe 13
#       probe 14
#       %40 = loop_index i32 %37 0
#       %41 = const i32 2
#       %42 = eq u1 %40, %41
#       if %42 {
#         probe 15
#         continue
#       } else {
#         probe 16
#       }
#       probe 17
#       %48 = loop_index i32 %37 0
#       %49 = const i32 3
#       %50 = eq u1 %48, %49
#       if %50 {
#         probe 18
#         break
#       } else {
#         probe 19
#       }
#     } exhausted {
#       probe 20
#     }
#     probe 21
#     %57 = loop_index i32 %3 0
#     %58 = alloca i32
#     store %58, %57
#     probe 22
#     loop {
#       %62 = load i32 %58
#       %63 = const i32 0
#       %64 = gt u1 %62, %63
#       %65 = logical_not u1 %64
#       if %65 {
#         probe 23
#         break
#       }
#       probe 24
#       probe 25
#       %71 = const i32 1
#       %72 = load i32 %58
#       %73 = sub i32 %72, %71
#       store %58, %73
#       probe 26
#       %76 = load i32 %58
#       %77 = const i32 5
#       %78 = eq u1 %76, %77
#       if %78 {
#         probe 27
#         probe 28
#         continue
#       } else {
#         probe 29
#       }
#     }
#     probe 30
#     loop {
#       %86 = load i32 %58
#       %87 = const i32 9
#       %88 = lt u1 %86, %87
#       %89 = logical_not u1 %88
#       if %89 {
#         probe 31
#         break
#       }
#       %93 = const i32 1
#       %94 = load i32 %58
#       %95 = add i32 %94, %93
#       store %58, %95
#     }
#     probe 32
#     loop {
#       probe 33
#       %100 = const i32 1
#       %101 = load i32 %58
#       %102 = sub i32 %101, %100
#       store %58, %102
#       probe 34
#       %105 = load i32 %58
#       %106 = const i32 0
#       %107 = lt u1 %105, %106
#       if %107 {
#         probe 35
#         break
#       } else {
#         probe 36
#       }
#     }
#   }
#   probe 37
#   probe 38
#   probe 39
#   %115 = arg i32 0
#   %116 = const i32 0
#   %117 = for 4 [%116, %115) {
#     probe 40
#     probe 41
#     %120 = loop_index i32 %117 0
#     %121 = element_ptr f32 0 [%120]
#     %122 = load f32 %121
#     %123 = const f32 0
#     %124 = gt u1 %122, %123
#     if %124 {
#       probe 42
#       probe 43
#       break
#     } else {
#       probe 44
#     }
#   } exhausted {
#     probe 45
#   }
#   probe 46
#   probe 47
#   probe 48
#   probe 49
#   probe 50
#   %136 = const i32 0
#   %137 = element_ptr f32 0 [%136]
#   %138 = const f32 1
#   %139 = atomic add f32 %137, %138
#   probe 47
#   probe 48
#   probe 51
#   probe 52
#   %144 = const i32 1
#   %145 = element_ptr f32 0 [%144]
#   %146 = const f32 1
#   store %145, %146
#   probe 50
#   %149 = const i32 1
#   %150 = element_ptr f32 0 [%149]
#   %151 = const f32 1
#   %152 = atomic add f32 %150, %151
#   probe 53
#   probe 54
#   probe 55
#   probe 56
#   %157 = const i32 9
#   %158 = element_ptr f32 0 [%157]
#   %159 = const f32 1
#   store %158, %159
# }
# kernel ends
# param 0 n i32
# result i32
# variant 0 "x=i32"
# probe 0 function 0 -78 -> 80
# probe 1 function 1 -7 -> 10 variant 0
# probe 2 function 1 -7 -> 11 variant 0
# probe 3 function 1 11 -> 14 variant 0
# probe 4 function 1 11 -> 12 variant 0
# probe 5 function 1 -7 -> 12 variant 0
# probe 6 function 1 12 -> 13 variant 0
# probe 7 function 1 -7 -> 13 variant 0
# probe 8 function 1 12 -> 14 variant 0
# probe 9 function 1 -7 -> 14 variant 0
# probe 10 function 0 -78 -> 81
# probe 11 function 0 -78 -> 82
# probe 12 function 0 82 -> 83
# probe 13 function 0 -78 -> 83
# probe 14 function 0 82 -> 84
# probe 15 function 0 -78 -> 84
#
# body {
#   probe 0
#   %1 = arg i32 0
#   probe 1
#   %3 = const i32 0
#   %4 = alloca i32
#   store %4, %3
#   probe 2
#   %7 = const i32 0
#   %8 = gt u1 %1, %7
#   if %8 {
#     %10 = const i32 1
#     store %4, %10
#     probe 3
#   } else {
#     probe 4
#     probe 5
#     %15 = const i32 0
#     %16 = lt u1 %1, %15
#     if %16 {
#       probe 6
#       probe 7
#       %20 = const i32 -1
#       store %4, %20
#     } else {
#       probe 8
#     }
#   }
#   probe 9
#   %24 = load i32 %4
#   %25 = arg i32 0
#   %26 = const i32 1
#   %27 = add i32 %25, %26
#   probe 1
#   %29 = const i32 0
#   %30 = alloca i32
#   store %30, %29
#   probe 2
#   %33 = const i32 0
#   %34 = gt u1 %27, %33
#   if %34 {
#     %36 = const i32 1
#     store %30, %36
#     probe 3
#   } else {
#     probe 4
#     probe 5
#     %41 = const i32 0
#     %42 = lt u1 %27, %41
#     if %42 {
#       probe 6
#       probe 7
#       %46 = const i32 -1
#       store %30, %46
#     } else {
#       probe 8
#     }
#   }
#   probe 9
#   %50 = load i32 %30
#   %51 = add i32 %24, %50
#   %52 = alloca i32
#   store %52, %51
#   probe 10
#   %55 = arg i32 0
#   %56 = const i32 3
#   %57 = gt u1 %55, %56
#   %83 = alloca i32
#   if %57 {
#     %58 = arg i32 0
#     probe 1
#     %60 = const i32 0
#     %61 = alloca i32
#     store %61, %60
#     probe 2
#     %64 = const i32 0
#     %65 = gt u1 %58, %64
#     if %65 {
#       %67 = const i32 1
#       store %61, %67
#       probe 3
#     } else {
#       probe 4
#       probe 5
#       %72 = const i32 0
#       %73 = lt u1 %58, %72
#       if %73 {
#         probe 6
#         probe 7
#         %77 = const i32 -1
#         store %61, %77
#       } else {
#         probe 8
#       }
#     }
#     probe 9
#     %81 = load i32 %61
#     store %83, %81
#   } else {
#     %82 = const i32 2
#     store %83, %82
#   }
#   %87 = load i32 %83
#   store %52, %87
#   probe 11
#   %90 = arg i32 0
#   %91 = const i32 2
#   %92 = gt u1 %90, %91
#   if %92 {
#     probe 12
#     probe 13
#     %96 = const i32 1
#     store %52, %96
#   } else {
#     probe 14
#   }
#   probe 15
#   %100 = load i32 %52
#   return %100
# }
