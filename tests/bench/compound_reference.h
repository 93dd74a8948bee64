// The kernels of compound_kernels.py, and of the sample project in three dimensions, in C++.
#pragma once

namespace reference {

struct Particles {
  float* x;  // 3 a particle
  float* v;  // 3
  float* C;  // 9, row by row
  float* F;  // 9
  float* shear;
  float* grid_v;  // 3 a node
  float* grid_m;
  int count;
  int grid;  // nodes along an axis
  float dt, mass, volume, lam, gravity;
};

void mpm(const Particles& particles);
void nbody_vectors(const float* x, float* a, int n);
void cholesky(const float* a, float* out, int count);
void polar(const float* a, float* out, int count);

}  // namespace reference
