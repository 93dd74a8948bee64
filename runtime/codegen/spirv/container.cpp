// A header of three words, and for each task: local size, whether it draws, number of words, the words.
#include "runtime/codegen/spirv/container.h"

#include <cstring>
#include <stdexcept>

namespace qd::codegen::spirv {
namespace {

constexpr uint32_t kMagic = 0x56534451;  // "QDSV"
constexpr uint32_t kVersion = 1;

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  uint32_t word() {
    uint32_t value = 0;
    take(&value, 1);
    return value;
  }
  void take(uint32_t* to, size_t words) {
    if (words > rest_.size() / sizeof(uint32_t)) throw std::runtime_error("the code of a kernel is cut off");
    if (words == 0) return;
    std::memcpy(to, rest_.data(), words * sizeof(uint32_t));
    rest_.remove_prefix(words * sizeof(uint32_t));
  }
  size_t words_left() const { return rest_.size() / sizeof(uint32_t); }
  bool empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

void put(std::string& out, const uint32_t* words, size_t count) {
  out.append(reinterpret_cast<const char*>(words), count * sizeof(uint32_t));
}

}  // namespace

std::string pack(std::span<const TaskCode> tasks) {
  std::string out;
  const uint32_t head[] = {kMagic, kVersion, static_cast<uint32_t>(tasks.size())};
  put(out, head, std::size(head));
  for (const TaskCode& task : tasks) {
    const uint32_t row[] = {task.local_size, task.draws ? 1u : 0u, static_cast<uint32_t>(task.words.size())};
    put(out, row, std::size(row));
    put(out, task.words.data(), task.words.size());
  }
  return out;
}

std::vector<TaskCode> unpack(std::string_view bytes) {
  Reader reader(bytes);
  if (reader.word() != kMagic || reader.word() != kVersion)
    throw std::runtime_error("the code of a kernel is no container of SPIR-V modules");
  std::vector<TaskCode> tasks;
  const uint32_t count = reader.word();
  for (uint32_t i = 0; i < count; ++i) {
    TaskCode task;
    task.local_size = reader.word();
    task.draws = reader.word() != 0;
    const uint32_t words = reader.word();
    if (words > reader.words_left()) throw std::runtime_error("the code of a kernel is cut off");
    task.words.resize(words);
    reader.take(task.words.data(), words);
    tasks.push_back(std::move(task));
  }
  if (!reader.empty()) throw std::runtime_error("the code of a kernel has bytes behind its end");
  return tasks;
}

}  // namespace qd::codegen::spirv
