"""A remote shell between hosts, in the place of ssh: as there, a command gets none of the caller's environment.

remote_shell.py serve ADDRESS        runs commands for others
remote_shell.py HOST WORD...         runs a command on a host; its output comes back"""

from __future__ import annotations

import shutil
import socket
import socketserver
import subprocess
import sys

PORT = 2222
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": "/root"}


class Shell(socketserver.StreamRequestHandler):
    """One connection: a line with the command, then the output of the command."""

    def handle(self) -> None:
        command = self.rfile.readline().decode()
        output = self.connection.fileno()
        subprocess.run(["sh", "-c", command], cwd="/", env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=output, stderr=output, check=False)


def serve(address: str) -> None:
    """Run commands until the process is ended."""
    socketserver.ThreadingTCPServer.allow_reuse_address = True
    with socketserver.ThreadingTCPServer((address, PORT), Shell) as server:
        print("ready", flush=True)
        server.serve_forever()


def call(host: str, words: list[str]) -> None:
    """Run a command on another host. As with ssh, the words are joined, and the shell there takes them apart."""
    with socket.create_connection((host, PORT)) as connection:
        connection.sendall(" ".join(words).replace("\n", " ").encode() + b"\n")
        with connection.makefile("rb") as answer:
            shutil.copyfileobj(answer, sys.stdout.buffer)


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(sys.argv[2])
    else:
        call(sys.argv[1], sys.argv[2:])
