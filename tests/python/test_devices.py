"""qd.devices, qd.init(device=...) and `qd-cov debug devices`: the list of devices, and errors that contain it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import qd
from qdcov._start import why_not

NO_VULKAN = why_not("vulkan")


def test_the_cpu_is_one_device() -> None:
    (cpu,) = (device for device in qd.devices() if device.arch == "cpu")
    models = re.findall(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    assert not models or cpu.name == models[0]
    assert (cpu.index, cpu.type, cpu.lacks) == (0, "cpu", "")
    assert cpu.memory == os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    assert {"f16", "f64", "i64", "recursion"} <= set(cpu.features)


@pytest.mark.skipif(bool(NO_VULKAN), reason=NO_VULKAN)
def test_each_device_can_be_chosen() -> None:
    for device in qd.devices():
        for wanted in (device.index, str(device.index), device.name, device.name[2:9].upper()):
            qd.init(arch=device.arch, device=wanted, log_level="error")
            assert str(qd.cfg.arch) == device.arch
    qd.reset()


@pytest.mark.skipif(bool(NO_VULKAN), reason=NO_VULKAN)
def test_vulkan_devices() -> None:
    devices = [device for device in qd.devices() if device.arch == "vulkan"]
    assert [device.index for device in devices] == list(range(len(devices)))
    for device in devices:
        assert device.name and device.driver and device.memory > 0
        assert re.fullmatch(r"1\.\d+\.\d+", device.api)
        assert device.lacks or device.features


ARCHS = ["cpu", pytest.param("vulkan", marks=pytest.mark.skipif(bool(NO_VULKAN), reason=NO_VULKAN))]


@pytest.mark.parametrize("arch", ARCHS)
@pytest.mark.parametrize(
    ("wanted", "error"), [(99, "there is no device 99"), ("abacus", "no device has 'abacus' in its name"), (10**30, "there is no device 1000")]
)
def test_a_device_that_is_not_there(arch: str, wanted: int | str, error: str) -> None:
    """No fallback: a program that names a device does not want another one. The error lists those that there are."""
    first = next(device for device in qd.devices() if device.arch == arch)
    with pytest.raises(RuntimeError, match=rf"{error}\d*; there (is|are) 0: {re.escape(first.name)}"):
        qd.init(arch=arch, device=wanted)
    qd.init(arch=arch, log_level="error")
    qd.reset()


def test_archs_without_devices() -> None:
    for arch in ("python", "reference"):
        with pytest.raises(RuntimeError, match=f"arch={arch} has no devices to choose from"):
            qd.init(arch=arch, device=0)


def test_the_first_arch_that_has_the_device() -> None:
    (cpu,) = (device for device in qd.devices() if device.arch == "cpu")
    qd.init(arch=[qd.cuda, qd.vulkan, qd.cpu], device=cpu.name, log_level="error")
    assert qd.cfg.arch == qd.cpu
    qd.reset()


@pytest.mark.parametrize("wanted", [-1, "", "  ", "a\0b"])
def test_values_that_name_no_device(wanted: object) -> None:
    with pytest.raises(ValueError, match="device must be a number from 0 on, or a part of a name"):
        qd.init(device=wanted)


@pytest.mark.parametrize("wanted", [True, 1.0, b"x", ["0"]])
def test_values_of_other_types(wanted: object) -> None:
    with pytest.raises(TypeError, match="device must be a number or a part of a name"):
        qd.init(device=wanted)


@pytest.mark.skipif(bool(NO_VULKAN), reason=NO_VULKAN)
def test_an_argument_comes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QD_VISIBLE_DEVICE", "abacus")
    qd.init(arch=qd.vulkan, device=0, log_level="error")
    qd.reset()
    with pytest.raises(RuntimeError, match=r"no device has 'abacus' in its name; there .*\(QD_VISIBLE_DEVICE\)"):
        qd.init(arch=qd.vulkan, enable_fallback=False)


def listing(**environment: str) -> str:
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "VIRTUAL_ENV": "", **environment}
    program = Path(os.environ.get("QD_BUILD") or Path(__file__).resolve().parents[2] / "build/release") / "cli/qd-cov"
    return subprocess.run([program, "debug", "devices"], env=env, capture_output=True, text=True, check=True).stdout


def test_debug_devices() -> None:
    text = listing()
    for device in qd.devices():
        assert re.search(rf"^ +{device.arch} {device.index}: {re.escape(device.name)}$", text, re.MULTILINE)
        assert device.driver in text


@pytest.mark.skipif("vulkan" not in {str(device.arch) for device in qd.devices()}, reason=NO_VULKAN)
def test_debug_devices_without_a_driver() -> None:
    text = listing(VK_ICD_FILENAMES="/nowhere", VK_DRIVER_FILES="/nowhere")
    assert re.search(r"^ +vulkan: vulkan not available: there is no (driver|device)$", text, re.MULTILINE)
    assert re.search(r"^ +cpu 0: ", text, re.MULTILINE)


@pytest.mark.parametrize("name", ["list", "text"])
def test_a_gpu_is_no_driver_that_runs_on_the_processor(name: str, recwarn: pytest.WarningsRecorder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs that ask for a GPU where there is none run on the CPU. Those that name Vulkan, or a device of it, get such a driver."""
    monkeypatch.delenv("QD_VISIBLE_DEVICE", raising=False)
    gpu = qd.gpu if name == "list" else "gpu"
    there_is_one = any(device.arch != "cpu" and device.type not in ("", "cpu") and not device.lacks for device in qd.devices())
    qd.init(arch=gpu, log_level="error")
    assert (qd.cfg.arch == qd.cpu) == (not there_is_one)
    told = [str(warning.message) for warning in recwarn]
    if not there_is_one:
        (warning,) = told
        assert ("cuda not available: " in warning or warning.startswith("Arch=cuda")) and warning.endswith("; falling back to cpu")
        if not NO_VULKAN:
            first = next(device for device in qd.devices() if device.arch == "vulkan")
            assert f"; vulkan has no GPU, but {first.name}" in warning and "arch=qd.vulkan takes it" in warning
            for named in ({"arch": "vulkan"}, {"arch": gpu, "device": first.name}, {"arch": [qd.cuda, qd.vulkan]}):
                qd.init(**named, log_level="error")
                assert qd.cfg.arch == qd.vulkan
    qd.reset()
