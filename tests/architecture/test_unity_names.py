"""Names of a source's unnamed namespace are no names of a header of its library.

In a unity build, a source that means the header's name would get the one of a neighbour without a word.
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("cli", "instrument", "report", "runtime", "templates")
UNNAMED = re.compile(r"^namespace \{\n(.*?)^\}  // namespace\n", re.MULTILINE | re.DOTALL)
STRING = re.compile(r'"(?:\\.|[^"\\])*"')
TYPE = re.compile(r"(?:enum class|enum|class|struct)\s+(\w+)|using (\w+) =")
OTHER = re.compile(r"^[\w:<>,*&\[\] ]+?[\s*&](\w+)(?:\[\w*\])?\s*(?:\(|=|\{|;)")
WORDS = {"if", "for", "while", "return", "switch", "operator", "namespace"}


def declared(text: str) -> set[str]:
    """Names that are declared at the start of a line: types, functions, constants."""
    found = set()
    for line in text.splitlines():
        if not line or line[0] in " /#}":
            continue
        line = STRING.sub('""', re.sub(r"^(?:template <.*?>|inline|constexpr|static|extern|thread_local)\s+", "", line))
        match = TYPE.match(line) or OTHER.match(line)
        if match and not line.startswith(("using namespace", "using enum", "namespace")):
            found.add(match[1] or match[2])
    return found - WORDS


def hidden(sources: dict[str, str], headers: dict[str, str]) -> list[str]:
    """Each name of a source's unnamed namespace that a header of the same namespace declares, too."""
    of_headers: dict[tuple[str, str], str] = {}
    for path, text in headers.items():
        for space in re.findall(r"^namespace (\S+) \{", text, re.MULTILINE):
            for name in declared(text):
                of_headers.setdefault((space, name), path)
    return [
        f"{path}: {name} of {of_headers[space, name]}"
        for path, text in sources.items()
        for space in set(re.findall(r"^namespace ([\w:]+) \{", text, re.MULTILINE))
        for body in UNNAMED.findall(text)
        for name in sorted(declared(body))
        if (space, name) in of_headers
    ]


def test_what_is_hidden() -> None:
    header = 'namespace a::b {\ninline constexpr const char* kText = "x";\nstruct Box {\n  int size;\n};\nint count(const Box& box);\n}\n'
    unnamed = 'constexpr const char* kText = "y = (";\nstruct Boxes {};\nint count(int n) { return n; }\n'
    source = f"namespace a::b {{\nnamespace {{\n{unnamed}}}  // namespace\n}}\n"
    assert hidden({"s.cpp": source}, {"h.h": header}) == ["s.cpp: count of h.h", "s.cpp: kText of h.h"]
    assert hidden({"s.cpp": source.replace("a::b", "a::c")}, {"h.h": header}) == []


def library_of(path: Path) -> Path:
    """The folder whose CMakeLists.txt has the source."""
    return next(folder for folder in path.parents if (folder / "CMakeLists.txt").exists())


def test_no_source_hides_a_name_that_a_neighbour_includes() -> None:
    files = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*")) if path.suffix in (".h", ".cpp")]
    libraries: dict[Path, list[Path]] = {}
    for path in files:
        libraries.setdefault(library_of(path), []).append(path)
    found = []
    for members in libraries.values():
        texts = {str(path.relative_to(ROOT)): path.read_text() for path in members}
        headers = {name for text in texts.values() for name in re.findall(r'^#include "(\S+\.h)"', text, re.MULTILINE)}
        included = {name: (ROOT / name).read_text() for name in sorted(headers) if (ROOT / name).exists()}
        found += hidden({name: text for name, text in texts.items() if name.endswith(".cpp")}, included)
    assert found == []
