#include "tests/simulated_driver/driver/failures.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace qd::simulated {

struct Failure {
  Result result;
  uint64_t first, last;  // calls, counted from 1
};

class Function {
 public:
  uint64_t calls = 0;         // since the start
  uint64_t counted_from = 0;  // the call before the first one that failures count
  std::vector<Failure> failures;
};

namespace {

std::mutex mutex;

std::map<std::string, Function, std::less<>>& functions() {
  static auto& all = *new std::map<std::string, Function, std::less<>>;
  return all;
}

std::string_view without_version(std::string_view name) {
  for (std::string_view version : {"_v2", "R0600"}) {
    if (name.ends_with(version)) name.remove_suffix(version.size());
  }
  return name;
}

Function& locked_function(std::string_view name) { return functions()[std::string(without_version(name))]; }

/// Takes a number from the front of a text.
std::optional<uint64_t> take_number(std::string_view& text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return value;
}

/// One of a specification's failures: "name=result", "name=result@call", "name=result@call+".
bool add_failure(std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos) return false;
  Function& function = locked_function(text.substr(0, equals));
  text.remove_prefix(equals + 1);
  const auto result = take_number(text);
  if (!result) return false;
  Failure failure{static_cast<Result>(*result), 1, UINT64_MAX};
  if (text.starts_with('@')) {
    text.remove_prefix(1);
    const auto call = take_number(text);
    if (!call || *call == 0) return false;
    failure.first = *call;
    if (text != "+") failure.last = *call;
    if (text == "+") text = {};
  }
  function.failures.push_back(failure);
  return text.empty();
}

bool set_locked(std::string_view specification) {
  for (auto& [name, function] : functions()) function.failures.clear(), function.counted_from = function.calls;
  bool right = true;
  while (right && !specification.empty()) {
    const size_t comma = std::min(specification.find(','), specification.size());
    right = add_failure(specification.substr(0, comma));
    specification.remove_prefix(std::min(comma + 1, specification.size()));
  }
  if (!right) {
    for (auto& [name, function] : functions()) function.failures.clear();
  }
  return right;
}

void set_from_environment() {
  const char* text = std::getenv("QD_SIMULATED_FAIL");
  if (text && !set_locked(text)) fmt::print(stderr, "QD_SIMULATED_FAIL is wrong: {}\n", text);
}

void read_environment_once() { [[maybe_unused]] static const bool read = (set_from_environment(), true); }

}  // namespace

Function& function_named(std::string_view name) {
  const std::lock_guard lock(mutex);
  read_environment_once();
  return locked_function(name);
}

Result begin_call(Function& function) {
  const std::lock_guard lock(mutex);
  const uint64_t call = ++function.calls - function.counted_from;
  for (const Failure& failure : function.failures) {
    if (failure.first <= call && call <= failure.last) return failure.result;
  }
  return Result::Success;
}

bool set_failures(std::string_view specification) {
  const std::lock_guard lock(mutex);
  read_environment_once();
  return set_locked(specification);
}

uint64_t calls_of(std::string_view name) {
  const std::lock_guard lock(mutex);
  return locked_function(name).calls;
}

void reset_calls() {
  const std::lock_guard lock(mutex);
  for (auto& [name, function] : functions()) function = {};
  set_from_environment();
}

}  // namespace qd::simulated
