"""Variants: the compiled code of a function for some types of its arguments."""

from __future__ import annotations

from typing import Any

from .marks import MarkedFunction

_NOTE = "_qdcov_variant"


def note_compiled(library: Any, descriptor: Any, function: MarkedFunction) -> None:
    """Notes the function of which a library is the code: the one whose marks are lowered first."""
    if hasattr(library, _NOTE):
        return
    of_loop = "__numba_parfor_gufunc" in descriptor.qualname  # a part of a variant, with arguments of its own
    arguments = "" if of_loop else ", ".join(f"{name}={kind}" for name, kind in zip(descriptor.args, descriptor.argtypes))
    setattr(library, _NOTE, (function.key, arguments))


def variant_of(library: Any) -> tuple[str, str]:
    """The key of the function, and the types of its arguments; two empty texts for a library that only links marked code."""
    found: tuple[str, str] = getattr(library, _NOTE, ("", ""))
    return found
