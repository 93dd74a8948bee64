"""pytest's plugin `-p qd.compat.taichi`: tests that import taichi run on this runtime."""

from qd import compat

compat.install("taichi")
