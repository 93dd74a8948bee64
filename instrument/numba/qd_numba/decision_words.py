"""Words of decisions, in the text of a function of LLVM IR: the way that an evaluation has taken so far, and the outcomes that were seen.

    call void @qdcov.when.f.8(i1 %x)      the way of the decision is 0, or the weight of the condition if %x;
                                          if the decision ends with that, bit number `way` of the word of outcomes is set

Nothing branches: both values of the condition are computed, and one is selected. Words live in registers, as counters do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from . import marks
from .decisions import MOST_WAYS, Effect


class DecisionWords:
    """The decisions of one function of LLVM IR, those of inlined functions among them."""

    def __init__(self, bits: Mapping[str, int], pointer: str) -> None:
        self._bits = bits
        self._pointer = pointer
        self._firsts: dict[str, int] = {}
        """The first bit of each decision, by the name of its word."""
        self._tests = 0

    def test(self, name: str, value: str) -> list[str]:
        """The instructions of a test."""
        function, test = marks.test_of(name)
        on_true, on_false = ({effect.decision: effect for effect in effects} for effects in (test.if_true, test.if_false))
        if test.inverted:
            on_true, on_false = on_false, on_true
        lines: list[str] = []
        for decision in dict.fromkeys([*on_true, *on_false]):
            word = f"%qdcov.{function.key}.{decision}"
            self._firsts[word] = self._bits[marks.way_name(function, decision, 0)]
            singly = "-" in {outcome[-1] for outcome in function.conditions.decisions[decision].outcomes}
            lines += self._update(word, value, on_true.get(decision), on_false.get(decision), singly)
        return lines

    def _update(self, word: str, value: str, on_true: Effect | None, on_false: Effect | None, singly: bool) -> list[str]:
        self._tests += 1
        own = f"%qdcov.test{self._tests}"
        lines = [f"  {own}.old = load i64, {self._pointer} {word}.way", f"  {own}.seen = load i64, {self._pointer} {word}.seen"]
        ways, seen = [], []
        for side, effect in (("t", on_true), ("f", on_false)):
            if effect is None:
                ways.append(f"{own}.old")
                seen.append("0")
                continue
            lines.append(f"  {own}.{side} = add i64 {'0' if effect.first else f'{own}.old'}, {effect.added}")
            ways.append(f"{own}.{side}")
            if effect.ended and not singly:
                # A way beyond the word is none: only an evaluation in which an exception was caught could be.
                lines.append(f"  {own}.{side}.low = and i64 {own}.{side}, {MOST_WAYS - 1}")
                lines.append(f"  {own}.{side}.bit = shl i64 1, {own}.{side}.low")
            seen.append("0" if not effect.ended else f"{own}.{side}" if singly else f"{own}.{side}.bit")
        lines += [
            f"  {own}.way = select i1 {value}, i64 {ways[0]}, i64 {ways[1]}",
            f"  store i64 {own}.way, {self._pointer} {word}.way",
            f"  {own}.new = select i1 {value}, i64 {seen[0]}, i64 {seen[1]}",
            f"  {own}.all = or i64 {own}.seen, {own}.new",
            f"  store i64 {own}.all, {self._pointer} {word}.seen",
        ]
        return lines

    def made(self) -> list[str]:
        """The words at the begin of the function."""
        parts = [f"{word}.{part}" for word in self._firsts for part in ("way", "seen")]
        return [line for part in parts for line in (f"  {part} = alloca i64", f"  store i64 0, {self._pointer} {part}")]

    def seen(self, prefix: str) -> Iterator[tuple[int, list[str], str]]:
        """The outcomes as bits of words of the library: the number of a word, instructions, and what they give."""
        for number, (word, first) in enumerate(self._firsts.items()):
            own = f"{prefix}.decision{number}"
            load = f"  {own} = load i64, {self._pointer} {word}.seen"
            shift = first % MOST_WAYS
            yield first // MOST_WAYS, [load, f"  {own}.low = shl i64 {own}, {shift}"], f"{own}.low"
            if shift:  # the bits may go on in the next word; where the decision has none there, they are 0
                high = f"  {own}.high = lshr i64 {own}, {MOST_WAYS - shift}"
                if first // MOST_WAYS < (len(self._bits) - 1) // MOST_WAYS:
                    yield first // MOST_WAYS + 1, [high], f"{own}.high"
