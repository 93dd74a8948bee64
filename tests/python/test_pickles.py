"""Pickles name the modules that programs import, wherever a class is defined."""

import pickle
from typing import Any

import pytest
import qd


@pytest.mark.parametrize("thing", [qd.types.matrix(2, 3, qd.f32), qd.types.struct(a=qd.i32, b=qd.types.vector(2, qd.f32))], ids=["matrix", "struct"])
def test_types(thing: Any) -> None:
    assert pickle.loads(pickle.dumps(thing)) == thing


CLASSES = {name: thing for name, thing in vars(qd).items() if isinstance(thing, type) and not name.startswith("_")}


@pytest.mark.parametrize("name", CLASSES)
def test_public_classes_name_no_folder(name: str) -> None:
    """So that they may move from one folder of the package to another."""
    module = CLASSES[name].__module__
    assert module == "qd" or "." not in module.removeprefix("qd.").removeprefix("qdcov.")
    assert pickle.loads(pickle.dumps(CLASSES[name])) is CLASSES[name]
