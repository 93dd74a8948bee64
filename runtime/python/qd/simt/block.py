"""Names of qdcov.simt.block, for type checkers and editors."""

from qdcov.simt.block import *  # noqa: F403
