// Reported sources. A path of Windows is elsewhere by its form, any other path if it is not in the working tree.
#include "report/diff/reported_sources.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string_view>

#include "report/analysis/analysis.h"
#include "report/data/ascii.h"

namespace qd::report {

namespace {

namespace fs = std::filesystem;

// Suffixes of code in lower case: of C and its like, which are one language for reports; of other languages with
// braces; of languages without.
constexpr auto kC = std::to_array<std::string_view>({".c",   ".cc",  ".cl",  ".cpp", ".cppm", ".cxx", ".c++", ".cu",
                                                     ".cuh", ".h",   ".hh",  ".hip", ".hpp",  ".hxx", ".h++", ".inc",
                                                     ".inl", ".ipp", ".ixx", ".m",   ".mm",   ".tpp", ".txx"});
constexpr auto kOthers = std::to_array<std::string_view>(
    {".cjs", ".cs",  ".cts", ".d",  ".dart",  ".go",  ".groovy", ".java",  ".js", ".jsx", ".kt",  ".kts",
     ".mjs", ".mts", ".php", ".rs", ".scala", ".sol", ".svelte", ".swift", ".ts", ".tsx", ".vue", ".zig"});
constexpr auto kWithoutBraces = std::to_array<std::string_view>(
    {".adb", ".ads", ".clj", ".cljs", ".cr",  ".erl", ".ex",  ".exs", ".f",  ".f03", ".f08", ".f90", ".f95",
     ".for", ".fs",  ".hs",  ".jl",   ".lua", ".ml",  ".nim", ".pas", ".pl", ".pm",  ".r",   ".rb",  ".vb"});
constexpr const char* kPython = ".py";

/// Last part of a path of any system.
std::string name_of(const std::string& path) { return path.substr(path.find_last_of("/\\") + 1); }

/// Suffix of a path in lower case, ".cpp"; empty without one.
std::string suffix_of(const std::string& path) {
  const std::string name = name_of(path);
  const size_t dot = name.rfind('.');
  return dot == std::string::npos || dot == 0 ? "" : lower_case(name.substr(dot));
}

bool is_one_of(const auto& suffixes, const std::string& suffix) {
  return std::ranges::find(suffixes, suffix) != suffixes.end();
}

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }
std::string parent_of(const std::string& folder) { return folder_of(folder.substr(0, folder.size() - 1)); }

/// Whether a name is a usual one of tests, as a folder or as a file without its suffix: "tests", "integrationTest",
/// "a_test", "test_a", "ATest", "a.spec".
bool is_test_name(const std::string& name) {
  constexpr std::array<std::string_view, 13> kEnds = {"Test",      "Tests", "TestCase", "_test", "_tests",
                                                      "_unittest", "-test", "-tests",   ".test", "_spec",
                                                      "-spec",     ".spec", "Spec"};
  constexpr std::array<std::string_view, 7> kNames = {"test",  "tests",     "testing",  "spec",
                                                      "specs", "__tests__", "__mocks__"};
  return name.starts_with("test_") || name.starts_with("test-") ||
         std::any_of(kEnds.begin(), kEnds.end(), [&](std::string_view end) { return name.ends_with(end); }) ||
         std::find(kNames.begin(), kNames.end(), lower_case(name)) != kNames.end();
}

/// Whether a name is a usual one of folders of examples, benchmarks and third-party code.
bool is_third_party_folder(const std::string& name) {
  constexpr std::array<std::string_view, 17> kNames = {
      "bench", "benches",      "benchmark",   "benchmarks",  "demo",   "demos",
      "doc",   "docs",         "example",     "examples",    "extern", "external",
      "fuzz",  "node_modules", "third-party", "third_party", "vendor"};
  return std::find(kNames.begin(), kNames.end(), lower_case(name)) != kNames.end();
}

/// Whether a file is a test, example or third-party code, by its name and folders.
bool is_test_or_third_party(const std::string& relative) {
  size_t start = 0;
  for (size_t slash = relative.find('/'); slash != std::string::npos; slash = relative.find('/', start)) {
    const std::string folder = relative.substr(start, slash - start);
    if (is_test_name(folder) || is_third_party_folder(folder)) return true;
    start = slash + 1;
  }
  const std::string name = relative.substr(start);
  return is_test_name(name.substr(0, name.rfind('.')));
}

/// Whether a path has a form of Windows: C:\a, C:/a, \\server\a
bool is_of_windows(const std::string& path) {
  const bool drive = path.size() > 2 && std::isalpha(static_cast<unsigned char>(path[0])) != 0 && path[1] == ':' &&
                     (path[2] == '\\' || path[2] == '/');
  return drive || path.starts_with("\\\\");
}

}  // namespace

std::optional<bool> is_code_name(const std::string& path) {
  const std::string suffix = suffix_of(path);
  if (suffix.empty()) return std::nullopt;
  return is_python_name(path) || has_braces(path) || is_one_of(kWithoutBraces, suffix);
}

std::string language_of(const std::string& path) {
  if (is_python_name(path)) return kPython;
  const std::string suffix = suffix_of(path);
  return is_one_of(kC, suffix) ? ".c" : suffix;
}

bool has_braces(const std::string& path) {
  const std::string suffix = suffix_of(path);
  return is_one_of(kC, suffix) || is_one_of(kOthers, suffix);
}

bool is_other_language(const std::string& path) { return !suffix_of(path).empty() && !is_python_name(path); }

ReportedSources::ReportedSources(const CoverageData& data, const std::string& root, CanonicalPaths& canonical)
    : root_(canonical(root) + "/"),
      is_empty_(data.files.empty() && data.imported.empty() && data.ambiguous.empty()),
      lacks_data_(!data.unread_inputs.empty()) {
  std::error_code error;
  auto path_here = [&](const std::string& name) {
    std::string path = is_of_windows(name) ? "" : canonical(name);
    return path.starts_with(root_) && fs::exists(path, error) ? path : "";
  };
  for (const auto& [name, file] : data.imported) {
    if (language_of(name).empty()) continue;
    if (const std::string path = path_here(name); !path.empty())
      add_here(path);
    else
      add_elsewhere(name);
  }
  for (const AmbiguousName& name : data.ambiguous)
    for (const std::string& one : name.paths)
      if (const std::string path = path_here(one); !path.empty() && !language_of(path).empty()) add_here(path);
  for (const auto& [name, file] : data.files) {
    if (path_here(name).empty())
      add_elsewhere(name);
    else
      here_.insert(language_of(name).empty() ? kPython : language_of(name));
  }
}

void ReportedSources::add_here(const std::string& path) {
  const std::string language = language_of(path);
  here_.insert(language);
  if (language == kPython) return;
  const std::string folder = folder_of(path);
  if (folders_.empty()) common_ = folder;
  while (!folder.starts_with(common_)) common_ = parent_of(common_);
  for (std::string above = folder; above.size() >= root_.size() && folders_.insert(above).second;)
    above = parent_of(above);
}

void ReportedSources::add_elsewhere(const std::string& name) {
  const std::string language = language_of(name);
  elsewhere_.emplace(language.empty() ? kPython : language, &name);
  names_[name_of(name)].push_back(&name);
}

bool ReportedSources::knows_language(const std::string& canonical) const {
  return here_.contains(language_of(canonical));
}

bool ReportedSources::is_elsewhere(const std::string& canonical) const {
  const std::string language = language_of(canonical);
  return elsewhere_.contains(language) && !here_.contains(language);
}

const std::string* ReportedSources::same_name(const std::string& canonical) const {
  auto found = names_.find(name_of(canonical));
  if (found == names_.end()) return nullptr;
  const std::string relative =
      canonical.starts_with(root_) ? canonical.substr(root_.size() - 1) : "/" + name_of(canonical);
  auto may_be = [&](const std::string* name) {
    std::string path = *name;
    std::replace(path.begin(), path.end(), '\\', '/');
    std::error_code error;
    // A file elsewhere on this machine, such as a system header, is another file.
    return path.ends_with(relative) || is_of_windows(*name) || !fs::exists(*name, error);
  };
  auto it = std::find_if(found->second.begin(), found->second.end(), may_be);
  return it == found->second.end() ? nullptr : *it;
}

bool ReportedSources::may_lack_language(const std::string& canonical) const {
  return is_empty_ || (lacks_data_ && !knows_language(canonical) && !is_elsewhere(canonical));
}

bool ReportedSources::expects(const std::string& canonical) const {
  if ((is_empty_ || lacks_data_) && is_code_name(canonical) == true) return true;
  if (is_elsewhere(canonical)) return true;
  if (is_other_language(canonical) && same_name(canonical) != nullptr) return true;
  if (!knows_language(canonical) || common_.empty()) return false;
  const size_t slash = canonical.find('/', common_.size());
  if (canonical.starts_with(common_) &&
      (common_ != root_ || slash == std::string::npos || folders_.contains(canonical.substr(0, slash + 1))))
    return true;
  return canonical.starts_with(root_) && !is_test_or_third_party(canonical.substr(root_.size()));
}

const std::string* ReportedSources::path_elsewhere(const std::string& canonical) const {
  if (const std::string* name = same_name(canonical)) return name;
  return is_elsewhere(canonical) ? elsewhere_.at(language_of(canonical)) : nullptr;
}

}  // namespace qd::report
