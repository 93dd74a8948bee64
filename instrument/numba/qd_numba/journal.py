"""Journal of a process: a file of lines, each written at once and behind the others, so that no death of the process takes any of them back.

    qd-cov lines 1
    8e1d07c2 {"kind": "start", "number": ..., "branch": true, "relative_to": "", "writer": {...}}
    5b0a41f7 {"kind": "code", "first": 0, "arch": "numba:cpu", "arguments": "x=float64", "functions": [...], "arcs": [[0, -4, 6], ...]}
    1c22e9aa {"kind": "context", "label": "test_a|run"}
    h00000000b1f0d6

The last line says that the arc with the number 0 was taken. report/data/JOURNAL_LINES.md specifies the file."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import random
import resource
import socket
import string
import struct
import zlib
from typing import Any

MAGIC = b"qd-cov lines 1\n"
PREFIX = "_qd_kcov-journal"
_UNFINISHED = ".qd-cov"
_LOCK_MACHINE = 1
_NO_LOCK = 0
_HIGH = 1000
"""A number from which on programs have hardly any descriptors."""


def hit_line(number: int) -> bytes:
    """The line which says that an arc was taken."""
    text = b"h%08x" % number
    return text + b"%06x\n" % (zlib.crc32(text) & 0xFFFFFF)


def record_line(record: dict[str, Any]) -> bytes:
    """The line of any other record."""
    text = json.dumps(record, separators=(",", ":"), ensure_ascii=True).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


class Journal:
    """The file that this process appends to."""

    def __init__(self, folder: str, branch: bool, relative_to: str) -> None:
        os.makedirs(folder, exist_ok=True)
        word = "".join(random.SystemRandom().choices(string.ascii_letters, k=6))
        host = socket.gethostname().replace(".", "_").replace("/", "_")
        self.path = os.path.join(folder, f"{PREFIX}.{host}.pid{os.getpid()}.X{word}x")
        # Readers take a journal that is not locked for that of a process which has ended.
        unlocked = os.path.join(folder, f"{_UNFINISHED}.{os.getpid()}.{word}.journal")
        self.file = _moved_up(os.open(unlocked, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666))
        self._identity = _identity(self.file)
        try:
            start = {
                "kind": "start",
                "number": random.SystemRandom().getrandbits(63),
                "branch": branch,
                "relative_to": relative_to,
                "writer": _writer(_lock(self.file)),
            }
            self.write(MAGIC + record_line(start))
            os.rename(unlocked, self.path)
        except OSError:
            self.close()
            os.unlink(unlocked)
            raise

    def write(self, lines: bytes) -> None:
        """Appends whole lines."""
        if not self._is_open():
            raise OSError(errno.EBADF, "the program has closed its descriptor")
        while lines:
            lines = lines[os.write(self.file, lines) :]

    def close(self) -> None:
        """Ends the writing: the file is complete."""
        if self._is_open():
            os.close(self.file)
        self.file = -1

    def _is_open(self) -> bool:
        """Whether the descriptor is still that of the journal: a program may close all of them, and open files of its own."""
        try:
            return self.file >= 0 and _identity(self.file) == self._identity
        except OSError:
            return False


def _moved_up(file: int) -> int:
    """A file by a high descriptor: compiled code writes to it, and should the program close it, no file of its own gets the number soon."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    try:
        moved: int = fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, _HIGH if limit == resource.RLIM_INFINITY else min(_HIGH, limit // 2))
    except OSError:
        return file
    os.close(file)
    return moved


def _identity(file: int) -> tuple[int, int]:
    state = os.fstat(file)
    return state.st_dev, state.st_ino


def _lock(file: int) -> int:
    """Locks a file as long as it is open, and says how far that is seen."""
    lock = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
    try:
        fcntl.fcntl(file, fcntl.F_OFD_SETLK, lock)
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EACCES):
            raise
        return _NO_LOCK
    return _LOCK_MACHINE


def _writer(reach: int) -> dict[str, Any]:
    """The mark of this process, by which readers on any machine see whether it still runs."""
    boot, namespace, started = "", 0, 0
    with contextlib.suppress(OSError), open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        boot = file.read().strip()
    with contextlib.suppress(OSError):
        namespace = os.stat("/proc/self/ns/pid").st_ino
    with contextlib.suppress(OSError, ValueError, IndexError), open("/proc/self/stat", encoding="utf-8", errors="replace") as file:
        started = int(file.read().rpartition(")")[2].split()[19])
    return {"host": socket.gethostname(), "boot": boot, "pid_namespace": namespace, "pid": os.getpid(), "started": started, "lock": reach}
