"""Numbers and functions of mathematics, for kernels."""

from __future__ import annotations

import math as _math
from typing import Any as _Any

from qd._library.complex import cconj as cconj
from qd._library.complex import cdiv as cdiv
from qd._library.complex import cexp as cexp
from qd._library.complex import cinv as cinv
from qd._library.complex import clog as clog
from qd._library.complex import cmul as cmul
from qd._library.complex import cpow as cpow
from qd._library.complex import csqrt as csqrt
from qd._library.transforms import rot_by_axis as rot_by_axis
from qd._library.transforms import rot_yaw_pitch_roll as rot_yaw_pitch_roll
from qd._library.transforms import rotation2d as rotation2d
from qd._library.transforms import rotation3d as rotation3d
from qd._library.transforms import scale as scale
from qd._library.transforms import translate as translate
from qd._library.transforms import vdir as vdir
from qd._scalars.integers import clz as clz
from qd._scalars.integers import ffs as ffs
from qd._scalars.integers import fns as fns
from qd._scalars.integers import mod as mod
from qd._scalars.integers import popcnt as popcnt
from qd._values.functions import abs as abs
from qd._values.functions import acos as acos
from qd._values.functions import asin as asin
from qd._values.functions import atan as atan
from qd._values.functions import atan2 as atan2
from qd._values.functions import ceil as ceil
from qd._values.functions import clamp as clamp
from qd._values.functions import cos as cos
from qd._values.functions import cosh as cosh
from qd._values.functions import degrees as degrees
from qd._values.functions import exp as exp
from qd._values.functions import exp2 as exp2
from qd._values.functions import fabs as fabs
from qd._values.functions import floor as floor
from qd._values.functions import fract as fract
from qd._values.functions import isinf as isinf
from qd._values.functions import isnan as isnan
from qd._values.functions import log as log
from qd._values.functions import log2 as log2
from qd._values.functions import max as max
from qd._values.functions import min as min
from qd._values.functions import mix as mix
from qd._values.functions import pow as pow
from qd._values.functions import radians as radians
from qd._values.functions import round as round
from qd._values.functions import rsqrt as rsqrt
from qd._values.functions import sign as sign
from qd._values.functions import sin as sin
from qd._values.functions import sinh as sinh
from qd._values.functions import smoothstep as smoothstep
from qd._values.functions import sqrt as sqrt
from qd._values.functions import step as step
from qd._values.functions import tan as tan
from qd._values.functions import tanh as tanh
from qd._values.math_types import dvec2 as dvec2
from qd._values.math_types import dvec3 as dvec3
from qd._values.math_types import dvec4 as dvec4
from qd._values.math_types import ivec2 as ivec2
from qd._values.math_types import ivec3 as ivec3
from qd._values.math_types import ivec4 as ivec4
from qd._values.math_types import mat2 as mat2
from qd._values.math_types import mat3 as mat3
from qd._values.math_types import mat4 as mat4
from qd._values.math_types import uvec2 as uvec2
from qd._values.math_types import uvec3 as uvec3
from qd._values.math_types import uvec4 as uvec4
from qd._values.math_types import vec2 as vec2
from qd._values.math_types import vec3 as vec3
from qd._values.math_types import vec4 as vec4
from qd._values.matrix import as_matrix as _as_matrix
from qd._values.vector import identity as _identity

pi = _math.pi
e = _math.e
tau = _math.tau
inf = _math.inf
nan = _math.nan


def dot(x: _Any, y: _Any) -> _Any:
    """The sum of the products of components."""
    return _as_matrix(x).dot(y)


def cross(x: _Any, y: _Any) -> _Any:
    """The cross product of two vectors of 3, or of 2."""
    return _as_matrix(x).cross(y)


def length(x: _Any) -> _Any:
    """The norm of a vector."""
    return _as_matrix(x).norm()


def distance(x: _Any, y: _Any) -> _Any:
    """The norm of the difference of two vectors."""
    return (_as_matrix(x) - y).norm()


def normalize(x: _Any) -> _Any:
    """A vector divided by its norm."""
    return _as_matrix(x) / _as_matrix(x).norm()


def reflect(x: _Any, n: _Any) -> _Any:
    """`x` mirrored at the plane with the unit normal `n`."""
    return x - 2 * x.dot(n) * n


def refract(x: _Any, n: _Any, eta: _Any) -> _Any:
    """The direction of a ray `x` behind a surface with the unit normal `n`, where `eta` is the ratio of the indices of refraction; 0 when all is
    reflected."""
    along = x.dot(n)
    k = 1 - eta * eta * (1 - along * along)
    return x * 0 if k < 0 else eta * x - (eta * along + sqrt(k)) * n


def inverse(m: _Any) -> _Any:
    """The inverse of a matrix up to 4x4."""
    return m.inverse()


def determinant(m: _Any) -> _Any:
    """The determinant of a matrix up to 4x4."""
    return m.determinant()


def eye(n: int) -> _Any:
    """The identity matrix, of the default float."""
    return _identity(float, n)
