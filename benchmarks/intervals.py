# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Medians with their intervals. No assumption about how measurements are distributed, and no random numbers."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

LEVEL = 0.95


@dataclass(frozen=True)
class Interval:
    """The median of some values, and where the true one lies with this confidence."""

    median: float
    low: float
    high: float
    confidence: float
    count: int


def median_interval(values: Sequence[float]) -> Interval:
    """From the signs alone: the true median lies between the k-th lowest and k-th highest value unless fewer than k
    of n fair coins show the same side. The narrowest that holds with 95 %; with less than six values, all of them."""
    ordered = sorted(values)
    n = len(ordered)
    if n == 0:
        return Interval(math.nan, math.nan, math.nan, 0.0, 0)
    k = 1
    while 2 * (k + 1) <= n and _confidence(n, k + 1) >= LEVEL:
        k += 1
    return Interval(statistics.median(ordered), ordered[k - 1], ordered[n - k], _confidence(n, k), n)


def _confidence(n: int, k: int) -> float:
    """That the median is between the k-th and the (n+1-k)-th of n ordered values."""
    return max(0.0, 1.0 - 2.0 * sum(math.comb(n, i) for i in range(k)) / 2.0**n)


def ratios(new: Sequence[float], old: Sequence[float]) -> Interval:
    """Of pairs."""
    return median_interval([a / b for a, b in zip(new, old, strict=True) if b])


def differences(new: Sequence[float], old: Sequence[float]) -> Interval:
    """Of pairs."""
    return median_interval([a - b for a, b in zip(new, old, strict=True)])


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which this share lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else math.nan


def slope(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Growth of y with x that a few outliers do not move: the median slope between all pairs of points."""
    slopes = [
        (ys[j] - ys[i]) / (xs[j] - xs[i]) for i in range(len(xs)) for j in range(i + 1, len(xs)) if xs[j] != xs[i]
    ]
    return statistics.median(slopes) if slopes else math.nan
