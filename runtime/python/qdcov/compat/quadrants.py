"""pytest's plugin `-p qd.compat.quadrants`: tests that import quadrants run on this runtime."""

from qdcov import compat

compat.install("quadrants")
