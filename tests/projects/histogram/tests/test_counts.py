import numpy as np
from histogram import count, quantile


def test_count():
    assert count([0.1, 0.1, 0.9, 2.0], 0.0, 1.0, 2).tolist() == [2, 1]


def test_samples_without_a_value_do_not_count():
    assert count([np.nan, 0.5], 0.0, 1.0, 1).tolist() == [1]


def test_quantile():
    assert quantile(np.array([1, 1, 2]), 0.5) == 1
