"""Numbers and functions of mathematics, for kernels."""

from __future__ import annotations

import math as _math
from typing import Any as _Any

from qd import _dtypes
from qd._compound import matrix as _matrix
from qd._compound import vector as _vector
from qd._functions import abs as abs
from qd._functions import acos as acos
from qd._functions import asin as asin
from qd._functions import atan as atan
from qd._functions import atan2 as atan2
from qd._functions import ceil as ceil
from qd._functions import clamp as clamp
from qd._functions import cos as cos
from qd._functions import cosh as cosh
from qd._functions import degrees as degrees
from qd._functions import exp as exp
from qd._functions import exp2 as exp2
from qd._functions import fabs as fabs
from qd._functions import floor as floor
from qd._functions import fract as fract
from qd._functions import isinf as isinf
from qd._functions import isnan as isnan
from qd._functions import log as log
from qd._functions import log2 as log2
from qd._functions import max as max
from qd._functions import min as min
from qd._functions import mix as mix
from qd._functions import pow as pow
from qd._functions import radians as radians
from qd._functions import round as round
from qd._functions import rsqrt as rsqrt
from qd._functions import sign as sign
from qd._functions import sin as sin
from qd._functions import sinh as sinh
from qd._functions import smoothstep as smoothstep
from qd._functions import sqrt as sqrt
from qd._functions import step as step
from qd._functions import tan as tan
from qd._functions import tanh as tanh
from qd._integers import clz as clz
from qd._integers import ffs as ffs
from qd._integers import fns as fns
from qd._integers import mod as mod
from qd._integers import popcnt as popcnt
from qd._matrix import as_matrix as _as_matrix
from qd._vector import identity as _identity

pi = _math.pi
e = _math.e
tau = _math.tau
inf = _math.inf
nan = _math.nan

vec2, vec3, vec4 = (_vector(n, float) for n in (2, 3, 4))
dvec2, dvec3, dvec4 = (_vector(n, _dtypes.f64) for n in (2, 3, 4))
ivec2, ivec3, ivec4 = (_vector(n, int) for n in (2, 3, 4))
uvec2, uvec3, uvec4 = (_vector(n, _dtypes.UNSIGNED) for n in (2, 3, 4))
mat2, mat3, mat4 = (_matrix(n, n, float) for n in (2, 3, 4))


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
