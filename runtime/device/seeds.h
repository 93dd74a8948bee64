// Seeds of random numbers: many, made from one.
#pragma once

#include <cstdint>

namespace qd::device {

/// The next seed, by SplitMix64 of Steele, Lea and Flood, https://prng.di.unimi.it/splitmix64.c
inline uint64_t next_seed(uint64_t& state) {
  uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace qd::device
