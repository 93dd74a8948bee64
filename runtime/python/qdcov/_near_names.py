"""Near names for messages: the name that a mistyped one was meant to be."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_LIKENESS = 0.7  # difflib's ratio, of 1 for equal words
_LONGEST = 64  # letters; a longer word is no typing mistake


def near(word: str, names: Iterable[str]) -> str:
    """The name that `word` was probably meant to be, "" where none is near: the most similar one, or the same letters in another order."""
    if not 2 <= len(word) <= _LONGEST:
        return ""
    known = [name for name in dict.fromkeys(names) if isinstance(name, str) and len(name) > 1 and name != word]
    found = difflib.get_close_matches(word, known, 1, _LIKENESS)
    swapped = [name for name in known if sorted(name) == sorted(word)]
    return (found or swapped or [""])[0]


def meant(word: str, names: Iterable[str]) -> str:
    """The end of a message on an unknown name: "; did you mean 'debug'?", or nothing."""
    found = near(word, names)
    return f"; did you mean {found!r}?" if found else ""
