"""Every test starts with a runtime that has nothing allocated."""

import pytest
import qd


@pytest.fixture(autouse=True)
def runtime():
    qd.init(arch=qd.cpu)
    yield
    qd.reset()
