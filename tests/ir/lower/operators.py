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
    r[12] = qd.cast(300, qd.u8) + qd.i8(-1) + qd.f64(0.1) + qd.i64(f)
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
#   %64 = element_ptr f64 1 [%63]
#   %65 = const f64 4.914213562373095
#   store %64, %65
#   %67 = arg u32 1
#   %68 = const u32 3
#   %69 = shr u32 %67, %68
#   %70 = const i32 8
#   %71 = element_ptr f64 1 [%70]
#   %72 = cast f64 %69
#   store %71, %72
#   %74 = arg f32 3
#   %75 = cast u1 %74
#   %76 = logical_not u1 %75
#   %77 = const i32 9
#   %78 = element_ptr f64 1 [%77]
#   %79 = cast f64 %76
#   store %78, %79
#   %81 = arg i32 0
#   %82 = arg u1 5
#   %83 = cast i32 %82
#   %84 = eq u1 %81, %83
#   %85 = const i32 10
#   %86 = element_ptr f64 1 [%85]
#   %87 = cast f64 %84
#   store %86, %87
#   %89 = arg f32 3
#   %90 = arg f64 4
#   %91 = cast f64 %89
#   %92 = eq u1 %91, %90
#   %93 = arg i32 0
#   %94 = cast f64 %93
#   %95 = ne u1 %90, %94
#   %96 = const u1 false
#   %97 = select u1 %92, %95, %96
#   %98 = const i32 11
#   %99 = element_ptr f64 1 [%98]
#   %100 = cast f64 %97
#   store %99, %100
#   %102 = const u8 44
#   %103 = const i8 -1
#   %104 = cast u8 %103
#   %105 = add u8 %102, %104
#   %106 = const f64 0.1
#   %107 = cast f64 %105
#   %108 = add f64 %107, %106
#   %109 = arg f32 3
#   %110 = cast i64 %109
#   %111 = cast f64 %110
#   %112 = add f64 %108, %111
#   %113 = const i32 12
#   %114 = element_ptr f64 1 [%113]
#   store %114, %112
#   %116 = const f32 2
#   %117 = sqrt f32 %116
#   %118 = arg f64 4
#   %119 = sqrt f64 %118
#   %120 = cast f64 %117
#   %121 = add f64 %120, %119
#   %122 = const f64 3.141592653589793
#   %123 = add f64 %121, %122
#   %124 = const i32 13
#   %125 = element_ptr f64 1 [%124]
#   store %125, %123
#   %127 = arg i32 0
#   %128 = const i32 0
#   %129 = max i32 %128, %127
#   %130 = const i32 5
#   %131 = min i32 %130, %129
#   %132 = arg f32 3
#   %133 = const f32 1
#   %134 = const f32 0.5
#   %135 = const f32 1
#   %136 = sub f32 %135, %134
#   %137 = mul f32 %132, %136
#   %138 = mul f32 %133, %134
#   %139 = add f32 %137, %138
#   %140 = cast f32 %131
#   %141 = add f32 %140, %139
#   %142 = arg f64 4
#   %143 = floor f64 %142
#   %144 = sub f64 %142, %143
#   %145 = cast f64 %141
#   %146 = add f64 %145, %144
#   %147 = arg f32 3
#   %148 = const f32 0.5
#   %149 = lt u1 %147, %148
#   %150 = const f32 0
#   %151 = const f32 1
#   %152 = select f32 %149, %150, %151
#   %153 = cast f64 %152
#   %154 = add f64 %146, %153
#   %155 = arg f64 4
#   %156 = const f64 0
#   %157 = const f64 1
#   %158 = sub f64 %155, %156
#   %159 = sub f64 %157, %156
#   %160 = div f64 %158, %159
#   %161 = const f64 0
#   %162 = max f64 %161, %160
#   %163 = const f64 1
#   %164 = min f64 %163, %162
#   %165 = mul f64 %164, %164
#   %166 = const f64 2
#   %167 = mul f64 %166, %164
#   %168 = const f64 3
#   %169 = sub f64 %168, %167
#   %170 = mul f64 %165, %169
#   %171 = add f64 %154, %170
#   %172 = const i32 14
#   %173 = element_ptr f64 1 [%172]
#   store %173, %171
#   %175 = arg u32 1
#   %176 = arg i8 6
#   %177 = abs i8 %176
#   %178 = cast u32 %177
#   %179 = add u32 %175, %178
#   %180 = arg f32 3
#   %181 = sign f32 %180
#   %182 = cast f32 %179
#   %183 = add f32 %182, %181
#   %184 = arg f32 3
#   %185 = round f32 %184
#   %186 = add f32 %183, %185
#   %187 = arg f64 4
#   %188 = floor f64 %187
#   %189 = cast i32 %188
#   %190 = cast f32 %189
#   %191 = add f32 %186, %190
#   %192 = arg i32 0
#   %193 = cast f32 %192
#   %194 = add f32 %191, %193
#   %195 = const i32 15
#   %196 = element_ptr f64 1 [%195]
#   %197 = cast f64 %194
#   store %196, %197
#   %199 = arg f32 3
#   %200 = is_nan u1 %199
#   %201 = arg f64 4
#   %202 = is_inf u1 %201
#   %203 = cast i32 %200
#   %204 = cast i32 %202
#   %205 = add i32 %203, %204
#   %206 = arg u32 1
#   %207 = popcnt u32 %206
#   %208 = cast i32 %207
#   %209 = add i32 %205, %208
#   %210 = arg i32 0
#   %211 = clz i32 %210
#   %212 = add i32 %209, %211
#   %213 = const i32 16
#   %214 = element_ptr f64 1 [%213]
#   %215 = cast f64 %212
#   store %214, %215
#   %217 = random f32
#   %218 = random i32
#   %219 = cast f32 %218
#   %220 = add f32 %217, %219
#   %221 = random f32
#   %222 = add f32 %220, %221
#   %223 = const i32 17
#   %224 = element_ptr f64 1 [%223]
#   %225 = cast f64 %222
#   store %224, %225
#   %227 = arg i32 0
#   %228 = const i32 2
#   %229 = logical_shr i32 %227, %228
#   %230 = arg f32 3
#   %231 = bit_cast u32 %230
#   %232 = cast u32 %229
#   %233 = add u32 %232, %231
#   %234 = arg i32 0
#   %235 = const i32 3
#   %236 = raw_div i32 %234, %235
#   %237 = cast u32 %236
#   %238 = add u32 %233, %237
#   %239 = arg i32 0
#   %240 = const i32 3
#   %241 = raw_mod i32 %239, %240
#   %242 = cast u32 %241
#   %243 = add u32 %238, %242
#   %244 = arg f32 3
#   %245 = const f32 2
#   %246 = pow f32 %244, %245
#   %247 = cast f32 %243
#   %248 = add f32 %247, %246
#   %249 = const i32 18
#   %250 = element_ptr f64 1 [%249]
#   %251 = cast f64 %248
#   store %250, %251
#   %253 = arg u1 5
#   %254 = arg i32 0
#   %255 = arg f32 3
#   %256 = cast f32 %254
#   %257 = select f32 %253, %256, %255
#   %258 = arg i32 0
#   %259 = arg f32 3
#   %260 = arg f64 4
#   %261 = cast f64 %258
#   %262 = cast f64 %259
#   %263 = min f64 %261, %262
#   %264 = min f64 %263, %260
#   %265 = cast f64 %257
#   %266 = add f64 %265, %264
#   %267 = arg i8 6
#   %268 = cast i32 %267
#   %269 = const i32 1
#   %270 = max i32 %268, %269
#   %271 = cast f64 %270
#   %272 = add f64 %266, %271
#   %273 = const i32 19
#   %274 = element_ptr f64 1 [%273]
#   store %274, %272
#   %276 = const i32 20
#   %277 = element_ptr f64 1 [%276]
#   %278 = const f64 2147483647
#   store %277, %278
#   %280 = const i32 21
#   %281 = element_ptr f64 1 [%280]
#   %282 = const f64 1099511627776
#   store %281, %282
#   %284 = arg i32 0
#   %285 = const i32 0
#   %286 = element_ptr u1 0 [%285]
#   %287 = cast u1 %284
#   store %286, %287
#   %289 = const i32 1
#   %290 = element_ptr u1 0 [%289]
#   %291 = arg i32 0
#   %292 = const i32 2
#   %293 = gt u1 %291, %292
#   %294 = atomic or u1 %290, %293
#   %295 = const i32 1
#   %296 = element_ptr u1 0 [%295]
#   %297 = load u1 %296
#   %298 = cast i32 %297
#   %299 = const i32 1
#   %300 = add i32 %298, %299
#   %301 = cast u1 %300
#   store %296, %301
#   %303 = const i32 22
#   %304 = element_ptr f64 1 [%303]
#   %305 = const f64 1
#   %306 = atomic add f64 %304, %305
#   %307 = const i32 22
#   %308 = element_ptr f64 1 [%307]
#   %309 = arg i32 0
#   %310 = cast f64 %309
#   %311 = atomic sub f64 %308, %310
#   %312 = const i32 22
#   %313 = element_ptr f64 1 [%312]
#   %314 = load f64 %313
#   %315 = const f64 2
#   %316 = mul f64 %314, %315
#   store %313, %316
#   %318 = const i32 22
#   %319 = element_ptr f64 1 [%318]
#   %320 = load f64 %319
#   %321 = const f64 2
#   %322 = floor_div f64 %320, %321
#   store %319, %322
#   %324 = const i32 22
#   %325 = element_ptr f64 1 [%324]
#   %326 = load f64 %325
#   %327 = const f64 2
#   %328 = pow f64 %326, %327
#   store %325, %328
#   %330 = arg i32 0
#   %331 = alloca i32
#   store %331, %330
#   %333 = load i32 %331
#   %334 = cast f32 %333
#   %335 = const f32 2
#   %336 = div f32 %334, %335
#   %337 = cast i32 %336
#   store %331, %337
#   %339 = load i32 %331
#   %340 = const i32 1
#   %341 = shl i32 %339, %340
#   store %331, %341
#   %343 = load i32 %331
#   %344 = const i32 7
#   %345 = mod i32 %343, %344
#   store %331, %345
#   %347 = const i32 2
#   store %331, %347
#   %349 = arg f32 3
#   %350 = cast i32 %349
#   store %331, %350
#   %352 = arg i32 0
#   %353 = cast i8 %352
#   %354 = alloca i8
#   store %354, %353
#   %356 = const i32 0
#   %357 = element_ptr f64 1 [%356]
#   %358 = arg i32 0
#   %359 = cast f64 %358
#   %360 = atomic add f64 %357, %359
#   %361 = alloca f64
#   store %361, %360
#   %363 = const i32 1
#   %364 = const i32 2
#   %365 = atomic_cas i32 %331, %363, %364
#   %366 = const i32 3
#   %367 = atomic exchange i32 %331, %366
#   %368 = add i32 %365, %367
#   %369 = arg i8 6
#   %370 = cast i32 %369
#   %371 = atomic min i32 %331, %370
#   %372 = add i32 %368, %371
#   %373 = alloca i32
#   store %373, %372
#   %375 = const f32 1.5
#   %376 = alloca f32
#   store %376, %375
#   %378 = const f32 1.5
#   %379 = alloca f32
#   store %379, %378
#   %381 = const i32 1
#   %382 = alloca i32
#   store %382, %381
#   %384 = const i32 2
#   %385 = alloca i32
#   store %385, %384
#   %387 = const i32 3
#   %388 = alloca i32
#   store %388, %387
# }
# warning: operators.py:33: an i32 is stored as u1: precision may be lost
# warning: operators.py:35: an i32 is stored as u1: precision may be lost
# warning: operators.py:42: an f32 is stored as i32: precision may be lost
# warning: operators.py:46: an f32 is stored as i32: precision may be lost
# warning: operators.py:47: an i32 is stored as i8: precision may be lost
