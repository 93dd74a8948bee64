"""Plan of a graph kernel for arch=qd.python, before it is launched."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple


class Flag(NamedTuple):
    """The flag of a do-while or a checkpoint: an argument of the kernel, or a member of one."""

    parameter: str
    members: tuple[str, ...]
    line: int
    of: str  # "qd.graph.do_while", for example


@dataclasses.dataclass
class Plan:
    """The options of a kernel's decorator; and its do-whiles and checkpoints, known when it has been rewritten."""

    graph: bool = False
    checkpoints: bool = False
    flags: list[Flag] = dataclasses.field(default_factory=list)
    labels: list[int] = dataclasses.field(default_factory=list)
