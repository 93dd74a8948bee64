"""Pickles name modules of the package: those of earlier versions load, and new ones name the modules that programs import."""

import pickle
from typing import Any

import pytest
import qd

# As pickle.dumps(..., 2) of 0.1.0 wrote them.
MATRIX_TYPE = (
    b"\x80\x02cqd._compound\nMatrixType\n)\x81N}(X\x06\x00\x00\x00_dtypecqd._dtypes\nf32\nX\x01\x00\x00\x00mK\x03"
    b"X\x01\x00\x00\x00nK\x02X\x04\x00\x00\x00ndimK\x02u\x86b."
)
STRUCT_TYPE = (
    b"\x80\x02cqd._compound\nStructType\n)\x81N}(X\x07\x00\x00\x00members}(X\x01\x00\x00\x00acqd._dtypes\ni32\nX\x01\x00\x00\x00b"
    b"cqd._compound\nMatrixType\n)\x81N}(X\x06\x00\x00\x00_dtypecqd._dtypes\nf32\nX\x01\x00\x00\x00mK\x01X\x01\x00\x00\x00nK\x02"
    b"X\x04\x00\x00\x00ndimK\x01u\x86buX\x07\x00\x00\x00methods}X\x04\x00\x00\x00nameX\x06\x00\x00\x00Structu\x86b."
)
NAMES = (
    "_annotations NDArray", "_annotations Template", "_arrays _restore", "_buffer_view BufferView", "_buffer_view ViewAnnotation", "_dtypes f32",
    "_errors KernelTypeError", "_extensions extension", "_functions sin", "_graph_status GraphStatus", "_layout Layout", "_matrix Matrix",
    "_placing Axes", "_runtime Arch", "_struct Struct", "_tensor Backend", "_tensor wrap",
)  # fmt: skip


@pytest.mark.parametrize(
    ("pickled", "thing"),
    [(MATRIX_TYPE, qd.types.matrix(2, 3, qd.f32)), (STRUCT_TYPE, qd.types.struct(a=qd.i32, b=qd.types.vector(2, qd.f32)))],
    ids=["matrix", "struct"],
)
def test_types(pickled: bytes, thing: Any) -> None:
    assert pickle.loads(pickled) == thing == pickle.loads(pickle.dumps(thing))


@pytest.mark.parametrize("named", NAMES)
def test_names_in_pickles(named: str) -> None:
    module, name = named.split()
    assert pickle.loads(f"cqd.{module}\n{name}\n.".encode()) is not None


CLASSES = {name: thing for name, thing in vars(qd).items() if isinstance(thing, type) and not name.startswith("_")}


@pytest.mark.parametrize("name", CLASSES)
def test_public_classes_name_no_folder(name: str) -> None:
    """So that they may move from one folder of the package to another."""
    assert CLASSES[name].__module__ == "qd" or "." not in CLASSES[name].__module__.removeprefix("qd.")
    assert pickle.loads(pickle.dumps(CLASSES[name])) is CLASSES[name]
