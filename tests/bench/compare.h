// Times two sides of a comparison in turn, so that both see the same machine.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace bench {

using Action = std::function<void()>;

inline constexpr int kRounds = 11;
inline constexpr double kRoundSeconds = 0.05;  // a side runs at least this long in each round

inline double seconds(const Action& action, int repetitions) {
  auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < repetitions; ++i) action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / repetitions;
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Runs both sides in turn and prints how much faster `ours` is: above 1 it wins.
inline void compare(const std::string& name, const Action& ours, const Action& other, double wanted) {
  ours();
  other();
  int repetitions = std::max(1, static_cast<int>(kRoundSeconds / std::max(1e-7, seconds(other, 1))));
  std::vector<double> ratios, times;
  for (int round = 0; round < kRounds; ++round) {
    double a = 0, b = 0;
    // Alternating order: the second of the two finds the caches as the first has left them.
    if (round % 2 == 0) a = seconds(ours, repetitions);
    b = seconds(other, repetitions);
    if (round % 2 == 1) a = seconds(ours, repetitions);
    ratios.push_back(b / a);
    times.push_back(a);
  }
  std::printf("%-34s %10.3f ms   ratio %5.2f   (wanted >= %.2f)\n", name.c_str(), median(times) * 1e3, median(ratios),
              wanted);
  std::fflush(stdout);
}

}  // namespace bench
