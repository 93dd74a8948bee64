"""The scalar types as type checkers and editors are to see them: `qd.f32` is Python's float, since a kernel takes and returns Python's numbers, and
its arithmetic is that of numbers."""

from typing import TypeAlias

u1: TypeAlias = bool
i8: TypeAlias = int
i16: TypeAlias = int
i32: TypeAlias = int
i64: TypeAlias = int
u8: TypeAlias = int
u16: TypeAlias = int
u32: TypeAlias = int
u64: TypeAlias = int
f16: TypeAlias = float
f32: TypeAlias = float
f64: TypeAlias = float
uint1: TypeAlias = bool
int8: TypeAlias = int
int16: TypeAlias = int
int32: TypeAlias = int
int64: TypeAlias = int
uint8: TypeAlias = int
uint16: TypeAlias = int
uint32: TypeAlias = int
uint64: TypeAlias = int
float16: TypeAlias = float
float32: TypeAlias = float
float64: TypeAlias = float
