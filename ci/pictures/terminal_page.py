"""A page that looks like a terminal, of the output of programs: terminal_page.py SESSION PAGE. Prints the page's width and height in pixels."""

from __future__ import annotations

import html
import re
import sys
from pathlib import Path

COLORS = {"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff", "35": "#d2a8ff", "36": "#56d4dd"}
STYLES = {"1": "font-weight: bold; color: #f0f6fc", "2": "color: #8b949e"}
LINE, CHARACTER, PADDING, BAR = 20, 8.43, 18, 34
PAGE = """<!DOCTYPE html>
<meta charset="utf-8">
<style>
body {{ margin: 0; background: #161b22; color: #c9d1d9; }}
.bar {{ height: {bar}px; background: #21262d; display: flex; align-items: center; gap: 8px; padding-left: {padding}px; }}
.bar i {{ width: 12px; height: 12px; border-radius: 6px; }}
pre {{ margin: 0; padding: 12px {padding}px; font: 14px/{line}px "DejaVu Sans Mono", monospace; }}
.prompt {{ color: #7ee787; font-weight: bold; }}
.command {{ color: #f0f6fc; font-weight: bold; }}
</style>
<div class="bar"><i style="background: #ff5f57"></i><i style="background: #febc2e"></i><i style="background: #28c840"></i></div>
<pre>{text}</pre>
"""


def styled(line: str) -> str:
    """HTML of a line with the escape sequences of colours."""
    parts = []
    style = ""
    for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
        if piece.startswith("\x1b["):
            codes = [code for code in piece[2:-1].split(";") if code not in ("", "0")]
            style = "; ".join(STYLES.get(code) or f"color: {COLORS[code]}" for code in codes)
        elif piece:
            parts.append(f'<span style="{style}">{html.escape(piece)}</span>' if style else html.escape(piece))
    return "".join(parts)


def main(session: Path, page: Path) -> None:
    lines = session.read_text(encoding="utf-8").replace("\r", "").rstrip("\n").split("\n")
    rows: list[str] = []
    for line in lines:
        if line.startswith("$ "):
            if rows:
                rows.append("")
            rows.append(f'<span class="prompt">$</span> <span class="command">{html.escape(line[2:])}</span>')
        else:
            rows.append(styled(line))
    page.write_text(PAGE.format(text="\n".join(rows), bar=BAR, padding=PADDING, line=LINE), encoding="utf-8")
    columns = max(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in lines)
    print(int(columns * CHARACTER) + 2 * PADDING, len(rows) * LINE + BAR + 24)


main(Path(sys.argv[1]), Path(sys.argv[2]))
