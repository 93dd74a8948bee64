// Map from line numbers to values, in one piece of memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace qd::report {

/// A std::map<int32_t, T> with the few functions that are needed. Lines should be added in their order; adding a line
/// before others takes time in proportion to these.
template <typename T>
class LineMap {
 public:
  using value_type = std::pair<int32_t, T>;
  using iterator = typename std::vector<value_type>::iterator;
  using const_iterator = typename std::vector<value_type>::const_iterator;

  iterator begin() { return items_.begin(); }
  iterator end() { return items_.end(); }
  const_iterator begin() const { return items_.begin(); }
  const_iterator end() const { return items_.end(); }
  bool empty() const { return items_.empty(); }
  size_t size() const { return items_.size(); }

  iterator find(int32_t line) {
    iterator place = lower_bound(line);
    return place != end() && place->first == line ? place : end();
  }
  const_iterator find(int32_t line) const { return const_cast<LineMap*>(this)->find(line); }
  bool contains(int32_t line) const { return find(line) != end(); }
  T& operator[](int32_t line) {
    if (items_.empty() || items_.back().first < line) return items_.emplace_back(line, T{}).second;
    iterator place = lower_bound(line);
    if (place->first != line) place = items_.emplace(place, line, T{});
    return place->second;
  }
  void insert(const value_type& item) {
    if (!contains(item.first)) (*this)[item.first] = item.second;
  }
  template <typename Unwanted>
  void erase_if(const Unwanted& unwanted) {
    std::erase_if(items_, unwanted);
  }
  bool operator==(const LineMap&) const = default;

 private:
  iterator lower_bound(int32_t line) {
    return std::lower_bound(begin(), end(), line, [](const value_type& item, int32_t key) { return item.first < key; });
  }

  std::vector<value_type> items_;
};

}  // namespace qd::report
