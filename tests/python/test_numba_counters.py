"""Counters of functions of Numba: as few as tell which marks were reached."""

from __future__ import annotations

import importlib
import random
import re

import pytest

pytest.importorskip("numba")

LOOP = """\
define i32 @f(i64 %n, i1 %c) {
entry:
  call void @qdcov.mark.f.0()
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %tail ]
  call void @qdcov.mark.f.1()
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %end
body:
  call void @qdcov.mark.f.2()
  store i64 %i, ptr null
  br i1 %c, label %one, label %two
one:
  call void @qdcov.mark.f.3()
  store i64 1, ptr null
  br label %tail
two:
  call void @qdcov.mark.f.4()
  store i64 2, ptr null
  br label %tail
tail:
  call void @qdcov.mark.f.5()
  %next = add i64 %i, 1
  br label %head
end:
  call void @qdcov.mark.f.6()
  ret i32 0
}
"""


def test_blocks_have_a_counter_only_where_no_other_one_tells() -> None:
    """The first block, the head and the last one are reached in each call; the body and the tail if one of its sides is."""
    counted = importlib.import_module("qd_numba.counters").count_marks(LOOP, "state", True)
    assert len(counted.bits) == 7
    assert re.findall(r"%qdcov\.\d+ = alloca", counted.text) == ["%qdcov.0 = alloca", "%qdcov.1 = alloca"]
    masks = sorted(int(mask) for mask in re.findall(r"\.w0 = select i1 %qdcov\.at0\.ran\d+, i64 (\d+), i64 0", counted.text))
    assert masks == [0b0101100, 0b0110100]
    assert re.search(rf"or i64 {0b1000011}, ", counted.text)


def test_choices_in_several_steps_tell_of_the_blocks_around_them() -> None:
    choice = LOOP.replace("  store i64 1, ptr null\n", "")
    choice = choice.replace("  store i64 2, ptr null\n  br label %tail", "  br i1 %more, label %three, label %four")
    choice = choice.replace("tail:\n", "three:\n  br label %tail\nfour:\n  call void @qdcov.mark.f.7()\n  br label %tail\ntail:\n")
    text = importlib.import_module("qd_numba.counters").count_marks(choice, "state", True).text
    assert re.findall(r"%qdcov\.\S+ = alloca", text) == ["%qdcov.masks0 = alloca"]
    assert re.findall(r"phi i64 (\[ \d+, %\w+ \](?:, \[ \d+, %\w+ \])+)", text)[-1] == "[ 44, %one ], [ 52, %three ], [ 180, %four ]"


@pytest.mark.parametrize("in_loop", [False, True])
def test_large_functions_have_a_word_for_many_blocks(in_loop: bool) -> None:
    """LLVM carries each counter through all blocks: with 150 branches, compiling took 2.4 times as long as without coverage."""
    count = 150
    end = "br i1 %c, label %at0, label %out" if in_loop else "br label %out"
    step = "at{0}:\n  br i1 %c, label %then{0}, label %at{1}\nthen{0}:\n  call void @qdcov.mark.f.{0}()\n  store i64 {0}, ptr %p\n  br label %at{1}\n"
    steps = "".join(step.format(n, n + 1) for n in range(count))
    source = f"define i32 @f(i1 %c, ptr %p) {{\nentry:\n  br label %at0\n{steps}at{count}:\n  {end}\nout:\n  ret i32 0\n}}\n"
    counted = importlib.import_module("qd_numba.counters").count_marks(source, "state", True)
    assert len(counted.bits) == count
    assert re.findall(r"%qdcov\.\S+ = alloca", counted.text) == [f"%qdcov.masks{word} = alloca" for word in range(3)]


def test_certain_blocks_are_those_without_which_no_exit_is_reached() -> None:
    certain_blocks = importlib.import_module("qd_numba.certain_blocks").certain_blocks
    chance = random.Random(1)

    def reaches(graph: dict[str, list[str]], without: str) -> bool:
        found = {"b0"} - {without}
        work = list(found)
        while work:
            for after in graph[work.pop()]:
                if after not in found and after != without:
                    found.add(after)
                    work.append(after)
        return bool(found & exits)

    several = 0
    for _ in range(2000):
        size = chance.randint(1, 9)
        names = [f"b{number}" for number in range(size)]
        graph = {name: chance.choices(names, k=chance.choice([0, 1, 1, 1, 2, 2])) for name in names}
        exits = {name for name, after in graph.items() if not after and chance.random() < 0.9}
        expected = [name for name in names if not reaches(graph, name)] if reaches(graph, "") else []
        assert sorted(certain_blocks(graph, exits)) == expected, (graph, exits)
        several += len(expected) > 2
    assert several > 50
