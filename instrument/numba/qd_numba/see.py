"""Function of LLVM IR that takes the bits of a word: only those that are new are stored, and go to the journal."""

from __future__ import annotations

WORD_BITS = 64
HEAD_WORDS = 2
"""Words of a state before its bits: the address of the function that stores bits, and that of the lines it writes."""


def see(symbol: str, n_words: int, opaque_pointers: bool) -> str:
    """The function that takes the bits of a word. Before there is a state, all bits count as seen."""
    size = HEAD_WORDS + n_words
    pointer, place, record = ("ptr", "ptr", "ptr") if opaque_pointers else ("i64*", "i64**", "void (i64*, i64, i64)*")
    begin = "@qdcov.none" if opaque_pointers else f"bitcast ([{size} x i64]* @qdcov.none to i64*)"
    load = "  %record = load ptr, ptr %state"
    if not opaque_pointers:
        load = f"  %place = bitcast i64* %state to {record}*\n  %record = load {record}, {record}* %place"
    return f"""
@qdcov.none = internal constant [{size} x i64] [{", ".join(["i64 -1"] * size)}]
@{symbol} = global {pointer} {begin}

define internal void @qdcov.see(i64 %number, i64 %bits) alwaysinline nounwind {{
  %state = load {pointer}, {place} @{symbol}
  %at = add i64 %number, {HEAD_WORDS}
  %word = getelementptr i64, {pointer} %state, i64 %at
  %seen = load atomic i64, {pointer} %word monotonic, align 8
  %unseen = xor i64 %seen, -1
  %new = and i64 %bits, %unseen
  %any = icmp ne i64 %new, 0
  br i1 %any, label %store, label %done, !prof !{{!"branch_weights", i32 1, i32 1000}}
store:
{load}
  call void %record({pointer} %state, i64 %number, i64 %new) cold
  br label %done
done:
  ret void
}}
"""
