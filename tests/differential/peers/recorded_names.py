"""The public names of Quadrants and Taichi, as names.txt has them: a heading `[place]`, then a name a line, with the implementation behind it when
the other one lacks it."""

from __future__ import annotations

from pathlib import Path

PEERS = ("quadrants", "taichi")
FILE = Path(__file__).with_name("names.txt")

Names = dict[str, dict[str, list[str]]]  # by peer and place, sorted


def read_names() -> Names:
    names: Names = {peer: {} for peer in PEERS}
    place = ""
    for line in FILE.read_text().splitlines():
        if line.startswith("["):
            place = line.strip("[]")
            continue
        name, _, only = line.partition(" ")
        for peer in [only] if only else PEERS:
            names[peer].setdefault(place, []).append(name)
    return names


def write_names(names: Names) -> None:
    lines = []
    for place in dict.fromkeys(place for peer in PEERS for place in names[peer]):
        lines.append(f"[{place}]")
        having = {peer: names[peer].get(place, []) for peer in PEERS}
        for name in sorted({name for those in having.values() for name in those}):
            only = [peer for peer, those in having.items() if name in those]
            lines.append(name if len(only) == len(PEERS) else f"{name} {only[0]}")
    FILE.write_text("".join(f"{line}\n" for line in lines))
