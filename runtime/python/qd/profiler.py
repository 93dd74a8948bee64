"""Names of qdcov.profiler, for type checkers and editors."""

from qdcov.profiler import *  # noqa: F403
