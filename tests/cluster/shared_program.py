"""A program with a kernel that hosts run in a folder of theirs: its words are the steps that a process takes."""

from __future__ import annotations

PROGRAM = """
import sys
import time

import qd


@qd.kernel
def sign(x: qd.i32) -> qd.i32:
    result = 0
    if x < 0:
        result = -1
    else:
        result = 1
    return result


qd.init(log_level="error")
for word in sys.argv[1:] if __name__ == "__main__" else []:
    if word == "negative":
        assert sign(-3) == -1
    elif word == "positive":
        assert sign(3) == 1
    elif word == "tell":
        print("so far", flush=True)
    elif word == "read":
        sys.stdin.readline()
    else:
        time.sleep(1000)
"""
NEGATIVE = {10, 11, 12, 15}
POSITIVE = {10, 11, 14, 15}
HOST = {20, 21}
"""Lines of the loop that a process with `negative` takes."""
