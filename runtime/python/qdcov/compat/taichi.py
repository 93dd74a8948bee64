"""pytest's plugin `-p qd.compat.taichi`: tests that import taichi run on this runtime."""

from qdcov import compat

compat.install("taichi")
