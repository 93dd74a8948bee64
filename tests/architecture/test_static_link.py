"""ci/static: functions of newer glibc as they are on an older one, and the checks of what a wheel's binaries need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "ci" / "static"
sys.path.insert(0, str(STATIC))
import link  # noqa: E402

# The program's own functions come before glibc's; that glibc has one is not seen.
HEAD = f"""
#include <dlfcn.h>
#define dlsym(handle, name) static_cast<void*>(nullptr)
#include "{STATIC}/newer_glibc.cpp"
"""
WAITS = r"""
#include <cstdio>
#include <cstring>

int main() {
  constexpr clockid_t kClocks[] = {CLOCK_MONOTONIC, CLOCK_REALTIME};
  for (clockid_t clock : kClocks) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    struct timespec begin, until, end;
    clock_gettime(clock, &begin);
    until = begin;
    until.tv_nsec += 150'000'000;
    until.tv_sec += until.tv_nsec / 1'000'000'000;
    until.tv_nsec %= 1'000'000'000;
    pthread_mutex_lock(&mutex);
    int result = 0;
    while (result == 0) result = pthread_cond_clockwait(&condition, &mutex, clock, &until);
    clock_gettime(clock, &end);
    const double waited = double(end.tv_sec - begin.tv_sec) + double(end.tv_nsec - begin.tv_nsec) / 1e9;
    std::printf("%d %d\n", result == ETIMEDOUT, waited > 0.14 && waited < 10);
  }
  unsigned char bytes[1000] = {}, zeros[8] = {};
  arc4random_buf(bytes, sizeof bytes);
  std::printf("%d %d\n", std::memcmp(bytes + 992, zeros, 8) != 0, arc4random() != arc4random());
  void* block = std::malloc(100000);
  std::printf("%d\n", mallinfo2().uordblks >= 100000);
  std::free(block);
}
"""


def test_functions_of_newer_glibc(tmp_path: Path) -> None:
    source = tmp_path / "waits.cpp"
    source.write_text(HEAD + WAITS)
    subprocess.run(["c++", "-std=c++20", "-w", str(source), "-o", str(tmp_path / "waits")], check=True)
    done = subprocess.run([tmp_path / "waits"], check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["1", "1", "1", "1", "1", "1", "1"]


@pytest.fixture
def library(tmp_path: Path) -> Path:
    source = tmp_path / "module.c"
    source.write_text("int nobody_has_this(void); int Py_IsInitialized(void); int call(void) { return nobody_has_this() + Py_IsInitialized(); }\n")
    subprocess.run(["cc", "-fPIC", "-c", str(source), "-o", str(tmp_path / "module.o")], check=True)
    subprocess.run(["ar", "rc", str(tmp_path / "libmodule.a"), str(tmp_path / "module.o")], check=True)
    subprocess.run(["cc", "-shared", str(tmp_path / "module.o"), "-o", str(tmp_path / "module.so")], check=True)
    return tmp_path


def test_a_missing_function_is_found_with_its_callers(library: Path) -> None:
    assert link.undefined(str(library / "module.so")) == ["nobody_has_this"]
    assert link.callers("nobody_has_this", [str(library / "libmodule.a")]) == f"{library}/libmodule.a:module.o"


def test_a_copy_of_a_variable_is_found(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text("extern char** environ; int main(void) { return environ == 0; }\n")
    for option, copied in ("-fno-pic", ["environ"]), ("-fPIC", []):
        subprocess.run(["cc", option, "-no-pie", str(source), "-o", str(tmp_path / "program")], check=True)
        assert [name for name in link.copied(str(tmp_path / "program")) if name.strip("_") == "environ"] in (copied, ["__environ"] * len(copied))
