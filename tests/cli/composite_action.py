"""Runs the `run:` steps of a composite action, or of a job, as a runner of GitHub does: bash, environment, files of outputs, conditions."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")


def load(path: Path) -> Any:
    """YAML; "on" is a word there, no truth."""
    text = re.sub(r"^on:", '"on":', path.read_text(), flags=re.MULTILINE)
    return yaml.safe_load(text)


@dataclass
class Step:
    """The outcome of a step."""

    name: str
    code: int
    log: str


@dataclass
class Result:
    """The outcome of the action."""

    code: int = 0
    steps: list[Step] = field(default_factory=list)
    outputs: dict[str, str] = field(default_factory=dict)
    summary: str = ""

    @property
    def log(self) -> str:
        return "".join(step.log for step in self.steps)


def commands(log: str) -> list[str]:
    """The workflow commands that the runner takes of a log; between ::stop-commands::TOKEN and ::TOKEN:: it takes none."""
    found, stopped = [], ""
    for line in log.splitlines():
        text = line.lstrip()
        if stopped:
            stopped = "" if text == f"::{stopped}::" else stopped
        elif text.startswith("::stop-commands::"):
            stopped = text.removeprefix("::stop-commands::")
        elif text.startswith(("::", "##[")):
            found.append(text)
    assert not stopped
    return found


def parse_outputs(text: str) -> dict[str, str]:
    """The file GITHUB_OUTPUT, as the runner reads it."""
    outputs = {}
    rest = text.split("\n")
    while rest:
        line = rest.pop(0)
        if (heredoc := re.fullmatch(r"([\w-]+)<<(.+)", line)) and "=" not in heredoc[1]:
            end = rest.index(heredoc[2])
            outputs[heredoc[1]] = "\n".join(rest[:end])
            rest = rest[end + 1 :]
        elif line:
            name, equals, value = line.partition("=")
            assert equals, line
            outputs[name] = value
    return outputs


def run_steps(steps: list[Any], contexts: dict[str, Any], workspace: Path, environment: Mapping[str, str], files: Path) -> Result:
    """Run steps one after the other. `contexts` are those of expressions; "steps" is added to."""
    result = Result()
    contexts.setdefault("steps", {})

    def value_of(expression: str) -> str:
        value: Any = contexts
        for word in expression.split("."):
            value = value.get(word, "") if isinstance(value, dict) else ""
        return str(value)

    def expand(text: Any) -> str:
        return EXPRESSION.sub(lambda found: value_of(found[1]), str(text))

    files.mkdir(parents=True, exist_ok=True)
    for number, step in enumerate(steps):
        assert set(step) <= {"name", "id", "if", "shell", "env", "run", "working-directory"}, step
        assert step.get("if", "success()") in ("success()", "always()"), step["if"]
        assert step["shell"] == "bash"
        assert "${{" not in step["run"]
        if result.code != 0 and step.get("if") != "always()":
            continue
        script = files / f"{number}.sh"
        script.write_text(step["run"])
        of_runner = {name: files / f"{number}.{name}" for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_ENV", "GITHUB_PATH")}
        for file in of_runner.values():
            file.write_text("")
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=workspace / expand(step.get("working-directory", ".")),
            env={**environment, **{k: str(v) for k, v in of_runner.items()}, **{k: expand(v) for k, v in step.get("env", {}).items()}},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            timeout=120,
        )
        result.steps.append(Step(step.get("name", str(number)), done.returncode, done.stdout))
        result.code = result.code or done.returncode
        result.summary += of_runner["GITHUB_STEP_SUMMARY"].read_text()
        assert of_runner["GITHUB_ENV"].read_text() == "" and of_runner["GITHUB_PATH"].read_text() == ""
        if "id" in step:
            contexts["steps"][step["id"]] = {"outputs": parse_outputs(of_runner["GITHUB_OUTPUT"].read_text())}
    return result


def run_action(
    path: Path, inputs: Mapping[str, str], github: Mapping[str, Any], workspace: Path, environment: Mapping[str, str], files: Path
) -> Result:
    """Run a composite action with these inputs."""
    action = load(path)
    assert action["runs"]["using"] == "composite"
    assert set(inputs) <= set(action["inputs"])
    contexts: dict[str, Any] = {"github": dict(github), "inputs": {}}
    for name, about in action["inputs"].items():
        default = EXPRESSION.sub(lambda found: str(contexts["github"][found[1].removeprefix("github.")]), about["default"])
        contexts["inputs"][name] = inputs.get(name, default)
    result = run_steps(action["runs"]["steps"], contexts, workspace, environment, files)
    for name, about in action["outputs"].items():
        _, step, _, output = EXPRESSION.fullmatch(about["value"])[1].split(".")  # type: ignore[index]
        result.outputs[name] = contexts["steps"].get(step, {"outputs": {}})["outputs"].get(output, "")
    return result
