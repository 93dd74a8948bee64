import math
import qd
SCALE = 0.25
COUNT = 3


@qd.kernel
def saxpy(a: qd.f32, x: qd.types.ndarray(dtype=qd.f32, ndim=1), y: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    for i in range(x.shape[0]):
        y[i] = a * x[i] + y[i]


@qd.kernel
def integer_operators(a: qd.i32, b: qd.i32, out: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    out[0] = a + b
    out[1] = a - b
    out[2] = a * b
    out[3] = a // b
    out[4] = a % b
    out[5] = a & b
    out[6] = a | b
    out[7] = a ^ b
    out[8] = a << 3
    out[9] = a >> 2
    out[10] = ~a
    out[11] = -a
    out[12] = abs(a)
    out[13] = min(a, b, 5)
    out[14] = max(a, b, -5)
    out[15] = qd.raw_div(a, b)
    out[16] = qd.raw_mod(a, b)
    out[17] = a * 1000003 + b
    out[18] = int(a > b) + int(a == b) * 2
    out[19] = (a < b) + (b < a)
    out[20] = qd.popcnt(a)
    out[21] = qd.clz(b)
    out[22] = qd.select(a > b, a, b)
    out[23] = 1 if -10 < a < 10 else 2
    out[24] = qd.bit_shr(a, 1)


@qd.kernel
def float_operators(a: qd.f32, b: qd.f32, out: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    out[0] = a + b * SCALE
    out[1] = a / b
    out[2] = a // b
    out[3] = a % b
    out[4] = a**2
    out[5] = 7 / 2
    out[6] = 1 / 3 + a
    out[7] = qd.floor(a)
    out[8] = qd.ceil(a)
    out[9] = round(a)
    out[10] = abs(b)
    out[11] = min(a, 1)
    out[12] = qd.cast(a, qd.i32)
    out[13] = int(b)
    out[14] = a if b > 0 else 3
    out[15] = qd.clamp(a, 0.0, 1.0)
    out[16] = qd.bit_cast(a, qd.i32) % 1000


@qd.kernel
def mathematics(a: qd.f64, out: qd.types.ndarray(dtype=qd.f64, ndim=1)):
    out[0] = qd.sin(a)
    out[1] = math.cos(a)
    out[2] = qd.tan(a)
    out[3] = qd.exp(a)
    out[4] = qd.log(a + 1.0)
    out[5] = qd.sqrt(a)
    out[6] = qd.atan2(a, 2.0)
    out[7] = qd.tanh(a)
    out[8] = a**1.5
    out[9] = math.pi * a
    out[10] = qd.rsqrt(a)
    out[11] = qd.asin(a * 0.25)
