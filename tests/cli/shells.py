"""Completions that a shell offers at the end of a typed line, as `qd-cov completion` taught it."""

from __future__ import annotations

import os
import pty
import select
import shlex
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path


def _script(shell: str) -> str:
    return subprocess.run(["qd-cov", "completion", shell], capture_output=True, text=True, check=True).stdout


def bash(lines: Sequence[str], folder: Path) -> list[list[str]]:
    """bash: the function is called as readline calls it; file names are readline's business and are not in the answer."""
    (folder / "qd-cov.bash").write_text(_script("bash"))
    program = "source ./qd-cov.bash\n"
    for line in lines:
        program += f"COMP_LINE={shlex.quote(line)}; COMP_POINT=${{#COMP_LINE}}; _qd_cov; printf '%s\\n' \"${{COMPREPLY[@]}}\" %\n"
    done = subprocess.run(["bash", "--norc", "-c", program], cwd=folder, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return [[word for word in part.split("\n") if word] for part in done.stdout.split("%\n")[:-1]]


def fish(lines: Sequence[str], folder: Path) -> list[list[str]]:
    """fish: `complete -C` lists the completions."""
    (folder / "qd-cov.fish").write_text(_script("fish"))
    program = "source ./qd-cov.fish\n" + "".join(f"complete -C {shlex.quote(line)}; echo %\n" for line in lines)
    environment = {**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    done = subprocess.run(["fish", "--no-config", "-c", program], cwd=folder, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return [[word.split("\t")[0] for word in part.split("\n") if word] for part in done.stdout.split("%\n")[:-1]]


ZSH = r"""
autoload -Uz compinit && compinit -u -d "$PWD/dump"
source ./qd-cov.zsh
# The list of matches, written to a file as well.
compadd() {
  local -a found
  if (( ! ${@[(I)-[OAD]*]} )) || (( ${@[(I)-[OAD]*]} > ${@[(i)--]} )); then
    builtin compadd -A found "$@"
    (( $#found )) && print -rl -- $found >> answers
  fi
  builtin compadd "$@"
}
ask() {
  local line
  for line in "${(@f)$(<lines)}"; do
    BUFFER=$line CURSOR=$#line
    zle list-choices
    print -- % >> answers
  done
  : > done
}
zle -N ask
bindkey '^X' ask
LISTMAX=10000
print -n READY
"""


def zsh(lines: Sequence[str], folder: Path) -> list[list[str]]:
    """zsh completes only at a terminal: one is made for it."""
    (folder / "qd-cov.zsh").write_text(_script("zsh"))
    (folder / "setup.zsh").write_text(ZSH)
    (folder / "lines").write_text("\n".join(lines) + "\n")
    (folder / "answers").write_text("")
    (folder / "done").unlink(missing_ok=True)
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execvpe("zsh", ["zsh", "-f", "-i"], {**os.environ, "TERM": "dumb", "PS1": "> ", "HOME": str(folder), "ZDOTDIR": str(folder)})
    shown = b""

    def read_until(reached: bytes | Path) -> None:
        nonlocal shown
        while not (reached.exists() if isinstance(reached, Path) else reached in shown):
            if select.select([terminal], [], [], 0.02 if isinstance(reached, Path) else 60)[0]:
                shown += os.read(terminal, 65536)
            elif not isinstance(reached, Path):
                raise AssertionError(shown)
            assert len(shown) < 10_000_000

    try:
        os.write(terminal, b"source ./setup.zsh\n")
        read_until(b"READY")
        os.write(terminal, b"\x18")
        read_until(folder / "done")
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)
    parts = (folder / "answers").read_text().split("%\n")[:-1]
    return [[word for word in part.split("\n") if word] for part in parts]


SHELLS = {"bash": bash, "fish": fish, "zsh": zsh}
