"""The index of errors: those of kernels and of qd-cov, each with an example and the way out, from the examples of the tests.

tests/device/error_examples.txt, graph_errors.txt and tests/cli/error_examples.txt have the examples, and the tests run them. Every text that
runtime/frontend can report has to have one there (`texts_without_example`)."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import NamedTuple

FRONT_END = Path("runtime/frontend")
EXAMPLES = Path("tests/device/error_examples.txt")
GRAPHS = Path("tests/device/graph_errors.txt")
COMMANDS = Path("tests/cli/error_examples.txt")
FRAME = Path("tests/device/wrong_kernels.py")
PAGE = "runtime/python/docs/errors.md"  # the places that links of ways out start from: of kernels and of commands
PAGE_OF_COMMANDS = "ci/errors.md"
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')

WITHOUT_EXAMPLE = {
    # Python refuses these before the kernel is compiled; the host of a C++ program does not.
    "`break` outside of a loop",
    "`continue` outside of a loop",
    # Kernels with more than a million instructions, or a hundred funcs in one another.
    "kernel `{}` grows beyond a million {} here: qd.static unrolls its loops, and each call of a qd.func is a copy of it; "
    "take a loop without qd.static, or fewer calls",
    "is called too deep in other funcs",
    # Methods of vectors and matrices, whose names no other value has.
    "`{}` needs a vector or matrix, not {}",
    # Functions whose source is not there, and compound types that no annotation can name.
    "{} cannot become part of the kernel: {}",
    "{} needs a value: it has no zero",
    "{} has no elements that can be assigned",
    # Warnings: the kernel compiles.
    "only a loop at the top level of a kernel can have a name",
    "the call stack of a BufferView's debug message has {} bytes",
    "qd.graph_do_while is now written qd.graph.do_while",
    "the bound of a loop is {}: it is truncated to i32",
    "the loop is unrolled {} times, which takes long to compile",
    "{} is stored as {}: precision may be lost",
}


class Example(NamedTuple):
    """An error: the title of its group, class and text, the way out or "", and the code that gives it."""

    group: str
    message: str
    way_out: str
    code: str


def examples(text: str) -> list[Example]:
    """The examples of error_examples.txt."""
    found, group = [], ""
    for part in re.split(r"^(?=##)", text, flags=re.MULTILINE):
        if part.startswith("## "):
            group = part[3:].strip()
        elif part.strip():
            head, _, rest = part.partition("\n")
            way_out = re.match(r"> (.*)\n", rest)
            found.append(Example(group, head[4:], way_out[1] if way_out else "", rest[way_out.end() if way_out else 0 :].rstrip() + "\n"))
    return found


def graph_examples(text: str) -> list[Example]:
    """Those of graph_errors.txt, whose messages have a class only where it is not KernelSyntaxError."""
    parts = re.split(r"^### (.*)\n", text, flags=re.MULTILINE)[1:]
    found: dict[str, Example] = {}
    for message, code in zip(parts[::2], parts[1::2]):
        full = message if message.startswith("Kernel") else f"KernelSyntaxError: {message}"
        found.setdefault(full, Example("Graph kernels, streams and checkpoints", full, "", code.replace("  # here", "").rstrip() + "\n"))
    return list(found.values())


def all_examples(root: Path) -> list[Example]:
    """Every example, each error once."""
    return [*examples((root / EXAMPLES).read_text(encoding="utf-8")), *graph_examples((root / GRAPHS).read_text(encoding="utf-8"))]


def texts(root: Path) -> list[str]:
    """The texts that the front end reports, in C++'s format: literals of the calls of `report.error` and `report.warn` that are sentences."""
    found = []
    for path in sorted((root / FRONT_END).rglob("*.cpp")):
        text = path.read_text(encoding="utf-8")
        for call in re.finditer(r"report\.(?:error|warn)\(", text):
            for literal in re.finditer(r'(?:"(?:[^"\\\n]|\\.)*"\s*)+', text[call.end() : _end(text, call.end())]):
                sentence = "".join(LITERAL.findall(literal[0])).replace('\\"', '"')
                if len(sentence) > 12 and " " in sentence.strip():
                    found.append(sentence)
    return found


def _end(text: str, begin: int) -> int:
    """The place of the bracket that closes the one before `begin`."""
    depth, place = 1, begin
    while depth:
        if text[place] == '"':
            literal = LITERAL.match(text, place)
            assert literal
            place = literal.end()
            continue
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        place += 1
    return place


def texts_without_example(root: Path) -> list[str]:
    """The texts that no example has as its message, or as a part of it."""
    messages = [example.message for example in all_examples(root)]
    return sorted({text for text in texts(root) if not any(_pattern(text).search(message) for message in messages)})


def _pattern(text: str) -> re.Pattern[str]:
    """The messages of a format: `{}` stands for anything."""
    parts = re.split(r"(\{\d*\}|\{\{|\}\})", text)
    return re.compile("".join({"{{": r"\{", "}}": r"\}"}.get(part, ".*" if re.fullmatch(r"\{\d*\}", part) else re.escape(part)) for part in parts))


def pages(root: Path) -> dict[str, str]:
    """The parts of the page, each by the place that its links start from."""
    frame = _constants((root / FRAME).read_text(encoding="utf-8"))
    of_kernels = f"""# Index of errors

The errors of kernels, then those of `qd-cov`, each with an example and, where the message does not tell it, the way out.
[Errors](reference.md#errors) has the exceptions, and their place in a program.

{_entries(all_examples(root), "python")}## The kernel of the examples

An example without `def k` is the body of this kernel, and `(...)` stands for its parameters:

```python
{frame["HEADER"]}

@qd.kernel
def k({_one_a_line(frame["PARAMETERS"])}):
    ...
```

"""
    commands = examples((root / COMMANDS).read_text(encoding="utf-8"))
    return {PAGE: of_kernels, PAGE_OF_COMMANDS: _entries(commands, "")}


def _entries(chosen: list[Example], language: str) -> str:
    """A heading for each group, and below it one for each error."""
    text, group = "", ""
    for example in chosen:
        if example.group != group:
            group = example.group
            text += f"## {group}\n\n"
        kind, _, message = example.message.partition(": ") if language else ("", "", example.message)
        lines = [f"`{kind}`" if kind else "", example.way_out]
        code = re.sub(r"\bk\(P\)", "k(...)", example.code)
        text += f"#### {_escaped(message)}\n\n{'. '.join(line for line in lines if line)}\n\n```{language}\n{code}```\n\n"
    return text


def _constants(source: str) -> dict[str, str]:
    """The texts that a module assigns to names."""
    assigned = [statement for statement in ast.parse(source).body if isinstance(statement, ast.Assign)]
    return {ast.unparse(statement.targets[0]): ast.literal_eval(statement.value) for statement in assigned}


def _one_a_line(parameters: str) -> str:
    return re.sub(r", (?=\w+: )", ",\n      ", parameters)


def _escaped(message: str) -> str:
    """A message as Markdown: outside of its own code, nothing is markup. Python's Markdown has no backslash before "<"."""
    parts = re.split(r"(`[^`]*`)", message)
    parts[::2] = [re.sub(r"([*_\[\]#{}])", r"\\\1", part).replace("<", "&lt;").replace(">", "&gt;") for part in parts[::2]]
    return "".join(parts)
