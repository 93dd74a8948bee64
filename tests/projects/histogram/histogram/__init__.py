"""Histograms of samples."""

from histogram.counts import count, quantile

__all__ = ["count", "quantile"]
