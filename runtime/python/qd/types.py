"""Names of qdcov.types, for type checkers and editors."""

from qdcov.types import *  # noqa: F403
