#version 450
// A sum for each group: of all numbers in the first pass, of the groups' sums in the second.
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) writeonly buffer Sums { float sums[]; };
layout(push_constant) uniform Constants { uint n; };
shared float part[256];

void main() {
  uint t = gl_LocalInvocationID.x, step = gl_NumWorkGroups.x * 256;
  float sum = 0;
  for (uint i = gl_GlobalInvocationID.x; i < n; i += step) sum += x[i];
  part[t] = sum;
  barrier();
  for (uint half_size = 128; half_size > 0; half_size /= 2) {
    if (t < half_size) part[t] += part[t + half_size];
    barrier();
  }
  if (t == 0) sums[gl_WorkGroupID.x] = part[0];
}
