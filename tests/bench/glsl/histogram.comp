#version 450
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) buffer Bins { int bins[]; };
layout(push_constant) uniform Constants { uint n; };
shared int own[256];

void main() {
  uint t = gl_LocalInvocationID.x, step = gl_NumWorkGroups.x * 256;
  own[t] = 0;
  barrier();
  for (uint i = gl_GlobalInvocationID.x; i < n; i += step) atomicAdd(own[int(x[i] * 256)], 1);
  barrier();
  if (own[t] != 0) atomicAdd(bins[t], own[t]);
}
