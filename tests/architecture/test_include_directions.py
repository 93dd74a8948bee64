"""Permitted directions of includes: ARCHITECTURE.md's table, checked on every #include of the tree."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

REPORT = {"runtime/syntax"} | {f"report/{folder}" for folder in ("data", "regex", "config", "inputs", "analysis", "diff", "engine", "gate")}

# The folders of the front end, in the order of their layers: each may include those before it.
FRONTEND_ORDER = [
    f"runtime/frontend/{folder}" for folder in ("constants", "interface", "state", "values", "memory", "expressions", "statements", "functions")
]
FRONTEND = {"runtime/options", "runtime/source", "runtime/syntax", "runtime/ir"}

# Folder -> folders that it may include beside itself. A folder's rule holds for the folders below it, the longest match first.
# "cli/*": the files of cli, not those of the folders below it.
ALLOWED: dict[str, set[str]] = {
    "runtime/build": set(),
    "runtime/source": set(),
    "runtime/syntax": {"runtime/source"},
    "runtime/abi": set(),
    "runtime/options": set(),
    "runtime/ir": {"runtime/source"},
    "runtime/frontend": {"runtime/options", "runtime/syntax", "runtime/ir"},
    **{folder: FRONTEND | set(FRONTEND_ORDER[:i]) for i, folder in enumerate(FRONTEND_ORDER)},
    "runtime/passes": {"runtime/ir", "runtime/abi"},
    "runtime/mathematics": {"runtime/ir"},
    "runtime/autodiff": {"runtime/ir", "runtime/mathematics"},
    "runtime/codegen": {"runtime/options", "runtime/ir", "runtime/passes"},
    "runtime/codegen/llvm": {"runtime/ir", "runtime/codegen"},
    "runtime/codegen/cpu": {"runtime/ir", "runtime/passes", "runtime/mathematics", "runtime/abi", "runtime/build", "runtime/codegen"},
    "runtime/codegen/reference": {"runtime/ir", "runtime/passes", "runtime/build", "runtime/codegen"},
    "runtime/codegen/spirv": {"runtime/ir", "runtime/passes", "runtime/mathematics", "runtime/abi", "runtime/build", "runtime/codegen"},
    "runtime/codegen/gpu": {"runtime/ir", "runtime/passes", "runtime/mathematics", "runtime/abi", "runtime/build", "runtime/codegen"},
    "runtime/codegen/nvptx": {"runtime/ir", "runtime/passes", "runtime/codegen/*", "runtime/codegen/gpu"},
    "runtime/codegen/amdgpu": {"runtime/ir", "runtime/passes", "runtime/codegen/*", "runtime/codegen/gpu"},
    "runtime/device": {"runtime/ir", "runtime/abi", "runtime/codegen"},
    "runtime/device/launches": {"runtime/ir", "runtime/abi", "runtime/device/*"},
    "runtime/device/vulkan": {"runtime/ir", "runtime/abi", "runtime/codegen", "runtime/device/*", "runtime/device/launches"},
    "runtime/device/gpu": {"runtime/ir", "runtime/abi", "runtime/codegen", "runtime/device/*", "runtime/device/launches"},
    "runtime/device/cuda": {"runtime/codegen", "runtime/device/*", "runtime/device/gpu"},
    "runtime/device/hip": {"runtime/codegen", "runtime/device/*", "runtime/device/gpu"},
    "runtime/back_ends": {"runtime/device"},
    "runtime/launch": {
        "runtime/build",
        "runtime/options",
        "runtime/syntax",
        "runtime/abi",
        "runtime/ir",
        "runtime/frontend",
        "runtime/autodiff",
        "runtime/passes",
        "runtime/codegen",
        "runtime/device",
        "runtime/back_ends",
    },
    "runtime/python": {"runtime"},
    "instrument": {"runtime/syntax", "runtime/ir", "runtime/passes", "runtime/launch", "report/data", "report/analysis"},
    "instrument/python": {"runtime/python", "instrument/*", "report/data", "report/config"},
    "report/data": {"runtime/source"},
    "report/regex": set(),
    "report/config": {"report/regex"},
    "report/inputs": {"report/data", "report/config"},
    "report/analysis": {"runtime/syntax", "runtime/build", "report/data", "report/regex"},
    "report/analysis/source": {"runtime/syntax", "report/data", "report/regex"},
    "report/analysis/kernels": {"runtime/syntax", "report/data", "report/analysis/*", "report/analysis/source"},
    "report/analysis/conditions": {"runtime/syntax", "report/data", "report/analysis/*", "report/analysis/source", "report/analysis/kernels"},
    "report/analysis/cache": {"runtime/syntax", "runtime/build", "report/data", "report/analysis/*"},
    "report/diff": {"runtime/syntax", "report/data", "report/config", "report/inputs", "report/analysis"},
    "report/engine": {"report/data", "report/regex", "report/config", "report/analysis", "report/diff"},
    "report/formats/common": REPORT,
    "report/formats/tables": REPORT | {"report/formats/common"},
    "report/formats/machine": REPORT | {"report/formats/common"},
    "report/formats/html": REPORT | {"templates", "report/formats/common", "report/formats/tables"},
    "report/formats/diff": REPORT | {"templates", "report/formats/common", "report/formats/tables", "report/formats/html"},
    "report/gate": {"report"},
    "report/services": {"report/data", "report/formats"},
    "report/check": {"report", "runtime/syntax"},
    "templates": set(),
    "cli": {"report", "instrument", "templates"},
    "cli/output": {"report", "cli/*"},
    "cli/options": {"report", "cli/*", "cli/output", "cli/python"},
    "cli/lsp": {"report", "cli/*"},
    "cli/measure": {"report", "instrument", "cli/*"},
    "cli/python": {"report", "cli/*"},
    "cli/reported": {"report", "cli/*", "cli/output", "cli/options", "cli/python", "cli/measure"},
}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
SPIRV = re.compile(r'^\s*#\s*include\s+[<"]spirv(?:-tools)?/', re.MULTILINE)
# Folders that may include LLVM.
LLVM_FOLDERS = tuple(f"runtime/codegen/{folder}/" for folder in ("llvm", "cpu", "gpu", "nvptx", "amdgpu")) + ("runtime/device/cpu/",)
LLVM = re.compile(r'^\s*#\s*include\s+[<"](?:llvm|lld)/', re.MULTILINE)


def folder_of(path: str) -> str | None:
    """The folder of the table that `path` lies in."""
    matches = [folder for folder in ALLOWED if path.startswith(folder + "/")]
    return max(matches, key=len) if matches else None


def forbidden(path: str, included: str) -> bool:
    """Whether a file at `path` may not include `included` (both from the root of the repository)."""
    folder = folder_of(path)
    if folder is None or not re.match(r"(runtime|instrument|report|cli|templates|tests)/", included):
        return False
    return not any(allows(allowed, included) for allowed in ALLOWED[folder] | {folder})


def allows(allowed: str, included: str) -> bool:
    """Whether the rule lets the file in."""
    if allowed.endswith("/*"):
        return included.rpartition("/")[0] == allowed[:-2]
    return included.startswith(allowed + "/")


def sources() -> list[Path]:
    """All C++ files of the product."""
    tops = ("runtime", "instrument", "report", "cli", "templates")
    return sorted(p for top in tops for p in (ROOT / top).rglob("*") if p.suffix in {".h", ".cpp", ".def"})


def test_the_rule_itself() -> None:
    assert forbidden("runtime/syntax/parse.cpp", "runtime/ir/kernel.h")
    assert forbidden("runtime/launch/program.cpp", "instrument/session.h")
    assert forbidden("report/data/read.cpp", "runtime/launch/program.h")
    assert forbidden("runtime/python/module.cpp", "instrument/session.h")
    assert not forbidden("instrument/python/coverage.cpp", "runtime/python/module_part.h")
    assert not forbidden("runtime/frontend/lower.cpp", "runtime/ir/kernel.h")
    assert forbidden("runtime/frontend/values/operators.h", "runtime/frontend/expressions/calls.h")
    assert not forbidden("runtime/frontend/expressions/calls.cpp", "runtime/frontend/values/operators.h")
    assert not forbidden("cli/commands/report.cpp", "report/analysis/analysis.h")
    assert not forbidden("cli/options/gates.cpp", "cli/command_line.h")
    assert forbidden("cli/options/gates.cpp", "cli/commands/debug_topics.h")


def test_every_folder_with_sources_has_a_rule() -> None:
    assert sources()
    assert [str(p.relative_to(ROOT)) for p in sources() if folder_of(str(p.relative_to(ROOT))) is None] == []


@pytest.mark.parametrize("folder", sorted(ALLOWED))
def test_include_directions(folder: str) -> None:
    wrong = []
    for path in sources():
        name = str(path.relative_to(ROOT))
        if folder_of(name) == folder:
            wrong += [f"{name} includes {i}" for i in INCLUDE.findall(path.read_text()) if forbidden(name, i)]
    assert wrong == []


def test_the_runtime_links_no_library_of_folders_above() -> None:
    wrong = [str(p.relative_to(ROOT)) for p in (ROOT / "runtime").rglob("CMakeLists.txt") if re.search(r"\bqd_(instrument|report)", p.read_text())]
    assert wrong == []


def test_llvm_stays_behind_codegen_and_device() -> None:
    wrong = []
    for path in sources():
        name = str(path.relative_to(ROOT))
        if LLVM.search(path.read_text()) and not name.startswith(LLVM_FOLDERS):
            wrong.append(name)
    assert wrong == []


def test_spirv_stays_in_its_code_generator() -> None:
    wrong = [str(p.relative_to(ROOT)) for p in sources() if SPIRV.search(p.read_text()) and "runtime/codegen/spirv" not in str(p)]
    assert wrong == []


# Parts of the simulated drivers -> folders that they may include beside themselves.
SIMULATED_DRIVERS = {
    "tests/simulated_driver/threads": {"runtime/codegen/gpu", "runtime/ir"},
    "tests/simulated_driver/checks": {"tests/simulated_driver/threads", "runtime/ir"},
    "tests/simulated_driver/driver": {
        "tests/simulated_driver/threads",
        "tests/simulated_driver/checks",
        "runtime/codegen/*",
        "runtime/codegen/gpu",
        "runtime/device/cpu",
    },
}


@pytest.mark.parametrize("folder", sorted(SIMULATED_DRIVERS))
def test_simulated_drivers_know_no_launcher(folder: str) -> None:
    """Simulated drivers stand in for a driver, so they share only the code generator with those that use it."""
    rules = SIMULATED_DRIVERS[folder] | {folder}
    files = [p for p in (ROOT / folder).iterdir() if p.suffix in {".h", ".cpp"}]
    assert files
    wrong = [(p.name, i) for p in files for i in INCLUDE.findall(p.read_text()) if not any(allows(rule, i) for rule in rules)]
    assert wrong == []


DEVICES = re.compile(
    r"\b(cpu|CPU|ELF|elf_object|[Tt]hread ?[Pp]ool|thread_pool|stack_end|LoadedObject|TaskFunction|LaunchContext|dlopen)\b"
    r"|\b(cuda|CUDA|vulkan|Vulkan|hip|HIP)\b"
)
# An option of qd.init.
NAMED_ANYWAY = re.compile(r"cpu_max_num_threads")


def test_launches_and_instruments_name_no_device() -> None:
    """Launches and instruments know device.h and target.h, but no implementation of these."""
    wrong = []
    for path in sources():
        name = str(path.relative_to(ROOT))
        if not name.startswith(("runtime/launch/", "instrument/")):
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if DEVICES.search(NAMED_ANYWAY.sub("", line)):
                wrong.append(f"{name}:{number}: {line.strip()}")
        wrong += [f"{name} includes {i}" for i in INCLUDE.findall(path.read_text()) if re.match(r"runtime/(device|codegen)/\w+/", i)]
    assert wrong == []


def test_files_are_reached_from_the_root() -> None:
    """An include in quotes names a file from the root of the repository (or one that the build makes)."""
    wrong = []
    for path in sources():
        for included in INCLUDE.findall(path.read_text()):
            if included.split("/")[0] in {"runtime", "instrument", "report", "cli"} and not (ROOT / included).exists():
                wrong.append(f"{path.relative_to(ROOT)} includes {included}")
    assert wrong == []
