"""Names of qdcov.simt.subgroup, for type checkers and editors."""

from qdcov.simt.subgroup import *  # noqa: F403
