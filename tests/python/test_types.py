"""Types as user code sees them: mypy and pyright, in strict mode, on a program and on the examples of the guide, and an editor's view of kernels.

The checkers read the installed packages, by both of their names. pyright is that of basedpyright, which needs no download."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
PROGRAM = HERE / "typed_program.py"
GUIDE = HERE.parents[1] / "runtime" / "python" / "docs"
SECTION = re.compile(r"^## (.+)\n((?:(?!## ).*\n)*)", re.MULTILINE)
EXAMPLE = re.compile(r"^```python\n(.*?)^```\n", re.MULTILINE | re.DOTALL)

# Reports on code without annotations, which the examples have, and on names that nobody uses: a user's own choice.
OF_UNTYPED_CODE = {
    "no-untyped-def", "no-untyped-call", "no-any-return", "reportMissingParameterType", "reportUnknownParameterType", "reportUnknownArgumentType",
    "reportUnknownVariableType", "reportUnknownMemberType", "reportUnknownLambdaType", "reportConstantRedefinition", "reportUnusedVariable",
}  # fmt: skip

# The lines of the guide that checkers report, with the checkers: mistakes that the page is about, and what the section on type checkers names.
REPORTED = {
    "n = 3.9  # n stays an integer": "mypy",
    "return n": "pyright",  # of the n above
    "print(times.counter, 0 < times.min <= times.avg <= times.max)": "mypy pyright",  # of a kernel that ran, and not None
    "return totl": "mypy pyright",
    "return width * height": "pyright",
    'def smooth(a: qd.types.ndarray(dtype=qd.f32, ndim=1, boundary="clamp"), out: qd.types.NDArray[qd.f32, 1]):': "mypy pyright",
}


def examples(folder: Path) -> None:
    """Writes the examples of each section of the guide into a file."""
    for page in sorted(GUIDE.glob("*.md")):
        for title, body in SECTION.findall(page.read_text(encoding="utf-8")):
            code = "\n".join(EXAMPLE.findall(body))
            if code:
                (folder / f"{page.stem}_{re.sub('[^a-z]+', '_', title.lower())}.py").write_text(code, encoding="utf-8")


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[str, int, str]]]:
    """By checker, its errors as file, line and rule."""
    folder = tmp_path_factory.mktemp("typed")
    examples(folder)
    text = PROGRAM.read_text(encoding="utf-8")
    (folder / "program_qd.py").write_text(text, encoding="utf-8")
    renamed = text.replace("import qd.math\n", "").replace("import qd\n", "import qdcov as qd\n").replace("from qd.", "from qdcov.")
    (folder / "program_qdcov.py").write_text(renamed, encoding="utf-8")
    (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    mypy = subprocess.Popen(
        [sys.executable, "-m", "mypy", "--strict", "--output=json", "."], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    pyright = subprocess.run(
        [str(Path(sys.executable).with_name("basedpyright")), "--outputjson", "--pythonpath", sys.executable],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert pyright.returncode == 1, pyright.stdout + pyright.stderr
    out, errors = mypy.communicate()
    assert mypy.returncode == 1 and not errors, out + errors
    of_mypy = [json.loads(line) for line in out.splitlines()]
    of_pyright = json.loads(pyright.stdout)["generalDiagnostics"]
    return {
        "mypy": [(Path(r["file"]).name, r["line"], r["code"]) for r in of_mypy if r["severity"] == "error"],
        "pyright": [(Path(r["file"]).name, r["range"]["start"]["line"] + 1, r.get("rule", "")) for r in of_pyright],
    } | {"folder": [(str(folder), 0, "")]}


@pytest.mark.parametrize("checker", ("mypy", "pyright"))
@pytest.mark.parametrize("package", ("qd", "qdcov"))
def test_program(reports: dict[str, list[tuple[str, int, str]]], checker: str, package: str) -> None:
    name = f"program_{package}.py"
    lines = (Path(reports["folder"][0][0]) / name).read_text(encoding="utf-8").splitlines()
    wrong = {n for n, line in enumerate(lines, 1) if "# wrong" in line and line.endswith(("wrong", checker))}
    assert len(wrong) > 10
    assert {line for file, line, _ in reports[checker] if file == name} == wrong, reports[checker]


@pytest.mark.parametrize("checker", ("mypy", "pyright"))
def test_guide(reports: dict[str, list[tuple[str, int, str]]], checker: str) -> None:
    folder = Path(reports["folder"][0][0])
    found: dict[str, list[str]] = {}
    for file, line, rule in reports[checker]:
        if rule not in OF_UNTYPED_CODE and not file.startswith("program_"):
            text = (folder / file).read_text(encoding="utf-8").splitlines()[line - 1].strip()
            found.setdefault(text, []).append(f"{file}:{line} {rule}")
    assert set(found) == {text for text, checkers in REPORTED.items() if checker in checkers.split()}, found


def test_program_runs() -> None:
    run = subprocess.run([sys.executable, PROGRAM], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[-2:] == ["4 [[2, 0, -2], [4, 2, 0]] 3.0 False 10.0 4 8", "True [0.] cpu True"]


class Editor:
    """A client of a language server, as editors are."""

    def __init__(self, folder: Path, command: list[str]) -> None:
        # In a group of its own: the server is a child of the program that starts it.
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
        self.number = 0
        folders = [{"uri": folder.as_uri(), "name": folder.name}]
        self.ask("initialize", {"processId": None, "rootUri": folder.as_uri(), "workspaceFolders": folders, "capabilities": {}})
        self.send({"method": "initialized", "params": {}})

    def send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.server.stdin
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def received(self) -> dict[str, Any]:
        assert self.server.stdout
        length = 0
        while (line := self.server.stdout.readline()) not in (b"\r\n", b""):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        message: dict[str, Any] = json.loads(self.server.stdout.read(length))
        return message

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            message = self.received()
            if message.get("method") == "workspace/configuration":
                self.send({"id": message["id"], "result": [{} for _ in message["params"]["items"]]})
            elif "method" in message and "id" in message:
                self.send({"id": message["id"], "result": None})
            elif message.get("id") == self.number:
                return message["result"]


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Editor]:
    made = Editor(tmp_path, [str(Path(sys.executable).with_name("basedpyright-langserver")), "--stdio"])
    yield made
    os.killpg(made.server.pid, signal.SIGKILL)
    made.server.wait()


def test_hover_shows_the_parameters_of_kernels(editor: Editor, tmp_path: Path) -> None:
    text = PROGRAM.read_text(encoding="utf-8")
    path = tmp_path / "program.py"
    path.write_text(text, encoding="utf-8")
    (tmp_path / "pyrightconfig.json").write_text(json.dumps({"venvPath": str(Path(sys.prefix).parent), "venv": Path(sys.prefix).name}))
    editor.send(
        {"method": "textDocument/didOpen", "params": {"textDocument": {"uri": path.as_uri(), "languageId": "python", "version": 1, "text": text}}}
    )
    for place, shown in {
        "limit(x: NDArray": "(function) def limit( x: NDArray, top: f32 ) -> i32",
        "limit(x, 0.5)": "(function) limit: Kernel[(x: NDArray, top: f32), i32]",
        "mixed(v.x": "(function) mixed: Func[(a: f32, b: f32, part: f32 = 0.5), f32]",
        "run(2)": "(property) run: Kernel[(times: i32), None]",
    }.items():
        line, column = next((n, row.index(place)) for n, row in enumerate(text.splitlines()) if place in row)
        answer = editor.ask("textDocument/hover", {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": column}})
        contents = answer["contents"]
        hover = re.sub(r"\s+", " ", contents["value"] if isinstance(contents, dict) else contents)
        assert shown in hover, place
