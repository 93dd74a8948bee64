"""Names of qdcov.ad, for type checkers and editors."""

from qdcov.ad import *  # noqa: F403
