"""Whether debug mode tells elements that blocks side by side use in ways that do not go together. Devices without a host's memory do not."""

from __future__ import annotations

import pytest
from qd._runtime import State


def needed() -> None:
    running = State.running
    assert running is not None
    if running.native is not None and not running.native.checks_claims():
        pytest.skip("this device does not tell which elements blocks use side by side")
