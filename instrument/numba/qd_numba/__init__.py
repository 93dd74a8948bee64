"""Coverage of Numba's compiled functions: the lines and branches that their machine code takes.

`qd-cov run` and the pytest plugin call watch(), which imports nothing of Numba. Once the program imports Numba, its functions are compiled with
counters, and the journal in the folder of the run has their hits. QD_NUMBA_COVERAGE=0 turns this off.

PYTEST_DONT_REWRITE: the word by which pytest leaves the asserts here alone, and has no warning that `qd-cov run` imported this before."""

from __future__ import annotations

from .imports import finish, pause, switch_context, watch

__all__ = ["finish", "pause", "switch_context", "watch"]
