"""More prints than a device has room for: those that it tells are whole and in order of their room, and the others are counted."""

from __future__ import annotations

import re

import pytest
import qd

COUNT = 60_000
"""With two values each, more than a GPU's memory for messages holds, which is no multiple of their size."""


@qd.kernel
def tell(n: qd.i32):
    for i in range(n):
        print("told", i, 3 * i)


def test_prints_without_room_are_counted(back_end: str, capfd: pytest.CaptureFixture[str]) -> None:
    qd.init(arch=back_end)
    tell(COUNT)
    qd.sync()
    out, err = capfd.readouterr()
    pairs = [tuple(map(int, text)) for text in re.findall(r"^told (\d+) (\d+)$", out, re.MULTILINE)]
    assert len(pairs) == out.count("told") == len(set(pairs))
    assert all(tripled == 3 * i and 0 <= i < COUNT for i, tripled in pairs)
    lost = re.findall(r"kernel tell: (\d+) more messages were lost, because the device had no room for them", err + out)
    assert len(pairs) + sum(map(int, lost)) == COUNT
    # The next launch has all of the room again.
    tell(10)
    qd.sync()
    out, err = capfd.readouterr()
    assert out.count("told") == 10 and "lost" not in out + err
