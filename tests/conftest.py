"""Lets every Python test run the programs and the package of this checkout's build (or of the build folder that QD_BUILD names)."""

from __future__ import annotations

import atexit
import compileall
import gc
import os
import shutil
import signal
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from slow_tests import LIST, is_slow

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("QD_BUILD") or ROOT / "build" / "release").resolve()

os.environ.setdefault("QD_COV_CACHE", "0")  # tests neither see nor leave analyses of other runs; test_cache.py has a cache of its own
if "QD_OFFLINE_CACHE_FILE_PATH" not in os.environ:  # workers of pytest-xdist share the first process's
    _cache = tempfile.mkdtemp(prefix="qd-tests-")
    os.environ["QD_OFFLINE_CACHE_FILE_PATH"] = _cache
    atexit.register(shutil.rmtree, _cache, ignore_errors=True)
os.environ["PATH"] = os.pathsep.join([str(BUILD / "cli"), str(Path(sys.executable).parent), os.environ.get("PATH", "")])
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(BUILD / "python"), os.environ.get("PYTHONPATH", "")]))
sys.path.insert(0, str(BUILD / "python"))
if "PYTEST_XDIST_WORKER" not in os.environ:
    # Byte code of the package: with PYTHONDONTWRITEBYTECODE, each of the tests' thousands of processes would compile it anew, in 0.15 seconds.
    compileall.compile_dir(BUILD / "python", quiet=2)
# Byte code of the tests' modules, which pytest rewrites for their asserts: that takes 10 seconds for all of them, in each worker of each run.
_writes_byte_code = not sys.dont_write_bytecode
sys.dont_write_bytecode = False

# A job in the background of a script ignores interrupts, and so do all programs that it starts: tests that interrupt them would wait forever.
for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGQUIT, signal.SIG_DFL), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, usual)

# Projects have tests of their own, which need their own settings: tests/python/test_sample_project.py and others run them.
collect_ignore = ["projects"]


CASES_OF_QUICK = 3  # of each test, evenly spread
SLOW_TESTS = set(LIST.read_text().split())


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help=f"no test of slow_tests.txt, {CASES_OF_QUICK} cases of each other one")


def pytest_collection_finish() -> None:
    gc.freeze()  # thousands of tests, which each collection of garbage would look through, a fifth of a second long
    sys.dont_write_bytecode = not _writes_byte_code  # modules that tests write and import may change twice in a second


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out tests of no device in runs on other devices than the CPU: they would do there what they have done here. With --quick also slow
    tests, and cases of a parametrised test between the first, one in the middle and the last."""
    if "cpu" not in BACK_ENDS:
        leave_out(config, items, [item for item in items if isinstance(item, pytest.Function) and not DEVICE_FIXTURES & {*item.fixturenames}])
    if not config.getoption("--quick"):
        return
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        test = item.nodeid.partition("[")[0]
        if not is_slow(test.removeprefix("tests/"), SLOW_TESTS):
            cases.setdefault(test, []).append(item)
    kept = set()
    for same in cases.values():
        wanted = min(CASES_OF_QUICK, len(same))
        kept.update(same[round(i * (len(same) - 1) / max(1, wanted - 1))] for i in range(wanted))
    leave_out(config, items, [item for item in items if item not in kept])


def leave_out(config: pytest.Config, items: list[pytest.Item], out: list[pytest.Item]) -> None:
    """Takes items out of a run."""
    config.hook.pytest_deselected(items=out)
    gone = {*out}
    items[:] = [item for item in items if item not in gone]


# The back ends that the device-independent tests run on: a new one is a name more here, or in QD_TEST_BACK_ENDS for a run. Tests take one of the
# fixtures below and never a name, so that they need no change; tests/architecture/test_device_tests.py looks for names in tests/device.
BACK_ENDS = os.environ.get("QD_TEST_BACK_ENDS", "cpu").split(",")
DEVICE_FIXTURES = {"back_end_name", "arch"}
# The same and arch=qd.python, which needs no second run beside another back end than the CPU.
ARCHS = [*BACK_ENDS, "python"] if "cpu" in BACK_ENDS else BACK_ENDS


def skip_without(name: str) -> None:
    """Skips the test where there is no such device."""
    from qdcov._start import why_not

    if reason := why_not(name):
        pytest.skip(reason)


def started(name: str) -> Iterator[str]:
    """A fresh program on an architecture, for one test."""
    import qd

    skip_without(name)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        qd.init(arch=name, log_level="error", fast_math=False)
        yield name
    qd.reset()


@pytest.fixture(scope="session", params=BACK_ENDS)
def back_end_name(request: pytest.FixtureRequest) -> str:
    """Each architecture that compiles, for tests whose programs run in processes of their own."""
    skip_without(request.param)
    return str(request.param)


@pytest.fixture
def on_back_end(back_end_name: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each architecture that compiles, for tests whose programs ask for none: the environment does."""
    monkeypatch.setenv("QD_ARCH", back_end_name)
    return back_end_name


@pytest.fixture
def back_end(back_end_name: str) -> Iterator[str]:
    """A fresh program on each architecture that compiles."""
    yield from started(back_end_name)


@pytest.fixture(params=ARCHS)
def arch(request: pytest.FixtureRequest) -> Iterator[str]:
    """A fresh program on each architecture, arch=qd.python too."""
    yield from started(request.param)


@pytest.fixture
def on_each(back_end: str) -> Callable[[Callable[[], Any]], list[Any]]:
    """The results of a call on a back end, and on arch=qd.python."""
    import qd

    def run(call: Callable[[], Any]) -> list[Any]:
        got = []
        for name in (back_end, "python"):
            qd.init(arch=name, log_level="error", fast_math=False, cpu_max_num_threads=2)
            got.append(call())
        return got

    return run


@pytest.fixture(scope="session")
def plugin_path(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder for PYTHONPATH: the plugin's metadata, as installing qd-cov leaves it. A second one, of the virtual environment, does no harm."""
    folder = tmp_path_factory.mktemp("installed")
    metadata = folder / "qd_cov-0.1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: qd-cov\nVersion: 0.1.0\n")
    (metadata / "entry_points.txt").write_text("[pytest11]\nqd-cov = qd_pytest_plugin\n")
    return str(folder)
