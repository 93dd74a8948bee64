"""Names and source text that try to be something else: markdown, markup, workflow commands, escape sequences, options, shell."""

from __future__ import annotations

import json
import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import cmarkgfm
import pytest
from browser import Opened
from cmarkgfm.cmark import Options
from diff_repository import Repository

EVIL = "<img src=x onerror=pwn()>"
NAMES = [
    "new\nline.py",
    "carriage\rreturn.py",
    "quotes'\".py",
    "-n.py",
    "--output=pwned.py",
    "..py",
    f"{EVIL}.py",
    "$(touch pwned).py",
    "`touch pwned`.py",
    "; touch pwned; #.py",
    "\x1b[31mred\x1b[0m.py",
    "\x9b31m.py",
    "\u202egnp.yp.py",
    "::error file=a.py::pwned.py",
    "%0A::error::x.py",
    "a|b.py",
    "[link](javascript:pwn()).py",
    "![x](y).py",
    "**bold** _it_ ~~no~~ @everyone #1.py",
    "&lt;b&gt;&amp;.py",
    "{{ 7*7 }} ${{ github.token }}.py",
    "back\\slash.py",
    "tab\tname.py",
    "]]>.py",
    "é ü 中文 😀.py",
]
TEXT = [
    "a = '</details></td></table><script>pwn()</script>'",
    f"b = '{EVIL} <!-- -->'",
    "c = '''```",
    "````` </code>'''",
    "d = '\x1b[2J\x9b2J\u202e \u2066'  # ::error::pwned",
    "::error::pwned".replace("::error::pwned", "e = 5  # ${{ secrets.TOKEN }} %0A::error::x"),
]
STATEMENTS = [1, 2, 3, 5, 6]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """New files of all those names, of which nothing ran but the first statement."""
    repo = Repository(tmp_path_factory.mktemp("hostile") / "repo")
    repo.write("folder/keep", "")
    repo.commit()
    repo.branch("work")
    for name in NAMES:
        repo.write(f"folder/{name}", "\n".join(TEXT) + "\n")
    repo.write("folder/nobody.py", "x = 1\n")
    repo.commit()
    repo.measure({f"folder/{name}": [1] for name in NAMES})
    return repo


PATHS = [f"folder/{name}" for name in NAMES]


def printed(repo: Repository, output: str, *options: str) -> str:
    """The output of one format."""
    done = subprocess.run(
        ["qd-cov", "diff", "--compare-branch=main", "-q" if output.startswith("github-a") else "--ignore-errors", f"--format={output}", *options],
        cwd=repo.folder,
        env=repo.environment,
        capture_output=True,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def test_truth(hostile: Repository) -> None:
    """JSON has each name as it is, with its lines."""
    stats = json.loads(printed(hostile, "json:-"))["src_stats"]
    assert sorted(stats) == sorted(PATHS)
    assert all(its["violation_lines"] == STATEMENTS[1:] for its in stats.values())
    assert not (hostile.folder / "pwned").exists()


@pytest.mark.parametrize("form", ["terminal", "annotated"])
def test_terminal(hostile: Repository, form: str) -> None:
    """Nothing that a terminal obeys, nothing that turns text around, a row for each file."""
    text = printed(hostile, form)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]", text)
    assert len(re.findall(r"^folder/.* 20% .*█", text, re.MULTILINE)) == len(NAMES)
    assert "folder/␛[31mred␛[0m.py" in text
    assert "folder/\\u202egnp.yp.py" in text


class Tags(HTMLParser):
    """The tags and texts of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, tuple[str, ...]]] = []
        self.cells: list[str] = []
        self.plain = ""  # outside of code
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(sorted(name for name, _ in attrs))))
        self.open.append(tag)
        if tag == "td":
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if "td" in self.open:
            self.cells[-1] += data
        if not {"code", "pre"} & set(self.open):
            self.plain += data


def shown(path: str) -> str:
    """A name as formats for people show it."""
    text = path.replace("\t", " ")
    text = re.sub("[\x00-\x1f]", lambda c: chr(0x2400 + ord(c[0])), text)
    return re.sub("[\x80-\x9f\u202e]", lambda c: f"\\u{ord(c[0]):04x}", text)


def test_markdown(hostile: Repository) -> None:
    """Rendered by GitHub's own renderer: no tags but ours, a row for each file, a closed section for each."""
    page = Tags()
    text = printed(hostile, "markdown:-", "--input=@org **b** [x](y) www.x.org | a@b.org _e_ ~f~ \\\\=.coverage")
    page.feed(cmarkgfm.github_flavored_markdown_to_html(text, options=Options.CMARK_OPT_UNSAFE))
    ours = {"h3", "table", "thead", "tbody", "tr", "th", "td", "code", "details", "summary", "pre", "p", "strong", "em", "sub"}
    assert {tag for tag, _ in page.tags} <= ours
    assert {name for _, names in page.tags for name in names} <= {"align", "lang", "class"}
    names = [" ".join(cell.split()[1:]) for cell in page.cells[0::3]]
    assert sorted(names) == sorted(" ".join(shown(path).split()) for path in PATHS)
    assert [tag for tag, _ in page.tags].count("details") == len(NAMES)
    assert not re.search(r"@\w", page.plain)


def test_page(hostile: Repository, opened: Opened, tmp_path: Path) -> None:
    """The page in a browser: no element of a name or a source, no script of theirs, every name in the table."""
    (tmp_path / "diff.html").write_text(printed(hostile, "html:-"), encoding="utf-8")
    page = opened(tmp_path / "diff.html")
    assert page.script("document.querySelectorAll('img, iframe, object, a[href^=javascript], td script, pre script').length") == 0
    names = page.script("Array.from(document.querySelectorAll('table.files tbody td.name a'), a => a.textContent)")
    assert sorted(" ".join(name.split()) for name in names if name != "folder/nobody.py") == sorted(" ".join(shown(path).split()) for path in PATHS)


def unescaped(text: str) -> str:
    """A property of a workflow command, as GitHub's runner reads it."""
    for code, char in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, char)
    return text


def test_github_annotations(hostile: Repository) -> None:
    """Each line is a command of ours, of a file that there is."""
    lines = printed(hostile, "github-annotations:warning").split("\n")
    assert lines.pop() == ""
    assert re.fullmatch(r"::warning title=[^,:]*::\d+ more [^\r\n]*", lines.pop())
    commands = [re.fullmatch(r"::warning file=([^,:\r\n]*),line=\d+(?:,endLine=\d+)?,title=[^,:\r\n]*::[^\r\n]*", line) for line in lines]
    paths = {path.replace("\x1b", "␛") for path in [*PATHS, "folder/nobody.py"]}
    assert len(commands) == 9
    assert all(found and unescaped(found[1]) in paths for found in commands)


def test_payloads(hostile: Repository) -> None:
    """Check runs and code quality name the files as they are; SARIF as addresses."""
    check_run = json.loads(printed(hostile, "github-check-run:-"))
    assert {one["path"] for one in check_run["output"]["annotations"]} <= {*PATHS, "folder/nobody.py"}
    quality = json.loads(printed(hostile, "gitlab:-"))
    assert {one["location"]["path"] for one in quality} == {*PATHS, "folder/nobody.py"}
    sarif = json.loads(printed(hostile, "sarif:-"))
    addresses = [one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in sarif["runs"][0]["results"]]
    assert {unquote(address) for address in addresses} == {*PATHS, "folder/nobody.py"}
    assert all(re.fullmatch(r"[A-Za-z0-9._~/%!$&'()*+,;=@-]*", address) for address in addresses)


def test_names_that_git_would_take_for_something_else(hostile: Repository) -> None:
    """Stages ask git about single files: a name is no option, no pattern, no revision."""
    text = hostile.diff("--ignore-unstaged", "--ignore-staged").out
    assert len(re.findall(r"^folder/.* 20%", text, re.MULTILINE)) == len(NAMES)


def test_names_that_are_no_utf8(repo: Repository) -> None:
    """Git takes names of any bytes: pages and comments are UTF-8 all the same, and links of a page lead to its places."""
    repo.write("caf\udce9.py", "x = 1\n")
    repo.commit()
    repo.measure({"a.py": [1]})
    page = printed(repo, "html:-")
    assert "caf\ufffd.py" in page and "caf\ufffd.py" in printed(repo, "markdown:-")
    places = set(re.findall(r' id="([^"]*)"', page))
    assert {unquote(link) for link in re.findall(r'href="#(caf[^"]*)"', page)} <= places
