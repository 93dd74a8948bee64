"""Our parser against `ast.parse` over the standard library of the running Python, on one core: prints the ratio.

usage: parse_speed.py [path of the program parse_speed]
"""

from __future__ import annotations

import ast
import gc
import os
import subprocess
import sys
import sysconfig
import time
import warnings
from pathlib import Path


def main() -> None:
    """Measure both and print."""
    warnings.simplefilter("ignore")
    root = Path(__file__).resolve().parents[2]
    build = Path(os.environ.get("QD_BUILD", root / "build" / "release"))
    program = sys.argv[1] if len(sys.argv) > 1 else str(build / "tests" / "bench" / "parse_speed")
    stdlib = Path(sysconfig.get_path("stdlib"))
    files = [p for p in sorted(stdlib.rglob("*.py")) if "site-packages" not in p.parts and "dist-packages" not in p.parts]
    sources = []
    for path in files:
        source = path.read_bytes()
        try:
            ast.parse(source)
        except (SyntaxError, ValueError):
            continue
        sources.append((path, source))

    output = subprocess.run([program], input="\n".join(str(p) for p, _ in sources), stdout=subprocess.PIPE, text=True, check=True).stdout
    ours, size, count = output.split()
    best = float("inf")
    gc.disable()
    for _ in range(3):
        start = time.perf_counter()
        for _, source in sources:
            ast.parse(source)
        best = min(best, time.perf_counter() - start)
    megabytes = int(size) / 1e6
    print(f"{count} files, {megabytes:.1f} MB: ast.parse {best:.2f} s, ours {float(ours):.3f} s ({megabytes / float(ours):.0f} MB/s)")
    print(f"ratio {best / float(ours):.1f}")


main()
