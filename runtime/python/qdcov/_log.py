"""Output of kernels, and messages of the runtime by level."""

from __future__ import annotations

import sys
import warnings

TRACE, DEBUG, INFO, WARN, ERROR, CRITICAL = LEVELS = ("trace", "debug", "info", "warn", "error", "critical")
"""The levels, from the most messages to the least."""


class _Level:
    """The level in force: that of the last qd.init or qd.set_logging_level."""

    least = INFO


def set_logging_level(level: str) -> None:
    """Sets the least level of messages that are written: "trace", "debug", "info", "warn", "error" or "critical".
    ``qd.init`` sets the level anew."""
    if level not in LEVELS:
        raise ValueError(f"the logging level is one of {', '.join(LEVELS)}, not {level!r}")
    _Level.least = level


def is_logging_effective(level: str) -> bool:
    """Whether messages of a level are written."""
    if level not in LEVELS:
        raise ValueError(f"the logging level is one of {', '.join(LEVELS)}, not {level!r}")
    return LEVELS.index(level) >= LEVELS.index(_Level.least)


def show(text: str) -> None:
    """Prints the output of kernels."""
    sys.stdout.write(text)
    sys.stdout.flush()


def log(message: str, level: str = CRITICAL) -> None:
    """Writes a message of the runtime, on standard error. One without a level is always written."""
    if is_logging_effective(level):
        print(f"[qd] {message}", file=sys.stderr, flush=True)


def deprecated(message: str, file: str, line: int) -> None:
    """Warns of a kernel that uses a name that has a newer one."""
    warnings.warn_explicit(message, DeprecationWarning, file, line)
