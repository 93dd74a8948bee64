"""Derives the coefficients of runtime/mathematics: polynomials of least relative error (Remez' exchange), in decimals of 60 digits.

Each coefficient is rounded to the type before the later ones are fitted, so that these make good what it lost. Prints the rows of
coefficients.h, with the error of the polynomial as a power of two."""

from __future__ import annotations

import argparse
import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, getcontext

getcontext().prec = 60
Function = Callable[[Decimal], Decimal]
ONE = Decimal(1)


def series(terms: list[Decimal]) -> Function:
    """The sum of terms[n] * z**n."""

    def value(z: Decimal) -> Decimal:
        total = Decimal(0)
        for term in reversed(terms):
            total = total * z + term
        return total

    return value


def factorial(n: int) -> Decimal:
    product = ONE
    for i in range(2, n + 1):
        product *= i
    return product


def quotient(top: list[Decimal], bottom: list[Decimal]) -> list[Decimal]:
    """The series of a quotient of two series."""
    out: list[Decimal] = []
    for n in range(len(top)):
        out.append((top[n] - sum((bottom[n - i] * out[i] for i in range(n)), Decimal(0))) / bottom[0])
    return out


LENGTH = 160
SIN = [(-1) ** n / factorial(2 * n + 1) for n in range(LENGTH)]  # of sin(x) / x, in x * x
COS = [(-1) ** n / factorial(2 * n) for n in range(LENGTH)]
SINH = [abs(term) for term in SIN]
COSH = [abs(term) for term in COS]
TAN = quotient(SIN, COS)
TANH = quotient(SINH, COSH)
EXP = [1 / factorial(n) for n in range(LENGTH)]
ASIN = [factorial(2 * n) / (Decimal(4) ** n * factorial(n) ** 2 * (2 * n + 1)) for n in range(LENGTH)]


def atan_ratio(z: Decimal) -> Decimal:
    """atan(x) / x at x * x = z, by Euler's series, which converges for all z: its terms shrink at least by half."""
    total = term = 1 / (1 + z)
    n = 1
    while term > Decimal(10) ** -62:
        term *= Decimal(2 * n) / (2 * n + 1) * z / (1 + z)
        total += term
        n += 1
    return total


def log_rest(f: Decimal) -> Decimal:
    """(log(1 + f) - f + f**2 / 2) / f**3."""
    return ((1 + f).ln() - f + f * f / 2) / f**3


def rest_of(ratio: Function, first: list[Decimal] | None = None) -> Function:
    """(ratio(z) - first terms) / z**(their number). For a small z by its value at a distance, which is as good."""
    taken = first or [ONE]

    def value(z: Decimal) -> Decimal:
        return (ratio(z) - series(taken)(z)) / z ** len(taken)

    return value


def tail(terms: list[Decimal], skip: int = 1) -> Function:
    return series(terms[skip:])


@dataclass
class Wanted:
    """A polynomial: the function that it approximates between low and high, and the weight of its error."""

    name: str
    function: Function
    weight: Function
    low: Decimal
    high: Decimal
    singles: int  # coefficients for f32; 0 when only f64 has the polynomial
    doubles: int  # for f64
    at_once: bool = False  # 0 is inside of the interval, so the later coefficients cannot make good what rounding does


@dataclass
class LogRow:
    """Table row of pow of f64 for the mantissas of an interval: m = (1 + r) / inverse with a small r, and -log(inverse)."""

    inverse: Decimal
    rests: tuple[Decimal, Decimal]  # r at the ends
    high: Decimal  # a multiple of 2**-42, as is the high part of log(2), so that sums of both are exact
    low: Decimal


def log_table() -> list[LogRow]:
    """The rows of 128 intervals from sqrt(1/2) to sqrt(2), equal in the bits of floats.

    The inverse has as few bits as make r exact: r is below 2**-7, and m a multiple of 2**-53, or of 2**-52 from 1 on."""
    root, width = 0x3FE6A09E667F3BCD, 1 << 45
    rows = []
    for i in range(128):
        ends = [Decimal(struct.unpack("d", struct.pack("Q", root + k * width))[0]) for k in (i, i + 1)]
        middle = (ends[0] + ends[1]) / 2
        unit = 128 if ends[0] < 1 else 256
        inverse = Decimal(round(unit / middle)) / unit
        high = Decimal(round(-inverse.ln() * 2**42)) / 2**42
        low = rounded(-inverse.ln() - high, True)
        rows.append(LogRow(inverse, (ends[0] * inverse - 1, ends[1] * inverse - 1), high, low))
    return rows


def ratio_weight(ratio: Function, power: int = 1) -> Function:
    return lambda z: z**power / ratio(z)


def wanted() -> list[Wanted]:
    zero = Decimal("1e-12")
    quarter = (Decimal("0.7853981633974483096156608458198757210493") * Decimal("1.004")) ** 2
    sin, cos, tan = series(SIN), series(COS), series(TAN)
    sinh, tanh, asin = series(SINH), series(TANH), series(ASIN)
    half_log = Decimal("0.34657359027997265470861606072908828403775") * Decimal("1.001")
    largest_s = (Decimal(2).sqrt() - 1) / (Decimal(2).sqrt() + 1) * Decimal("1.0001")
    exp_ratio = series(EXP)
    log_2, sixteenth = Decimal(2).ln(), Decimal("0.06251")
    largest_r = max(abs(r) for row in log_table() for r in row.rests)
    least_f, largest_f = Decimal("-0.2928933"), Decimal("0.4142137")  # of mantissas from sqrt(1/2) to sqrt(2)
    return [
        Wanted("Sin", tail(SIN), ratio_weight(sin), zero, quarter, 4, 7),
        Wanted("Cos", tail(COS, 2), ratio_weight(cos, 2), zero, quarter, 3, 6),
        Wanted("Tan", tail(TAN), ratio_weight(tan), zero, quarter, 7, 14),
        Wanted("Exp", tail(EXP, 2), lambda r: r * r / exp_ratio(r), -half_log, half_log, 5, 10),
        Wanted("Log", log_rest, lambda f: f**3 / (1 + f).ln(), least_f, largest_f, 8, 20, at_once=True),
        Wanted("LogNear", log_rest, lambda r: r**3 / (1 + r).ln(), -largest_r, largest_r, 0, 8, at_once=True),
        Wanted("PowLog", lambda f: (1 + f).ln() / log_2 / f, lambda f: f * log_2 / (1 + f).ln(), least_f, largest_f, 0, 14, at_once=True),
        Wanted("PowExp", lambda r: ((r * log_2).exp() - 1) / r, lambda r: r / (r * log_2).exp(), -sixteenth, sixteenth, 0, 4, at_once=True),
        Wanted("Sinh", tail(SINH), ratio_weight(sinh), zero, Decimal("1.01"), 4, 8),
        Wanted("Tanh", tail(TANH), ratio_weight(tanh), zero, Decimal("0.626") ** 2, 5, 12),
        Wanted("Asin", tail(ASIN), ratio_weight(asin), zero, Decimal("0.2501"), 6, 13),
        Wanted("Atan", rest_of(atan_ratio), ratio_weight(atan_ratio), Decimal("1e-8"), ONE, 10, 20),
    ]


def rounded(value: Decimal, double: bool) -> Decimal:
    if double:
        return Decimal(float(value))
    return Decimal(struct.unpack("f", struct.pack("f", float(value)))[0])


def solve(rows: list[list[Decimal]]) -> list[Decimal]:
    """Gauss with pivots; each row ends in its right side."""
    n = len(rows)
    for i in range(n):
        pivot = max(range(i, n), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(i + 1, n):
            factor = rows[k][i] / rows[i][i]
            if factor:
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i])]
    out = [Decimal(0)] * n
    for i in reversed(range(n)):
        out[i] = (rows[i][n] - sum((rows[i][k] * out[k] for k in range(i + 1, n)), Decimal(0))) / rows[i][i]
    return out


def remez(points: list[Decimal], values: list[Decimal], weights: list[Decimal], powers: range) -> list[Decimal]:
    """The coefficients of these powers whose largest weighted error over the points is least."""
    count = len(powers)
    chosen = [i * (len(points) - 1) // count for i in range(count + 1)]
    best: list[Decimal] = []
    for _ in range(30):
        rows = [[points[c] ** p for p in powers] + [(-1) ** k / weights[c], values[c]] for k, c in enumerate(chosen)]
        *best, level = solve(rows)
        poly = series([Decimal(0)] * powers.start + best)
        errors = [(poly(z) - v) * w for z, v, w in zip(points, values, weights)]
        # One extremum of each run of equal signs.
        runs: list[int] = []
        for i, error in enumerate(errors):
            if runs and (errors[runs[-1]] >= 0) == (error >= 0):
                if abs(error) > abs(errors[runs[-1]]):
                    runs[-1] = i
            else:
                runs.append(i)
        while len(runs) > count + 1:
            del runs[0 if abs(errors[runs[0]]) < abs(errors[runs[-1]]) else -1]
        if len(runs) < count + 1 or runs == chosen:
            break
        chosen = runs
        if max(abs(errors[r]) for r in runs) < abs(level) * Decimal("1.0001"):
            break
    return best


def coefficients(want: Wanted, double: bool) -> tuple[list[Decimal], float]:
    count = want.doubles if double else want.singles
    size = 40 * count
    middle, half = (want.low + want.high) / 2, (want.high - want.low) / 2
    points = sorted(middle + half * Decimal(math.cos(math.pi * i / size)) for i in range(size + 1))
    points = [min(max(p, want.low), want.high) for p in points]
    if want.low < 0:
        points = [p for p in points if abs(p) > Decimal("1e-6")]
    exact = [want.function(p) for p in points]
    weights = [want.weight(p) for p in points]
    out: list[Decimal] = []
    if want.at_once:
        out = [rounded(value, double) for value in remez(points, exact, weights, range(count))]
    for n in range(len(out), count):
        poly = series(out)
        rest = [v - poly(p) for p, v in zip(points, exact)]
        fitted = remez(points, rest, weights, range(n, count))
        out.append(rounded(fitted[0], double))
    poly = series(out)
    error = max(abs((poly(p) - v) * w) for p, v, w in zip(points, exact, weights))
    return out, float(error.ln() / Decimal(2).ln())


def shortened(value: Decimal) -> str:
    """Hexadecimal, without zeros at the end."""
    digits, exponent = float(value).hex().split("p")
    return f"{digits.rstrip('0')}p{int(exponent)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="of the polynomials; all when there are none")
    options = parser.parse_args()
    for want in wanted():
        if options.names and want.name not in options.names:
            continue
        for double in (False, True) if want.singles else (True,):
            values, error = coefficients(want, double)
            kind = "" if not want.singles else "Doubles" if double else "Singles"
            row = f"inline constexpr double k{want.name}{kind}[] = {{{', '.join(shortened(v) for v in values)}}};  // 2**{error:.1f}"
            print(row, flush=True)
    if not options.names or "LogTable" in options.names:
        for part in ("inverse", "high", "low"):
            values = ", ".join(shortened(getattr(row, part)) for row in log_table())
            print(f"inline constexpr double kLog{part.title()}[] = {{{values}}};")


if __name__ == "__main__":
    main()
