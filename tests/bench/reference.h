// The benchmark's kernels in C++; the same computations as kernels.py.
#pragma once

namespace reference {

void saxpy(float a, const float* x, float* y, int n);
void saxpy_branch(float a, const float* x, float* y, int n);
float total(const float* x, int n);
void stencil(const float* x, float* y, int rows, int columns);
void nbody(const float* x, const float* y, const float* z, float* ax, float* ay, float* az, int n);
void mandelbrot(int* out, int rows, int columns, int limit);

}  // namespace reference
