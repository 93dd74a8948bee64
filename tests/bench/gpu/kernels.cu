// Reference kernels for gpu_speed.cpp: the same computations as in ../kernels.py, as one writes them in CUDA.

namespace {
constexpr int kTile = 16;
}

extern "C" {

__global__ void saxpy(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void stencil(int n, const float* __restrict__ x, float* __restrict__ y) {
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) + 1;
  const int i = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y) + 1;
  if (i >= n - 1 || j >= n - 1) return;
  const int k = i * n + j;
  y[k] = 0.5f * x[k] + 0.125f * (x[k - n] + x[k + n] + x[k - 1] + x[k + 1]);
}

// The sum of all numbers, which `out` holds as 0 before.
__global__ void reduction(int n, const float* __restrict__ x, float* out) {
  __shared__ float parts[32];
  float sum = 0;
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n;
       i += static_cast<int>(gridDim.x * blockDim.x))
    sum += x[i];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : 0;
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

__global__ void clear(float* out) { *out = 0; }

__global__ void histogram(int n, const float* __restrict__ x, int* bins) {
  __shared__ int own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n;
       i += static_cast<int>(gridDim.x * blockDim.x))
    atomicAdd(&own[static_cast<int>(x[i] * 256)], 1);
  __syncthreads();
  if (own[threadIdx.x] != 0) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

__global__ void nbody(int n, const float* __restrict__ x, const float* __restrict__ y, const float* __restrict__ z,
                      float* ax, float* ay, float* az) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  float sx = 0, sy = 0, sz = 0;
  for (int j = 0; j < n; ++j) {
    const float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
    const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), strength = inverse * inverse * inverse;
    sx += dx * strength;
    sy += dy * strength;
    sz += dz * strength;
  }
  ax[i] = sx;
  ay[i] = sy;
  az[i] = sz;
}

__global__ void matrix_product(int n, const float* __restrict__ a, const float* __restrict__ b, float* c) {
  __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int row = static_cast<int>(blockIdx.y * kTile + threadIdx.y);
  const int column = static_cast<int>(blockIdx.x * kTile + threadIdx.x);
  float sum = 0;
  for (int k = 0; k < n; k += kTile) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
#pragma unroll
    for (int m = 0; m < kTile; ++m) sum += tile_a[threadIdx.y][m] * tile_b[m][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void nothing() {}
}
