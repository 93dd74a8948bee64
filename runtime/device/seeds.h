// Seeds of random numbers: many, made from one.
#pragma once

#include <array>
#include <cstdint>

namespace qd::device {

inline constexpr uint64_t kSeedStep = 0x9e3779b97f4a7c15u;

/// The next seed, by SplitMix64 of Steele, Lea and Flood, https://prng.di.unimi.it/splitmix64.c
inline uint64_t next_seed(uint64_t& state) {
  uint64_t z = (state += kSeedStep);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// The state of random numbers with which an iteration of a task begins: its two words of the SplitMix64 stream of the
/// task's seed. So it draws the same numbers on any thread. Compiled code computes the same (codegen/cpu/random.cpp).
inline std::array<uint64_t, 2> random_state(uint64_t seed, int64_t iteration) {
  seed += 2 * static_cast<uint64_t>(iteration) * kSeedStep;
  const uint64_t first = next_seed(seed);
  return {first, next_seed(seed)};
}

}  // namespace qd::device
