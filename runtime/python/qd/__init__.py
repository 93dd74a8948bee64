"""The name `qd` for the package qdcov: the same modules, so that `qd.math` is `qdcov.math`.

Another project on PyPI has this name. Where that one is installed, `import qdcov as qd` gives the package."""

from typing import TYPE_CHECKING

try:
    from qdcov import _alias
except ImportError as error:
    if error.name != "qdcov":
        raise
    lacks = "not there" if isinstance(error, ModuleNotFoundError) else "not whole: its folder is there, and its files are not"
    message = f"qd is another name of the package qdcov, which is {lacks}; python -m pip install --force-reinstall qdcov"
    raise ModuleNotFoundError(message, name="qdcov") from None

if TYPE_CHECKING:
    from qdcov import *  # noqa: F403
    from qdcov import __version__ as __version__

_alias.stand_for_package()
