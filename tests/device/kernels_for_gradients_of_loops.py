"""Kernels of derivatives: loops with numbers that they carry."""

import gradient_fields as f
import qd
from gradient_fields import N


@qd.kernel
def sum_of_a_loop():
    for i in range(N):
        s = 1.0
        for j in range(f.counts[i]):
            s = s + f.a[i] * f.b[j]
        f.out[i] = s


@qd.kernel
def power_by_a_loop():
    for i in range(N):
        p = 1.0
        for _ in range(f.counts[i]):
            p = p * f.a[i]
        f.out[i] = p


@qd.kernel
def carried_numbers():
    for i in range(N):
        p, q = f.a[i], f.b[i]
        for _ in range(f.counts[i]):
            p, q = q * p, p + q
        f.out[i] = p * q


@qd.kernel
def carried_number_that_is_nonlinear():
    for i in range(N):
        x = f.a[i]
        for j in range(4):
            x = qd.sin(x * f.b[j]) + x * x
        f.out[i] = x


@qd.kernel
def carried_integers():
    for i in range(N):
        weight = 1
        s = 0.0
        for _ in range(f.counts[i]):
            s += weight * f.a[i] + f.b[i]
            weight *= 3
        f.out[i] = s


@qd.kernel
def indices_that_are_carried():
    for i in range(N):
        p = 0
        q = 1
        for _ in range(4):
            p, q = q, p + q
            f.out[q] += f.a[q] * f.a[i]


@qd.kernel
def two_inner_loops():
    for i in range(N):
        weight = 1.0
        for _ in range(f.counts[i]):
            weight *= f.a[i]
        s = 0.0
        for _ in range(f.counts[i] * 2):
            s += weight * weight + f.b[i]
        f.out[i] = s


@qd.kernel
def loops_three_deep():
    for i in range(N):
        s = f.a[i]
        for j in range(3):
            r = f.b[j]
            for k in range(j + 1):
                r = r * s + f.grid[j, k]
                for _ in range(2):
                    r = qd.sin(r)
            s = s * 0.5 + r
        f.out[i] = s


@qd.kernel
def loop_of_unknown_bounds():
    for i in range(N):
        s = 1.0
        for j in range(f.counts[i], f.counts[(i + 1) % N] + 2):
            s = s * f.b[j % N] + f.a[i]
        f.out[i] = s


@qd.kernel
def ifs_in_a_loop():
    for i in range(N):
        s = f.a[i]
        for j in range(f.counts[i] + 1):
            if j % 2 == 0:
                s = s * f.b[j]
            elif s > 0.3:
                s = s * s + j
            else:
                s += f.grid[i, j]
        f.out[i] = s


@qd.kernel
def loop_in_an_if():
    for i in range(N):
        s = f.a[i]
        if f.a[i] > 0.4:
            for j in range(f.counts[i]):
                s = s * f.b[j] + s * s
        f.out[i] = s


@qd.kernel
def continue_in_a_loop():
    for i in range(N):
        if i == 2:
            continue
        s = f.a[i]
        for j in range(5):
            if j == f.counts[i]:
                continue
            s = s * (f.b[j] + 0.5)
        f.out[i] = s


@qd.kernel
def vectors_that_are_carried():
    for i in range(N):
        v = qd.Vector([f.a[i], f.b[i]])
        for j in range(f.counts[i]):
            v = qd.Vector([v[1] * v[0], qd.sin(v[0]) + f.b[j]])
        f.out[i] = v[0] * v[1]


@qd.kernel
def numbers_of_a_loop_alone():
    for i in range(N):
        for j in range(2):
            s = 0.0
            t = f.b[j]
            for k in range(3):
                s += qd.sin(f.a[i]) * t
                t = t * s
            f.total[None] += s + t


@qd.kernel
def while_loop():
    for i in range(N):
        k = 0
        while k < f.counts[i]:
            f.out[i] += f.a[i] * f.a[k]
            k += 1


@qd.kernel
def while_with_carried_numbers():
    x = f.a[0]
    k = 0
    while x < 5.0 and k < 50:
        x = x * (1.0 + f.b[k % N]) + x * x
        k += 1
    f.total[None] = x


@qd.kernel
def while_in_for():
    for i in range(N):
        x = f.a[i]
        for j in range(3):
            y = f.b[j]
            while y < 2.0:
                y = y * 1.5 + x * x
            x = x * 0.5 + qd.sin(y)
        f.out[i] = x


@qd.kernel
def endless_while():
    for i in range(N):
        x = f.a[i]
        while True:
            if x > 2.0:
                break
            x = x * 1.2 + 0.3 * f.b[i] * x * x
            if x < 1.0:
                x -= 0.1 * f.b[i] * x
                continue
            x *= 1.0 + 0.1 * f.b[i]
        f.out[i] = x


@qd.kernel
def break_of_a_loop():
    for i in range(N):
        s = f.a[i]
        for j in range(6):
            if j > f.counts[i]:
                break
            s = s * f.b[j] + s
        f.out[i] = s


@qd.kernel
def break_of_two_loops():
    for i in range(N):
        s = f.a[i]
        for j in range(4):
            for k in range(4):
                s = s + f.grid[j, k] * s
                if s > 3.0:
                    break
            if s > 6.0:
                break
            s = s * 0.9
        f.out[i] = s


@qd.kernel
def continue_in_while():
    for i in range(N):
        s = f.a[i]
        k = 0
        while k < 6:
            k += 1
            if k % 3 == f.counts[i] % 3:
                continue
            s = qd.sin(s) * f.b[k - 1] + s
        f.out[i] = s


@qd.kernel
def search_with_break():
    for i in range(N):
        found = -1
        best = 0.0
        for j in range(N):
            if f.grid[i, j] > 0.6:
                found = j
                best = f.grid[i, j]
                break
        if found >= 0:
            f.out[i] = best * f.a[found]
