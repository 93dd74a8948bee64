// Literal scan: compares the first two bytes of every literal with 16 places of the text at once.
#include "report/analysis/source/literal_scan.h"

#include <algorithm>
#include <cstring>

namespace qd::report {

LiteralScan::LiteralScan(std::vector<std::string> literals) : literals_(std::move(literals)) {
  auto everywhere = [](int byte) { return Bytes{} + static_cast<uint8_t>(byte); };
  for (const std::string& literal : literals_) {
    bool alone = literal.size() == 1;
    probes_.push_back({everywhere(literal[0]), everywhere(alone ? 0 : literal[1]), everywhere(alone ? 0xff : 0)});
  }
}

bool LiteralScan::stands_at(std::string_view text, size_t place) const {
  return std::any_of(literals_.begin(), literals_.end(),
                     [&](const std::string& literal) { return text.compare(place, literal.size(), literal) == 0; });
}

size_t LiteralScan::find(std::string_view text, size_t from) const {
  constexpr size_t kWidth = sizeof(Bytes);
  size_t place = from;
  for (; place + kWidth < text.size(); place += kWidth) {
    Bytes first, second, found = {};
    std::memcpy(&first, text.data() + place, kWidth);
    std::memcpy(&second, text.data() + place + 1, kWidth);
    for (const Probe& probe : probes_)
      found |= reinterpret_cast<Bytes>(first == probe.first) &
               (reinterpret_cast<Bytes>(second == probe.second) | probe.alone);
    uint64_t halves[2];
    std::memcpy(halves, &found, kWidth);
    if ((halves[0] | halves[1]) == 0) continue;
    for (size_t i = 0; i < kWidth; ++i)
      if (found[i] != 0 && stands_at(text, place + i)) return place + i;
  }
  for (; place < text.size(); ++place)
    if (stands_at(text, place)) return place;
  return std::string_view::npos;
}

}  // namespace qd::report
