// TOML depth, in one pass over the characters: texts and comments are skipped, dots of names and brackets are counted.
#include "report/config/config_file.h"

#include <algorithm>
#include <string>
#include <vector>

namespace qd::report {

namespace {

class DepthScanner {
 public:
  explicit DepthScanner(std::string_view text) : text_(text) {}

  std::optional<int> line_of_deep() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        skip_string(c);
        continue;
      }
      if (c == '#')
        at_ = std::min(text_.find('\n', at_), text_.size());
      else
        read(c), ++at_;
      if (levels_.back().above + levels_.back().dots > kDeepestToml) return line_;
    }
    return std::nullopt;
  }

 private:
  /// The top of the file, or an inline table or list that is open.
  struct Level {
    int above = 0;          // number of tables and lists around the current position
    int dots = 0;           // of the current name: each makes a table
    bool in_value = false;  // behind '=', or in a list: dots are those of numbers
    bool is_list = false;
  };

  void read(char c) {
    Level& level = levels_.back();
    switch (c) {
      case '\n':
        ++line_;
        if (levels_.size() == 1) next_name();
        break;
      case '.': level.dots += level.in_value ? 0 : 1; break;
      case '=': level.in_value = true; break;
      case ',': next_name(); break;
      case '[':
        if (levels_.size() == 1 && !level.in_value)  // [name] of a table
          level = {1, 0, false, false};
        else
          levels_.push_back({level.above + level.dots + 1, 0, true, true});
        break;
      case '{': levels_.push_back({level.above + level.dots + 1, 0, false, false}); break;
      case ']':
        if (levels_.size() == 1 && !level.in_value) {
          level.above += level.dots;
          level.dots = 0;
          break;
        }
        [[fallthrough]];
      case '}':
        if (levels_.size() > 1) levels_.pop_back();
        break;
      default: break;
    }
  }

  void next_name() {
    levels_.back().dots = 0;
    levels_.back().in_value = levels_.back().is_list;
  }

  void skip_string(char quote) {
    const bool is_long = text_.substr(at_).starts_with(std::string(3, quote));
    at_ += is_long ? 3 : 1;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\n') {
        if (!is_long) return;  // without an end: the parser reports it
        ++line_;
      } else if (text_[at_] == '\\' && quote == '"') {
        if (++at_ < text_.size() && text_[at_] == '\n') ++line_;
      } else if (text_[at_] == quote && (!is_long || text_.substr(at_).starts_with(std::string(3, quote)))) {
        at_ += is_long ? 3 : 1;
        for (int more = 0; is_long && more < 2 && at_ < text_.size() && text_[at_] == quote; ++more) ++at_;
        return;
      }
    }
  }

  std::string_view text_;
  size_t at_ = 0;
  int line_ = 1;
  std::vector<Level> levels_ = {{}};
};

}  // namespace

std::optional<int> line_of_deep_toml(std::string_view text) { return DepthScanner(text).line_of_deep(); }

}  // namespace qd::report
