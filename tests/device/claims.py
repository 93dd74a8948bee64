"""Check of debug mode for elements that blocks side by side use in conflicting ways: devices without the host's memory lack it."""

from __future__ import annotations

import pytest
from qdcov._runtime import State


def needed() -> None:
    running = State.running
    assert running is not None
    if running.native is not None and not running.native.checks_claims():
        pytest.skip("this device does not tell which elements blocks use side by side")
