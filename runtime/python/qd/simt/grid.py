"""Names of qdcov.simt.grid, for type checkers and editors."""

from qdcov.simt.grid import *  # noqa: F403
