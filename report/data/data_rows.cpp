// Rows of a data file, turned into measured data.
#include "report/data/data_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "report/data/measured_commands.h"
#include "report/data/merge.h"
#include "report/data/utf8.h"

namespace qd::report {

void DataRows::fail(const std::string& why) const {
  throw DataError(fmt::format("Couldn't use data file '{}': {}", data_.path, why));
}

void DataRows::fail_of_line(int64_t number) const { fail(fmt::format("{} is no line number", number)); }

std::string_view DataRows::text(std::string_view value, const char* column) const {
  if (!is_utf8(value)) fail(fmt::format("Could not decode to UTF-8 column '{}'", column));
  return value;
}

void DataRows::meta(std::string_view key, std::string_view value) {
  if (key == "has_arcs") has_arcs(value);
  if (key == kOwnVersionKey && value != kOwnVersion)
    fail(fmt::format("its tables of kernels have version {}, and this qd-cov reads version {}: a newer one is needed",
                     shown_text(value), kOwnVersion));
  if (key == kCommandsKey) data_.commands.merge(lines_of(value));
  if (key == kUnreadInputsKey) data_.unread_inputs.merge(lines_of(value));
  if (key == kKeptInputsKey)
    for (size_t at = 0; at < value.size(); at = std::min(value.find('\n', at), value.size()) + 1) {
      uint64_t hash = 0;
      const char* end = value.data() + value.size();
      if (std::from_chars(value.data() + at, end, hash, 16).ec == std::errc()) data_.kept_inputs.insert(hash);
    }
}

void DataRows::has_arcs(std::string_view value) {
  if (value != "0" && value != "1") fail(fmt::format("has_arcs is '{}'", shown_text(value)));
  data_.has_arcs = value == "1";
}

void DataRows::context(int64_t id, std::string_view context) {
  ContextId ours = 0;
  if (!context.empty()) {
    ours = static_cast<ContextId>(data_.contexts.size());
    data_.contexts.emplace_back(text(context, "context"));
  }
  contexts_.emplace(id, Context{ours, ours == 0 ? default_kept_ : kept(ours, data_.contexts.back())});
}

void DataRows::file(int64_t id, std::string_view path) {
  FileData& file = data_.files[std::string(text(path, "path"))];
  file.id = id;
  files_.emplace(id, &file);
}

void DataRows::line_bits(int64_t file_id, int64_t context_id, std::string_view numbits) {
  any_lines_ = true;
  if (summing_) sums_[file_id].add_lines(context_id, numbits);
  std::optional<ContextId> context = kept_context_of(context_id);
  if (FileData* file = file_of(file_id); file && context) file->lines[*context].merge(Numbits(std::string(numbits)));
}

void DataRows::begin_list(int64_t file_id, int64_t context_id) {
  any_arcs_ = true;
  end_list();
  FileData* file = file_of(file_id);
  std::optional<ContextId> context = kept_context_of(context_id);
  list_ = file && context ? &file->arcs[*context] : nullptr;
  if (list_ && fold_) target_ = std::exchange(list_, &folding_);
  last_file_id_ = file_id;
  last_context_id_ = context_id;
  list_known_ = true;
  if (summing_) sum_ = &sums_[file_id];
}

void DataRows::end_list() {
  if (!target_) return;
  std::sort(folding_.begin(), folding_.end());
  merge_arcs(*target_, folding_);
  folding_.clear();
  target_ = nullptr;
}

void DataRows::tracer(int64_t file_id, std::string_view tracer) {
  if (FileData* file = file_of(file_id)) file->tracer = text(tracer, "tracer");
}

void DataRows::finish() {
  end_list();
  if (!data_.has_arcs && (any_lines_ || any_arcs_)) data_.has_arcs = any_arcs_;
  for (auto& [path, file] : data_.files)
    for (auto& [context, arcs] : file.arcs) {
      // Only rows of unknown contexts, or in another order, can be out of order.
      if (std::adjacent_find(arcs.begin(), arcs.end(), std::greater_equal<>()) == arcs.end()) continue;
      std::sort(arcs.begin(), arcs.end());
      arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
    }
}

FileData* DataRows::file_of(int64_t id) const {
  auto found = files_.find(id);
  return found == files_.end() ? nullptr : found->second;
}

int64_t DataRows::sum_of(int64_t id) const {
  auto found = sums_.find(id);
  return found == sums_.end() ? 0 : found->second.value();
}

ContextId DataRows::context_of(int64_t id) const {
  auto found = contexts_.find(id);
  return found == contexts_.end() ? 0 : found->second.id;
}

std::optional<ContextId> DataRows::kept_context_of(int64_t id) const {
  auto found = contexts_.find(id);
  return found == contexts_.end() ? default_kept_ : found->second.kept;
}

}  // namespace qd::report
