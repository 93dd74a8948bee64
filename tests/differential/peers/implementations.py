"""The kernel language's implementations as programs see them: ours, and the peers of the environment that `ci/setup --peers` makes."""

from __future__ import annotations

import os
import pickle
import select
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
PEERS_PYTHON = ROOT / ".venv-peers/bin/python"
SERVER = Path(__file__).with_name("program_server.py")


@dataclass(frozen=True)
class Outcome:
    """The outcome of a program: its value, its error, or the end of its process."""

    value: Any = None
    error: str = ""  # the exception's class, or "crash" or "timeout"
    bases: Sequence[str] = field(default=())
    message: str = ""

    def __str__(self) -> str:
        return f"{self.error}: {self.message.strip()[-600:]}" if self.error else repr(self.value)


class Implementation:
    """A process that runs programs in one implementation. It is started when it is needed, and again after a program has ended it."""

    def __init__(self, name: str, timeout: float = 120, arch: str = "", cache: str = "") -> None:
        """`arch`: of ours, an architecture that takes the place of the one in the program. `cache`: a folder for its offline cache;
        without, it has none."""
        self.name = name
        self.arch = arch
        self.cache = cache
        self.timeout = timeout
        self._process: subprocess.Popen[str] | None = None
        self._errors = tempfile.TemporaryFile("w+")

    def run(self, program: Path) -> Outcome:
        process = self._process or self._start()
        assert process.stdin is not None and process.stdout is not None
        self._errors.seek(0)
        self._errors.truncate()
        process.stdin.write(f"{program}\n")
        process.stdin.flush()
        if not select.select([process.stdout], [], [], self.timeout)[0]:
            self.end()
            return Outcome(error="timeout", message=f"no answer within {self.timeout} s")
        line = process.stdout.readline()
        if not line:
            code = process.wait()
            self.end()
            self._errors.seek(0)
            return Outcome(error="crash", message=f"exit status {code}\n{self._errors.read()[-1500:]}")
        kind, *rest = pickle.loads(bytes.fromhex(line))
        return Outcome(value=rest[0]) if kind == "value" else Outcome(None, *rest)

    def end(self) -> None:
        if self._process is None:
            return
        self._process.kill()
        self._process.communicate()
        self._process = None

    def _start(self) -> subprocess.Popen[str]:
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("TI_", "COV_"))}
        environment |= {"QD_OFFLINE_CACHE": "0", "TI_OFFLINE_CACHE": "0", "QD_LOG_LEVEL": "error", "TI_LOG_LEVEL": "error"}
        if self.cache:
            environment |= {"QD_OFFLINE_CACHE": "1", "TI_OFFLINE_CACHE": "1"}
            environment |= {"QD_OFFLINE_CACHE_FILE_PATH": self.cache, "TI_OFFLINE_CACHE_FILE_PATH": self.cache}
        if self.arch:
            environment["QD_ARCH"] = self.arch
        if self.name != "qd":
            environment.pop("PYTHONPATH", None)
        python = sys.executable if self.name == "qd" else str(PEERS_PYTHON)
        command = [python, str(SERVER), self.name]
        self._process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, text=True)
        return self._process
