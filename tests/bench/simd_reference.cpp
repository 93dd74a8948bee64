// Programs of peer_programs.txt, written by hand with std::experimental::simd and OpenMP: the reference of
// vector_speed.py. Compiled with -O3 -march=native -ffast-math -fopenmp.
//
// Components of vectors are arrays of their own here, which suits vectors of the processor best. `NAME(threads)` does
// what step() of the program does; `NAME_sum()` adds up the squares of
// its results.
#include <cmath>
#include <experimental/simd>
#include <utility>
#include <vector>

namespace {

namespace stdx = std::experimental;

using Floats = stdx::native_simd<float>;
using Mask = Floats::mask_type;

constexpr int kLanes = static_cast<int>(Floats::size());

/// The numbers first, first + 1, ...
Floats counted_from(int first) {
  return Floats([first](int lane) { return static_cast<float>(first + lane); });
}

Floats load(const float* from) { return Floats(from, stdx::element_aligned); }
void store(const Floats& numbers, float* to) { numbers.copy_to(to, stdx::element_aligned); }

struct Floats3 {
  Floats x, y, z;
};

Floats3 operator+(const Floats3& a, const Floats3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Floats3 operator-(const Floats3& a, const Floats3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Floats3 operator*(const Floats3& a, const Floats& b) { return {a.x * b, a.y * b, a.z * b}; }
Floats dot(const Floats3& a, const Floats3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/// An array of vectors of three numbers.
struct Array3 {
  explicit Array3(size_t length) : x(length), y(length), z(length) {}
  Floats3 load(int at) const { return {::load(&x[at]), ::load(&y[at]), ::load(&z[at])}; }
  void store(const Floats3& vectors, int at) {
    ::store(vectors.x, &x[at]);
    ::store(vectors.y, &y[at]);
    ::store(vectors.z, &z[at]);
  }
  double sum_of_squares() const {
    double total = 0;
    for (const std::vector<float>* component : {&x, &y, &z}) {
      for (float number : *component) total += static_cast<double>(number) * number;
    }
    return total;
  }
  std::vector<float> x, y, z;
};

}  // namespace

// --- fractal ---

namespace {

constexpr int kFractal = 320;
std::vector<float> fractal_pixels(2 * kFractal * kFractal);

}  // namespace

extern "C" void fractal(int threads) {
  const float imaginary = std::cos(0.5f) * 0.2f;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 8)
  for (int i = 0; i < 2 * kFractal; ++i) {
    for (int j = 0; j < kFractal; j += kLanes) {
      Floats x = 2.0f * (static_cast<float>(i) / kFractal - 1.0f);
      Floats y = 2.0f * (counted_from(j) / kFractal - 0.5f);
      Floats iterations = 0.0f;
      for (int turn = 0; turn < 50; ++turn) {
        const Mask active = x * x + y * y < 400.0f;
        if (stdx::none_of(active)) break;
        const Floats next = x * x - y * y - 0.8f;
        stdx::where(active, y) = 2.0f * x * y + imaginary;
        stdx::where(active, x) = next;
        stdx::where(active, iterations) = iterations + 1.0f;
      }
      store(1.0f - iterations * 0.02f, &fractal_pixels[i * kFractal + j]);
    }
  }
}

extern "C" double fractal_sum() {
  double total = 0;
  for (float pixel : fractal_pixels) total += static_cast<double>(pixel) * pixel;
  return total;
}

// --- sphere tracing ---

namespace {

constexpr int kImage = 320;
Array3 traced{kImage * kImage};

}  // namespace

extern "C" void sphere_tracing(int threads) {
#pragma omp parallel for num_threads(threads) schedule(dynamic, 8)
  for (int i = 0; i < kImage; ++i) {
    for (int j = 0; j < kImage; j += kLanes) {
      Floats3 d{(i - kImage / 2.0f) / kImage, (counted_from(j) - kImage / 2.0f) / kImage, 1.0f};
      d = d * (1.0f / stdx::sqrt(dot(d, d)));
      const Floats3 o{2.1f, 2.0f, 0.0f};
      Floats depth = 0.0f, hit = 0.0f;
      for (int k = 0; k < 64; ++k) {
        const Mask active = hit == 0.0f;
        if (stdx::none_of(active)) break;
        const Floats3 p = o + d * depth;
        const Floats3 cell{stdx::floor(p.x * 0.25f + 0.5f), stdx::floor(p.y * 0.25f + 0.5f),
                           stdx::floor(p.z * 0.25f + 0.5f)};
        const Floats3 q = p - cell * 4.0f;
        const Floats distance = stdx::sqrt(dot(q, q)) - 1.0f;
        stdx::where(active, depth) = depth + distance;
        stdx::where(active && distance < 1e-3f, hit) = static_cast<float>(k + 1);
      }
      traced.store({hit / 64.0f, depth / 64.0f, 1.0f / (1.0f + depth)}, i * kImage + j);
    }
  }
}

extern "C" double sphere_tracing_sum() { return traced.sum_of_squares(); }

// --- n-body ---

namespace {

constexpr int kBodies = 1024;
Array3 body_positions(kBodies), body_velocities(kBodies);

}  // namespace

extern "C" void n_body_start() {
  for (int i = 0; i < kBodies; ++i) {
    const float at = static_cast<float>(i);
    body_positions.x[i] = std::sin(at * 0.37f);
    body_positions.y[i] = std::cos(at * 0.73f);
    body_positions.z[i] = std::sin(at * 1.31f);
  }
  body_velocities = Array3(kBodies);
}

extern "C" void n_body(int threads) {
#pragma omp parallel for num_threads(threads)
  for (int i = 0; i < kBodies; i += kLanes) {
    const Floats3 here = body_positions.load(i);
    Floats3 force{0.0f, 0.0f, 0.0f};
    for (int j = 0; j < kBodies; ++j) {
      const Floats3 there{body_positions.x[j], body_positions.y[j], body_positions.z[j]};
      const Floats3 d = there - here;
      const Floats r2 = dot(d, d) + 1e-4f;
      force = force + d * (1.0f / (r2 * stdx::sqrt(r2)));
    }
    body_velocities.store(body_velocities.load(i) + force * 1e-3f, i);
  }
#pragma omp parallel for num_threads(threads)
  for (int i = 0; i < kBodies; i += kLanes)
    body_positions.store(body_positions.load(i) + body_velocities.load(i) * 1e-3f, i);
}

extern "C" double n_body_sum() { return body_positions.sum_of_squares(); }

// --- mass-spring cloth ---

namespace {

constexpr int kCloth = 128;
Array3 cloth_positions{kCloth * kCloth}, cloth_velocities{kCloth * kCloth};

/// The force of the springs to the points (di, dj) further, on the lanes of a mask.
void add_springs(Floats3& force, const Floats3& x, const Floats3& v, int i, int j, int di, int dj, const Mask& active) {
  const int other = (i + di) * kCloth + j + dj;
  const auto masked = [&](const std::vector<float>& from) {
    Floats numbers = 1.0f;
    stdx::where(active, numbers).copy_from(from.data() + other, stdx::element_aligned);
    return numbers;
  };
  const Floats3 d = x - Floats3{masked(cloth_positions.x), masked(cloth_positions.y), masked(cloth_positions.z)};
  const Floats3 u = v - Floats3{masked(cloth_velocities.x), masked(cloth_velocities.y), masked(cloth_velocities.z)};
  const Floats length = stdx::sqrt(dot(d, d));
  const Floats3 direction = d * (1.0f / length);
  const float rest = std::sqrt(static_cast<float>(di * di + dj * dj)) / kCloth;
  Floats along = -3e4f * (length * (1.0f / rest) - 1.0f) - dot(u, direction) * (1e4f / kCloth);
  stdx::where(!active, along) = 0.0f;
  force = force + direction * along;
}

}  // namespace

extern "C" void mass_spring_cloth_start() {
  for (int i = 0; i < kCloth; ++i) {
    for (int j = 0; j < kCloth; ++j) {
      cloth_positions.x[i * kCloth + j] = static_cast<float>(i) / kCloth - 0.5f;
      cloth_positions.y[i * kCloth + j] = 0.6f;
      cloth_positions.z[i * kCloth + j] = static_cast<float>(j) / kCloth - 0.5f;
    }
  }
  cloth_velocities = Array3(kCloth * kCloth);
}

extern "C" void mass_spring_cloth(int threads) {
  constexpr float kStep = 1e-5f;
#pragma omp parallel num_threads(threads)
  {
#pragma omp for
    for (int at = 0; at < kCloth * kCloth; at += kLanes)
      store(load(&cloth_velocities.y[at]) - 9.8f * kStep, &cloth_velocities.y[at]);
    // As in the program, velocities of other points may or may not have been changed.
#pragma omp for
    for (int i = 0; i < kCloth; ++i) {
      for (int j = 0; j < kCloth; j += kLanes) {
        const Floats3 x = cloth_positions.load(i * kCloth + j), v = cloth_velocities.load(i * kCloth + j);
        Floats3 force{0.0f, 0.0f, 0.0f};
        for (int di = -2; di <= 2; ++di) {
          if (i + di < 0 || i + di >= kCloth) continue;
          const int most = 2 - std::abs(di);
          for (int dj = -most; dj <= most; ++dj) {
            const Floats column = counted_from(j + dj);
            if (di != 0 || dj != 0) add_springs(force, x, v, i, j, di, dj, column >= 0.0f && column < kCloth);
          }
        }
        cloth_velocities.store(v + force * kStep, i * kCloth + j);
      }
    }
#pragma omp for
    for (int at = 0; at < kCloth * kCloth; at += kLanes) {
      const Floats3 r = cloth_positions.load(at);
      Floats3 v = cloth_velocities.load(at) * std::exp(-kStep);
      const Floats squared = dot(r, r);
      const Mask inside = squared <= 0.3f * 0.3f;
      if (stdx::any_of(inside)) {
        const Floats3 normal = r * (1.0f / stdx::sqrt(squared));
        Floats back = stdx::min(dot(v, normal), Floats(0.0f));
        stdx::where(!inside, back) = 0.0f;
        v = v - normal * back;
      }
      cloth_velocities.store(v, at);
      cloth_positions.store(r + v * kStep, at);
    }
  }
}

extern "C" double mass_spring_cloth_sum() { return cloth_positions.sum_of_squares(); }
