"""Names of qdcov.simt.warp, for type checkers and editors."""

from qdcov.simt.warp import *  # noqa: F403
