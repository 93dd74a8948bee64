#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) readonly buffer Y { float y[]; };
layout(std430, binding = 2) readonly buffer Z { float z[]; };
layout(std430, binding = 3) writeonly buffer AX { float ax[]; };
layout(std430, binding = 4) writeonly buffer AY { float ay[]; };
layout(std430, binding = 5) writeonly buffer AZ { float az[]; };
layout(push_constant) uniform Constants { uint n; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= n) return;
  vec3 own = vec3(x[i], y[i], z[i]), sum = vec3(0);
  for (uint j = 0; j < n; ++j) {
    vec3 d = vec3(x[j], y[j], z[j]) - own;
    float inverse = 1.0 / sqrt(dot(d, d) + 0.01);
    sum += d * (inverse * inverse * inverse);
  }
  ax[i] = sum.x;
  ay[i] = sum.y;
  az[i] = sum.z;
}
