"""Near names for messages: the name that a mistyped one was meant to be."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

_LIKENESS = 0.7  # difflib's ratio, of 1 for equal words
_Function = TypeVar("_Function", bound=Callable[..., Any])

_LONGEST = 64  # letters; a longer word is no typing mistake


def near(word: str, names: Iterable[str]) -> str:
    """The name that `word` was probably meant to be, "" where none is near: the most similar one, or the same letters in another order."""
    if not 2 <= len(word) <= _LONGEST:
        return ""
    import difflib  # for messages alone

    known = [name for name in dict.fromkeys(names) if isinstance(name, str) and len(name) > 1 and name != word]
    found = difflib.get_close_matches(word, known, 1, _LIKENESS)
    swapped = [name for name in known if sorted(name) == sorted(word)]
    return (found or swapped or [""])[0]


def meant(word: str, names: Iterable[str]) -> str:
    """The end of a message on an unknown name: "; did you mean 'debug'?", or nothing."""
    found = near(word, names)
    return f"; did you mean {found!r}?" if found else ""


def unknown_keyword(function: Callable[..., Any], word: str) -> TypeError:
    """The error for a keyword argument that a function has not, as Python 3.13 and later word it."""
    found = near(word, inspect.signature(function).parameters)
    return TypeError(f"{function.__name__}() got an unexpected keyword argument {word!r}" + (f". Did you mean {found!r}?" if found else ""))


def with_near_keywords(function: _Function) -> _Function:
    """A function that raises that error."""
    unknown = re.compile(rf"{function.__name__}\(\) got an unexpected keyword argument '(\w+)'\Z")

    @functools.wraps(function)
    def checked(*args: Any, **keywords: Any) -> Any:
        try:
            return function(*args, **keywords)
        except TypeError as error:
            word = unknown.search(str(error))
            if not word or error.__traceback__ is None or error.__traceback__.tb_next is not None:
                raise
            raise unknown_keyword(function, word[1]) from None

    return checked  # type: ignore[return-value]
