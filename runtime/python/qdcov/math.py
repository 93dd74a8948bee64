"""Numbers and functions of mathematics, for kernels."""

from __future__ import annotations

import math as _math
import typing as _typing

from qdcov._library.complex import cconj as cconj
from qdcov._library.complex import cdiv as cdiv
from qdcov._library.complex import cexp as cexp
from qdcov._library.complex import cinv as cinv
from qdcov._library.complex import clog as clog
from qdcov._library.complex import cmul as cmul
from qdcov._library.complex import cpow as cpow
from qdcov._library.complex import csqrt as csqrt
from qdcov._library.interpolation import clamp as clamp
from qdcov._library.interpolation import fract as fract
from qdcov._library.interpolation import mix as mix
from qdcov._library.interpolation import smoothstep as smoothstep
from qdcov._library.interpolation import step as step
from qdcov._library.matrices import determinant as determinant
from qdcov._library.matrices import inverse as inverse
from qdcov._library.matrices import transpose as transpose
from qdcov._library.transforms import rot_by_axis as rot_by_axis
from qdcov._library.transforms import rot_yaw_pitch_roll as rot_yaw_pitch_roll
from qdcov._library.transforms import rotation2d as rotation2d
from qdcov._library.transforms import rotation3d as rotation3d
from qdcov._library.transforms import scale as scale
from qdcov._library.transforms import translate as translate
from qdcov._library.transforms import vdir as vdir
from qdcov._library.vectors import cross as cross
from qdcov._library.vectors import distance as distance
from qdcov._library.vectors import dot as dot
from qdcov._library.vectors import length as length
from qdcov._library.vectors import normalize as normalize
from qdcov._library.vectors import reflect as reflect
from qdcov._library.vectors import refract as refract
from qdcov._scalars.integers import clz as clz
from qdcov._scalars.integers import ffs as ffs
from qdcov._scalars.integers import fns as fns
from qdcov._scalars.integers import mod as mod
from qdcov._scalars.integers import popcnt as popcnt
from qdcov._values.functions import abs as abs
from qdcov._values.functions import acos as acos
from qdcov._values.functions import asin as asin
from qdcov._values.functions import atan as atan
from qdcov._values.functions import atan2 as atan2
from qdcov._values.functions import ceil as ceil
from qdcov._values.functions import cos as cos
from qdcov._values.functions import cosh as cosh
from qdcov._values.functions import degrees as degrees
from qdcov._values.functions import exp as exp
from qdcov._values.functions import exp2 as exp2
from qdcov._values.functions import expm1 as expm1
from qdcov._values.functions import fabs as fabs
from qdcov._values.functions import floor as floor
from qdcov._values.functions import isinf as isinf
from qdcov._values.functions import isnan as isnan
from qdcov._values.functions import log as log
from qdcov._values.functions import log1p as log1p
from qdcov._values.functions import log2 as log2
from qdcov._values.functions import max as max
from qdcov._values.functions import min as min
from qdcov._values.functions import pow as pow
from qdcov._values.functions import radians as radians
from qdcov._values.functions import round as round
from qdcov._values.functions import rsqrt as rsqrt
from qdcov._values.functions import sign as sign
from qdcov._values.functions import sin as sin
from qdcov._values.functions import sinh as sinh
from qdcov._values.functions import sqrt as sqrt
from qdcov._values.functions import tan as tan
from qdcov._values.functions import tanh as tanh
from qdcov._values.vector import identity as _identity

if _typing.TYPE_CHECKING:
    from qdcov._typed.math_types import *  # noqa: F403
else:
    from qdcov._values.math_types import dvec2 as dvec2
    from qdcov._values.math_types import dvec3 as dvec3
    from qdcov._values.math_types import dvec4 as dvec4
    from qdcov._values.math_types import ivec2 as ivec2
    from qdcov._values.math_types import ivec3 as ivec3
    from qdcov._values.math_types import ivec4 as ivec4
    from qdcov._values.math_types import mat2 as mat2
    from qdcov._values.math_types import mat3 as mat3
    from qdcov._values.math_types import mat4 as mat4
    from qdcov._values.math_types import uvec2 as uvec2
    from qdcov._values.math_types import uvec3 as uvec3
    from qdcov._values.math_types import uvec4 as uvec4
    from qdcov._values.math_types import vec2 as vec2
    from qdcov._values.math_types import vec3 as vec3
    from qdcov._values.math_types import vec4 as vec4

pi = _math.pi
e = _math.e
tau = _math.tau
inf = _math.inf
nan = _math.nan


def eye(n: int) -> _typing.Any:
    """The identity matrix, of the default float."""
    return _identity(float, n)
