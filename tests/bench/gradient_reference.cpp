// Kernels of gradient_programs.txt and their adjoints, written by hand in C++ with OpenMP: the reference of
// gradient_speed.py. Compiled by clang with -O3 -march=native -ffast-math -fopenmp.
//
// NAME_kernel(a) and NAME_gradient(a, b) get the program's fields: a their numbers, b their gradients. An adjoint does
// what k.grad does: it adds to the gradients of what the kernel reads, and clears those of what the kernel overwrites.
#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

using Arrays = float* const*;

/// The part of [begin, end) that a thread of a parallel region has.
struct Part {
  Part(int begin, int end) {
    const int64_t n = end - begin, thread = omp_get_thread_num(), threads = omp_get_num_threads();
    first = begin + static_cast<int>(n * thread / threads);
    last = begin + static_cast<int>(n * (thread + 1) / threads);
  }
  int first, last;
};

}  // namespace

// --- saxpy ---

namespace {
constexpr int kLine = 1 << 20;
constexpr float kFactor = 2.5f;
}  // namespace

extern "C" void saxpy_kernel(Arrays a) {
  const float* x = a[0];
  float* y = a[1];
#pragma omp parallel for simd
  for (int i = 0; i < kLine; ++i) y[i] = kFactor * x[i] + 2.0f * x[i] * x[i];
}

extern "C" void saxpy_gradient(Arrays a, Arrays b) {
  const float* x = a[0];
  float *gx = b[0], *gy = b[1];
#pragma omp parallel for simd
  for (int i = 0; i < kLine; ++i) {
    gx[i] += gy[i] * (kFactor + 4.0f * x[i]);
    gy[i] = 0.0f;
  }
}

// --- stencils ---

namespace {

constexpr int kSide = 1024;

float* row(float* x, int i) { return x + static_cast<ptrdiff_t>(i) * kSide; }
const float* row(const float* x, int i) { return x + static_cast<ptrdiff_t>(i) * kSide; }

}  // namespace

extern "C" void stencil_kernel(Arrays a) {
  const float* x = a[0];
  float* y = a[1];
#pragma omp parallel for
  for (int i = 1; i < kSide - 1; ++i) {
    const float *up = row(x, i - 1), *here = row(x, i), *down = row(x, i + 1);
    float* out = row(y, i);
#pragma omp simd
    for (int j = 1; j < kSide - 1; ++j)
      out[j] = here[j] + 0.1f * (up[j] + down[j] + here[j - 1] + here[j + 1] - 4.0f * here[j]);
  }
}

/// Rows of gy, which is 0 outside of the loop's bounds, add to rows of gx. A row of gx is read and written once.
extern "C" void stencil_gradient(Arrays, Arrays b) {
  float *gx = b[0], *gy = b[1];
#pragma omp parallel
  {
    alignas(64) static const std::array<float, kSide> nothing{};
    const Part part(0, kSide);
    auto g = [&](int i) { return i < 1 || i > kSide - 2 ? nothing.data() : row(gy, i); };
    for (int i = part.first; i < part.last; ++i) {
      const float *up = g(i - 1), *here = g(i), *down = g(i + 1);
      float* out = row(gx, i);
      auto at = [](const float* line, int j) { return j < 1 || j > kSide - 2 ? 0.0f : line[j]; };
      auto near = [&](int j) {
        out[j] += 0.6f * at(here, j) + 0.1f * (at(up, j) + at(down, j) + at(here, j - 1) + at(here, j + 1));
      };
      near(0), near(1);
#pragma omp simd
      for (int j = 2; j < kSide - 2; ++j)
        out[j] += 0.6f * here[j] + 0.1f * (up[j] + down[j] + here[j - 1] + here[j + 1]);
      near(kSide - 2), near(kSide - 1);
    }
#pragma omp barrier
    const Part inner(1, kSide - 1);
    for (int i = inner.first; i < inner.last; ++i) std::memset(row(gy, i) + 1, 0, (kSide - 2) * sizeof(float));
  }
}

extern "C" void nonlinear_kernel(Arrays a) {
  const float* x = a[0];
  float* y = a[1];
#pragma omp parallel for
  for (int i = 1; i < kSide - 1; ++i) {
    const float *up = row(x, i - 1), *here = row(x, i), *down = row(x, i + 1);
    float* out = row(y, i);
#pragma omp simd
    for (int j = 1; j < kSide - 1; ++j) {
      const float d = down[j] - up[j], e = here[j + 1] - here[j - 1];
      out[j] = here[j] * here[j] + 0.1f * std::sqrt(d * d + e * e + 0.01f);
    }
  }
}

namespace {

/// Additions of a row of iterations to the elements above and below, left and right, and to their own.
struct Sent {
  // One more line of the cache than a row: else all of these and the rows of x and gy would share few sets of it.
  static constexpr int kLength = kSide + 16;
  alignas(64) std::array<float, kLength> vertical{}, horizontal{}, own{};

  void find(const float* x, const float* gy, int i) {
    if (i < 1 || i > kSide - 2) {
      *this = Sent();
    } else {
      find(row(x, i - 1), row(x, i), row(x, i + 1), row(gy, i), vertical.data(), horizontal.data(), own.data());
    }
  }

 private:
  static void find(const float* __restrict up, const float* __restrict here, const float* __restrict down,
                   const float* __restrict g, float* __restrict vertical, float* __restrict horizontal,
                   float* __restrict own) {
    for (int j = 1; j < kSide - 1; ++j) {
      const float d = down[j] - up[j], e = here[j + 1] - here[j - 1];
      const float by_root = 0.1f * g[j] / std::sqrt(d * d + e * e + 0.01f);
      vertical[j] = by_root * d;
      horizontal[j] = by_root * e;
      own[j] = 2.0f * here[j] * g[j];
    }
  }
};

}  // namespace

/// Each root is computed once: a thread keeps what three rows send, and adds it to the row in their midst.
extern "C" void nonlinear_gradient(Arrays a, Arrays b) {
  const float* x = a[0];
  float *gx = b[0], *gy = b[1];
#pragma omp parallel
  {
    const Part part(0, kSide);
    std::array<Sent, 3> sent;
    Sent behind;  // the row behind the part, whose gradient another thread clears
    sent[(part.first + 2) % 3].find(x, gy, part.first - 1);
    behind.find(x, gy, part.last);
#pragma omp barrier
    auto take = [&](int i) {
      sent[i % 3].find(x, gy, i);
      if (i >= 1 && i <= kSide - 2) std::memset(row(gy, i) + 1, 0, (kSide - 2) * sizeof(float));
    };
    take(part.first);
    for (int i = part.first; i < part.last; ++i) {
      if (i + 1 < part.last) take(i + 1);
      const Sent &up = sent[(i + 2) % 3], &here = sent[i % 3], &down = i + 1 < part.last ? sent[(i + 1) % 3] : behind;
      float* out = row(gx, i);
      out[0] += up.vertical[0] - down.vertical[0] + here.own[0] - here.horizontal[1];
#pragma omp simd
      for (int j = 1; j < kSide - 1; ++j)
        out[j] += up.vertical[j] - down.vertical[j] + here.own[j] + here.horizontal[j - 1] - here.horizontal[j + 1];
      out[kSide - 1] += here.horizontal[kSide - 2];
    }
  }
}

// --- n-body ---

namespace {

constexpr int kBodies = 2048;

/// Vectors with their components apart, for SIMD.
struct Apart {
  alignas(64) std::array<float, kBodies> x, y, z;
  explicit Apart(const float* from) {
    for (int i = 0; i < kBodies; ++i) x[i] = from[3 * i], y[i] = from[3 * i + 1], z[i] = from[3 * i + 2];
  }
};

}  // namespace

extern "C" void bodies_kernel(Arrays a) {
  const Apart p(a[0]);
  float* force = a[1];
#pragma omp parallel for
  for (int i = 0; i < kBodies; ++i) {
    float fx = 0.0f, fy = 0.0f, fz = 0.0f;
#pragma omp simd reduction(+ : fx, fy, fz)
    for (int j = 0; j < kBodies; ++j) {
      const float x = p.x[j] - p.x[i], y = p.y[j] - p.y[i], z = p.z[j] - p.z[i];
      const float inv = 1.0f / std::sqrt(x * x + y * y + z * z + 0.01f);
      const float cube = inv * inv * inv;
      fx += x * cube, fy += y * cube, fz += z * cube;
    }
    force[3 * i] = fx, force[3 * i + 1] = fy, force[3 * i + 2] = fz;
  }
}

/// The pairs (i, j) and (j, i) add to the gradient of body i alike, so it is a sum over j of both.
extern "C" void bodies_gradient(Arrays a, Arrays b) {
  const Apart p(a[0]), g(b[1]);
  float *to = b[0], *force = b[1];
#pragma omp parallel for
  for (int i = 0; i < kBodies; ++i) {
    float gx = 0.0f, gy = 0.0f, gz = 0.0f;
#pragma omp simd reduction(+ : gx, gy, gz)
    for (int j = 0; j < kBodies; ++j) {
      const float x = p.x[j] - p.x[i], y = p.y[j] - p.y[i], z = p.z[j] - p.z[i];
      const float u = g.x[j] - g.x[i], v = g.y[j] - g.y[i], w = g.z[j] - g.z[i];
      const float inv = 1.0f / std::sqrt(x * x + y * y + z * z + 0.01f);
      const float square = inv * inv, cube = square * inv;
      const float along = 3.0f * cube * square * (x * u + y * v + z * w);
      gx += cube * u - along * x, gy += cube * v - along * y, gz += cube * w - along * z;
    }
    to[3 * i] += gx, to[3 * i + 1] += gy, to[3 * i + 2] += gz;
  }
  std::memset(force, 0, 3 * kBodies * sizeof(float));
}

// --- small matrices ---

namespace {

constexpr int kMatrices = 1 << 16;

constexpr int kLanes = 8;
using Lanes = float __attribute__((ext_vector_type(kLanes)));

/// Matrices of as many neighbours, number by number.
struct Matrix {
  std::array<Lanes, 9> m;
  static Matrix load(const float* from, int block) {
    from += static_cast<ptrdiff_t>(block) * 9 * kLanes;
    Matrix result;
    for (int n = 0; n < 9; ++n) {
      for (int lane = 0; lane < kLanes; ++lane) result.m[n][lane] = from[9 * lane + n];
    }
    return result;
  }
  void store(float* to, int block) const {
    to += static_cast<ptrdiff_t>(block) * 9 * kLanes;
    for (int n = 0; n < 9; ++n) {
      for (int lane = 0; lane < kLanes; ++lane) to[9 * lane + n] = m[n][lane];
    }
  }
};

inline Matrix operator*(const Matrix& a, const Matrix& b) {
  Matrix c;
  for (int r = 0; r < 3; ++r) {
    for (int k = 0; k < 3; ++k)
      c.m[3 * r + k] = a.m[3 * r] * b.m[k] + a.m[3 * r + 1] * b.m[3 + k] + a.m[3 * r + 2] * b.m[6 + k];
  }
  return c;
}
inline Matrix operator+(const Matrix& a, const Matrix& b) {
  Matrix c;
  for (int n = 0; n < 9; ++n) c.m[n] = a.m[n] + b.m[n];
  return c;
}
inline Matrix operator-(const Matrix& a, const Matrix& b) {
  Matrix c;
  for (int n = 0; n < 9; ++n) c.m[n] = a.m[n] - b.m[n];
  return c;
}
inline Matrix operator*(Lanes f, const Matrix& a) {
  Matrix c;
  for (int n = 0; n < 9; ++n) c.m[n] = f * a.m[n];
  return c;
}
inline Matrix transposed(const Matrix& a) {
  return {{a.m[0], a.m[3], a.m[6], a.m[1], a.m[4], a.m[7], a.m[2], a.m[5], a.m[8]}};
}
inline Matrix cofactors(const Matrix& a) {
  const auto& m = a.m;
  return {{m[4] * m[8] - m[5] * m[7], m[5] * m[6] - m[3] * m[8], m[3] * m[7] - m[4] * m[6],  //
           m[2] * m[7] - m[1] * m[8], m[0] * m[8] - m[2] * m[6], m[1] * m[6] - m[0] * m[7],  //
           m[1] * m[5] - m[2] * m[4], m[2] * m[3] - m[0] * m[5], m[0] * m[4] - m[1] * m[3]}};
}

}  // namespace

extern "C" void matrices_kernel(Arrays a) {
#pragma omp parallel for
  for (int i = 0; i < kMatrices / kLanes; ++i) {
    const Matrix A = Matrix::load(a[0], i), B = Matrix::load(a[1], i), cofactor = cofactors(A);
    const Lanes det = A.m[0] * cofactor.m[0] + A.m[1] * cofactor.m[1] + A.m[2] * cofactor.m[2];
    (A * B * ((1.0f / det) * transposed(cofactor)) + det * A).store(a[2], i);
  }
}

extern "C" void matrices_gradient(Arrays a, Arrays b) {
#pragma omp parallel for
  for (int i = 0; i < kMatrices / kLanes; ++i) {
    const Matrix A = Matrix::load(a[0], i), B = Matrix::load(a[1], i), G = Matrix::load(b[2], i);
    const Matrix cofactor = cofactors(A);
    const Lanes det = A.m[0] * cofactor.m[0] + A.m[1] * cofactor.m[1] + A.m[2] * cofactor.m[2];
    const Matrix inverse_t = (1.0f / det) * cofactor;                    // of A, transposed
    const Matrix D = G * inverse_t;                                      // the adjoint of A @ B
    const Matrix through_inverse = inverse_t * (transposed(A * B) * D);  // less
    Lanes to_det = 0.0f;
    for (int n = 0; n < 9; ++n) to_det += G.m[n] * A.m[n];
    (Matrix::load(b[0], i) + D * transposed(B) - through_inverse + det * G + to_det * cofactor).store(b[0], i);
    (Matrix::load(b[1], i) + transposed(A) * D).store(b[1], i);
    std::memset(b[2] + static_cast<ptrdiff_t>(i) * 9 * kLanes, 0, 9 * kLanes * sizeof(float));
  }
}

// --- MPM, from the grid ---

namespace {

constexpr int kParticles = 1 << 15, kGrid = 64;
constexpr float kStep = 1e-4f;

/// Weights of the three nodes on an axis, and their derivatives by fx.
struct Weights {
  std::array<float, 3> w, d;
  explicit Weights(float fx)
      : w{0.5f * (1.5f - fx) * (1.5f - fx), 0.75f - (fx - 1.0f) * (fx - 1.0f), 0.5f * (fx - 0.5f) * (fx - 0.5f)},
        d{fx - 1.5f, -2.0f * (fx - 1.0f), fx - 0.5f} {}
};

}  // namespace

// The fields: x, x2, v2, C2, grid_v.
extern "C" void particles_kernel(Arrays a) {
  const float *position = a[0], *grid = a[4];
#pragma omp parallel for
  for (int p = 0; p < kParticles; ++p) {
    const float px = position[2 * p] * kGrid, py = position[2 * p + 1] * kGrid;
    const int bx = static_cast<int>(px - 0.5f), by = static_cast<int>(py - 0.5f);
    const float fx = px - static_cast<float>(bx), fy = py - static_cast<float>(by);
    const Weights wx(fx), wy(fy);
    float vx = 0.0f, vy = 0.0f, c00 = 0.0f, c01 = 0.0f, c10 = 0.0f, c11 = 0.0f;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        const float* node = grid + 2 * ((bx + i) * kGrid + by + j);
        const float w = wx.w[i] * wy.w[j], x = static_cast<float>(i) - fx, y = static_cast<float>(j) - fy;
        const float gx = w * node[0], gy = w * node[1];
        vx += gx, vy += gy;
        c00 += gx * x, c01 += gx * y, c10 += gy * x, c11 += gy * y;
      }
    }
    float *v = a[2] + 2 * p, *x2 = a[1] + 2 * p, *C = a[3] + 4 * p;
    v[0] = vx, v[1] = vy;
    x2[0] = position[2 * p] + kStep * vx, x2[1] = position[2 * p + 1] + kStep * vy;
    constexpr float kScale = 4.0f * kGrid;
    C[0] = kScale * c00, C[1] = kScale * c01, C[2] = kScale * c10, C[3] = kScale * c11;
  }
}

/// Each thread adds to a grid of its own; then the grids are added up.
extern "C" void particles_gradient(Arrays a, Arrays b) {
  constexpr int kNumbers = 2 * kGrid * kGrid;
  constexpr float kScale = 4.0f * kGrid;
  const float *position = a[0], *grid = a[4];
  float *to_position = b[0], *to_grid = b[4];
  std::vector<float> own(static_cast<size_t>(omp_get_max_threads()) * kNumbers);
  int threads = 1;
#pragma omp parallel
  {
    float* sums = own.data() + static_cast<ptrdiff_t>(omp_get_thread_num()) * kNumbers;
#pragma omp single nowait
    threads = omp_get_num_threads();
#pragma omp for
    for (int p = 0; p < kParticles; ++p) {
      const float px = position[2 * p] * kGrid, py = position[2 * p + 1] * kGrid;
      const int bx = static_cast<int>(px - 0.5f), by = static_cast<int>(py - 0.5f);
      const float fx = px - static_cast<float>(bx), fy = py - static_cast<float>(by);
      const Weights wx(fx), wy(fy);
      float *x2 = b[1] + 2 * p, *v = b[2] + 2 * p, *C = b[3] + 4 * p;
      const float vx = v[0] + kStep * x2[0], vy = v[1] + kStep * x2[1];
      const float c00 = kScale * C[0], c01 = kScale * C[1], c10 = kScale * C[2], c11 = kScale * C[3];
      float to_fx = 0.0f, to_fy = 0.0f;
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          const int place = 2 * ((bx + i) * kGrid + by + j);
          const float w = wx.w[i] * wy.w[j], x = static_cast<float>(i) - fx, y = static_cast<float>(j) - fy;
          const float gx = grid[place], gy = grid[place + 1];
          const float ax = vx + c00 * x + c01 * y, ay = vy + c10 * x + c11 * y;  // adjoint of w * node
          sums[place] += w * ax;
          sums[place + 1] += w * ay;
          const float to_w = gx * ax + gy * ay;
          to_fx += to_w * wx.d[i] * wy.w[j] - w * (gx * c00 + gy * c10);
          to_fy += to_w * wx.w[i] * wy.d[j] - w * (gx * c01 + gy * c11);
        }
      }
      to_position[2 * p] += x2[0] + kGrid * to_fx;
      to_position[2 * p + 1] += x2[1] + kGrid * to_fy;
      x2[0] = x2[1] = v[0] = v[1] = C[0] = C[1] = C[2] = C[3] = 0.0f;
    }
#pragma omp for
    for (int n = 0; n < kNumbers; ++n) {
      for (int t = 0; t < threads; ++t) to_grid[n] += own[static_cast<size_t>(t) * kNumbers + static_cast<size_t>(n)];
    }
  }
}
