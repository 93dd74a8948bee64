"""Generated kernels give the results of the language's other implementations.

QD_PEERS=1 runs it (`ci/setup --peers` installs them); QD_PEER_KERNELS=5000 runs more kernels, and QD_FIRST_SEED=400 others. A kernel that a peer
refuses, or that ends its process, says nothing; most kernels have to say something. `generated_permitted.txt` has the kernels that differ, each with
its reason; a line whose difference is gone fails."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from implementations import PEERS_PYTHON, Implementation
from portable_generator import PortableGenerator
from programs import encoded, same

KERNELS_A_FILE = 25
FIRST = int(os.environ.get("QD_FIRST_SEED", "0"))
PERMITTED = Path(__file__).with_name("generated_permitted.txt")
SEEDS = range(FIRST, FIRST + -(-int(os.environ.get("QD_PEER_KERNELS", "100")) // KERNELS_A_FILE))


def permitted() -> dict[str, str]:
    """Why kernels may give something else than Quadrants, by `seed number`."""
    lines = [line for line in PERMITTED.read_text().splitlines() if line and not line.startswith("#")]
    return {name.strip(): reason.strip() for name, _, reason in (line.partition(" -- ") for line in lines)}


@pytest.mark.skipif(not os.environ.get("QD_PEERS"), reason="asks quadrants and taichi: QD_PEERS=1, after ci/setup --peers")
@pytest.mark.parametrize("seed", SEEDS)
def test_kernels_give_what_they_give_in_quadrants(back_end_name: str, tmp_path: Path, seed: int) -> None:
    assert PEERS_PYTHON.exists(), "ci/setup --peers makes the environment of the peers"
    ours, peer = Implementation("qd", arch=back_end_name), Implementation("quadrants")
    failed, different, compared = [], {}, 0
    for number, text in enumerate(PortableGenerator(seed).programs(KERNELS_A_FILE)):
        path = tmp_path / f"kernel_{number}.py"
        path.write_text(text)
        got, expected = ours.run(path), peer.run(path)
        if got.error:
            failed.append(f"{path}: {got}")
        elif not expected.error:
            compared += 1
            if not same(encoded(got.value), encoded(expected.value)):
                different[f"{seed} {number}"] = f"{path}:\n{got}\n{expected}"
    ours.end()
    peer.end()
    allowed = {name for name in permitted() if name.split()[0] == str(seed)}
    assert failed + [text for name, text in different.items() if name not in allowed] == []
    assert allowed <= different.keys(), "these differences are gone: take the lines out of generated_permitted.txt"
    assert compared > KERNELS_A_FILE // 2


def test_permitted_differences_have_a_kernel_and_a_reason() -> None:
    assert [name for name, reason in permitted().items() if not re.fullmatch(r"\d+ \d+", name) or not reason] == []
