"""The types of qd.math as type checkers and editors are to see them: all of them are `Matrix`, whose operators give Any."""

from typing import TypeAlias

from qdcov._typed.values import Matrix

vec2: TypeAlias = Matrix
vec3: TypeAlias = Matrix
vec4: TypeAlias = Matrix
dvec2: TypeAlias = Matrix
dvec3: TypeAlias = Matrix
dvec4: TypeAlias = Matrix
ivec2: TypeAlias = Matrix
ivec3: TypeAlias = Matrix
ivec4: TypeAlias = Matrix
uvec2: TypeAlias = Matrix
uvec3: TypeAlias = Matrix
uvec4: TypeAlias = Matrix
mat2: TypeAlias = Matrix
mat3: TypeAlias = Matrix
mat4: TypeAlias = Matrix
