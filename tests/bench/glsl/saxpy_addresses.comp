#version 450
// As saxpy, but the arrays are reached by their addresses.
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 256) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Floats { float at[]; };
layout(push_constant) uniform Constants { uint n; float a; Floats x; Floats y; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < n) y.at[i] = a * x.at[i] + y.at[i];
}
