"""Arrays of other libraries as arguments of kernels, by DLPack: the kernel works in their memory."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import qd


class Foreign:
    """An array of another library: no buffer, but DLPack."""

    def __init__(self, array: Any, device: tuple[int, int] = (1, 0)) -> None:
        self.array = array
        self.on = device

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.on


class Detachable(Foreign):
    """One with a gradient, as torch has them: its values are asked for without it."""

    def detach(self) -> Detachable:
        return self

    def numpy(self) -> Any:
        return self.array


@qd.kernel
def add(x: qd.types.ndarray(dtype=qd.f32, ndim=1), n: qd.f32):
    for i in x:
        x[i] += n


@qd.kernel
def add_vectors(x: qd.types.ndarray(dtype=qd.math.vec3, ndim=1)):
    for i in x:
        x[i] += qd.math.vec3(1, 2, 3)


@pytest.mark.parametrize("kind", [Foreign, Detachable])
def test_kernels_work_in_the_memory_of_foreign_arrays(arch: str, kind: Any) -> None:
    numbers, vectors = np.arange(4, dtype=np.float32), np.zeros((2, 3), np.float32)
    add(kind(numbers), 1.5)
    add_vectors(kind(vectors))
    assert numbers.tolist() == [1.5, 2.5, 3.5, 4.5]
    assert vectors.tolist() == [[1, 2, 3], [1, 2, 3]]


def test_foreign_arrays_are_checked_as_numpy_arrays_are(arch: str) -> None:
    with pytest.raises(qd.KernelRuntimeTypeError, match="expected f32 ndarray of 1 dimension, got i32 ndarray of 1 dimension"):
        add(Foreign(np.zeros(4, np.int32)), 1)
    with pytest.raises(qd.KernelRuntimeTypeError, match="got f32 ndarray of 2 dimensions"):
        add(Foreign(np.zeros((4, 2), np.float32)), 1)
    with pytest.raises(ValueError, match="not contiguous"):
        add(Foreign(np.zeros(8, np.float32)[::2]), 1)


def test_arrays_of_another_device_are_refused(arch: str) -> None:
    with pytest.raises(ValueError, match='"x" of kernel add: the array cannot be passed: it is on the device .*kernels take arrays of the host'):
        add(Foreign(np.zeros(4, np.float32), (2, 0)), 1)


def test_structs_as_tensors(arch: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(from_numpy=lambda array: Detachable(array)))
    particle = qd.types.struct(mass=qd.f32, charge=qd.i32)
    for particles in (particle.field(shape=3), qd.ndarray(particle, 3)):
        copies, same = particles.to_torch(copy=True), particles.to_torch(copy=False)
        particles.fill({"mass": 1.5, "charge": 2})
        assert copies["mass"].numpy().tolist() == [0, 0, 0]
        assert same["mass"].numpy().tolist() == [1.5, 1.5, 1.5] and same["charge"].numpy().tolist() == [2, 2, 2]
        for wrong in ({"mass": same["mass"]}, {**same, "spin": same["mass"]}, list(same.values())):
            with pytest.raises(ValueError, match="from_torch takes a dict with a tensor for each of mass, charge"):
                particles.from_torch(wrong)


class Capsule:
    """A capsule as numpy takes it."""

    def __init__(self, capsule: Any, of: Any) -> None:
        self.capsule, self.of = capsule, of

    def __dlpack__(self, **_options: Any) -> Any:
        return self.capsule

    def __dlpack_device__(self) -> Any:
        return self.of.__dlpack_device__()


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.1.0", reason="numpy before 2.1 has no DLPack 1")
def test_capsules_of_both_versions() -> None:
    qd.init(arch=qd.cpu, log_level="error")
    for x in (qd.field(qd.f32, 3), qd.ndarray(qd.f32, 3)):
        x.fill(val=3)
        for versioned, name in ((False, '"dltensor"'), (True, '"dltensor_versioned"')):
            capsule = x.to_dlpack(versioned=versioned)
            assert name in repr(capsule)
            assert np.from_dlpack(Capsule(capsule, x)).tolist() == [3, 3, 3]
