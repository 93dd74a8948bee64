"""The types of qd.math: vectors and square matrices of the default types, and of f64."""

from __future__ import annotations

from qdcov import _dtypes
from qdcov._values.compound import matrix, vector

vec2, vec3, vec4 = (vector(n, float) for n in (2, 3, 4))
dvec2, dvec3, dvec4 = (vector(n, _dtypes.f64) for n in (2, 3, 4))
ivec2, ivec3, ivec4 = (vector(n, int) for n in (2, 3, 4))
uvec2, uvec3, uvec4 = (vector(n, _dtypes.UNSIGNED) for n in (2, 3, 4))
mat2, mat3, mat4 = (matrix(n, n, float) for n in (2, 3, 4))
