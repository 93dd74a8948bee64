"""Names for the parts of graph kernels: those that repeat, and those that run side by side."""

from __future__ import annotations

from qdcov._kernels.graph import do_while as do_while
from qdcov._kernels.graph import parallel as parallel
from qdcov._kernels.graph import parallel_context as parallel_context
