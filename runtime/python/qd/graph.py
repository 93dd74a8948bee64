"""Names of qdcov.graph, for type checkers and editors."""

from qdcov.graph import *  # noqa: F403
