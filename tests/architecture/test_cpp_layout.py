"""Layout of C++ sources beside clang-format's, which pre-commit checks: no line is longer than the column limit; names of tests."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 120
RAW_STRING = re.compile(r'R"(\w*)\(.*?\)\1"', re.DOTALL)
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')


def sources() -> list[Path]:
    tops = ("runtime", "instrument", "report", "cli", "templates", "tests")
    return sorted(p for top in tops for p in (ROOT / top).rglob("*") if p.suffix in {".h", ".cpp"})


def long_lines(text: str) -> list[int]:
    """Lines over the limit. One that ends in a string literal may be longer: clang-format cannot break those."""

    def emptied(match: re.Match[str]) -> str:
        return '""' + "\n" * match[0].count("\n")

    lines = STRING.sub('""', RAW_STRING.sub(emptied, text)).split("\n")
    return [number for number, line in enumerate(lines, 1) if len(line) > LIMIT]


def test_what_a_long_line_is() -> None:
    words = "a " * 80
    assert long_lines(f"int a;\n// {words}\n") == [2]
    assert long_lines(f'say("{words}");\n') == []
    assert long_lines(f'say(R"(\n{words}\n)");\n// {words}') == [4]


def test_no_line_is_too_long() -> None:
    assert [f"{p.relative_to(ROOT)}:{line}" for p in sources() for line in long_lines(p.read_text())] == []


def test_unit_tests_are_named_alike() -> None:
    """`thing_test.cpp` holds TEST(Thing, DoesThis). Files without tests hold parts that several share."""
    test = re.compile(r"^TEST(?:_F|_P)?\((\w+),\s*(\w+)\)", re.MULTILINE)
    pascal = re.compile(r"(?:[A-Z][a-z0-9]*)+")
    found = 0
    for path in (ROOT / "tests" / "unit").rglob("*.cpp"):
        names = test.findall(path.read_text())
        assert bool(names) == path.name.endswith("_test.cpp"), path
        assert [name for pair in names for name in pair if not pascal.fullmatch(name)] == [], path
        found += len(names)
    assert found > 500
