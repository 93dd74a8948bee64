"""The table of the options of qd.init (runtime/options/options.def): all code that reads options has all of them, with the same defaults."""

from __future__ import annotations

import importlib.util
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import qd
from qd import _dtypes, _native, _option_table, _options, _runtime

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "ci" / "option_table.py"
TABLE = (ROOT / "runtime" / "options" / "options.def").read_text(encoding="utf-8")
GUIDE = (ROOT / "runtime" / "python" / "docs" / "options.md").read_text(encoding="utf-8")


def table() -> Any:
    spec = importlib.util.spec_from_file_location("option_table", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.rows(TABLE)


ROWS = table()
OTHER = {
    "default_fp": qd.f64,
    "default_ip": qd.i64,
    **{row.name: not row.default for row in ROWS if row.kind == "bool"},
    **{row.name: row.default + 1 for row in ROWS if row.kind in ("int", "int64_t", "uint64_t")},
    "cpu_subgroup_size": 64,
}
"""Values that are not the default."""
NATIVE = [row for row in ROWS if row.use in ("FRONT_END", "CODE", "LAUNCH")]
KEYS = [row for row in NATIVE if row.name in OTHER and row.name not in ("offline_cache", "src_ll_cache", "print_ir")]
"""Options that a kept kernel depends on, or does not, without those of the cache itself and of printing."""


@qd.kernel
def ones() -> qd.i32:
    total = 0
    for _ in range(4):
        total += 1
    return total


def test_what_is_made_from_the_table_is_up_to_date() -> None:
    done = subprocess.run([sys.executable, str(SCRIPT), "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_row_is_read() -> None:
    assert len(ROWS) == len(re.findall(r"^QD_[A-Z_]+_OPTION\(", TABLE, re.MULTILINE))
    assert len({row.name for row in ROWS}) == len(ROWS)


def test_the_native_module_has_the_same_options_and_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    for row in ROWS:
        monkeypatch.delenv(f"QD_{row.name.upper()}", raising=False)
    config = _options.read({})
    config.offline_cache_file_path = ""
    assert _options.native(config) == _native.default_options()
    assert list(_native.default_options()) == [option.name for option in _option_table.OPTIONS if option.native]


def test_qd_cfg_has_every_option_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    for row in ROWS:
        monkeypatch.delenv(f"QD_{row.name.upper()}", raising=False)
    config = _options.read({})
    for row in ROWS:
        if row.anywhere and row.name not in ("offline_cache_file_path", "debug_dump_path"):
            value = getattr(config, row.name)
            assert (value.name if isinstance(value, _dtypes.DataType) else value) == row.default, row.name
            assert row.name in repr(config)


def test_qd_init_takes_every_option_of_the_table() -> None:
    parameters = inspect.signature(qd.init).parameters
    by_init = {row.name: row for row in ROWS if not row.anywhere}
    assert set(parameters) - {"kwargs", "_test_mode", "default_fp", "default_ip"} == set(by_init)
    for name, row in by_init.items():
        assert parameters[name].default in (None, row.default), name
    assert set(_options.DEFAULTS) == {row.name for row in ROWS} - set(by_init)


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda options: options.pop("debug"), "the option debug is missing"),
        (lambda options: options.update(bebug=True), "options that the native module does not know"),
        (lambda options: options.update(debug=2.5), "the option debug has a value of another type"),
        (lambda options: options.update(default_fp="f7"), "the option default_fp has a value of another type"),
        (lambda options: options.update(coverage_switch="soon"), "the option coverage_switch has a value of another type"),
    ],
)
def test_a_package_and_a_module_that_do_not_fit(change: Any, message: str) -> None:
    options = _native.default_options()
    change(options)
    with pytest.raises(TypeError, match=message):
        _native.program(options, {})


@pytest.mark.parametrize("row", KEYS, ids=lambda row: row.name)
def test_what_kernels_depend_on_is_in_their_keys(row: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel that is kept is found under the same options, and not where one of the front end's or of the compiler's differs."""

    def found(**options: Any) -> tuple[bool, bool]:
        qd.init(arch=qd.cpu, log_level="error", offline_cache_file_path=str(tmp_path), **options)
        assert ones() == 4
        seen = ones._primal._launch.observations
        return seen["cache_loaded"], seen["cache_hit"]

    monkeypatch.delenv("QD_OFFLINE_CACHE_FILE_PATH", raising=False)
    assert found() == (False, False) and found() == (True, True)
    kept, code = found(**{row.name: OTHER[row.name]})
    assert kept == (row.use != "FRONT_END")
    assert code or row.use != "LAUNCH"
    assert not code or row.use != "CODE"
    qd.reset()


def test_the_guide_lists_every_option() -> None:
    section = GUIDE[GUIDE.index("\n## Options\n") :].split("\n## ")[1]
    assert [name for name in re.findall(r"`(\w+)`", section) if name in {row.name for row in ROWS}] != []
    for row in ROWS:
        assert f"`{row.name}`" in section, row.name
        assert row.help or row.use == "UNUSED", row.name


def test_the_row_of_arch_names_every_architecture() -> None:
    """But for other names of one: `hip` is amdgpu; and for metal, which there is not."""
    named = set(re.findall(r"`qd\.(\w+)`", next(row.help for row in ROWS if row.name == "arch")))
    assert named == {str(arch) for arch in vars(_runtime).values() if isinstance(arch, _runtime.Arch)} - {"metal"} | {"gpu"}
