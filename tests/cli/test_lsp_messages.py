"""`qd-cov lsp` and messages of editors: addresses of all kinds, odd headers, and invalid messages. It answers, and lives on."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from coverage_commands import coverage_py

INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"rootUri": "file:///x", "capabilities": {}}}
END = [{"jsonrpc": "2.0", "id": "end", "method": "shutdown"}, {"jsonrpc": "2.0", "method": "exit"}]


def packed(message: object, header: str = "Content-Length: {}\r\n\r\n") -> bytes:
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return header.format(len(body)).encode() + body


def answers(output: bytes) -> list[dict[str, Any]]:
    """Messages in standard output, which must be the protocol and nothing else."""
    found = []
    while output:
        header, _, output = output.partition(b"\r\n\r\n")
        name, _, length = header.partition(b": ")
        assert name == b"Content-Length", header
        found.append(json.loads(output[: int(length)]))
        output = output[int(length) :]
    return found


def talk(folder: Path, *parts: bytes | object, options: tuple[str, ...] = (), code: int = 0, **environment: str) -> list[dict[str, Any]]:
    data = b"".join(part if isinstance(part, bytes) else packed(part) for part in [*parts, *END])
    done = subprocess.run(["qd-cov", "lsp", *options], cwd=folder, input=data, capture_output=True, timeout=60, env=environment or None)
    assert done.returncode == code, (done, data)
    return answers(done.stdout)


def by_id(found: list[dict[str, Any]], number: object) -> dict[str, Any]:
    (one,) = (message for message in found if message.get("id") == number and "method" not in message)
    return one


def measured(folder: Path) -> Path:
    (folder / "a b.py").write_text("import sys\nif len(sys.argv) > 5:\n    x = 1\n")
    coverage_py(["run", "a b.py"], folder, check=True)
    return folder.resolve()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return measured(tmp_path_factory.mktemp("lsp"))


def document(uri: object, method: str, number: int = 2) -> dict[str, Any]:
    parameters: dict[str, Any] = {"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": "x = 1\n"}}
    message: dict[str, Any] = {"jsonrpc": "2.0", "method": f"textDocument/{method}", "params": parameters}
    return {**message, "id": number} if method == "codeLens" else message


ADDRESSES = [
    "untitled:Untitled-1",
    "git:/x/a.py?x",
    "vscode-notebook-cell:/x/n.ipynb#W0",
    "http://h/a.py",
    "file:/x/a.py",
    "FILE:///x/a.py",
    "",
    "file:",
    "file://",
    "file:///",
    "file://server/share/a.py",
    "file:///c%3A/a.py",
    "file:///C:/a.py",
    "file:a.py",
    "file:///x/%00a.py",
    "file:///%",
    "file:///%zz%2",
    "a.py",
    "/x/a.py",
    "zipfile:///x.zip::a.py",
    "output:x",
    "file:///" + "a/" * 5000 + "a.py",
    "file:///\u00e9\U0001f600.py",
    "file:///%ff%fe.py",
    ":",
    "//",
    "%",
]


@pytest.mark.parametrize("method", ["didOpen", "didSave", "didClose", "codeLens"])
def test_addresses_that_are_no_measured_file(folder: Path, method: str) -> None:
    found = talk(folder, INITIALIZE, *(document(uri, method, number) for number, uri in enumerate(ADDRESSES, 2)))
    assert "result" in by_id(found, "end")
    if method == "codeLens":
        assert [by_id(found, number)["result"] for number, _ in enumerate(ADDRESSES, 2)] == [[]] * len(ADDRESSES)
    else:
        shown = [message["params"] for message in found if message.get("method") == "textDocument/publishDiagnostics"]
        assert shown == [{"uri": uri, "diagnostics": []} for uri in ADDRESSES]


@pytest.mark.parametrize(
    "uri",
    [
        "file://{}/a%20b.py",
        "file:{}/a%20b.py",
        "FILE://{}/a%20b.py",
        "file://localhost{}/a%20b.py",
        "File://LOCALHOST{}/a b.py",
        "file://{}/%61%20b%2epy",
        "file://{}/./x/../a%20b.py",
        "file://{}/a%20b.py?version=1",
        "file://{}/a%20b.py#L3",
    ],
)
def test_addresses_of_one_file(folder: Path, uri: str) -> None:
    found = talk(folder, INITIALIZE, document(uri.format(folder), "didOpen"), document(uri.format(folder), "codeLens"))
    (shown,) = (message for message in found if message.get("method") == "textDocument/publishDiagnostics")
    assert [one["range"]["start"]["line"] for one in shown["params"]["diagnostics"]] == [2]
    assert by_id(found, 2)["result"] == []  # it has no function


@pytest.mark.parametrize("uri", [None, 7, [], {}, True, 1.5])
@pytest.mark.parametrize("method", ["didOpen", "didSave", "didClose", "codeLens"])
def test_addresses_that_are_no_text(folder: Path, uri: object, method: str) -> None:
    found = talk(
        folder,
        INITIALIZE,
        document(uri, method),
        {"jsonrpc": "2.0", "id": 3, "method": "textDocument/codeLens", "params": {"textDocument": {"uri": "x:"}}},
    )
    assert by_id(found, 3)["result"] == []
    if method == "codeLens":
        assert by_id(found, 2)["error"]["code"] == -32600


HEADERS = {
    "lower case": "content-length: {}\r\n\r\n",
    "upper case": "CONTENT-LENGTH: {}\r\n\r\n",
    "no blank": "Content-Length:{}\r\n\r\n",
    "blanks": "Content-Length: \t {} \t\r\n\r\n",
    "type first": "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: {}\r\n\r\n",
    "type last": "Content-Length: {}\r\nContent-Type: application/vscode-jsonrpc; charset=utf8\r\n\r\n",
    "lower case type": "content-type: application/vscode-jsonrpc;charset=UTF-8\r\ncontent-length: {}\r\n\r\n",
    "unknown": "X-Content-Length: 5\r\nContent-Length: {}\r\nX: y\r\n\r\n",
}


@pytest.mark.parametrize("header", HEADERS)
def test_headers(folder: Path, header: str) -> None:
    found = talk(folder, packed(INITIALIZE, HEADERS[header]), packed({"jsonrpc": "2.0", "id": "\u00e9", "method": "what"}, HEADERS[header]))
    assert "capabilities" in by_id(found, 1)["result"]
    assert by_id(found, "\u00e9")["error"]["code"] == -32601
    assert len(found) == 3


BAD = {
    "no JSON": packed(b"nonsense"),
    "half": packed(b'{"jsonrpc": "2.0", '),
    "a list": packed([1]),
    "a batch": packed([{"jsonrpc": "2.0", "id": 2, "method": "x"}]),
    "a number": packed(7),
    "null": packed(None),
    "nothing": packed(b""),
    "no UTF-8": packed(b'{"method": "\xff\xfe"}x'),
    "deep": packed(b"[" * 100_000),
    "no length": b"X: y\r\n\r\n",
    "no header": b"\r\n\r\n",
    "no number": b"Content-Length: ten\r\n\r\n",
    "negative": b"Content-Length: -5\r\n\r\n",
    "a sign": b"Content-Length: +5\r\n\r\n",
    "overflow": b"Content-Length: 99999999999999999999999\r\n\r\n",
    "hexadecimal": b"Content-Length: 0x10\r\n\r\n",
    "too long": b"Content-Length: 70000000\r\n\r\n" + b" " * 70_000_000,
    "long headers": b"X" * 200_000 + b"\r\n\r\n",
    "a length twice": b"Content-Length: 5\r\nContent-Length: x\r\n\r\n",
}


@pytest.mark.parametrize("what", BAD)
def test_what_is_no_message(folder: Path, what: str) -> None:
    found = talk(
        folder, INITIALIZE, BAD[what], {"jsonrpc": "2.0", "id": 3, "method": "textDocument/codeLens", "params": {"textDocument": {"uri": "x:"}}}
    )
    assert by_id(found, 3)["result"] == []
    errors = [message["error"]["code"] for message in found if "error" in message]
    assert errors and set(errors) == {-32700}, found


ODD = {
    "unknown": ({"id": 2, "method": "textDocument/hover"}, -32601),
    "unknown notification": ({"method": "$/setTrace"}, None),
    "a response": ({"id": 2, "result": None}, None),
    "no method": ({"id": 2}, None),
    "an empty method": ({"id": 2, "method": ""}, None),
    "a number as method": ({"id": 2, "method": 7}, -32600),
    "null as method": ({"id": 2, "method": None}, -32600),
    "a list as parameters": ({"id": 2, "method": "textDocument/codeLens", "params": [1]}, -32600),
    "a number as parameters": ({"id": 2, "method": "textDocument/codeLens", "params": 7}, -32600),
    "no parameters": ({"id": 2, "method": "textDocument/codeLens"}, -32600),
    "no document": ({"id": 2, "method": "textDocument/codeLens", "params": {}}, -32600),
    "no address": ({"id": 2, "method": "textDocument/codeLens", "params": {"textDocument": {}}}, -32600),
    "a document that is text": ({"id": 2, "method": "textDocument/codeLens", "params": {"textDocument": "x"}}, -32600),
    "initialize again": ({"id": 2, "method": "initialize", "params": {}}, -32600),
    "an odd id": ({"id": {"a": [1]}, "method": "x"}, -32601),
}


@pytest.mark.parametrize("what", ODD)
def test_odd_messages(folder: Path, what: str) -> None:
    message, code = ODD[what]
    found = talk(folder, INITIALIZE, {"jsonrpc": "2.0", **message})
    assert [one["error"]["code"] for one in found if "error" in one] == ([code] if code else [])
    assert "result" in by_id(found, "end")


def test_before_and_after(folder: Path) -> None:
    lens = {"jsonrpc": "2.0", "id": 5, "method": "textDocument/codeLens", "params": {"textDocument": {"uri": "x:"}}}
    found = talk(folder, lens, document("x:", "didOpen"), INITIALIZE, END[0] | {"id": 6}, lens | {"id": 7}, document("x:", "didOpen"))
    # The last shutdown of talk() is one too many as well.
    assert [(one.get("id"), one["error"]["code"]) for one in found if "error" in one] == [(5, -32002), (7, -32600), ("end", -32600)]
    assert not any(one.get("method") for one in found)


def test_initialize_with_odd_capabilities(folder: Path) -> None:
    for parameters in (
        {"capabilities": None},
        {"capabilities": {"workspace": {"codeLens": 7}}},
        {"capabilities": {"workspace": {"codeLens": {"refreshSupport": "x"}}}},
        None,
        7,
    ):
        found = talk(folder, {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": parameters}, INITIALIZE | {"id": 2})
        assert "result" in found[-1]
        assert any("result" in by_id(found, number) for number in (1, 2))


@pytest.mark.parametrize("what", ["configuration", "data", "debug"])
def test_nothing_but_the_protocol_on_standard_output(tmp_path: Path, what: str) -> None:
    folder = measured(tmp_path)
    if what == "configuration":
        (folder / ".coveragerc").write_text("[run]\nbranch = maybe\n")
        done = subprocess.run(["qd-cov", "lsp"], cwd=folder, input=b"", capture_output=True, timeout=60)
        assert (done.returncode, done.stdout) == (1, b"") and b"Not a boolean: maybe" in done.stderr
        return
    if what == "data":
        (folder / ".coverage").write_text("no data")
        found = talk(folder, INITIALIZE, document((folder / "a b.py").as_uri(), "codeLens"))
        assert by_id(found, 2)["result"] == [] and any(one.get("method") == "window/logMessage" for one in found)
        return
    (folder / ".coveragerc").write_text("[run]\ndebug_file = stdout\n")
    assert "result" in by_id(talk(folder, INITIALIZE, options=("--debug=config,sys",)), 1)


def test_when_nobody_reads(folder: Path) -> None:
    for redirection in ("> /dev/full", ">&-"):
        done = subprocess.run(["sh", "-c", f"qd-cov lsp {redirection}"], cwd=folder, input=packed(INITIALIZE), capture_output=True, timeout=60)
        assert done.returncode == 1 and b"Couldn't write to standard output" in done.stderr, done
