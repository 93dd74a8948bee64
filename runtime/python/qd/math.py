"""Names of qdcov.math, for type checkers and editors."""

from qdcov.math import *  # noqa: F403
