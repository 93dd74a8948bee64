// Sorting and cleaning of names, as coverage.py does both.
#include "report/formats/human_order.h"

#include <algorithm>
#include <vector>

#include "report/analysis/python_regex.h"

namespace qd::report {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A name in pieces: text, number, text, number, ..., text. Numbers are without leading zeros.
std::vector<std::string_view> pieces_of(std::string_view name) {
  std::vector<std::string_view> pieces;
  size_t start = 0;
  for (bool digits = false; start < name.size() || !digits; digits = !digits) {
    size_t end = start;
    while (end < name.size() && is_digit(name[end]) == digits) ++end;
    std::string_view piece = name.substr(start, end - start);
    if (digits) piece.remove_prefix(std::min(piece.find_first_not_of('0'), piece.size()));
    pieces.push_back(piece);
    start = end;
  }
  return pieces;
}

}  // namespace

bool human_less(std::string_view a, std::string_view b) {
  std::vector<std::string_view> left = pieces_of(a), right = pieces_of(b);
  for (size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
    bool number = i % 2 == 1;
    if (number && left[i].size() != right[i].size()) return left[i].size() < right[i].size();
    if (left[i] != right[i]) return left[i] < right[i];
  }
  if (left.size() != right.size()) return left.size() < right.size();
  return a < b;
}

std::string printable(const std::string& name) {
  if (std::all_of(name.begin(), name.end(), [](char c) { return c >= ' ' && c <= '~'; })) return name;
  static const PythonRegex kUnprintable(R"((?![ ])[\p{C}\p{Z}])");
  std::string result;
  size_t position = 0;
  kUnprintable.find_all(name, [&](size_t start, size_t end) {
    result += name.substr(position, start - position) + "?";
    position = end;
  });
  return result + name.substr(position);
}

}  // namespace qd::report
