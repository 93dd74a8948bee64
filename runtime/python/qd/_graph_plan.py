"""What arch=qd.python knows of a graph kernel before it is launched."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple


class Flag(NamedTuple):
    """What a do-while or a checkpoint asks for: an argument of the kernel, or a member of one."""

    parameter: str
    members: tuple[str, ...]
    line: int
    of: str  # "qd.graph.do_while", for example


@dataclasses.dataclass
class Plan:
    """How a kernel was decorated; and what is in it, known when it has been rewritten."""

    graph: bool = False
    checkpoints: bool = False
    flags: list[Flag] = dataclasses.field(default_factory=list)
    labels: list[int] = dataclasses.field(default_factory=list)
