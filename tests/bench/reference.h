// The benchmark's kernels in C++; the same computations as kernels.py.
#pragma once

#include <cstdint>

namespace reference {

void saxpy(float a, const float* x, float* y, int n);
void saxpy_branch(float a, const float* x, float* y, int n);
float total(const float* x, int n);
double total(const double* x, int n);
int total(const int* x, int n);
int64_t total(const int64_t* x, int n);
void extrema(const float* x, float* out, int n);
void bits(const int* x, int* out, int n);
int count_above(const float* x, int n);
void histogram(const float* x, int* out, int n);
void prefix_sum(const int* x, int* out, int* sums, int n);
void stencil(const float* x, float* y, int rows, int columns);
void nbody(const float* x, const float* y, const float* z, float* ax, float* ay, float* az, int n);
void mandelbrot(int* out, int rows, int columns, int limit);

}  // namespace reference
