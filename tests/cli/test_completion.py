"""`qd-cov completion`, asked in the shells themselves, and `qd-cov man`: both hold the options of --help-all."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from shells import SHELLS


def out(*words: str) -> str:
    """The output of a command."""
    return subprocess.run(["qd-cov", *words], capture_output=True, text=True, check=True).stdout


def commands() -> list[str]:
    """The table of `qd-cov help`."""
    return re.findall(r"^    ([\w-]+) ", out("help"), re.MULTILINE)


def options(command: str) -> list[str]:
    """The options that --help-all of a command (or of a topic of it: "debug probes") lists."""
    found = []
    for line in out(*command.split(), "--help-all").splitlines():
        if match := re.match(r" +(-\w)?(?:, )?(--[\w-]+)?(?: |$)", line):
            found += [name for name in match.groups() if name]
    return found


def with_options() -> dict[str, list[str]]:
    """All commands and topics that have options."""
    tables = {}
    for command in commands():
        if command == "help":
            continue
        tables[command] = options(command)
        for topic in re.findall(r"^([\w-]+)", out("completion", "--words", command, "").partition("\n")[2], re.MULTILINE):
            page = subprocess.run(["qd-cov", command, topic, "--help"], capture_output=True, text=True, check=False).stdout
            if f"\n  qd-cov {command} {topic} " in page:
                tables[f"{command} {topic}"] = options(f"{command} {topic}")
    return tables


@pytest.mark.parametrize("shell", SHELLS)
def test_every_option_is_offered(shell: str, tmp_path: Path) -> None:
    tables = with_options()
    assert "debug probes" in tables and "--format" in tables["diff"] and "-i" in tables["diff"]
    lines = ["qd-cov "]
    expected = [set(commands())]
    for command, names in tables.items():
        # A shell shows the long one of two names that mean the same, or both.
        lines.append(f"qd-cov {command} --")
        expected.append({name for name in names if name.startswith("--")})
        lines.append(f"qd-cov {command} -")
        expected.append(set(names))
    for line, offered, names in zip(lines, SHELLS[shell](lines, tmp_path), expected):
        if line == "qd-cov ":
            assert names <= set(offered) <= names | {"--help", "--version"}, line
        elif line.endswith(" --") or shell == "bash":
            assert set(offered) == names, line
        else:
            longs = {name for name in names if name.startswith("--")}
            assert longs <= set(offered) <= names | {"-"}, line  # zsh knows a command "-"


VALUES = {
    "qd-cov diff --on-no-data ": ["fail", "pass", "warn"],
    "qd-cov diff --on-no-data=w": ["warn"],
    "qd-cov diff --branch-coverage --on-no-data p": ["pass"],
    "qd-cov report --sort br": ["branch", "brpart"],
    "qd-cov diff --format ht": ["html"],
    "qd-cov diff --format=ht": ["html"],
    "qd-cov run --save-signal ": ["USR1", "USR2"],
    "qd-cov completion ": ["bash", "fish", "zsh"],
    "qd-cov debug p": ["premain", "probes", "pybehave"],
    "qd-cov debug probes --js": ["--json"],
    "qd-cov debug --js": [],
    "qd-cov help ann": ["annotate"],
    "qd-cov check --format te": ["text"],
    "qd-cov check --diff-range-notation .": ["..", "..."],
    "qd-cov check slow": ["slow-tests"],
    "qd-cov github comment --on-forbidden=p": ["pass"],
    "qd-cov github su": ["summary"],
    "qd-cov which-tests --cont": ["--contexts"],
    "qd-cov diff --fail-under-total ": [],
    "qd-cov run --data-file x --tim": ["--timid"],
}
FILES = {
    "qd-cov diff --diff-file cha": ["change.diff"],
    "qd-cov diff --diff-file=cha": ["change.diff"],
    "qd-cov diff --input cpu=cha": ["change.diff"],
    "qd-cov diff --format html:cha": ["change.diff"],
    "qd-cov html -d fol": ["folder/"],
    "qd-cov html -d cha": [],
}


@pytest.mark.parametrize("shell", SHELLS)
def test_values(shell: str, tmp_path: Path) -> None:
    (tmp_path / "change.diff").write_text("")
    (tmp_path / "folder").mkdir()
    cases = VALUES if shell == "bash" else {**VALUES, **FILES}
    for (line, expected), offered in zip(cases.items(), SHELLS[shell](list(cases), tmp_path)):
        last = re.split(r"[ =:]", line)[-1]
        words = {re.sub(r"^(--[\w-]+=|cpu=|html:)", "", word).rstrip("/") for word in offered}
        assert words == {word.rstrip("/") for word in expected}, (line, last, offered)


def test_bash_leaves_files_to_readline(tmp_path: Path) -> None:
    """Typed at a terminal: readline completes the name, in the place where bash lets words end."""
    (tmp_path / "change of mine.diff").write_text("")
    done = subprocess.run(
        ["bash", "--norc", "-i"],
        cwd=tmp_path,
        input='eval "$(qd-cov completion bash)"; complete -p qd-cov\n',
        capture_output=True,
        text=True,
    )
    assert "complete -o bashdefault -o default -F _qd_cov qd-cov" in done.stdout


def test_wrong_shells() -> None:
    for words, message in ((["csh"], "Don't know the shell 'csh': there are bash, fish and zsh"), ([], "Which shell: bash, fish or zsh?")):
        done = subprocess.run(["qd-cov", "completion", *words], capture_output=True, text=True)
        assert done.returncode == 1
        assert message in done.stderr


def test_manual_page(tmp_path: Path) -> None:
    """man's programs have nothing to say against it, and it has every option of every command."""
    page = tmp_path / "qd-cov.1"
    page.write_text(out("man"))
    lint = subprocess.run(["mandoc", "-Tlint", "-W", "warning", page], capture_output=True, text=True).stdout
    assert [line for line in lint.splitlines() if "missing date" not in line] == []
    groff = subprocess.run(["groff", "-man", "-ww", "-z", page], capture_output=True, text=True)
    assert (groff.returncode, groff.stderr) == (0, "")
    shown = subprocess.run(["mandoc", "-Tutf8", "-O", "width=200", page], capture_output=True, text=True, check=True).stdout
    shown = re.sub(".\b", "", shown)
    every = {"--help", "-h", "--help-all", "--rcfile", "--debug", "--color", "--version"}
    common = shown.split("GLOBAL OPTIONS")[1].split("\nOPTIONS\n")[0]
    assert all(re.search(rf"(?<![\w-]){name}(?![\w-])", common) for name in every)
    for command, names in with_options().items():
        section = re.search(rf"^   qd-cov {command}(?: .*)?\n((?:(?:     .*)?\n)*)", shown, re.MULTILINE)
        assert section, command
        for name in set(names) - every:
            assert re.search(rf"^ +(?:-\w[^-\n]*, )?{name}(?![\w-])", section[1], re.MULTILINE), (command, name)
