"""`qd-cov lsp` with pygls' client: diagnostics when a file is opened, saved and closed, and when the data changes."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import coverage
import kernel_project
import pytest
from coverage_commands import coverage_py
from lsprotocol import types
from pygls.lsp.client import LanguageClient

SOURCE = """\
def f(n):
    if n:
        x = [
            1,
        ]
        return x
    return "漢𝕂"  # two units of UTF-16


def g():
    pass


f(1)
"""


class Editor:
    """A client, and the messages that it got from the server."""

    def __init__(self) -> None:
        self.client = LanguageClient("test", "1")
        self.shown: dict[str, list[types.Diagnostic]] = {}
        self.refreshed = 0

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def publish(parameters: types.PublishDiagnosticsParams) -> None:
            self.shown[parameters.uri] = list(parameters.diagnostics)

        @self.client.feature(types.WORKSPACE_CODE_LENS_REFRESH)
        def refresh(*_: Any) -> None:
            self.refreshed += 1

    async def open(self, path: Path) -> list[types.Diagnostic]:
        uri = path.as_uri()
        self.shown.pop(uri, None)
        item = types.TextDocumentItem(uri=uri, language_id="python", version=1, text=path.read_text())
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
        await self.until(lambda: uri in self.shown)
        return self.shown[uri]

    async def lenses(self, path: Path) -> list[tuple[int, str]]:
        parameters = types.CodeLensParams(text_document=types.TextDocumentIdentifier(uri=path.as_uri()))
        found = await self.client.text_document_code_lens_async(parameters)
        return [(lens.range.start.line + 1, lens.command.title) for lens in found or [] if lens.command]

    async def until(self, condition: Callable[[], bool]) -> None:
        for _ in range(300):
            if condition():
                return
            await asyncio.sleep(0.1)
        raise AssertionError("it did not happen")


def with_editor(folder: Path, use: Callable[[Editor], Awaitable[None]], *options: str) -> int:
    """Runs `use` between the handshake and the end; gives the exit code of the server."""

    async def run() -> int:
        editor = Editor()
        await editor.client.start_io("qd-cov", "lsp", *options, cwd=folder)
        lens = types.CodeLensWorkspaceClientCapabilities(refresh_support=True)
        able = types.ClientCapabilities(workspace=types.WorkspaceClientCapabilities(code_lens=lens))
        result = await editor.client.initialize_async(types.InitializeParams(process_id=None, root_uri=folder.as_uri(), capabilities=able))
        assert result.server_info and result.server_info.name == "qd-cov" and result.capabilities.code_lens_provider
        editor.client.initialized(types.InitializedParams())
        await asyncio.wait_for(use(editor), 60)
        await editor.client.shutdown_async(None)
        server = editor.client._server
        editor.client.exit(None)
        assert server is not None
        code = await asyncio.wait_for(server.wait(), 20)
        await editor.client.stop()
        return code

    return asyncio.run(run())


def said(diagnostics: list[types.Diagnostic]) -> list[tuple[str, int, int, str]]:
    return [(str(one.code), one.range.start.line + 1, one.range.end.line + 1, one.message) for one in diagnostics]


def run_with_coverage(folder: Path, name: str) -> None:
    coverage_py(["run", "--branch", name], folder, check=True)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "a project, 100%"
    folder.mkdir()
    (folder / "a b.py").write_text(SOURCE)
    run_with_coverage(folder, "a b.py")
    return folder


def test_missing_lines_and_branches(project: Path) -> None:
    """Diagnostics are coverage.py's: lines, and its sentences on branches; columns count in UTF-16."""
    oracle = coverage.Coverage(data_file=str(project / ".coverage"))
    oracle.load()
    analysis = oracle._analyze(str(project / "a b.py"))

    async def use(editor: Editor) -> None:
        shown = await editor.open(project / "a b.py")
        missing = [one for one in said(shown) if one[0] == "missing"]
        assert [line for _, line, _, _ in missing] == sorted(analysis.missing) == [7, 11]
        assert {message for *_, message in missing} == {"Never ran."}
        (branch,) = (one for one in said(shown) if one[0] == "branch")
        assert branch == ("branch", 2, 2, oracle._get_file_reporter(str(project / "a b.py")).missing_arc_description(2, 7))
        line7 = next(one for one in shown if one.range.start.line == 6)
        assert (line7.range.start.character, line7.range.end.character) == (4, len(SOURCE.splitlines()[6].encode("utf-16-le")) // 2)
        assert await editor.lenses(project / "a b.py") == [(1, "67% covered"), (10, "0% covered")]

    assert with_editor(project, use) == 0


def test_a_statement_of_several_lines_is_marked_whole(project: Path) -> None:
    (project / "m.py").write_text("def f():\n    x = [\n        1,\n    ]\n    return x\n")
    run_with_coverage(project, "m.py")

    async def use(editor: Editor) -> None:
        assert said(await editor.open(project / "m.py")) == [("missing", 2, 5, "Never ran.")]

    assert with_editor(project, use) == 0


def test_it_follows_the_data(project: Path) -> None:
    """No data is nothing to show; new data is shown without being asked for, and lenses are to be fetched again."""
    (project / ".coverage").unlink()
    path = project / "a b.py"

    async def use(editor: Editor) -> None:
        assert await editor.open(path) == [] and await editor.lenses(path) == []
        await asyncio.to_thread(run_with_coverage, project, "a b.py")
        await editor.until(lambda: len(editor.shown[path.as_uri()]) == 3)
        await editor.until(lambda: editor.refreshed > 0)
        assert len(await editor.lenses(path)) == 2
        # A file that is closed has nothing to show, and neither has one without data.
        editor.client.text_document_did_close(types.DidCloseTextDocumentParams(text_document=types.TextDocumentIdentifier(uri=path.as_uri())))
        await editor.until(lambda: editor.shown[path.as_uri()] == [])
        (project / "other.py").write_text("x = 1\n")
        assert await editor.open(project / "other.py") == []

    assert with_editor(project, use) == 0


def test_kernels_say_why_and_how(tmp_path: Path) -> None:
    kernel_project.measure(tmp_path)

    async def use(editor: Editor) -> None:
        shown = said(await editor.open(tmp_path / "kernels.py"))
        reasons = {line: message for code, line, _, message in shown if code == "missing"}
        assert reasons[11] == "Never ran in a kernel, not compiled: no kernel that was launched calls it."
        assert reasons[20] == "Never ran in a kernel, not measured: no compiled variant has it (static condition)."
        assert reasons[22] == "Never ran in a kernel, not hit: no launch reached it."
        lenses = dict(await editor.lenses(tmp_path / "kernels.py"))
        assert lenses[5] == "100% covered, func on cpu 1 of 1 probe"
        assert lenses[10] == "0% covered, func that no launched kernel calls"
        assert lenses[15] == "64% covered, kernel on cpu 7 of 9 probes"
        assert lenses[27] == "0% covered, kernel that was never launched"
        assert lenses[37] == "0% covered, kernel that does not compile"

    assert with_editor(tmp_path, use) == 0


def test_data_of_another_version(project: Path) -> None:
    """Lines that moved are not marked: one remark says that the data is old."""
    kernel_project.measure(project)
    path = project / "kernels.py"

    async def use(editor: Editor) -> None:
        path.write_text("# new\n" + path.read_text())
        assert said(await editor.open(path)) == [("version", 1, 1, "The coverage data is of another version of this file: run the tests again.")]
        path.write_text("def (\n")
        assert await editor.open(path) == []

    assert with_editor(project, use) == 0


def test_what_is_no_protocol(tmp_path: Path) -> None:
    """Unknown methods and messages that are no JSON are answered with errors; the end of the input ends the server."""

    def talk(*bodies: str) -> subprocess.CompletedProcess[str]:
        text = "".join(f"Content-Length: {len(body.encode())}\r\n\r\n{body}" for body in bodies)
        return subprocess.run(["qd-cov", "lsp"], cwd=tmp_path, input=text, capture_output=True, text=True, timeout=30)

    done = talk('{"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover"}', "nonsense", '{"jsonrpc": "2.0", "id": 2, "method": "initialize"}',
                '{"jsonrpc": "2.0", "id": 3, "method": "textDocument/hover"}')  # fmt: skip
    assert done.returncode == 1
    odd = talk('{"jsonrpc": "2.0", "id": 1, "method": "initialize"}', '{"id": 2, "method": 7}', '{"method": "textDocument/didOpen", "params": [1]}',
               '{"id": 3, "method": "textDocument/codeLens", "params": {"textDocument": {"uri": {}}}}', '[1]')  # fmt: skip
    assert odd.returncode == 1 and odd.stderr == "" and odd.stdout.count('"code":-32600') >= 2
    assert '"code":-32002' in done.stdout and '"code":-32700' in done.stdout and "qd-cov does not know 'textDocument/hover'." in done.stdout
    over = talk('{"jsonrpc":"2.0","id":1,"method":"initialize"}', '{"jsonrpc":"2.0","id":2,"method":"shutdown"}', '{"jsonrpc":"2.0","method":"exit"}')
    assert over.returncode == 0
    assert subprocess.run(["qd-cov", "lsp", "x"], capture_output=True, text=True).stderr.startswith("'lsp' takes no arguments")
