#version 450
layout(local_size_x = 32, local_size_y = 8) in;
layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) buffer Y { float y[]; };
layout(push_constant) uniform Constants { uint n; };

void main() {
  uint j = gl_GlobalInvocationID.x + 1, i = gl_GlobalInvocationID.y + 1, k = i * n + j;
  if (i < n - 1 && j < n - 1) y[k] = 0.5 * x[k] + 0.125 * (x[k - n] + x[k + n] + x[k - 1] + x[k + 1]);
}
