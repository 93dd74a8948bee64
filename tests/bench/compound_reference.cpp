// The kernels with vectors and matrices in C++ with OpenMP, as one writes them by hand. Compiled by clang with -O3
// -march=native -fopenmp.
#include "tests/bench/compound_reference.h"

#include <algorithm>
#include <cmath>

namespace reference {
namespace {

constexpr int kBound = 3;

struct Weights {
  float w[3][3];  // of the node, of the axis
};

inline Weights weights(const float* fx) {
  Weights result;
  for (int d = 0; d < 3; ++d) {
    result.w[0][d] = 0.5f * (1.5f - fx[d]) * (1.5f - fx[d]);
    result.w[1][d] = 0.75f - (fx[d] - 1) * (fx[d] - 1);
    result.w[2][d] = 0.5f * (fx[d] - 0.5f) * (fx[d] - 0.5f);
  }
  return result;
}

void particles_to_grid(const Particles& p) {
  const float dx = 1.0f / static_cast<float>(p.grid), inv_dx = static_cast<float>(p.grid);
  const int n = p.grid;
#pragma omp parallel for
  for (int i = 0; i < p.count; ++i) {
    int base[3];
    float fx[3];
    for (int d = 0; d < 3; ++d) {
      base[d] = static_cast<int>(p.x[3 * i + d] * inv_dx - 0.5f);
      fx[d] = p.x[3 * i + d] * inv_dx - static_cast<float>(base[d]);
    }
    const Weights w = weights(fx);
    const float* C = p.C + 9 * i;
    float* F = p.F + 9 * i;
    float now[9];
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b)
        now[3 * a + b] = F[3 * a + b] + p.dt * (C[3 * a] * F[b] + C[3 * a + 1] * F[3 + b] + C[3 * a + 2] * F[6 + b]);
    }
    const float det = now[0] * (now[4] * now[8] - now[5] * now[7]) - now[1] * (now[3] * now[8] - now[5] * now[6]) +
                      now[2] * (now[3] * now[7] - now[4] * now[6]);
    const float pressure = p.lam * det * (det - 1);
    float stress[9] = {pressure, 0, 0, 0, pressure, 0, 0, 0, pressure};
    if (p.shear[i] == 0) {
      const float side = std::pow(std::max(det, 0.01f), 1.0f / 3.0f);
      for (int k = 0; k < 9; ++k) now[k] = k % 4 == 0 ? side : 0;
    } else {
      for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
          const float product =
              now[3 * a] * now[3 * b] + now[3 * a + 1] * now[3 * b + 1] + now[3 * a + 2] * now[3 * b + 2];
          stress[3 * a + b] += p.shear[i] * (product - (a == b ? 1.0f : 0.0f));
        }
      }
    }
    const float scale = p.dt * p.volume * 4 * inv_dx * inv_dx;
    float affine[9], momentum[3];
    for (int k = 0; k < 9; ++k) {
      F[k] = now[k];
      affine[k] = p.mass * C[k] - scale * stress[k];
    }
    for (int d = 0; d < 3; ++d) momentum[d] = p.mass * p.v[3 * i + d];
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        for (int c = 0; c < 3; ++c) {
          const float dpos[3] = {(static_cast<float>(a) - fx[0]) * dx, (static_cast<float>(b) - fx[1]) * dx,
                                 (static_cast<float>(c) - fx[2]) * dx};
          const float weight = w.w[a][0] * w.w[b][1] * w.w[c][2];
          const int node = ((base[0] + a) * n + base[1] + b) * n + base[2] + c;
          for (int d = 0; d < 3; ++d) {
            const float add = weight * (momentum[d] + affine[3 * d] * dpos[0] + affine[3 * d + 1] * dpos[1] +
                                        affine[3 * d + 2] * dpos[2]);
#pragma omp atomic
            p.grid_v[3 * node + d] += add;
          }
#pragma omp atomic
          p.grid_m[node] += weight * p.mass;
        }
      }
    }
  }
}

void update_grid(const Particles& p) {
  const int n = p.grid;
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) {
        const int node = (i * n + j) * n + k;
        const float m = p.grid_m[node];
        if (m <= 0) continue;
        float* v = p.grid_v + 3 * node;
        for (int d = 0; d < 3; ++d) v[d] /= m;
        v[1] += p.dt * p.gravity;
        const int at[3] = {i, j, k};
        for (int d = 0; d < 3; ++d) {
          if ((at[d] < kBound && v[d] < 0) || (at[d] > n - kBound && v[d] > 0)) v[d] = 0;
        }
      }
    }
  }
}

void grid_to_particles(const Particles& p) {
  const float inv_dx = static_cast<float>(p.grid);
  const int n = p.grid;
#pragma omp parallel for
  for (int i = 0; i < p.count; ++i) {
    int base[3];
    float fx[3];
    for (int d = 0; d < 3; ++d) {
      base[d] = static_cast<int>(p.x[3 * i + d] * inv_dx - 0.5f);
      fx[d] = p.x[3 * i + d] * inv_dx - static_cast<float>(base[d]);
    }
    const Weights w = weights(fx);
    float v[3] = {}, C[9] = {};
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        for (int c = 0; c < 3; ++c) {
          const float offset[3] = {static_cast<float>(a) - fx[0], static_cast<float>(b) - fx[1],
                                   static_cast<float>(c) - fx[2]};
          const float weight = w.w[a][0] * w.w[b][1] * w.w[c][2];
          const float* node = p.grid_v + 3 * (((base[0] + a) * n + base[1] + b) * n + base[2] + c);
          for (int d = 0; d < 3; ++d) {
            v[d] += weight * node[d];
            for (int e = 0; e < 3; ++e) C[3 * d + e] += 4 * inv_dx * weight * node[d] * offset[e];
          }
        }
      }
    }
    for (int d = 0; d < 3; ++d) {
      p.v[3 * i + d] = v[d];
      p.x[3 * i + d] += p.dt * v[d];
    }
    for (int k = 0; k < 9; ++k) p.C[9 * i + k] = C[k];
  }
}

}  // namespace

void mpm(const Particles& p) {
  const int nodes = p.grid * p.grid * p.grid;
#pragma omp parallel for
  for (int i = 0; i < nodes; ++i) {
    for (int d = 0; d < 3; ++d) p.grid_v[3 * i + d] = 0;
    p.grid_m[i] = 0;
  }
  particles_to_grid(p);
  update_grid(p);
  grid_to_particles(p);
}

void nbody_vectors(const float* x, float* a, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    float ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
    for (int j = 0; j < n; ++j) {
      const float dx = x[3 * j] - x[3 * i], dy = x[3 * j + 1] - x[3 * i + 1], dz = x[3 * j + 2] - x[3 * i + 2];
      const float r2 = dx * dx + dy * dy + dz * dz + 1e-6f;
      const float scale = 1.0f / (r2 * std::sqrt(r2));
      ax += dx * scale;
      ay += dy * scale;
      az += dz * scale;
    }
    a[3 * i] = ax;
    a[3 * i + 1] = ay;
    a[3 * i + 2] = az;
  }
}

void cholesky(const float* a, float* out, int count) {
#pragma omp parallel for
  for (int b = 0; b < count; ++b) {
    float m[16][16];
    for (int i = 0; i < 16; ++i) {
      for (int j = 0; j < 16; ++j) m[i][j] = a[256 * b + 16 * i + j];
    }
    for (int j = 0; j < 16; ++j) {
      for (int k = 0; k < j; ++k) m[j][j] -= m[j][k] * m[j][k];
      m[j][j] = std::sqrt(m[j][j]);
      const float inverse = 1.0f / m[j][j];
      for (int i = j + 1; i < 16; ++i) {
        for (int k = 0; k < j; ++k) m[i][j] -= m[i][k] * m[j][k];
        m[i][j] *= inverse;
      }
    }
    for (int i = 0; i < 16; ++i) {
      for (int j = 0; j < 16; ++j) out[256 * b + 16 * i + j] = j > i ? 0 : m[i][j];
    }
  }
}

void polar(const float* a, float* out, int count) {
#pragma omp parallel for
  for (int b = 0; b < count; ++b) {
    float r[9];
    for (int k = 0; k < 9; ++k) r[k] = a[9 * b + k];
    for (int step = 0; step < 5; ++step) {
      // The inverse transposed is the matrix of cofactors over the determinant.
      const float c[9] = {r[4] * r[8] - r[5] * r[7], r[5] * r[6] - r[3] * r[8], r[3] * r[7] - r[4] * r[6],
                          r[2] * r[7] - r[1] * r[8], r[0] * r[8] - r[2] * r[6], r[1] * r[6] - r[0] * r[7],
                          r[1] * r[5] - r[2] * r[4], r[2] * r[3] - r[0] * r[5], r[0] * r[4] - r[1] * r[3]};
      const float scale = 1.0f / (r[0] * c[0] + r[1] * c[1] + r[2] * c[2]);
      for (int k = 0; k < 9; ++k) r[k] = 0.5f * (r[k] + c[k] * scale);
    }
    for (int k = 0; k < 9; ++k) out[9 * b + k] = r[k];
  }
}

}  // namespace reference
