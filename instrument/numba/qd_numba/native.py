"""Native part of the journal: writes the lines of new hits into the file from any thread, without the lock of the interpreter.

Compiled code calls it with a word of bits that it has not seen set. The file is opened for appending, so a line is whole, whatever other threads and
processes write, and survives any death of the process."""

from __future__ import annotations

import ctypes
from typing import Any

import llvmlite.binding as llvm

from .see import HEAD_WORDS, WORD_BITS

LINE_SIZE = 16
"""Bytes of the line of a hit."""

_OPAQUE = llvm.llvm_version_info >= (16,)


def _source() -> str:
    byte, word, words = ("ptr", "ptr", "ptr") if _OPAQUE else ("i8*", "i64*", "i64**")
    text = f"""
@qdcov.file = global i32 -1
@qdcov.lost = global i64 0
declare i64 @write(i32, {byte}, i64)
declare i64 @llvm.cttz.i64(i64, i1)

define void @qdcov.record({word} %state, i64 %number, i64 %bits) {{
entry:
  %file = load atomic i32, FILE monotonic, align 4
  %paused = icmp slt i32 %file, 0
  br i1 %paused, label %done, label %take
take:
  %at = add i64 %number, {HEAD_WORDS}
  %word = getelementptr i64, {word} %state, i64 %at
  %old = atomicrmw or {word} %word, i64 %bits monotonic
  %unseen = xor i64 %old, -1
  %fresh = and i64 %bits, %unseen
  %place = getelementptr i64, {word} %state, i64 1
  LOAD_LINES
  %base = mul i64 %number, {WORD_BITS}
  br label %head
head:
  %left = phi i64 [ %fresh, %take ], [ %rest, %written ]
  %none = icmp eq i64 %left, 0
  br i1 %none, label %done, label %body
body:
  %bit = call i64 @llvm.cttz.i64(i64 %left, i1 true)
  %mark = add i64 %base, %bit
  %offset = mul i64 %mark, {LINE_SIZE}
  %line = getelementptr i8, {byte} %lines, i64 %offset
  %size = call i64 @write(i32 %file, {byte} %line, i64 {LINE_SIZE})
  %below = sub i64 %left, 1
  %rest = and i64 %left, %below
  %whole = icmp eq i64 %size, {LINE_SIZE}
  br i1 %whole, label %written, label %failed
failed:
  %before = atomicrmw add LOST, i64 1 monotonic
  br label %written
written:
  br label %head
done:
  ret void
}}
"""
    if _OPAQUE:
        return text.replace("FILE", "ptr @qdcov.file").replace("LOST", "ptr @qdcov.lost").replace("LOAD_LINES", "%lines = load ptr, ptr %place")
    lines = "%lines_place = bitcast i64* %place to i8**\n  %lines = load i8*, i8** %lines_place"
    return text.replace("FILE", "i32* @qdcov.file").replace("LOST", "i64* @qdcov.lost").replace("LOAD_LINES", lines)


class Recorder:
    """The compiled function, and the file that it writes to."""

    def __init__(self) -> None:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
        module = llvm.parse_assembly(_source())
        module.triple = llvm.get_process_triple()
        module.data_layout = str(machine.target_data)
        module.verify()
        self._engine = llvm.create_mcjit_compiler(module, machine)
        self._engine.finalize_object()
        self.address: int = self._engine.get_function_address("qdcov.record")
        self._file = ctypes.c_int32.from_address(self._engine.get_global_value_address("qdcov.file"))
        self._lost = ctypes.c_int64.from_address(self._engine.get_global_value_address("qdcov.lost"))

    def write_to(self, file: int) -> None:
        """Writes hits to this descriptor from now on; -1: nothing is recorded."""
        self._file.value = file

    def lost(self) -> int:
        """The number of hits that could not be written."""
        return self._lost.value


class State:
    """The bits of a library, which its code reaches by the address."""

    def __init__(self, recorder: Recorder, lines: bytes, n_marks: int) -> None:
        self._lines = ctypes.create_string_buffer(lines, len(lines))
        self._words = (ctypes.c_uint64 * (HEAD_WORDS + -(-n_marks // WORD_BITS)))()
        self._words[0] = recorder.address
        self._words[1] = ctypes.addressof(self._lines)
        self.address = ctypes.addressof(self._words)
        self._bits = self.address + HEAD_WORDS * 8
        self._size = ctypes.sizeof(self._words) - HEAD_WORDS * 8

    def clear(self) -> None:
        """Counts every mark as one that was not reached."""
        ctypes.memset(self._bits, 0, self._size)


def point_to(engine: Any, symbol: str, state: State) -> None:
    """Lets compiled code find its state."""
    ctypes.c_uint64.from_address(engine.get_global_value_address(symbol)).value = state.address
