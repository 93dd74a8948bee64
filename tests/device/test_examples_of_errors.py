"""Examples of the errors of kernels, error_examples.txt: each gives the error that it stands under. The index of errors is made of them.

A section `### Class: message` has the way out (`> ...`) where the message does not tell it, and the example: a kernel `k`, with `P` for the
parameters of wrong_kernels.py, or statements of such a kernel. QD_UPDATE_GOLD=1 writes the messages."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import numpy as np
import qd
from wrong_kernels import HEADER, PARAMETERS, arguments, load

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "ci" / "site"))
import error_index  # noqa: E402

FILE = ROOT / error_index.EXAMPLES


def error_of(example: error_index.Example, file: Path) -> str:
    """The class and the text of the first error that an example gives; without one, nothing."""
    kernel = example.code
    if "def k(" not in kernel:
        kernel = "@qd.kernel\ndef k(P):\n" + re.sub(r"^", "    ", kernel, flags=re.MULTILINE).rstrip() + "\n"
    try:
        module = load(file, HEADER + kernel.replace("k(P)", f"k({PARAMETERS})"))
        values = arguments(module)
        module.k(*(values if "k(P)" in kernel else [np.zeros((4, 2), np.float32)]))
    except qd.KernelCompilationError as error:
        found = re.match(rf"{re.escape(str(file))}:\d+:(?:\d+:)? (?:(Kernel\w*Error): )?(.*?)(?: \(in [\w.<>]+\))?$", str(error), re.MULTILINE)
        if not found:
            return f"? {error}".partition("\n")[0]
        return f"{found[1] or type(error).__name__}: {found[2]}"
    except Exception as error:
        return f"? {type(error).__name__}: {error}".partition("\n")[0]
    return ""


def test_each_example_gives_its_error(tmp_path: Path, back_end: str) -> None:
    qd.init(arch=back_end, log_level="error", offline_cache=False)
    examples = error_index.examples(FILE.read_text(encoding="utf-8"))
    messages = [error_of(example, tmp_path / f"example{number}.py") for number, example in enumerate(examples)]
    if os.environ.get("QD_UPDATE_GOLD"):
        left = iter(messages)
        text = re.sub(r"^###.*$", lambda _: f"### {next(left)}", FILE.read_text(encoding="utf-8"), flags=re.MULTILINE)
        FILE.write_text(text, encoding="utf-8")
        return
    assert messages == [example.message for example in examples]


def test_every_error_has_an_example() -> None:
    """Each text of runtime/frontend has an example here or in graph_errors.txt, but for those that are listed as without."""
    assert error_index.texts_without_example(ROOT) == sorted(error_index.WITHOUT_EXAMPLE)


def test_no_error_is_there_twice() -> None:
    messages = [example.message for example in error_index.examples(FILE.read_text(encoding="utf-8"))]
    assert sorted(messages) == sorted(set(messages))
