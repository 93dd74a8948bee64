"""Every public name of the language's other implementations is one of ours, or stands in missing_names.txt with the reason.

names.txt has their names; QD_UPDATE_PEERS=1 writes it, and QD_PEERS=1 compares it with the installed packages (`ci/setup --peers`)."""

from __future__ import annotations

import fnmatch
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from implementations import PEERS_PYTHON
from recorded_names import PEERS, read_names, write_names

FOLDER = Path(__file__).parent
MISSING = FOLDER / "missing_names.txt"


def names_of(python: str, implementation: str) -> dict[str, list[str]]:
    env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH" or implementation == "qd"}
    command = [python, str(FOLDER / "list_names.py"), implementation]
    result = subprocess.run(command, check=False, env=env, capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr[-3000:]
    found: dict[str, list[str]] = json.loads(result.stdout)
    return found


def full(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name


def reasons() -> dict[str, str]:
    """Patterns of names, and why we have none of these."""
    lines = [line for line in MISSING.read_text().splitlines() if line and not line.startswith("#")]
    return {pattern.strip(): reason.strip() for pattern, _, reason in (line.partition(" -- ") for line in lines)}


def test_public_names_of_the_peers_are_ours_or_have_a_reason() -> None:
    ours = names_of(sys.executable, "qd")
    recorded = read_names()
    theirs = {full(place, name) for peer in PEERS for place, names in recorded[peer].items() for name in names}
    have = {full(place, name) for place, names in ours.items() for name in names}
    known = reasons()
    missing = sorted(theirs - have)
    unexplained = [name for name in missing if not any(fnmatch.fnmatchcase(name, pattern) for pattern in known)]
    assert unexplained == []
    unused = [pattern for pattern, reason in known.items() if not reason or not fnmatch.filter(missing, pattern)]
    assert unused == []


@pytest.mark.skipif(not (os.environ.get("QD_PEERS") or os.environ.get("QD_UPDATE_PEERS")), reason="asks quadrants and taichi: QD_PEERS=1")
def test_recorded_names_are_those_of_the_peers() -> None:
    assert PEERS_PYTHON.exists(), "ci/setup --peers makes the environment of the peers"
    now = {peer: {place: names for place, names in names_of(str(PEERS_PYTHON), peer).items() if names} for peer in PEERS}
    if os.environ.get("QD_UPDATE_PEERS"):
        write_names(now)
    assert read_names() == now
