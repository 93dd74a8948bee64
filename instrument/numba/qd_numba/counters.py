"""Counters instead of marks, in the text of an LLVM module.

    before                               after
    body:                                body:
      call void @qdcov.mark.f.1()          %qdcov.1.old = load i64, ptr %qdcov.1    ; and 1 added to it
      call void @qdcov.mark.f.2()
      ...                                  ...
      ret i32 0                            call void @qdcov.see(i64 0, i64 %bits)   ; for each 64 marks of the library
                                           ret i32 0

A basic block with marks has one counter, since control that enters a block runs all of it. The counters live in registers and leave loops vectorised,
which stores do not. Where the function returns, counters that are not 0 become bits, and only bits that are new are stored."""

from __future__ import annotations

import re
from typing import NamedTuple

_MARK_CALL = re.compile(r"^\s+(?:tail |notail )?call void @(qdcov\.mark\.[0-9a-f]+\.[0-9]+)\(\)")
_DECLARED = re.compile(r"^declare void @qdcov\.mark\..*\n", re.MULTILINE)
_LABEL = re.compile(r'^(?:[-a-zA-Z$._0-9]+|"[^"]*"):')
_NAME = re.compile(r"qdcov\.mark\.[0-9a-f]+\.[0-9]+")
WORD_BITS = 64
HEAD_WORDS = 2
"""Words of a state before its bits: the address of the function that stores bits, and that of the lines it writes."""


class Counted(NamedTuple):
    """A module with counters, and its marks by the number of their bit."""

    text: str
    marks: list[str]


def has_marks(text: str) -> bool:
    return "@qdcov.mark." in text


def count_marks(text: str, symbol: str, opaque_pointers: bool) -> Counted:
    """Puts counters in the place of the marks of a module. Its global `symbol` points to the state that takes the bits."""
    marks = sorted(set(_NAME.findall(text)), key=lambda name: (name.split(".")[2], int(name.split(".")[3])))
    bits = {mark: number for number, mark in enumerate(marks)}
    text = _DECLARED.sub("", text)
    lines: list[str] = []
    body: list[str] | None = None
    for line in text.split("\n"):
        if body is None:
            lines.append(line)
            if line.startswith("define "):
                body = []
        elif line == "}":
            lines += _counting(body, bits, opaque_pointers)
            lines.append(line)
            body = None
        else:
            body.append(line)
    return Counted("\n".join(lines) + _see(symbol, -(-len(marks) // WORD_BITS), opaque_pointers), marks)


def _counting(body: list[str], bits: dict[str, int], opaque_pointers: bool) -> list[str]:
    """The lines of a function with counters."""
    if not any("@qdcov.mark." in line for line in body):
        return body
    pointer = "ptr" if opaque_pointers else "i64*"
    counters: list[list[int]] = []
    present: list[int] | None = None
    result = []
    for line in body:
        if _LABEL.match(line):
            present = None
        found = _MARK_CALL.match(line)
        if found is None:
            result.append(line)
            continue
        if present is None:
            number = len(counters)
            present = []
            counters.append(present)
            result += [
                f"  %qdcov.{number}.old = load i64, {pointer} %qdcov.{number}",
                f"  %qdcov.{number}.new = add i64 %qdcov.{number}.old, 1",
                f"  store i64 %qdcov.{number}.new, {pointer} %qdcov.{number}",
            ]
        if bits[found[1]] not in present:
            present.append(bits[found[1]])
    begin = 1 if _LABEL.match(result[0]) else 0
    start = []
    for number in range(len(counters)):
        start += [f"  %qdcov.{number} = alloca i64", f"  store i64 0, {pointer} %qdcov.{number}"]
    result[begin:begin] = start
    final, exits = [], 0
    for line in result:
        if line.startswith("  ret "):
            final += _at_return(counters, exits, pointer)
            exits += 1
        final.append(line)
    return final


def _at_return(counters: list[list[int]], exit_number: int, pointer: str) -> list[str]:
    """Makes bits of the counters, and shows them."""
    name = f"%qdcov.at{exit_number}"
    lines = []
    words: dict[int, list[str]] = {}
    for number, marks in enumerate(counters):
        lines.append(f"  {name}.{number} = load i64, {pointer} %qdcov.{number}")
        lines.append(f"  {name}.{number}.ran = icmp ne i64 {name}.{number}, 0")
        masks: dict[int, int] = {}
        for mark in marks:
            masks[mark // WORD_BITS] = masks.get(mark // WORD_BITS, 0) | 1 << mark % WORD_BITS
        for word, mask in masks.items():
            signed = mask - (1 << WORD_BITS) if mask >> (WORD_BITS - 1) else mask
            lines.append(f"  {name}.{number}.w{word} = select i1 {name}.{number}.ran, i64 {signed}, i64 0")
            words.setdefault(word, []).append(f"{name}.{number}.w{word}")
    for word, values in sorted(words.items()):
        total = values[0]
        for step, value in enumerate(values[1:]):
            lines.append(f"  {name}.or{word}.{step} = or i64 {total}, {value}")
            total = f"{name}.or{word}.{step}"
        lines.append(f"  call void @qdcov.see(i64 {word}, i64 {total})")
    return lines


def _see(symbol: str, n_words: int, opaque_pointers: bool) -> str:
    """The function that takes the bits of a word. Before there is a state, all bits count as seen."""
    state, word, record = ("ptr", "ptr", "ptr") if opaque_pointers else ("i64*", "i64*", "void (i64*, i64, i64)*")
    size = HEAD_WORDS + n_words
    seen = ", ".join(["i64 -1"] * size)
    begin = "@qdcov.none" if opaque_pointers else f"bitcast ([{size} x i64]* @qdcov.none to i64*)"
    if opaque_pointers:
        function = "  %record = load ptr, ptr %state"
    else:
        function = f"  %place = bitcast i64* %state to {record}*\n  %record = load {record}, {record}* %place"
    to_symbol = "ptr" if opaque_pointers else "i64**"
    return f"""
@qdcov.none = internal constant [{size} x i64] [{seen}]
@{symbol} = global {state} {begin}

define internal void @qdcov.see(i64 %number, i64 %bits) alwaysinline nounwind {{
  %state = load {state}, {to_symbol} @{symbol}
  %at = add i64 %number, {HEAD_WORDS}
  %word = getelementptr i64, {word} %state, i64 %at
  %seen = load atomic i64, {word} %word monotonic, align 8
  %unseen = xor i64 %seen, -1
  %new = and i64 %bits, %unseen
  %any = icmp ne i64 %new, 0
  br i1 %any, label %store, label %done, !prof !{{!"branch_weights", i32 1, i32 1000}}
store:
{function}
  call void %record({state} %state, i64 %number, i64 %new) cold
  br label %done
done:
  ret void
}}
"""
