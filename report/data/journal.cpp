// Reads journals: of processes that have died, mostly.
#include "report/data/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

namespace qd::report {

uint32_t journal::checksum(const void* data, size_t size) {
  uint32_t hash = 2166136261u;
  for (const auto* byte = static_cast<const unsigned char*>(data); size-- > 0; ++byte) hash = (hash ^ *byte) * 16777619u;
  return hash;
}

namespace {

/// Takes numbers and texts off the front of a piece of the file; `ok` turns false for good where there are too few bytes.
struct Cursor {
  std::string_view rest;
  bool ok = true;

  std::string_view bytes(size_t size) {
    if (size > rest.size()) {
      ok = false;
      rest = {};
      return {};
    }
    std::string_view taken = rest.substr(0, size);
    rest.remove_prefix(size);
    return taken;
  }
  template <class T>
  T number() {
    T value{};
    std::string_view taken = bytes(sizeof(T));
    if (ok) std::memcpy(&value, taken.data(), sizeof(T));
    return value;
  }
};

struct ArcList {
  std::vector<std::string> files;
  std::vector<std::pair<uint32_t, Arc>> arcs;  // index into files
};

class Reader {
 public:
  Reader(std::string_view text, CoverageData& data) : cursor_{text}, data_(data) {}

  /// False when this is no journal.
  bool run() {
    auto header = cursor_.number<journal::Header>();
    if (!cursor_.ok || std::memcmp(header.magic, journal::kMagic, sizeof header.magic) != 0) return false;
    relative_to_ = cursor_.bytes(header.relative_to_size);
    cursor_.bytes(journal::padded(header.relative_to_size) - header.relative_to_size);
    if (!relative_to_.empty() && relative_to_.back() != '/') relative_to_ += '/';
    data_.has_arcs = header.branch != 0;
    while (record()) {
    }
    return true;
  }

 private:
  bool record() {
    auto head = cursor_.number<journal::Record>();
    Cursor payload{cursor_.bytes(head.size)};
    if (!cursor_.ok || head.kind == journal::kEnd || head.fixed_size > head.size) return false;
    if (head.kind == journal::kPad) return true;
    if (journal::checksum(payload.rest.data(), head.fixed_size) != head.checksum) return false;
    return head.kind == journal::kArcs ? arcs(payload) : head.kind == journal::kBits && bits(payload);
  }

  bool arcs(Cursor payload) {
    auto id = payload.number<uint32_t>();
    auto count = payload.number<uint32_t>();
    auto files = payload.number<uint32_t>();
    payload.number<uint32_t>();
    ArcList list;
    for (uint32_t i = 0; i < count && payload.ok; ++i) {
      auto file = payload.number<uint32_t>();
      auto from = payload.number<int32_t>();
      auto to = payload.number<int32_t>();
      if (file >= files) return false;
      list.arcs.push_back({file, {from, to}});
    }
    for (uint32_t i = 0; i < files && payload.ok; ++i) {
      auto size = payload.number<uint32_t>();
      list.files.emplace_back(payload.bytes(size));
    }
    if (payload.ok) lists_[id] = std::move(list);
    return payload.ok;
  }

  bool bits(Cursor payload) {
    auto list = lists_.find(payload.number<uint32_t>());
    auto size = payload.number<uint32_t>();
    std::string context(payload.bytes(size));
    payload.bytes(journal::padded(8 + size) - 8 - size);
    if (!payload.ok || list == lists_.end()) return false;
    std::string_view bits = payload.bytes((list->second.arcs.size() + 7) / 8);
    if (!payload.ok) return false;
    for (size_t i = 0; i < list->second.arcs.size(); ++i) {
      if (!(bits[i / 8] >> (i % 8) & 1)) continue;
      const auto& [file, arc] = list->second.arcs[i];
      add(list->second.files[file], arc, context);
    }
    return true;
  }

  void add(const std::string& file, Arc arc, const std::string& context) {
    bool below = !relative_to_.empty() && file.starts_with(relative_to_);
    std::string path = below ? file.substr(relative_to_.size()) : file;
    if (*data_.has_arcs) {
      data_.add_arc(path, arc, data_.context_id(context));
    } else if (arc.from < 0) {
      data_.add_line(path, arc.to, data_.context_id(context));
    }
  }

  Cursor cursor_;
  CoverageData& data_;
  std::string relative_to_;
  std::map<uint32_t, ArcList> lists_;
};

}  // namespace

bool is_journal(const std::string& path) {
  char magic[8] = {};
  std::ifstream(path, std::ios::binary).read(magic, sizeof magic);
  return std::memcmp(magic, journal::kMagic, sizeof magic) == 0;
}

std::vector<std::string> orphaned_journals(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code unreadable;
  for (const auto& entry : std::filesystem::directory_iterator(folder, unreadable)) {
    std::string path = entry.path().string();
    if (entry.path().filename().string().starts_with(kJournalPrefix) && !journal_is_live(path)) found.push_back(path);
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool journal_is_live(const std::string& path) {
  int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return false;
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  bool live = fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
  close(file);
  return live;
}

CoverageData read_journal(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw DataError(fmt::format("Couldn't read kernel coverage journal '{}': {}", path, std::strerror(errno)));
  std::string text{std::istreambuf_iterator<char>(in), {}};
  CoverageData data;
  if (!Reader(text, data).run()) throw DataError(fmt::format("Couldn't use '{}': it is no kernel coverage journal", path));
  return data;
}

}  // namespace qd::report
