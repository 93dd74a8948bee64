"""Names of qdcov.algorithms, for type checkers and editors."""

from qdcov.algorithms import *  # noqa: F403
