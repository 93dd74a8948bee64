"""Names of qdcov.simt, for type checkers and editors."""

from qdcov.simt import *  # noqa: F403
