"""A seed and a duration, from the environment."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import pytest
from stress_run import Stress


@pytest.fixture
def stress() -> Iterator[Stress]:
    """A run of QD_STRESS_SECONDS (16 without) from QD_STRESS_SEED (a new one each time without); the seed is printed when the test fails."""
    seed = int(os.environ.get("QD_STRESS_SEED") or random.SystemRandom().randrange(1 << 31))
    run = Stress(seed, float(os.environ.get("QD_STRESS_SECONDS") or 16))
    print(f"QD_STRESS_SEED={seed}")
    yield run
    for child in run.children:
        run.kill(child)
        child.communicate()
