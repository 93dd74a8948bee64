"""The sources that the latest changes may have left with a missing #include, a line each: ci/single_sources.py COMMIT. They are

- the sources that were changed since the commit;
- for a changed header that has lost an #include: all sources that include it, which may have relied on that;
- for another changed header: one source that includes it before all else, or where none does, all that include it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

FOLDERS = ("cli", "instrument", "report", "runtime")


def git_diff(*words: str) -> str:
    return subprocess.run(["git", "diff", *words, "--", *FOLDERS], check=True, capture_output=True, text=True).stdout


def headers_with_fewer_includes(commit: str) -> set[str]:
    found, file = set(), ""
    for line in git_diff("--unified=0", commit).splitlines():
        if line.startswith("+++ "):
            file = line.removeprefix("+++ b/")
        elif line.startswith("-#include") and file.endswith(".h"):
            found.add(file)
    return found


def sources_of(commit: str) -> set[str]:
    includes: dict[str, list[str]] = defaultdict(list)  # of a header, the sources
    first: dict[str, str] = {}  # of a header, a source that includes it before all else
    for source in sorted(path for folder in FOLDERS for path in Path(folder).rglob("*.cpp")):
        for number, header in enumerate(re.findall(r'^#include [<"](.*)[>"]', source.read_text(), re.MULTILINE)):
            includes[header].append(str(source))
            if number == 0:
                first.setdefault(header, str(source))
    fewer = headers_with_fewer_includes(commit)
    sources = set()
    for changed in git_diff("--name-only", "--diff-filter=d", commit).split():
        if changed.endswith(".cpp"):
            sources.add(changed)
        elif changed in fewer or changed not in first:
            sources.update(includes[changed])
        else:
            sources.add(first[changed])
    return sources


if __name__ == "__main__":
    print(*sorted(sources_of(sys.argv[1])), sep="\n")
