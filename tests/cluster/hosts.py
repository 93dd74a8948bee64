"""Hosts made of Linux namespaces: each has a name, processes, mounts, a network and a boot id of its own, and sees the files of this machine."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PREPARE = """
set -e
mount --make-rprivate /
hostname "$1"
echo "$2" > "$3/boot_id"
mount --bind "$3/boot_id" /proc/sys/kernel/random/boot_id
[ ! -e "$3/../hosts" ] || mount --bind "$3/../hosts" /etc/hosts
echo ready
exec sleep 100000
"""


def possible() -> bool:
    """Whether this user may make namespaces."""
    try:
        made = subprocess.run(
            ["unshare", "--uts", "--pid", "--mount", "--net", "--fork", "--mount-proc", "hostname", "x"], check=False, capture_output=True
        )
    except OSError:
        return False
    return made.returncode == 0


@dataclass
class Host:
    """A host that runs until the end of its `with` block."""

    name: str
    address: str
    unshare: subprocess.Popen[str]

    @property
    def number(self) -> int:
        """The number, on this machine, of the process that has the host's number 1."""
        return int(Path(f"/proc/{self.unshare.pid}/task/{self.unshare.pid}/children").read_text().split()[0])

    def command(self, *words: str | os.PathLike[str], folder: Path = Path("/")) -> list[str]:
        """The words that run a command on this host, in a folder."""
        enter = ["nsenter", f"--target={self.number}", "--uts", "--pid", "--mount", "--net", "--", "env", "-C", str(folder)]
        return [*enter, *(os.fspath(word) for word in words)]

    def run(
        self, *words: str | os.PathLike[str], folder: Path, check: bool = True, environment: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Runs a command on this host to its end."""
        every = os.environ | (environment or {})
        return subprocess.run(self.command(*words, folder=folder), env=every, capture_output=True, text=True, check=check, timeout=200)

    def start(self, *words: str | os.PathLike[str], folder: Path, environment: dict[str, str] | None = None) -> subprocess.Popen[str]:
        """Starts a command on this host. Its output is read until it has printed a line."""
        every = os.environ | (environment or {})
        process = subprocess.Popen(self.command(*words, folder=folder), env=every, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline()
        return process

    def stop(self) -> None:
        """Ends the host and all of its processes at once, like a power cut."""
        os.kill(self.number, signal.SIGKILL)
        self.unshare.wait()


@contextlib.contextmanager
def hosts(folder: Path, *names: str, network: bool = False) -> Iterator[list[Host]]:
    """Hosts of these names, which may be equal. `folder` is for files of theirs. With a network, they reach each other by name."""
    started: list[Host] = []
    if network:
        lines = [f"10.77.0.{i} {name}\n" for i, name in enumerate(names, 1)]
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "hosts").write_text("127.0.0.1 localhost\n" + "".join(lines))
    try:
        for i, name in enumerate(names, 1):
            own = folder / f"host{i}"
            own.mkdir(parents=True, exist_ok=True)
            command = ["unshare", "--uts", "--pid", "--mount", "--net", "--fork", "--kill-child", "--mount-proc"]
            process = subprocess.Popen([*command, "sh", "-c", PREPARE, "sh", name, str(uuid.uuid4()), str(own)], stdout=subprocess.PIPE, text=True)
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            started.append(Host(name, f"10.77.0.{i}", process))
            subprocess.run(started[-1].command("ip", "link", "set", "lo", "up"), check=True)
        if network:
            _connect(started)
        yield started
    finally:
        for host in started:
            host.unshare.kill()  # --kill-child ends the host
            host.unshare.wait()


def _connect(started: list[Host]) -> None:
    """Connects the hosts by a bridge on the first of them."""

    def ip(host: Host, words: str) -> None:
        # Outside of the host's process numbers: `netns` takes those of this machine.
        subprocess.run(["nsenter", f"--net=/proc/{host.number}/ns/net", "ip", *words.split()], check=True)

    first = started[0]
    for words in ("link add bridge type bridge", "addr add 10.77.0.1/24 dev bridge", "link set bridge up"):
        ip(first, words)
    for i, host in enumerate(started[1:], 2):
        ip(first, f"link add port{i} type veth peer name eth0 netns {host.number}")
        ip(first, f"link set port{i} master bridge up")
        ip(host, f"addr add {host.address}/24 dev eth0")
        ip(host, "link set eth0 up")
