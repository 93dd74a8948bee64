"""A server on this machine that answers as the documentation of GitHub's and GitLab's APIs says, and fails when it is told to."""

from __future__ import annotations

import json
import os
import re
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "ghs_0123456789abcdefSECRETsecret"
REPOSITORY = "octo/particles"
HEAD = "a" * 40
FORBIDDEN = {"message": "Resource not accessible by integration", "documentation_url": "https://docs.github.com/rest", "status": "403"}
CHECK_RUN_KEYS = {"name", "head_sha", "details_url", "external_id", "status", "started_at", "conclusion", "completed_at", "output", "actions"}


@dataclass
class Fault:
    """A fault that one request meets, once."""

    method: str
    path: str
    status: int = 0  # 0: the connection is cut
    headers: dict[str, str] = field(default_factory=dict)
    body: Any = None
    done: bool = False  # the request takes effect all the same


@dataclass
class Request:
    """A request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any


class GitHub:
    """The state of the service; tests set it up and look at it."""

    def __init__(self) -> None:
        self.url = ""
        self.requests: list[Request] = []
        self.faults: list[Fault] = []
        self.may_write = True
        self.person = ""  # the token's owner; empty: a job's token
        self.comments: list[dict[str, Any]] = []  # of pull request 7
        self.check_runs: list[dict[str, Any]] = []
        self.pulls: dict[int, dict[str, Any]] = {7: self.pull(HEAD, REPOSITORY)}
        self.vanishing = 0  # first comments that somebody deletes just before their update
        self.notes: list[dict[str, Any]] = []  # of merge request 3 of GitLab's project 5

    @staticmethod
    def pull(sha: str, repository: str, state: str = "open") -> dict[str, Any]:
        return {"state": state, "head": {"sha": sha, "repo": {"full_name": repository}}}

    def add_comment(self, body: str, login: str = "github-actions[bot]", kind: str = "Bot") -> dict[str, Any]:
        """A comment that is there already."""
        comment = {
            "id": 1000 + len(self.comments),
            "body": body,
            "user": {"login": login, "type": kind},
            "html_url": f"https://github.com/c/{len(self.comments)}",
        }
        self.comments.append(comment)
        return comment

    def fail(self, method: str, path: str, status: int = 0, **more: Any) -> None:
        """The next such request fails."""
        self.faults.append(Fault(method, path, status, **more))

    def asked(self, method: str = "") -> list[str]:
        """The requests there were, in short."""
        return [f"{one.method} {one.path}" for one in self.requests if not method or one.method == method]

    def answer(self, request: Request, query: Mapping[str, list[str]]) -> tuple[int, Any, dict[str, str]]:
        """Status, body, headers."""
        if request.path.startswith("/api/v4/"):
            return self.answer_gitlab(request, query)
        if request.headers.get("authorization") != f"Bearer {TOKEN}":
            return 401, {"message": "Bad credentials"}, {}
        repository = f"/repos/{REPOSITORY}"
        rules: list[tuple[str, str, Callable[..., tuple[int, Any, dict[str, str]]]]] = [
            (
                "GET",
                rf"(?:{repository}|/repositories/1)/issues/7/comments",
                lambda: self.page(self.comments, query, "/repositories/1/issues/7/comments"),
            ),
            ("POST", rf"{repository}/issues/7/comments", lambda: self.create_comment(request.body)),
            ("PATCH", rf"{repository}/issues/comments/(\d+)", lambda number: self.update_comment(int(number), request.body)),
            ("POST", rf"{repository}/check-runs", lambda: self.create_check_run(request.body)),
            ("PATCH", rf"{repository}/check-runs/(\d+)", lambda number: self.update_check_run(int(number), request.body)),
            ("GET", rf"{repository}/check-runs/(\d+)", lambda number: (200, self.check_runs[int(number) - 1], {})),
            ("GET", rf"{repository}/commits/(\w+)/check-runs", self.list_check_runs),
            (
                "GET",
                rf"{repository}/pulls/(\d+)",
                lambda number: (200, self.pulls[int(number)], {}) if int(number) in self.pulls else (404, {"message": "Not Found"}, {}),
            ),
            ("GET", "/user", lambda: (200, {"login": self.person}, {}) if self.person else (403, FORBIDDEN, {})),
        ]
        for method, pattern, act in rules:
            if method == request.method and (found := re.fullmatch(pattern, request.path)):
                if method != "GET" and not self.may_write:
                    return 403, FORBIDDEN, {}
                return act(*found.groups())
        return 404, {"message": "Not Found"}, {}

    def page(self, items: list[Any], query: Mapping[str, list[str]], path: str) -> tuple[int, Any, dict[str, str]]:
        """One page of a list; the next one is named by its number of the repository, as GitHub does it."""
        size = min(int(query.get("per_page", ["30"])[0]), 100)
        number = int(query.get("page", ["1"])[0])
        last = max((len(items) + size - 1) // size, 1)
        links = []
        if number > 1:
            links.append(f'<{self.url}{path}?per_page={size}&page={number - 1}>; rel="prev"')
        if number < last:
            links.append(
                f'<{self.url}{path}?per_page={size}&page={number + 1}>; rel="next", <{self.url}{path}?per_page={size}&page={last}>; rel="last"'
            )
        return 200, items[(number - 1) * size : number * size], {"Link": ", ".join(links)} if links else {}

    @staticmethod
    def too_long(body: str) -> tuple[int, Any, dict[str, str]] | None:
        if len(body.encode("utf-16-le")) // 2 <= 65536:
            return None
        error = {"resource": "IssueComment", "code": "unprocessable", "field": "data", "message": "Body is too long (maximum is 65536 characters)"}
        return 422, {"message": "Validation Failed", "errors": [error]}, {}

    def create_comment(self, body: Any) -> tuple[int, Any, dict[str, str]]:
        if refused := self.too_long(body["body"]):
            return refused
        return 201, self.add_comment(body["body"], *((self.person, "User") if self.person else ())), {}

    def update_comment(self, number: int, body: Any) -> tuple[int, Any, dict[str, str]]:
        if self.vanishing:
            self.comments.pop(0)
            self.vanishing -= 1
        found = [one for one in self.comments if one["id"] == number]
        if not found:
            return 404, {"message": "Not Found"}, {}
        [comment] = found
        if refused := self.too_long(body["body"]):
            return refused
        comment["body"] = body["body"]
        return 200, comment, {}

    @staticmethod
    def wrong_output(output: Any) -> str:
        """GitHub's message for an output that it refuses; empty: it accepts it."""
        if len(output["annotations"]) > 50:
            return f"Invalid request.\n\nNo more than 50 items are allowed; {len(output['annotations'])} were supplied."
        if missing := [key for key in ("title", "summary") if key not in output]:
            return f'Invalid request.\n\n"{missing[0]}" wasn\'t supplied.'
        return "Only 65535 characters are allowed; more were supplied." if len(output["summary"]) > 65535 else ""

    def create_check_run(self, body: Any) -> tuple[int, Any, dict[str, str]]:
        if unknown := set(body) - CHECK_RUN_KEYS:
            return 422, {"message": f'Invalid request.\n\n"{min(unknown)}" is not a permitted key.'}, {}
        if wrong := self.wrong_output(body["output"]):
            return 422, {"message": wrong}, {}
        run = {**body, "id": len(self.check_runs) + 1, "html_url": "https://github.com/run"}
        run["output"] = {**body["output"], "annotations_count": len(body["output"]["annotations"])}
        self.check_runs.append(run)
        return 201, run, {}

    def update_check_run(self, number: int, body: Any) -> tuple[int, Any, dict[str, str]]:
        if wrong := self.wrong_output(body["output"]):
            return 422, {"message": wrong}, {}
        output = self.check_runs[number - 1]["output"]
        output["annotations"] = output["annotations"] + body["output"]["annotations"]
        output["annotations_count"] = len(output["annotations"])
        return 200, self.check_runs[number - 1], {}

    def list_check_runs(self, sha: str) -> tuple[int, Any, dict[str, str]]:
        runs = [run for run in self.check_runs if run["head_sha"] == sha]
        return 200, {"total_count": len(runs), "check_runs": runs}, {}

    def answer_gitlab(self, request: Request, query: Mapping[str, list[str]]) -> tuple[int, Any, dict[str, str]]:
        """GitLab's notes."""
        if request.headers.get("private-token") != TOKEN:
            return 401, {"message": "401 Unauthorized"}, {}
        notes = "/api/v4/projects/5/merge_requests/3/notes"
        if request.method == "GET" and request.path == "/api/v4/user":
            return 200, {"username": "project_5_bot"}, {}
        if request.method == "GET" and request.path == notes:
            return self.page(self.notes, query, notes)
        if request.method == "POST" and request.path == notes:
            note = {"id": 500 + len(self.notes), "body": request.body["body"], "author": {"username": "project_5_bot"}, "system": False}
            self.notes.append(note)
            return 201, note, {}
        if request.method == "PUT" and (found := re.fullmatch(rf"{notes}/(\d+)", request.path)):
            self.notes[int(found[1]) - 500]["body"] = request.body["body"]
            return 200, self.notes[int(found[1]) - 500], {}
        return 404, {"message": "404 Not found"}, {}


@contextmanager
def serving(certificate: Path | None = None, key: Path | None = None) -> Iterator[GitHub]:
    """Runs the server, on this machine alone; over TLS when it has a certificate."""
    service = GitHub()
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:
            pass

        def handle_any(self) -> None:
            content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            parts = urlsplit(self.path)
            request = Request(self.command, parts.path, {k.lower(): v for k, v in self.headers.items()}, json.loads(content) if content else None)
            with lock:
                service.requests.append(request)
                fault = next((one for one in service.faults if one.method == request.method and one.path in self.path), None)
                status, body, headers = 0, None, {}
                if fault:
                    service.faults.remove(fault)
                    status, body, headers = fault.status, fault.body, fault.headers
                if not fault or fault.done:
                    done = service.answer(request, parse_qs(parts.query))
                    if not fault:
                        status, body, headers = done
            self.close_connection = True
            if status == 0:
                return
            text = json.dumps(body if body is not None else {"message": "Server Error"}).encode()
            self.send_response(status)
            for name, value in {"Content-Type": "application/json; charset=utf-8", "Content-Length": str(len(text)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text)

        do_GET = do_POST = do_PATCH = do_PUT = handle_any

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.handle_error = lambda request, client_address: None  # type: ignore[method-assign]
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    service.url = f"http{'s' if certificate else ''}://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=lambda: server.serve_forever(poll_interval=0.01))
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Job:
    """A job of GitHub Actions: its environment, its event, its files."""

    def __init__(self, service: GitHub, folder: Path) -> None:
        self.service = service
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("GITHUB_", "RUNNER_", "CI_", "GITLAB_")) and "proxy" not in name.lower()
        }
        self.environment |= {
            "GITHUB_API_URL": service.url,
            "GITHUB_REPOSITORY": REPOSITORY,
            "GITHUB_TOKEN": TOKEN,
            "GITHUB_SHA": "b" * 40,
            "GITHUB_REF": "refs/pull/7/merge",
        }
        for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"):
            self.environment[name] = str(folder / name)
        self.event({"number": 7, "pull_request": {"number": 7, "head": {"sha": HEAD, "repo": {"full_name": REPOSITORY}}}})

    def event(self, event: Any) -> None:
        """Writes the event that GITHUB_EVENT_PATH names."""
        path = self.folder / "event.json"
        path.write_text(event if isinstance(event, str) else json.dumps(event))
        self.environment["GITHUB_EVENT_PATH"] = str(path)

    def follows(self, head_repository: str = "stranger/particles", head_sha: str = HEAD) -> None:
        """The job is one on workflow_run."""
        self.event(
            {"workflow_run": {"head_sha": head_sha, "head_repository": {"full_name": head_repository}, "event": "pull_request", "pull_requests": []}}
        )
        self.environment["GITHUB_REF"] = "refs/heads/main"

    def run(self, *words: str, given: str | None = None, part: str = "github") -> subprocess.CompletedProcess[str]:
        """Run `qd-cov github ...`; nothing that it prints may hold the token."""
        done = subprocess.run(
            ["qd-cov", part, *words], cwd=self.folder, env=self.environment, input=given or "", capture_output=True, text=True, timeout=60
        )
        assert TOKEN not in done.stdout + done.stderr
        assert not any(TOKEN in one.path for one in self.service.requests)
        return done

    def comment(self, body: str = "### 🔴 Diff coverage: 88%\n", *words: str) -> subprocess.CompletedProcess[str]:
        """Run `qd-cov github comment`."""
        return self.run("comment", *words, given=body)
