"""Regular expressions: the matches of Python's `re` in a text, and its errors for invalid patterns."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import warnings
from pathlib import Path

import pytest

BUILD = Path(os.environ.get("QD_BUILD") or Path(__file__).parents[2] / "build" / "release")
N_RANDOM = 6000

TEXT = (
    "def f(x): return 1  # pragma: no cover\n    ...\n\n"
    "aab ABC_9 é É ß ſ K k \u0660\u0661 \xa0x\u2028y \x1cz\x1d \x85 \x0b\x0c \U0001f600"
    " --&&[]]^$ {2} {,} a{2}\n'end' \"end' \x00 \x7f\tccc ddd\n\nif TYPE_CHECKING:\n"
)

# (pattern, text to search): one for each thing that Python and PCRE2 write differently, and those that are found in configuration files.
PATTERNS = [
    r"\Adef",
    r"cover$",
    r"\Z",
    r"^",
    r"$",
    r"^\s*$",
    r"x*",
    r"(?s:def.*?end)",
    r"(?i)abc",
    r"(?i:É)",
    r"(?i)ss|ß",
    r"(?m)^if",
    r"(?x) a  a # no\n b",
    r"(?x)[ #]\ ",
    r"(?a)\w+",
    r"(?a)\b\w\b",
    r"(?a)[^\W\d]+",
    r"(?a:\s)x",
    r"(?au:x)",
    r"\w+",
    r"\W+",
    r"\s+",
    r"\S+",
    r"[\s]",
    r"[^\s]+",
    r"\d+",
    r"[^\d]+",
    r"\bk\b",
    r"\B.",
    r"[[:alpha:]]",
    r"[]]",
    r"[^]]+",
    r"[]-a]",
    r"[a\]]",
    r"[-a]",
    r"[a-]",
    r"[\w-]",
    r"[&&]",
    r"[a--b]",
    r"[\x41-\x43]",
    r"[\u00e9]",
    r"\U0001f600",
    r"\x41\x42",
    r"\0",
    r"\00",
    r"\001",
    r"\101",
    r"\377",
    r"\400",
    r"\8",
    r"\1",
    r"(a)\1",
    r"(a)\01",
    r"(?P<q>['\"])end(?P=q)",
    r"(?P<q>a)(?P<q>b)",
    r"(?P=q)",
    r"(?P<1>a)",
    r"(c)\1{2}",
    r"(?(1)a|b)",
    r"(a)?(?(1)a|b)",
    r"(?P<n>a)?(?(n)a|b)",
    r"(?(0)a)",
    r"(?(x)a)",
    r"(?(9)a)",
    r"(a)(?(1)a|b|c)",
    r"a{2}",
    r"a{,1}b",
    r"a{1,}",
    r"a{}",
    r"a{,}",
    r"a{x}",
    r"a{1,x}",
    r"a{2,1}",
    r"{2}",
    r"a**",
    r"a*+b",
    r"a++",
    r"a?+a",
    r"a{1,2}+a",
    r"a*??",
    r"a+?b",
    r"*",
    r"^*",
    r"\b+",
    r"(?:)*",
    r"()*",
    r"(?=a)*",
    r"(?:^)*",
    r"(?>a+)b",
    r"(?<=a)b",
    r"(?<!a)b",
    r"(?<=a|b)c",
    r"(?<=a|bc)d",
    r"(?<=a+)b",
    r"(?<=(a))\1",
    r"(?<=(a)\1)b",
    r"(?<=a(?:)*)b",  # repetitions of what is empty
    r"(?<=a(?:^|$)+?)b",
    r"(?<=a(?=b)*)b",
    r"(?<!a(?=c){2,3})b",
    r"(?<=a()*+)b",
    r"()(?<=a\1*?)b",
    r"(?P<x>c?)(?<=a(?P=x))b",
    r"(x*)(?<=a(?:\1){0})b",
    r"(?=",
    r"(?",
    r"(",
    r")",
    r"a)",
    r"(?P",
    r"(?P<",
    r"(?P<a",
    r"(?P<>a)",
    r"(?Px)",
    r"(?<a>b)",
    r"(?'a'b)",
    r"(?|a|b)",
    r"(?R)",
    r"(?1)",
    r"(?#c",
    r"(?#c)a",
    r"a(?#c)*",
    r"(*ACCEPT)",
    r"\Qa\E",
    r"\h",
    r"\K",
    r"\R",
    r"\G",
    r"\z",
    r"\pL",
    r"\x4",
    r"\u12",
    r"\U00110000",
    r"\U1",
    r"[\b]",
    r"[\B]",
    r"[\A]",
    r"[z-a]",
    r"[\d-a]",
    r"[a-\d]",
    r"[\x42-\x41]",
    r"[",
    r"[]",
    r"[^]",
    r"[a",
    r"[a-",
    r"\a\f",
    r"\v",
    r"\t",
    r"\-\ \#\&\~\'",
    "a\nb",
    "a\n(",
    r"a(?i)b",
    r"(?i",
    r"(?i-",
    r"(?i-s",
    r"(?-i:a)",
    r"(?-i)",
    r"(?i-i:a)",
    r"(?-a:b)",
    r"(?L)",
    r"(?aL)",
    r"(?q)",
    r"(?iq)",
    r"(?i:a)(?i)",
    r"((?i)a)",
    r"|(?i)a",
    r"(?i)(?s)a.b",
    r"",
    r"|",
    r"a||b",
    r"()",
    r"(|a)+",
    r"\\",
    r"\N",
    r"\Nx",
    r"\N{",
    r"\N{}",
    r"[\N{x",
    r"é+",
    r"(?i)É",
    r"[é-ü]",
    r"(?:a|ab)(?:c|bcd)?",
    r"#\s*(pragma|PRAGMA)[:\s]?\s*(no|NO)\s*(cover|COVER)",
    r"^\s*(((async )?def .*?)?[\])]+(\s*->.*?)?:\s*)?\.\.\.\s*(#|$)",
    r"if (typing\.)?TYPE_CHECKING:",
    r"\A(?s:.*# pragma: exclude file.*)\Z",
]

ATOMS = [
    "a",
    "b",
    "c",
    " ",
    ".",
    "x",
    "é",
    "1",
    "_",
    r"\w",
    r"\W",
    r"\d",
    r"\D",
    r"\s",
    r"\S",
    r"\b",
    r"\B",
    "^",
    "$",
    r"\A",
    r"\Z",
    r"\n",
    "\n",
    r"\x41",
    r"\101",
    r"\1",
    r"\2",
    r"\.",
    "[abc]",
    "[^a]",
    "[a-c1]",
    r"[\w-]",
    r"[^\W_]",
    r"[\]\\]",
    "[]x]",
    r"[\d-]",
    "#",
    "-",
]
OPENINGS = ["(", "(", "(?:", "(?P<n>", "(?i:", "(?s:", "(?-i:", "(?a:", "(?x:", "(?=", "(?!", "(?<=", "(?<!", "(?>", "(?(1)", "(?m:"]
QUANTIFIERS = ["*", "+", "?", "{2}", "{,2}", "{1,}", "{0,3}", "{,}", "{", "*?", "+?", "??", "*+", "{1,2}?", "**"]
NOISE = ["(", ")", "[", "]", "|", "{", "}", "?", "*", "(?", "(?P", "(?i)", "\\", "(?P=n)", "(?#", ",", "<", ">", ":", "-"]


def random_pattern(rand: random.Random, depth: int = 3) -> str:
    """A pattern that may well be none."""
    text = ""
    for _ in range(rand.randint(1, 4)):
        kind = rand.random()
        if kind < 0.25 and depth > 0:
            text += rand.choice(OPENINGS) + random_pattern(rand, depth - 1) + ")"
        elif kind < 0.32 and depth > 0:
            text += random_pattern(rand, depth - 1) + "|" + random_pattern(rand, depth - 1)
        elif kind < 0.36:
            text += rand.choice(NOISE)
        else:
            text += rand.choice(ATOMS)
        if rand.random() < 0.25:
            text += rand.choice(QUANTIFIERS)
    return text


def random_text(rand: random.Random) -> str:
    return "".join(rand.choice("aaabbccx  éÉ1_A#-.\n\n\x1c\xa0\u0660]") for _ in range(rand.randint(0, 14)))


def theirs(pattern: str, text: str) -> list[list[int]] | str:
    """Matches by Python, in bytes."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            regex = re.compile(pattern, re.MULTILINE)
    except re.error as error:
        return str(error)
    return [[len(text[:place].encode()) for place in match.span()] for match in regex.finditer(text)]


def ours(cases: list[tuple[str, str]]) -> list[list[list[int]] | str]:
    done = subprocess.run(
        [BUILD / "tests" / "differential" / "match_regex"],
        input="".join(json.dumps(case) + "\n" for case in cases),
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def permitted(pattern: str, text: str, want: list[list[int]] | str, have: list[list[int]] | str) -> bool:
    """Differences that are as they should be."""
    # PCRE2 forbids patterns of little sense, with a limit in look-behinds; and Python's tokenizer reads ahead, so that a backslash at
    # the end is the first error.
    if isinstance(have, str) and (not re.search(r" at position \d+|fixed-width", have) or (pattern.endswith("\\") and isinstance(want, str))):
        return True
    return want == have or (pattern == r"\B" and not text)  # not in Python before 3.14


def differences(cases: list[tuple[str, str]]) -> list[str]:
    lines = []
    for (pattern, text), have in zip(cases, ours(cases), strict=True):
        want = theirs(pattern, text)
        if want != have and not permitted(pattern, text, want, have):
            lines.append(f"{pattern!r} in {text!r}: Python {want}, ours {have}")
    return lines


def test_constructs() -> None:
    """Every construct, right and wrong."""
    lines = differences([(pattern, TEXT) for pattern in PATTERNS])
    assert not lines, "\n".join(lines)


@pytest.mark.parametrize("seed", range(2))
def test_random_patterns(seed: int) -> None:
    """Patterns at random, most of them correct."""
    rand = random.Random(seed)
    cases = [(random_pattern(rand), random_text(rand)) for _ in range(N_RANDOM // 2)]
    correct = sum(not isinstance(theirs(*case), str) for case in cases)
    assert correct > len(cases) // 4
    lines = differences(cases)
    assert not lines, f"{len(lines)} differ\n" + "\n".join(lines[:40])
