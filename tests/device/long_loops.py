"""Rounds that the loops of an iteration may have: the drivers of some devices end long ones, which is an error of the launch."""

from __future__ import annotations

import pytest
import qd

ROUNDS = 100_000
ENDED = r"ends the loops of the iterations that it runs side by side after \d+ rounds in all, and the launch wanted more"


@qd.kernel
def rounds_of(n: qd.i32) -> qd.i32:
    done = 0
    while done < n:
        done += 1
    return done


def needed() -> None:
    """Skips a test where the driver ends long loops."""
    try:
        assert rounds_of(ROUNDS) == ROUNDS
    except qd.KernelRuntimeError as error:
        if "ends the loops" not in str(error):
            raise
        pytest.skip(str(error))
