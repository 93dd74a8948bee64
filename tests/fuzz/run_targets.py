"""Runs fuzz targets, two at a time, and prints a table of the results.

Usage: run_targets.py BUILD MINUTES [TARGET...]. The options of a target are those of the line "// Run:" at the head of its source. Inputs that reach
new edges are kept in BUILD/found/TARGET, where the next run goes on; inputs that end a target are in BUILD/crashes. Exit status 1 when there
is such an input."""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
AT_ONCE = 2


@dataclass
class Outcome:
    """The result of one run of libFuzzer."""

    target: str
    executions: int
    edges: int
    failed: bool
    log: Path


def options_of(target: str) -> list[str]:
    """Options that the target's source names."""
    found = re.search(r"^// Run: \S+ (.*)$", (FOLDER / f"{target}.cpp").read_text(), re.MULTILINE)
    return [word for word in found[1].split() if word.startswith("-")] if found else []


def run(build: Path, target: str, seconds: int) -> Outcome:
    """One target for so many seconds."""
    name = target.removeprefix("fuzz_")
    found, crashes, log = build / "found" / name, build / "crashes", build / f"{target}.log"
    found.mkdir(parents=True, exist_ok=True)
    crashes.mkdir(exist_ok=True)
    seeds = [str(folder) for folder in (FOLDER / "corpus" / name, build / "corpora" / name) if folder.is_dir()]
    limits = [f"-max_total_time={seconds}", "-timeout=60", "-rss_limit_mb=4096", "-print_final_stats=1", f"-artifact_prefix={crashes}/{target}-"]
    command = [str(build / "tests" / "fuzz" / target), *limits, *options_of(target), str(found), *seeds]
    # Allocations that cannot be are an error of the input, which targets have to take.
    settings = {**os.environ, "ASAN_OPTIONS": "allocator_may_return_null=0:detect_leaks=1", "UBSAN_OPTIONS": "print_stacktrace=1"}
    with log.open("w") as out:
        code = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, env=settings, check=False).returncode
    text = log.read_text(errors="replace")
    executions = re.findall(r"stat::number_of_executed_units: (\d+)", text) or re.findall(r"^#(\d+)", text, re.MULTILINE)
    edges = re.findall(r" cov: (\d+)", text)
    return Outcome(target, int(executions[-1]) if executions else 0, int(edges[-1]) if edges else 0, code != 0, log)


def main() -> int:
    """Runs all targets that are built, or those that are named."""
    build = Path(sys.argv[1])
    targets = sys.argv[3:] or sorted(file.stem for file in FOLDER.glob("fuzz_*.cpp"))
    seconds = max(1, int(float(sys.argv[2]) * 60 * AT_ONCE / len(targets)))
    print(f"{len(targets)} targets, {seconds} s each")
    print(f"{'Target':<20}{'Executions':>12}{'a second':>10}{'Edges':>8}")
    outcomes = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for outcome in pool.map(lambda target: run(build, target, seconds), targets):
            outcomes.append(outcome)
            note = f"  FAILED: {outcome.log}" if outcome.failed else ""
            print(f"{outcome.target:<20}{outcome.executions:>12,}{outcome.executions // seconds:>10,}{outcome.edges:>8,}{note}", flush=True)
    n_failed = sum(outcome.failed for outcome in outcomes)
    print(f"{sum(outcome.executions for outcome in outcomes):,} executions; {n_failed} of {len(outcomes)} targets failed")
    return 1 if n_failed else 0


if __name__ == "__main__":
    sys.exit(main())
