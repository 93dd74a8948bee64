#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = 0) readonly buffer A { float a[]; };
layout(std430, binding = 1) readonly buffer B { float b[]; };
layout(std430, binding = 2) writeonly buffer C { float c[]; };
layout(push_constant) uniform Constants { uint n; };
shared float tile_a[16][16];
shared float tile_b[16][16];

void main() {
  uint row = gl_GlobalInvocationID.y, column = gl_GlobalInvocationID.x;
  uint ty = gl_LocalInvocationID.y, tx = gl_LocalInvocationID.x;
  float sum = 0;
  for (uint k = 0; k < n; k += 16) {
    tile_a[ty][tx] = a[row * n + k + tx];
    tile_b[ty][tx] = b[(k + ty) * n + column];
    barrier();
    for (uint l = 0; l < 16; ++l) sum += tile_a[ty][l] * tile_b[l][tx];
    barrier();
  }
  c[row * n + column] = sum;
}
