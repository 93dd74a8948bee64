"""Caches of compiled functions, `@njit(cache=True)`: code with counters has folders of its own.

Nothing is written into the user's `__pycache__`. An entry counts in a later process too, since it carries the functions and arcs of its bits. It is
not used where one of their files has another text by then, which may be that of an inlined function, nor where other files are measured."""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from numba.core import caching

from .cache_size import bound
from .settings import records_conditions
from .sources import host, measured_source

VERSION = 5
"""To be changed with the form of counters, and with that of what the entries carry."""


class StaleError(Exception):
    """The text of a function in a cached entry is no longer the one that was compiled."""


def hook() -> None:
    """Lets all caches of Numba lie in a folder of qd-cov."""
    for cls in _with_subclasses(caching._CacheLocator):
        own = vars(cls).get("get_cache_path")
        if own is not None and not getattr(own, "__isabstractmethod__", False):
            cls.get_cache_path = _moved(own)
    index_key, load_overload, save_overload = caching.Cache._index_key, caching.Cache._load_overload, caching.Cache.save_overload

    def measuring_index_key(self: Any, *arguments: Any) -> Any:
        return (*index_key(self, *arguments), ("qd-cov", VERSION, _rules()))

    def fresh_load_overload(self: Any, *arguments: Any) -> Any:
        try:
            return load_overload(self, *arguments)
        except StaleError:
            return None

    def bounded_save_overload(self: Any, *arguments: Any) -> None:
        _bound_once()
        with contextlib.suppress(OSError):  # no space: the program has none of its own there
            save_overload(self, *arguments)

    caching.Cache.save_overload = bounded_save_overload
    caching.Cache._index_key = measuring_index_key
    caching.Cache._load_overload = fresh_load_overload


def check_fresh(functions: list[Any]) -> None:
    """Throws a StaleError unless the texts of functions, as marks.as_json() has them, are those of their files."""
    for _, file, _, _, _, _, text_hash, _ in functions:
        source = measured_source(file)
        if source is None or source.text_hash != text_hash:
            raise StaleError(file)


def _with_subclasses(cls: Any) -> list[Any]:
    return [cls, *(found for subclass in cls.__subclasses__() for found in _with_subclasses(subclass))]


def _moved(get_cache_path: Any) -> Any:
    def moved_get_cache_path(self: Any) -> str:
        path = os.path.abspath(get_cache_path(self))
        name = hashlib.sha256(path.encode(errors="surrogateescape")).hexdigest()[:16]
        return str(_root() / f"numba-{VERSION}" / name)

    return moved_get_cache_path


@functools.cache
def _root() -> Path:
    """The folder of all entries; one that the process deletes at its end, where the user has none that can be written."""
    root = Path(os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache"), "qd-cov")
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            return root
    except OSError:
        temporary = tempfile.mkdtemp(prefix="qd-cov-cache.")
        atexit.register(shutil.rmtree, temporary, ignore_errors=True)
        return Path(temporary)


@functools.cache
def _bound_once() -> None:
    """A process that saves entries looks after the size of all once."""
    bound(_root())


def _rules() -> str:
    """The settings by which files are measured."""
    config = getattr(host(), "config", None)
    names = ("source", "source_pkgs", "source_dirs", "run_include", "run_omit", "cover_pylib")
    values = [getattr(config, name, None) for name in names]
    # `qd-cov run` leaves out its own folder, which has another name each time and no file of the program.
    run = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    kept = [[pattern for pattern in value if not str(pattern).startswith(run)] if isinstance(value, list) else value for value in values]
    return repr([records_conditions(), *kept])
