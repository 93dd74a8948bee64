"""Well-known plugins of coverage.py, from the run to every report: `qd-cov` against coverage.py."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from coverage import CoverageData
from coverage_commands import coverage_py
from test_formats import same
from test_plugins import one_of, ours, theirs

PAGE = """\
{% extends "base.html" %}
{% comment %}
none of this
{% endcomment %}
{% block content %}
  {% if user %}
    <p>Hello {{ user }}</p>
  {% else %}
    <p>Who are you, ünknown?</p>
  {% endif %}
  {% for item in items %}
    {{ item }}
  {% empty %}
    nothing
  {% endfor %}
  {% include "part.txt" %}
{% endblock %}
"""
DJANGO = """\
import sys
import django
from django.conf import settings
settings.configure(TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "DIRS": ["templates"], "OPTIONS": {"debug": True}}])
django.setup()
from django.template.loader import get_template
def show(name, **context):
    return get_template(name).render(context)
if len(sys.argv) > 5:
    show("never.html")
print(len(show("page.html", items=[1, 2])))
"""
TEMPLATE_FILES = {
    "templates/page.html": PAGE,
    "templates/base.html": "<html>\n{% block content %}\n{% endblock %}\n{{ more }}\n</html>\n",
    "templates/part.txt": "a part\n{% if no %}\nof it\n{% endif %}\n",
    "templates/never.html": "{{ nobody }}\n\n{% if renders %}\nthis\n{% endif %}\n",
}

LIBRARY = """\
import os
import sys
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import json
def f(x):
    if x:
        raise AssertionError(x)
    if sys.version_info >= (3, 4):  # pragma: >=3.4 cover
        a = 1
    else:  # pragma: <3.4 cover
        a = 2
    if os.name == "nt":  # pragma: nt cover
        a = 3
    if a:  # pragma: no branch
        return NotImplemented
def g():  # pragma: no cover
    return 1
class C:
    def m(self):
        raise NotImplementedError
    def n(self):  # pragma: has-pytest
        return 5
    def o(self):  # pragma: has-nothing
        return 6
    def p(self):
        return 7
f(0)
if __name__ == "__main__":
    C()
"""
CONDITIONAL = """\
[run]
branch = true
plugins = coverage_conditional_plugin
[coverage_conditional_plugin]
rules =
    "is_installed('pytest')": has-pytest
    "is_installed('nothing-of-this-name')": has-nothing
    "sys_version_info >= (3, 4)": new-python
[report]
precision = 1
"""
CONFIGURATIONS = {
    "covdefaults": {".coveragerc": "[run]\nplugins = covdefaults\n"},
    "covdefaults, fail_under": {"setup.cfg": "[coverage:run]\nplugins = covdefaults\n[coverage:report]\nfail_under = 55\n"},
    "covdefaults, options": {
        "tox.ini": "[coverage:run]\nplugins = covdefaults\n[coverage:covdefaults]\nsubtract_omit = */__main__.py\n"
        "[coverage:report]\nexclude_also =\n    def p\n"
    },
    "covdefaults in pyproject": {
        "pyproject.toml": "[tool.coverage.run]\nplugins = ['covdefaults']\n[tool.coverage.report]\nfail_under = 100\nskip_covered = false\n"
    },
    "conditional": {".coveragerc": CONDITIONAL},
    "conditional in pyproject": {
        "pyproject.toml": "[tool.coverage.run]\nbranch = true\nplugins = ['coverage_conditional_plugin']\n"
        "[tool.coverage.coverage_conditional_plugin.rules]\n"
        "has-pytest = \"is_installed('pytest')\"\nhas-nothing = \"is_installed('nothing-of-this-name')\"\n"
        '[tool.coverage.coverage_conditional_plugin.omit]\n"sys_version_info >= (3, 4)" = ["other.py"]\n'
    },
    "both": {
        ".coveragerc": CONDITIONAL.replace("plugins = coverage_conditional_plugin", "plugins =\n    covdefaults\n    coverage_conditional_plugin")
    },
}
TYPED = ("report --no-skip-covered -m", "report --fail-under=10")
FURTHER = ("xml", "json --pretty-print", "lcov", "annotate -d copies")  # one for each configuration, in turn


def write(folder: Path, files: dict[str, str]) -> Path:
    """The files, in a folder without links."""
    for name, text in files.items():
        path = folder.resolve() / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder.resolve()


def facts(path: Path) -> list[object]:
    """The contents of a data file, for comparison."""
    data = CoverageData(str(path))
    data.read()
    return [
        data.has_arcs(),
        *((name, data.file_tracer(name), sorted(data.lines(name) or []), sorted(data.arcs(name) or [])) for name in sorted(data.measured_files())),
    ]


def measure(folder: Path, *words: str) -> None:
    """Checks that both tools measure the same, whichever data stays."""
    coverage_py(["run", *words], folder, check=True)
    expected = facts(folder / ".coverage")
    assert len(expected) > 1
    (folder / ".coverage").unlink()
    subprocess.run(["qd-cov", "run", "-q", *words], cwd=folder, check=True, capture_output=True)
    assert facts(folder / ".coverage") == expected


def compare(folder: Path, command: str) -> int | None:
    """Checks that both tools report the same, and returns coverage.py's exit code."""
    expected = theirs(folder, command)
    same(expected, ours(folder, command))
    return expected.code


@pytest.mark.parametrize("source", ["", "source = .\n"], ids=["rendered", "all"])
def test_django_templates(tmp_path: Path, source: str) -> None:
    """Templates are in every report, those that were not rendered too where [run] source says so."""
    folder = write(tmp_path, {**TEMPLATE_FILES, "show.py": DJANGO, ".coveragerc": f"[run]\nplugins = django_coverage_plugin\n{source}"})
    measure(folder, "show.py")
    for command in ("report -m", "xml", "json --pretty-print"):
        compare(folder, command)
    assert "page.html" in ours(folder, "report").output
    if source:
        return
    for command in ("report --fail-under=90", "lcov", "annotate", "report --include=*.txt --fail-under=100"):
        compare(folder, command)
    assert ours(folder, "report --include=*.html --fail-under=95").code == 2
    (folder / "templates/part.txt").unlink()
    for command in ("report", "report -i", "xml", "lcov -i"):
        compare(folder, command)
    assert ours(folder, "report").code == 1
    (folder / "templates/part.txt").write_bytes(b"{{ a }}\n\xff\xfe\n")
    for command in ("report", "report -i", "json", "xml -i"):
        compare(folder, command)


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_configurers(tmp_path: Path, name: str) -> None:
    """Exclusions, branches, omitted files and thresholds are those of the plugin, in the run and in the reports."""
    folder = write(tmp_path, {"lib.py": LIBRARY, "other.py": "import lib\nlib.f(0)\n", "setup.py": "import other\n", **CONFIGURATIONS[name]})
    measure(folder, "setup.py")
    codes = {compare(folder, command) for command in ("report", one_of(TYPED, name, CONFIGURATIONS), one_of(FURTHER, name, CONFIGURATIONS))}
    assert (2 in codes) == (name in {"covdefaults", "covdefaults, options", "covdefaults in pyproject", "both"})
    assert codes <= {0, 2}
