"""The name `qd` for the package qdcov: the same modules, so that `qd.math` is `qdcov.math`.

Another project on PyPI has this name. Where that one is installed, `import qdcov as qd` gives the package."""

from typing import TYPE_CHECKING

from qdcov import _alias

if TYPE_CHECKING:
    from qdcov import *  # noqa: F403

_alias.stand_for_package()
