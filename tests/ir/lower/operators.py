# options:
import math
import qd
from math import pi, sqrt as root

BIG = 1 << 40


@qd.kernel
def operators(i: qd.i32, u: qd.u32, l: qd.i64, f: qd.f32, d: qd.f64, b: qd.u1, c: qd.i8, a: qd.types.ndarray(qd.u1, 1), r: qd.types.ndarray(qd.f64, 1)):
    r[0] = i + u
    r[1] = u * l + f
    r[2] = c + c
    r[3] = b + b
    r[4] = b & (i > 2) | b
    r[5] = -b
    r[6] = i // 2 * 1.5
    r[7] = 7 // 2 + 2**-1 + 2**0.5
    r[8] = u >> 3
    r[9] = not f
    r[10] = i == b
    r[11] = f == d != i
    r[12] = qd.u8(300) + qd.i8(-1) + qd.f64(0.1) + qd.i64(f)
    r[13] = math.sqrt(2) + root(d) + pi
    r[14] = qd.math.clamp(i, 0, 5) + qd.mix(f, 1.0, 0.5) + qd.fract(d) + qd.step(0.5, f) + qd.smoothstep(0.0, 1.0, d)
    r[15] = abs(u) + abs(c) + qd.sign(f) + round(f) + qd.floor(d, qd.i32) + qd.ceil(i)
    r[16] = qd.isnan(f) + qd.math.isinf(d) + qd.popcnt(u) + qd.clz(i)
    r[17] = qd.random() + qd.random(qd.i32) + qd.random(float)
    r[18] = qd.bit_shr(i, 2) + qd.bit_cast(f, qd.u32) + qd.raw_div(i, 3) + qd.raw_mod(i, 3) + pow(f, 2)
    r[19] = qd.select(b, i, f) + min(i, f, d) + max(c, 1)
    r[20] = 2147483647 + 2147483648 + -2147483648
    r[21] = BIG
    a[0] = i
    a[1] |= i > 2
    a[1] += 1
    r[22] += 1
    r[22] -= i
    r[22] *= 2
    r[22] //= 2
    r[22] **= 2
    i2 = i
    i2 /= 2
    i2 <<= 1
    i2 %= 7
    i2 = 2.0
    i2 = f
    c2: qd.i8 = i
    old = qd.atomic_add(r[0], i)
    old2 = qd.atomic_cas(i2, 1, 2) + qd.atomic_exchange(i2, 3) + qd.atomic_min(i2, c)
    g = h = 1.5
    (p, q), s = (1, 2), 3
# ---
# kernel operators
# param 0 i i32
# param 1 u u32
# param 2 l i64
# param 3 f f32
# param 4 d f64
# param 5 b u1
# param 6 c i8
# array 0 a u1 rank 1 parameter
# array 1 r f64 rank 1 parameter
#
# body {
#   %0 = arg i32 0
#   %1 = arg u32 1
#   %2 = cast u32 %0
#   %3 = add u32 %2, %1
#   %4 = const i32 0
#   %5 = element_ptr f64 1 [%4]
#   %6 = cast f64 %3
#   store %5, %6
#   %8 = arg u32 1
#   %9 = arg i64 2
#   %10 = cast i64 %8
#   %11 = mul i64 %10, %9
#   %12 = arg f32 3
#   %13 = cast f32 %11
#   %14 = add f32 %13, %12
#   %15 = const i32 1
#   %16 = element_ptr f64 1 [%15]
#   %17 = cast f64 %14
#   store %16, %17
#   %19 = arg i8 6
#   %20 = arg i8 6
#   %21 = add i8 %19, %20
#   %22 = const i32 2
#   %23 = element_ptr f64 1 [%22]
#   %24 = cast f64 %21
#   store %23, %24
#   %26 = arg u1 5
#   %27 = arg u1 5
#   %28 = cast i32 %26
#   %29 = cast i32 %27
#   %30 = add i32 %28, %29
#   %31 = const i32 3
#   %32 = element_ptr f64 1 [%31]
#   %33 = cast f64 %30
#   store %32, %33
#   %35 = arg u1 5
#   %36 = arg i32 0
#   %37 = const i32 2
#   %38 = gt u1 %36, %37
#   %39 = bit_and u1 %35, %38
#   %40 = arg u1 5
#   %41 = bit_or u1 %39, %40
#   %42 = const i32 4
#   %43 = element_ptr f64 1 [%42]
#   %44 = cast f64 %41
#   store %43, %44
#   %46 = arg u1 5
#   %47 = cast i32 %46
#   %48 = neg i32 %47
#   %49 = const i32 5
#   %50 = element_ptr f64 1 [%49]
#   %51 = cast f64 %48
#   store %50, %51
#   %53 = arg i32 0
#   %54 = const i32 2
#   %55 = floor_div i32 %53, %54
#   %56 = cast f32 %55
#   %57 = const f32 1.5
#   %58 = mul f32 %56, %57
#   %59 = const i32 6
#   %60 = element_ptr f64 1 [%59]
#   %61 = cast f64 %58
#   store %60, %61
#   %63 = const i32 7
#   %64 = const i32 2
#   %65 = floor_div i32 %63, %64
#   %66 = const i32 2
#   %67 = const i32 -1
#   %68 = pow i32 %66, %67
#   %69 = add i32 %65, %68
#   %70 = const f32 2
#   %71 = const f32 0.5
#   %72 = pow f32 %70, %71
#   %73 = cast f32 %69
#   %74 = add f32 %73, %72
#   %75 = const i32 7
#   %76 = element_ptr f64 1 [%75]
#   %77 = cast f64 %74
#   store %76, %77
#   %79 = arg u32 1
#   %80 = const u32 3
#   %81 = shr u32 %79, %80
#   %82 = const i32 8
#   %83 = element_ptr f64 1 [%82]
#   %84 = cast f64 %81
#   store %83, %84
#   %86 = arg f32 3
#   %87 = cast u1 %86
#   %88 = logical_not u1 %87
#   %89 = const i32 9
#   %90 = element_ptr f64 1 [%89]
#   %91 = cast f64 %88
#   store %90, %91
#   %93 = arg i32 0
#   %94 = arg u1 5
#   %95 = cast i32 %94
#   %96 = eq u1 %93, %95
#   %97 = const i32 10
#   %98 = element_ptr f64 1 [%97]
#   %99 = cast f64 %96
#   store %98, %99
#   %101 = arg f32 3
#   %102 = arg f64 4
#   %103 = cast f64 %101
#   %104 = eq u1 %103, %102
#   %105 = arg i32 0
#   %106 = cast f64 %105
#   %107 = ne u1 %102, %106
#   %108 = const u1 false
#   %109 = select u1 %104, %107, %108
#   %110 = const i32 11
#   %111 = element_ptr f64 1 [%110]
#   %112 = cast f64 %109
#   store %111, %112
#   %114 = const u8 44
#   %115 = const i8 -1
#   %116 = cast u8 %115
#   %117 = add u8 %114, %116
#   %118 = const f64 0.1
#   %119 = cast f64 %117
#   %120 = add f64 %119, %118
#   %121 = arg f32 3
#   %122 = cast i64 %121
#   %123 = cast f64 %122
#   %124 = add f64 %120, %123
#   %125 = const i32 12
#   %126 = element_ptr f64 1 [%125]
#   store %126, %124
#   %128 = const f32 2
#   %129 = sqrt f32 %128
#   %130 = arg f64 4
#   %131 = sqrt f64 %130
#   %132 = cast f64 %129
#   %133 = add f64 %132, %131
#   %134 = const f64 3.141592653589793
#   %135 = add f64 %133, %134
#   %136 = const i32 13
#   %137 = element_ptr f64 1 [%136]
#   store %137, %135
#   %139 = arg i32 0
#   %140 = const i32 0
#   %141 = const i32 5
#   %142 = max i32 %139, %140
#   %143 = min i32 %142, %141
#   %144 = arg f32 3
#   %145 = const f32 1
#   %146 = const f32 0.5
#   %147 = const f32 1
#   %148 = sub f32 %147, %146
#   %149 = mul f32 %144, %148
#   %150 = mul f32 %145, %146
#   %151 = add f32 %149, %150
#   %152 = cast f32 %143
#   %153 = add f32 %152, %151
#   %154 = arg f64 4
#   %155 = floor f64 %154
#   %156 = sub f64 %154, %155
#   %157 = cast f64 %153
#   %158 = add f64 %157, %156
#   %159 = arg f32 3
#   %160 = const f32 0.5
#   %161 = lt u1 %159, %160
#   %162 = const f32 0
#   %163 = const f32 1
#   %164 = select f32 %161, %162, %163
#   %165 = cast f64 %164
#   %166 = add f64 %158, %165
#   %167 = arg f64 4
#   %168 = const f64 0
#   %169 = const f64 1
#   %170 = sub f64 %167, %168
#   %171 = sub f64 %169, %168
#   %172 = const f64 0
#   %173 = const f64 1
#   %174 = div f64 %170, %171
#   %175 = max f64 %174, %172
#   %176 = min f64 %175, %173
#   %177 = const f64 3
#   %178 = const f64 2
#   %179 = mul f64 %178, %176
#   %180 = sub f64 %177, %179
#   %181 = mul f64 %176, %176
#   %182 = mul f64 %181, %180
#   %183 = add f64 %166, %182
#   %184 = const i32 14
#   %185 = element_ptr f64 1 [%184]
#   store %185, %183
#   %187 = arg u32 1
#   %188 = arg i8 6
#   %189 = abs i8 %188
#   %190 = cast u32 %189
#   %191 = add u32 %187, %190
#   %192 = arg f32 3
#   %193 = sign f32 %192
#   %194 = cast f32 %191
#   %195 = add f32 %194, %193
#   %196 = arg f32 3
#   %197 = round f32 %196
#   %198 = add f32 %195, %197
#   %199 = arg f64 4
#   %200 = floor f64 %199
#   %201 = cast i32 %200
#   %202 = cast f32 %201
#   %203 = add f32 %198, %202
#   %204 = arg i32 0
#   %205 = cast f32 %204
#   %206 = add f32 %203, %205
#   %207 = const i32 15
#   %208 = element_ptr f64 1 [%207]
#   %209 = cast f64 %206
#   store %208, %209
#   %211 = arg f32 3
#   %212 = is_nan u1 %211
#   %213 = arg f64 4
#   %214 = is_inf u1 %213
#   %215 = cast i32 %212
#   %216 = cast i32 %214
#   %217 = add i32 %215, %216
#   %218 = arg u32 1
#   %219 = popcnt u32 %218
#   %220 = cast i32 %219
#   %221 = add i32 %217, %220
#   %222 = arg i32 0
#   %223 = clz i32 %222
#   %224 = add i32 %221, %223
#   %225 = const i32 16
#   %226 = element_ptr f64 1 [%225]
#   %227 = cast f64 %224
#   store %226, %227
#   %229 = random f32
#   %230 = random i32
#   %231 = cast f32 %230
#   %232 = add f32 %229, %231
#   %233 = random f32
#   %234 = add f32 %232, %233
#   %235 = const i32 17
#   %236 = element_ptr f64 1 [%235]
#   %237 = cast f64 %234
#   store %236, %237
#   %239 = arg i32 0
#   %240 = const i32 2
#   %241 = logical_shr i32 %239, %240
#   %242 = arg f32 3
#   %243 = bit_cast u32 %242
#   %244 = cast u32 %241
#   %245 = add u32 %244, %243
#   %246 = arg i32 0
#   %247 = const i32 3
#   %248 = raw_div i32 %246, %247
#   %249 = cast u32 %248
#   %250 = add u32 %245, %249
#   %251 = arg i32 0
#   %252 = const i32 3
#   %253 = raw_mod i32 %251, %252
#   %254 = cast u32 %253
#   %255 = add u32 %250, %254
#   %256 = arg f32 3
#   %257 = const f32 2
#   %258 = pow f32 %256, %257
#   %259 = cast f32 %255
#   %260 = add f32 %259, %258
#   %261 = const i32 18
#   %262 = element_ptr f64 1 [%261]
#   %263 = cast f64 %260
#   store %262, %263
#   %265 = arg u1 5
#   %266 = arg i32 0
#   %267 = arg f32 3
#   %268 = cast f32 %266
#   %269 = select f32 %265, %268, %267
#   %270 = arg i32 0
#   %271 = arg f32 3
#   %272 = arg f64 4
#   %273 = cast f64 %270
#   %274 = cast f64 %271
#   %275 = min f64 %273, %274
#   %276 = min f64 %275, %272
#   %277 = cast f64 %269
#   %278 = add f64 %277, %276
#   %279 = arg i8 6
#   %280 = cast i32 %279
#   %281 = const i32 1
#   %282 = max i32 %280, %281
#   %283 = cast f64 %282
#   %284 = add f64 %278, %283
#   %285 = const i32 19
#   %286 = element_ptr f64 1 [%285]
#   store %286, %284
#   %288 = const i64 2147483647
#   %289 = const i64 2147483648
#   %290 = add i64 %288, %289
#   %291 = const i64 -2147483648
#   %292 = add i64 %290, %291
#   %293 = const i32 20
#   %294 = element_ptr f64 1 [%293]
#   %295 = cast f64 %292
#   store %294, %295
#   %297 = const i32 21
#   %298 = element_ptr f64 1 [%297]
#   %299 = const f64 1099511627776
#   store %298, %299
#   %301 = arg i32 0
#   %302 = const i32 0
#   %303 = element_ptr u1 0 [%302]
#   %304 = cast u1 %301
#   store %303, %304
#   %306 = const i32 1
#   %307 = element_ptr u1 0 [%306]
#   %308 = arg i32 0
#   %309 = const i32 2
#   %310 = gt u1 %308, %309
#   %311 = atomic or u1 %307, %310
#   %312 = const i32 1
#   %313 = element_ptr u1 0 [%312]
#   %314 = load u1 %313
#   %315 = cast i32 %314
#   %316 = const i32 1
#   %317 = add i32 %315, %316
#   %318 = cast u1 %317
#   store %313, %318
#   %320 = const i32 22
#   %321 = element_ptr f64 1 [%320]
#   %322 = const f64 1
#   %323 = atomic add f64 %321, %322
#   %324 = const i32 22
#   %325 = element_ptr f64 1 [%324]
#   %326 = arg i32 0
#   %327 = cast f64 %326
#   %328 = atomic sub f64 %325, %327
#   %329 = const i32 22
#   %330 = element_ptr f64 1 [%329]
#   %331 = load f64 %330
#   %332 = const f64 2
#   %333 = mul f64 %331, %332
#   store %330, %333
#   %335 = const i32 22
#   %336 = element_ptr f64 1 [%335]
#   %337 = load f64 %336
#   %338 = const f64 2
#   %339 = floor_div f64 %337, %338
#   store %336, %339
#   %341 = const i32 22
#   %342 = element_ptr f64 1 [%341]
#   %343 = load f64 %342
#   %344 = const f64 2
#   %345 = pow f64 %343, %344
#   store %342, %345
#   %347 = arg i32 0
#   %348 = alloca i32
#   store %348, %347
#   %350 = load i32 %348
#   %351 = cast f32 %350
#   %352 = const f32 2
#   %353 = div f32 %351, %352
#   %354 = cast i32 %353
#   store %348, %354
#   %356 = load i32 %348
#   %357 = const i32 1
#   %358 = shl i32 %356, %357
#   store %348, %358
#   %360 = load i32 %348
#   %361 = const i32 7
#   %362 = mod i32 %360, %361
#   store %348, %362
#   %364 = const i32 2
#   store %348, %364
#   %366 = arg f32 3
#   %367 = cast i32 %366
#   store %348, %367
#   %369 = arg i32 0
#   %370 = cast i8 %369
#   %371 = alloca i8
#   store %371, %370
#   %373 = const i32 0
#   %374 = element_ptr f64 1 [%373]
#   %375 = arg i32 0
#   %376 = cast f64 %375
#   %377 = atomic add f64 %374, %376
#   %378 = alloca f64
#   store %378, %377
#   %380 = const i32 1
#   %381 = const i32 2
#   %382 = atomic_cas i32 %348, %380, %381
#   %383 = const i32 3
#   %384 = atomic exchange i32 %348, %383
#   %385 = add i32 %382, %384
#   %386 = arg i8 6
#   %387 = cast i32 %386
#   %388 = atomic min i32 %348, %387
#   %389 = add i32 %385, %388
#   %390 = alloca i32
#   store %390, %389
#   %392 = const f32 1.5
#   %393 = alloca f32
#   store %393, %392
#   %395 = const f32 1.5
#   %396 = alloca f32
#   store %396, %395
#   %398 = const i32 1
#   %399 = alloca i32
#   store %399, %398
#   %401 = const i32 2
#   %402 = alloca i32
#   store %402, %401
#   %404 = const i32 3
#   %405 = alloca i32
#   store %405, %404
# }
# warning: operators.py:33: an i32 is stored as u1: precision may be lost
# warning: operators.py:35: an i32 is stored as u1: precision may be lost
# warning: operators.py:42: an f32 is stored as i32: precision may be lost
# warning: operators.py:46: an f32 is stored as i32: precision may be lost
# warning: operators.py:47: an i32 is stored as i8: precision may be lost
