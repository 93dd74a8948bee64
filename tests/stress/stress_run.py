"""Parts common to all stress tests: a seed, a clock, and children that may be killed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from pathlib import Path


class Stress:
    """One run: a source of chance, a clock, and the processes that were started."""

    def __init__(self, seed: int, seconds: float) -> None:
        self.seed = seed
        self.random = random.Random(seed)
        self.end = time.monotonic() + seconds
        self.children: list[subprocess.Popen[str]] = []

    def goes_on(self) -> bool:
        """Whether there is time left."""
        return time.monotonic() < self.end

    def start(self, folder: Path, *command: str, **environment: str) -> subprocess.Popen[str]:
        """Starts a process, in a session of its own, so that it can be killed with its children."""
        child = subprocess.Popen(
            command,
            cwd=folder,
            env=os.environ | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        self.children.append(child)
        return child

    def kill(self, child: subprocess.Popen[str]) -> None:
        """Kills a process that was started here, and its children."""
        if child.poll() is None:
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
