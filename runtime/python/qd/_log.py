"""What kernels print, and what the runtime has to say."""

from __future__ import annotations

import sys


def show(text: str) -> None:
    """What kernels print."""
    sys.stdout.write(text)
    sys.stdout.flush()


def log(message: str) -> None:
    """A warning of the runtime, on standard error."""
    print(f"[qd] {message}", file=sys.stderr, flush=True)
