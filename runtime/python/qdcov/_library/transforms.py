"""Rotations, translations and scalings as matrices: kernel code, which the compiler has as text and arch=qd.python runs.

Angles are in radians. Matrices of 4x4 are for homogeneous coordinates, of the default float."""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from qdcov._library.funcs import func
from qdcov._values.functions import cos, sin
from qdcov._values.math_types import mat2, mat4, vec2


@func
def vdir(ang):
    """The unit vector of 2 with the angle `ang` to the first axis."""
    return vec2(cos(ang), sin(ang))


@func
def translate(dx, dy, dz):
    """The 4x4 matrix that moves columns by (dx, dy, dz)."""
    return mat4([[1, 0, 0, dx], [0, 1, 0, dy], [0, 0, 1, dz], [0, 0, 0, 1]])


@func
def scale(sx, sy, sz):
    """The 4x4 matrix that multiplies the axes by sx, sy and sz."""
    return mat4([[sx, 0, 0, 0], [0, sy, 0, 0], [0, 0, sz, 0], [0, 0, 0, 1]])


@func
def rot_by_axis(axis, ang):
    """The 4x4 matrix that turns rows by the angle `ang` about a vector of 3: ``v @ M`` counter-clockwise seen against `axis` (Rodrigues' formula)."""
    c = cos(ang)
    s = sin(ang)
    a = axis.normalized()
    t = (1 - c) * a
    return mat4([
        [c + t[0] * a[0], t[0] * a[1] + s * a[2], t[0] * a[2] - s * a[1], 0],
        [t[1] * a[0] - s * a[2], c + t[1] * a[1], t[1] * a[2] + s * a[0], 0],
        [t[2] * a[0] + s * a[1], t[2] * a[1] - s * a[0], c + t[2] * a[2], 0],
        [0, 0, 0, 1],
    ])  # fmt: skip


@func
def rot_yaw_pitch_roll(yaw, pitch, roll):
    """The 4x4 matrix, for rows, of three turns one after the other: by `roll` about the third axis, by `pitch` about the first, by `yaw` about the
    second."""
    ch, sh = cos(yaw), sin(yaw)
    cp, sp = cos(pitch), sin(pitch)
    cb, sb = cos(roll), sin(roll)
    return mat4([
        [ch * cb + sh * sp * sb, sb * cp, ch * sp * sb - sh * cb, 0],
        [sh * sp * cb - ch * sb, cb * cp, sb * sh + ch * sp * cb, 0],
        [sh * cp, -sp, ch * cp, 0],
        [0, 0, 0, 1],
    ])  # fmt: skip


@func
def rotation2d(ang):
    """The 2x2 matrix that turns columns by `ang`, counter-clockwise."""
    c, s = cos(ang), sin(ang)
    return mat2([[c, -s], [s, c]])


@func
def rotation3d(ang_x, ang_y, ang_z):
    """``rot_yaw_pitch_roll(ang_z, ang_x, ang_y)``."""
    return rot_yaw_pitch_roll(ang_z, ang_x, ang_y)
