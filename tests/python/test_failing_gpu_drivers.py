"""Drivers of GPUs that fail in every function: nothing hangs, nothing is left behind, and errors name the function."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import hung_programs
import pytest

BUILD = Path(os.environ.get("QD_BUILD") or Path(__file__).resolve().parents[2] / "build/release").resolve()
LIBRARY = BUILD / "tests/simulated_driver/libqd_simulated_gpu.so"

pytestmark = pytest.mark.skipif(not LIBRARY.exists(), reason="the simulated drivers are not built")

# Functions whose failure does no harm: they tell a version for a key, free something, or make a graph of tasks that can be launched without.
HARMLESS = re.compile(
    r"(cu|hip)(DriverGetVersion|CtxPopCurrent|CtxGetCurrent|DevicePrimaryCtxRelease|MemFree|Free|MemFreeHost|HostFree|MemFreeAsync|FreeAsync|MemPoolDestroy"
    r"|MemPoolCreate|MemPoolSetAttribute|StreamDestroy|EventDestroy|ModuleUnload|LinkDestroy"
    r"|StreamBeginCapture|StreamEndCapture|GraphInstantiateWithFlags|GraphDestroy|GraphExecDestroy"
    r"|StreamBeginCaptureToGraph|StreamGetCaptureInfo|StreamUpdateCaptureDependencies|GraphConditionalHandleCreate|GraphAddNode)(_v2)?"
)


@pytest.mark.parametrize("arch", ["cuda", "amdgpu"])
def test_every_call_may_fail(arch: str, tmp_path: Path) -> None:
    variable = {"cuda": "QD_CUDA_DRIVER", "amdgpu": "QD_HIP_DRIVER"}[arch]
    environment = {**os.environ, variable: str(LIBRARY), "QD_OFFLINE_CACHE": "0", "QD_OFFLINE_CACHE_FILE_PATH": str(tmp_path)}
    program = Path(__file__).with_name("gpu_driver_faults.py")
    done = hung_programs.run([sys.executable, program, arch, LIBRARY], env=environment, timeout=200)
    assert done.returncode == 0, done.stderr
    outcomes = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert len(outcomes) > 140 and len({outcome["failure"].partition("=")[0] for outcome in outcomes}) > 40
    wrong = []
    for outcome in outcomes:
        name, _, rest = outcome["failure"].partition("=")
        outcome["left"].pop("context", None)  # the device's context lives until the process ends
        problems = []
        if outcome["seconds"] > 10:
            problems.append("slow")
        if not name:
            problems += [outcome["error"]] if outcome["error"] else []
        elif outcome["error"] and name not in outcome["error"]:
            problems.append("the function is not named")
        elif not outcome["error"] and not HARMLESS.fullmatch(name) and not outcome["failed_in_last_call"] and not outcome["optional"]:
            # Late calls may make a context the current one only to free something. Nothing is left behind then but one piece of the host's memory,
            # which only a context can free, and all of a device that is lost.
            if "CtxPush" in name and int(rest.partition("@")[2]) > 2 and (outcome["left"] in ({}, {"host": 1}) or rest.startswith("700@")):
                continue
            # The second module sets conditions of graphs. Without it, the host reads them.
            if re.fullmatch("cuModule(LoadDataEx|GetFunction)=.@2", outcome["failure"]) and not outcome["left"]:
                continue
            problems.append("nobody was told")
        lost = outcome["lost"] or "the device is lost" in outcome["error"] or rest.startswith("700@")
        if outcome["left"] and not lost and not (HARMLESS.fullmatch(name) and not outcome["error"]):
            problems.append("something is left behind")
        if problems:
            wrong.append((problems, outcome))
    assert not wrong, "\n".join(map(str, wrong))
