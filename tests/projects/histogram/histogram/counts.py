"""Counting: the loops over samples are compiled."""

import numpy as np
from numba import njit


@njit
def place(value, low, high, n):
    """The bin of a value; -1 below the first one, n above the last one."""
    if value < low:
        return -1
    if value >= high:
        return n
    return int((value - low) / (high - low) * n)


@njit
def add(samples, low, high, counts):
    """Counts samples, and returns the number of those in no bin."""
    outside = 0
    for i in range(samples.size):
        if np.isnan(samples[i]):
            continue
        at = place(samples[i], low, high, counts.size)
        if 0 <= at < counts.size:
            counts[at] += 1
        else:
            outside += 1
    return outside


def count(samples, low, high, n=10):
    """The number of samples in each of `n` bins."""
    counts = np.zeros(n, np.int64)
    add(np.asarray(samples, np.float64), low, high, counts)
    return counts


@njit
def quantile(counts, part):
    """The first bin with which a part of the samples is reached; -1 without samples."""
    total = counts.sum()
    if total == 0:
        return -1
    seen = 0
    for i in range(counts.size):
        seen += counts[i]
        if seen >= part * total:
            return i
    return counts.size - 1
