// Combine note as bytes: a size and a checksum, followed by numbers and texts.
#include "report/data/combine_note.h"

#include <xxhash.h>

#include "report/data/bytes.h"

namespace qd::report {

namespace {

void put_identity(std::string& out, const FileIdentity& identity) {
  const auto& [device, inode, born, size, modified, changes] = identity;
  put(out, device);
  put(out, inode);
  put(out, born);
  put(out, size);
  put(out, modified);
  put(out, changes);
}

FileIdentity identity(ByteReader& in) {
  FileIdentity result;
  auto& [device, inode, born, size, modified, changes] = result;
  device = in.number<uint64_t>();
  inode = in.number<uint64_t>();
  born = in.number<int64_t>();
  size = in.number<uint64_t>();
  modified = in.number<int64_t>();
  changes = in.number<uint32_t>();
  return result;
}

}  // namespace

std::string CombineNote::packed() const {
  std::string text;
  put_identity(text, result);
  put(text, static_cast<uint32_t>(adds));
  put(text, static_cast<uint32_t>(displaced.size()));
  for (const std::string& path : displaced) put_text(text, path);
  put(text, static_cast<uint32_t>(inputs.size()));
  for (const CombinedInput& input : inputs) {
    put_text(text, input.path);
    put_identity(text, input.identity);
    put(text, static_cast<uint32_t>(input.is_damaged));
  }
  std::string note;
  put(note, static_cast<uint64_t>(text.size()));
  put(note, static_cast<uint64_t>(XXH3_64bits(text.data(), text.size())));
  return note + text;
}

std::vector<CombineNote> unpack_notes(const std::string& text) {
  std::vector<CombineNote> notes;
  ByteReader all{text};
  while (!all.rest.empty()) {
    const auto size = all.number<uint64_t>(), checksum = all.number<uint64_t>();
    ByteReader in{all.bytes(size)};
    if (!all.ok || XXH3_64bits(in.rest.data(), in.rest.size()) != checksum) break;
    CombineNote note;
    note.result = identity(in);
    note.adds = in.number<uint32_t>() != 0;
    for (auto n = in.number<uint32_t>(); n > 0 && in.ok; --n) note.displaced.push_back(in.text());
    for (auto n = in.number<uint32_t>(); n > 0 && in.ok; --n) {
      CombinedInput& input = note.inputs.emplace_back();
      input.path = in.text();
      input.identity = identity(in);
      input.is_damaged = in.number<uint32_t>() != 0;
    }
    if (!in.ok) break;
    notes.push_back(std::move(note));
  }
  return notes;
}

}  // namespace qd::report
