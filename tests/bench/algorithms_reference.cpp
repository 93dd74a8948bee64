// Reference implementations for algorithms_speed.py: the algorithms of qd.algorithms with OpenMP by hand, and the C++
// standard library's parallel algorithms where oneTBB is installed.
#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <parallel/algorithm>
#include <vector>

#if __has_include(<tbb/global_control.h>)
#include <execution>

#include <tbb/global_control.h>
#define QD_STANDARD 1
#else
#define QD_STANDARD 0
#endif

namespace {

/// The part of [0, n) that a thread of a parallel region has.
struct Part {
  explicit Part(int64_t n)
      : begin(n * omp_get_thread_num() / omp_get_num_threads()),
        end(n * (omp_get_thread_num() + 1) / omp_get_num_threads()) {}
  int64_t begin, end;
};

template <class T>
T sum(const T* x, int64_t n) {
  T total = 0;
#pragma omp parallel for simd reduction(+ : total)
  for (int64_t i = 0; i < n; ++i) total += x[i];
  return total;
}

template <class T>
T least(const T* x, int64_t n) {
  T result = x[0];
#pragma omp parallel for simd reduction(min : result)
  for (int64_t i = 0; i < n; ++i) result = x[i] < result ? x[i] : result;
  return result;
}

template <class T>
void scan(const T* x, T* out, int64_t n) {
  std::vector<T> before(static_cast<size_t>(omp_get_max_threads()) + 1);
#pragma omp parallel
  {
    const Part part(n);
    T total = 0;
#pragma omp simd reduction(+ : total)
    for (int64_t i = part.begin; i < part.end; ++i) total += x[i];
    before[static_cast<size_t>(omp_get_thread_num()) + 1] = total;
#pragma omp barrier
#pragma omp single
    std::partial_sum(before.begin(), before.end(), before.begin());
    T value = before[static_cast<size_t>(omp_get_thread_num())];
    for (int64_t i = part.begin; i < part.end; ++i) {
      const T element = x[i];
      out[i] = value;
      value += element;
    }
  }
}

template <class T>
int64_t select(const T* x, const int32_t* flags, T* out, int64_t n) {
  std::vector<int64_t> before(static_cast<size_t>(omp_get_max_threads()) + 1);
#pragma omp parallel
  {
    const Part part(n);
    int64_t count = 0;
    for (int64_t i = part.begin; i < part.end; ++i) count += flags[i] != 0;
    before[static_cast<size_t>(omp_get_thread_num()) + 1] = count;
#pragma omp barrier
#pragma omp single
    std::partial_sum(before.begin(), before.end(), before.begin());
    int64_t to = before[static_cast<size_t>(omp_get_thread_num())];
    for (int64_t i = part.begin; i < part.end; ++i) {
      if (flags[i]) out[to++] = x[i];
    }
  }
  return before.back();
}

/// Each thread sums up the runs that begin in its part.
template <class T>
int64_t sums_by_key(const int32_t* keys, const T* values, int32_t* keys_out, T* values_out, int64_t n) {
  std::vector<int64_t> before(static_cast<size_t>(omp_get_max_threads()) + 1);
#pragma omp parallel
  {
    const Part part(n);
    int64_t count = 0;
    for (int64_t i = part.begin; i < part.end; ++i) count += i == 0 || keys[i] != keys[i - 1];
    before[static_cast<size_t>(omp_get_thread_num()) + 1] = count;
#pragma omp barrier
#pragma omp single
    std::partial_sum(before.begin(), before.end(), before.begin());
    int64_t run = before[static_cast<size_t>(omp_get_thread_num())];
    int64_t i = part.begin;
    while (i > 0 && i < part.end && keys[i] == keys[i - 1]) ++i;
    while (i < part.end) {
      T total = values[i];
      const int32_t key = keys[i];
      for (++i; i < n && keys[i] == key; ++i) total += values[i];
      keys_out[run] = key;
      values_out[run++] = total;
    }
  }
  return before.back();
}

}  // namespace

extern "C" {

void use_threads(int threads) {
  omp_set_num_threads(threads);
#if QD_STANDARD
  static tbb::global_control control(tbb::global_control::max_allowed_parallelism, static_cast<size_t>(threads));
#endif
}
int has_standard() { return QD_STANDARD; }

#define QD_TYPE(name, T)                                                                          \
  void openmp_sum_##name(const T* x, T* out, int64_t n) { *out = sum(x, n); }                     \
  void openmp_least_##name(const T* x, T* out, int64_t n) { *out = least(x, n); }                 \
  void openmp_scan_##name(const T* x, T* out, int64_t n) { scan(x, out, n); }                     \
  void openmp_sort_##name(T* x, int64_t n) { __gnu_parallel::sort(x, x + n); }                    \
  int64_t openmp_select_##name(const T* x, const int32_t* flags, T* out, int64_t n) {             \
    return select(x, flags, out, n);                                                              \
  }                                                                                               \
  int64_t openmp_by_key_##name(const int32_t* keys, const T* x, int32_t* to, T* out, int64_t n) { \
    return sums_by_key(keys, x, to, out, n);                                                      \
  }
QD_TYPE(i32, int32_t)
QD_TYPE(f32, float)
QD_TYPE(f64, double)
#undef QD_TYPE

#if QD_STANDARD
#define QD_TYPE(name, T)                                                                                               \
  void standard_sum_##name(const T* x, T* out, int64_t n) { *out = std::reduce(std::execution::par_unseq, x, x + n); } \
  void standard_least_##name(const T* x, T* out, int64_t n) {                                                          \
    *out = *std::min_element(std::execution::par_unseq, x, x + n);                                                     \
  }                                                                                                                    \
  void standard_scan_##name(const T* x, T* out, int64_t n) {                                                           \
    std::exclusive_scan(std::execution::par_unseq, x, x + n, out, T(0));                                               \
  }                                                                                                                    \
  void standard_sort_##name(T* x, int64_t n) { std::sort(std::execution::par_unseq, x, x + n); }
QD_TYPE(i32, int32_t)
QD_TYPE(f32, float)
QD_TYPE(f64, double)
#undef QD_TYPE
#endif
}
