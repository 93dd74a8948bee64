#include "runtime/codegen/cpu/host_processor.h"

#include <cstdlib>
#include <functional>
#include <map>
#include <tuple>

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/TargetParser/Host.h>

namespace qd::codegen {
namespace {

bool is_left_out(llvm::StringRef feature) {
  const char* text = std::getenv("QD_WITHOUT_CPU_FEATURES");
  llvm::StringRef rest = text ? text : "";
  while (!rest.empty()) {
    llvm::StringRef word;
    std::tie(word, rest) = rest.split(',');
    if (!word.empty() && feature.starts_with(word)) return true;
  }
  return false;
}

/// In the order of their names. LLVM asks the processor each time, which takes long in a virtual machine.
const std::map<std::string, bool, std::less<>>& features() {
  static const auto found = [] {
    std::map<std::string, bool, std::less<>> all;
    for (const auto& [feature, present] : llvm::sys::getHostCPUFeatures())
      all.emplace(feature.str(), present && !is_left_out(feature));
    return all;
  }();
  return found;
}

}  // namespace

const std::string& host_name() {
  static const std::string name = llvm::sys::getHostCPUName().str();
  return name;
}

bool host_has(std::string_view feature) {
  const auto found = features().find(feature);
  return found != features().end() && found->second;
}

const std::string& host_features() {
  static const std::string text = [] {
    std::string list;
    for (const auto& [feature, present] : features()) {
      if (!list.empty()) list += ',';
      list += present ? '+' : '-';
      list += feature;
    }
    return list;
  }();
  return text;
}

}  // namespace qd::codegen
