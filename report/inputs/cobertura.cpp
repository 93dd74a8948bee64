// <coverage><sources><source>/root</source></sources>
//   <packages><package><classes><class filename="pkg/a.cpp">
//     <methods><method name="f" signature="(int)"><lines>...</lines></method></methods>
//     <lines><line number="3" hits="1" branch="true" condition-coverage="50% (1/2)"/></lines>
//
// The format has no way to say which branches were taken, only how many: of "1/2" the first counts as taken. Two such files can only be joined as far as that goes.
#include "report/inputs/cobertura.h"

#include <expat.h>
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <type_traits>

namespace qd::report {

namespace {

constexpr const char* kFormat = "Cobertura XML";
constexpr int kMaxBranches = 100000;  // of one line

class CoberturaReader {
 public:
  CoberturaReader(InputFile& input, CoverageData& data) : input_(input), data_(data), parser_(XML_ParserCreate(nullptr), XML_ParserFree) {
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(
        parser_.get(), [](void* self, const char* name, const char** attributes) { static_cast<CoberturaReader*>(self)->start(name, attributes); },
        [](void* self, const char* name) { static_cast<CoberturaReader*>(self)->end(name); });
    XML_SetCharacterDataHandler(parser_.get(), [](void* self, const char* text, int size) { static_cast<CoberturaReader*>(self)->characters({text, static_cast<size_t>(size)}); });
    XML_SetEntityDeclHandler(parser_.get(), [](void* self, const char*, int, const char*, int, const char*, const char*, const char*, const char*) {
      static_cast<CoberturaReader*>(self)->stop("it declares an entity, which no coverage report needs");
    });
  }

  void read() {
    for (;;) {
      std::string_view piece = input_.next();
      bool ok = XML_Parse(parser_.get(), piece.data(), static_cast<int>(piece.size()), piece.empty()) == XML_STATUS_OK;
      if (!reason_.empty()) input_.fail(kFormat, place_, reason_);
      if (!ok) input_.fail(kFormat, place(), XML_ErrorString(XML_GetErrorCode(parser_.get())));
      if (piece.empty()) break;
    }
    if (!seen_packages_) input_.fail(kFormat, "", "there is no <packages> in it");
  }

 private:
  std::string place() const { return fmt::format("line {}", XML_GetCurrentLineNumber(parser_.get())); }

  /// expat is C: no exception may pass through it.
  void stop(std::string reason) {
    if (!reason_.empty()) return;
    place_ = place();
    reason_ = std::move(reason);
    XML_StopParser(parser_.get(), XML_FALSE);
  }

  void start(std::string_view name, const char** attributes) {
    if (!reason_.empty()) return;
    auto attribute = [&](std::string_view wanted) -> const char* {
      for (const char** a = attributes; *a; a += 2)
        if (wanted == *a) return a[1];
      return nullptr;
    };
    if (depth_++ == 0) {
      if (name != "coverage") stop(fmt::format("its root is <{}>, not <coverage>", name));
      else if (attribute("clover")) stop("it is Clover's XML");
    } else if (name == "packages") {
      seen_packages_ = true;
    } else if (name == "source") {
      text_.clear();
      in_source_ = true;
    } else if (name == "class") {
      if (in_method_ || !file_name_.empty()) return stop("a <class> within another");
      const char* file = attribute("filename");
      if (!file || !*file) return stop("a <class> has no filename");
      file_name_ = file;
      lines_.clear();
      method_lines_.clear();
      branches_.clear();
      functions_.clear();
    } else if (name == "method") {
      if (in_method_ || file_name_.empty()) return stop("a <method> outside of a <class>");
      const char* method = attribute("name");
      const char* signature = attribute("signature");
      functions_.push_back({0, 0, std::string(method ? method : "") + (signature && *signature == '(' ? signature : ""), 0});
      in_method_ = true;
    } else if (name == "line") {
      line(attribute("number"), attribute("hits"), attribute("condition-coverage"));
    }
  }

  void end(std::string_view name) {
    if (!reason_.empty()) return;
    --depth_;
    if (name == "source") {
      in_source_ = false;
      size_t first = text_.find_first_not_of(" \t\r\n");
      if (first != std::string::npos) sources_.push_back(text_.substr(first, text_.find_last_not_of(" \t\r\n") + 1 - first));
    } else if (name == "method") {
      in_method_ = false;
      if (functions_.back().first_line == 0) functions_.pop_back();
    } else if (name == "class") {
      end_class();
    }
  }

  void characters(std::string_view text) {
    if (in_source_) text_ += text;
  }

  void line(const char* number_text, const char* hits_text, const char* conditions) {
    if (file_name_.empty()) return stop("a <line> outside of a <class>");
    std::optional<int32_t> number = whole<int32_t>(number_text);
    if (!number || *number < 0 || *number > kMaxImportedLine) return stop(fmt::format("'{}' is no line number", number_text ? number_text : ""));
    std::optional<int64_t> hits = whole<int64_t>(hits_text);
    if (!hits) return stop(fmt::format("'{}' is no number of hits", hits_text ? hits_text : ""));
    if (*number == 0) return;
    ImportedLine line{*number, static_cast<uint64_t>(std::max<int64_t>(*hits, 0))};
    if (in_method_) {
      ImportedFunction& function = functions_.back();
      if (function.first_line == 0) function.hits = line.hits;
      if (function.first_line == 0 || line.line < function.first_line) function.first_line = line.line;
      function.last_line = std::max(function.last_line, line.line);
    }
    (in_method_ ? method_lines_ : lines_).push_back(line);
    if (conditions) add_branches(line, conditions);
  }

  /// "50% (1/2)"
  void add_branches(const ImportedLine& line, const char* conditions) {
    const char* open = std::strchr(conditions, '(');
    int taken = 0, total = 0, size = 0;
    if (!open || std::sscanf(open, "(%d/%d)%n", &taken, &total, &size) != 2 || size == 0 || taken < 0 || total < taken || total > kMaxBranches)
      return stop(fmt::format("'{}' is no condition-coverage", conditions));
    for (int i = 0; i < total; ++i) {
      ImportedBranch branch{line.line, 0, i, "", std::nullopt};
      if (line.hits > 0 || i < taken) branch.taken = i < taken ? 1 : 0;
      (in_method_ ? method_branches_ : branches_).push_back(std::move(branch));
    }
  }

  /// The lines of methods are among those of their class; where they are not, they count.
  void end_class() {
    ImportedFile more;
    more.lines = std::move(lines_);
    more.branches = std::move(branches_);
    more.functions = std::move(functions_);
    more.settle();
    ImportedFile in_methods;
    in_methods.lines = std::move(method_lines_);
    in_methods.branches = std::move(method_branches_);
    std::erase_if(in_methods.lines, [&](const ImportedLine& line) { return more.has_line(line.line); });
    in_methods.settle();
    std::erase_if(in_methods.branches, [&](const ImportedBranch& branch) { return !in_methods.has_line(branch.line); });
    more.merge(in_methods);
    ImportedFile& file = data_.imported[path_of(file_name_)];
    file.sources.insert("cobertura");
    file.merge(more);
    lines_.clear();
    branches_.clear();
    functions_.clear();
    method_lines_.clear();
    method_branches_.clear();
    file_name_.clear();
  }

  /// The first of the sources under which there is such a file; else the first.
  std::string path_of(const std::string& name) const {
    std::error_code error;
    for (const std::string& source : sources_) {
      std::string path = input_path(name, source);
      if (std::filesystem::exists(path, error)) return path;
    }
    return input_path(name, sources_.empty() ? "" : sources_[0]);
  }

  template <typename T>
  static std::optional<T> whole(const char* text) {
    if (!text) return std::nullopt;
    T value{};
    const char* end = text + std::strlen(text);
    auto [last, error] = std::from_chars(text, end, value);
    if (error != std::errc() || last != end) return std::nullopt;
    return value;
  }

  InputFile& input_;
  CoverageData& data_;
  std::unique_ptr<std::remove_pointer_t<XML_Parser>, void (*)(XML_Parser)> parser_;
  std::string reason_, place_;  // why it stopped
  int depth_ = 0;
  bool seen_packages_ = false, in_source_ = false, in_method_ = false;
  std::string text_;
  std::vector<std::string> sources_;
  std::string file_name_;  // of the class that is open
  std::vector<ImportedLine> lines_, method_lines_;
  std::vector<ImportedBranch> branches_, method_branches_;
  std::vector<ImportedFunction> functions_;
};

}  // namespace

void read_cobertura(InputFile& input, CoverageData& data) { CoberturaReader(input, data).read(); }

}  // namespace qd::report
