// Multi-literal search: looks for several short texts at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace qd::report {

/// Finds any of some literals in a text, 16 places at a time. Immutable.
class LiteralScan {
 public:
  /// Takes literals that are not empty.
  explicit LiteralScan(std::vector<std::string> literals);

  /// Lowest position from `from` on at which one of them stands; npos when there is none.
  size_t find(std::string_view text, size_t from) const;

 private:
  using Bytes = uint8_t __attribute__((vector_size(16)));
  /// First bytes of a literal. `alone`: all ones when it has no second one.
  struct Probe {
    Bytes first, second, alone;
  };
  bool stands_at(std::string_view text, size_t place) const;

  std::vector<std::string> literals_;
  std::vector<Probe> probes_;
};

}  // namespace qd::report
