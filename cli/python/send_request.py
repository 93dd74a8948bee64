"""One HTTP request, sent for `qd-cov github` and `qd-cov gitlab`. It follows no redirection.

Input: {"method", "url", "headers": ["Accept: text/plain"], "body", "proxies": whether those of the environment are used}
Output: a line of JSON, {"status", "headers"} and behind the line the body, or {"error", "maybe_done": whether the service may have got the
request}, or {"cannot": why this Python sends no requests}."""

from __future__ import annotations

import json
import signal
import sys
from typing import Any, NoReturn

CONNECT_SECONDS = 15
SECONDS = 60
MOST_BYTES = 64 << 20


def answer(facts: dict[str, Any], body: bytes = b"") -> NoReturn:
    sys.stdout.buffer.write(json.dumps(facts).encode() + b"\n" + body)
    sys.stdout.buffer.flush()
    sys.exit()


try:
    import http.client
    import ssl
    import urllib.request
    from urllib.error import URLError
except ImportError as error:
    answer({"cannot": str(error)})


class NotConnectedError(OSError):
    """No connection: the service has got nothing."""


class Connection(http.client.HTTPConnection):
    """A connection that tells whether it was made."""

    def connect(self) -> None:
        self.timeout = CONNECT_SECONDS
        try:
            super().connect()
        except OSError as error:
            raise NotConnectedError(told(error)) from None
        self.sock.settimeout(SECONDS)


class SafeConnection(Connection, http.client.HTTPSConnection):
    """The same with TLS."""


class Handler(urllib.request.HTTPHandler, urllib.request.HTTPSHandler):
    """Opens addresses with these connections."""

    def http_open(self, request: urllib.request.Request) -> Any:
        return self.do_open(Connection, request)

    def https_open(self, request: urllib.request.Request) -> Any:
        return self.do_open(SafeConnection, request, context=ssl.create_default_context())


def told(error: BaseException) -> str:
    """The error in one line."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"SSL certificate problem: {error.verify_message}"
    if isinstance(error, ssl.SSLError):
        return f"SSL connect error: {error.reason or error}"
    if isinstance(error, TimeoutError):
        return "timeout"
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return str(text).partition("\n")[0]


def proxies() -> dict[str, str]:
    """The proxies of the environment; ALL_PROXY is that of what has none of its own."""
    found = urllib.request.getproxies()
    return {scheme: found.get(scheme, found.get("all", "")) for scheme in ("http", "https") if scheme in found or "all" in found}


def too_late(*_: object) -> NoReturn:
    raise TimeoutError


def main() -> None:
    """Send the request, and print the answer."""
    asked = json.load(sys.stdin)
    signal.signal(signal.SIGALRM, too_late)
    signal.alarm(SECONDS)
    body = None if asked["method"] == "GET" else asked["body"].encode()
    request = urllib.request.Request(asked["url"], body, method=asked["method"])
    for header in asked["headers"]:
        name, _, value = header.partition(": ")
        request.add_header(name, value)
    opener = urllib.request.OpenerDirector()  # without handlers of redirections and of error statuses
    opener.add_handler(urllib.request.ProxyHandler(proxies() if asked["proxies"] else {}))
    opener.add_handler(Handler())
    try:
        with opener.open(request) as response:
            content = response.read(MOST_BYTES + 1)
            if not isinstance(content, bytes) or len(content) > MOST_BYTES:
                answer({"error": f"it is longer than {MOST_BYTES >> 20} MiB", "maybe_done": True})
            if response.length:
                raise http.client.IncompleteRead(content, response.length)
            facts = {"status": response.status, "headers": {name.lower(): value for name, value in response.headers.items()}}
    except (OSError, http.client.HTTPException, ValueError) as error:
        cause = error.reason if isinstance(error, URLError) and isinstance(error.reason, BaseException) else error
        answer({"error": told(cause), "maybe_done": not isinstance(cause, NotConnectedError)})
    answer(facts, content)


main()
