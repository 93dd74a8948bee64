"""Skips for tests of features that a device lacks, with the reason that the compiler gives."""

from __future__ import annotations

import re
from collections.abc import Generator

import pytest
import qd

LACKS = re.compile(r"arch=\w+ has no .*")


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    try:
        return (yield)
    except qd.KernelCompilationError as error:
        lacks = LACKS.search(str(error))
        if lacks is None or "reference" in lacks.group() or "arch=cpu" in lacks.group():
            raise
        pytest.skip(lacks.group())
