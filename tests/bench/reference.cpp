// Reference for the benchmark's kernels: hand-written C++ with OpenMP on the same machine. Compiled by clang with
// -O3 -march=native -fopenmp.
#include "tests/bench/reference.h"

#include <cmath>
#include <cstdint>

namespace reference {

void saxpy(float a, const float* x, float* y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}

void saxpy_branch(float a, const float* x, float* y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    if (x[i] > 0.5f) {
      y[i] = y[i] + a * x[i];
    } else {
      y[i] = y[i] - x[i];
    }
  }
}

float total(const float* x, int n) {
  float s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i) s += x[i];
  return s;
}

double total(const double* x, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i) s += x[i];
  return s;
}

int total(const int* x, int n) {
  int s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i) s += x[i];
  return s;
}

int64_t total(const int64_t* x, int n) {
  int64_t s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i) s += x[i];
  return s;
}

void extrema(const float* x, float* out, int n) {
  float low = out[0], high = out[1];
#pragma omp parallel for reduction(min : low) reduction(max : high)
  for (int i = 0; i < n; ++i) {
    low = x[i] < low ? x[i] : low;
    high = x[i] > high ? x[i] : high;
  }
  out[0] = low;
  out[1] = high;
}

void bits(const int* x, int* out, int n) {
  int a = out[0], b = out[1], c = out[2];
#pragma omp parallel for reduction(& : a) reduction(| : b) reduction(^ : c)
  for (int i = 0; i < n; ++i) {
    a &= x[i];
    b |= x[i];
    c ^= x[i];
  }
  out[0] = a;
  out[1] = b;
  out[2] = c;
}

int count_above(const float* x, int n) {
  int count = 0;
#pragma omp parallel for reduction(+ : count)
  for (int i = 0; i < n; ++i) {
    if (x[i] > 0.25f) ++count;
  }
  return count;
}

void histogram(const float* x, int* out, int n) {
#pragma omp parallel
  {
    int own[256] = {};
#pragma omp for
    for (int i = 0; i < n; ++i) ++own[static_cast<int>(x[i] * 256)];
    for (int bin = 0; bin < 256; ++bin) {
#pragma omp atomic
      out[bin] += own[bin];
    }
  }
}

void prefix_sum(const int* x, int* out, int* sums, int n) {
  const int blocks = (n + 4095) / 4096;
#pragma omp parallel for
  for (int b = 0; b < blocks; ++b) {
    int s = 0;
    for (int i = b * 4096; i < n && i < (b + 1) * 4096; ++i) s += x[i];
    sums[b] = s;
  }
  int before = 0;
  for (int b = 0; b < blocks; ++b) {
    int own = sums[b];
    sums[b] = before;
    before += own;
  }
#pragma omp parallel for
  for (int b = 0; b < blocks; ++b) {
    int s = sums[b];
    for (int i = b * 4096; i < n && i < (b + 1) * 4096; ++i) {
      s += x[i];
      out[i] = s;
    }
  }
}

void stencil(const float* x, float* y, int rows, int columns) {
#pragma omp parallel for
  for (int i = 1; i < rows - 1; ++i) {
    for (int j = 1; j < columns - 1; ++j) {
      int64_t at = static_cast<int64_t>(i) * columns + j;
      y[at] = 0.5f * x[at] + 0.125f * (x[at - columns] + x[at + columns] + x[at - 1] + x[at + 1]);
    }
  }
}

void nbody(const float* x, const float* y, const float* z, float* ax, float* ay, float* az, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    float sx = 0, sy = 0, sz = 0;
    for (int j = 0; j < n; ++j) {
      float dx = x[j] - x[i];
      float dy = y[j] - y[i];
      float dz = z[j] - z[i];
      float r2 = dx * dx + dy * dy + dz * dz + 0.01f;
      float inverse = 1.0f / std::sqrt(r2);
      float strength = inverse * inverse * inverse;
      sx += dx * strength;
      sy += dy * strength;
      sz += dz * strength;
    }
    ax[i] = sx;
    ay[i] = sy;
    az[i] = sz;
  }
}

void mandelbrot(int* out, int rows, int columns, int limit) {
#pragma omp parallel for schedule(dynamic, 8)
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      float cx = -2.0f + 3.0f * j / columns;
      float cy = -1.5f + 3.0f * i / rows;
      float zx = 0, zy = 0;
      int n = 0;
      while (n < limit && zx * zx + zy * zy < 4.0f) {
        float next = zx * zx - zy * zy + cx;
        zy = 2.0f * zx * zy + cy;
        zx = next;
        ++n;
      }
      out[static_cast<int64_t>(i) * columns + j] = n;
    }
  }
}

}  // namespace reference
