"""Numbers and functions of mathematics, for kernels."""

from __future__ import annotations

import math as _math

from qd._functions import acos as acos
from qd._functions import asin as asin
from qd._functions import atan as atan
from qd._functions import atan2 as atan2
from qd._functions import ceil as ceil
from qd._functions import clamp as clamp
from qd._functions import clz as clz
from qd._functions import cos as cos
from qd._functions import cosh as cosh
from qd._functions import degrees as degrees
from qd._functions import exp as exp
from qd._functions import fabs as fabs
from qd._functions import ffs as ffs
from qd._functions import floor as floor
from qd._functions import fract as fract
from qd._functions import isinf as isinf
from qd._functions import isnan as isnan
from qd._functions import log as log
from qd._functions import mix as mix
from qd._functions import popcnt as popcnt
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

pi = _math.pi
e = _math.e
tau = _math.tau
inf = _math.inf
nan = _math.nan
