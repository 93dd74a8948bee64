"""A program with hundreds of kernels, some of them large: time and memory of a start from an empty cache and from a full one, here and in Quadrants.

    .venv-genesis/bin/python tests/bench/scale_speed.py [--kernels 500] [--largest 3000] [--rounds 1] [--only here|Quadrants]

The program is made up: kernels of 10 to 120 lines over arrays, with calls of funcs, branches and loops, and a few large ones, up to LARGEST lines
after inlining. Each process imports it, calls every kernel once and prints the sum of its arrays, which must be the same in both. Columns: seconds
of the first calls, and the memory that they add to that of the import (MiB), both as here / Quadrants."""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

RUNTIME = Path(__file__).parents[2] / "build/release/python"
LINES_OF_A_FUNC = 25

HEAD = """\
import json, resource, time
import numpy as np
import quadrants as qd
qd.init(arch=qd.cpu, random_seed=1)
A = qd.types.ndarray(dtype=qd.f32, ndim=1)
"""
MAIN = """\
def memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
arrays = [np.linspace(0.1, 1.0, 64, dtype=np.float32) for _ in range(3)]
before = memory()
begin = time.perf_counter()
for kernel in KERNELS:
    kernel(*arrays)
print(json.dumps({"seconds": time.perf_counter() - begin, "MiB": memory() - before, "sum": float(sum(a.sum() for a in arrays))}))
"""


def lines(random_: random.Random, count: int, names: list[str], indent: str) -> list[str]:
    """Statements on local floats, whose values stay between -2 and 2."""
    made = []
    while len(made) < count:
        x, y, z = (random_.choice(names) for _ in range(3))
        kind = random_.randrange(8)
        if kind < 4:
            made.append(f"{x} = {random_.choice(['qd.sin', 'qd.cos', 'qd.tanh'])}({y} * {random_.randrange(1, 9)}.0 + {z})")
        elif kind == 4:
            made.append(f"{x} = qd.max(qd.min({y}, 1.0), {z} - 1.0) * 0.5")
        elif kind == 5:
            made.append(f"{x} = qd.sqrt(qd.abs({y} * {z}) + 0.01) * 0.7")
        elif kind == 6:
            made += [f"if {x} > {y}:", f"    {x} = {y} * 0.5", "else:", f"    {z} = {x} * 0.25"]
        else:
            made += [f"for _ in range({random_.randrange(2, 9)}):", f"    {x} = {x} * 0.9 + {y} * 0.1"]
    return [indent + line for line in made]


def program(kernels: int, largest: int) -> str:
    random_ = random.Random(7)
    names = ["u", "v", "w"]
    text = [HEAD]
    for i in range(20):
        text += ["@qd.func", f"def f{i}(u, v, w):", *lines(random_, LINES_OF_A_FUNC, names, "    "), "    return u * 0.5 + v * 0.25 + w * 0.125", ""]
    for i in range(kernels):
        size = max(10, largest // 2**i) if i < 5 else random_.choice((10, 20, 40, 80, 120))
        text += ["@qd.kernel", f"def k{i}(a: A, b: A, c: A):", "    for i in a:", "        u, v, w = a[i], b[i], c[i]"]
        calls = size // (2 * LINES_OF_A_FUNC)
        text += lines(random_, max(4, size - calls * LINES_OF_A_FUNC) // (1 if calls < 2 else 4), names, "        ")
        for _ in range(calls if calls < 2 else (size - size // 4) // LINES_OF_A_FUNC):
            text.append(f"        {random_.choice(names)} = f{random_.randrange(20)}(u, v, w)")
        text += ["        a[i] = u", "        b[i] = v", "        c[i] = w", ""]
    text += [f"KERNELS = [{', '.join(f'k{i}' for i in range(kernels))}]", MAIN]
    return "\n".join(text)


def run(folder: Path, ours: bool) -> dict[str, Any]:
    cache = folder / ("here" if ours else "quadrants")
    cache.mkdir(exist_ok=True)
    environment = {**os.environ, "QD_OFFLINE_CACHE_FILE_PATH": str(cache)}
    command = [sys.executable, "program.py"]
    if ours:
        environment["PYTHONPATH"] = str(RUNTIME)
        command[1:1] = ["-m", "qd.compat", "quadrants"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=folder)
    if done.returncode:
        raise SystemExit(done.stdout[-2000:] + done.stderr[-2000:])
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernels", type=int, default=500)
    parser.add_argument("--largest", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=1, help="starts from the full cache")
    parser.add_argument("--only", choices=("here", "Quadrants"))
    given = parser.parse_args()
    kinds = [given.only] if given.only else ["here", "Quadrants"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "program.py").write_text(program(given.kernels, given.largest))
        sums = set()
        for start in ("cold", "full cache"):
            found = {kind: [run(folder, kind == "here") for _ in range(1 if start == "cold" else given.rounds)] for kind in kinds}
            sums |= {round(result["sum"], 2) for results in found.values() for result in results}
            cells = []
            for part, digits in (("seconds", 1 if start == "cold" else 2), ("MiB", 0)):
                numbers = [statistics.median(result[part] for result in found[kind]) for kind in kinds]
                ratio = f" ({numbers[0] / numbers[-1]:.2f})" if len(kinds) == 2 else ""
                cells.append(" / ".join(f"{number:.{digits}f}" for number in numbers) + f" {part}{ratio}")
            print(f"{start:11} " + ", ".join(cells), flush=True)
        print("sums:", *sorted(sums))


if __name__ == "__main__":
    main()
